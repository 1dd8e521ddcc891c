//! The numbers that coefficients are.
//!
//! A ring is a value, since the width of words and the divisor of remainders are known only when a formula is
//! read; its numbers are plain values without it. Everything over a ring is compiled for it alone.

use bivalve_terms::BitVec;
use num_bigint::{BigInt, BigUint};
use std::fmt::Debug;
use std::hash::Hash;

/// A number by which laws multiply parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// 1
    One,
    /// -1
    MinusOne,
    /// 2 to the power of this.
    Power(u32),
}

/// A commutative ring with one.
pub trait Ring: Clone + PartialEq + Eq + Hash + Debug {
    /// A number. Equal numbers of one ring are equal values.
    type Number: Clone + PartialEq + Eq + Hash + Debug;
    /// The number that is so many times one.
    fn number(&self, value: i64) -> Self::Number;
    /// 2 to the power of a number.
    fn power(&self, exponent: u32) -> Self::Number;
    /// The number that a weight is.
    fn weight(&self, weight: Weight) -> Self::Number {
        match weight {
            Weight::One => self.number(1),
            Weight::MinusOne => self.number(-1),
            Weight::Power(exponent) => self.power(exponent),
        }
    }
    /// Is it zero?
    fn is_zero(&self, number: &Self::Number) -> bool;
    /// Adds a number to another one.
    fn add(&self, to: &mut Self::Number, number: &Self::Number);
    /// The product.
    fn mul(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
}

/// The integers modulo a power of two.
pub trait Binary: Ring {
    /// What one operation costs, in operations on machine words.
    const COST: usize;
    /// The exponent of the power.
    fn width(&self) -> u32;
    /// The number that a word is.
    fn read(&self, value: &BitVec) -> Self::Number;
    /// The word that a number is.
    fn write(&self, number: &Self::Number) -> BitVec;
    /// How often a number is divisible by two; the width for zero.
    fn trailing_zeros(&self, number: &Self::Number) -> u32;
    /// The quotient by 2 to the power of `zeros`, its trailing zeros or fewer of them.
    fn divide(&self, number: &Self::Number, zeros: u32) -> Self::Number {
        self.read(&self.write(number).lshr_by(zeros))
    }
    /// The negation.
    fn neg(&self, number: &Self::Number) -> Self::Number {
        self.read(&self.write(number).neg())
    }
}

/// The integers modulo two to the power of a width, of any size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Words(pub u32);

impl Ring for Words {
    type Number = BitVec;

    fn number(&self, value: i64) -> BitVec {
        let size = BitVec::from_u64(value.unsigned_abs(), self.0);
        if value < 0 { size.neg() } else { size }
    }

    fn power(&self, exponent: u32) -> BitVec {
        BitVec::one(self.0).shl_by(exponent)
    }

    fn is_zero(&self, number: &BitVec) -> bool {
        number.is_zero()
    }

    fn add(&self, to: &mut BitVec, number: &BitVec) {
        *to = to.add(number);
    }

    fn mul(&self, a: &BitVec, b: &BitVec) -> BitVec {
        a.mul(b)
    }
}

/// Operations on words of any size take so many times as long as those on machine words.
const COST_OF_WORDS: usize = 40;

impl Binary for Words {
    const COST: usize = COST_OF_WORDS;

    fn width(&self) -> u32 {
        self.0
    }

    fn read(&self, value: &BitVec) -> BitVec {
        value.clone()
    }

    fn write(&self, number: &BitVec) -> BitVec {
        number.clone()
    }

    fn trailing_zeros(&self, number: &BitVec) -> u32 {
        number.trailing_zeros()
    }
}

/// The integers modulo two to the power of a width of at most 64 bits, as machine words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SmallWords {
    width: u32,
    mask: u64,
}

impl SmallWords {
    /// Panics above 64 bits.
    pub fn new(width: u32) -> SmallWords {
        assert!((1..=64).contains(&width), "a machine word has 1 to 64 bits");
        SmallWords { width, mask: u64::MAX >> (64 - width) }
    }
}

impl Ring for SmallWords {
    type Number = u64;

    fn number(&self, value: i64) -> u64 {
        value.cast_unsigned() & self.mask
    }

    fn power(&self, exponent: u32) -> u64 {
        1u64.checked_shl(exponent).unwrap_or(0) & self.mask
    }

    fn is_zero(&self, number: &u64) -> bool {
        *number == 0
    }

    fn add(&self, to: &mut u64, number: &u64) {
        *to = to.wrapping_add(*number) & self.mask;
    }

