//! Operations with one, minus one, powers of two and zeros, and operations that undo each other.

use crate::constants::{self, is_finite, is_zero};
use bivalve_terms::float::{Float, RoundingMode};
use bivalve_terms::{Op, Pool, Term};

/// One, or minus one with its sign.
fn unit(pool: &Pool, term: Term) -> Option<bool> {
    let value = constants::float(pool, term)?;
    let is_unit = |negative| value == Float::one(value.format(), negative);
    if is_unit(false) { Some(false) } else { is_unit(true).then_some(true) }
}

/// The term, or its negation.
fn signed(pool: &mut Pool, term: Term, negative: bool) -> Term {
    if negative { pool.mk(Op::FpNeg, &[term]) } else { term }
}

/// Does adding this zero change nothing? -0 adds nothing to any number but in one mode, where +0 does not.
fn adds_nothing(pool: &Pool, mode: Term, term: Term, is_negated: bool) -> bool {
    let (Some(mode), Some(value)) = (constants::mode(pool, mode), constants::float(pool, term)) else {
        return false;
    };
    is_zero(&value) && (value.sign() != is_negated) == (mode != RoundingMode::TowardNegative)
}

/// What a number is multiplied by in place of a division, if it is a power of two that has an inverse.
fn inverse(value: &Float) -> Option<Float> {
    use bivalve_floats::{Integers, Semantics};
    if !is_finite(value) || is_zero(value) {
        return None;
    }
    let (significand, _) = value.significand();
    let one = Float::one(value.format(), false);
    let is_power = significand.count_ones() == 1;
    let [down, up] = [RoundingMode::TowardNegative, RoundingMode::TowardPositive]
        .map(|mode| Integers::div(mode, &one, value));
    (is_power && down == up && is_finite(&down) && !is_zero(&down)).then_some(down)
}

/// What is equal to a term and has one operation less, or a cheaper one.
pub(crate) fn simpler(pool: &mut Pool, term: Term) -> Option<Term> {
    let args = pool.written_args(term).to_vec();
    Some(match (pool.op(term), &args[..]) {
        (Op::FpMul, &[_, x, y]) => match (unit(pool, x), unit(pool, y)) {
            (Some(negative), _) => signed(pool, y, negative),
            (_, Some(negative)) => signed(pool, x, negative),
            _ => return None,
        },
        (Op::FpDiv, &[mode, x, y]) => {
            if let Some(negative) = unit(pool, y) {
                return Some(signed(pool, x, negative));
            }
            let inverse = inverse(&constants::float(pool, y)?)?;
            let inverse = pool.float(&inverse);
            pool.mk(Op::FpMul, &[mode, x, inverse])
        }
        (Op::FpAdd, &[mode, x, y]) if adds_nothing(pool, mode, y, false) => x,
        (Op::FpAdd, &[mode, x, y]) if adds_nothing(pool, mode, x, false) => y,
        (Op::FpSub, &[mode, x, y]) if adds_nothing(pool, mode, y, true) => x,
        (Op::FpFma, &[mode, x, y, z]) => match (unit(pool, x), unit(pool, y)) {
            (Some(negative), _) => {
                let y = signed(pool, y, negative);
                pool.mk(Op::FpAdd, &[mode, y, z])
            }
            (_, Some(negative)) => {
                let x = signed(pool, x, negative);
                pool.mk(Op::FpAdd, &[mode, x, z])
            }
            _ if adds_nothing(pool, mode, z, false) => pool.mk(Op::FpMul, &[mode, x, y]),
            _ => return None,
        },
        (Op::FpNeg, &[x]) if pool.op(x) == Op::FpNeg => pool.args(x)[0],
        (Op::FpAbs, &[x]) if matches!(pool.op(x), Op::FpNeg | Op::FpAbs) => {
            let inner = pool.args(x)[0];
            pool.mk(Op::FpAbs, &[inner])
        }
        (Op::FpMin | Op::FpMax, &[x, y]) if x == y => x,
        (Op::FpRoundToIntegral, &[_, x]) if pool.op(x) == Op::FpRoundToIntegral => x,
        _ => return None,
    })
}
