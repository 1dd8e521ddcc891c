//! Rotations by a term.
//!
//! The amount counts modulo the width, so it is first reduced: for a width that is a power of two by dropping
//! high bits, else by the remainder circuit with the width as constant divisor, whose rows are only as wide
//! as the width has bits (see [`divider`](super::divider)). What is left selects stages that rotate by 2^i or
//! not at all. Cost: about 4 w log w gates, half of that without the remainder.

use super::shifter;
use crate::gates::Gates;

/// To the left, by the unsigned amount modulo the width.
pub fn rotate_left<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    let reversed: Vec<G::Bit> = a.iter().rev().copied().collect();
    let mut rotated = rotate_right(g, &reversed, amount);
    rotated.reverse();
    rotated
}

/// To the right, by the unsigned amount modulo the width.
pub fn rotate_right<G: Gates + ?Sized>(g: &mut G, a: &[G::Bit], amount: &[G::Bit]) -> Vec<G::Bit> {
    let width = a.len();
    let amount = modulo_width(g, amount);
    let mut now = a.to_vec();
    for (i, &rotate) in amount.iter().enumerate() {
        let step = 1 << i;
        now = (0..width).map(|to| g.ite(rotate, now[(to + step) % width], now[to])).collect();
    }
    now
}

/// The amount modulo its own width, in as many bits as select a stage.
fn modulo_width<G: Gates + ?Sized>(g: &mut G, amount: &[G::Bit]) -> Vec<G::Bit> {
    let width = amount.len();
    let stages = shifter::stages(width);
    if width.is_power_of_two() {
        return amount[..stages].to_vec();
    }
    // A width that is no power of two is at least 3 and fits into so many bits.
    let divisor: Vec<G::Bit> = (0..width).map(|i| g.constant(i < stages && width >> i & 1 == 1)).collect();
    let (_, mut rest) = g.divide(amount, &divisor);
    rest.truncate(stages);
    rest
}
