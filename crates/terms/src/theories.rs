//! Sorts and values of theories that are lowered, in one place: a theory adds a case to each type here.
//! Other files make values and sorts and show them.

use crate::records::RecordValue;
use crate::sort::{Sort, Sorts};
use crate::value::Value;
use bivalve_floats::{Float, Format, Rational, RoundingMode};
use num_bigint::{BigInt, Sign};
use std::fmt;

/// A sort of a theory that is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TheorySort {
    /// `Int`.
    Int,
    /// `Real`, of which there are constants alone.
    Real,
    /// `RoundingMode`.
    RoundingMode,
    /// `(_ FloatingPoint eb sb)`.
    Float(Format),
    /// A record sort, by its number in the store that made it.
    Record(u32),
}

/// A value of such a sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TheoryValue {
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Real(Rational),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// A floating-point number.
    Float(Float),
    /// A record.
    Record(RecordValue),
}

impl TheorySort {
    /// The value that a symbol has when nothing is known of it.
    pub(crate) fn default_value(self, sorts: &Sorts) -> TheoryValue {
        match self {
            TheorySort::Int => TheoryValue::Int(BigInt::ZERO),
            TheorySort::Real => TheoryValue::Real(Rational::from_integer(0)),
            TheorySort::RoundingMode => TheoryValue::RoundingMode(RoundingMode::ALL[0]),
            TheorySort::Float(format) => TheoryValue::Float(Float::zero(format, false)),
            TheorySort::Record(number) => {
                TheoryValue::Record(sorts.records()[number as usize].default_value(sorts))
            }
        }
    }

    /// The number of values, if it is at most 2^32; of a record sort the store knows it.
    pub(crate) fn small_cardinality(self) -> Option<u64> {
        match self {
            TheorySort::Int | TheorySort::Real | TheorySort::Record(_) => None,
            TheorySort::RoundingMode => Some(RoundingMode::ALL.len() as u64),
            // All patterns, but one of NaN for all of them.
            TheorySort::Float(format) if format.width() <= 32 => {
                Some((1 << format.width()) - (2 << format.fraction_bits()) + 3)
            }
            TheorySort::Float(_) => None,
        }
    }

    /// The `i`-th value of a sort with so few, in some fixed order that begins with the default; records have
    /// an order of their own.
    pub(crate) fn nth(self, i: u64) -> TheoryValue {
        match self {
            TheorySort::Int | TheorySort::Real | TheorySort::Record(_) => {
                unreachable!("only small sorts are enumerated")
            }
            TheorySort::RoundingMode => {
                TheoryValue::RoundingMode(RoundingMode::from_code(i).expect("there are so many"))
            }
            TheorySort::Float(format) => {
                // Zero to infinity, the same below zero, and NaN.
                let signed = u64::from(format.special_exponent()) << format.fraction_bits();
                let bits = match i {
                    i if i <= signed => i,
                    i if i <= 2 * signed + 1 => (i - signed - 1) | 1 << (format.width() - 1),
                    _ => signed + 1,
                };
                TheoryValue::Float(Float::from_u128(format, bits.into()).expect("the bits are few"))
            }
        }
    }

    /// A value for each number, for random values; of records the default.
    #[cfg(feature = "testing")]
    pub(crate) fn value_of_number(self, sorts: &Sorts, number: i64) -> TheoryValue {
        match self {
            TheorySort::Record(_) => self.default_value(sorts),
            TheorySort::Int => TheoryValue::Int(number.into()),
            TheorySort::Real => TheoryValue::Real(Rational::scaled(number, -8)),
            TheorySort::RoundingMode => {
                let code = number.unsigned_abs() % RoundingMode::ALL.len() as u64;
                TheoryValue::RoundingMode(RoundingMode::from_code(code).expect("there are so many"))
            }
            TheorySort::Float(format) => {
                let bits = bivalve_floats::from_signed(format.width(), &number.into());
                TheoryValue::Float(Float::from_bits(format, &bits).expect("the bits are few"))
            }
        }
    }
}

