//! Theories: how random terms are drawn when arrays, functions and declared sorts are on.
//!
//! Over all operators of the table random terms rarely mention the same array twice, and nothing in
//! particular happens. So a theory has an urn of operators of its own: reads, writes, constant arrays,
//! choices between arrays, equalities and applications many times over, and a few operators that make indices
//! and conditions. Half of the formulas leave some of them out (swarm testing, see
//! [`formula`](crate::formula)). Widths are tiny (all values can be tried), small, or those of a memory of 32
//! bits.
//!
//! One thing no version decides, constant arrays over declared index sorts, is taken out of what was drawn:
//! each such array is replaced by a symbol.
//!
//! `Literals` writes values as terms, so that a random assignment can be written down as a formula.
//! Elements of declared sorts have no names; symbols stand for them, and an assertion states that these
//! are distinct.

use crate::{floats, quantified};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Sort, SortKind, Substitution, Term, Value, cone};
use std::collections::BTreeMap;

/// What formulas are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Theory {
    /// Booleans and bit-vectors, all operators.
    #[default]
    Bits,
    /// Arrays, nested ones included.
    Arrays,
    /// Functions and declared sorts.
    Functions,
    /// All of it, arrays as arguments and results of functions included.
    All,
    /// Floating point and bits.
    Floats,
    /// Quantified formulas over few values.
    Quantifiers,
}

/// Reads, writes and choices.
pub(crate) const ARRAYS: &[Op] = &[
    Op::Select,
    Op::Select,
    Op::Select,
    Op::Store,
    Op::Store,
    Op::Store,
    Op::ConstArray,
    Op::Ite,
    Op::Ite,
    Op::Eq,
    Op::Eq,
    Op::Eq,
    Op::Distinct,
];

/// Applications.
pub(crate) const FUNCTIONS: &[Op] =
    &[Op::Apply, Op::Apply, Op::Apply, Op::Apply, Op::Ite, Op::Eq, Op::Eq, Op::Eq, Op::Distinct];

/// What makes conditions, indices and elements of each other.
pub(crate) const REST: &[Op] = &[
    Op::Not,
    Op::Not,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Implies,
    Op::BvAdd,
    Op::BvSub,
    Op::BvXor,
    Op::BvAnd,
    Op::BvNot,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUlt,
    Op::BvSle,
    Op::Concat,
    Op::Extract,
    Op::ZeroExtend,
    Op::SignExtend,
    Op::BvComp,
];

impl Theory {
    /// Are formulas about more than bits?
    pub fn is_beyond_bits(self) -> bool {
        self != Theory::Bits
    }

    /// Sets a generator up: what may occur, which operators, how wide.
    pub(crate) fn set_up(self, random: &mut TermGen, max_width: u32) {
        if self == Theory::Floats {
            return floats::set_up(random, max_width);
        }
        if self == Theory::Quantifiers {
            return quantified::set_up(random, max_width);
        }
        let arrays = matches!(self, Theory::Arrays | Theory::All);
        random.arrays = arrays;
        random.functions = matches!(self, Theory::Functions | Theory::All);
        random.uninterpreted = matches!(self, Theory::Functions | Theory::All);
        random.nested_arrays = arrays && random.rng().u32(..4) == 0;
        let mut urn: Vec<Op> = if arrays { ARRAYS.to_vec() } else { vec![] };
        if random.functions {
            urn.extend(FUNCTIONS);
        }
        urn.extend(REST);
        if random.rng().bool() {
            leave_some_out(random, &mut urn);
        }
        random.ops = urn;
        let (class, fine) = (random.rng().u32(..20), random.rng().u32(..));
        let (widest, symbols) = match class {
            0..9 => (1 + fine % 2, 1 + (fine / 2 % 2) as usize),
            9..15 => (1 + fine % 8, 1 + (fine / 8 % 3) as usize),
            _ => (32, 2),
        };
        random.max_width = widest.min(max_width.max(1));
        random.symbols_per_sort = symbols;
    }

    /// A sort for a term: often that of an array where there are arrays.
    pub(crate) fn sort(self, random: &mut TermGen, pool: &mut Pool) -> Sort {
        if self == Theory::Floats {
            return floats::sort(random, pool);
        }
        let wanted = matches!(self, Theory::Arrays | Theory::All) && random.rng().bool();
        let is_array = |pool: &Pool, sort: Sort| pool.sorts().array_parts(sort).is_some();
        let found = (0..60).map(|_| random.sort(pool)).collect::<Vec<_>>();
        let fitting = found.iter().copied().find(|&sort| !wanted || is_array(pool, sort));
        fitting.unwrap_or(found[0])
    }

    /// A random term, without what no version decides, and without quantifiers.
    pub(crate) fn term(self, random: &mut TermGen, pool: &mut Pool, sort: Sort, size: usize) -> Term {
        if self == Theory::Floats {
            return floats::term(random, pool, sort, size);
        }
        let term = random.term(pool, sort, size);
        if self.is_beyond_bits() { decided(random, pool, term) } else { term }
    }

