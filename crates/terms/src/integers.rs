//! Bit-vectors as integers, and the Euclidean division of these.
//!
//! Integers are big integers of `num-bigint`; a bit-vector is one in two ways, and an integer is one
//! bit-vector of each width, by its remainder. Cost: linear in the digits, but for quotients.

use crate::BitVec;
use num_bigint::{BigInt, Sign};

impl BitVec {
    /// The unsigned number.
    pub fn to_int(&self) -> BigInt {
        let bytes: Vec<u8> = self.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        BigInt::from_bytes_le(Sign::Plus, &bytes)
    }

    /// The signed number, in two's complement.
    pub fn to_signed_int(&self) -> BigInt {
        if self.msb() { -self.neg().to_int() } else { self.to_int() }
    }

    /// The number modulo 2^`width`.
    ///
    /// # Panics
    ///
    /// Unless `1 <= width <= 2^24`.
    pub fn from_int(value: &BigInt, width: u32) -> BitVec {
        let count = width.div_ceil(64) as usize;
        let mut words: Vec<u64> = value.iter_u64_digits().take(count).collect();
        words.resize(count, 0);
        let magnitude = BitVec::from_words(&words, width);
        if value.sign() == Sign::Minus { magnitude.neg() } else { magnitude }
    }
}

/// Quotient and remainder with a remainder that is not negative. By zero: zero, and the dividend.
pub(crate) fn euclidean(dividend: &BigInt, divisor: &BigInt) -> (BigInt, BigInt) {
    if divisor.sign() == Sign::NoSign {
        return (BigInt::ZERO, dividend.clone());
    }
    let (quotient, remainder) = (dividend / divisor, dividend % divisor);
    match (remainder.sign(), divisor.sign()) {
        (Sign::Minus, Sign::Minus) => (quotient + 1u32, remainder - divisor),
        (Sign::Minus, _) => (quotient - 1u32, remainder + divisor),
        _ => (quotient, remainder),
    }
}
