//! The six divisions of SMT-LIB.
//!
//! *Unsigned.* `udiv` and `urem` are the quotient and remainder of numbers, made total by `x udiv 0 = 2^w -
//! 1` and `x urem 0 = x`, which keeps `x = (x udiv y) * y + (x urem y)` true for every `y`. Up to 64 and up
//! to 128 bits the machine divides; above, the library does.
//!
//! *Signed.* SMT-LIB defines the signed divisions by the unsigned ones on magnitudes (the magnitude of the
//! least signed number, 2^(w-1), fits the unsigned range); for wide values the code is that definition, so
//! that the cases of a zero divisor and of `min / -1 = min` follow instead of being decided again. Up to 64
//! bits the machine's signed division truncates likewise, and only the zero divisor is apart. `sdiv`
//! truncates toward zero, the sign of `srem` follows the dividend, and the sign of `smod` follows the
//! divisor: it is the remainder of floored division, hence `srem` where that is zero or has the divisor's
//! sign, and one divisor more otherwise.

use super::{BitVec, Pair, bignum, sign_extended};

/// The width up to which the machine's 128-bit division serves.
const NATIVE_WIDTH: u32 = u128::BITS;

impl BitVec {
    /// Quotient and remainder, `(bvudiv, bvurem)`: `(ones, self)` when `other` is zero.
    ///
    /// # Panics
    /// As every binary method of this type: unless both operands have the same width.
    #[must_use]
    #[track_caller]
    pub fn udiv_rem(&self, other: &BitVec) -> (BitVec, BitVec) {
        let width = self.width;
        match self.pair(other) {
            _ if other.is_zero() => (BitVec::ones(width), self.clone()),
            Pair::Small(a, b) => (BitVec::small(a / b, width), BitVec::small(a % b, width)),
            Pair::Wide(_, _) if self.ult(other) => (BitVec::zero(width), self.clone()),
            Pair::Wide(a, b) if width <= NATIVE_WIDTH => {
                let (a, b) = (to_u128(a), to_u128(b));
                (from_u128(a / b, width), from_u128(a % b, width))
            }
            Pair::Wide(a, b) => {
                let (a, b) = (bignum::from_words(a), bignum::from_words(b));
                let quotient = &a / &b;
                let remainder = a - &quotient * b;
                (bignum::to_bit_vec(&quotient, width), bignum::to_bit_vec(&remainder, width))
            }
        }
    }

    /// `bvudiv`: the unsigned quotient; all ones when `other` is zero.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn udiv(&self, other: &BitVec) -> BitVec {
        match self.pair(other) {
            Pair::Small(a, b) => BitVec::small(a.checked_div(b).unwrap_or(u64::MAX), self.width),
            Pair::Wide(_, _) => self.udiv_rem(other).0,
        }
    }

    /// `bvurem`: the unsigned remainder; `self` when `other` is zero.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn urem(&self, other: &BitVec) -> BitVec {
        match self.pair(other) {
            Pair::Small(a, b) => BitVec::small(a.checked_rem(b).unwrap_or(a), self.width),
            Pair::Wide(_, _) => self.udiv_rem(other).1,
        }
    }

    /// `bvsdiv`: the signed quotient, truncated toward zero. By zero: 1 for a negative number, else -1.
    #[must_use]
    #[track_caller]
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        match self.signed_pair(other) {
            Some((a, 0)) => BitVec::small(if a < 0 { 1 } else { u64::MAX }, self.width),
            Some((a, b)) => BitVec::small(a.wrapping_div(b) as u64, self.width),
            None => self.magnitude().udiv(&other.magnitude()).negated_if(self.msb() != other.msb()),
        }
    }

    /// `bvsrem`: the signed remainder with the sign of `self`; `self` when `other` is zero.
    #[must_use]
    #[track_caller]
    pub fn srem(&self, other: &BitVec) -> BitVec {
        match self.signed_pair(other) {
            Some((_, 0)) => self.clone(),
            Some((a, b)) => BitVec::small(a.wrapping_rem(b) as u64, self.width),
            None => self.magnitude().urem(&other.magnitude()).negated_if(self.msb()),
        }
    }

    /// `bvsmod`: the signed remainder with the sign of `other`; `self` when `other` is zero.
    #[must_use]
    #[track_caller]
    pub fn smod(&self, other: &BitVec) -> BitVec {
        match (self.srem(other), other.msb()) {
            (remainder, sign) if remainder.is_zero() || remainder.msb() == sign => remainder,
            // A zero divisor may come here too, and adds nothing.
            (remainder, _) => remainder.add(other),
        }
    }

    /// Both operands as machine integers, if they have at most 64 bits.
    #[inline]
    #[track_caller]
    fn signed_pair(&self, other: &BitVec) -> Option<(i64, i64)> {
        match self.pair(other) {
            Pair::Small(a, b) => Some((sign_extended(a, self.width), sign_extended(b, self.width))),
            Pair::Wide(_, _) => None,
        }
    }

    /// The absolute value as an unsigned number; 2^(width-1) for the least signed number.
    pub(super) fn magnitude(&self) -> BitVec {
        self.clone().negated_if(self.msb())
    }

    /// `-self` if `condition`, else `self`.
    fn negated_if(self, condition: bool) -> BitVec {
        if condition { self.neg() } else { self }
    }
}

/// The number with these (at most two) words.
fn to_u128(words: &[u64]) -> u128 {
    words.iter().rev().fold(0, |number, &word| number << 64 | u128::from(word))
}

/// `number` modulo 2^width.
fn from_u128(number: u128, width: u32) -> BitVec {
    BitVec::from_words(&[number as u64, (number >> 64) as u64], width)
}
