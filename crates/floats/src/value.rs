//! Values of a format, packed: sign, exponent field and fraction in one word.
//!
//! SMT-LIB has one NaN in a format, whatever the bits it was made of. A [`Float`] is canonical: NaN has the
//! sign 0, all ones in the exponent, and of the fraction the top bit alone. So equality of values, which is
//! `=` of SMT-LIB, is equality of representations, and `Eq` and `Hash` are derived. Note that `=` tells the
//! zeros apart and holds of NaN and itself; the comparison of IEEE 754 is
//! [`eq`](crate::Semantics::eq) of the meanings.
//!
//! The bits of formats with a significand of at most 60 bits are a `u128`, in which every intermediate result
//! of the integer algorithms fits as well; others are big integers. Which of them depends on the format
//! alone.

use crate::{Format, Rational};
use num_bigint::{BigInt, BigUint, Sign};

/// The bits of a value, in the form that its format has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Bits {
    /// Of a format whose significand has at most [`SMALL_SIGNIFICAND`] bits.
    Small(u128),
    /// Of any other format.
    Large(BigUint),
}

/// Twice such a significand and the eight bits that addition needs beside it are at most 128 bits.
const SMALL_SIGNIFICAND: u32 = 60;

/// Whether the values of a format are small.
pub(crate) fn is_small(format: Format) -> bool {
    format.significand_bits() <= SMALL_SIGNIFICAND
}

/// A value of a format. Comparison with `==` is `=` of SMT-LIB; the order is that of representations, which
/// is total, and not that of numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Float {
    format: Format,
    bits: Bits,
}

/// The five classes of values; each value is in exactly one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Not a number.
    Nan,
    /// Plus or minus infinity.
    Infinite,
    /// Plus or minus zero.
    Zero,
    /// Not zero, and too small for a leading one.
    Subnormal,
    /// Finite, with a leading one.
    Normal,
}

/// What a value denotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// An infinity; `true` is the negative one.
    Infinite(bool),
    /// A zero; `true` is the negative one.
    Zero(bool),
    /// A rational that is not zero.
    Finite(Rational),
}

fn ones(count: u32) -> BigUint {
    (BigUint::from(1u32) << count) - 1u32
}

impl Float {
    /// The value with these bits; every pattern of a NaN gives the one NaN. `None` if there are more bits
    /// than the format has. This is `to_fp` of SMT-LIB with one argument.
    pub fn from_bits(format: Format, bits: &BigUint) -> Option<Float> {
        if bits.bits() > u64::from(format.width()) {
            return None;
        }
        let fraction = bits & ones(format.fraction_bits());
        let exponent = (bits >> format.fraction_bits()) & ones(format.exponent_bits());
        let is_nan = exponent == BigUint::from(format.special_exponent()) && fraction.bits() > 0;
        Some(if is_nan { Float::nan(format) } else { Float::canonical(format, bits.clone()) })
    }

    /// As [`Self::from_bits`], of a machine word.
    pub fn from_u128(format: Format, bits: u128) -> Option<Float> {
        Float::from_bits(format, &bits.into())
    }

    /// The value with these fields, which is `fp` of SMT-LIB. `None` if a field has more bits than its part
    /// of the format.
    pub fn from_fields(
        format: Format,
        negative: bool,
        exponent: &BigUint,
        fraction: &BigUint,
    ) -> Option<Float> {
        let fits = exponent.bits() <= u64::from(format.exponent_bits())
            && fraction.bits() <= u64::from(format.fraction_bits());
        let sign = BigUint::from(u32::from(negative)) << (format.width() - 1);
        let bits = sign | (exponent << format.fraction_bits()) | fraction;
        if fits { Float::from_bits(format, &bits) } else { None }
    }

    fn canonical(format: Format, bits: BigUint) -> Float {
        match u128::try_from(&bits) {
            Ok(small) if is_small(format) => Float { format, bits: Bits::Small(small) },
            _ => Float { format, bits: Bits::Large(bits) },
        }
    }

    /// A value of bits that are canonical already, in the form of the format.
    pub(crate) fn of_bits(format: Format, bits: Bits) -> Float {
        debug_assert_eq!(matches!(bits, Bits::Small(_)), is_small(format));
        Float { format, bits }
    }

    pub(crate) fn bits(&self) -> &Bits {
        &self.bits
    }

    fn signed(format: Format, negative: bool, magnitude: BigUint) -> Float {
        Float::canonical(format, magnitude | BigUint::from(u32::from(negative)) << (format.width() - 1))
    }

    /// The NaN of a format.
    pub fn nan(format: Format) -> Float {
        // All ones in the exponent, and the bit below them.
        Float::canonical(format, ones(format.exponent_bits() + 1) << (format.fraction_bits() - 1))
    }

