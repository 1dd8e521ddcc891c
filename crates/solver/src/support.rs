//! What this version decides: formulas over Booleans, bit-vectors, arrays, functions and declared sorts.
//!
//! One thing is refused, with the sub-term named, rather than half understood: constant arrays whose index
//! sort is a declared one, or contains one. Elements of declared sorts are numbers from a set that is larger
//! than any formula (see `bivalve-bitblast`), which no formula can tell from other sizes, except with
//! constant arrays: `(= (store ((as const (Array U Bool)) true) u false) ((as const (Array U Bool)) false))`
//! says that `U` has one element.
//!
//! The scan remembers what it has seen, so each term is looked at once per pool.
//!
//! Cost: one bit per term.

use bivalve_terms::{Op, Pool, Sort, Term, TermSet, TheorySort};
use thiserror::Error;

/// A term outside of the theories that are decided.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
#[error("{what} are not supported")]
pub struct Unsupported {
    /// The offending sub-term.
    pub term: Term,
    /// For example "constant arrays over a declared index sort".
    pub what: &'static str,
}

/// Remembers which terms are known to be supported, with everything below them.
#[derive(Default)]
pub(crate) struct Supported {
    seen: TermSet,
}

impl Supported {
    /// Is every term at and below `root` within the theories that are decided?
    pub(crate) fn check(&mut self, pool: &Pool, root: Term) -> Result<(), Unsupported> {
        let mut todo = vec![root];
        let mut fresh = vec![];
        while let Some(term) = todo.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            fresh.push(term);
            if let Some(what) = theory_missing(pool, term) {
                // Nothing above a refused term may pass later as seen.
                fresh.into_iter().for_each(|term| {
                    self.seen.remove(term);
                });
                return Err(Unsupported { term, what });
            }
            todo.extend_from_slice(pool.args(term));
        }
        Ok(())
    }

    /// Forgets which terms were looked at, because they are called otherwise now.
    pub(crate) fn forget(&mut self) {
        self.seen = TermSet::new();
    }
}

fn theory_missing(pool: &Pool, term: Term) -> Option<&'static str> {
    if let Some((variables, _)) = pool.binder(term) {
        let is_open = |&variable: &Term| contains(pool, pool.sort(variable), is_unbounded);
        return variables.iter().any(is_open).then_some("quantifiers over declared sorts and numbers");
    }
    let is_constant_array = pool.op(term) == Op::ConstArray;
    let (index, _) = pool.sorts().array_parts(pool.sort(term)).filter(|_| is_constant_array)?;
    let is_declared = |pool: &Pool, sort| pool.sorts().is_uninterpreted(sort);
    contains(pool, index, is_declared).then_some("constant arrays over a declared index sort")
}

/// Is there no value, or none of some, that could be put for a variable of this sort?
fn is_unbounded(pool: &Pool, sort: Sort) -> bool {
    let sorts = pool.sorts();
    sorts.is_uninterpreted(sort) || matches!(sorts.as_theory(sort), Some(TheorySort::Int | TheorySort::Real))
}

/// Is this such a sort, or an array sort made of one?
fn contains(pool: &Pool, sort: Sort, is_such: impl Fn(&Pool, Sort) -> bool) -> bool {
    let mut todo = vec![sort];
    while let Some(sort) = todo.pop() {
        if is_such(pool, sort) {
            return true;
        }
        if let Some((index, element)) = pool.sorts().array_parts(sort) {
            todo.extend([index, element]);
        }
    }
    false
}
