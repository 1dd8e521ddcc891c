//! Sums and negation.
//!
//! Constants and negations move up where they meet others, and stay otherwise: a sum is often shared, and a second
//! one costs an adder. `a + -b` is one adder with a carry-in, so negation below a sum is free, and `a + (1 + b)` is
//! `a + -(¬b)`; since `a + ¬b` differs from `a + -b` by a constant, the complement gives way to the negation beside a
//! constant. Sums are not narrowed to the bits
//! they need: the gate graph folds the zeros anyhow, and constants of sums that meet later could not fuse.
//!
//! Sums of bitwise operations of the same operands collapse (H. S. Warren, "Hacker's Delight", section 2-2); such
//! sums come from obfuscated code and from superoptimisers.

use crate::make;
use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_terms::{Pool, Term};

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
    function("add_disjoint", "(bvadd (concat x k) (concat m y))", "(concat m' x' y), k = 0, m = 0", disjoint),
];

/// `x` above zeros plus `y` below zeros, where they do not overlap.
fn disjoint(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [x, k, high, y] = ['x', 'k', 'm', 'y'].map(|name| m.term(pool, name));
    if !super::known::is_zero(pool, k) || !super::known::is_zero(pool, high) {
        return None;
    }
    let (low, y_width) = (pool.width(k)?, pool.width(y)?);
    if y_width > low {
        return None;
    }
    let gap = make::zeros_or_none(pool, low - y_width);
    Some(make::concat(pool, &[Some(x), gap, Some(y)]))
}
