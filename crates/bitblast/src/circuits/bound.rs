//! How many gates a circuit makes at most, without running it.
//!
//! A term of a few bytes can ask for more gates than there are atoms in a computer: the product of two
//! vectors of 2^24 bits. The bit-blaster compares this bound with the room that is left *before* it begins,
//! so that such a term is an error and neither a crash nor an endless loop. The bound is generous (a gate for
//! each call of a primitive gate, a few for a disjunction of patterns), takes constants into account where
//! they make the difference (rows of products and of divisions), and is cheap: linear in the number of bits
//! of the arguments.

use super::{Shape, divider, equality, recoding, shifter};
use crate::gates::Gates;
use bivalve_terms::Op;

/// An upper bound on the gates that [`apply`](super::apply) makes for the same arguments.
pub fn gates<G: Gates + ?Sized>(g: &G, op: Op, shape: Shape, args: &[&[G::Bit]]) -> u64 {
    let width = args.iter().map(|bits| bits.len()).max().unwrap_or(0) as u64;
    let count = args.len() as u64;
    match op {
        Op::Const | Op::Symbol | Op::Apply | Op::Select | Op::Store | Op::ConstArray => 0,
        Op::Not | Op::BvNot | Op::Concat | Op::Extract | Op::Repeat | Op::ZeroExtend | Op::SignExtend => 0,
        Op::RotateLeft | Op::RotateRight | Op::BvUdivo => 0,
        Op::Implies | Op::And | Op::Or | Op::Xor => count,
        Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvXnor | Op::BvNand | Op::BvNor => count * width,
        Op::RedAnd | Op::RedOr | Op::RedXor | Op::BvNego | Op::Ite => width,
        Op::Eq | Op::BvComp => 2 * count * width,
        Op::Distinct if equality::has_more_vectors_than_values(args) => 0,
        Op::Distinct => (count * count).saturating_mul(width),
        Op::BvNeg | Op::BvAdd | Op::BvSub => 3 * count * width,
        Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge => width,
        Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => width,
        Op::BvUaddo | Op::BvSaddo | Op::BvUsubo | Op::BvSsubo | Op::BvSdivo => 2 * width + 2,
        Op::BvMul => product(g, args),
        Op::BvUmulo | Op::BvSmulo => product(g, args) + 16 * (width + 1),
        Op::BvUdiv | Op::BvUrem => division(width, divider::significant(g, args[1]) as u64),
        Op::BvSdiv | Op::BvSrem | Op::BvSmod => division(width, width) + 20 * width,
        Op::BvShl | Op::BvLshr | Op::BvAshr => (shifter::stages(shape.width) as u64 + 2) * width,
        Op::ExtRotateLeft | Op::ExtRotateRight => {
            let stages = shifter::stages(shape.width) as u64;
            let remainder = if width.is_power_of_two() { 0 } else { division(width, stages) };
            stages * width + remainder
        }
    }
}

/// Four gates a column; as many rows as the digits of the operand with fewer, of all but one operand.
fn product<G: Gates + ?Sized>(g: &G, args: &[&[G::Bit]]) -> u64 {
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
fn division(width: u64, significant: u64) -> u64 {
    width.saturating_mul(5 * (significant + 2))
}
