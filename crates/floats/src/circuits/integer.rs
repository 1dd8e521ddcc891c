//! Words with the interval of integers that they may denote.
//!
//! Exponents are sums of fields, biases and counts of leading zeros. How wide such a sum has to be is what
//! goes wrong by hand, at formats that are wide where others are narrow. Here it is computed: an [`Int`] is a
//! word in two's complement of exactly the width that its interval asks for, and the interval of a sum is the
//! sum of the intervals. A comparison that the interval decides is a constant.

use super::{kit::Kit, words::Words};
use num_bigint::BigUint;

/// An integer: a word in two's complement, as wide as its interval asks for.
#[derive(Clone)]
pub(super) struct Int<W> {
    word: W,
    low: i64,
    high: i64,
}

/// The bits of the shortest word in two's complement that holds all of an interval.
fn width_of(low: i64, high: i64) -> u32 {
    let bits = |value: i64| i64::BITS - if value < 0 { !value } else { value }.leading_zeros();
    bits(low).max(bits(high)) + 1
}

impl<B: Words> Kit<'_, B> {
    /// A constant.
    pub(super) fn int(&mut self, value: i64) -> Int<B::Word> {
        let width = width_of(value, value);
        let modulus = 1i128 << width;
        let bits = i128::from(value).rem_euclid(modulus).unsigned_abs();
        Int { word: self.constant(width, BigUint::from(bits)), low: value, high: value }
    }

    /// An unsigned word that is known to be in an interval.
    pub(super) fn int_of(&mut self, word: &B::Word, low: i64, high: i64) -> Int<B::Word> {
        debug_assert!((0..=high).contains(&low));
        let width = width_of(low, high);
        let own = self.width(word);
        let word = if own < width { self.extend(word, width) } else { self.low(word, width) };
        Int { word, low, high }
    }

    /// The word of an integer, in a width that is at least its own.
    fn widened(&mut self, a: &Int<B::Word>, width: u32) -> B::Word {
        match width - self.width(&a.word) {
            0 => a.word.clone(),
            more => {
                let sign = self.top(&a.word);
                let signs = self.repeat(&sign, more);
                self.concat(&signs, &a.word)
            }
        }
    }

    /// Both operands in the width of an interval and of their own.
    fn aligned(
        &mut self,
        a: &Int<B::Word>,
        b: &Int<B::Word>,
        low: i64,
        high: i64,
    ) -> (B::Word, B::Word, u32) {
        let width = width_of(low, high);
        let wide = width.max(self.width(&a.word)).max(self.width(&b.word));
        (self.widened(a, wide), self.widened(b, wide), width)
    }

    pub(super) fn int_add(&mut self, a: &Int<B::Word>, b: &Int<B::Word>) -> Int<B::Word> {
        let (low, high) = (a.low + b.low, a.high + b.high);
        let (x, y, width) = self.aligned(a, b, low, high);
        let sum = self.add(&x, &y);
        Int { word: self.low(&sum, width), low, high }
    }

    pub(super) fn int_sub(&mut self, a: &Int<B::Word>, b: &Int<B::Word>) -> Int<B::Word> {
        let (low, high) = (a.low - b.high, a.high - b.low);
        let (x, y, width) = self.aligned(a, b, low, high);
        let difference = self.sub(&x, &y);
        Int { word: self.low(&difference, width), low, high }
    }

    /// Plus a constant.
    pub(super) fn int_offset(&mut self, a: &Int<B::Word>, by: i64) -> Int<B::Word> {
        if by == 0 {
            return a.clone();
        }
        let by = self.int(by);
        self.int_add(a, &by)
    }

    /// A constant minus it.
    pub(super) fn int_from(&mut self, constant: i64, a: &Int<B::Word>) -> Int<B::Word> {
        let constant = self.int(constant);
        self.int_sub(&constant, a)
    }

    /// Half of it, rounded down.
    pub(super) fn int_half(&mut self, a: &Int<B::Word>) -> Int<B::Word> {
        let (low, high) = (a.low.div_euclid(2), a.high.div_euclid(2));
        let wide = self.widened(a, self.width(&a.word) + 1);
        let half = self.high(&wide, self.width(&a.word));
        Int { word: self.low(&half, width_of(low, high)), low, high }
    }

    /// The last bit.
    pub(super) fn int_odd(&mut self, a: &Int<B::Word>) -> B::Word {
        self.bit(&a.word, 0)
    }

    /// Whether it is less than zero.
    fn int_negative(&mut self, a: &Int<B::Word>) -> B::Word {
        if a.low >= 0 || a.high < 0 { self.truth(a.high < 0) } else { self.top(&a.word) }
    }

    /// Whether it is less than a constant.
    pub(super) fn int_below(&mut self, a: &Int<B::Word>, bound: i64) -> B::Word {
        // Decided before it is computed.
        if a.low >= bound || a.high < bound {
            return self.truth(a.high < bound);
        }
        let difference = self.int_offset(a, -bound);
        self.int_negative(&difference)
    }

    /// Whether it is less than another.
    pub(super) fn int_less(&mut self, a: &Int<B::Word>, b: &Int<B::Word>) -> B::Word {
        let difference = self.int_sub(a, b);
        self.int_negative(&difference)
    }

    pub(super) fn int_equal(&mut self, a: &Int<B::Word>, b: &Int<B::Word>) -> B::Word {
        let width = self.width(&a.word).max(self.width(&b.word));
        let (x, y) = (self.widened(a, width), self.widened(b, width));
        self.eq(&x, &y)
    }

    pub(super) fn int_ite(
        &mut self,
        condition: &B::Word,
        a: &Int<B::Word>,
        b: &Int<B::Word>,
    ) -> Int<B::Word> {
        let (low, high) = (a.low.min(b.low), a.high.max(b.high));
        let (x, y, width) = self.aligned(a, b, low, high);
        debug_assert_eq!(self.width(&x), width);
        Int { word: self.ite(condition, &x, &y), low, high }
    }

    /// The nearest integer of an interval.
    pub(super) fn int_clamp(&mut self, a: &Int<B::Word>, low: i64, high: i64) -> Int<B::Word> {
        let mut clamped = a.clone();
        if a.low < low {
            let (is_below, bound) = (self.int_below(a, low), self.int(low));
            clamped = self.int_ite(&is_below, &bound, &clamped);
        }
        if a.high > high {
            let (is_inside, bound) = (self.int_below(a, high + 1), self.int(high));
            clamped = self.int_ite(&is_inside, &clamped, &bound);
        }
        let (least, most) = (a.low.clamp(low, high), a.high.clamp(low, high));
        self.int_assume(&clamped, least, most)
    }

    /// The same integer, if it is in an interval; something of the interval's width otherwise.
    pub(super) fn int_assume(&mut self, a: &Int<B::Word>, low: i64, high: i64) -> Int<B::Word> {
        let width = width_of(low, high);
        let word =
            if width <= self.width(&a.word) { self.low(&a.word, width) } else { self.widened(a, width) };
        Int { word, low, high }
    }

    /// An integer that is not negative, as an unsigned word. `None` if it is always zero.
    pub(super) fn int_unsigned(&mut self, a: &Int<B::Word>) -> Option<B::Word> {
        debug_assert!(a.low >= 0);
        // The sign bit is zero.
        let width = self.width(&a.word);
        (a.high > 0).then(|| self.low(&a.word, width - 1))
    }

    /// The lowest bits of it.
    pub(super) fn int_low(&mut self, a: &Int<B::Word>, count: u32) -> B::Word {
        let wide = self.widened(a, self.width(&a.word).max(count));
        self.low(&wide, count)
    }
}

#[cfg(test)]
mod tests {
    use super::width_of;

    #[test]
    fn widths() {
        assert_eq!(width_of(0, 0), 1);
        assert_eq!(width_of(-1, 0), 1);
        assert_eq!(width_of(0, 1), 2);
        assert_eq!(width_of(-2, 1), 2);
        assert_eq!(width_of(-3, 1), 3);
        assert_eq!(width_of(5, 8), 5);
        assert_eq!(width_of(-8, 7), 4);
    }
}
