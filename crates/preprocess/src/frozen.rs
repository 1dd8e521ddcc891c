//! The terms below everything that was handed out, in scopes.
//!
//! Cost: each term is looked at once, and once more when its scope is closed.

use bivalve_backtrack::BacktrackVec;
use bivalve_terms::{Pool, Renaming, Term, TermSet};

/// A set of terms that is closed downwards.
#[derive(Default)]
pub(crate) struct Frozen {
    pub(crate) terms: TermSet,
    /// The same in the order in which they came.
    log: BacktrackVec<Term>,
}

impl Frozen {
    /// Freezes a term and all below it.
    pub(crate) fn add(&mut self, pool: &Pool, root: Term) {
        let mut todo = vec![root];
        while let Some(term) = todo.pop() {
            if self.terms.insert(term) {
                self.log.append(term);
                todo.extend(pool.args(term).iter().filter(|&&arg| !self.terms.contains(arg)));
            }
        }
    }

    /// Opens a scope.
    pub(crate) fn push(&mut self) {
        self.log.push();
    }

    /// Forgets what was frozen since the scope was opened. Panics if none is open.
    pub(crate) fn pop(&mut self) {
        for term in self.log.pop_drain() {
            self.terms.remove(term);
        }
    }

    /// Follows a compaction of the pool, in which all of these terms were in use.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        self.terms.clear();
        for term in self.log.elements_mut() {
            *term = renaming.of(*term);
            self.terms.insert(*term);
        }
    }
}
