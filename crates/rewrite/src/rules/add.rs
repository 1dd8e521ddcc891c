//! Sums and negation.
//!
//! Constants and negations move up where they meet others, and stay otherwise: a sum is often shared, and a
//! second one costs an adder. `a + -b` is one adder with a carry-in, so negation below a sum is free, and
//! `a + (1 + b)` is `a + -(¬b)`; since `a + ¬b` differs from `a + -b` by a constant, the complement gives
//! way to the negation beside a constant. Sums are not narrowed to the bits they need: the gate graph folds
//! the zeros anyhow, and constants of sums that meet later could not fuse.
//!
//! Sums of bitwise operations of the same operands collapse (H. S. Warren, "Hacker's Delight", section 2-2);
//! such sums come from obfuscated code and from superoptimisers.

use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};

pub(super) const ROWS: &[Row] = &[
    equation("neg_bit", "(bvneg x)", "x").when("(bit x)"),
    equation("add_bits", "(bvadd x y)", "(bvxor x y)").when("(bit x)"),
    equation("neg_neg", "(bvneg (bvneg x))", "x"),
    equation("neg_increment", "(bvneg (bvadd 1 x))", "(bvnot x)"),
    equation("not_decrement", "(bvnot (bvadd ones x))", "(bvneg x)"),
    equation("not_neg", "(bvnot (bvneg x))", "(bvadd ones x)"),
    equation("neg_difference", "(bvneg (bvadd x (bvneg y)))", "(bvadd (bvneg x) y)"),
    equation("not_constant_minus", "(bvnot (bvadd k (bvneg x)))", "(bvadd (bvnot k) x)"),
    equation("neg_add_mul", "(bvneg (bvadd x (bvmul x y)))", "(bvmul x (bvnot y))"),
    equation("add_zero", "(bvadd 0 x)", "x"),
    equation("add_constants", "(bvadd k (bvadd m x))", "(bvadd (bvadd k m) x)"),
    equation("constant_minus_sum", "(bvadd m (bvneg (bvadd k x)))", "(bvadd (bvsub m k) (bvneg x))"),
    equation("add_add_constants", "(bvadd (bvadd k x) (bvadd m y))", "(bvadd (bvadd k m) (bvadd x y))"),
    equation("minus_one_minus", "(bvadd ones (bvneg x))", "(bvnot x)"),
    equation("add_constant_not", "(bvadd k (bvnot x))", "(bvadd (bvsub k 1) (bvneg x))"),
    equation("add_constant_neg_not", "(bvadd k (bvneg (bvnot x)))", "(bvadd (bvadd k 1) x)"),
    equation("add_same", "(bvadd x x)", "(bvshl x 1)"),
    equation("add_not", "(bvadd x (bvnot x))", "ones"),
    equation("add_neg", "(bvadd x (bvneg x))", "0"),
    equation("add_neg_neg", "(bvadd (bvneg x) (bvneg y))", "(bvneg (bvadd x y))")
        .grows("negations below a sum are free, but only one of them is"),
    equation("add_sub_cancels", "(bvadd x (bvadd y (bvneg x)))", "y"),
    equation("sub_add_cancels", "(bvadd (bvadd x y) (bvneg x))", "y"),
    equation("sub_sum_cancels", "(bvsub x (bvadd x y))", "(bvneg y)"),
    equation("sub_sums_cancel", "(bvsub (bvadd x y) (bvadd x z))", "(bvsub y z)"),
    equation("add_not_sum", "(bvadd (bvnot x) (bvadd x y))", "(bvadd ones y)"),
    equation("add_increment", "(bvadd x (bvadd 1 y))", "(bvsub x (bvnot y))"),
    // Products.
    equation("add_mul_constant", "(bvadd x (bvmul k x))", "(bvmul (bvadd k 1) x)"),
    equation("sub_mul_constant", "(bvadd (bvneg x) (bvmul k x))", "(bvmul (bvsub k 1) x)"),
    equation("add_common_factor", "(bvadd (bvmul x y) (bvmul x z))", "(bvmul x (bvadd y z))"),
    equation("sub_common_factor", "(bvsub (bvmul x y) (bvmul x z))", "(bvmul x (bvsub y z))"),
    equation("add_shifted", "(bvadd (bvshl x z) (bvshl y z))", "(bvshl (bvadd x y) z)"),
    // Remainders, written with a quotient.
    equation("remainder", "(bvsub x (bvmul y (bvudiv x y)))", "(bvurem x y)"),
    equation("remainder_constant", "(bvadd x (bvmul m (bvudiv x k)))", "(bvurem x k)")
        .when("(= m (bvneg k))"),
    equation("signed_remainder", "(bvsub x (bvmul y (bvsdiv x y)))", "(bvsrem x y)"),
    equation("signed_remainder_constant", "(bvadd x (bvmul m (bvsdiv x k)))", "(bvsrem x k)")
        .when("(= m (bvneg k))"),
    equation("quotient_and_remainder", "(bvadd (bvmul y (bvudiv x y)) (bvurem x y))", "x"),
    equation("signed_quotient_and_remainder", "(bvadd (bvmul y (bvsdiv x y)) (bvsrem x y))", "x"),
    // Without a carry.
    equation("add_shifted_by_itself", "(bvadd x (bvshl y x))", "(bvor x (bvshl y x))"),
    equation("add_and_xor", "(bvadd (bvand x y) (bvxor x y))", "(bvor x y)"),
    equation("add_or_and", "(bvadd (bvor x y) (bvand x y))", "(bvadd x y)"),
    equation("sub_or_and", "(bvsub (bvor x y) (bvand x y))", "(bvxor x y)"),
    equation("sub_sum_and", "(bvsub (bvadd x y) (bvand x y))", "(bvor x y)"),
    equation("sub_sum_or", "(bvsub (bvadd x y) (bvor x y))", "(bvand x y)"),
    equation("sub_or_xor", "(bvsub (bvor x y) (bvxor x y))", "(bvand x y)"),
    equation("add_and_and_not", "(bvadd (bvand x y) (bvand x (bvnot y)))", "x"),
    equation("sub_or_operand", "(bvsub (bvor x y) y)", "(bvand x (bvnot y))"),
    equation("sub_or_difference", "(bvsub (bvor x y) (bvand (bvnot x) y))", "x"),
    equation("sub_and_operand", "(bvsub x (bvand x y))", "(bvand x (bvnot y))"),
    function(
        "add_disjoint",
        "(bvadd (concat x y) (concat z t))",
        "their parts side by side, if everywhere one of them is zero",
        disjoint,
    ),
    function(
        "add_constant_disjoint",
        "(bvadd k (concat x y))",
        "their parts side by side, if everywhere one of them is zero",
        disjoint,
    ),
];

