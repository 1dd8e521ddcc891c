//! Natural numbers as the integer algorithms need them: machine words and big integers alike.

use crate::value::Bits;
use num_bigint::BigUint;

/// A natural number.
///
/// A `u128` has room for every intermediate result of a format that is [small](crate::value::is_small);
/// overflow is a fault of the algorithms, which arithmetic of debug builds finds.
pub(crate) trait Natural: Clone + Ord {
    /// A number from a small one.
    fn small(value: u64) -> Self;
    /// The number that these bits are.
    fn of_bits(bits: &Bits) -> Self;
    /// The bits of a packed value.
    fn into_bits(self) -> Bits;
    /// As a big integer.
    fn to_big(&self) -> BigUint;
    /// The lowest 63 bits.
    fn to_i64(&self) -> i64;
    /// The number of bits without leading zeros; 0 of zero.
    fn length(&self) -> i64;
    /// A bit.
    fn bit(&self, index: i64) -> bool;
    /// Times two to the power of `by`, which is not negative.
    fn shl(&self, by: i64) -> Self;
    /// Over two to the power of `by`, which is not negative, rounded down.
    fn shr(&self, by: i64) -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference; the other is not greater.
    fn minus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// Quotient and remainder; the other is not zero.
    fn over(&self, other: &Self) -> (Self, Self);
    /// The square root, rounded down.
    fn root(&self) -> Self;

    /// Whether the number is zero.
    fn is_zero(&self) -> bool {
        self.length() == 0
    }

    /// The lowest `count` bits.
    fn low(&self, count: i64) -> Self {
        self.minus(&self.shr(count).shl(count))
    }

    /// The lowest bit set if the condition holds, for a digit that stands for all that follow.
    fn sticky(self, condition: bool) -> Self {
        if condition && !self.bit(0) { self.plus(&Self::small(1)) } else { self }
    }
}

impl Natural for u128 {
    fn small(value: u64) -> u128 {
        value.into()
    }

    fn of_bits(bits: &Bits) -> u128 {
        match bits {
            Bits::Small(bits) => *bits,
            Bits::Large(_) => unreachable!("bits of a small format are small"),
        }
    }

    fn into_bits(self) -> Bits {
        Bits::Small(self)
    }

    fn to_big(&self) -> BigUint {
        BigUint::from(*self)
    }

    fn to_i64(&self) -> i64 {
        (*self & u128::from(i64::MAX.unsigned_abs())) as i64
    }

    fn length(&self) -> i64 {
        i64::from(128 - self.leading_zeros())
    }

    fn bit(&self, index: i64) -> bool {
        self.shr(index) & 1 == 1
    }

    fn shl(&self, by: i64) -> u128 {
        debug_assert!(*self == 0 || self.length() + by <= 128, "{self} << {by} has no room");
        u32::try_from(by).ok().and_then(|by| self.checked_shl(by)).unwrap_or(0)
    }

    fn shr(&self, by: i64) -> u128 {
        u32::try_from(by).ok().and_then(|by| self.checked_shr(by)).unwrap_or(0)
    }

    fn plus(&self, other: &u128) -> u128 {
        self + other
    }

    fn minus(&self, other: &u128) -> u128 {
        self - other
    }

    fn times(&self, other: &u128) -> u128 {
        self * other
    }

    fn over(&self, other: &u128) -> (u128, u128) {
        (self / other, self % other)
    }

    fn root(&self) -> u128 {
        self.isqrt()
    }
}

impl Natural for BigUint {
    fn small(value: u64) -> BigUint {
        value.into()
    }

    fn of_bits(bits: &Bits) -> BigUint {
        match bits {
            Bits::Small(bits) => BigUint::from(*bits),
            Bits::Large(bits) => bits.clone(),
        }
    }

    fn into_bits(self) -> Bits {
        Bits::Large(self)
    }

    fn to_big(&self) -> BigUint {
        self.clone()
    }

    fn to_i64(&self) -> i64 {
        self.iter_u64_digits().next().map_or(0, |digit| (digit & i64::MAX.unsigned_abs()) as i64)
    }

    fn length(&self) -> i64 {
        self.bits() as i64
    }

    fn bit(&self, index: i64) -> bool {
        BigUint::bit(self, index.unsigned_abs())
    }

    fn shl(&self, by: i64) -> BigUint {
        self << by.unsigned_abs()
    }

    fn shr(&self, by: i64) -> BigUint {
        self >> by.unsigned_abs()
    }

    fn plus(&self, other: &BigUint) -> BigUint {
        self + other
    }

    fn minus(&self, other: &BigUint) -> BigUint {
        self - other
    }

    fn times(&self, other: &BigUint) -> BigUint {
        self * other
    }

    fn over(&self, other: &BigUint) -> (BigUint, BigUint) {
        (self / other, self % other)
    }

    fn root(&self) -> BigUint {
        self.sqrt()
    }
}
