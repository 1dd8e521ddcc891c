//! Text of values: what SMT-LIB writes, and what people read.
//!
//! `read`: literals of SMT-LIB, with the place of what is wrong. `numbers`: decimal and hexadecimal
//! constants, rounded once from the exact rational. This file: printing.
//!
//! A value is printed as SMT-LIB has it by `Display`; [`Float::to_hexadecimal`] and
//! [`Float::to_exact_decimal`] are exact, and [`Float::to_decimal`] is the shortest decimal number that is
//! rounded to the value.

mod numbers;
mod read;

pub use read::TextError;

use crate::{Float, Integers, Number, Rational, RoundingMode, Semantics};
use num_bigint::BigUint;
use std::fmt;

/// Digits behind as many zeros as are missing. The widths of `format!` end at 65,535, those of formats do
/// not.
fn padded(digits: &str, width: usize) -> String {
    "0".repeat(width.saturating_sub(digits.len())) + digits
}

/// The bits of a number as `#b...` of a width.
fn binary(bits: &BigUint, width: u32) -> String {
    format!("#b{}", padded(&bits.to_str_radix(2), width as usize))
}

/// As SMT-LIB writes the value: `(fp #b0 #b10 #b1)`, `(_ +zero 2 2)`, `(_ -oo 2 2)` or `(_ NaN 2 2)`.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (eb, sb) = (self.format().exponent_bits(), self.format().significand_bits());
        let sign = if self.sign() { '-' } else { '+' };
        match self.number() {
            Number::Nan => write!(f, "(_ NaN {eb} {sb})"),
            Number::Infinite(_) => write!(f, "(_ {sign}oo {eb} {sb})"),
            Number::Zero(_) => write!(f, "(_ {sign}zero {eb} {sb})"),
            Number::Finite(_) => f.write_str(&self.to_fields()),
        }
    }
}

/// Places a decimal point so many digits before the end, and removes zeros after it.
fn with_point(digits: &str, places: usize) -> String {
    let padded = padded(digits, places + 1);
    let (whole, rest) = padded.split_at(padded.len() - places);
    let rest = rest.trim_end_matches('0');
    format!("{whole}.{}", if rest.is_empty() { "0" } else { rest })
}

/// The values that are no numbers, and zeros, as people read them.
fn special(number: &Number) -> Option<&'static str> {
    match number {
        Number::Nan => Some("NaN"),
        Number::Infinite(false) => Some("+oo"),
        Number::Infinite(true) => Some("-oo"),
        Number::Zero(false) => Some("0.0"),
        Number::Zero(true) => Some("-0.0"),
        Number::Finite(_) => None,
    }
}

/// Ten to a power.
fn power_of_ten(exponent: i64) -> Rational {
    let Ok(size) = u32::try_from(exponent.unsigned_abs()) else {
        unreachable!("powers of ten are bounded by the format");
    };
    let power = BigUint::from(10u32).pow(size);
    let ten = Rational::from_integer(power);
    if exponent < 0 { &Rational::from_integer(1) / &ten } else { ten }
}

/// The greatest integer whose power of ten is not above a positive number.
fn log10(q: &Rational) -> i64 {
    // 1233 / 4096 is a little below the logarithm of 2.
    let mut exponent = q.log2().unwrap_or(0) * 1233 / 4096 - 1;
    let mut power = power_of_ten(exponent);
    let ten = Rational::from_integer(10);
    while power > *q {
        power = &power / &ten;
        exponent -= 1;
    }
    loop {
        power = &power * &ten;
        if power > *q {
            return exponent;
        }
        exponent += 1;
    }
}

/// The two numbers of so many digits around a positive one, the nearer first: integers, and the power of ten
/// that their last digit stands for.
fn to_digits(q: &Rational, log10: i64, digits: i64) -> ([BigUint; 2], i64) {
    let last = log10 + 1 - digits;
    let scaled = q * &power_of_ten(-last);
    let floor = scaled.numerator().magnitude() / scaled.denominator();
    let middle = &Rational::from_integer(floor.clone()) + &Rational::scaled(1, -1);
    let next = &floor + 1u32;
    (if scaled < middle { [floor, next] } else { [next, floor] }, last)
}

