//! Conversions: from one format to another, from words, to words, of constants.

use super::{kit::Kit, rounder::Digits, words::Words};
use crate::{Format, Integers, Rational, RoundingMode, Semantics};

impl<B: Words> Kit<'_, B> {
    /// The one pattern of NaN for each of them. This is `to_fp` of bits.
    pub(super) fn canonical(&mut self, format: Format, x: &B::Word) -> B::Word {
        let nan = self.is_nan(format, x);
        self.or_nan(format, &nan, x)
    }

    /// `to_fp` of a value of another format.
    pub(super) fn convert(&mut self, source: Format, target: Format, mode: &B::Word, x: &B::Word) -> B::Word {
        if source == target {
            return x.clone();
        }
        let x = self.parts(source, x);
        let number = Digits {
            negative: x.negative.clone(),
            digits: x.m.clone(),
            last: x.last.clone(),
            leading_zeros: source.fraction_bits(),
            is_multiple: false,
            zero: x.negative.clone(),
        };
        let rounded = self.round(target, mode, &number);
        let infinity = self.infinity(target, &x.negative);
        let result = self.ite(&x.infinite, &infinity, &rounded);
        self.or_nan(target, &x.nan, &result)
    }

    /// `to_fp_unsigned`.
    pub(super) fn unsigned_to_float(&mut self, target: Format, mode: &B::Word, x: &B::Word) -> B::Word {
        let plus = self.truth(false);
        self.magnitude_to_float(target, mode, &plus, x)
    }

    /// `to_fp` of a word in two's complement. The magnitude of the least number is right as an unsigned one.
    pub(super) fn signed_to_float(&mut self, target: Format, mode: &B::Word, x: &B::Word) -> B::Word {
        let (negative, negated) = (self.top(x), self.negate(x));
        let magnitude = self.ite(&negative, &negated, x);
        self.magnitude_to_float(target, mode, &negative, &magnitude)
    }

    fn magnitude_to_float(
        &mut self,
        target: Format,
        mode: &B::Word,
        negative: &B::Word,
        magnitude: &B::Word,
    ) -> B::Word {
        let number = Digits {
            negative: negative.clone(),
            digits: magnitude.clone(),
            last: self.int(0),
            leading_zeros: self.width(magnitude) - 1,
            is_multiple: false,
            zero: self.truth(false),
        };
        self.round(target, mode, &number)
    }

    /// The magnitude of the integer that a value is rounded to, of more than `width` bits, and whether there
    /// is none, or one that has still more bits.
    fn integer_magnitude(
        &mut self,
        format: Format,
        mode: &B::Word,
        x: &super::parts::Parts<B::Word>,
        width: u32,
    ) -> (B::Word, B::Word) {
        let integral = self.integral(format, mode, x);
        // A normal significand that is shifted further than this is out of range, and only such ones are
        // shifted.
        let most = i64::from(width.saturating_sub(format.fraction_bits()));
        let is_near = self.int_below(&x.last, most + 1);
        let is_far = self.not(&is_near);
        let amount = self.int_clamp(&x.last, 0, most);
        let wide = self.extend(&integral, (self.width(&integral) + most as u32).max(width + 1));
        let magnitude = match self.int_unsigned(&amount) {
            Some(amount) => self.shl_by(&wide, &amount),
            None => wide,
        };
        let none = self.any([&x.nan, &x.infinite, &is_far]);
        (magnitude, none)
    }

    /// `fp.to_ubv`.
    pub(super) fn float_to_unsigned(
        &mut self,
        format: Format,
        mode: &B::Word,
        x: &B::Word,
        width: u32,
        free: &B::Word,
    ) -> B::Word {
        let x = self.parts(format, x);
        let (magnitude, none) = self.integer_magnitude(format, mode, &x, width);
        let (result, over) = (self.low(&magnitude, width), self.lshr(&magnitude, width));
        let (is_over, is_nonzero) = (self.any_bit(&over), self.any_bit(&magnitude));
        let is_below = self.and(&x.negative, &is_nonzero);
        let is_free = self.any([&none, &is_over, &is_below]);
        self.ite(&is_free, free, &result)
    }

    /// `fp.to_sbv`.
    pub(super) fn float_to_signed(
        &mut self,
        format: Format,
        mode: &B::Word,
        x: &B::Word,
        width: u32,
        free: &B::Word,
    ) -> B::Word {
        let x = self.parts(format, x);
        let (magnitude, none) = self.integer_magnitude(format, mode, &x, width);
        // Of the bits from the sign upwards none may be set; but a number below zero may be the least one.
        let over = self.lshr(&magnitude, width - 1);
        let is_over = self.any_bit(&over);
        let least = num_bigint::BigUint::from(1u32) << (width - 1);
        let least = self.constant(self.width(&magnitude), least);
        let is_least = self.eq(&magnitude, &least);
        let is_least = self.and(&is_least, &x.negative);
        let is_over = self.and_not(&is_over, &is_least);
        let is_free = self.or(&none, &is_over);
        let result = self.low(&magnitude, width);
        let negated = self.negate(&result);
        let result = self.ite(&x.negative, &negated, &result);
        self.ite(&is_free, free, &result)
    }

    /// `to_fp` of a real constant.
    pub(super) fn constant_of(&mut self, format: Format, mode: &B::Word, value: &Rational) -> B::Word {
        let rounded = |mode| Integers::from_rational(format, mode, value);
        let last = rounded(RoundingMode::TowardZero);
        let mut result = self.constant(format.width(), last.to_bits());
        for of in &RoundingMode::ALL[..4] {
            let other = rounded(*of);
            if other != last {
                let (is_mode, word) =
                    (self.is_mode(mode, *of), self.constant(format.width(), other.to_bits()));
                result = self.ite(&is_mode, &word, &result);
            }
        }
        result
    }
}