/// Concatenations of more parts than this are not looked at.
const MAX_PARTS: usize = 32;

/// A sum without a carry, because everywhere one of the operands shows zeros.
fn disjoint(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let [mut a, mut b] = [parts(pool, a).into_iter(), parts(pool, b).into_iter()];
    // Parts, and how many of their bits, the lower ones, are still to be added.
    let (mut upper, mut lower) = (a.next()?, b.next()?);
    let mut sum = vec![];
    loop {
        let width = upper.1.min(lower.1);
        let zero = [upper, lower].map(|(part, top)| shows_zeros(pool, part, top - 1, top - width));
        let (part, top) = match zero {
            [false, false] => return None,
            [true, _] => lower,
            [false, true] => upper,
        };
        sum.push((part, top - 1, top - width));
        upper.1 -= width;
        lower.1 -= width;
        match (upper.1, lower.1) {
            (0, 0) => match (a.next(), b.next()) {
                (Some(next), Some(other)) => (upper, lower) = (next, other),
                _ => break,
            },
            (0, _) => upper = a.next()?,
            _ => lower = b.next()?,
        }
    }
    let sum: Vec<Option<Term>> =
        sum.into_iter().map(|(part, high, low)| Some(make::extract(pool, part, high, low))).collect();
    Some(make::concat(pool, &sum))
}

/// The parts of a concatenation that leans to the right, and their widths; or the term itself.
fn parts(pool: &Pool, term: Term) -> Vec<(Term, u32)> {
    let width = |term| pool.width(term).expect("a bit-vector is concatenated");
    let (mut parts, mut rest) = (vec![], term);
    while let (Op::Concat, &[high, low]) = (pool.op(rest), pool.args(rest))
        && parts.len() < MAX_PARTS
    {
        parts.push((high, width(high)));
        rest = low;
    }
    parts.push((rest, width(rest)));
    parts
}

/// Is the slice one of zeros, seen in a constant?
fn shows_zeros(pool: &Pool, part: Term, high: u32, low: u32) -> bool {
    pool.as_bitvec(part).is_some_and(|value| value.extract(high, low).is_zero())
}