    /// Infinity, plus or minus.
    pub fn infinity(format: Format, negative: bool) -> Float {
        Float::signed(format, negative, ones(format.exponent_bits()) << format.fraction_bits())
    }

    /// Zero, plus or minus.
    pub fn zero(format: Format, negative: bool) -> Float {
        Float::signed(format, negative, BigUint::ZERO)
    }

    /// The finite value that is furthest from zero, plus or minus.
    pub fn largest(format: Format, negative: bool) -> Float {
        Float::signed(format, negative, (ones(format.exponent_bits()) << format.fraction_bits()) - 1u32)
    }

    /// The value that is not zero and nearest to it, plus or minus.
    pub fn smallest(format: Format, negative: bool) -> Float {
        Float::signed(format, negative, BigUint::from(1u32))
    }

    /// The normal value that is nearest to zero, plus or minus.
    pub fn smallest_normal(format: Format, negative: bool) -> Float {
        Float::signed(format, negative, BigUint::from(1u32) << format.fraction_bits())
    }

    /// One, plus or minus.
    pub fn one(format: Format, negative: bool) -> Float {
        Float::signed(format, negative, BigUint::from(format.bias() as u64) << format.fraction_bits())
    }

    /// The format of the value.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The bits of the value: sign, exponent field, fraction. NaN has its canonical pattern.
    pub fn to_bits(&self) -> BigUint {
        match &self.bits {
            Bits::Small(bits) => BigUint::from(*bits),
            Bits::Large(bits) => bits.clone(),
        }
    }

    /// The bits of the value, if it has at most 128.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.bits {
            Bits::Small(bits) => Some(*bits),
            Bits::Large(bits) => u128::try_from(bits).ok(),
        }
    }

    fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(bits) => bits >> index & 1 == 1,
            Bits::Large(bits) => bits.bit(u64::from(index)),
        }
    }

    /// The sign bit. That of NaN is 0.
    pub fn sign(&self) -> bool {
        self.bit(self.format.width() - 1)
    }

    /// The exponent field, with the bias.
    pub fn exponent_field(&self) -> u32 {
        let mask = self.format.special_exponent();
        match &self.bits {
            Bits::Small(bits) => (bits >> self.format.fraction_bits()) as u32 & mask,
            Bits::Large(bits) => {
                let above = bits >> self.format.fraction_bits();
                above.iter_u32_digits().next().unwrap_or(0) & mask
            }
        }
    }

    /// The fraction: the significand without its hidden bit.
    pub fn fraction(&self) -> BigUint {
        self.to_bits() & ones(self.format.fraction_bits())
    }

    /// The class of the value.
    pub fn class(&self) -> Class {
        let fraction_bits = self.format.fraction_bits();
        let is_whole = match &self.bits {
            Bits::Small(bits) => bits.trailing_zeros() >= fraction_bits,
            Bits::Large(bits) => bits.trailing_zeros().is_none_or(|zeros| zeros >= fraction_bits.into()),
        };
        match self.exponent_field() {
            0 if is_whole => Class::Zero,
            0 => Class::Subnormal,
            field if field < self.format.special_exponent() => Class::Normal,
            _ if is_whole => Class::Infinite,
            _ => Class::Nan,
        }
    }

    /// Whether the value is NaN.
    pub fn is_nan(&self) -> bool {
        self.class() == Class::Nan
    }

    /// The significand as an integer and the exponent of its last bit: the magnitude of a finite value is the
    /// one times two to the power of the other.
    pub fn significand(&self) -> (BigUint, i64) {
        let field = self.exponent_field();
        let hidden = BigUint::from(u32::from(field > 0)) << self.format.fraction_bits();
        let exponent = i64::from(field.max(1)) - self.format.bias() - i64::from(self.format.fraction_bits());
        (hidden | self.fraction(), exponent)
    }

    /// What the value denotes.
    pub fn number(&self) -> Number {
        match self.class() {
            Class::Nan => Number::Nan,
            Class::Infinite => Number::Infinite(self.sign()),
            Class::Zero => Number::Zero(self.sign()),
            Class::Subnormal | Class::Normal => {
                let (significand, exponent) = self.significand();
                let magnitude = BigInt::from(significand);
                Number::Finite(Rational::scaled(if self.sign() { -magnitude } else { magnitude }, exponent))
            }
        }
    }
}

/// The order of values.
impl Float {
    /// The place of the value among those of its format: 0 of both zeros, 1 of the smallest above them, and
    /// so on to infinity; below them the same with a minus sign. `None` of NaN. Differences of places are
    /// distances in units in the last place.
    pub fn place(&self) -> Option<BigInt> {
        let magnitude = BigInt::from(self.to_bits() & ones(self.format.width() - 1));
        if self.is_nan() { None } else { Some(if self.sign() { -magnitude } else { magnitude }) }
    }

