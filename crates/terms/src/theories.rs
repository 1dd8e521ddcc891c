//! Sorts and values of theories that are lowered, in one place: a theory adds a case to each type here.
//! Other files make values and sorts and show them.

use crate::sort::{Sort, Sorts};
use num_bigint::{BigInt, Sign};
use std::fmt;

/// A sort of a theory that is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TheorySort {
    /// `Int`.
    Int,
}

/// A value of such a sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum TheoryValue {
    /// An integer.
    Int(BigInt),
}

impl TheorySort {
    /// The value that a symbol has when nothing is known of it.
    pub(crate) fn default_value(self) -> TheoryValue {
        match self {
            TheorySort::Int => TheoryValue::Int(BigInt::ZERO),
        }
    }

    /// A value for each number, for random values.
    #[cfg(feature = "testing")]
    pub(crate) fn value_of_number(self, number: i64) -> TheoryValue {
        match self {
            TheorySort::Int => TheoryValue::Int(number.into()),
        }
    }
}

/// The sort in SMT-LIB syntax.
impl fmt::Display for TheorySort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TheorySort::Int => f.write_str("Int"),
        }
    }
}

impl TheoryValue {
    /// What the value is one of.
    pub(crate) fn kind(&self) -> TheorySort {
        match self {
            TheoryValue::Int(_) => TheorySort::Int,
        }
    }

    /// The integer; `None` for a value of another theory.
    #[inline]
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            TheoryValue::Int(value) => Some(value),
        }
    }

    /// The sort that it is a value of.
    pub(crate) fn sort(&self, sorts: &mut Sorts) -> Sort {
        sorts.theory(self.kind())
    }
}

/// The value in SMT-LIB syntax: `5` or `(- 5)`.
impl fmt::Display for TheoryValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TheoryValue::Int(value) if value.sign() == Sign::Minus => write!(f, "(- {})", value.magnitude()),
            TheoryValue::Int(value) => write!(f, "{value}"),
        }
    }
}
