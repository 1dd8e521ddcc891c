//! Packed words, taken apart, and put together.

use super::{integer::Int, kit::Kit, words::Words};
use crate::Format;

/// A packed word, taken apart, with the tests of its class.
pub(super) struct Parts<W> {
    /// The sign bit.
    pub(super) negative: W,
    /// The significand, with the hidden bit, not normalised.
    pub(super) m: W,
    /// The exponent of the last bit of the significand.
    pub(super) last: Int<W>,
    /// All but the sign bit.
    pub(super) magnitude: W,
    pub(super) nan: W,
    pub(super) infinite: W,
    pub(super) zero: W,
}

impl<B: Words> Kit<'_, B> {
    pub(super) fn sign(&mut self, x: &B::Word) -> B::Word {
        self.top(x)
    }

    pub(super) fn magnitude(&mut self, format: Format, x: &B::Word) -> B::Word {
        self.low(x, format.width() - 1)
    }

    fn field(&mut self, format: Format, x: &B::Word) -> B::Word {
        self.extract(x, format.width() - 2, format.fraction_bits())
    }

    pub(super) fn parts(&mut self, format: Format, x: &B::Word) -> Parts<B::Word> {
        let (field, fraction) = (self.field(format, x), self.low(x, format.fraction_bits()));
        let (is_least, is_special) = (self.equals_zero(&field), self.all_bits(&field));
        let is_whole = self.equals_zero(&fraction);
        let hidden = self.not(&is_least);
        // The field of subnormal values counts as 1: it is 0, and the last bit is set.
        let last_bit = self.extend(&is_least, format.exponent_bits());
        let exponent = self.or(&field, &last_bit);
        let exponent = self.int_of(&exponent, 1, i64::from(format.special_exponent()));
        Parts {
            negative: self.sign(x),
            m: self.concat(&hidden, &fraction),
            last: self.int_offset(&exponent, -format.bias() - i64::from(format.fraction_bits())),
            magnitude: self.magnitude(format, x),
            nan: self.and_not(&is_special, &is_whole),
            infinite: self.and(&is_special, &is_whole),
            zero: self.and(&is_least, &is_whole),
        }
    }

    /// The significand with its leading one on top, and the exponent of its last bit. The leading one is a
    /// constant; so of zero the significand is that of another number.
    pub(super) fn normalised(&mut self, format: Format, x: &Parts<B::Word>) -> (B::Word, Int<B::Word>) {
        let (m, last) = self.normalised_or_zero(format, x);
        let (one, rest) = (self.truth(true), self.low(&m, format.fraction_bits()));
        (self.concat(&one, &rest), last)
    }

    /// The same, where the significand of zero is zero.
    pub(super) fn normalised_or_zero(
        &mut self,
        format: Format,
        x: &Parts<B::Word>,
    ) -> (B::Word, Int<B::Word>) {
        let most = format.fraction_bits();
        let (m, zeros) = self.normalise(&x.m, most);
        (m, self.int_less_zeros(&x.last, zeros, most))
    }

    /// An exponent after a shift to the left by at most so much. More leading zeros are those of zero alone,
    /// of which the exponent means nothing.
    pub(super) fn int_less_zeros(
        &mut self,
        a: &Int<B::Word>,
        zeros: Option<B::Word>,
        most: u32,
    ) -> Int<B::Word> {
        match zeros {
            None => a.clone(),
            Some(count) => {
                let count = self.int_of(&count, 0, i64::from(most));
                self.int_sub(a, &count)
            }
        }
    }

    /// A magnitude with a sign.
    pub(super) fn signed(&mut self, negative: &B::Word, magnitude: &B::Word) -> B::Word {
        self.concat(negative, magnitude)
    }

    /// The magnitude of infinities.
    pub(super) fn infinite_magnitude(&mut self, format: Format) -> B::Word {
        let ones = self.ones(format.exponent_bits());
        self.pad(&ones, format.fraction_bits())
    }

    pub(super) fn infinity(&mut self, format: Format, negative: &B::Word) -> B::Word {
        let magnitude = self.infinite_magnitude(format);
        self.signed(negative, &magnitude)
    }

    pub(super) fn zero(&mut self, format: Format, negative: &B::Word) -> B::Word {
        let magnitude = self.zeros(format.width() - 1);
        self.signed(negative, &magnitude)
    }

    pub(super) fn nan(&mut self, format: Format) -> B::Word {
        let nan = crate::Float::nan(format).to_bits();
        self.constant(format.width(), nan)
    }
}
