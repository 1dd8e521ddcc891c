//! Boolean operations bit by bit, reductions, shifts, rotations, cutting and joining.
//!
//! Boolean operations map words to words. All that *moves* bits is said with one idea, the [`window`]: the 64
//! bits of a number that start at any position, which may be negative or beyond the end, where there are only
//! zeros. Word `i` of a shift, an extraction or a concatenation is the window at `64 i` moved by the right
//! distance, and what signed operations fill in is [`ones_from`] the position of the old sign. No case needs
//! whole-word shifts, in-word shifts and ends to be told apart again.
//!
//! Up to 64 bits, shifts are the machine's, guarded for distances of the width and more.

use super::{BitVec, Pair, WORD, Words, sign_extended};

/// The 64 bits of the number `words` that begin at bit `start`; positions outside of it hold zeros.
fn window(words: &[u64], start: i64) -> u64 {
    let word = |index: i64| usize::try_from(index).ok().and_then(|i| words.get(i)).copied().unwrap_or(0);
    let (index, offset) = (start.div_euclid(64), start.rem_euclid(64));
    if offset == 0 { word(index) } else { word(index) >> offset | word(index + 1) << (64 - offset) }
}

/// Word `index` of the infinite number whose bits at and above position `start` are ones.
fn ones_from(start: u32, index: usize) -> u64 {
    let base = index as u32 * WORD;
    if start <= base { u64::MAX } else { u64::MAX.checked_shl(start - base).unwrap_or(0) }
}

/// The position of the first bit of word `index`.
fn position(index: usize) -> i64 {
    index as i64 * i64::from(WORD)
}

/// Boolean operations.
impl BitVec {
    /// `bvnot`: every bit inverted.
    #[inline]
    #[must_use]
    pub fn not(&self) -> BitVec {
        match &self.words {
            Words::Small(value) => BitVec::small(!value, self.width),
            Words::Wide(words) => BitVec::wide(words.iter().map(|word| !word).collect(), self.width),
        }
    }

    /// `bvand`.
    ///
    /// # Panics
    /// As every binary method of this type: unless both operands have the same width.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a & b)
    }

    /// `bvor`.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a | b)
    }

    /// `bvxor`.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a ^ b)
    }

    /// `bvnand`.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn nand(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| !(a & b))
    }

    /// `bvnor`.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn nor(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| !(a | b))
    }

    /// `bvxnor`: ones where the operands agree.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn xnor(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| !(a ^ b))
    }

    /// The value whose words are `f` of the operands' words.
    #[inline]
    #[track_caller]
    fn zip(&self, other: &BitVec, f: impl Fn(u64, u64) -> u64) -> BitVec {
        match self.pair(other) {
            Pair::Small(a, b) => BitVec::small(f(a, b), self.width),
            Pair::Wide(a, b) => BitVec::wide(a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect(), self.width),
        }
    }

    /// The conjunction of all bits.
    #[inline]
    pub fn redand(&self) -> bool {
        self.is_ones()
    }

    /// The disjunction of all bits.
    #[inline]
    pub fn redor(&self) -> bool {
        !self.is_zero()
    }

    /// The exclusive or of all bits: is the number of ones odd?
    #[inline]
    pub fn redxor(&self) -> bool {
        self.count_ones() % 2 == 1
    }
}

