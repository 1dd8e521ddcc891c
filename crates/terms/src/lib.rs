//! Sorts, operators, values and hash-consed terms.

pub mod bitvec;
pub use bitvec::BitVec;
