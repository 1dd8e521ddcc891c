//! Products modulo 2^w: rows, and their sum.
//!
//! The row of a digit is the multiplicand shifted by its place, times the digit; what lies beyond the width
//! is never built. Rows make the product: a digit known to be zero has none, so constant digits are recoded
//! first (see [`recoding`]), and of the two operands that one is the multiplier which needs fewer rows. The
//! known low zeros of the multiplicand shorten every row. The square has rows of its own ([`squarer`]).
//!
//! How many bits of the multiplier are one digit, and how rows are added up, is a choice ([`Multiplier`]). A
//! plain array of ripple adders is what the measurements of others and ours recommend for symbolic operands:
//! carry-save columns win on commutativity and lose more on distributivity. Cost: about w^2 / 2 columns of a
//! conjunction and a full adder.
//!
//! [`Multiplier`]: super::variants::Multiplier

use super::recoding::{self, Digit};
use super::{adder, bitwise, squarer};
use crate::gates::Gates;

/// One summand of a product: `(bits << place) + (carry << place)`; as many bits as there are places above.
pub(super) struct Row<B> {
    pub(super) place: usize,
    pub(super) bits: Vec<B>,
    pub(super) carry: B,
}

/// `a * b` modulo 2^w; `b` is the multiplier where nothing speaks for the other way round.
pub fn mul<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], b: &[G::Bit]) -> Vec<G::Bit> {
    let is_square = a.iter().zip(b).all(|(&a, &b)| g.is_same(a, b));
    // A constant is better served by few digits.
    if is_square && a.iter().any(|&bit| g.as_constant(bit).is_none()) {
        return sum(g, a.len(), 0..a.len().div_ceil(2), |g, i| squarer::row(g, a, i));
    }
    let (of_a, of_b) = (recoding::digits(g, a), recoding::digits(g, b));
    let (multiplicand, multiplier, digits) =
        if of_a.len() < of_b.len() { (b, a, of_a) } else { (a, b, of_b) };
    let digits = if g.variants().multiplier.is_booth() && digits.len() > recoding::pairs(multiplier.len()) {
        recoding::booth(g, multiplier)
    } else {
        digits
    };
    sum(g, a.len(), digits.into_iter(), |g, (place, digit)| row(g, multiplicand, place, digit))
}

fn row<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], place: usize, digit: Digit<G::Bit>) -> Row<G::Bit> {
    let zero = g.constant(false);
    let multiplicand = &a[..a.len() - place];
    let (bits, carry) = match digit {
        Digit::Plus => (multiplicand.to_vec(), zero),
        Digit::Minus => (bitwise::not(g, multiplicand), g.constant(true)),
        Digit::Bit(bit) => (bitwise::mask(g, multiplicand, bit), zero),
        Digit::Booth { one, two, minus } => {
            let mut below = zero;
            let times = |&bit: &G::Bit| {
                let (once, twice) = (g.and(one, bit), g.and(two, below));
                below = bit;
                let times = g.or(once, twice);
                g.xor(times, minus)
            };
            (multiplicand.iter().map(times).collect(), minus)
        }
    };
    Row { place, bits, carry }
}

/// The sum of rows modulo 2^w; each is made when it is its turn.
fn sum<G: Gates + ?Sized, I>(
    g: &mut G,
    width: usize,
    rows: impl Iterator<Item = I>,
    mut make: impl FnMut(&mut G, I) -> Row<G::Bit>,
) -> Vec<G::Bit> {
    if g.variants().multiplier.is_by_columns() {
        let rows: Vec<Row<G::Bit>> = rows.map(|row| make(g, row)).collect();
        return sum_of_columns(g, width, &rows);
    }
    let mut sum = vec![g.constant(false); width];
    let mut is_empty = true;
    for row in rows {
        let Row { place, bits, carry } = make(g, row);
        if std::mem::take(&mut is_empty) && g.as_constant(carry) == Some(false) {
            sum[place..].copy_from_slice(&bits);
        } else {
            let high = adder::add(g, &sum[place..], &bits, carry);
            sum[place..].copy_from_slice(&high);
        }
    }
    sum
}

/// Column by column, from the lowest on: the oldest three bits of a column are replaced by their sum, as its
/// youngest, and a carry in the next column, until one bit is left. What was made last is used last, so the
/// adders form trees (Wallace 1964).
fn sum_of_columns<G: Gates + ?Sized>(g: &mut G, width: usize, rows: &[Row<G::Bit>]) -> Vec<G::Bit> {
    let zero = g.constant(false);
    let mut carries: Vec<G::Bit> = vec![];
    let mut sum = Vec::with_capacity(width);
    for place in 0..width {
        let mut column = std::mem::take(&mut carries);
        for row in rows.iter().filter(|row| row.place <= place) {
            column.push(row.bits[place - row.place]);
            column.extend((row.place == place).then_some(row.carry));
        }
        column.retain(|&bit| g.as_constant(bit) != Some(false));
        let mut next = 0;
        while column.len() - next > 1 {
            let third = column.get(next + 2).copied().unwrap_or(zero);
            let (a, b) = (column[next], column[next + 1]);
            next = (next + 3).min(column.len());
            column.push(g.sum(a, b, third));
            if place + 1 < width {
                carries.push(g.maj(a, b, third));
            }
        }
        sum.push(column.get(next).copied().unwrap_or(zero));
    }
    sum
}
