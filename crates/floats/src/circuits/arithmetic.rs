//! Sums, products, quotients, square roots and integral values.

use super::{kit::Kit, rounder::Digits, words::Words};
use crate::Format;

impl<B: Words> Kit<'_, B> {
    /// `fp.add`. The operand of the lesser magnitude is shifted to the other's exponent, with three more
    /// digits, of which the last is the sticky one.
    pub(super) fn sum(&mut self, format: Format, mode: &B::Word, x: &B::Word, y: &B::Word) -> B::Word {
        let p = format.significand_bits();
        let (px, py) = (self.parts(format, x), self.parts(format, y));
        let is_swapped = self.ult(&px.magnitude, &py.magnitude);
        let signs_differ = self.xor(&px.negative, &py.negative);
        let large = self.ite(&is_swapped, &py.m, &px.m);
        let little = self.ite(&is_swapped, &px.m, &py.m);
        let last = self.int_ite(&is_swapped, &py.last, &px.last);
        let other = self.int_ite(&is_swapped, &px.last, &py.last);
        let negative = self.ite(&is_swapped, &py.negative, &px.negative);
        let distance = self.int_sub(&last, &other);
        // The larger magnitude has no lesser exponent.
        let distance = self.int_assume(&distance, 0, i64::from(format.special_exponent()) - 1);
        let distance = self.int_clamp(&distance, 0, i64::from(p) + 2);
        let (a, b) = (self.pad(&large, 3), self.pad(&little, 3));
        let b = match self.int_unsigned(&distance) {
            Some(amount) => self.shift_sticky(&b, &amount),
            None => b,
        };
        let (a, b) = (self.extend(&a, p + 4), self.extend(&b, p + 4));
        let digits = self.add_or_sub(&a, &b, &signs_differ);
        let cancelled = self.sign_of_cancellation(mode);
        let zero = self.ite(&signs_differ, &cancelled, &px.negative);
        let last = self.int_offset(&last, -3);
        let rounded = self.round(
            format,
            mode,
            &Digits { negative, digits, last, leading_zeros: p + 3, is_multiple: true, zero },
        );
        let both = self.all([&px.infinite, &py.infinite, &signs_differ]);
        let nan = self.any([&px.nan, &py.nan, &both]);
        let result = self.ite(&py.infinite, y, &rounded);
        let result = self.ite(&px.infinite, x, &result);
        self.or_nan(format, &nan, &result)
    }

    /// NaN if the condition holds, and otherwise the word.
    pub(super) fn or_nan(&mut self, format: Format, is_nan: &B::Word, word: &B::Word) -> B::Word {
        let nan = self.nan(format);
        self.ite(is_nan, &nan, word)
    }

    /// The product of significands, in twice their width.
    pub(super) fn multiply(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        let width = self.width(a) + self.width(b);
        let (a, b) = (self.extend(a, width), self.extend(b, width));
        self.builder().mul(&a, &b)
    }

    /// `fp.mul`.
    pub(super) fn product(&mut self, format: Format, mode: &B::Word, x: &B::Word, y: &B::Word) -> B::Word {
        let (x, y) = (self.parts(format, x), self.parts(format, y));
        let negative = self.xor(&x.negative, &y.negative);
        let digits = self.multiply(&x.m, &y.m);
        let leading_zeros = self.width(&digits) - 1;
        let last = self.int_add(&x.last, &y.last);
        let number = Digits {
            negative: negative.clone(),
            digits,
            last,
            leading_zeros,
            is_multiple: false,
            zero: negative.clone(),
        };
        let rounded = self.round(format, mode, &number);
        let (left, right) = (self.and(&x.infinite, &y.zero), self.and(&x.zero, &y.infinite));
        let nan = self.any([&x.nan, &y.nan, &left, &right]);
        let is_infinite = self.or(&x.infinite, &y.infinite);
        let infinity = self.infinity(format, &negative);
        let result = self.ite(&is_infinite, &infinity, &rounded);
        self.or_nan(format, &nan, &result)
    }

    /// `fp.div`. Of normalised significands the quotient has one digit more than the format, or two.
    pub(super) fn quotient(&mut self, format: Format, mode: &B::Word, x: &B::Word, y: &B::Word) -> B::Word {
        let p = format.significand_bits();
        let (x, y) = (self.parts(format, x), self.parts(format, y));
        let negative = self.xor(&x.negative, &y.negative);
        let (mx, last_x) = self.normalised(format, &x);
        let (my, last_y) = self.normalised(format, &y);
        let dividend = self.pad(&mx, p + 1);
        let divisor = self.extend(&my, 2 * p + 1);
        let (quotient, rest) = self.builder().div_rem(&dividend, &divisor);
        let (quotient, goes_on) = (self.low(&quotient, p + 2), self.any_bit(&rest));
        let digits = self.concat(&quotient, &goes_on);
        let last = self.int_sub(&last_x, &last_y);
        let last = self.int_offset(&last, -i64::from(p) - 2);
        let zero = negative.clone();
        let number =
            Digits { negative: negative.clone(), digits, last, leading_zeros: 1, is_multiple: false, zero };
        let rounded = self.round(format, mode, &number);
        let infinite = self.and(&x.infinite, &y.infinite);
        let zeros = self.and(&x.zero, &y.zero);
        let nan = self.any([&x.nan, &y.nan, &infinite, &zeros]);
        let is_infinite = self.or(&x.infinite, &y.zero);
        let is_zero = self.or(&x.zero, &y.infinite);
        let (infinity, zero) = (self.infinity(format, &negative), self.zero(format, &negative));
        let result = self.ite(&is_zero, &zero, &rounded);
        let result = self.ite(&is_infinite, &infinity, &result);
        self.or_nan(format, &nan, &result)
    }

    /// `fp.sqrt`. The significand is shifted so that its exponent is even, and the root has one digit more
    /// than the format.
    pub(super) fn sqrt(&mut self, format: Format, mode: &B::Word, packed: &B::Word) -> B::Word {
        let p = format.significand_bits();
        let x = self.parts(format, packed);
        let (m, last) = self.normalised(format, &x);
        let last = self.int_offset(&last, -i64::from(p) - 1);
        let is_odd = self.int_odd(&last);
        let (more, less) = (self.pad(&m, p + 2), self.pad(&m, p + 1));
        let less = self.extend(&less, 2 * p + 2);
        let square = self.ite(&is_odd, &more, &less);
        let (root, rest) = self.builder().root(&square);
        let goes_on = self.any_bit(&rest);
        let digits = self.concat(&root, &goes_on);
        // Half of the exponent, which is one less if it was odd.
        let last = self.int_half(&last);
        let last = self.int_offset(&last, -1);
        let plus = self.truth(false);
        let number =
            Digits { negative: plus.clone(), digits, last, leading_zeros: 0, is_multiple: false, zero: plus };
        let rounded = self.round(format, mode, &number);
        let below = self.and_not(&x.negative, &x.zero);
        let nan = self.or(&x.nan, &below);
        let is_itself = self.or(&x.zero, &x.infinite);
        let result = self.ite(&is_itself, packed, &rounded);
        self.or_nan(format, &nan, &result)
    }

    /// A number without its digits after the point, as an integer of one bit more than the significand.
    pub(super) fn integral(
        &mut self,
        format: Format,
        mode: &B::Word,
        x: &super::parts::Parts<B::Word>,
    ) -> B::Word {
        let p = format.significand_bits();
        let below = self.int_from(0, &x.last);
        let below = self.int_clamp(&below, 0, i64::from(p) + 1);
        let digits = self.pad(&x.m, 2);
        let digits = match self.int_unsigned(&below) {
            Some(amount) => self.shift_sticky(&digits, &amount),
            None => digits,
        };
        let [odd, guard, sticky] = [2, 1, 0].map(|index| self.bit(&digits, index));
        let away = self.is_away(mode, &x.negative, &odd, &guard, &sticky);
        let kept = self.high(&digits, p);
        let kept = self.extend(&kept, p + 1);
        self.increment(&kept, &away)
    }

    /// `fp.roundToIntegral`.
    pub(super) fn round_to_integral(&mut self, format: Format, mode: &B::Word, packed: &B::Word) -> B::Word {
        let x = self.parts(format, packed);
        let digits = self.integral(format, mode, &x);
        let (negative, zero) = (x.negative.clone(), x.negative.clone());
        let number = Digits {
            negative,
            digits,
            last: self.int(0),
            leading_zeros: format.significand_bits(),
            is_multiple: false,
            zero,
        };
        let rounded = self.round(format, mode, &number);
        // Numbers whose last digit is before the point are integral. So would infinities and NaN be, but for
        // formats of few exponents.
        let has_places = self.int_below(&x.last, 0);
        let special = self.or(&x.nan, &x.infinite);
        let is_rounded = self.and_not(&has_places, &special);
        self.ite(&is_rounded, &rounded, packed)
    }
}
