//! What this version decides: formulas over Booleans and bit-vectors.
//!
//! An assertion over arrays, uninterpreted sorts or functions is refused when it is made, with the sub-term named;
//! it is never half understood. The scan remembers what it has seen, so each term is looked at once per pool.
//!
//! Cost: one bit per term.

use bivalve_terms::{Op, Pool, Term};
use thiserror::Error;

/// A term outside of the theories that are decided.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
#[error("{what} are not supported yet")]
pub struct Unsupported {
    /// The offending sub-term.
    pub term: Term,
    /// For example "arrays".
    pub what: &'static str,
}

/// Remembers which terms are known to be supported, with everything below them.
#[derive(Default)]
pub(crate) struct Supported {
    seen: Vec<bool>,
}

impl Supported {
    /// Is every term at and below `root` within the theories that are decided?
    pub(crate) fn check(&mut self, pool: &Pool, root: Term) -> Result<(), Unsupported> {
        if self.seen.len() < pool.len() {
            self.seen.resize(pool.len(), false);
        }
        let mut todo = vec![root];
        let mut fresh = vec![];
        while let Some(term) = todo.pop() {
            if std::mem::replace(&mut self.seen[term.index()], true) {
                continue;
            }
            fresh.push(term);
            if let Some(what) = theory_missing(pool, term) {
                // Nothing above a refused term may pass later as seen.
                fresh.iter().for_each(|t| self.seen[t.index()] = false);
                return Err(Unsupported { term, what });
            }
            todo.extend_from_slice(pool.args(term));
        }
        Ok(())
    }
}

fn theory_missing(pool: &Pool, term: Term) -> Option<&'static str> {
    let sort = pool.sort(term);
    match pool.op(term) {
        Op::Select | Op::Store | Op::ConstArray => Some("arrays"),
        Op::Apply => Some("uninterpreted functions"),
        _ if sort.is_bool() || sort.is_bitvec() => None,
        _ if pool.sorts().array_parts(sort).is_some() => Some("arrays"),
        _ if pool.sorts().is_function(sort) => Some("uninterpreted functions"),
        _ => Some("uninterpreted sorts"),
    }
}
