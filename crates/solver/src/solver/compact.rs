//! Following a compaction of the pool.
//!
//! A session that pushes and pops for ever makes terms for ever. Whoever owns the pool and all that holds on
//! to terms may have it rebuilt with the terms in use ([`Pool::compact`]); a solver says which these are to
//! it, and takes the new names. Assertions, what simplification made of them, definitions and frozen terms
//! are renamed; everything that is remembered by term only to save time (rewriting, lowering, gates, clauses,
//! lemmas) is forgotten and made again by need. So a compaction costs about what the first check after it
//! costs, and changes no answer.

use super::Solver;
use crate::elements::Elements;
use crate::lower::Lowering;
use bivalve_terms::{Renaming, Term};

#[cfg(doc)]
use bivalve_terms::Pool;

impl Solver {
    /// The terms that the solver holds on to, for [`Pool::compact`]. Some may come twice.
    pub fn in_use(&self) -> Vec<Term> {
        self.scopes.in_use().chain(self.simplifier.definitions().in_use()).collect()
    }

    /// Follows a compaction of the pool, of which everything [`in_use`](Solver::in_use) was a part. The
    /// answer of the last check, with its model or core, is forgotten.
    pub fn rename(&mut self, renaming: &Renaming) {
        self.forget_answer();
        self.former = None;
        self.assumed.clear();
        self.asked.clear();
        self.supported.forget();
        self.scopes.rename(renaming);
        self.simplifier.rename(renaming);
        self.rebuild();
        self.lowering = Lowering::default();
        self.elements = Elements::default();
    }
}
