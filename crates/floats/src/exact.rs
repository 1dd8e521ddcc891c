//! The first meaning: exact rational numbers and one function that rounds them.
//!
//! Every operator is a table of special cases, an exact result, and [`round`], which is written after the
//! definition: the representable numbers near `q` are the multiples of a unit that depends on the magnitude
//! of `q` alone; the mode says which of the two neighbours it is. Nothing here knows of guard bits, alignment
//! or normalisation; nothing of it is shared with [`Integers`](crate::Integers) but the unpacking of values.
//!
//! It is slow, and rationals grow with two to the power of the exponent's bits. It judges; it does not serve.

use crate::semantics::same_format;
use crate::{Float, Format, Number, Outcome, Rational, RoundingMode, Semantics};
use num_bigint::{BigInt, BigUint};

/// The meaning by exact rationals.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

/// The magnitude of `q` as an integer that the mode chooses, above or below.
fn round_magnitude(mode: RoundingMode, q: &Rational) -> BigUint {
    let (above, below) = (q.numerator().magnitude(), q.denominator());
    let floor = above / below;
    let rest = above - &floor * below;
    let against_half = (&rest + &rest).cmp(below);
    let is_up = match mode {
        RoundingMode::NearestEven => against_half.is_gt() || (against_half.is_eq() && floor.bit(0)),
        RoundingMode::NearestAway => against_half.is_ge(),
        RoundingMode::TowardPositive => rest != BigUint::ZERO && !q.is_negative(),
        RoundingMode::TowardNegative => rest != BigUint::ZERO && q.is_negative(),
        RoundingMode::TowardZero => false,
    };
    floor + u32::from(is_up)
}

/// An integer with a sign.
fn with_sign(negative: bool, magnitude: BigUint) -> BigInt {
    let value = BigInt::from(magnitude);
    if negative { -value } else { value }
}

/// The value of a format that the mode chooses for a number. Zero gives the zero of the sign `zero`.
fn round(format: Format, mode: RoundingMode, q: &Rational, zero: bool) -> Float {
    let Some(log2) = q.log2() else {
        return Float::zero(format, zero);
    };
    let negative = q.is_negative();
    let fraction_bits = i64::from(format.fraction_bits());
    let mut exponent = log2.max(format.min_exponent());
    let unit = Rational::scaled(1, exponent - fraction_bits);
    let mut units = round_magnitude(mode, &(q / &unit));
    let hidden = BigUint::from(1u32) << format.fraction_bits();
    if units == &hidden + &hidden {
        units = hidden.clone();
        exponent += 1;
    }
    if exponent > format.max_exponent() {
        let is_away = match mode {
            RoundingMode::NearestEven | RoundingMode::NearestAway => true,
            RoundingMode::TowardPositive => !negative,
            RoundingMode::TowardNegative => negative,
            RoundingMode::TowardZero => false,
        };
        return if is_away { Float::infinity(format, negative) } else { Float::largest(format, negative) };
    }
    let field = if units < hidden { 0 } else { exponent + format.bias() };
    let fraction = units % hidden;
    match Float::from_fields(format, negative, &BigUint::from(field.unsigned_abs()), &fraction) {
        Some(float) => float,
        None => unreachable!("the fields are those of the format"),
    }
}

/// The sign of a sum that is exactly zero, of operands that do not agree on one.
fn sign_of_cancellation(mode: RoundingMode) -> bool {
    mode == RoundingMode::TowardNegative
}

/// A finite value as a rational; `None` of infinities and NaN.
fn finite(number: &Number) -> Option<Rational> {
    match number {
        Number::Zero(_) => Some(Rational::from_integer(0)),
        Number::Finite(q) => Some(q.clone()),
        Number::Nan | Number::Infinite(_) => None,
    }
}

/// The integer that a finite value is rounded to.
fn rounded(mode: RoundingMode, x: &Float) -> Option<BigInt> {
    let q = finite(&x.number())?;
    Some(with_sign(q.is_negative(), round_magnitude(mode, &q)))
}

/// The order of two values that are not NaN.
fn compare(x: &Float, y: &Float) -> Option<std::cmp::Ordering> {
    let place = |number: &Number| match number {
        Number::Infinite(negative) => {
            if *negative {
                -1
            } else {
                1
            }
        }
        _ => 0,
    };
    let (x, y) = (x.number(), y.number());
    if x == Number::Nan || y == Number::Nan {
        return None;
    }
    match (finite(&x), finite(&y)) {
        (Some(p), Some(q)) => Some(p.cmp(&q)),
        _ => Some(place(&x).cmp(&place(&y))),
    }
}

/// The value that `is_first` holds of against the other, NaN left out; unspecified of opposite zeros.
fn choose(x: &Float, y: &Float, is_first: fn(std::cmp::Ordering) -> bool) -> Outcome<Float> {
    match (x.number(), y.number()) {
        (Number::Nan, _) => Outcome::Value(y.clone()),
        (_, Number::Nan) => Outcome::Value(x.clone()),
        (Number::Zero(first), Number::Zero(second)) if first != second => Outcome::Unspecified,
        _ => match compare(x, y) {
            Some(order) if is_first(order) => Outcome::Value(x.clone()),
            _ => Outcome::Value(y.clone()),
        },
    }
}

