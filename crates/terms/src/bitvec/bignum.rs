//! The interface to the big-integer library.
//!
//! Multiplication above a few thousand bits, division above 128 bits and decimal numerals are classical
//! algorithms (Karatsuba and Toom-3; Knuth's algorithm D and Burnikel-Ziegler; divide and conquer over powers
//! of ten) which this project neither invents nor improves: they come from `num-bigint`. Numbers cross the
//! interface as little-endian words; each crossing costs time linear in the words and one or two allocations.
//! The tests compare the results with an unrelated library.

use super::BitVec;
use num_bigint::BigUint;

/// The number with these words, least significant first.
pub(super) fn from_words(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

/// `number` modulo 2^width.
pub(super) fn to_bit_vec(number: &BigUint, width: u32) -> BitVec {
    let mut digits = number.iter_u64_digits();
    BitVec::from_word_fn(width, |_| digits.next().unwrap_or(0))
}