/// Shifts and rotations. Distances are in bits.
impl BitVec {
    /// `bvshl`: to the left by the unsigned number `amount`, zeros in.
    ///
    /// # Panics
    /// As every binary method of this type: unless both operands have the same width.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn shl(&self, amount: &BitVec) -> BitVec {
        self.shl_by(self.distance(amount))
    }

    /// `bvlshr`: to the right by the unsigned number `amount`, zeros in.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn lshr(&self, amount: &BitVec) -> BitVec {
        self.lshr_by(self.distance(amount))
    }

    /// `bvashr`: to the right by the unsigned number `amount`, copies of the sign in.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn ashr(&self, amount: &BitVec) -> BitVec {
        self.ashr_by(self.distance(amount))
    }

    /// The unsigned number `amount`, or the width if that is less.
    #[inline]
    #[track_caller]
    fn distance(&self, amount: &BitVec) -> u32 {
        let amount = match self.pair(amount) {
            Pair::Small(_, amount) => amount,
            Pair::Wide(_, _) => amount.to_u64().unwrap_or(u64::MAX),
        };
        amount.min(u64::from(self.width)) as u32
    }

    /// To the left by `amount` bits, zeros in; zero for the width and more.
    #[inline]
    #[must_use]
    pub fn shl_by(&self, amount: u32) -> BitVec {
        match &self.words {
            Words::Small(value) => BitVec::small(value.checked_shl(amount).unwrap_or(0), self.width),
            Words::Wide(words) => {
                BitVec::from_word_fn(self.width, |i| window(words, position(i) - i64::from(amount)))
            }
        }
    }

    /// To the right by `amount` bits, zeros in; zero for the width and more.
    #[inline]
    #[must_use]
    pub fn lshr_by(&self, amount: u32) -> BitVec {
        match &self.words {
            Words::Small(value) => BitVec::small(value.checked_shr(amount).unwrap_or(0), self.width),
            Words::Wide(words) => {
                BitVec::from_word_fn(self.width, |i| window(words, position(i) + i64::from(amount)))
            }
        }
    }

    /// To the right by `amount` bits, copies of the sign in; copies of the sign alone for the width and more.
    #[inline]
    #[must_use]
    pub fn ashr_by(&self, amount: u32) -> BitVec {
        let amount = amount.min(self.width - 1);
        match &self.words {
            Words::Small(value) => {
                BitVec::small((sign_extended(*value, self.width) >> amount) as u64, self.width)
            }
            Words::Wide(words) => BitVec::from_word_fn(self.width, |i| {
                let fill = if self.msb() { ones_from(self.width - amount, i) } else { 0 };
                window(words, position(i) + i64::from(amount)) | fill
            }),
        }
    }

    /// `rotate_left`: bits leave at the top and come in at the bottom; `amount` counts modulo the width.
    #[must_use]
    pub fn rotate_left(&self, amount: impl Into<u64>) -> BitVec {
        let amount = (amount.into() % u64::from(self.width)) as u32;
        self.shl_by(amount).or(&self.lshr_by(self.width - amount))
    }

    /// `rotate_right`: bits leave at the bottom and come in at the top; `amount` counts modulo the width.
    #[must_use]
    pub fn rotate_right(&self, amount: impl Into<u64>) -> BitVec {
        let amount = amount.into() % u64::from(self.width);
        self.rotate_left(u64::from(self.width) - amount)
    }

    /// [`rotate_left`](BitVec::rotate_left) by the unsigned number `amount`.
    ///
    /// # Panics
    /// As every binary method of this type: unless both operands have the same width.
    #[must_use]
    #[track_caller]
    pub fn rotate_left_by(&self, amount: &BitVec) -> BitVec {
        self.rotate_left(self.rotation(amount))
    }

    /// [`rotate_right`](BitVec::rotate_right) by the unsigned number `amount`.
    #[must_use]
    #[track_caller]
    pub fn rotate_right_by(&self, amount: &BitVec) -> BitVec {
        self.rotate_right(self.rotation(amount))
    }

    /// The unsigned number `amount` modulo the width, by Horner's rule over its words.
    #[track_caller]
    fn rotation(&self, amount: &BitVec) -> u64 {
        let width = u128::from(self.width);
        match self.pair(amount) {
            Pair::Small(_, amount) => amount % u64::from(self.width),
            Pair::Wide(_, amount) => {
                amount.iter().rev().fold(0, |rest, &word| (rest << 64 | u128::from(word)) % width) as u64
            }
        }
    }
}

/// Cutting and joining.
impl BitVec {
    /// `concat`: the bits of `self` above the bits of `low`.
    ///
    /// # Panics
    /// If the sum of the widths exceeds [`BitVec::MAX_WIDTH`].
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn concat(&self, low: &BitVec) -> BitVec {
        let width = self.width + low.width;
        match (&self.words, &low.words) {
            (Words::Small(a), Words::Small(b)) if width <= WORD => BitVec::small(a << low.width | b, width),
            _ => BitVec::from_word_fn(width, |i| {
                let below = low.words().get(i).copied().unwrap_or(0);
                below | window(self.words(), position(i) - i64::from(low.width))
            }),
        }
    }

    /// `extract`: the bits from `low` up to and with `high`.
    ///
    /// # Panics
    /// Unless `low <= high < width`.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn extract(&self, high: u32, low: u32) -> BitVec {
        assert!(
            low <= high && high < self.width,
            "bits {high} to {low} are no part of a bit-vector of {} bits",
            self.width
        );
        let width = high - low + 1;
        match &self.words {
            Words::Small(value) => BitVec::small(value >> low, width),
            Words::Wide(words) => {
                BitVec::from_word_fn(width, |i| window(words, position(i) + i64::from(low)))
            }
        }
    }

    /// `zero_extend`: `extra` zeros above.
    ///
    /// # Panics
    /// If the new width exceeds [`BitVec::MAX_WIDTH`].
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn zero_extend(&self, extra: u32) -> BitVec {
        BitVec::from_words(self.words(), self.width.saturating_add(extra))
    }

    /// `sign_extend`: `extra` copies of the sign above.
    ///
    /// # Panics
    /// If the new width exceeds [`BitVec::MAX_WIDTH`].
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn sign_extend(&self, extra: u32) -> BitVec {
        let negative = self.msb();
        BitVec::from_word_fn(self.width.saturating_add(extra), |i| {
            let word = self.words().get(i).copied().unwrap_or(0);
            if negative { word | ones_from(self.width, i) } else { word }
        })
    }

    /// `repeat`: `count` copies in a row, by doubling.
    ///
    /// # Panics
    /// If `count` is zero or the new width exceeds [`BitVec::MAX_WIDTH`].
    #[must_use]
    #[track_caller]
    pub fn repeat(&self, count: u32) -> BitVec {
        assert!(count > 0, "a bit-vector is repeated at least once");
        let below_the_top_bit = (0..count.ilog2()).rev();
        below_the_top_bit.fold(self.clone(), |copies, k| {
            let twice = copies.concat(&copies);
            if count >> k & 1 == 1 { twice.concat(self) } else { twice }
        })
    }
}
