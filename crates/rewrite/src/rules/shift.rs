//! Shifts.
//!
//! By a constant they are wiring: a slice beside zeros or copies of the sign. By a term they are logarithmic
//! shifters, so two shifts by the same term are made one where that is possible.

use super::known;
use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};

pub(super) const ROWS: &[Row] = &[
    equation("shl_bits", "(bvshl x y)", "(bvand x (bvnot y))").when("(bit x)"),
    equation("lshr_bits", "(bvlshr x y)", "(bvand x (bvnot y))").when("(bit x)"),
    equation("ashr_bits", "(bvashr x y)", "x").when("(bit x)"),
    equation("shl_of_zero", "(bvshl 0 x)", "0"),
    equation("lshr_of_zero", "(bvlshr 0 x)", "0"),
    equation("ashr_of_zero", "(bvashr 0 x)", "0"),
    equation("ashr_of_ones", "(bvashr ones x)", "ones"),
    function("shl_by_constant", "(bvshl x k)", "(concat ((_ extract w-1-k 0) x) 0)", by_constant),
    function("lshr_by_constant", "(bvlshr x k)", "(concat 0 ((_ extract w-1 k) x))", by_constant),
    function("ashr_by_constant", "(bvashr x k)", "((_ sign_extend k) ((_ extract w-1 k) x))", by_constant),
    equation("lshr_same", "(bvlshr x x)", "0"),
    equation("lshr_complement", "(bvlshr (bvnot x) x)", "(bvlshr ones x)"),
    equation("lshr_by_larger_or", "(bvlshr x (bvor x y))", "0"),
    equation("lshr_smaller_and", "(bvlshr (bvand x y) x)", "0"),
    equation("lshr_remainder", "(bvlshr (bvurem x y) y)", "(ite (= 0 y) x 0)"),
    equation("lshr_shl", "(bvlshr (bvshl x y) y)", "(bvand x (bvlshr ones y))"),
    equation("shl_lshr", "(bvshl (bvlshr x y) y)", "(bvand x (bvshl ones y))"),
    equation("shl_mul_lshr", "(bvshl (bvmul x (bvlshr y z)) z)", "(bvmul x (bvand y (bvshl ones z)))"),
    equation("shl_ashr_same", "(bvshl (bvashr x x) x)", "0"),
    equation("shl_neg", "(bvshl (bvneg x) y)", "(bvneg (bvshl x y))"),
    equation("ashr_not", "(bvashr (bvnot x) y)", "(bvnot (bvashr x y))"),
    equation("and_shl_shl", "(bvand (bvshl x z) (bvshl y z))", "(bvshl (bvand x y) z)"),
    equation("and_lshr_lshr", "(bvand (bvlshr x z) (bvlshr y z))", "(bvlshr (bvand x y) z)"),
    equation("and_ashr_ashr", "(bvand (bvashr x z) (bvashr y z))", "(bvashr (bvand x y) z)"),
    equation("xor_shl_shl", "(bvxor (bvshl x z) (bvshl y z))", "(bvshl (bvxor x y) z)"),
    equation("xor_lshr_lshr", "(bvxor (bvlshr x z) (bvlshr y z))", "(bvlshr (bvxor x y) z)"),
    equation("xor_ashr_ashr", "(bvxor (bvashr x z) (bvashr y z))", "(bvashr (bvxor x y) z)"),
    function("ashr_of_known_sign", "(bvashr x y)", "(bvlshr x y), if the sign is seen to be 0", ashr_known),
];

/// A shift by a constant, as wiring.
fn by_constant(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let (x, width) = (m.head.args[0], m.width());
    let amount = pool.as_bitvec(m.head.args[1])?;
    let amount = amount.to_u64().map_or(width, |amount| amount.min(u64::from(width)) as u32);
    if amount == 0 {
        return Some(x);
    }
    if m.head.op == Op::BvAshr {
        let kept = amount.min(width - 1);
        let high = make::extract(pool, x, width - 1, kept);
        return Some(if kept == 0 { high } else { make::indexed(pool, Op::SignExtend, &[kept], &[high]) });
    }
    let zeros = make::zeros(pool, amount);
    if amount == width {
        return Some(zeros);
    }
    Some(if m.head.op == Op::BvShl {
        let low = make::extract(pool, x, width - 1 - amount, 0);
        make::concat(pool, &[Some(low), Some(zeros)])
    } else {
        let high = make::extract(pool, x, width - 1, amount);
        make::concat(pool, &[Some(zeros), Some(high)])
    })
}

fn ashr_known(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let positive = !known::sign(pool, m.head.args[0])?;
    positive.then(|| make::app(pool, Op::BvLshr, m.head.args))
}
