//! Decimal and hexadecimal constants: read exactly, and rounded once.
//!
//! A number of SMT-LIB is an exact rational. What people write may have an exponent, which may be enormous;
//! then the number is replaced by one that is rounded in the same way, before powers of ten are computed.

use super::read::TextError;
use crate::{Float, Format, Integers, Rational, RoundingMode, Semantics};
use num_bigint::{BigInt, BigUint};
use std::str::FromStr;

/// Larger exponents are all the same: no format reaches so far.
const MAX_EXPONENT: i64 = 1 << 40;

/// A number as it is written: `digits * base^exponent`.
struct Written {
    negative: bool,
    digits: BigUint,
    base: u32,
    exponent: i64,
}

/// Digits of a radix with at most one point between them: their number, and how many stand after the point.
fn read_digits(text: &str, radix: u32, at: usize) -> Result<(BigUint, usize), TextError> {
    let wrong = |text: &str| TextError::new(at, "digits", text);
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let has_digits = |part: &str| part.bytes().all(|byte| char::from(byte).is_digit(radix));
    let is_number = !whole.is_empty()
        && has_digits(whole)
        && has_digits(rest)
        && (!rest.is_empty() || !text.contains('.'));
    let all = format!("{whole}{rest}");
    let value = BigUint::parse_bytes(all.as_bytes(), radix).filter(|_| is_number);
    Ok((value.ok_or_else(|| wrong(text))?, rest.len()))
}

/// An exponent with its sign. One that is too large for any format is a large one.
fn read_exponent(text: &str, at: usize) -> Result<i64, TextError> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(TextError::new(at, "an exponent", text));
    }
    let magnitude = digits.parse().unwrap_or(MAX_EXPONENT).min(MAX_EXPONENT);
    Ok(if negative { -magnitude } else { magnitude })
}

impl Written {
    fn read(text: &str) -> Result<Written, TextError> {
        let (negative, rest) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let hexadecimal = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"));
        let (body, radix, marks) = match hexadecimal {
            Some(body) => (body, 16, ['p', 'P']),
            None => (rest, 10, ['e', 'E']),
        };
        let at = text.len() - body.len();
        let (digits, exponent) = match body.find(marks) {
            Some(mark) => (&body[..mark], read_exponent(&body[mark + 1..], at + mark + 1)?),
            None => (body, 0),
        };
        let (digits, places) = read_digits(digits, radix, at)?;
        let (base, places) = if radix == 16 { (2, 4 * places as i64) } else { (10, places as i64) };
        Ok(Written { negative, digits, base, exponent: exponent - places })
    }

    /// A number that every mode rounds to a format as it does the one that is written.
    fn value(&self, format: Format) -> Rational {
        let length = self.digits.bits() as i64;
        // The logarithm of the base is between these two.
        let (low, high) = if self.base == 10 { (3, 4) } else { (1, 1) };
        let (low, high) = if self.exponent < 0 { (high, low) } else { (low, high) };
        let smallest = format.min_exponent() - i64::from(format.fraction_bits());
        let magnitude = if length == 0 {
            Rational::from_integer(0)
        } else if length - 1 + low * self.exponent > format.max_exponent() + 1 {
            Rational::scaled(1, format.max_exponent() + 2)
        } else if length + high * self.exponent < smallest - 2 {
            Rational::scaled(1, smallest - 3)
        } else {
            self.exact()
        };
        if self.negative { -&magnitude } else { magnitude }
    }

    /// The magnitude that is written.
    fn exact(&self) -> Rational {
        let size = u32::try_from(self.exponent.unsigned_abs()).unwrap_or(u32::MAX);
        let power = Rational::from_integer(BigInt::from(BigUint::from(self.base).pow(size)));
        let digits = Rational::from_integer(BigInt::from(self.digits.clone()));
        if self.exponent < 0 { &digits / &power } else { &digits * &power }
    }
}

impl Float {
    /// Reads what people write: a decimal number (`0.1`, `-1.5e-45`), a hexadecimal one (`0x1.8p+3`), `NaN`,
    /// `+oo` or `-oo`. A number is rounded once; that of a zero with a sign is the zero with the sign.
    ///
    /// # Errors
    ///
    /// The text is none of these.
    pub fn from_number(format: Format, mode: RoundingMode, text: &str) -> Result<Float, TextError> {
        match text {
            "NaN" => return Ok(Float::nan(format)),
            "+oo" => return Ok(Float::infinity(format, false)),
            "-oo" => return Ok(Float::infinity(format, true)),
            _ => {}
        }
        let written = Written::read(text)?;
        let value = written.value(format);
        Ok(if value.is_zero() {
            Float::zero(format, written.negative)
        } else {
            Integers::from_rational(format, mode, &value)
        })
    }
}

