//! What simplification leaves of the assertions, for those who want to see it or to hand it on.
//!
//! The way back is part of it: symbols that were eliminated come with what they are worth, in terms of
//! symbols that were not, so a model of what is left gives a model of the assertions; and what is left has a
//! model if the assertions have one.

use super::Solver;
use bivalve_limits::Deadline;
use bivalve_sat_adapter::Why;
use bivalve_terms::{Pool, Term};

/// The assertions, simplified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplification {
    /// Boolean terms that have a model together exactly if all assertions have; the term false alone if they
    /// were refuted.
    pub conjuncts: Vec<Term>,
    /// Symbols that were eliminated, and what they are worth. No symbol among them occurs in these terms or
    /// in the conjuncts.
    pub definitions: Vec<(Term, Term)>,
}

impl Solver {
    /// Simplifies the assertions of all levels as a check would, tracked ones each by itself, and returns
    /// what is left of them.
    ///
    /// # Errors
    /// When it was stopped.
    pub fn simplified(&mut self, pool: &mut Pool) -> Result<Simplification, Why> {
        self.simplify(pool, &[])?;
        let definitions = self.preprocessor.solved(pool, &Deadline::stopped_by(&self.stop))?;
        if self.refuted.is_some() {
            return Ok(Simplification { conjuncts: vec![pool.bool(false)], definitions });
        }
        let conjuncts = super::conjuncts(&self.preprocessor).collect();
        Ok(Simplification { conjuncts, definitions })
    }
}
