//! Exact rational numbers: what a finite float denotes.
//!
//! Denominators of floats are powers of two, so a common power of two is all that is cancelled; the other
//! denominators come from constants and quotients, and live as long as one operation. This is why no greatest
//! common divisor is computed, which on a thousand words would cost more than everything else.

use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A rational number.
#[derive(Clone, Debug)]
pub struct Rational {
    numerator: BigInt,
    denominator: BigUint,
}

impl Rational {
    /// A numerator over a denominator; `None` if that is zero.
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigUint>) -> Option<Rational> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        let zeros = denominator.trailing_zeros()?;
        let shared = numerator.trailing_zeros().map_or(zeros, |own| own.min(zeros));
        let is_zero = numerator.sign() == Sign::NoSign;
        let denominator = if is_zero { BigUint::from(1u32) } else { denominator >> shared };
        Some(Rational { numerator: numerator >> shared, denominator })
    }

    /// An integer.
    pub fn from_integer(value: impl Into<BigInt>) -> Rational {
        Rational { numerator: value.into(), denominator: BigUint::from(1u32) }
    }

    /// `value * 2^exponent`.
    pub fn scaled(value: impl Into<BigInt>, exponent: i64) -> Rational {
        let value = value.into();
        let numerator = if exponent > 0 { value << exponent } else { value };
        let denominator = BigUint::from(1u32) << exponent.min(0).unsigned_abs();
        match Rational::new(numerator, denominator) {
            Some(rational) => rational,
            None => unreachable!("a power of two is not zero"),
        }
    }

    /// The numerator, with the sign. It may have an odd factor in common with the denominator.
    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    /// The denominator.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Whether the number is less than zero.
    pub fn is_negative(&self) -> bool {
        self.numerator.sign() == Sign::Minus
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.numerator.sign() == Sign::NoSign
    }

    /// The number without its sign.
    pub fn magnitude(&self) -> Rational {
        Rational {
            numerator: self.numerator.magnitude().clone().into(),
            denominator: self.denominator.clone(),
        }
    }

    /// The greatest integer `e` with `2^e` not above the magnitude; `None` of zero.
    pub fn log2(&self) -> Option<i64> {
        if self.is_zero() {
            return None;
        }
        let (above, below) = (self.numerator.magnitude(), &self.denominator);
        // `above` is in [2^(a-1), 2^a) and `below` in [2^(b-1), 2^b), so the logarithm is `a - b` or one
        // less.
        let guess = above.bits() as i64 - below.bits() as i64;
        let is_too_much = match guess {
            0.. => *above < below << guess.unsigned_abs(),
            _ => above << guess.unsigned_abs() < *below,
        };
        Some(guess - i64::from(is_too_much))
    }

    /// The numbers crossed, for comparison.
    fn crossed(&self, other: &Rational) -> (BigInt, BigInt) {
        let own = &self.numerator * BigInt::from(other.denominator.clone());
        (own, &other.numerator * BigInt::from(self.denominator.clone()))
    }

    fn over(numerator: BigInt, denominator: BigUint) -> Rational {
        match Rational::new(numerator, denominator) {
            Some(rational) => rational,
            None => panic!("division by zero"),
        }
    }
}

impl PartialEq for Rational {
    fn eq(&self, other: &Rational) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rational {}

/// The prime number 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// Equal numbers may be written over different denominators; the number modulo a prime is the same.
impl Hash for Rational {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let prime = BigUint::from(PRIME);
        let (mut above, mut below) = (self.numerator.magnitude().clone(), self.denominator.clone());
        let is_multiple = |number: &BigUint| (number % PRIME).bits() == 0;
        // The denominator 0, unless that is because of a factor in common. It is 1 where the number is 0.
        while is_multiple(&below) && is_multiple(&above) {
            (above, below) = (above / PRIME, below / PRIME);
        }
        let inverse = (below % PRIME).modinv(&prime);
        let residue = inverse.map(|inverse| above * inverse % PRIME);
        (self.is_negative(), residue).hash(state);
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        let (own, others) = self.crossed(other);
        own.cmp(&others)
    }
}

/// As SMT-LIB writes the constant: `2.0`, `(/ 1.0 3.0)`, `(- 2.0)` or `(- (/ 1.0 3.0))`.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (above, below) = (self.numerator.magnitude(), &self.denominator);
        let (open, close) = if self.is_negative() { ("(- ", ")") } else { ("", "") };
        match below.bits() {
            1 => write!(f, "{open}{above}.0{close}"),
            _ => write!(f, "{open}(/ {above}.0 {below}.0){close}"),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        Rational { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }
}

impl Add for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        let (own, others) = self.crossed(other);
        Rational::over(own + others, &self.denominator * &other.denominator)
    }
}

impl Sub for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        Rational::over(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }
}

/// Panics if the divisor is zero.
impl Div for &Rational {
    type Output = Rational;

    fn div(self, other: &Rational) -> Rational {
        let sign = BigInt::from(if other.is_negative() { -1 } else { 1 });
        let numerator = &self.numerator * BigInt::from(other.denominator.clone()) * sign;
        Rational::over(numerator, &self.denominator * other.numerator.magnitude())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic() {
        let third = Rational::new(1, 3u32).unwrap();
        let half = Rational::new(-2, 4u32).unwrap();
        assert_eq!(&third + &half, Rational::new(-1, 6u32).unwrap());
        assert_eq!(&third - &half, Rational::new(5, 6u32).unwrap());
        assert_eq!(&third * &half, Rational::new(-1, 6u32).unwrap());
        assert_eq!(&third / &half, Rational::new(-2, 3u32).unwrap());
        assert!(half < third);
        assert_eq!(Rational::new(1, 0u32), None);
        assert_eq!(Rational::new(0, 12u32).unwrap().denominator(), &BigUint::from(1u32));
    }

    #[test]
    fn hashes_tell_numbers_apart_and_not_how_they_are_written() {
        let hash = |above: BigInt, below: BigUint| {
            let mut hasher = std::hash::DefaultHasher::new();
            Rational::new(above, below).unwrap().hash(&mut hasher);
            hasher.finish()
        };
        // Between 1 and 2, where all have one size.
        let prime = BigUint::from(PRIME);
        let mut all = std::collections::BTreeSet::new();
        for number in 0..1_000u32 {
            for factor in [BigUint::from(1u32), 15u32.into(), prime.clone(), &prime * &prime * 3u32] {
                let (above, below) = (&factor * (1_000 + number), &factor * 1_000u32);
                all.insert(hash(above.into(), below));
            }
        }
        assert_eq!(all.len(), 1_000);
        assert_eq!(hash(3.into(), prime.clone()), hash(9.into(), prime * 3u32));
    }

    #[test]
    fn logarithms() {
        let log = |above: i32, below: u32| Rational::new(above, below).unwrap().log2();
        assert_eq!(log(1, 1), Some(0));
        assert_eq!(log(-3, 1), Some(1));
        assert_eq!(log(1, 3), Some(-2));
        assert_eq!(log(2, 3), Some(-1));
        assert_eq!(log(7, 2), Some(1));
        assert_eq!(log(0, 2), None);
    }
}
