//! Products modulo 2^w: rows, and their sum.
//!
//! The row of a digit is the multiplicand shifted by its place, times the digit; what lies beyond the width
//! is never built. Rows make the product: a digit known to be zero has none, so constant digits are recoded
//! first (see [`recoding`]), and of the two operands that one is the multiplier which needs fewer rows. The
//! known low zeros of the multiplicand shorten every row. The square has rows of its own ([`squarer`]).
//! Cost: about w^2 / 2 columns of a conjunction and a full adder.

use super::recoding::{self, Digit};
use super::rows::{Row, sum};
use super::{bitwise, squarer};
use crate::gates::Gates;

/// `a * b` modulo 2^w; `b` is the multiplier where nothing speaks for the other way round.
pub fn mul<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Vec<G::Bit> {
    let is_square = a.iter().zip(b).all(|(&a, &b)| g.is_same(a, b));
    // A constant is better served by few digits.
    if is_square && a.iter().any(|&bit| g.as_constant(bit).is_none()) {
        return sum(g, a.len(), 0..a.len().div_ceil(2), |g, i| squarer::row(g, a, i));
    }
    let (of_a, of_b) = (recoding::digits(g, a), recoding::digits(g, b));
    let (multiplicand, digits) = if of_a.len() < of_b.len() { (b, of_a) } else { (a, of_b) };
    sum(g, a.len(), digits.into_iter(), |g, (place, digit)| row(g, multiplicand, place, digit))
}

fn row<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], place: usize, digit: Digit<G::Bit>) -> Row<G::Bit> {
    let zero = g.constant(false);
    let multiplicand = &a[..a.len() - place];
    let (bits, carry) = match digit {
        Digit::Plus => (multiplicand.to_vec(), zero),
        Digit::Minus => (bitwise::not(g, multiplicand), g.constant(true)),
        Digit::Bit(bit) => (bitwise::mask(g, multiplicand, bit), zero),
        Digit::MinusBit(bit) => {
            let complement = bitwise::not(g, multiplicand);
            (bitwise::mask(g, &complement, bit), bit)
        }
    };
    Row { place, bits, carry }
}
