//! Signed division, from the unsigned circuit over absolute values.
//!
//! `bvsdiv` rounds towards zero, `bvsrem` takes the sign of the dividend, `bvsmod` that of the divisor: the
//! remainder of the absolute values, with the sign of the dividend, plus the divisor when the signs differ
//! and it is not zero. Division by zero follows from the unsigned circuit: the quotient is all ones, so 1 or
//! -1 by the sign of the dividend, and remainder and modulus are the dividend. The absolute value of the
//! least number is itself, read as unsigned. All three share one division of the same operands, see
//! [`Gates::divide`].

use super::{adder, bitwise, reduction};
use crate::gates::Gates;

/// Sign of the dividend, sign of the divisor, and quotient and remainder of their absolute values.
struct Parts<B> {
    dividend_negative: B,
    divisor_negative: B,
    quotient: Vec<B>,
    remainder: Vec<B>,
}

fn parts<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Parts<G::Bit> {
    let (dividend_negative, divisor_negative) = (a[a.len() - 1], b[b.len() - 1]);
    let dividend = adder::negate_if(g, dividend_negative, a);
    let divisor = adder::negate_if(g, divisor_negative, b);
    let (quotient, remainder) = g.divide(&dividend, &divisor);
    Parts { dividend_negative, divisor_negative, quotient, remainder }
}

/// The quotient, rounded towards zero.
pub fn sdiv<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Vec<G::Bit> {
    let p = parts(g, a, b);
    let negative = g.xor(p.dividend_negative, p.divisor_negative);
    adder::negate_if(g, negative, &p.quotient)
}

/// The remainder, with the sign of the dividend.
pub fn srem<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Vec<G::Bit> {
    let p = parts(g, a, b);
    adder::negate_if(g, p.dividend_negative, &p.remainder)
}

/// The remainder, with the sign of the divisor.
pub fn smod<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Vec<G::Bit> {
    let p = parts(g, a, b);
    let signs_differ = g.xor(p.dividend_negative, p.divisor_negative);
    let not_zero = reduction::or(g, &p.remainder);
    let correct = g.and(signs_differ, not_zero);
    let remainder = adder::negate_if(g, p.dividend_negative, &p.remainder);
    let (correction, zero) = (bitwise::mask(g, b, correct), g.constant(false));
    adder::add(g, &remainder, &correction, zero)
}
