//! Intervals of integers: what each operation makes of them.

use num_bigint::{BigInt, Sign};

/// The integers from `low` to `high`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) low: BigInt,
    pub(crate) high: BigInt,
}

impl Interval {
    pub(crate) fn new(low: BigInt, high: BigInt) -> Interval {
        Interval { low, high }
    }

    /// The least interval that has all these integers; there is at least one.
    fn hull<const N: usize>(integers: [BigInt; N]) -> Interval {
        let low = integers.iter().min().expect("an integer").clone();
        Interval { low, high: integers.into_iter().max().expect("an integer") }
    }

    /// The bits that hold every integer of the interval as signed.
    pub(crate) fn width(&self) -> u64 {
        let bits = |n: &BigInt| match n.sign() {
            Sign::Minus => (n + 1u32).bits() + 1,
            Sign::NoSign | Sign::Plus => n.bits() + 1,
        };
        bits(&self.low).max(bits(&self.high))
    }

    /// The greatest absolute value.
    fn magnitude(&self) -> BigInt {
        self.low.magnitude().max(self.high.magnitude()).clone().into()
    }

    fn is_negative(&self) -> bool {
        self.high.sign() == Sign::Minus
    }

    pub(crate) fn has_negatives(&self) -> bool {
        self.low.sign() == Sign::Minus
    }

    pub(crate) fn has_zero(&self) -> bool {
        !self.is_negative() && self.low.sign() != Sign::Plus
    }

    /// The values of a bit-vector as unsigned.
    pub(crate) fn unsigned(width: u32) -> Interval {
        Interval::new(BigInt::ZERO, (BigInt::from(1u32) << width) - 1u32)
    }

    /// The values of a bit-vector as signed.
    pub(crate) fn signed(width: u32) -> Interval {
        let half = BigInt::from(1u32) << (width - 1);
        Interval::new(-&half, half - 1u32)
    }

    pub(crate) fn union(&self, other: &Interval) -> Interval {
        Interval::hull([&self.low, &self.high, &other.low, &other.high].map(BigInt::clone))
    }

    pub(crate) fn neg(&self) -> Interval {
        Interval::new(-&self.high, -&self.low)
    }

    pub(crate) fn add(&self, other: &Interval) -> Interval {
        Interval::new(&self.low + &other.low, &self.high + &other.high)
    }

    pub(crate) fn sub(&self, other: &Interval) -> Interval {
        Interval::new(&self.low - &other.high, &self.high - &other.low)
    }

    pub(crate) fn mul(&self, other: &Interval) -> Interval {
        let (a, b) = (self, other);
        Interval::hull([&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high])
    }

    pub(crate) fn abs(&self) -> Interval {
        let low = match (self.has_negatives(), self.is_negative()) {
            (false, _) => self.low.clone(),
            (_, true) => -&self.high,
            (_, false) => BigInt::ZERO,
        };
        Interval::new(low, self.magnitude())
    }

    /// The Euclidean quotients by divisors other than zero.
    pub(crate) fn div(&self, other: &Interval) -> Interval {
        match self.is_natural_with(other) {
            true => Interval::new(&self.low / &other.high, &self.high / &other.low),
            // By a divisor of absolute value one the quotient is as large as the dividend, never larger.
            false => Interval::new(-self.magnitude(), self.magnitude()),
        }
    }

    /// The Euclidean remainders by divisors other than zero.
    pub(crate) fn modulo(&self, other: &Interval) -> Interval {
        let high = match self.is_natural_with(other) {
            true => (&other.high - 1u32).min(self.high.clone()),
            false => other.magnitude() - 1u32,
        };
        Interval::new(BigInt::ZERO, high)
    }

    /// Are there no negative integers here and there?
    pub(crate) fn is_natural_with(&self, other: &Interval) -> bool {
        !self.has_negatives() && !other.has_negatives()
    }
}
