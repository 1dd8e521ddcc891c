//! Named functions that rows may call, beside the operators of SMT-LIB: arithmetic on constants that SMT-LIB
//! has no name for, and questions about the terms that matched.
//!
//! They are few on purpose. A condition that needs a loop over terms, or that only one row would use, belongs
//! in a function row. Each is total: where mathematics has no answer the comment has what is returned, and
//! the rows that call it exclude that case by a condition.

use crate::edge::{Edge, always_different};
use bivalve_terms::{BitVec, Pool, Value};

/// A row of the table of functions.
pub struct Function {
    /// The name in statements.
    pub name: &'static str,
    /// What it computes.
    pub meaning: Meaning,
}

/// What a function is computed from.
pub enum Meaning {
    /// From a constant, to a Boolean.
    Predicate(fn(&BitVec) -> bool),
    /// From a constant, to a constant of the same width.
    Number(fn(&BitVec) -> BitVec),
    /// Are two metavariables bound to terms of one sort? A function of its own, because sort inference trusts
    /// it.
    SameSort,
    /// Is the term bound to a metavariable one bit wide? Sort inference trusts it too.
    Bit,
    /// From the terms bound to metavariables.
    Structure(fn(&Pool, &[Edge]) -> bool),
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

use Meaning::{Bit, Number, Predicate, SameSort, Structure};

static FUNCTIONS: &[Function] = &[
    // Is the constant odd?
    Function { name: "odd", meaning: Predicate(BitVec::lsb) },
    // Is the constant a power of two?
    Function { name: "pow2", meaning: Predicate(|k| k.log2_exact().is_some()) },
    // The multiplicative inverse modulo 2^w; of an even number, 0.
    Function {
        name: "inverse",
        meaning: Number(|k| k.odd_inverse().unwrap_or_else(|| BitVec::zero(k.width()))),
    },
    // The number of zeros below the lowest one, modulo 2^w; w of them for 0.
    Function { name: "ctz", meaning: Number(|k| BitVec::from_u64(u64::from(k.trailing_zeros()), k.width())) },
    // Have two terms the same sort?
    Function { name: "same_sort", meaning: SameSort },
    // Is the term one bit wide?
    Function { name: "bit", meaning: Bit },
    // Is the term a bit-vector of more than one bit?
    Function {
        name: "wide",
        meaning: Structure(|pool, terms| pool.width(terms[0].term).is_some_and(|w| w > 1)),
    },
    // Are two terms known to differ under every assignment?
    Function { name: "differ", meaning: Structure(|pool, terms| always_different(pool, terms[0], terms[1])) },
    // Is the term a constant?
    Function { name: "constant", meaning: Structure(|pool, terms| pool.is_const(terms[0].term)) },
];

/// The function of that name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// The answer of a function of terms; `None` for functions of constants.
pub fn ask(function: &Function, pool: &Pool, terms: &[Edge]) -> Option<bool> {
    match function.meaning {
        SameSort => Some(pool.sort(terms[0].term) == pool.sort(terms[1].term)),
        Bit => Some(pool.width(terms[0].term) == Some(1)),
        Structure(answer) => Some(answer(pool, terms)),
        Predicate(_) | Number(_) => None,
    }
}

/// The value of a function of constants. Panics for functions of terms.
pub fn apply(function: &Function, arg: &Value) -> Value {
    match function.meaning {
        Predicate(predicate) => predicate(arg.expect_bitvec()).into(),
        Number(number) => number(arg.expect_bitvec()).into(),
        SameSort | Bit | Structure(_) => unreachable!("functions of terms are asked with terms"),
    }
}
