//! Sums, products and inverses modulo 2^w.
//!
//! Two's complement makes these the same for signed and unsigned numbers, so each is written once. Wide sums
//! run a carry through the words. A wide product needs only its low half: the schoolbook method then
//! multiplies the words `(i, j)` with `i + j` below the length, half of all pairs, which beats the faster
//! methods of the library (they cannot drop the high half) up to [`SCHOOLBOOK_WORDS`].
//!
//! The inverse of an odd number `a` is Newton's iteration in the 2-adic integers: if `a * x = 1 - e` with `e`
//! divisible by 2^k, then `x' = x * (2 - a * x)` has `a * x' = (1 - e) * (1 + e) = 1 - e^2`, so the number of
//! right bits doubles. It starts from `x = a`, right in three bits because the square of an odd number is 1
//! modulo 8, and for wide numbers the precision grows with the right bits, so that the whole costs little
//! more than its last step.

use super::{BitVec, Pair, WORD, Words, bignum};

/// Up to this many words the schoolbook product is no slower than the library's (measured).
const SCHOOLBOOK_WORDS: usize = 256;

impl BitVec {
    /// `bvneg`: the negative modulo 2^width. The least signed number is its own negative.
    #[inline]
    #[must_use]
    pub fn neg(&self) -> BitVec {
        match &self.words {
            Words::Small(value) => BitVec::small(value.wrapping_neg(), self.width),
            Words::Wide(words) => {
                let mut carry = true;
                BitVec::wide(words.iter().map(|&word| add_step(!word, 0, &mut carry)).collect(), self.width)
            }
        }
    }

    /// `bvadd`: the sum modulo 2^width.
    ///
    /// # Panics
    /// As every binary method of this type: unless both operands have the same width.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn add(&self, other: &BitVec) -> BitVec {
        match self.pair(other) {
            Pair::Small(a, b) => BitVec::small(a.wrapping_add(b), self.width),
            Pair::Wide(a, b) => {
                let mut carry = false;
                let sum = a.iter().zip(b).map(|(&a, &b)| add_step(a, b, &mut carry)).collect();
                BitVec::wide(sum, self.width)
            }
        }
    }

    /// `bvsub`: the difference modulo 2^width.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn sub(&self, other: &BitVec) -> BitVec {
        match self.pair(other) {
            Pair::Small(a, b) => BitVec::small(a.wrapping_sub(b), self.width),
            Pair::Wide(a, b) => {
                // a - b = a + !b + 1 modulo 2^(64 n).
                let mut carry = true;
                let difference = a.iter().zip(b).map(|(&a, &b)| add_step(a, !b, &mut carry)).collect();
                BitVec::wide(difference, self.width)
            }
        }
    }

    /// `bvmul`: the product modulo 2^width.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn mul(&self, other: &BitVec) -> BitVec {
        match self.pair(other) {
            Pair::Small(a, b) => BitVec::small(a.wrapping_mul(b), self.width),
            Pair::Wide(a, b) if a.len() <= SCHOOLBOOK_WORDS => BitVec::wide(low_product(a, b), self.width),
            Pair::Wide(a, b) => {
                bignum::to_bit_vec(&(bignum::from_words(a) * bignum::from_words(b)), self.width)
            }
        }
    }

    /// The multiplicative inverse modulo 2^width: `Some(x)` with `self * x = 1` for an odd number,
    /// `None` for an even one, which has none.
    #[must_use]
    pub fn odd_inverse(&self) -> Option<BitVec> {
        if !self.lsb() {
            return None;
        }
        let low = inverse_of_odd_word(self.low_u64());
        let mut precision = self.width.min(WORD);
        let mut inverse = BitVec::from_u64(low, precision);
        while precision < self.width {
            precision = self.width.min(2 * precision);
            let value = BitVec::from_words(self.words(), precision);
            let guess = BitVec::from_words(inverse.words(), precision);
            inverse = guess.mul(&BitVec::from_u64(2, precision).sub(&value.mul(&guess)));
        }
        Some(inverse)
    }
}

/// One word of a sum; `carry` goes in and comes out.
#[inline]
fn add_step(a: u64, b: u64, carry: &mut bool) -> u64 {
    let (sum, out) = a.carrying_add(b, *carry);
    *carry = out;
    sum
}

/// The low half of the product of two numbers of equally many words.
fn low_product(a: &[u64], b: &[u64]) -> Box<[u64]> {
    let mut product = vec![0; a.len()].into_boxed_slice();
    for (i, &digit) in a.iter().enumerate().filter(|&(_, &digit)| digit != 0) {
        let mut carry = 0;
        for (slot, &other) in product[i..].iter_mut().zip(b) {
            (*slot, carry) = digit.carrying_mul_add(other, *slot, carry);
        }
    }
    product
}

/// The inverse of an odd number modulo 2^64: the right bits grow 3, 6, 12, 24, 48, 96.
fn inverse_of_odd_word(odd: u64) -> u64 {
    (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}
