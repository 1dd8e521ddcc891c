//! Bit-vector values: `w` bits, `1 <= w <= 2^24`, with the SMT-LIB operations on them.
//!
//! **Idea.** Nearly every value a solver meets has at most 64 bits, so such a value is one machine word
//! beside its width: nothing is allocated and an operation is one instruction and one mask. A wider value is
//! a boxed slice of words, least significant first. The enum hides in the pointer's niche, so a value has 24
//! bytes in both forms (asserted below).
//!
//! **Invariants**, kept by the two private constructors `BitVec::small` and `BitVec::wide` through which
//! every value is made:
//!
//! 1. *canonical form*: `Words::Small` exactly when the width is at most 64, and otherwise exactly
//!    `ceil(width / 64)` words;
//! 2. *clean top*: the bits of the last word at and above the width are zero.
//!
//! Hence equal values have equal representations (so `Eq` and `Hash` are derived), comparing words compares
//! numbers, and two values of one width have the same form, which is what `BitVec::pair` relies on.
//!
//! **Where is what.** This file: representation, constructors, access. `arithmetic`: sums, products and
//! inverses modulo 2^w. `division`: the six divisions. `bitwise`: Boolean operations, shifts, rotations,
//! cutting and joining. `order`: comparisons. `overflow`: overflow predicates. `text`: numerals. `bignum`:
//! the interface to the big-integer library, for the wide cases whose algorithms are not this project's
//! business.
//!
//! **Meaning.** SMT-LIB 2.7, theory `FixedSizeBitVectors`: division by zero gives all ones, the remainder by
//! zero is the dividend, and a shift by the width or more leaves only what it shifts in.
//!
//! **Panics.** A value of width zero or above [`BitVec::MAX_WIDTH`], operands of unequal width, and bit
//! indices outside of the value are broken invariants of the caller (the sort checker stands before every
//! user input): they panic with a sentence, in release builds too. What reads text returns `Option` instead.
//!
//! **Cost.** At most 64 bits: a few instructions. Wider: linear in the words, except products (quadratic up
//! to a limit, then the library's Karatsuba and Toom-3), divisions and decimal numerals (the library's).

mod arithmetic;
mod bignum;
mod bitwise;
mod division;
mod order;
mod overflow;
#[cfg(test)]
mod tests;
mod text;

/// A bit-vector value: a width in bits and an unsigned number below 2^width.
///
/// The order is by width, then by unsigned value. `Debug` prints `value[width]`, as in `5[8]`; `Display`
/// prints an SMT-LIB binary numeral, as in `#b00000101`; `{:b}` prints the binary digits alone.
///
/// ```
/// use bivalve_terms::BitVec;
/// let five = BitVec::from_u64(5, 8);
/// let minus_two = BitVec::from_u64(2, 8).neg();
/// assert_eq!(five.sdiv(&minus_two), minus_two);
/// assert_eq!(five.smod(&minus_two).to_string(), "#b11111111");
/// assert_eq!(five.udiv(&BitVec::zero(8)), BitVec::ones(8));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec {
    width: u32,
    words: Words,
}

/// The bits of a value. `Small` exactly when the width is at most 64; bits at and above the width are zero.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Words {
    Small(u64),
    Wide(Box<[u64]>),
}

const _: () = assert!(size_of::<BitVec>() <= 24, "a bit-vector value fits three machine words");

/// Two operands of one width, unpacked: both small, or both wide and of equal length.
enum Pair<'a> {
    Small(u64, u64),
    Wide(&'a [u64], &'a [u64]),
}

/// Bits in a word.
const WORD: u32 = u64::BITS;

/// A word whose lowest `width` bits are ones; `1 <= width <= 64`.
#[inline]
const fn low_mask(width: u32) -> u64 {
    u64::MAX >> (WORD - width)
}

/// The number that the lowest `width` bits of `value` denote in two's complement; `1 <= width <= 64`.
#[inline]
const fn sign_extended(value: u64, width: u32) -> i64 {
    ((value << (WORD - width)) as i64) >> (WORD - width)
}