/// The sort in SMT-LIB syntax, but for records, whose store has it.
impl fmt::Display for TheorySort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TheorySort::Int => f.write_str("Int"),
            TheorySort::Real => f.write_str("Real"),
            TheorySort::RoundingMode => f.write_str("RoundingMode"),
            TheorySort::Float(format) => write!(f, "{format}"),
            TheorySort::Record(number) => write!(f, "Record{number}"),
        }
    }
}

impl TheoryValue {
    /// What the value is one of.
    pub(crate) fn kind(&self) -> TheorySort {
        match self {
            TheoryValue::Int(_) => TheorySort::Int,
            TheoryValue::Real(_) => TheorySort::Real,
            TheoryValue::RoundingMode(_) => TheorySort::RoundingMode,
            TheoryValue::Float(value) => TheorySort::Float(value.format()),
            TheoryValue::Record(value) => TheorySort::Record(value.definition().number()),
        }
    }

    /// Is there a constant for it? Not for a record with an array in it.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            TheoryValue::Record(record) => record.fields().iter().all(|field| match field {
                Value::Bool(_) | Value::BitVec(_) => true,
                Value::Theory(value) => value.is_constant(),
                Value::Element(..) | Value::Array(_) | Value::Function(_) => false,
            }),
            _ => true,
        }
    }

    /// The integer; `None` for a value of another theory.
    #[inline]
    pub fn as_int(&self) -> Option<&BigInt> {
        if let TheoryValue::Int(value) = self { Some(value) } else { None }
    }

    /// The rational number; `None` for a value of another sort.
    pub fn as_real(&self) -> Option<&Rational> {
        if let TheoryValue::Real(value) = self { Some(value) } else { None }
    }

    /// The rounding mode; `None` for a value of another sort.
    pub fn as_rounding_mode(&self) -> Option<RoundingMode> {
        if let TheoryValue::RoundingMode(value) = self { Some(*value) } else { None }
    }

    /// The floating-point number; `None` for a value of another sort.
    pub fn as_float(&self) -> Option<&Float> {
        if let TheoryValue::Float(value) = self { Some(value) } else { None }
    }

    /// The sort that it is a value of.
    pub(crate) fn sort(&self, sorts: &mut Sorts) -> Sort {
        sorts.theory(self.kind())
    }
}

/// The value in SMT-LIB syntax: `5` or `(- 5)`, `RNE`, `(fp #b0 #b10 #b1)`.
impl fmt::Display for TheoryValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TheoryValue::Int(value) if value.sign() == Sign::Minus => write!(f, "(- {})", value.magnitude()),
            TheoryValue::Int(value) => write!(f, "{value}"),
            TheoryValue::Real(value) => write!(f, "{value}"),
            TheoryValue::RoundingMode(value) => write!(f, "{value}"),
            TheoryValue::Float(value) => write!(f, "{value}"),
            TheoryValue::Record(value) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn small_sorts_are_enumerated() {
        let formats = [(2, 2), (3, 2), (2, 4)].map(|(eb, sb)| Format::new(eb, sb).unwrap());
        for sort in formats.map(TheorySort::Float).into_iter().chain([TheorySort::RoundingMode]) {
            let count = sort.small_cardinality().unwrap();
            let values: BTreeSet<TheoryValue> = (0..count).map(|i| sort.nth(i)).collect();
            let default = sort.default_value(&Sorts::default());
            assert_eq!((values.len() as u64, sort.nth(0)), (count, default));
            assert!(values.iter().all(|value| value.kind() == sort));
        }
        assert_eq!(TheorySort::Float(formats[0]).small_cardinality(), Some(15));
        assert_eq!(TheorySort::Float(Format::FLOAT64).small_cardinality(), None);
    }
}
