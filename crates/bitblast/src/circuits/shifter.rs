//! Shifts by a term: the logarithmic barrel shifter.
//!
//! Stage `i` shifts by 2^i or not at all, as bit `i` of the amount says; one multiplexer a bit and stage, for
//! the bits with 2^i < w. The stages together shift by any amount up to 2^k - 1 >= w - 1, moving the fill bit
//! in, so amounts between w and 2^k need no comparator; a higher bit of the amount makes the whole result
//! fill bits. Cost: w (log w + 1) gates.

use super::{bitwise, reduction};
use crate::gates::Gates;

/// To the left, zeros move in.
pub fn shl<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    // A shift to the right of the reversed vector.
    let reversed: Vec<G::Bit> = a.iter().rev().copied().collect();
    let mut shifted = lshr(g, &reversed, amount);
    shifted.reverse();
    shifted
}

/// To the right, zeros move in.
pub fn lshr<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    let zero = g.constant(false);
    shift_right(g, a, amount, zero)
}

/// To the right, copies of the sign bit move in.
pub fn ashr<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    shift_right(g, a, amount, a[a.len() - 1])
}

fn shift_right<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit], fill: G::Bit) -> Vec<G::Bit> {
    let width = a.len();
    let stages = stages(width);
    let mut now = a.to_vec();
    for (i, &shift) in amount[..stages].iter().enumerate() {
        let step = 1 << i;
        now = (0..width)
            .map(|to| {
                let from = now.get(to + step).copied().unwrap_or(fill);
                g.ite(shift, from, now[to])
            })
            .collect();
    }
    let too_far = reduction::or(g, &amount[stages..]);
    let gone = vec![fill; width];
    bitwise::ite(g, too_far, &gone, &now)
}

/// How many bits of the amount select a stage: those with 2^i < width.
pub(crate) fn stages(width: usize) -> usize {
    width.next_power_of_two().trailing_zeros() as usize
}
