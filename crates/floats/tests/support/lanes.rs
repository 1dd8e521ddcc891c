//! A builder that evaluates circuits in 64 points at once: a word is a list of bits, lowest first, and a bit
//! is a machine word that has its value in each of the points.

use bivalve_floats::circuits::{Words, restoring_root};
use bivalve_floats::num_bigint::BigUint;

/// The builder. It counts the gates that it evaluates, those with constants among them.
#[derive(Default)]
pub(crate) struct Lanes {
    pub(crate) gates: u64,
}

/// A word in all points.
pub(crate) type Word = Vec<u64>;

/// The word that has these values in the points.
pub(crate) fn pack(width: u32, values: &[BigUint]) -> Word {
    let bit = |index| values.iter().zip(0..).map(|(value, lane)| u64::from(value.bit(index)) << lane).sum();
    (0..u64::from(width)).map(bit).collect()
}

/// The value of a word in a point.
pub(crate) fn unpack(word: &Word, lane: usize) -> BigUint {
    let mut value = BigUint::ZERO;
    for (bit, index) in word.iter().zip(0..) {
        value.set_bit(index, bit >> lane & 1 == 1);
    }
    value
}

impl Lanes {
    fn bitwise(&mut self, a: &Word, b: &Word, gate: fn(u64, u64) -> u64) -> Word {
        assert_eq!(a.len(), b.len(), "operands have one width");
        self.gates += a.len() as u64;
        a.iter().zip(b).map(|(x, y)| gate(*x, *y)).collect()
    }

    /// The sum with a carry in, and the carry out.
    fn sum(&mut self, a: &Word, b: &Word, mut carry: u64) -> (Word, u64) {
        assert_eq!(a.len(), b.len(), "operands have one width");
        self.gates += 5 * a.len() as u64;
        let digit = |(x, y): (&u64, &u64)| {
            let digit = x ^ y ^ carry;
            carry = x & y | carry & (x ^ y);
            digit
        };
        (a.iter().zip(b).map(digit).collect(), carry)
    }

    /// The difference, and whether there was no borrow.
    fn difference(&mut self, a: &Word, b: &Word) -> (Word, u64) {
        let flipped = b.iter().map(|y| !y).collect();
        self.sum(a, &flipped, u64::MAX)
    }

    fn select(&mut self, condition: u64, then: &Word, other: &Word) -> Word {
        assert_eq!(then.len(), other.len(), "branches have one width");
        self.gates += 3 * then.len() as u64;
        then.iter().zip(other).map(|(x, y)| condition & x | !condition & y).collect()
    }
}

impl Words for Lanes {
    type Word = Word;

    fn width(&self, a: &Word) -> u32 {
        a.len() as u32
    }

    fn constant(&mut self, width: u32, value: &BigUint) -> Word {
        assert!(width > 0 && value.bits() <= u64::from(width), "{value} has {width} bits");
        (0..u64::from(width)).map(|index| if value.bit(index) { u64::MAX } else { 0 }).collect()
    }

    fn not(&mut self, a: &Word) -> Word {
        a.iter().map(|x| !x).collect()
    }

    fn and(&mut self, a: &Word, b: &Word) -> Word {
        self.bitwise(a, b, |x, y| x & y)
    }

    fn or(&mut self, a: &Word, b: &Word) -> Word {
        self.bitwise(a, b, |x, y| x | y)
    }

    fn xor(&mut self, a: &Word, b: &Word) -> Word {
        self.bitwise(a, b, |x, y| x ^ y)
    }

    fn add(&mut self, a: &Word, b: &Word) -> Word {
        self.sum(a, b, 0).0
    }

    fn sub(&mut self, a: &Word, b: &Word) -> Word {
        self.difference(a, b).0
    }

    fn mul(&mut self, a: &Word, b: &Word) -> Word {
        let mut sum = vec![0; a.len()];
        for (index, bit) in b.iter().enumerate() {
            let row = a.iter().map(|x| x & bit);
            let row: Word = std::iter::repeat_n(0, index).chain(row).take(a.len()).collect();
            sum = self.sum(&sum, &row, 0).0;
        }
        sum
    }

    /// By trial subtraction.
    fn div_rem(&mut self, a: &Word, b: &Word) -> (Word, Word) {
        assert!(b.iter().fold(0, |any, bit| any | bit) == u64::MAX, "circuits do not divide by zero");
        let mut wide = b.clone();
        wide.push(0);
        let mut rest = vec![0; wide.len()];
        let mut quotient = vec![0; a.len()];
        for index in (0..a.len()).rev() {
            rest.rotate_right(1);
            rest[0] = a[index];
            let (less, is_enough) = self.difference(&rest, &wide);
            rest = self.select(is_enough, &less, &rest);
            quotient[index] = is_enough;
        }
        rest.pop();
        (quotient, rest)
    }

    fn root(&mut self, a: &Word) -> (Word, Word) {
        restoring_root(self, a)
    }

    fn eq(&mut self, a: &Word, b: &Word) -> Word {
        let differences = self.bitwise(a, b, |x, y| x ^ y);
        vec![!differences.iter().fold(0, |any, bit| any | bit)]
    }

    fn ult(&mut self, a: &Word, b: &Word) -> Word {
        vec![!self.difference(a, b).1]
    }

    fn ite(&mut self, condition: &Word, then: &Word, other: &Word) -> Word {
        assert_eq!(condition.len(), 1, "a condition is one bit");
        self.select(condition[0], then, other)
    }

    fn concat(&mut self, high: &Word, low: &Word) -> Word {
        low.iter().chain(high).copied().collect()
    }

    fn extract(&mut self, a: &Word, high: u32, low: u32) -> Word {
        a[low as usize..=high as usize].to_vec()
    }
}
