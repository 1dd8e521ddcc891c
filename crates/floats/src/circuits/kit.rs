//! Small words made of smaller ones: constants, extensions, shifts by constants, truth values.

use super::words::Words;
use num_bigint::BigUint;

/// A builder, and what all circuits need of it.
pub(super) struct Kit<'a, B: Words> {
    b: &'a mut B,
}

impl<'a, B: Words> Kit<'a, B> {
    pub(super) fn new(b: &'a mut B) -> Kit<'a, B> {
        Kit { b }
    }

    pub(super) fn builder(&mut self) -> &mut B {
        self.b
    }

    pub(super) fn width(&self, a: &B::Word) -> u32 {
        self.b.width(a)
    }

    pub(super) fn constant(&mut self, width: u32, value: impl Into<BigUint>) -> B::Word {
        self.b.constant(width, &value.into())
    }

    /// All ones.
    pub(super) fn ones(&mut self, width: u32) -> B::Word {
        self.constant(width, (BigUint::from(1u32) << width) - 1u32)
    }

    pub(super) fn zeros(&mut self, width: u32) -> B::Word {
        self.constant(width, 0u32)
    }

    pub(super) fn truth(&mut self, value: bool) -> B::Word {
        self.constant(1, u32::from(value))
    }

    pub(super) fn not(&mut self, a: &B::Word) -> B::Word {
        self.b.not(a)
    }

    pub(super) fn and(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        self.b.and(a, b)
    }

    pub(super) fn or(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        self.b.or(a, b)
    }

    pub(super) fn xor(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        self.b.xor(a, b)
    }

    pub(super) fn all<const N: usize>(&mut self, words: [&B::Word; N]) -> B::Word {
        let first = self.truth(true);
        words.into_iter().fold(first, |all, word| self.b.and(&all, word))
    }

    pub(super) fn any<const N: usize>(&mut self, words: [&B::Word; N]) -> B::Word {
        let first = self.truth(false);
        words.into_iter().fold(first, |any, word| self.b.or(&any, word))
    }

    /// The first and not the second.
    pub(super) fn and_not(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        let not = self.b.not(b);
        self.b.and(a, &not)
    }

    pub(super) fn ite(&mut self, condition: &B::Word, then: &B::Word, other: &B::Word) -> B::Word {
        self.b.ite(condition, then, other)
    }

    pub(super) fn eq(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        self.b.eq(a, b)
    }

    pub(super) fn ult(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        self.b.ult(a, b)
    }

    pub(super) fn equals_zero(&mut self, a: &B::Word) -> B::Word {
        let zero = self.zeros(self.width(a));
        self.b.eq(a, &zero)
    }

    /// Whether some bit is set.
    pub(super) fn any_bit(&mut self, a: &B::Word) -> B::Word {
        let none = self.equals_zero(a);
        self.b.not(&none)
    }

    pub(super) fn all_bits(&mut self, a: &B::Word) -> B::Word {
        let ones = self.ones(self.width(a));
        self.b.eq(a, &ones)
    }

    pub(super) fn add(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        self.b.add(a, b)
    }

    pub(super) fn sub(&mut self, a: &B::Word, b: &B::Word) -> B::Word {
        self.b.sub(a, b)
    }

    /// The word plus one if the condition holds.
    pub(super) fn increment(&mut self, a: &B::Word, condition: &B::Word) -> B::Word {
        let one = self.extend(condition, self.width(a));
        self.b.add(a, &one)
    }

    /// `a + b`, or `a - b` if the condition holds, with one adder: the carry into it is a bit below.
    pub(super) fn add_or_sub(&mut self, a: &B::Word, b: &B::Word, is_sub: &B::Word) -> B::Word {
        let width = self.width(a);
        let mask = self.repeat(is_sub, width);
        let flipped = self.b.xor(b, &mask);
        let one = self.truth(true);
        let (a, b) = (self.concat(a, &one), self.concat(&flipped, is_sub));
        let sum = self.b.add(&a, &b);
        self.extract(&sum, width, 1)
    }

    /// The negation, modulo two to the power of the width.
    pub(super) fn negate(&mut self, a: &B::Word) -> B::Word {
        let zero = self.zeros(self.width(a));
        self.b.sub(&zero, a)
    }

    pub(super) fn concat(&mut self, high: &B::Word, low: &B::Word) -> B::Word {
        self.b.concat(high, low)
    }

    pub(super) fn extract(&mut self, a: &B::Word, high: u32, low: u32) -> B::Word {
        if low == 0 && high + 1 == self.width(a) { a.clone() } else { self.b.extract(a, high, low) }
    }

    /// The lowest bits.
    pub(super) fn low(&mut self, a: &B::Word, count: u32) -> B::Word {
        self.extract(a, count - 1, 0)
    }

    /// The highest bits.
    pub(super) fn high(&mut self, a: &B::Word, count: u32) -> B::Word {
        let width = self.width(a);
        self.extract(a, width - 1, width - count)
    }

    pub(super) fn bit(&mut self, a: &B::Word, index: u32) -> B::Word {
        self.extract(a, index, index)
    }

    /// The highest bit.
    pub(super) fn top(&mut self, a: &B::Word) -> B::Word {
        self.high(a, 1)
    }

    /// A word of one bit, so many times.
    pub(super) fn repeat(&mut self, bit: &B::Word, count: u32) -> B::Word {
        let (zeros, ones) = (self.zeros(count), self.ones(count));
        self.b.ite(bit, &ones, &zeros)
    }

    /// Zeros above, up to a width that is at least the word's.
    pub(super) fn extend(&mut self, a: &B::Word, width: u32) -> B::Word {
        match width - self.width(a) {
            0 => a.clone(),
            more => {
                let zeros = self.zeros(more);
                self.b.concat(&zeros, a)
            }
        }
    }

    /// So many zeros below.
    pub(super) fn pad(&mut self, a: &B::Word, count: u32) -> B::Word {
        if count == 0 {
            return a.clone();
        }
        let zeros = self.zeros(count);
        self.b.concat(a, &zeros)
    }

    /// Shifted left by a constant, in the same width.
    pub(super) fn shl(&mut self, a: &B::Word, by: u32) -> B::Word {
        let width = self.width(a);
        if by >= width {
            return self.zeros(width);
        }
        let kept = self.low(a, width - by);
        self.pad(&kept, by)
    }

    /// Shifted right by a constant, in the same width.
    pub(super) fn lshr(&mut self, a: &B::Word, by: u32) -> B::Word {
        let width = self.width(a);
        if by >= width {
            return self.zeros(width);
        }
        let kept = self.high(a, width - by);
        self.extend(&kept, width)
    }

    /// Shifted left by an unsigned word, in the same width.
    pub(super) fn shl_by(&mut self, a: &B::Word, by: &B::Word) -> B::Word {
        let mut shifted = a.clone();
        for stage in 0..self.width(by) {
            let bit = self.bit(by, stage);
            let more = self.shl(&shifted, 1u32.checked_shl(stage).unwrap_or(u32::MAX));
            shifted = self.ite(&bit, &more, &shifted);
        }
        shifted
    }

    /// Shifted right by an unsigned word, in the same width.
    pub(super) fn lshr_by(&mut self, a: &B::Word, by: &B::Word) -> B::Word {
        let mut shifted = a.clone();
        for stage in 0..self.width(by) {
            let bit = self.bit(by, stage);
            let more = self.lshr(&shifted, 1u32.checked_shl(stage).unwrap_or(u32::MAX));
            shifted = self.ite(&bit, &more, &shifted);
        }
        shifted
    }

    /// The number of leading zeros, unless all bits are zero: by halves, each with whether it has a one.
    pub(super) fn leading_zeros(&mut self, a: &B::Word) -> B::Word {
        let padded = self.width(a).next_power_of_two();
        let padded = self.pad(a, padded - self.width(a));
        match self.first_one(&padded).1 {
            Some(count) => count,
            None => self.truth(false),
        }
    }

    /// Whether a word of two to some power of bits has a one, and how many zeros are above the first.
    fn first_one(&mut self, a: &B::Word) -> (B::Word, Option<B::Word>) {
        let width = self.width(a);
        if width == 1 {
            return (a.clone(), None);
        }
        let (above, below) = (self.high(a, width / 2), self.low(a, width / 2));
        let ((has_above, count_above), (has_below, count_below)) =
            (self.first_one(&above), self.first_one(&below));
        let is_below = self.not(&has_above);
        let count = match (count_above, count_below) {
            (Some(above), Some(below)) => {
                let rest = self.ite(&has_above, &above, &below);
                self.concat(&is_below, &rest)
            }
            _ => is_below,
        };
        (self.or(&has_above, &has_below), Some(count))
    }

    /// Shifted right by an unsigned word, in the same width. The last bit is the disjunction of itself and of
    /// all that are dropped.
    pub(super) fn shift_sticky(&mut self, a: &B::Word, by: &B::Word) -> B::Word {
        let width = self.width(a);
        let mut shifted = a.clone();
        for stage in 0..self.width(by) {
            let bit = self.bit(by, stage);
            let amount = 1u32.checked_shl(stage).unwrap_or(u32::MAX);
            let dropped = self.low(&shifted, amount.min(width - 1).saturating_add(1).min(width));
            let sticky = self.any_bit(&dropped);
            let more = self.lshr(&shifted, amount);
            let more = self.with_last(&more, &sticky);
            shifted = self.ite(&bit, &more, &shifted);
        }
        shifted
    }

    /// The word with another last bit.
    pub(super) fn with_last(&mut self, a: &B::Word, last: &B::Word) -> B::Word {
        let width = self.width(a);
        if width == 1 {
            return last.clone();
        }
        let rest = self.high(a, width - 1);
        self.concat(&rest, last)
    }

    /// The highest bits, and below them one that says whether there are others.
    pub(super) fn compress(&mut self, a: &B::Word, count: u32) -> B::Word {
        let width = self.width(a);
        let kept = self.high(a, count);
        let sticky = if width == count {
            self.truth(false)
        } else {
            let rest = self.low(a, width - count);
            self.any_bit(&rest)
        };
        self.concat(&kept, &sticky)
    }

    /// Shifted left until the highest bit is one, and by how much, if at most `most` leading bits are zero.
    /// Each stage asks whether half of what may still be zero is.
    pub(super) fn normalise(&mut self, a: &B::Word, most: u32) -> (B::Word, Option<B::Word>) {
        let mut word = a.clone();
        let mut count: Option<B::Word> = None;
        let stages = u32::BITS - most.leading_zeros();
        for stage in (0..stages).rev() {
            let amount = 1 << stage;
            let top = self.high(&word, amount.min(self.width(a)));
            let is_zero = self.equals_zero(&top);
            let shifted = self.shl(&word, amount);
            word = self.ite(&is_zero, &shifted, &word);
            count = Some(match count {
                Some(above) => self.concat(&above, &is_zero),
                None => is_zero,
            });
        }
        (word, count)
    }
}