/// The two constructors that keep the invariants, and unpacking.
impl BitVec {
    /// The lowest `width` bits of `value`; `width <= 64`.
    #[inline]
    fn small(value: u64, width: u32) -> BitVec {
        debug_assert!((1..=WORD).contains(&width), "a small value has 1 to 64 bits");
        BitVec { width, words: Words::Small(value & low_mask(width)) }
    }

    /// The lowest `width` bits of `words`; `width > 64` and there are exactly as many words as it needs.
    fn wide(mut words: Box<[u64]>, width: u32) -> BitVec {
        debug_assert!(
            width > WORD && words.len() == width.div_ceil(WORD) as usize,
            "a wide value fills its words"
        );
        if let Some(top) = words.last_mut() {
            *top &= low_mask((width - 1) % WORD + 1);
        }
        BitVec { width, words: Words::Wide(words) }
    }

    /// The value whose word `i` is `word(i)`, cut to `width`. Words are asked for in ascending order.
    #[inline]
    #[track_caller]
    fn from_word_fn(width: u32, mut word: impl FnMut(usize) -> u64) -> BitVec {
        assert!((1..=BitVec::MAX_WIDTH).contains(&width), "a bit-vector has 1 to 2^24 bits, not {width}");
        if width <= WORD {
            BitVec::small(word(0), width)
        } else {
            BitVec::wide((0..width.div_ceil(WORD) as usize).map(word).collect(), width)
        }
    }

    /// Panics unless both operands of a binary operation have the same width.
    #[inline]
    #[track_caller]
    fn assert_same_width(&self, other: &BitVec) {
        assert!(
            self.width == other.width,
            "operands of a bit-vector operation have one width, not {} and {}",
            self.width,
            other.width
        );
    }

    /// Both operands of a binary operation, which must have the same width.
    #[inline]
    #[track_caller]
    fn pair<'a>(&'a self, other: &'a BitVec) -> Pair<'a> {
        self.assert_same_width(other);
        match (&self.words, &other.words) {
            (Words::Small(a), Words::Small(b)) => Pair::Small(*a, *b),
            _ => Pair::Wide(self.words(), other.words()),
        }
    }
}

/// Constructors.
impl BitVec {
    /// The greatest width, in bits: 2^24.
    pub const MAX_WIDTH: u32 = 1 << 24;

    /// The number 0.
    ///
    /// # Panics
    /// As every constructor with a `width`: unless `1 <= width <= MAX_WIDTH`.
    #[inline]
    #[track_caller]
    pub fn zero(width: u32) -> BitVec {
        BitVec::from_word_fn(width, |_| 0)
    }

    /// The number 1.
    #[inline]
    #[track_caller]
    pub fn one(width: u32) -> BitVec {
        BitVec::from_u64(1, width)
    }

    /// All bits one: 2^width - 1 unsigned, -1 signed.
    #[inline]
    #[track_caller]
    pub fn ones(width: u32) -> BitVec {
        BitVec::from_word_fn(width, |_| u64::MAX)
    }

    /// The least signed number, -2^(width-1): the top bit alone.
    #[inline]
    #[track_caller]
    pub fn min_signed(width: u32) -> BitVec {
        let top = width.saturating_sub(1);
        BitVec::from_word_fn(width, |i| if i == (top / WORD) as usize { 1 << (top % WORD) } else { 0 })
    }

    /// The greatest signed number, 2^(width-1) - 1: all bits but the top one.
    #[inline]
    #[track_caller]
    pub fn max_signed(width: u32) -> BitVec {
        BitVec::min_signed(width).not()
    }

    /// One bit: 1 for `true`, 0 for `false`.
    #[inline]
    pub fn from_bool(value: bool) -> BitVec {
        BitVec::small(u64::from(value), 1)
    }

    /// `value` modulo 2^width.
    #[inline]
    #[track_caller]
    pub fn from_u64(value: u64, width: u32) -> BitVec {
        BitVec::from_word_fn(width, |i| if i == 0 { value } else { 0 })
    }