impl Float {
    /// The value by its fields, whatever it is: `(fp #b0 #b11111 #b0000000000)` for an infinity.
    pub fn to_fields(&self) -> String {
        let format = self.format();
        let exponent = binary(&self.exponent_field().into(), format.exponent_bits());
        let fraction = binary(&self.fraction(), format.fraction_bits());
        format!("(fp #b{} {exponent} {fraction})", u8::from(self.sign()))
    }

    /// The exact value as C prints it: `0x1.8p+3`, `-0x0.4p-14`; `NaN`, `+oo` and `-oo` for what is no
    /// number.
    pub fn to_hexadecimal(&self) -> String {
        let sign = if self.sign() { "-" } else { "" };
        match self.number() {
            Number::Zero(_) => format!("{sign}0x0.0p+0"),
            Number::Finite(_) => {
                let format = self.format();
                let field = self.exponent_field();
                let exponent = i64::from(field.max(1)) - format.bias();
                let pad = (4 - format.fraction_bits() % 4) % 4;
                let digits = (self.fraction() << pad).to_str_radix(16);
                let width = format.fraction_bits().div_ceil(4) as usize;
                let digits = padded(&digits, width);
                let digits = digits.trim_end_matches('0');
                let digits = if digits.is_empty() { "0" } else { digits };
                format!("{sign}0x{}.{digits}p{exponent:+}", u8::from(field > 0))
            }
            other => special(&other).unwrap_or_default().to_owned(),
        }
    }

    /// The exact value as a decimal number, however long; `NaN`, `+oo` and `-oo` for what is no number.
    pub fn to_exact_decimal(&self) -> String {
        match self.number() {
            Number::Finite(q) => {
                // Over 2^n, so n decimal places hold it.
                let places = q.denominator().bits() as usize - 1;
                let Ok(power) = u32::try_from(places) else {
                    unreachable!("denominators are bounded by the format");
                };
                let digits = q.numerator().magnitude() * BigUint::from(5u32).pow(power);
                let sign = if self.sign() { "-" } else { "" };
                format!("{sign}{}", with_point(&digits.to_string(), places))
            }
            other => special(&other).unwrap_or_default().to_owned(),
        }
    }

