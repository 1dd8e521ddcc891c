//! The fused product and sum.
//!
//! The product has twice as many digits as the format, and the addend gets as many. Both have their leading
//! one among the top two digits, so that the one of the greater exponent is the greater one, or the lesser by
//! less than half. The lesser exponent's digits are shifted, and a difference below zero is negated.

use super::{integer::Int, kit::Kit, rounder::Digits, words::Words};
use crate::Format;

/// A summand: its sign, its digits, the exponent of the last one.
struct Summand<W> {
    negative: W,
    digits: W,
    last: Int<W>,
}

impl<B: Words> Kit<'_, B> {
    fn choose(&mut self, is_first: &B::Word, a: &Summand<B::Word>, b: &Summand<B::Word>) -> Summand<B::Word> {
        Summand {
            negative: self.ite(is_first, &a.negative, &b.negative),
            digits: self.ite(is_first, &a.digits, &b.digits),
            last: self.int_ite(is_first, &a.last, &b.last),
        }
    }

    /// The exact sum. `is_first` says that the second summand is zero.
    fn exact_sum(
        &mut self,
        mode: &B::Word,
        a: &Summand<B::Word>,
        b: &Summand<B::Word>,
        is_first: &B::Word,
    ) -> Digits<B::Word> {
        let width = self.width(&a.digits);
        let is_later = self.int_less(&b.last, &a.last);
        let is_level = self.int_equal(&a.last, &b.last);
        let is_below = self.ult(&a.digits, &b.digits);
        let is_level = self.and_not(&is_level, &is_below);
        let is_first = self.any([is_first, &is_later, &is_level]);
        let (large, little) = (self.choose(&is_first, a, b), self.choose(&is_first, b, a));
        let distance = self.int_sub(&large.last, &little.last);
        // If it is less than zero, then the digits to shift are zeros.
        let distance = self.int_clamp(&distance, 0, i64::from(width) + 2);
        let (x, y) = (self.pad(&large.digits, 3), self.pad(&little.digits, 3));
        let y = match self.int_unsigned(&distance) {
            Some(amount) => self.shift_sticky(&y, &amount),
            None => y,
        };
        let (x, y) = (self.extend(&x, width + 4), self.extend(&y, width + 4));
        let is_difference = self.xor(&large.negative, &little.negative);
        let sum = self.add_or_sub(&x, &y, &is_difference);
        let top = self.top(&sum);
        let is_turned = self.and(&is_difference, &top);
        let turned = self.negate(&sum);
        Digits {
            negative: self.ite(&is_turned, &little.negative, &large.negative),
            digits: self.ite(&is_turned, &turned, &sum),
            last: self.int_offset(&large.last, -3),
            leading_zeros: width + 3,
            is_multiple: false,
            zero: self.sign_of_cancellation(mode),
        }
    }

    /// `fp.fma`.
    pub(super) fn fma(
        &mut self,
        format: Format,
        mode: &B::Word,
        x: &B::Word,
        y: &B::Word,
        packed: &B::Word,
    ) -> B::Word {
        let p = format.significand_bits();
        let (x, y, z) = (self.parts(format, x), self.parts(format, y), self.parts(format, packed));
        let negative = self.xor(&x.negative, &y.negative);
        let (mx, last_x) = self.normalised(format, &x);
        let (my, last_y) = self.normalised(format, &y);
        let (mz, last_z) = self.normalised_or_zero(format, &z);
        let product = Summand {
            negative: negative.clone(),
            digits: self.multiply(&mx, &my),
            last: self.int_add(&last_x, &last_y),
        };
        let addend = Summand {
            negative: z.negative.clone(),
            digits: self.pad(&mz, p),
            last: self.int_offset(&last_z, -i64::from(p)),
        };
        let sum = self.exact_sum(mode, &product, &addend, &z.zero);
        let rounded = self.round(format, mode, &sum);
        // A product that is zero leaves the addend, or a zero of a sign that has to be found.
        let is_zero = self.or(&x.zero, &y.zero);
        let signs_differ = self.xor(&negative, &z.negative);
        let sign = self.ite(&signs_differ, &sum.zero, &negative);
        let zero = self.zero(format, &sign);
        let alone = self.ite(&z.zero, &zero, packed);
        let result = self.ite(&is_zero, &alone, &rounded);
        let result = self.ite(&z.infinite, packed, &result);
        let is_infinite = self.or(&x.infinite, &y.infinite);
        let infinity = self.infinity(format, &negative);
        let result = self.ite(&is_infinite, &infinity, &result);
        let (left, right) = (self.and(&x.infinite, &y.zero), self.and(&x.zero, &y.infinite));
        let opposite = self.all([&is_infinite, &z.infinite, &signs_differ]);
        let nan = self.any([&x.nan, &y.nan, &z.nan]);
        let nan = self.any([&nan, &left, &right, &opposite]);
        self.or_nan(format, &nan, &result)
    }
}