    /// The number with these words, least significant first, modulo 2^width. Missing words are zero.
    #[inline]
    #[track_caller]
    pub fn from_words(words: &[u64], width: u32) -> BitVec {
        BitVec::from_word_fn(width, |i| words.get(i).copied().unwrap_or(0))
    }

    /// The value whose bit `i` is `bit(i)`; bit 0 is the least significant. Bits are asked for in
    /// ascending order.
    #[track_caller]
    pub fn from_fn(width: u32, mut bit: impl FnMut(u32) -> bool) -> BitVec {
        BitVec::from_word_fn(width, |i| {
            let start = i as u32 * WORD;
            let bits = WORD.min(width - start);
            (0..bits).fold(0, |word, k| word | u64::from(bit(start + k)) << k)
        })
    }
}

/// Access.
impl BitVec {
    /// The number of bits.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bits in words, least significant first; bits at and above the width are zero.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.words {
            Words::Small(word) => std::slice::from_ref(word),
            Words::Wide(words) => words,
        }
    }

    /// Bit `index`; bit 0 is the least significant.
    ///
    /// # Panics
    /// Unless `index < width`.
    #[inline]
    #[track_caller]
    pub fn bit(&self, index: u32) -> bool {
        assert!(index < self.width, "bit {index} lies outside of a bit-vector of {} bits", self.width);
        self.words()[(index / WORD) as usize] >> (index % WORD) & 1 == 1
    }

    /// The most significant bit, which is the sign.
    #[inline]
    pub fn msb(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// The least significant bit.
    #[inline]
    pub fn lsb(&self) -> bool {
        self.low_u64() & 1 == 1
    }

    /// The unsigned value, if it is below 2^64.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.words {
            Words::Small(value) => Some(*value),
            Words::Wide(words) => words[1..].iter().all(|&word| word == 0).then(|| words[0]),
        }
    }

    /// The value in two's complement, if it is at least -2^63 and below 2^63.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.words {
            Words::Small(value) => Some(sign_extended(*value, self.width)),
            Words::Wide(_) => {
                let low = self.extract(63, 0);
                let fits = low.sign_extend(self.width - 64) == *self;
                fits.then(|| low.low_u64() as i64)
            }
        }
    }

    /// The unsigned value modulo 2^64.
    #[inline]
    pub fn low_u64(&self) -> u64 {
        self.words()[0]
    }

    /// Is this the number 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.to_u64() == Some(0)
    }

    /// Is this the number 1?
    #[inline]
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// Are all bits ones?
    #[inline]
    pub fn is_ones(&self) -> bool {
        match &self.words {
            Words::Small(value) => *value == low_mask(self.width),
            Words::Wide(_) => self.count_ones() == self.width,
        }
    }

    /// Is this the least signed number, -2^(width-1)?
    #[inline]
    pub fn is_min_signed(&self) -> bool {
        self.trailing_zeros() == self.width - 1
    }

    /// Is this the greatest signed number, 2^(width-1) - 1?
    #[inline]
    pub fn is_max_signed(&self) -> bool {
        !self.msb() && self.count_ones() == self.width - 1
    }

    /// The number of zeros below the lowest one; the width for zero.
    #[inline]
    pub fn trailing_zeros(&self) -> u32 {
        match self.words().iter().position(|&word| word != 0) {
            Some(i) => i as u32 * WORD + self.words()[i].trailing_zeros(),
            None => self.width,
        }
    }

    /// The number of zeros above the highest one; the width for zero.
    #[inline]
    pub fn leading_zeros(&self) -> u32 {
        match self.words().iter().rposition(|&word| word != 0) {
            // The zeros of the top word include those above the width.
            Some(i) => self.width + self.words()[i].leading_zeros() - (i as u32 + 1) * WORD,
            None => self.width,
        }
    }

    /// The number of ones.
    #[inline]
    pub fn count_ones(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// `Some(k)` exactly when the unsigned value is 2^k.
    #[inline]
    pub fn log2_exact(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// The bits, least significant first.
    pub fn bits(&self) -> impl DoubleEndedIterator<Item = bool> + ExactSizeIterator + Clone {
        (0..self.width).map(|index| self.bit(index))
    }
}
