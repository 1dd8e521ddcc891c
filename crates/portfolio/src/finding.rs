//! What an engine has found, as plain data that goes from thread to thread.
//!
//! Terms in it are those of the mirror, the copy of the problem that all engines share and none changes. The
//! values of elements of declared sorts carry their sort; sorts have the same ids in all copies.

use bivalve::Refutation;
use bivalve_terms::{Term, Value};

/// The answer of an engine.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    /// Satisfiable: the values of symbols. Those that are missing have the default of their sort.
    Model(Vec<(Term, Value)>),
    /// Unsatisfiable, and why.
    Refutation(Refutation),
    /// No answer, for whatever reason.
    Open,
}
