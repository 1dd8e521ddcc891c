//! Products modulo 2^w: shift and add, one row for each digit of the multiplier.
//!
//! The row of digit `i` is the multiplicand shifted by `i`, in conjunction with the digit, added to the sum of the rows
//! before; what lies beyond the width is never built. Rows make the product: a digit known to be zero has none, so
//! constant digits are recoded first (see [`recoding`]), and of the two operands that one is the
//! multiplier which needs fewer rows. The known low zeros of the multiplicand shorten every row.
//!
//! A plain array of ripple adders is what the measurements of others and ours recommend for symbolic operands: carry-save
//! trees win on commutativity and lose more on distributivity. The square has a circuit of its own
//! ([`squarer`]). Cost: about w^2 / 2 columns of a conjunction and a full adder.

use super::recoding::{self, Digit};
use super::{adder, bitwise, squarer};
use crate::gates::Gates;

/// `a * b` modulo 2^w; `b` is the multiplier where nothing speaks for the other way round.
pub fn mul<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Vec<G::Bit> {
    let is_square = a.iter().zip(b).all(|(&a, &b)| g.is_same(a, b));
    // A constant is better served by few digits.
    if is_square && a.iter().any(|&bit| g.as_constant(bit).is_none()) {
        return squarer::square(g, a);
    }
    let (of_a, of_b) = (recoding::digits(g, a), recoding::digits(g, b));
    let (multiplicand, digits) = if of_a.len() < of_b.len() { (b, of_a) } else { (a, of_b) };
    sum_of_rows(g, multiplicand, digits)
}

fn sum_of_rows<G: Gates + ?Sized>(
    g: &mut G,
    a: &[G::Bit],
    digits: Vec<(usize, Digit<G::Bit>)>,
) -> Vec<G::Bit> {
    let width = a.len();
    let zero = g.constant(false);
    let mut sum = vec![zero; width];
    let mut empty = true;
    for (place, digit) in digits {
        let multiplicand = &a[..width - place];
        let (row, carry) = match digit {
            Digit::Plus => (multiplicand.to_vec(), zero),
            Digit::Minus => (bitwise::not(g, multiplicand), g.constant(true)),
            Digit::Bit(bit) => (bitwise::mask(g, multiplicand, bit), zero),
        };
        if std::mem::take(&mut empty) && !matches!(digit, Digit::Minus) {
            sum[place..].copy_from_slice(&row);
        } else {
            let high = adder::add(g, &sum[place..], &row, carry);
            sum[place..].copy_from_slice(&high);
        }
    }
    sum
}
