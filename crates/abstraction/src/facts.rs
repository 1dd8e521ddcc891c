//! Facts: what holds of `t = x op s` for all operands, one row each.
//!
//! The rows follow the lemmas of the CAV 2024 paper, the ones that rule out most wrong results first. A row
//! is a formula over `x`, `s` and `t`; for the product, it is tried for both orders of the operands. Every
//! row is tested: it must hold for all operands at widths 3 to 5 and for random ones above, and must fail for
//! some wrong result.
//!
//! Facts are not to be trusted below a width of 3.

use crate::maker::Maker;
use bivalve_terms::{Op, Term};

/// A fact about an operator.
pub(crate) struct Fact {
    pub(crate) name: &'static str,
    pub(crate) op: Op,
    pub(crate) make: fn(&mut Maker<'_>) -> Term,
}

const fn fact(name: &'static str, op: Op, make: fn(&mut Maker<'_>) -> Term) -> Fact {
    Fact { name, op, make }
}

/// All facts, in the order in which they are tried.
pub(crate) const FACTS: &[Fact] = &[
    fact("product_low_bit", Op::BvMul, |m| {
        let (x, s, t) = (m.slice(m.x, 0, 0), m.slice(m.s, 0, 0), m.slice(m.t, 0, 0));
        let both = m.and(x, s);
        m.eq(t, both)
    }),
    fact("product_trailing_zeros", Op::BvMul, |m| {
        let minus = m.neg(m.s);
        let mask = m.or(m.s, minus);
        let low = m.and(m.t, mask);
        m.eq(low, m.t)
    }),
    fact("overflow_of_few", Op::BvUmulo, |m| {
        let one = m.number(1);
        let (few, none) = (m.ule(m.x, one), m.not(m.t));
        m.implies(&[few], none)
    }),
    fact("quotient_by_zero", Op::BvUdiv, |m| {
        let (zero, ones) = (m.number(0), m.ones());
        let (by_zero, full) = (m.eq(m.s, zero), m.eq(m.t, ones));
        m.implies(&[by_zero], full)
    }),
    fact("quotient_by_one", Op::BvUdiv, |m| {
        let one = m.number(1);
        let (by_one, same) = (m.eq(m.s, one), m.eq(m.t, m.x));
        m.implies(&[by_one], same)
    }),
    fact("quotient_of_smaller", Op::BvUdiv, |m| {
        let zero = m.number(0);
        let (smaller, none) = (m.ult(m.x, m.s), m.eq(m.t, zero));
        m.implies(&[smaller], none)
    }),
    fact("quotient_of_greater", Op::BvUdiv, |m| {
        let zero = m.number(0);
        let (by_zero, smaller, none) = (m.eq(m.s, zero), m.ult(m.x, m.s), m.eq(m.t, zero));
        let (divides, reaches, some) = (m.not(by_zero), m.not(smaller), m.not(none));
        m.implies(&[divides, reaches], some)
    }),
    fact("quotient_by_itself", Op::BvUdiv, |m| {
        let (zero, one) = (m.number(0), m.number(1));
        let (by_zero, same, unit) = (m.eq(m.s, zero), m.eq(m.s, m.x), m.eq(m.t, one));
        let divides = m.not(by_zero);
        m.implies(&[divides, same], unit)
    }),
    fact("quotient_not_above", Op::BvUdiv, |m| {
        let zero = m.number(0);
        let (by_zero, below) = (m.eq(m.s, zero), m.ule(m.t, m.x));
        let divides = m.not(by_zero);
        m.implies(&[divides], below)
    }),
    fact("quotient_halves", Op::BvUdiv, |m| {
        let (one, two) = (m.number(1), m.number(2));
        let (large, half) = (m.ule(two, m.s), m.op(Op::BvLshr, &[m.x, one]));
        let below = m.ule(m.t, half);
        m.implies(&[large], below)
    }),
    fact("quotient_common_bits", Op::BvUdiv, |m| {
        let (s, t) = (m.neg(m.s), m.neg(m.t));
        let both = m.and(s, t);
        let minus = m.neg(both);
        m.ule(minus, m.x)
    }),
    fact("quotient_complement", Op::BvUdiv, |m| {
        let one = m.number(1);
        let odd = m.or(m.s, one);
        let minus = m.neg(odd);
        m.ule(m.t, minus)
    }),
    fact("quotient_masked", Op::BvUdiv, |m| {
        let minus = m.neg(m.t);
        let (left, right) = (m.and(m.x, minus), m.and(m.s, m.t));
        m.ule(right, left)
    }),
    fact("quotient_shifted", Op::BvUdiv, |m| {
        let one = m.number(1);
        let half = m.op(Op::BvLshr, &[m.s, one]);
        let shifted = m.op(Op::BvLshr, &[m.t, half]);
        let right = m.op(Op::BvXor, &[m.t, shifted]);
        m.ule(right, m.x)
    }),
    fact("quotient_parity", Op::BvUdiv, |m| {
        let one = m.number(1);
        let either = m.or(m.x, m.t);
        let (left, right) = (m.op(Op::BvXor, &[m.s, either]), m.op(Op::BvXor, &[m.t, one]));
        m.ule(right, left)
    }),
    fact("remainder_by_zero", Op::BvUrem, |m| {
        let zero = m.number(0);
        let (by_zero, same) = (m.eq(m.s, zero), m.eq(m.t, m.x));
        m.implies(&[by_zero], same)
    }),
    fact("remainder_below_divisor", Op::BvUrem, |m| {
        let zero = m.number(0);
        let (by_zero, below) = (m.eq(m.s, zero), m.ult(m.t, m.s));
        let divides = m.not(by_zero);
        m.implies(&[divides], below)
    }),
    fact("remainder_of_smaller", Op::BvUrem, |m| {
        let (smaller, same) = (m.ult(m.x, m.s), m.eq(m.t, m.x));
        m.implies(&[smaller], same)
    }),
    fact("remainder_by_itself", Op::BvUrem, |m| {
        let zero = m.number(0);
        let (same, none) = (m.eq(m.s, m.x), m.eq(m.t, zero));
        m.implies(&[same], none)
    }),
    fact("remainder_not_above", Op::BvUrem, |m| m.ule(m.t, m.x)),
    fact("remainder_of_greater", Op::BvUrem, |m| {
        let (reaches, rest) = (m.ule(m.s, m.x), m.op(Op::BvSub, &[m.x, m.s]));
        let below = m.ule(m.t, rest);
        m.implies(&[reaches], below)
    }),
    fact("remainder_by_one", Op::BvUrem, |m| {
        let (zero, one) = (m.number(0), m.number(1));
        let (by_one, none) = (m.eq(m.s, one), m.eq(m.t, zero));
        m.implies(&[by_one], none)
    }),
    fact("remainder_common_bits", Op::BvUrem, |m| {
        let common = m.and(m.x, m.s);
        let either = m.or(m.t, common);
        m.ule(either, m.x)
    }),
    fact("remainder_trailing_zeros", Op::BvUrem, |m| {
        let minus = m.neg(m.s);
        let (either, one) = (m.or(m.s, m.t), m.or(m.s, minus));
        let mask = m.or(either, one);
        let low = m.and(m.x, mask);
        m.eq(low, m.x)
    }),
];
