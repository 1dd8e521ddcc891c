//! The assertions as preprocessing leaves them, for callers that go on without the solver.

use crate::Solver;
use bivalve_limits::Deadline;
use bivalve_sat_adapter::Why;
use bivalve_terms::{Pool, Term};

/// The assertions after preprocessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplification {
    /// Boolean terms that have a model together exactly if all assertions have; the term false alone if the
    /// assertions are contradictory.
    pub conjuncts: Vec<Term>,
    /// Symbols that were eliminated, and their solutions. No symbol among them occurs in solutions or
    /// conjuncts, so a model of the conjuncts gives one of the assertions.
    pub definitions: Vec<(Term, Term)>,
}

impl Solver {
    /// Preprocesses the assertions of all levels as a check would, tracked ones each by itself, and returns
    /// what is left of them.
    ///
    /// # Errors
    ///
    /// When it was stopped.
    pub fn simplified(&mut self, pool: &mut Pool) -> Result<Simplification, Why> {
        self.forget_answer();
        self.preprocess(pool)?;
        let definitions = self.preprocessor.solved(pool, &Deadline::stopped_by(&self.stop))?;
        let conjuncts = match self.contradiction {
            Some(_) => vec![pool.bool(false)],
            None => self.conjuncts().collect(),
        };
        Ok(Simplification { conjuncts, definitions })
    }
}