impl Semantics for Exact {
    fn abs(x: &Float) -> Float {
        if Self::is_negative(x) { Self::neg(x) } else { x.clone() }
    }

    fn neg(x: &Float) -> Float {
        let format = x.format();
        match x.number() {
            Number::Nan => Float::nan(format),
            Number::Infinite(negative) => Float::infinity(format, !negative),
            Number::Zero(negative) => Float::zero(format, !negative),
            Number::Finite(q) => round(format, RoundingMode::TowardZero, &-&q, false),
        }
    }

    fn add(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        let format = same_format(x, y);
        match (x.number(), y.number()) {
            (Number::Nan, _) | (_, Number::Nan) => Float::nan(format),
            (Number::Infinite(p), Number::Infinite(q)) if p != q => Float::nan(format),
            (Number::Infinite(p), _) | (_, Number::Infinite(p)) => Float::infinity(format, p),
            (Number::Zero(p), Number::Zero(q)) if p == q => Float::zero(format, p),
            (p, q) => match (finite(&p), finite(&q)) {
                (Some(p), Some(q)) => round(format, mode, &(&p + &q), sign_of_cancellation(mode)),
                _ => Float::nan(format),
            },
        }
    }

    fn mul(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        let format = same_format(x, y);
        let negative = x.sign() != y.sign();
        match (x.number(), y.number()) {
            (Number::Nan, _) | (_, Number::Nan) => Float::nan(format),
            (Number::Infinite(_), Number::Zero(_)) | (Number::Zero(_), Number::Infinite(_)) => {
                Float::nan(format)
            }
            (Number::Infinite(_), _) | (_, Number::Infinite(_)) => Float::infinity(format, negative),
            (Number::Zero(_), _) | (_, Number::Zero(_)) => Float::zero(format, negative),
            (Number::Finite(p), Number::Finite(q)) => round(format, mode, &(&p * &q), false),
        }
    }

    fn div(mode: RoundingMode, x: &Float, y: &Float) -> Float {
        let format = same_format(x, y);
        let negative = x.sign() != y.sign();
        match (x.number(), y.number()) {
            (Number::Nan, _) | (_, Number::Nan) => Float::nan(format),
            (Number::Infinite(_), Number::Infinite(_)) | (Number::Zero(_), Number::Zero(_)) => {
                Float::nan(format)
            }
            (Number::Infinite(_), _) | (_, Number::Zero(_)) => Float::infinity(format, negative),
            (Number::Zero(_), _) | (_, Number::Infinite(_)) => Float::zero(format, negative),
            (Number::Finite(p), Number::Finite(q)) => round(format, mode, &(&p / &q), false),
        }
    }

    fn fma(mode: RoundingMode, x: &Float, y: &Float, z: &Float) -> Float {
        let format = same_format(x, y);
        same_format(y, z);
        let negative = x.sign() != y.sign();
        let (x, y, z) = (x.number(), y.number(), z.number());
        if [&x, &y, &z].contains(&&Number::Nan) {
            return Float::nan(format);
        }
        match (finite(&x), finite(&y), &z) {
            (Some(p), Some(q), Number::Zero(sign)) => {
                let is_zero = p.is_zero() || q.is_zero();
                let kept = is_zero && *sign == negative;
                let zero = if kept { negative } else { sign_of_cancellation(mode) };
                round(format, mode, &(&p * &q), zero)
            }
            (Some(p), Some(q), Number::Finite(r)) => {
                round(format, mode, &(&(&p * &q) + r), sign_of_cancellation(mode))
            }
            (Some(_), Some(_), Number::Infinite(sign)) => Float::infinity(format, *sign),
            // One factor is infinite.
            _ if matches!(x, Number::Zero(_)) || matches!(y, Number::Zero(_)) => Float::nan(format),
            _ if z == Number::Infinite(!negative) => Float::nan(format),
            _ => Float::infinity(format, negative),
        }
    }

    fn sqrt(mode: RoundingMode, x: &Float) -> Float {
        let format = x.format();
        match x.number() {
            Number::Nan | Number::Infinite(true) => Float::nan(format),
            Number::Infinite(false) => Float::infinity(format, false),
            Number::Zero(negative) => Float::zero(format, negative),
            Number::Finite(q) if q.is_negative() => Float::nan(format),
            Number::Finite(q) => round(format, mode, &root_for_rounding(format, &q), false),
        }
    }

    fn rem(x: &Float, y: &Float) -> Float {
        let format = same_format(x, y);
        match (x.number(), y.number()) {
            (Number::Nan | Number::Infinite(_), _) | (_, Number::Nan | Number::Zero(_)) => Float::nan(format),
            (Number::Zero(_), _) | (_, Number::Infinite(_)) => x.clone(),
            (Number::Finite(p), Number::Finite(q)) => {
                let quotient = &p / &q;
                let nearest = round_magnitude(RoundingMode::NearestEven, &quotient);
                let nearest = Rational::from_integer(with_sign(quotient.is_negative(), nearest));
                // Exact, so that the mode does not matter.
                round(format, RoundingMode::TowardZero, &(&p - &(&q * &nearest)), p.is_negative())
            }
        }
    }