    /// A random constraint: where there are arrays, often an equation or a disequation of two of them.
    pub(crate) fn constraint(self, random: &mut TermGen, pool: &mut Pool, size: usize) -> Term {
        if self == Theory::Quantifiers {
            return quantified::formula(random, pool, size);
        }
        if !self.is_beyond_bits() || random.rng().bool() {
            return self.term(random, pool, Sort::BOOL, size);
        }
        let sort = self.sort(random, pool);
        let mut sides = [(); 2].map(|()| self.term(random, pool, sort, size / 2));
        if random.rng().u32(..4) == 0 {
            sides = sides.map(|side| self.written(random, pool, side));
        }
        let op = if random.rng().u32(..3) == 0 { Op::Distinct } else { Op::Eq };
        pool.mk(op, &sides)
    }
}

impl Theory {
    /// Writes over a constant array, about as many as there are indices, if there are few; otherwise the
    /// array itself. Two of these are equal or not at indices that no term reads.
    fn written(self, random: &mut TermGen, pool: &mut Pool, array: Term) -> Term {
        let sort = pool.sort(array);
        let Some((index, element)) = pool.sorts().array_parts(sort) else { return array };
        let Some(size) = pool.sorts().small_cardinality(index).filter(|&size| size <= 8) else {
            return array;
        };
        let first = self.term(random, pool, element, 1);
        let constant = pool.const_array(sort, first).expect("the element has the element sort");
        let writes = random.rng().u64(0..=size + 1);
        (0..writes).fold(constant, |array, _| {
            let (i, e) = (self.term(random, pool, index, 1), self.term(random, pool, element, 1));
            pool.mk(Op::Store, &[array, i, e])
        })
    }
}

/// Takes a few kinds of operators out of the urn; equality stays.
pub(crate) fn leave_some_out(random: &mut TermGen, urn: &mut Vec<Op>) {
    for _ in 0..random.rng().usize(1..=4) {
        let op = urn[random.rng().usize(..urn.len())];
        if op != Op::Eq {
            urn.retain(|&other| other != op);
        }
    }
}

/// Replaces constant arrays over index sorts that contain declared sorts.
fn decided(random: &mut TermGen, pool: &mut Pool, term: Term) -> Term {
    let is_refused = |pool: &Pool, term: Term| {
        let parts = pool.sorts().array_parts(pool.sort(term));
        pool.op(term) == Op::ConstArray && parts.is_some_and(|(index, _)| mentions_declared(pool, index))
    };
    let refused: Vec<Term> = cone(pool, &[term]).into_iter().filter(|&t| is_refused(pool, t)).collect();
    if refused.is_empty() {
        return term;
    }
    let mut substitution = Substitution::new();
    for constant in refused {
        let symbol = random.symbol(pool, pool.sort(constant));
        substitution.insert(pool, constant, symbol);
    }
    substitution.apply(pool, term)
}

/// Is this a declared sort, or an array sort that has one in it?
pub(crate) fn mentions_declared(pool: &Pool, sort: Sort) -> bool {
    match pool.sorts().kind(sort) {
        SortKind::Uninterpreted(_) => true,
        // Random sorts are a few levels deep.
        SortKind::Array { index, element } => {
            mentions_declared(pool, index) || mentions_declared(pool, element)
        }
        SortKind::Bool | SortKind::BitVec(_) | SortKind::Theory(_) | SortKind::Function { .. } => false,
    }
}

/// Terms for values.
#[derive(Default)]
pub(crate) struct Literals {
    /// The symbols that stand for elements of declared sorts.
    elements: BTreeMap<(Sort, u32), Term>,
}

impl Literals {
    /// A term that has this value, if there is one: arrays over declared index sorts and functions have none.
    pub(crate) fn term(&mut self, pool: &mut Pool, sort: Sort, value: &Value) -> Option<Term> {
        match value {
            Value::Bool(_) | Value::BitVec(_) | Value::Theory(_) => pool.constant(value),
            Value::Element(sort, number) => {
                let symbol = self.elements.entry((*sort, *number));
                Some(*symbol.or_insert_with(|| pool.symbol(&format!("e{number}"), *sort)))
            }
            Value::Array(array) => {
                let (index, element) = pool.sorts().array_parts(sort).expect("the sort of an array");
                if mentions_declared(pool, index) {
                    return None;
                }
                let default = self.term(pool, element, array.default())?;
                let mut term = pool.const_array(sort, default).expect("the element has the element sort");
                for (at, what) in array.entries() {
                    let (at, what) = (self.term(pool, index, at)?, self.term(pool, element, what)?);
                    term = pool.mk(Op::Store, &[term, at, what]);
                }
                Some(term)
            }
            Value::Function(_) => None,
        }
    }

    /// The equation of a term with its value; of a Boolean one, the term or its negation.
    pub(crate) fn equation(&mut self, pool: &mut Pool, term: Term, value: &Value) -> Option<Term> {
        match value {
            Value::Bool(true) => Some(term),
            Value::Bool(false) => Some(pool.mk(Op::Not, &[term])),
            value => {
                let literal = self.term(pool, pool.sort(term), value)?;
                Some(pool.mk(Op::Eq, &[term, literal]))
            }
        }
    }

    /// The assertion about the symbols that stand for elements.
    pub(crate) fn distinct(&self, pool: &mut Pool) -> Vec<Term> {
        let mut by_sort: BTreeMap<Sort, Vec<Term>> = BTreeMap::new();
        for (&(sort, _), &symbol) in &self.elements {
            by_sort.entry(sort).or_default().push(symbol);
        }
        by_sort.values().filter(|s| s.len() > 1).map(|s| pool.mk(Op::Distinct, s)).collect()
    }
}
