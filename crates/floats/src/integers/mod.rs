//! The second meaning: packed bits to packed bits, by integer algorithms.
//!
//! A value is taken apart into sign, significand and exponent (`Parts`); an operator computes an integer
//! that has the digits of the exact result, with everything below the digits that matter or-ed into the last
//! bit (the sticky bit); one function, `Layout::round`, makes a packed value of it. The algorithms are
//! those of the [circuits](crate::circuits), which state them as words.
//!
//! This meaning is the one to compute with: arithmetic in formats of up to 60 bits of significand allocates
//! nothing, since every intermediate result fits into a `u128`; others use big integers, through the same
//! code.

mod layout;

use crate::natural::Natural;
use crate::semantics::same_format;
use crate::value::{Bits, is_small};
use crate::{Float, Format, Outcome, Rational, RoundingMode, Semantics};
use layout::{Layout, shift_sticky};
use num_bigint::{BigInt, BigUint, Sign};

/// The meaning by integer algorithms.
#[derive(Clone, Copy, Debug)]
pub struct Integers;

/// An expression over the bits of some values of one format, as machine words or as big integers.
macro_rules! with_bits {
    ($format:expr => $layout:ident, $($bits:ident = $value:expr),+ => $body:expr) => {{
        let format = $format;
        let $layout = Layout::of(format);
        if is_small(format) {
            $(let $bits = &<u128 as Natural>::of_bits($value.bits());)+
            $body
        } else {
            $(let $bits = &<BigUint as Natural>::of_bits($value.bits());)+
            $body
        }
    }};
}

/// The same, where the expression is the bits of a value of the format.
macro_rules! packed {
    ($format:expr => $layout:ident, $($bits:ident = $value:expr),+ => $body:expr) => {{
        let format = $format;
        Float::of_bits(format, with_bits!(format => $layout, $($bits = $value),+ => $body.into_bits()))
    }};
}

/// The value of `±n * 2^k` in a format. `n` may have any length.
fn round_big(format: Format, mode: RoundingMode, negative: bool, n: &BigUint, k: i64) -> Float {
    let layout = Layout::of(format);
    // What is below the digits that matter becomes the sticky bit, so that a machine word has room for it.
    let excess = (n.length() - layout.p - 3).max(0);
    let (n, k) = (shift_sticky(n, excess), k + excess);
    let bits = match u128::try_from(&n) {
        Ok(n) if is_small(format) => layout.round(mode, negative, &n, k, false).into_bits(),
        _ => layout.round(mode, negative, &n, k, false).into_bits(),
    };
    Float::of_bits(format, bits)
}

