//! The square of a vector modulo 2^w.
//!
//! In `x * x` the partial products `x_i & x_j` and `x_j & x_i` stand in the same column, so together they are
//! one bit in the next: the sum over `i` of `x_i 2^(2i)` and over `i < j` of `(x_i & x_j) 2^(i+j+1)`. Half of
//! the rows of a product: row `i` begins at column `2i` with `x_i`, a zero, and then `x_i & x_j` for `j > i`.
//! Cost: about w^2 / 4 columns.

use super::rows::Row;
use crate::gates::Gates;

/// Row `i` of `a * a` modulo 2^w, for `i` up to half of the width.
pub(super) fn row<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], i: usize) -> Row<G::Bit> {
    let (place, digit, zero) = (2 * i, a[i], g.constant(false));
    let columns = a.len() - place;
    let mut bits = vec![digit, zero];
    bits.extend(a[i + 1..].iter().take(columns).map(|&bit| g.and(digit, bit)));
    bits.truncate(columns);
    bits.resize(columns, zero);
    Row { place, bits, carry: zero }
}