    /// The shortest decimal number that is rounded to the value, to nearest even: `0.1`, `-1.5e-45`; `NaN`,
    /// `+oo` and `-oo` for what is no number. Of formats wider than 15 bits of exponent or 256 of
    /// significand, the hexadecimal number, since the search for a short one would take too long.
    pub fn to_decimal(&self) -> String {
        let format = self.format();
        if format.exponent_bits() > 15 || format.significand_bits() > 256 {
            return self.to_hexadecimal();
        }
        let number = self.number();
        let Number::Finite(q) = &number else {
            return special(&number).unwrap_or_default().to_owned();
        };
        let (magnitude, sign) = (q.magnitude(), if self.sign() { "-" } else { "" });
        let log10 = log10(&magnitude);
        let is_read_back = |digits: &BigUint, last: i64| {
            let near = &Rational::from_integer(digits.clone()) * &power_of_ten(last);
            Integers::from_rational(format, RoundingMode::NearestEven, &near) == Integers::abs(self)
        };
        // The nearest number of some length may be too far below a power of two where the one above is not.
        let shortest = (1..).find_map(|count| {
            let (around, last) = to_digits(&magnitude, log10, count);
            let digits = around.into_iter().find(|digits| is_read_back(digits, last))?;
            Some((digits.to_string(), last))
        });
        let Some((digits, last)) = shortest else {
            unreachable!("the exact value has finitely many digits");
        };
        // Rounding may have carried into one more digit.
        let first = last + digits.len() as i64 - 1;
        let text = match first {
            -5..0 => with_point(&digits, last.unsigned_abs() as usize),
            0..17 if last >= 0 => format!("{digits}{}.0", "0".repeat(last.unsigned_abs() as usize)),
            0..17 => with_point(&digits, last.unsigned_abs() as usize),
            _ => format!("{}e{first}", with_point(&digits, digits.len() - 1)),
        };
        format!("{sign}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Outcome};

    #[test]
    fn values_as_smtlib_has_them() {
        let format = Format::new(3, 4).unwrap();
        assert_eq!(Float::one(format, true).to_string(), "(fp #b1 #b011 #b000)");
        assert_eq!(Float::smallest(format, false).to_string(), "(fp #b0 #b000 #b001)");
        assert_eq!(Float::zero(format, true).to_string(), "(_ -zero 3 4)");
        assert_eq!(Float::infinity(format, false).to_string(), "(_ +oo 3 4)");
        assert_eq!(Float::nan(format).to_string(), "(_ NaN 3 4)");
        assert_eq!(Float::nan(format).to_fields(), "(fp #b0 #b111 #b100)");
    }

    /// `format!` panics where a width is beyond 65,535.
    #[test]
    fn wide_values_have_texts() {
        let format = Format::new(2, 70_002).unwrap();
        let x = Float::smallest(format, false);
        assert_eq!(x.to_string().len(), "(fp #b0 #b00 #b)".len() + 70_001);
        assert_eq!(x.to_string().parse::<Float>().unwrap(), x);
        assert_eq!(x.to_hexadecimal().len(), "0x0.p+0".len() + 70_001_usize.div_ceil(4));
        assert_eq!(x.to_exact_decimal().len(), "0.".len() + 70_001);
    }

    #[test]
    fn values_as_people_read_them() {
        let texts = |x: f64| {
            let x = Float::from(x);
            [x.to_decimal(), x.to_hexadecimal()]
        };
        assert_eq!(texts(0.1), ["0.1", "0x1.999999999999ap-4"]);
        assert_eq!(texts(-12.0), ["-12.0", "-0x1.8p+3"]);
        assert_eq!(texts(1e22), ["1.0e22", "0x1.0f0cf064dd592p+73"]);
        assert_eq!(texts(5e-324), ["5.0e-324", "0x0.0000000000001p-1022"]);
        assert_eq!(texts(f64::MAX), ["1.7976931348623157e308", "0x1.fffffffffffffp+1023"]);
        assert_eq!(texts(f64::INFINITY), ["+oo", "+oo"]);
        assert_eq!(texts(-0.0), ["-0.0", "-0x0.0p+0"]);
        assert_eq!(Float::from(0.1f32).to_exact_decimal(), "0.100000001490116119384765625");
        assert_eq!(Float::from(-1024.0).to_exact_decimal(), "-1024.0");
        assert_eq!(Float::from(1e16).to_decimal(), "10000000000000000.0");
        assert_eq!(Float::largest(Format::FLOAT16, false).to_decimal(), "65500.0");
        assert_eq!(Float::smallest(Format::FLOAT16, false).to_hexadecimal(), "0x0.004p-14");
    }

    #[test]
    fn every_value_is_read_back() {
        for format in [Format::new(2, 2).unwrap(), Format::new(4, 5).unwrap(), Format::BFLOAT16] {
            for bits in (0..1u128 << format.width()).step_by(if format.width() > 10 { 37 } else { 1 }) {
                let x = Float::from_u128(format, bits).unwrap();
                assert_eq!(x.to_string().parse::<Float>().unwrap(), x);
                assert_eq!(x.to_fields().parse::<Float>().unwrap(), x);
                for text in [x.to_decimal(), x.to_exact_decimal(), x.to_hexadecimal()] {
                    let read = Float::from_number(format, RoundingMode::NearestEven, &text);
                    assert_eq!(read.unwrap(), x, "{text}");
                }
                if let Outcome::Value(real) = Integers::to_real(&x) {
                    let exact = x.to_exact_decimal().parse::<Rational>().unwrap();
                    assert_eq!(exact, real);
                }
            }
        }
    }
}
