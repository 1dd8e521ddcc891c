//! Literals of SMT-LIB, read: `(fp #b0 #b10 #b1)` and `(_ +oo 2 2)`.
//!
//! The reader of scripts builds values by their fields. What is here reads one value that stands alone: an
//! argument of a tool, a row of a table, an answer of another solver.

use crate::{Float, Format};
use num_bigint::BigUint;
use std::str::FromStr;

/// A text that is no value, with the place where it ceases to be one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: expected {expected}, found {found}", .offset + 1)]
pub struct TextError {
    /// The bytes before the place.
    pub offset: usize,
    /// What would be right there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl TextError {
    pub(super) fn new(offset: usize, expected: impl Into<String>, found: &str) -> TextError {
        let found = if found.is_empty() { "the end".to_owned() } else { format!("'{found}'") };
        TextError { offset, expected: expected.into(), found }
    }
}

/// A text that is read from left to right, token by token.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next token and its place: a parenthesis, or what stands until the next one or until space. Empty
    /// at the end.
    fn token(&mut self) -> (usize, &'a str) {
        let rest = &self.text[self.at..];
        let rest = rest.trim_start();
        let start = self.text.len() - rest.len();
        let is_end = |c: char| c.is_whitespace() || c == '(' || c == ')';
        let length = match rest.chars().next() {
            Some('(' | ')') => 1,
            _ => rest.find(is_end).unwrap_or(rest.len()),
        };
        self.at = start + length;
        (start, &rest[..length])
    }

    fn expect(&mut self, token: &str) -> Result<(), TextError> {
        let (place, found) = self.token();
        if found == token { Ok(()) } else { Err(TextError::new(place, format!("'{token}'"), found)) }
    }

    fn number(&mut self, what: &str) -> Result<(usize, u64), TextError> {
        let (place, found) = self.token();
        let is_numeral = !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit());
        if !is_numeral {
            return Err(TextError::new(place, what, found));
        }
        // What does not fit is out of every bound as well.
        Ok((place, found.parse().unwrap_or(u64::MAX)))
    }

    /// A bit-vector literal: its place, its bits and its width.
    fn word(&mut self) -> Result<(usize, BigUint, u64), TextError> {
        let (place, token) = self.token();
        let expected = "a bit-vector literal: #b..., #x... or (_ bvN width)";
        let wrong = |found: &str| TextError::new(place, expected, found);
        let digits = |radix, bits_each| {
            let digits = &token[2..];
            let is_word = !digits.is_empty() && digits.bytes().all(|byte| char::from(byte).is_digit(radix));
            let value = BigUint::parse_bytes(digits.as_bytes(), radix).filter(|_| is_word);
            value.map(|value| (place, value, bits_each * digits.len() as u64)).ok_or_else(|| wrong(token))
        };
        if token.starts_with("#b") {
            return digits(2, 1);
        }
        if token.starts_with("#x") {
            return digits(16, 4);
        }
        if token != "(" {
            return Err(wrong(token));
        }
        self.expect("_")?;
        let (place, name) = self.token();
        let value = name.strip_prefix("bv").and_then(|digits| {
            let is_numeral = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            BigUint::parse_bytes(digits.as_bytes(), 10).filter(|_| is_numeral)
        });
        let value = value.ok_or_else(|| TextError::new(place, "'bv' with a numeral", name))?;
        let (at, width) = self.number("a width")?;
        if value.bits() > width {
            return Err(TextError::new(
                at,
                format!("a width of at least {}", value.bits()),
                &width.to_string(),
            ));
        }
        self.expect(")")?;
        Ok((place, value, width))
    }
}

/// The format with these numbers, which were read at a place.
fn format_at(place: usize, exponent_bits: u64, significand_bits: u64) -> Result<Format, TextError> {
    Format::new(exponent_bits, significand_bits).map_err(|error| {
        let found = format!("(_ FloatingPoint {exponent_bits} {significand_bits})");
        TextError::new(place, format!("a floating-point format ({error})"), &found)
    })
}

impl FromStr for Float {
    type Err = TextError;

    /// Reads a literal of SMT-LIB. It has its format in it.
    fn from_str(text: &str) -> Result<Float, TextError> {
        let mut reader = Reader { text, at: 0 };
        reader.expect("(")?;
        let (place, head) = reader.token();
        let value = match head {
            "fp" => {
                let (at, sign, width) = reader.word()?;
                if width != 1 {
                    let found = format!("a literal of {width} bits");
                    return Err(TextError::new(at, "a sign of one bit", &found));
                }
                let (_, exponent, eb) = reader.word()?;
                let (_, fraction, fraction_bits) = reader.word()?;
                let format = format_at(place, eb, fraction_bits.saturating_add(1))?;
                let value = Float::from_fields(format, sign.bit(0), &exponent, &fraction);
                value.ok_or_else(|| TextError::new(place, "fields that fit", head))?
            }
            "_" => {
                let (at, name) = reader.token();
                let make: fn(Format) -> Float = match name {
                    "+oo" => |format| Float::infinity(format, false),
                    "-oo" => |format| Float::infinity(format, true),
                    "+zero" => |format| Float::zero(format, false),
                    "-zero" => |format| Float::zero(format, true),
                    "NaN" => Float::nan,
                    _ => return Err(TextError::new(at, "+oo, -oo, +zero, -zero or NaN", name)),
                };
                let (at, eb) = reader.number("the bits of the exponent")?;
                let (_, sb) = reader.number("the bits of the significand")?;
                make(format_at(at, eb, sb)?)
            }
            _ => return Err(TextError::new(place, "'fp' or '_'", head)),
        };
        reader.expect(")")?;
        match reader.token() {
            (_, "") => Ok(value),
            (place, rest) => Err(TextError::new(place, "the end", rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let read = |text: &str| text.parse::<Float>().unwrap();
        let format = Format::new(4, 5).unwrap();
        assert_eq!(read("(fp #b0 #x7 #b0000)"), Float::one(format, false));
        assert_eq!(read(" ( fp (_ bv1 1) (_ bv7 4)\n #x0 ) "), Float::one(format, true));
        assert_eq!(read("(fp #b1 #xf #x3)"), Float::nan(format));
        assert_eq!(read("(_ -zero 4 5)"), Float::zero(format, true));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let said = |text: &str| text.parse::<Float>().unwrap_err().to_string();
        assert_eq!(said(""), "at character 1: expected '(', found the end");
        assert_eq!(said("(_ oo 3 4)"), "at character 4: expected +oo, -oo, +zero, -zero or NaN, found 'oo'");
        assert_eq!(said("(_ +oo 3 4"), "at character 11: expected ')', found the end");
        assert_eq!(said("(_ +oo 3 4) x"), "at character 13: expected the end, found 'x'");
        assert_eq!(
            said("(fp #b2 #b11 #b1)"),
            "at character 5: expected a bit-vector literal: #b..., #x... or (_ bvN width), found '#b2'"
        );
        assert_eq!(
            said("(fp #b00 #b11 #b1)"),
            "at character 5: expected a sign of one bit, found 'a literal of 2 bits'"
        );
        assert_eq!(
            said("(_ NaN 1 4)"),
            "at character 8: expected a floating-point format (the exponent of a floating-point format has \
             between 2 and 24 bits, found 1), found '(_ FloatingPoint 1 4)'"
        );
        assert_eq!(
            said("(fp (_ bv2 1) #b11 #b1)"),
            "at character 12: expected a width of at least 2, found '1'"
        );
        assert_eq!(said("(fp #b0 #b1é #b1)").split(':').next(), Some("at character 9"));
    }
}
