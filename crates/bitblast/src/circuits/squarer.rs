//! The square of a vector modulo 2^w.
//!
//! In `x * x` the partial products `x_i & x_j` and `x_j & x_i` stand in the same column, so together they are one bit in
//! the next: the sum over `i` of `x_i 2^(2i)` and over `i < j` of `(x_i & x_j) 2^(i+j+1)`. Half of the rows of a
//! product: row `i` begins at column `2i` with `x_i`, a zero, and then `x_i & x_j` for `j > i`. Cost: about w^2 / 4
//! columns.

use super::adder;
use crate::gates::Gates;

/// `a * a` modulo 2^w.
pub fn square<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit]) -> Vec<G::Bit> {
    let width = a.len();
    let zero = g.constant(false);
    let mut sum = vec![zero; width];
    for (i, &digit) in a.iter().enumerate().take(width.div_ceil(2)) {
        let place = 2 * i;
        let mut row = vec![digit, zero];
        row.extend(a[i + 1..].iter().take(width - place).map(|&bit| g.and(digit, bit)));
        row.truncate(width - place);
        row.resize(width - place, zero);
        let high = adder::add(g, &sum[place..], &row, zero);
        sum[place..].copy_from_slice(&high);
    }
    sum
}
