//! Products, and the predicates of their overflow.
//!
//! A multiplier is the most expensive circuit but one, so anything that saves or narrows it is worth having:
//! factors that are powers of two become wiring, factors that are bits become choices, operands with leading
//! zeros are multiplied at the width that the product needs.

use super::known;
use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};

pub(super) const ROWS: &[Row] = &[
    equation("mul_bits", "(bvmul x y)", "(bvand x y)").when("(bit x)"),
    equation("mul_zero", "(bvmul 0 x)", "0"),
    equation("mul_one", "(bvmul 1 x)", "x"),
    equation("mul_ones", "(bvmul ones x)", "(bvneg x)"),
    equation("mul_power_of_two", "(bvmul k x)", "(bvshl x (ctz k))").when("(pow2 k)"),
    equation("mul_negated_power_of_two", "(bvmul k x)", "(bvneg (bvshl x (ctz k)))")
        .when("(pow2 (bvneg k))")
        .grows("the shift is wiring"),
    equation("mul_constants", "(bvmul k (bvmul m x))", "(bvmul (bvmul k m) x)"),
    equation("mul_constant_neg", "(bvmul k (bvneg x))", "(bvmul (bvneg k) x)"),
    equation("neg_mul_constant", "(bvneg (bvmul k x))", "(bvmul (bvneg k) x)"),
    equation("mul_constant_sum", "(bvmul k (bvadd m x))", "(bvadd (bvmul k m) (bvmul k x))"),
    equation("mul_neg", "(bvmul (bvneg x) y)", "(bvneg (bvmul x y))"),
    equation("mul_shifted_one", "(bvmul x (bvshl 1 y))", "(bvshl x y)"),
    equation("mul_shifted", "(bvmul x (bvshl y z))", "(bvshl (bvmul x y) z)"),
    equation("mul_constant_or_zero", "(bvmul x (ite c k 0))", "(ite c (bvmul k x) 0)"),
    equation("mul_zero_or_constant", "(bvmul x (ite c 0 k))", "(ite c 0 (bvmul k x))"),
    equation("mul_easy_choice", "(bvmul x (ite c k m))", "(ite c (bvmul k x) (bvmul m x))")
        .when("(and (or (= 0 k) (or (pow2 k) (pow2 (bvneg k)))) (or (= 0 m) (or (pow2 m) (pow2 (bvneg m)))))")
        .grows("these products are shifts"),
    equation("mul_choice_at_zero", "(bvmul x (ite (= 0 x) y z))", "(bvmul x z)"),
    equation("mul_extended_bit", "(bvmul x (concat k y))", "(ite (= #b1 y) x 0)")
        .when("(and (bit y) (= k 0))")
        .grows("a choice is no multiplier"),
    function(
        "mul_zero_extended",
        "(bvmul (concat k x) (concat m y))",
        "(concat 0 (bvmul x' y')), k = 0, m = 0",
        narrow,
    ),
    function(
        "mul_zero_extended_constant",
        "(bvmul n (concat k x))",
        "(concat 0 (bvmul n' x')), k = 0",
        narrow,
    ),
    function(
        "mul_shifted_by_constant",
        "(bvmul x (concat ((_ extract h l) y) k))",
        "(concat (bvmul ((_ extract w-1-j 0) x) ((_ extract h l) y)) k), k = 0 of width j, l = 0",
        shifted,
    ),
    equation("umulo_zero", "(bvumulo 0 x)", "false"),
    equation("umulo_constant", "(bvumulo k x)", "(bvult (bvudiv ones k) x)").when("(distinct k 0)"),
    function(
        "umulo_zero_extended",
        "(bvumulo (concat k x) (concat m y))",
        "false, if k = 0, m = 0 and the product fits",
        never_overflows,
    ),
    equation("umulo_ite_constants", "(bvumulo x (ite c k m))", "(ite c (bvumulo k x) (bvumulo m x))")
        .grows("overflow of products by constants is a comparison"),
    equation("smulo_zero", "(bvsmulo 0 x)", "false"),
    equation("smulo_one", "(bvsmulo 1 x)", "false").when("(wide x)"),
    equation("smulo_ones", "(bvsmulo ones x)", "(= min x)"),
    function(
        "smulo_sign_extended",
        "(bvsmulo ((_ sign_extend i) x) ((_ sign_extend j) y))",
        "false, if x and y together have no more bits than the product",
        never_overflows_signed,
    ),
    function(
        "smulo_sign_extended_constant",
        "(bvsmulo k ((_ sign_extend i) x))",
        "false, if x and the significant bits of k together are no more than the product has",
        never_overflows_signed,
    ),
];

/// The product of numbers with leading zeros, if it has leading zeros of its own.
fn narrow(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let ((_, a), (_, b)) = (known::leading_zeros(pool, a)?, known::leading_zeros(pool, b)?);
    let needed = pool.width(a)? + pool.width(b)?;
    if needed >= m.width() {
        return None;
    }
    let args = [a, b].map(|arg| known::zero_extend_to(pool, arg, needed));
    let product = make::app(pool, Op::BvMul, &args);
    Some(known::zero_extend_to(pool, product, m.width()))
}

/// A factor that is a shift by a constant shifts the product, and the rest needs a narrower multiplier.
fn shifted(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [x, k] = ['x', 'k'].map(|name| m.term(pool, name));
    // Both factors may be such shifts: the one that is not `x` was matched.
    let shift = match *m.head.args {
        [a, b] if a == x => b,
        [a, b] if b == x => a,
        _ => return None,
    };
    let &[low, _] = pool.args(shift) else { return None };
    if pool.op(low) != Op::Extract || pool.index(low) != 0 || !pool.as_bitvec(k)?.is_zero() {
        return None;
    }
    let x = make::extract(pool, x, pool.width(low)? - 1, 0);
    let product = make::app(pool, Op::BvMul, &[x, low]);
    Some(make::concat(pool, &[Some(product), Some(k)]))
}

fn never_overflows(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let ((a_zeros, _), (b_zeros, _)) = (known::leading_zeros(pool, a)?, known::leading_zeros(pool, b)?);
    (a_zeros + b_zeros >= pool.width(a)?).then(|| pool.bool(false))
}

/// With `p` and `q` significant bits, sign included, the product is at most `2^(p-1) * 2^(q-1)` in absolute
/// value, which is less than `2^(w-1)` if `p + q <= w`.
fn never_overflows_signed(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let width = pool.width(a)?;
    let significant = |term| width - known::sign_copies(pool, term) + 1;
    (significant(a) + significant(b) <= width).then(|| pool.bool(false))
}
