//! Formats, the sorts `(_ FloatingPoint eb sb)`, and what follows from their two numbers.
//!
//! A format has `eb` bits of exponent and `sb` bits of significand, the hidden bit counted. SMT-LIB asks for
//! `eb > 1` and `sb > 1` and has no upper bounds; here they are [`Format::MAX_EXPONENT_BITS`] and
//! [`Format::MAX_WIDTH`]. With them every exponent, and every sum of a few exponents and widths, is an `i64`
//! that cannot overflow, every finite value is a rational of at most 2 MiB, and an intermediate result of
//! twice the width is still a word.

use std::fmt;

/// A format: the sort `(_ FloatingPoint eb sb)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Format {
    exponent_bits: u32,
    significand_bits: u32,
}

/// A format out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// The exponent has too few or too many bits.
    #[error(
        "the exponent of a floating-point format has between 2 and {} bits, found {found}",
        Format::MAX_EXPONENT_BITS
    )]
    Exponent {
        /// The number of bits that was asked for.
        found: u64,
    },
    /// The significand has too few or too many bits.
    #[error(
        "the significand of a floating-point format has at least 2 bits, and the format at most {} in all, \
         found {found} beside an exponent of {exponent_bits}",
        Format::MAX_WIDTH
    )]
    Significand {
        /// The number of bits that was asked for.
        found: u64,
        /// The bits of the exponent.
        exponent_bits: u32,
    },
}

impl Format {
    /// The most bits that an exponent may have.
    pub const MAX_EXPONENT_BITS: u32 = 24;

    /// The most bits that a format may have, exponent and significand together.
    pub const MAX_WIDTH: u32 = 1 << 22;

    /// `Float16` of SMT-LIB, binary16 of IEEE 754.
    pub const FLOAT16: Format = Format { exponent_bits: 5, significand_bits: 11 };
    /// The format that is known as bfloat16. It has no name in SMT-LIB.
    pub const BFLOAT16: Format = Format { exponent_bits: 8, significand_bits: 8 };
    /// `Float32` of SMT-LIB, binary32 of IEEE 754.
    pub const FLOAT32: Format = Format { exponent_bits: 8, significand_bits: 24 };
    /// `Float64` of SMT-LIB, binary64 of IEEE 754.
    pub const FLOAT64: Format = Format { exponent_bits: 11, significand_bits: 53 };
    /// `Float128` of SMT-LIB, binary128 of IEEE 754.
    pub const FLOAT128: Format = Format { exponent_bits: 15, significand_bits: 113 };

    /// The format with so many bits of exponent and of significand, the hidden bit counted.
    ///
    /// # Errors
    ///
    /// One of the numbers is out of bounds.
    pub fn new(exponent_bits: u64, significand_bits: u64) -> Result<Format, FormatError> {
        if !(2..=u64::from(Format::MAX_EXPONENT_BITS)).contains(&exponent_bits) {
            return Err(FormatError::Exponent { found: exponent_bits });
        }
        let most = u64::from(Format::MAX_WIDTH) - exponent_bits;
        if !(2..=most).contains(&significand_bits) {
            let exponent_bits = exponent_bits as u32;
            return Err(FormatError::Significand { found: significand_bits, exponent_bits });
        }
        Ok(Format { exponent_bits: exponent_bits as u32, significand_bits: significand_bits as u32 })
    }

    /// The format with a name of SMT-LIB: `Float16`, `Float32`, `Float64` or `Float128`.
    pub fn named(name: &str) -> Option<Format> {
        match name {
            "Float16" => Some(Format::FLOAT16),
            "Float32" => Some(Format::FLOAT32),
            "Float64" => Some(Format::FLOAT64),
            "Float128" => Some(Format::FLOAT128),
            _ => None,
        }
    }

    /// The bits of the exponent, `eb`.
    pub fn exponent_bits(self) -> u32 {
        self.exponent_bits
    }

    /// The bits of the significand, `sb`: those of the fraction and the hidden one.
    pub fn significand_bits(self) -> u32 {
        self.significand_bits
    }

    /// The bits of the fraction, which are those of the significand that are stored.
    pub fn fraction_bits(self) -> u32 {
        self.significand_bits - 1
    }

    /// The bits of a packed value: sign, exponent and fraction.
    pub fn width(self) -> u32 {
        self.exponent_bits + self.significand_bits
    }

    /// What the exponent field of a normal value exceeds its exponent by.
    pub fn bias(self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The exponent of the smallest normal values, and of all subnormal ones.
    pub fn min_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// The exponent of the largest finite values.
    pub fn max_exponent(self) -> i64 {
        self.bias()
    }

    /// The exponent field of infinities and NaN: all ones.
    pub fn special_exponent(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }
}

/// As SMT-LIB writes the sort, without the short names.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(_ FloatingPoint {} {})", self.exponent_bits, self.significand_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_errors_with_a_sentence() {
        let said = |eb, sb| Format::new(eb, sb).unwrap_err().to_string();
        assert_eq!(said(1, 5), "the exponent of a floating-point format has between 2 and 24 bits, found 1");
        assert_eq!(
            said(u64::MAX, 5),
            "the exponent of a floating-point format has between 2 and 24 bits, found 18446744073709551615"
        );
        assert_eq!(
            said(5, 1),
            "the significand of a floating-point format has at least 2 bits, and the format at most 4194304 in \
             all, found 1 beside an exponent of 5"
        );
        assert!(Format::new(24, u64::from(Format::MAX_WIDTH) - 23).is_err());
        assert!(Format::new(24, u64::from(Format::MAX_WIDTH) - 24).is_ok());
    }

    #[test]
    fn numbers_of_formats() {
        let single = Format::FLOAT32;
        assert_eq!((single.bias(), single.min_exponent(), single.max_exponent()), (127, -126, 127));
        assert_eq!((single.width(), single.special_exponent()), (32, 255));
        let least = Format::new(2, 2).unwrap();
        assert_eq!((least.bias(), least.min_exponent(), least.special_exponent()), (1, 0, 3));
        assert_eq!(Format::named("Float64"), Some(Format::FLOAT64));
        assert_eq!(Format::FLOAT64.to_string(), "(_ FloatingPoint 11 53)");
    }
}