impl Semantics for Integers {
    fn abs(x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.magnitude(a))
    }

    fn neg(x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.negated(a))
    }

    fn add(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.add(mode, a, b))
    }

    fn mul(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.mul(mode, a, b))
    }

    fn div(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.div(mode, a, b))
    }

    fn fma(mode: RoundingMode, x: &Float, y: &Float, z: &Float) -> Float {
        same_format(y, z);
        packed!(same_format(x, y) => layout, a = x, b = y, c = z => layout.fma(mode, a, b, c))
    }

    fn sqrt(mode: RoundingMode, x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.sqrt(mode, a))
    }

    fn rem(x: &Float, y: &Float) -> Float {
        packed!(same_format(x, y) => layout, a = x, b = y => layout.rem(a, b))
    }

    fn round_to_integral(mode: RoundingMode, x: &Float) -> Float {
        packed!(x.format() => layout, a = x => layout.round_to_integral(mode, a))
    }

    fn min(x: &Float, y: &Float) -> Outcome<Float> {
        extremum(x, y, Self::lt(x, y))
    }

    fn max(x: &Float, y: &Float) -> Outcome<Float> {
        extremum(x, y, Self::lt(y, x))
    }

    fn le(x: &Float, y: &Float) -> bool {
        with_bits!(same_format(x, y) => layout, a = x, b = y => layout.less(a, b, true))
    }

    fn lt(x: &Float, y: &Float) -> bool {
        with_bits!(same_format(x, y) => layout, a = x, b = y => layout.less(a, b, false))
    }

    fn eq(x: &Float, y: &Float) -> bool {
        !Self::is_nan(x) && (x == y && x.format() == y.format() || Self::is_zero(x) && Self::is_zero(y))
    }

    fn is_normal(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => {
            let magnitude = layout.magnitude(a);
            magnitude.length() > layout.f && magnitude < layout.infinity(false)
        })
    }

    fn is_subnormal(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => {
            (1..=layout.f).contains(&layout.magnitude(a).length())
        })
    }

    fn is_zero(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => layout.magnitude(a).is_zero())
    }

    fn is_infinite(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => layout.magnitude(a) == layout.infinity(false))
    }

    fn is_nan(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => layout.is_nan(a))
    }

    fn is_negative(x: &Float) -> bool {
        // The sign of NaN is 0.
        with_bits!(x.format() => layout, a = x => layout.sign(a))
    }

    fn is_positive(x: &Float) -> bool {
        with_bits!(x.format() => layout, a = x => !layout.sign(a) && !layout.is_nan(a))
    }

    fn convert(format: Format, mode: RoundingMode, x: &Float) -> Float {
        let layout = Layout::of(x.format());
        let (parts, m) = with_bits!(x.format() => layout, a = x => {
            let parts = layout.parts(a);
            let m = parts.m.to_big();
            ((parts.negative, parts.e, parts.nan, parts.infinite, parts.zero), m)
        });
        let (negative, e, nan, infinite, zero) = parts;
        if nan {
            Float::nan(format)
        } else if infinite {
            Float::infinity(format, negative)
        } else if zero {
            Float::zero(format, negative)
        } else {
            round_big(format, mode, negative, &m, layout.last(e))
        }
    }

    fn from_integer(format: Format, mode: RoundingMode, value: &BigInt) -> Float {
        round_big(format, mode, value.sign() == Sign::Minus, value.magnitude(), 0)
    }

    fn from_rational(format: Format, mode: RoundingMode, value: &Rational) -> Float {
        let (above, below) = (value.numerator().magnitude(), value.denominator());
        // As many digits as the format has and two more, at least; then one that says whether it goes on.
        let digits = i64::from(format.significand_bits()) + 3;
        let shift = (digits + below.length() - above.length()).max(0);
        let (quotient, rest) = above.shl(shift).over(below);
        let n = quotient.shl(1).sticky(!rest.is_zero());
        round_big(format, mode, value.is_negative(), &n, -shift - 1)
    }

    fn from_bits(format: Format, bits: &BigUint) -> Float {
        let layout = Layout::of(format);
        assert!(bits.length() <= layout.width, "{} bits are too many for {format}", bits.length());
        let canonical = if layout.is_nan(bits) { layout.nan() } else { bits.clone() };
        let bits = match u128::try_from(&canonical) {
            Ok(small) if is_small(format) => Bits::Small(small),
            _ => Bits::Large(canonical),
        };
        Float::of_bits(format, bits)
    }

    fn to_unsigned(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigUint> {
        assert!(width > 0, "words have bits");
        let integer = with_bits!(x.format() => layout, a = x => layout.integer(mode, a, width));
        match integer {
            Some((negative, magnitude)) if !negative || magnitude.is_zero() => Outcome::Value(magnitude),
            _ => Outcome::Unspecified,
        }
    }

    fn to_signed(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigInt> {
        assert!(width > 0, "words have bits");
        let integer = with_bits!(x.format() => layout, a = x => layout.integer(mode, a, width));
        let Some((negative, magnitude)) = integer else {
            return Outcome::Unspecified;
        };
        // Of as many bits as the word has, only the one with the sign bit alone, below zero.
        let is_least = negative && magnitude.trailing_zeros() == Some(u64::from(width) - 1);
        if magnitude.length() == i64::from(width) && !is_least {
            return Outcome::Unspecified;
        }
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Outcome::Value(BigInt::from_biguint(sign, magnitude))
    }

    fn to_real(x: &Float) -> Outcome<Rational> {
        with_bits!(x.format() => layout, a = x => {
            let parts = layout.parts(a);
            if parts.nan || parts.infinite {
                return Outcome::Unspecified;
            }
            let sign = if parts.negative { Sign::Minus } else { Sign::Plus };
            let integer = BigInt::from_biguint(sign, parts.m.to_big());
            Outcome::Value(Rational::scaled(integer, layout.last(parts.e)))
        })
    }

    fn to_ieee_bits(x: &Float) -> BigUint {
        with_bits!(x.format() => _layout, a = x => a.to_big())
    }
}

/// The first operand if `is_first`, and the second otherwise, NaN left out; unspecified of opposite zeros.
fn extremum(x: &Float, y: &Float, is_first: bool) -> Outcome<Float> {
    if Integers::is_zero(x) && Integers::is_zero(y) && x != y {
        return Outcome::Unspecified;
    }
    let takes_first = Integers::is_nan(y) || (is_first && !Integers::is_nan(x));
    Outcome::Value(if takes_first { x.clone() } else { y.clone() })
}
