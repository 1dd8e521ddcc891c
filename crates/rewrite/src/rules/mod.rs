//! The rule table: one file per family of operators, each a list of rows (how to read and write them:
//! [`crate::row`]).
//!
//! What belongs here: equations that make a term smaller, cheaper as a circuit, or the same as another one,
//! and that can be decided by looking at the top two or three levels of a term. What does not: whatever needs
//! to know who else uses a term (factoring out, distributing, normal forms of sums), what is asserted
//! elsewhere, or value ranges; those are passes of later levels.
//!
//! Laws for new rows:
//! - the right side has no more operators than the left one (negations and wiring are free), or the row says
//!   why it may grow;
//! - no two rows undo each other: constants and negations move up and out of sums, comparisons with constants
//!   move towards equality, shifts by constants become slices, slices move down to the leaves;
//! - a row of a lower number that covers a special case comes first; a row that never fires on its own left
//!   side is unreachable, and a test fails.

mod add;
mod array;
mod bitwise;
mod div;
mod eliminate;
mod equality;
mod ite;
mod known;
mod mul;
mod order;
mod overflow;
mod shift;
mod slice;

use crate::row::Row;
use bivalve_terms::Op;

/// All rows in the order in which they are tried; definitions first.
pub(crate) fn rows() -> impl Iterator<Item = Row> {
    let families = [
        bitwise::ROWS,
        add::ROWS,
        mul::ROWS,
        div::ROWS,
        shift::ROWS,
        slice::ROWS,
        equality::ROWS,
        order::ROWS,
        overflow::ROWS,
        ite::ROWS,
        array::ROWS,
    ];
    let rows = eliminate::ROWS.iter().copied();
    #[cfg(feature = "faults")]
    let rows = rows.chain(crate::planted::rows());
    rows.chain(families.into_iter().flatten().copied())
}

/// Is the operator outside of the core, so that no term in normal form has it? All are that do not stand
/// here, and have a definition.
#[inline]
pub(crate) fn is_eliminated(op: Op) -> bool {
    let leaves = matches!(op, Op::Const | Op::Symbol | Op::Apply);
    let arrays = matches!(op, Op::Select | Op::Store | Op::ConstArray);
    let logic = matches!(op, Op::Not | Op::And | Op::Eq | Op::Distinct | Op::Ite | Op::BvUlt | Op::BvSlt);
    let bits = matches!(op, Op::Concat | Op::Extract | Op::SignExtend | Op::BvNot | Op::BvAnd | Op::BvXor);
    let shifts = matches!(op, Op::BvShl | Op::BvLshr | Op::BvAshr);
    let sums = matches!(op, Op::BvNeg | Op::BvAdd | Op::BvMul | Op::BvUmulo | Op::BvSmulo);
    let quotients = matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod);
    !(leaves || arrays || logic || bits || shifts || sums || quotients)
}
