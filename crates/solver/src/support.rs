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

use bivalve_terms::{Op, Pool, Sort, Term, TermSet};
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
    let is_constant_array = pool.op(term) == Op::ConstArray;
    let (index, _) = pool.sorts().array_parts(pool.sort(term)).filter(|_| is_constant_array)?;
    contains_declared(pool, index).then_some("constant arrays over a declared index sort")
}

/// Is this a declared sort, or an array sort made of one?
fn contains_declared(pool: &Pool, sort: Sort) -> bool {
    let mut todo = vec![sort];
    while let Some(sort) = todo.pop() {
        if pool.sorts().is_uninterpreted(sort) {
            return true;
        }
        if let Some((index, element)) = pool.sorts().array_parts(sort) {
            todo.extend([index, element]);
        }
    }
    false
}
