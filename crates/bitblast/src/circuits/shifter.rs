//! Shifts by a term: the logarithmic barrel shifter.
//!
//! Stage `i` shifts by 2^i or not at all, as bit `i` of the amount says; one multiplexer a bit and stage, for
//! the bits with 2^i < w. The stages together shift by any amount up to 2^k - 1 >= w - 1, moving the fill bit
//! in, so amounts between w and 2^k need no comparator; a higher bit of the amount makes the whole result
//! fill bits. Cost: w (log w + 1) gates.

use super::{bitwise, reduction};
use crate::gates::Gates;
use std::ops::Range;

/// To the left, zeros move in.
pub fn shl<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    shl_columns(g, a, amount, 0..a.len())
}

/// To the right, zeros move in.
pub fn lshr<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    lshr_columns(g, a, amount, 0..a.len())
}

/// To the right, copies of the sign bit move in.
pub fn ashr<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    ashr_columns(g, a, amount, 0..a.len())
}

/// Some columns of [`shl`]; they depend on the bits of `a` in and below them.
pub fn shl_columns<G: Gates + ?Sized>(
    g: &mut G,
    a: &[G::Bit],
    amount: &[G::Bit],
    columns: Range<usize>,
) -> Vec<G::Bit> {
    // A shift to the right of the reversed vector.
    let reversed: Vec<G::Bit> = a.iter().rev().copied().collect();
    let mut shifted = lshr_columns(g, &reversed, amount, a.len() - columns.end..a.len() - columns.start);
    shifted.reverse();
    shifted
}

/// Some columns of [`lshr`]; they depend on the bits of `a` in and above them.
pub fn lshr_columns<G: Gates + ?Sized>(
    g: &mut G,
    a: &[G::Bit],
    amount: &[G::Bit],
    columns: Range<usize>,
) -> Vec<G::Bit> {
    let zero = g.constant(false);
    shift_right(g, a, amount, zero, columns)
}

/// Some columns of [`ashr`]; they depend on the bits of `a` in and above them.
pub fn ashr_columns<G: Gates + ?Sized>(
    g: &mut G,
    a: &[G::Bit],
    amount: &[G::Bit],
    columns: Range<usize>,
) -> Vec<G::Bit> {
    shift_right(g, a, amount, a[a.len() - 1], columns)
}

fn shift_right<G: Gates + ?Sized>(
    g: &mut G,
    a: &[G::Bit],
    amount: &[G::Bit],
    fill: G::Bit,
    columns: Range<usize>,
) -> Vec<G::Bit> {
    let width = a.len();
    let stages = stages(width);
    let mut now = a.to_vec();
    for (i, &shift) in amount[..stages].iter().enumerate() {
        let step = 1 << i;
        for to in 0..width {
            // What is read at `to + step` has not changed yet.
            if is_read(to, i + 1, &columns) {
                let from = now.get(to + step).copied().unwrap_or(fill);
                now[to] = g.ite(shift, from, now[to]);
            }
        }
    }
    let too_far = reduction::or(g, &amount[stages..]);
    let gone = vec![fill; columns.len()];
    bitwise::ite(g, too_far, &gone, &now[columns])
}

/// Whether a column is read after so many stages, so that some columns of the result are right: the rest
/// moves by multiples of what the next stage moves by.
fn is_read(column: usize, stages_done: usize, columns: &Range<usize>) -> bool {
    column.checked_sub(columns.start).is_some_and(|above| above % (1 << stages_done) < columns.len())
}

/// How many bits of the amount select a stage: those with 2^i < width.
pub(crate) fn stages(width: usize) -> usize {
    width.next_power_of_two().trailing_zeros() as usize
}
