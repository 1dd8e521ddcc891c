//! Numerals: reading and printing bit-vector values.
//!
//! Binary and hexadecimal numerals carry their width in the number of their digits; both are cut into words
//! from the right. A decimal numeral gets its width from elsewhere and must fit it. A numeral that cannot fit
//! is turned away by its length before any arithmetic: `d` digits without leading zeros denote at least
//! 10^(d-1), and 10^28 > 2^93, so `93 (d - 1) >= 28 w` means at least 2^w. What remains costs as much as a
//! few products of the final size: blocks of digits are combined in pairs, pairs in fours and so on, with
//! 10^block squared for each round.
//!
//! Reading is total: whatever is no numeral, or has no width between 1 and 2^24, is `None`. There are no
//! signs, no prefixes and no separators here; those belong to the formats.

use super::{BitVec, WORD, Words, bignum};
use num_bigint::BigUint;
use std::fmt;

/// Decimal digits that always fit a word: 10^19 < 2^64.
const DIGITS_OF_A_WORD: usize = 19;

/// Decimal digits that the library reads at once, by its own quadratic method.
const DIGITS_OF_A_BLOCK: usize = 1024;

/// Reading.
impl BitVec {
    /// The value of these binary digits, most significant first; as many bits as digits.
    ///
    /// `None` if there is no digit, one that is neither `0` nor `1`, or too many for [`BitVec::MAX_WIDTH`].
    #[must_use]
    pub fn parse_binary(digits: &[u8]) -> Option<BitVec> {
        parse_packed(digits, 1)
    }

    /// The value of these hexadecimal digits of either case, most significant first; four bits each.
    ///
    /// `None` if there is no digit, one that is not hexadecimal, or too many for [`BitVec::MAX_WIDTH`].
    #[must_use]
    pub fn parse_hex(digits: &[u8]) -> Option<BitVec> {
        parse_packed(digits, 4)
    }

    /// The value of these decimal digits, most significant first, in `width` bits. Leading zeros are allowed.
    ///
    /// `None` if there is no digit, one that is not decimal, the number is 2^width or more, or the width is
    /// not between 1 and [`BitVec::MAX_WIDTH`].
    #[must_use]
    pub fn parse_decimal(digits: &[u8], width: u32) -> Option<BitVec> {
        let well_formed = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        if !well_formed || !(1..=BitVec::MAX_WIDTH).contains(&width) {
            return None;
        }
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        let digits = &digits[zeros..];
        if digits.len() <= DIGITS_OF_A_WORD {
            let value = digits.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
            return (width >= u64::BITS - value.leading_zeros()).then(|| BitVec::from_u64(value, width));
        }
        if 93 * (digits.len() as u64 - 1) >= 28 * u64::from(width) {
            return None;
        }
        let number = decimal_number(digits);
        (number.bits() <= u64::from(width)).then(|| bignum::to_bit_vec(&number, width))
    }
}

/// The value of digits of `bits` bits each, which divide a word.
fn parse_packed(digits: &[u8], bits: u32) -> Option<BitVec> {
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
    if !(1..=BitVec::MAX_WIDTH).contains(&width) {
        return None;
    }
    let word = |digits: &[u8]| {
        digits.iter().try_fold(0u64, |word, &digit| {
            let digit = char::from(digit).to_digit(1 << bits)?;
            Some(word << bits | u64::from(digit))
        })
    };
    if width <= WORD {
        return Some(BitVec::small(word(digits)?, width));
    }
    let words: Option<Box<[u64]>> = digits.rchunks((WORD / bits) as usize).map(word).collect();
    Some(BitVec::wide(words?, width))
}

/// The number of these decimal digits, of which there is at least one.
fn decimal_number(digits: &[u8]) -> BigUint {
    let block =
        |digits: &[u8]| BigUint::parse_bytes(digits, 10).expect("the digits were found to be decimal digits");
    if digits.len() <= DIGITS_OF_A_BLOCK {
        return block(digits);
    }
    let mut parts: Vec<BigUint> = digits.rchunks(DIGITS_OF_A_BLOCK).map(block).collect();
    let mut scale = BigUint::from(10u32).pow(DIGITS_OF_A_BLOCK as u32);
    while parts.len() > 2 {
        parts = parts.chunks(2).map(|pair| combine(pair, &scale)).collect();
        scale = &scale * &scale;
    }
    combine(&parts, &scale)
}

/// The number of one or two parts, least significant first, where the second counts `scale`.
fn combine(parts: &[BigUint], scale: &BigUint) -> BigUint {
    parts.iter().rev().fold(BigUint::ZERO, |high, part| high * scale + part)
}

/// Printing.
impl BitVec {
    /// The binary digits, most significant first; as many as bits.
    #[must_use]
    pub fn to_binary_string(&self) -> String {
        format!("{self:b}")
    }

    /// The hexadecimal digits in lower case, most significant first, if the width is a multiple of four.
    #[must_use]
    pub fn to_hex_string(&self) -> Option<String> {
        self.width.is_multiple_of(4).then(|| format!("{self:x}"))
    }

    /// The unsigned number in decimal digits, without leading zeros.
    #[must_use]
    pub fn to_decimal_string(&self) -> String {
        match &self.words {
            Words::Small(value) => value.to_string(),
            Words::Wide(words) => bignum::from_words(words).to_string(),
        }
    }
}

/// The binary digits alone, as many as bits.
impl fmt::Binary for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits_of_the_top = ((self.width - 1) % WORD + 1) as usize;
        let mut words = self.words().iter().rev();
        if let Some(top) = words.next() {
            write!(f, "{top:0digits_of_the_top$b}")?;
        }
        words.try_for_each(|word| write!(f, "{word:064b}"))
    }
}

/// The hexadecimal digits alone in lower case, a quarter as many as bits, rounded up.
impl fmt::LowerHex for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |k: u32| {
            let nibble = self.words()[(k / 16) as usize] >> (4 * (k % 16)) & 0xf;
            char::from_digit(nibble as u32, 16).expect("four bits are a hexadecimal digit")
        };
        let digits: String = (0..self.width.div_ceil(4)).rev().map(digit).collect();
        f.pad_integral(true, "0x", &digits)
    }
}

/// An SMT-LIB binary numeral, as in `#b00000101`.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#b{self:b}")
    }
}

/// `value[width]`, as in `5[8]`.
impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.to_decimal_string(), self.width)
    }
}