    fn round_to_integral(mode: RoundingMode, x: &Float) -> Float {
        match x.number() {
            Number::Finite(q) => {
                let integer = with_sign(q.is_negative(), round_magnitude(mode, &q));
                round(x.format(), mode, &Rational::from_integer(integer), q.is_negative())
            }
            _ => x.clone(),
        }
    }

    fn min(x: &Float, y: &Float) -> Outcome<Float> {
        choose(x, y, std::cmp::Ordering::is_le)
    }

    fn max(x: &Float, y: &Float) -> Outcome<Float> {
        choose(x, y, std::cmp::Ordering::is_ge)
    }

    fn le(x: &Float, y: &Float) -> bool {
        compare(x, y).is_some_and(std::cmp::Ordering::is_le)
    }

    fn lt(x: &Float, y: &Float) -> bool {
        compare(x, y).is_some_and(std::cmp::Ordering::is_lt)
    }

    fn eq(x: &Float, y: &Float) -> bool {
        compare(x, y).is_some_and(std::cmp::Ordering::is_eq)
    }

    fn is_normal(x: &Float) -> bool {
        let least = Rational::scaled(1, x.format().min_exponent());
        matches!(x.number(), Number::Finite(q) if q.magnitude() >= least)
    }

    fn is_subnormal(x: &Float) -> bool {
        let least = Rational::scaled(1, x.format().min_exponent());
        matches!(x.number(), Number::Finite(q) if q.magnitude() < least)
    }

    fn is_zero(x: &Float) -> bool {
        matches!(x.number(), Number::Zero(_))
    }

    fn is_infinite(x: &Float) -> bool {
        matches!(x.number(), Number::Infinite(_))
    }

    fn is_nan(x: &Float) -> bool {
        x.number() == Number::Nan
    }

    fn is_negative(x: &Float) -> bool {
        match x.number() {
            Number::Nan => false,
            Number::Infinite(negative) | Number::Zero(negative) => negative,
            Number::Finite(q) => q.is_negative(),
        }
    }

    fn is_positive(x: &Float) -> bool {
        !Self::is_nan(x) && !Self::is_negative(x)
    }

    fn convert(format: Format, mode: RoundingMode, x: &Float) -> Float {
        match x.number() {
            Number::Nan => Float::nan(format),
            Number::Infinite(negative) => Float::infinity(format, negative),
            Number::Zero(negative) => Float::zero(format, negative),
            Number::Finite(q) => round(format, mode, &q, false),
        }
    }

    fn from_integer(format: Format, mode: RoundingMode, value: &BigInt) -> Float {
        round(format, mode, &Rational::from_integer(value.clone()), false)
    }

    fn from_rational(format: Format, mode: RoundingMode, value: &Rational) -> Float {
        round(format, mode, value, false)
    }

    fn from_bits(format: Format, bits: &BigUint) -> Float {
        match Float::from_bits(format, bits) {
            Some(float) => float,
            None => panic!("{} bits are too many for {format}", bits.bits()),
        }
    }

    fn to_unsigned(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigUint> {
        assert!(width > 0, "words have bits");
        let bound = BigUint::from(1u32) << width;
        let natural = rounded(mode, x).and_then(|integer| BigUint::try_from(integer).ok());
        natural.filter(|natural| *natural < bound).into()
    }

    fn to_signed(mode: RoundingMode, x: &Float, width: u32) -> Outcome<BigInt> {
        assert!(width > 0, "words have bits");
        let bound = BigInt::from(1) << (width - 1);
        rounded(mode, x).filter(|integer| -&bound <= *integer && *integer < bound).into()
    }

    fn to_real(x: &Float) -> Outcome<Rational> {
        finite(&x.number()).into()
    }

    fn to_ieee_bits(x: &Float) -> BigUint {
        x.to_bits()
    }
}

/// A number that rounds as the square root of a positive `q` does, in every mode.
///
/// It is the root itself if that has few enough bits, and otherwise the middle of the open interval between
/// two multiples of a grid in which the root lies. The grid is fine enough to hold every value near the root
/// and every middle of two of them, so no decision of [`round`] lies within the interval.
fn root_for_rounding(format: Format, q: &Rational) -> Rational {
    let magnitude = q.log2().unwrap_or(0) / 2;
    // Steps of the grid are 2^-places, at most 2^-3 of the unit of the root.
    let places = (i64::from(format.significand_bits()) - magnitude + 4).max(4);
    let scaled = q * &Rational::scaled(1, 2 * places);
    let floor = (scaled.numerator().magnitude() / scaled.denominator()).sqrt();
    let is_exact = &floor * &floor * scaled.denominator() == *scaled.numerator().magnitude();
    let twice = (floor << 1u32) + u32::from(!is_exact);
    Rational::scaled(twice, -places - 1)
}
