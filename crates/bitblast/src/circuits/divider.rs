//! Unsigned quotient and remainder, from one circuit: restoring long division.
//!
//! From the most significant bit of the dividend on, each row shifts one more bit into the rest, tries to
//! subtract the divisor, and keeps the difference if there was no borrow; "no borrow" is the quotient bit.
//! Division by zero needs no case: nothing is ever borrowed, so the quotient is all ones and the rest is the
//! dividend, as SMT-LIB defines it.
//!
//! Rows are only as wide as they must be. After `j` rows the rest is made of `j` bits of the dividend, so
//! only `j` columns subtract, and a quotient bit is set only if the higher bits of the divisor are zero: a
//! triangle instead of a square, half of the gates of the usual circuit. Likewise, if the high bits of the
//! divisor are known to be zero and `k` bits are left, the rest stays below 2^k and no row has more than `k +
//! 1` columns. The one exception is the divisor zero, where the rest outgrows `k` bits; its high bits are
//! then those of the dividend, under the condition that the divisor is zero. High bits of the dividend that
//! are known to be zero cost nothing.
//!
//! Cost: per column an exclusive or, a sum bit, a majority and a multiplexer; at most w^2 / 2 columns.

use super::{bitwise, reduction};
use crate::gates::Gates;

/// Quotient and remainder of unsigned vectors of one width; all ones and the dividend when the divisor is
/// zero.
pub fn divide<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> (Vec<G::Bit>, Vec<G::Bit>) {
    let width = a.len();
    let zero = g.constant(false);
    let divisor = &b[..significant(g, b)];
    let is_zero_from = zero_suffixes(g, divisor);
    let not_divisor = bitwise::not(g, divisor);

    let mut quotient = vec![zero; width];
    let mut rest: Vec<G::Bit> = Vec::with_capacity(divisor.len() + 1);
    for row in (0..width).rev() {
        let nothing_yet = rest.is_empty() && g.as_constant(a[row]) == Some(false);
        if !nothing_yet {
            rest.insert(0, a[row]);
        }
        let (fits, difference) = subtract(g, &rest, &not_divisor);
        let columns = rest.len().min(divisor.len());
        quotient[row] = g.and(fits, is_zero_from[columns]);
        rest.truncate(columns);
        for (rest, difference) in rest.iter_mut().zip(difference) {
            *rest = g.ite(quotient[row], difference, *rest);
        }
    }
    let mut remainder = rest;
    for &bit in &a[remainder.len()..] {
        remainder.push(g.and(bit, is_zero_from[0]));
    }
    (quotient, remainder)
}

/// `rest - divisor` in the columns both have, and whether the divisor's low part fits into the rest. The rest
/// may have one column more than the divisor.
fn subtract<G: Gates + ?Sized>(g: &mut G, rest: &[G::Bit], not_divisor: &[G::Bit]) -> (G::Bit, Vec<G::Bit>) {
    let mut no_borrow = g.constant(true);
    let mut difference = Vec::with_capacity(not_divisor.len());
    for (&r, &d) in rest.iter().zip(not_divisor) {
        difference.push(g.sum(r, d, no_borrow));
        no_borrow = g.maj(r, d, no_borrow);
    }
    if rest.len() > not_divisor.len() {
        no_borrow = g.or(rest[not_divisor.len()], no_borrow);
    }
    (no_borrow, difference)
}

/// For each position, and the one behind the last: are all bits from there on zero?
fn zero_suffixes<G: Gates + ?Sized>(g: &mut G, bits: &[G::Bit]) -> Vec<G::Bit> {
    let mut suffixes = vec![reduction::and(g, &[]); bits.len() + 1];
    for i in (0..bits.len()).rev() {
        let clear = g.not(bits[i]);
        suffixes[i] = g.and(clear, suffixes[i + 1]);
    }
    suffixes
}

/// The number of bits below the leading ones known to be zero.
pub(super) fn significant<G: Gates + ?Sized>(g: &G, bits: &[G::Bit]) -> usize {
    let leading = bits.iter().rev().take_while(|&&bit| g.as_constant(bit) == Some(false)).count();
    bits.len() - leading
}
