//! What an objective is worth: integers, floats and prices, and the range in which an optimum is known to
//! lie.

use bivalve::terms::BigInt;
use bivalve::terms::float::{Float, Rational};
use num_bigint::{BigUint, Sign};
use std::fmt;

/// The value of an objective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// The number that a bit-vector stands for.
    Number(BigInt),
    /// A floating-point number.
    Float(Float),
    /// What the soft constraints cost that do not hold, in lowest terms.
    Price(Rational),
}

/// As Z3 writes values of objectives: `5`, `(- 5)`, `(/ 1.0 3.0)`, `(fp #b0 #b10 #b1)`.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Number(value) => write_integer(f, value),
            Quantity::Float(value) => write!(f, "{value}"),
            Quantity::Price(price) if *price.denominator() == BigUint::from(1u32) => {
                write_integer(f, price.numerator())
            }
            Quantity::Price(price) => write!(f, "{price}"),
        }
    }
}

fn write_integer(f: &mut fmt::Formatter<'_>, value: &BigInt) -> fmt::Result {
    match value.sign() {
        Sign::Minus => write!(f, "(- {})", value.magnitude()),
        _ => write!(f, "{value}"),
    }
}

/// Where an optimum lies: not below the one and not above the other. The best value that is known is one end
/// of it, the upper one of what is minimised; if both are the same, it is the optimum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The lower end.
    pub lower: Quantity,
    /// The upper end.
    pub upper: Quantity,
}

impl Range {
    /// The range of one value.
    pub(crate) fn of(value: Quantity) -> Range {
        Range { lower: value.clone(), upper: value }
    }

    /// The optimum, if it is known.
    pub fn optimum(&self) -> Option<&Quantity> {
        (self.lower == self.upper).then_some(&self.lower)
    }
}

/// As Z3 writes it behind the name of an objective and a blank, with two of them before an interval.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.optimum() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, " (interval {} {})", self.lower, self.upper),
        }
    }
}