    fn mul(&self, a: &u64, b: &u64) -> u64 {
        a.wrapping_mul(*b) & self.mask
    }
}

impl Binary for SmallWords {
    const COST: usize = 1;

    fn width(&self) -> u32 {
        self.width
    }

    fn read(&self, value: &BitVec) -> u64 {
        value.low_u64() & self.mask
    }

    fn write(&self, number: &u64) -> BitVec {
        BitVec::from_u64(*number, self.width)
    }

    fn trailing_zeros(&self, number: &u64) -> u32 {
        number.trailing_zeros().min(self.width)
    }
}

/// The integers modulo a number that is not negative, as numbers between zero and it. Modulo zero, numbers
/// are congruent only if they are equal, so these are the integers themselves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Residues(pub BigInt);

impl Residues {
    /// The integers.
    pub const INTEGERS: Residues = Residues(BigInt::ZERO);

    /// The number that an integer is congruent to.
    pub fn reduced(&self, value: BigInt) -> BigInt {
        if self.0 == BigInt::ZERO || (value >= BigInt::ZERO && value < self.0) {
            return value;
        }
        let rest = value % &self.0;
        if rest < BigInt::ZERO { rest + &self.0 } else { rest }
    }

    /// The number whose product with this one is one.
    pub fn inverse(&self, number: &BigInt) -> Option<BigInt> {
        if self.0 == BigInt::ZERO { None } else { number.modinv(&self.0) }
    }
}

impl Ring for Residues {
    type Number = BigInt;

    fn number(&self, value: i64) -> BigInt {
        self.reduced(BigInt::from(value))
    }

    fn power(&self, exponent: u32) -> BigInt {
        match self.0 == BigInt::ZERO {
            true => BigInt::from(1) << exponent,
            false => BigInt::from(2).modpow(&BigInt::from(exponent), &self.0),
        }
    }

    fn is_zero(&self, number: &BigInt) -> bool {
        *number == BigInt::ZERO
    }

    fn add(&self, to: &mut BigInt, number: &BigInt) {
        *to += number;
        if self.0 != BigInt::ZERO && *to >= self.0 {
            *to -= &self.0;
        }
    }

    fn mul(&self, a: &BigInt, b: &BigInt) -> BigInt {
        self.reduced(a * b)
    }
}

/// The value of a word without sign.
pub fn integer(value: &BitVec) -> BigInt {
    let digits = value.words().iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
    BigInt::from(BigUint::new(digits))
}

/// The integers modulo two: what is there, is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Parity;

impl Ring for Parity {
    type Number = bool;

    fn number(&self, value: i64) -> bool {
        value & 1 == 1
    }

    fn power(&self, exponent: u32) -> bool {
        exponent == 0
    }

    fn is_zero(&self, number: &bool) -> bool {
        !number
    }

    fn add(&self, to: &mut bool, number: &bool) {
        *to ^= number;
    }

    fn mul(&self, a: &bool, b: &bool) -> bool {
        a & b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The laws of rings, for all small numbers, and that numbers which are equal are equal values.
    fn check<R: Ring>(ring: &R, value: impl Fn(i64) -> i64) {
        for a in -9..9 {
            let x = ring.number(a);
            assert_eq!(ring.is_zero(&x), value(a) == 0, "{ring:?} {a}");
            let power = ring.weight(Weight::Power(a.unsigned_abs() as u32));
            assert_eq!(power, ring.number(1 << a.unsigned_abs()), "{ring:?} {a}");
            for b in -9..9 {
                let (y, mut sum) = (ring.number(b), x.clone());
                ring.add(&mut sum, &y);
                assert_eq!(sum, ring.number(a + b), "{ring:?} {a} {b}");
                assert_eq!(ring.mul(&x, &y), ring.number(a * b), "{ring:?} {a} {b}");
                assert_eq!(x == y, value(a) == value(b), "{ring:?} {a} {b}");
            }
        }
    }

    #[test]
    fn they_are_rings() {
        check(&Words(3), |a| a.rem_euclid(8));
        check(&Words(70), |a| a);
        check(&SmallWords::new(3), |a| a.rem_euclid(8));
        check(&SmallWords::new(64), |a| a);
        check(&Residues::INTEGERS, |a| a);
        check(&Residues(BigInt::from(7)), |a| a.rem_euclid(7));
        check(&Residues(BigInt::from(1)), |_| 0);
        check(&Parity, |a| a.rem_euclid(2));
    }
}
