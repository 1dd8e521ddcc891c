//! Comparisons: unsigned, signed, equality as an operation, and the total order of values.
//!
//! Unsigned numbers compare word by word from the top, because the unused bits are zero. Signed numbers with
//! the same sign compare as unsigned ones (two's complement keeps the order within each half); otherwise the
//! negative one is less.

use super::{BitVec, Pair, sign_extended};
use std::cmp::Ordering;

/// By width, then by unsigned value.
impl Ord for BitVec {
    #[inline]
    fn cmp(&self, other: &BitVec) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.words().iter().rev().cmp(other.words().iter().rev()))
    }
}

impl PartialOrd for BitVec {
    #[inline]
    fn partial_cmp(&self, other: &BitVec) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl BitVec {
    /// `bvcomp`: are the operands equal?
    ///
    /// # Panics
    /// As every binary method of this type: unless both operands have the same width.
    #[inline]
    #[track_caller]
    pub fn comp(&self, other: &BitVec) -> bool {
        match self.pair(other) {
            Pair::Small(a, b) => a == b,
            Pair::Wide(a, b) => a == b,
        }
    }

    /// `bvult`: less, unsigned.
    #[inline]
    #[track_caller]
    pub fn ult(&self, other: &BitVec) -> bool {
        match self.pair(other) {
            Pair::Small(a, b) => a < b,
            Pair::Wide(a, b) => a.iter().rev().lt(b.iter().rev()),
        }
    }

    /// `bvule`: less or equal, unsigned.
    #[inline]
    #[track_caller]
    pub fn ule(&self, other: &BitVec) -> bool {
        !other.ult(self)
    }

    /// `bvugt`: greater, unsigned.
    #[inline]
    #[track_caller]
    pub fn ugt(&self, other: &BitVec) -> bool {
        other.ult(self)
    }

    /// `bvuge`: greater or equal, unsigned.
    #[inline]
    #[track_caller]
    pub fn uge(&self, other: &BitVec) -> bool {
        !self.ult(other)
    }

    /// `bvslt`: less, signed.
    #[inline]
    #[track_caller]
    pub fn slt(&self, other: &BitVec) -> bool {
        match self.pair(other) {
            Pair::Small(a, b) => sign_extended(a, self.width) < sign_extended(b, self.width),
            Pair::Wide(_, _) if self.msb() != other.msb() => self.msb(),
            Pair::Wide(_, _) => self.ult(other),
        }
    }

    /// `bvsle`: less or equal, signed.
    #[inline]
    #[track_caller]
    pub fn sle(&self, other: &BitVec) -> bool {
        !other.slt(self)
    }

    /// `bvsgt`: greater, signed.
    #[inline]
    #[track_caller]
    pub fn sgt(&self, other: &BitVec) -> bool {
        other.slt(self)
    }

    /// `bvsge`: greater or equal, signed.
    #[inline]
    #[track_caller]
    pub fn sge(&self, other: &BitVec) -> bool {
        !self.slt(other)
    }
}
