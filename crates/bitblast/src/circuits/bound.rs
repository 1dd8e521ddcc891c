//! How many gates a circuit makes at most, without running it.
//!
//! A term of a few bytes can ask for more gates than there are atoms in a computer: the product of two
//! vectors of 2^24 bits. The bit-blaster compares this bound with the room that is left *before* it begins,
//! so that such a term is an error and neither a crash nor an endless loop. The bound is generous (a gate for
//! each call of a primitive gate, a few for a disjunction of patterns), takes constants into account where
//! they make the difference (rows of products and of divisions), and is cheap: linear in the number of bits
//! of the arguments.

use super::{divider, equality, recoding, shifter};
use crate::gates::Gates;

type Bits<'a, G> = &'a [&'a [<G as Gates>::Bit]];

/// The greatest width of the arguments.
fn widest<Bit>(args: &[&[Bit]]) -> u64 {
    args.iter().map(|bits| bits.len()).max().unwrap_or(0) as u64
}

/// Pairs of vectors; none where there are too few values for all to differ.
pub(super) fn distinct<Bit>(args: &[&[Bit]]) -> u64 {
    let count = args.len() as u64;
    if equality::has_more_vectors_than_values(args) {
        0
    } else {
        (count * count).saturating_mul(widest(args))
    }
}

/// Stages of choices.
pub(super) fn shift(width: u64) -> u64 {
    (shifter::stages(width as usize) as u64 + 2) * width
}

/// Stages of choices, after the remainder of the amount by the width.
pub(super) fn rotation(width: u64) -> u64 {
    let stages = shifter::stages(width as usize) as u64;
    let remainder = if width.is_power_of_two() { 0 } else { rows_of_division(width, stages) };
    stages * width + remainder
}

/// A product, and what finds out whether it overflows.
pub(super) fn overflow<G: Gates + ?Sized>(g: &G, args: Bits<'_, G>) -> u64 {
    product(g, args) + 16 * (widest(args) + 1)
}

/// Rows of as many bits as the divisor has.
pub(super) fn division<G: Gates + ?Sized>(g: &G, args: Bits<'_, G>) -> u64 {
    rows_of_division(widest(args), divider::significant(g, args[1]) as u64)
}

/// A quotient of magnitudes, and signs.
pub(super) fn signed_division(width: u64) -> u64 {
    rows_of_division(width, width) + 20 * width
}

/// Four gates a column; as many rows as the digits of the operand with fewer, of all but one operand.
pub(super) fn product<G: Gates + ?Sized>(g: &G, args: Bits<'_, G>) -> u64 {
    let width = args[0].len() as u64;
    let rows = |bits: &&[G::Bit]| recoding::digits(g, bits).len() as u64;
    // A product of constants is not seen to be one before it is made.
    let all: u64 = args.iter().map(rows).sum();
    let most = args.iter().map(rows).max().unwrap_or(0);
    let rows = if args.len() == 2 { all - most } else { width * (args.len() as u64 - 1) };
    // An overflow predicate has one row and one column more.
    (4 * (rows + 1)).saturating_mul(width + 1)
}

/// Five gates a column; a row has a column for each significant bit of the divisor, and one more.
fn rows_of_division(width: u64, significant: u64) -> u64 {
    width.saturating_mul(5 * (significant + 2))
}