    /// The value at a place, +0 of 0. `None` beyond the infinities.
    pub fn at_place(format: Format, place: &BigInt) -> Option<Float> {
        let is_inside = *place.magnitude() <= Float::infinity(format, false).to_bits();
        is_inside.then(|| Float::signed(format, place.sign() == Sign::Minus, place.magnitude().clone()))
    }

    /// The least value above this one; -0 and +0 have the same. Itself if it is +oo or NaN.
    pub fn next_up(&self) -> Float {
        self.neighbour(1)
    }

    /// The greatest value below this one; -0 and +0 have the same. Itself if it is -oo or NaN.
    pub fn next_down(&self) -> Float {
        self.neighbour(-1)
    }

    fn neighbour(&self, by: i32) -> Float {
        let place = self.place().map(|place| place + by);
        let Some(next) = place.and_then(|place| Float::at_place(self.format, &place)) else {
            return self.clone();
        };
        // From below, zero is the negative one.
        if next.class() == Class::Zero { Float::zero(self.format, by > 0) } else { next }
    }
}

impl From<f32> for Float {
    fn from(value: f32) -> Float {
        Float::of_word(Format::FLOAT32, value.to_bits().into())
    }
}

impl From<f64> for Float {
    fn from(value: f64) -> Float {
        Float::of_word(Format::FLOAT64, value.to_bits())
    }
}

impl Float {
    fn of_word(format: Format, bits: u64) -> Float {
        match Float::from_bits(format, &bits.into()) {
            Some(float) => float,
            None => unreachable!("the word has the width of the format"),
        }
    }

    /// The host's number, if the format is `Float64`.
    pub fn to_f64(&self) -> Option<f64> {
        let bits = self.to_u128().filter(|_| self.format == Format::FLOAT64)?;
        Some(f64::from_bits(bits as u64))
    }

    /// The host's number, if the format is `Float32`.
    pub fn to_f32(&self) -> Option<f32> {
        let bits = self.to_u128().filter(|_| self.format == Format::FLOAT32)?;
        Some(f32::from_bits(bits as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_nan() {
        for format in [Format::new(2, 2).unwrap(), Format::FLOAT16] {
            let nans = (0..1u128 << format.width())
                .map(|bits| Float::from_u128(format, bits).unwrap())
                .filter(Float::is_nan);
            assert!(nans.clone().all(|nan| nan == Float::nan(format) && !nan.sign()));
            assert_eq!(nans.count(), (2 << format.fraction_bits()) - 2);
        }
        assert_eq!(Float::from(f64::NAN), Float::from(-f64::NAN));
    }

    #[test]
    fn values_have_places() {
        let format = Format::new(3, 3).unwrap();
        let mut value = Float::infinity(format, true);
        let mut place = value.place().unwrap();
        while value != Float::infinity(format, false) {
            let next = value.next_up();
            place += 1;
            assert_eq!(next.place(), Some(place.clone()));
            let back = next.next_down();
            assert_eq!(back.place(), value.place());
            assert!(next.class() == Class::Zero || Float::at_place(format, &place) == Some(next.clone()));
            value = next;
        }
        assert_eq!(value.next_up(), value);
        assert_eq!(Float::from(1.0).next_up().to_f64(), Some(1.0f64.next_up()));
        assert_eq!(
            Float::from(-f64::from_bits(1)).next_up().to_f64().map(f64::to_bits),
            Some((-0.0f64).to_bits())
        );
        assert_eq!(Float::from(-0.0).next_up(), Float::smallest(Format::FLOAT64, false));
        assert_eq!(Float::from(0.0).next_down(), Float::smallest(Format::FLOAT64, true));
        assert_eq!(Float::nan(format).place(), None);
        assert_eq!(Float::at_place(format, &BigInt::from(29)), None);
    }

    #[test]
    fn named_values() {
        let single = Format::FLOAT32;
        assert_eq!(Float::one(single, true).to_f32(), Some(-1.0));
        assert_eq!(Float::largest(single, false).to_f32(), Some(f32::MAX));
        assert_eq!(Float::smallest_normal(single, false).to_f32(), Some(f32::MIN_POSITIVE));
        assert_eq!(Float::smallest(single, false).class(), Class::Subnormal);
        assert_eq!(Float::infinity(single, true).to_f32(), Some(f32::NEG_INFINITY));
        assert_eq!(Float::from(0.75).number(), Number::Finite(Rational::new(3, 4u32).unwrap()));
        assert_eq!(Float::from(-0.0).number(), Number::Zero(true));
        let wide = Format::FLOAT128;
        assert_eq!(Float::one(wide, false).number(), Number::Finite(Rational::from_integer(1)));
        assert_eq!(Float::from_u128(Format::FLOAT16, 1 << 16), None);
    }
}
