//! The remainder, by powers of two.
//!
//! With normalised significands and exponents that differ by `d`, the remainder of `mx * 2^d` by `my` is that
//! of `mx * (2^d mod 2my)`. The modulus is twice the divisor, so that what is left says whether the quotient
//! is odd, which decides where both neighbours are equally near. The power is found by squaring, bit by bit
//! of `d` from the top, so there are about as many remainders of words as the exponent has bits, not as many
//! as it has values. The first bits are just a shift.

use super::{integer::Int, kit::Kit, rounder::Digits, words::Words};
use crate::{Format, RoundingMode};

impl<B: Words> Kit<'_, B> {
    /// `a` modulo `b`, which is not wider, in the width of `b`.
    fn modulo(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        let width = self.width(b);
        let wide = self.extend(b, self.width(a));
        let (_, rest) = self.builder().div_rem(a, &wide);
        self.low(&rest, width)
    }

    /// `2^distance`, or what is the same modulo a word whose top bit is set.
    fn power_of_two(&mut self, distance: &Int<B::Word>, modulus: &B::Word) -> B::Word {
        let width = self.width(modulus);
        let one = self.constant(width, 1u32);
        let Some(exponent) = self.int_unsigned(distance) else {
            return one;
        };
        let bits = self.width(&exponent);
        // As many bits as have a value below the width: the power is a word of it.
        let first = (u32::BITS - width.leading_zeros() - 1).min(bits);
        let shift = self.high(&exponent, first);
        let mut power = self.shl_by(&one, &shift);
        for index in (0..bits - first).rev() {
            let bit = self.bit(&exponent, index);
            let square = self.multiply(&power, &power);
            let square = self.extend(&square, 2 * width + 1);
            let double = self.shl(&square, 1);
            let next = self.ite(&bit, &double, &square);
            power = self.modulo(&next, modulus);
        }
        power
    }

    /// `fp.rem`.
    pub(super) fn remainder(&mut self, format: Format, packed: &B::Word, y: &B::Word) -> B::Word {
        let p = format.significand_bits();
        let (x, y) = (self.parts(format, packed), self.parts(format, y));
        let (mx, last_x) = self.normalised(format, &x);
        let (my, last_y) = self.normalised(format, &y);
        let distance = self.int_sub(&last_x, &last_y);
        let is_small = self.int_below(&distance, -1);
        let is_half = self.int_below(&distance, 0);
        let up_from_zero = self.int_clamp(&distance, 0, i64::MAX >> 2);
        // In places of half of the divisor's last one; the divisor is even there.
        let divisor = self.pad(&my, 1);
        let power = self.power_of_two(&up_from_zero, &divisor);
        let product = self.multiply(&mx, &power);
        let rest = self.modulo(&product, &divisor);
        let my = self.extend(&my, p + 1);
        let is_even = self.ult(&rest, &my);
        let less = self.sub(&rest, &my);
        let rest = self.ite(&is_even, &rest, &less);
        let rest = self.shl(&rest, 1);
        let mx = self.extend(&mx, p + 1);
        let rest = self.ite(&is_half, &mx, &rest);
        let other = self.or(&is_half, &is_even);
        let odd = self.not(&other);
        // To the other side, if that is nearer.
        let (is_above, is_tie) = (self.ult(&my, &rest), self.eq(&my, &rest));
        let is_odd_tie = self.and(&is_tie, &odd);
        let is_up = self.or(&is_above, &is_odd_tie);
        let complement = self.sub(&divisor, &rest);
        let digits = self.ite(&is_up, &complement, &rest);
        let number = Digits {
            negative: self.xor(&x.negative, &is_up),
            digits,
            last: self.int_offset(&last_y, -1),
            leading_zeros: p,
            is_multiple: false,
            zero: x.negative.clone(),
        };
        // Exact, so that the mode does not matter.
        let mode = self.constant(RoundingMode::CODE_BITS, RoundingMode::TowardZero.code());
        let rounded = self.round(format, &mode, &number);
        let is_itself = self.any([&x.zero, &y.infinite, &is_small]);
        let result = self.ite(&is_itself, packed, &rounded);
        let nan = self.any([&x.nan, &y.nan, &x.infinite, &y.zero]);
        self.or_nan(format, &nan, &result)
    }
}