/// Reads an exact constant: `12`, `-0.1`, `1/3`, `-0.5/3`. Decimal exponents are not among them, as in
/// SMT-LIB.
impl FromStr for Rational {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Rational, TextError> {
        let (negative, body) = match text.strip_prefix('-') {
            Some(body) => (true, body),
            None => (false, text),
        };
        let at = text.len() - body.len();
        let (above, below) = body.split_once('/').unwrap_or((body, "1"));
        let ten = |places: usize| BigUint::from(10u32).pow(u32::try_from(places).unwrap_or(u32::MAX));
        let (numerator, places) = read_digits(above, 10, at)?;
        let (denominator, places_below) = read_digits(below, 10, at + above.len() + 1)?;
        let magnitude = BigInt::from(numerator * ten(places_below));
        let signed = if negative { -magnitude } else { magnitude };
        let rational = Rational::new(signed, denominator * ten(places));
        rational.ok_or_else(|| TextError::new(at + above.len() + 1, "a number that is not zero", below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_once() {
        let even = RoundingMode::NearestEven;
        let read = |text: &str| Float::from_number(Format::FLOAT64, even, text).unwrap();
        for text in
            ["0.1", "1e22", "1e23", "-2.5e-310", "123456789.987654321", "4.9e-324", "2.4e-324", "0.3e1"]
        {
            assert_eq!(read(text), Float::from(text.parse::<f64>().unwrap()), "{text}");
        }
        assert_eq!(read("-0.0"), Float::zero(Format::FLOAT64, true));
        assert_eq!(read("0x1.8p+3"), Float::from(12.0));
        assert_eq!(read("0xFF"), Float::from(255.0));
        // A number that is rounded twice, through double precision, is one too many.
        let text = "1.00000005960464477540";
        let up = Float::from_number(Format::FLOAT32, even, text).unwrap();
        assert_eq!(up, Float::from(1.000_000_1_f32));
        assert_eq!(text.parse::<f64>().unwrap() as f32, 1.0);
    }

    #[test]
    fn enormous_exponents_cost_nothing() {
        let read = |mode, text: &str| Float::from_number(Format::FLOAT32, mode, text).unwrap();
        let (up, zero) = (RoundingMode::TowardPositive, RoundingMode::TowardZero);
        assert_eq!(read(up, "1e99999999999999999999"), Float::infinity(Format::FLOAT32, false));
        assert_eq!(read(zero, "1e999999999"), Float::largest(Format::FLOAT32, false));
        assert_eq!(read(up, "1e-999999999"), Float::smallest(Format::FLOAT32, false));
        assert_eq!(read(up, "-0x1p-99999999"), Float::zero(Format::FLOAT32, true));
        assert_eq!(read(up, "0e999999999"), Float::zero(Format::FLOAT32, false));
    }

    #[test]
    fn constants_are_exact() {
        let read = |text: &str| text.parse::<Rational>().unwrap();
        assert_eq!(read("-0.1"), Rational::new(-1, 10u32).unwrap());
        assert_eq!(read("1/3"), Rational::new(1, 3u32).unwrap());
        assert_eq!(read("0.5/0.25"), Rational::from_integer(2));
        let said = |text: &str| text.parse::<Rational>().unwrap_err().to_string();
        assert_eq!(said("1/0"), "at character 3: expected a number that is not zero, found '0'");
        assert_eq!(said("1."), "at character 1: expected digits, found '1.'");
        assert_eq!(said("-"), "at character 2: expected digits, found the end");
        let said = |text: &str| {
            Float::from_number(Format::FLOAT16, RoundingMode::NearestEven, text).unwrap_err().to_string()
        };
        assert_eq!(said("1e"), "at character 3: expected an exponent, found the end");
        assert_eq!(said("0x"), "at character 3: expected digits, found the end");
        assert_eq!(said("nan"), "at character 1: expected digits, found 'nan'");
    }
}
