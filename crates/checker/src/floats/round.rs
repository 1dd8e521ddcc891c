//! Numbers as their parts, and rounding.

use super::Format;
use super::words::{Int, Words};
use crate::term::{Op, Term};
use num_bigint::BigUint;

/// A number as its parts. The value of a finite one is the significand times two to the power of the exponent
/// minus bias and fraction bits; the significand of a subnormal number begins with a zero.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) negative: Term,
    pub(super) nan: Term,
    pub(super) infinite: Term,
    pub(super) zero: Term,
    pub(super) subnormal: Term,
    /// The bits without the sign; they order numbers of one sign.
    pub(super) magnitude: Term,
    /// The exponent's field, 1 for subnormal numbers.
    pub(super) exponent: Term,
    pub(super) significand: Term,
}

impl Format {
    pub(super) fn fraction(self) -> u32 {
        self.significand - 1
    }

    pub(super) fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The field of infinities and NaN.
    pub(super) fn special(self) -> u32 {
        (1 << self.exponent) - 1
    }

    fn infinity(self) -> BigUint {
        BigUint::from(self.special()) << self.fraction()
    }
}

impl Words<'_> {
    pub(super) fn parts(&self, format: Format, x: Term) -> Parts {
        let (fraction, width) = (format.fraction(), format.width());
        let magnitude = self.extract(x, width - 2, 0);
        let field = self.extract(magnitude, width - 2, fraction);
        let low = self.extract(magnitude, fraction - 1, 0);
        let (is_low, is_special, is_whole) =
            (self.is(field, 0), self.is(field, format.special()), self.is(low, 0));
        let least = self.ite(is_low, self.value(1, 1u8), self.extract(field, 0, 0));
        Parts {
            negative: self.at(x, width - 1),
            nan: self.and(&[is_special, self.not(is_whole)]),
            infinite: self.and(&[is_special, is_whole]),
            zero: self.and(&[is_low, is_whole]),
            subnormal: self.and(&[is_low, self.not(is_whole)]),
            magnitude,
            exponent: self.concat(&[self.extract(field, format.exponent - 1, 1), least]),
            significand: self.concat(&[self.bit(self.not(is_low)), low]),
        }
    }

    /// The exponent of the last bit of the significand.
    pub(super) fn unit(&self, format: Format, x: &Parts) -> Int {
        let exponent = self.int(x.exponent, 0, format.special().into());
        self.shifted(exponent, -format.bias() - i64::from(format.fraction()))
    }

    /// The word without zeros in front, and their number; any number for zero.
    pub(super) fn normal(&self, mut word: Term) -> (Term, Int) {
        let width = self.width(word);
        let stages = u32::BITS - (width - 1).leading_zeros();
        let mut count = vec![];
        for stage in (0..stages).rev() {
            let by = 1 << stage;
            let empty = self.is(self.extract(word, width - 1, width - by), 0);
            let moved = self.widen(self.extract(word, width - by - 1, 0), by);
            word = self.ite(empty, moved, word);
            count.push(self.bit(empty));
        }
        (word, self.int(self.concat(&count), 0, (1 << stages) - 1))
    }

    /// The word shifted to the right by at most `most` places; the last bit says, too, whether a bit is lost.
    pub(super) fn shifted_down(&self, word: Term, by: Term, most: u32) -> Term {
        let width = self.width(word);
        let wide = self.widen(word, most);
        let wide = self.mk(Op::BvLshr, &[wide, self.resize(by, width + most)]);
        if most == 0 {
            return wide;
        }
        let lost = self.not(self.is(self.extract(wide, most - 1, 0), 0));
        let last = self.or(&[self.at(wide, most), lost]);
        self.concat(&[self.extract(wide, width + most - 1, most + 1), self.bit(last)])
    }

    pub(super) fn is_mode(&self, mode: Term, place: u32) -> Term {
        self.is(mode, place)
    }

    /// Is a number rounded away from zero: by the last bit that is kept, the next one, and whether one of the
    /// others is set?
    pub(super) fn away(&self, mode: Term, negative: Term, [odd, next, rest]: [Term; 3]) -> Term {
        let [even, ties_away, up, down] = [0, 1, 2, 3].map(|place| self.is_mode(mode, place));
        let (is_inexact, is_beyond) = (self.or(&[next, rest]), self.or(&[rest, odd]));
        self.or(&[
            self.and(&[even, next, is_beyond]),
            self.and(&[ties_away, next]),
            self.and(&[up, self.not(negative), is_inexact]),
            self.and(&[down, negative, is_inexact]),
        ])
    }

    /// The number with this sign that the significand, times two to the power of `unit`, is rounded to. Its
    /// last bit may stand for what is smaller, if there are two bits more than the format has.
    pub(super) fn rounded(
        &self,
        format: Format,
        mode: Term,
        negative: Term,
        significand: Term,
        unit: Int,
    ) -> Term {
        let precision = format.significand;
        let more = (precision + 2).saturating_sub(self.width(significand));
        let (significand, unit) = (self.widen(significand, more), self.shifted(unit, -i64::from(more)));
        let width = self.width(significand);
        let (normal, zeros) = self.normal(significand);
        // The exponent's field, if there were no bounds.
        let field = self.shifted(self.minus(unit, zeros), i64::from(width) - 1 + format.bias());
        let rest = self.not(self.is(self.extract(normal, width - precision - 2, 0), 0));
        let kept = self.concat(&[self.extract(normal, width - 1, width - precision - 1), self.bit(rest)]);
        let down = self.clamped(self.minus(self.number(1), field), 0, precision + 1);
        let kept = self.shifted_down(kept, down, precision + 1);
        let away = self.away(mode, negative, [2, 1, 0].map(|place| self.at(kept, place)));
        let bits = self.ite(
            self.below(field, 1),
            self.value(format.exponent, 0u8),
            self.bits(field, format.exponent),
        );
        let magnitude = self.concat(&[bits, self.extract(kept, format.fraction() + 1, 2)]);
        let magnitude = self.add(magnitude, self.extend(self.bit(away), format.width() - 2));
        // What is too large is infinite, or the largest number.
        let yes = self.truth(true);
        let largest = self.value(format.width() - 1, format.infinity() - 1u8);
        let infinity = self.value(format.width() - 1, format.infinity());
        let bound = self.ite(self.away(mode, negative, [yes; 3]), infinity, largest);
        let magnitude = self.ite(self.below(field, format.special().into()), magnitude, bound);
        let is_zero = self.not(self.at(normal, width - 1));
        let magnitude = self.ite(is_zero, self.value(format.width() - 1, 0u8), magnitude);
        self.concat(&[self.bit(negative), magnitude])
    }

    pub(super) fn nan(&self, format: Format) -> Term {
        self.value(format.width(), format.infinity() + (BigUint::from(1u8) << (format.fraction() - 1)))
    }

    pub(super) fn infinity(&self, format: Format, negative: Term) -> Term {
        self.concat(&[self.bit(negative), self.value(format.width() - 1, format.infinity())])
    }

    /// NaN or an infinity where these are said, else the number.
    pub(super) fn special(&self, format: Format, nan: Term, infinite: (Term, Term), number: Term) -> Term {
        let number = self.ite(infinite.0, self.infinity(format, infinite.1), number);
        self.ite(nan, self.nan(format), number)
    }
}
