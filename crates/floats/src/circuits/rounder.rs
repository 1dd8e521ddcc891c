//! The one rounder.
//!
//! It takes a sign, digits and the exponent of the last one, and makes a packed word: it normalises the
//! digits, shifts those of subnormal values back, keeps as many as the format has, and adds one where the
//! mode says so. The sum is of packed words, so that a carry out of the fraction arrives in the exponent, and
//! that of the largest subnormal value at the least normal one.

use super::{integer::Int, kit::Kit, words::Words};
use crate::{Format, RoundingMode};

/// An exact number, `± digits * 2^last`, or what has the same digits as far as they matter, and a last one
/// that is set if any other is.
pub(super) struct Digits<W> {
    pub(super) negative: W,
    pub(super) digits: W,
    pub(super) last: Int<W>,
    /// How many leading digits of a number that is not zero may be zero.
    pub(super) leading_zeros: u32,
    /// Whether the number is a multiple of the format's smallest value, and its first digit, zero or not,
    /// stands for a normal one: so that no digit is ever shifted out of a subnormal result.
    pub(super) is_multiple: bool,
    /// The sign if the number is zero.
    pub(super) zero: W,
}

/// Digits, shifted to where the format has them.
struct Placed<W> {
    /// The exponent field, unless the result is subnormal; not bounded above.
    exponent: Int<W>,
    /// The significand, and below it the first digit dropped, and whether there are others.
    kept: W,
    is_subnormal: W,
    is_nonzero: W,
}

impl<B: Words> Kit<'_, B> {
    pub(super) fn is_mode(&mut self, mode: &B::Word, of: RoundingMode) -> B::Word {
        let code = self.constant(RoundingMode::CODE_BITS, of.code());
        self.eq(mode, &code)
    }

    /// Whether to take the next number away from zero, by sign, last bit kept, first bit dropped, and the
    /// others.
    pub(super) fn is_away(
        &mut self,
        mode: &B::Word,
        negative: &B::Word,
        odd: &B::Word,
        guard: &B::Word,
        sticky: &B::Word,
    ) -> B::Word {
        let inexact = self.or(guard, sticky);
        let broken_tie = self.or(sticky, odd);
        let even = self.and(guard, &broken_tie);
        let up = self.and_not(&inexact, negative);
        let down = self.and(&inexact, negative);
        let mut away = self.truth(false);
        for (of, when) in [
            (RoundingMode::NearestEven, &even),
            (RoundingMode::NearestAway, guard),
            (RoundingMode::TowardPositive, &up),
            (RoundingMode::TowardNegative, &down),
        ] {
            let is_mode = self.is_mode(mode, of);
            let both = self.and(&is_mode, when);
            away = self.or(&away, &both);
        }
        away
    }

    /// The sign of a sum that is exactly zero.
    pub(super) fn sign_of_cancellation(&mut self, mode: &B::Word) -> B::Word {
        self.is_mode(mode, RoundingMode::TowardNegative)
    }

    /// Normalised, and shifted back if the exponent is too small.
    fn place(
        &mut self,
        format: Format,
        digits: &B::Word,
        last: &Int<B::Word>,
        zeros: u32,
    ) -> Placed<B::Word> {
        let p = format.significand_bits();
        let width = self.width(digits);
        let (digits, count) = self.normalise(digits, zeros);
        let last = self.int_less_zeros(last, count, zeros);
        let exponent = self.int_offset(&last, i64::from(width) - 1 + format.bias());
        let kept = self.compress(&digits, p + 1);
        let below = self.int_from(1, &exponent);
        let below = self.int_clamp(&below, 0, i64::from(p) + 1);
        let kept = match self.int_unsigned(&below) {
            Some(amount) => self.shift_sticky(&kept, &amount),
            None => kept,
        };
        let is_subnormal = self.int_below(&exponent, 1);
        // Normalised digits without a leading one are none.
        Placed { exponent, kept, is_subnormal, is_nonzero: self.top(&digits) }
    }

    /// Normalised as far as the exponent allows. For the count of leading zeros there is a one at the place
    /// where the shift has to end.
    fn place_multiple(&mut self, format: Format, digits: &B::Word, last: &Int<B::Word>) -> Placed<B::Word> {
        let width = self.width(digits);
        let first = self.int_offset(last, i64::from(width) - 1 + format.bias());
        let room = self.int_offset(&first, -1);
        let room = self.int_clamp(&room, 0, i64::from(width));
        let mut end = self.constant(width, num_bigint::BigUint::from(1u32) << (width - 1));
        if let Some(room) = self.int_unsigned(&room) {
            end = self.lshr_by(&end, &room);
        }
        let ended = self.or(digits, &end);
        let count = self.leading_zeros(&ended);
        let exponent = self.int_less_zeros(&first, Some(count.clone()), width - 1);
        let shifted = self.shl_by(digits, &count);
        let hidden = self.top(&shifted);
        Placed {
            exponent,
            kept: self.compress(&shifted, format.significand_bits() + 1),
            is_subnormal: self.not(&hidden),
            is_nonzero: self.any_bit(digits),
        }
    }

    /// The packed word of a number.
    pub(super) fn round(&mut self, format: Format, mode: &B::Word, number: &Digits<B::Word>) -> B::Word {
        let p = format.significand_bits();
        // Digits to drop there have to be.
        let missing = (p + 2).saturating_sub(self.width(&number.digits));
        let digits = self.pad(&number.digits, missing);
        let last = self.int_offset(&number.last, -i64::from(missing));
        let Placed { exponent, kept, is_subnormal, is_nonzero } = if number.is_multiple {
            self.place_multiple(format, &digits, &last)
        } else {
            self.place(format, &digits, &last, number.leading_zeros)
        };
        let [odd, guard, sticky] = [2, 1, 0].map(|index| self.bit(&kept, index));
        let away = self.is_away(mode, &number.negative, &odd, &guard, &sticky);
        let field = self.int_low(&exponent, format.exponent_bits());
        let least = self.zeros(format.exponent_bits());
        let field = self.ite(&is_subnormal, &least, &field);
        let fraction = self.extract(&kept, p, 2);
        let magnitude = self.concat(&field, &fraction);
        let magnitude = self.increment(&magnitude, &away);
        let magnitude = self.bounded(format, mode, &number.negative, &exponent, &magnitude);
        let rounded = self.signed(&number.negative, &magnitude);
        let zero = self.zero(format, &number.zero);
        self.ite(&is_nonzero, &rounded, &zero)
    }

    /// The magnitude, or where it is out of range what the mode has there.
    fn bounded(
        &mut self,
        format: Format,
        mode: &B::Word,
        negative: &B::Word,
        exponent: &Int<B::Word>,
        magnitude: &B::Word,
    ) -> B::Word {
        let is_inside = self.int_below(exponent, i64::from(format.special_exponent()));
        let is_outside = self.not(&is_inside);
        let field = self.high(magnitude, format.exponent_bits());
        let has_carried = self.all_bits(&field);
        let is_outside = self.or(&is_outside, &has_carried);
        // As if there were something to drop beyond the largest value.
        let yes = self.truth(true);
        let away = self.is_away(mode, negative, &yes, &yes, &yes);
        let (infinity, one) = (self.infinite_magnitude(format), self.constant(format.width() - 1, 1u32));
        let largest = self.sub(&infinity, &one);
        let bound = self.ite(&away, &infinity, &largest);
        self.ite(&is_outside, &bound, magnitude)
    }
}
