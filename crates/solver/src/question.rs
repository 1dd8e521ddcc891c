//! The last check as gates, for those who write it down.
//!
//! What is stated has the answer of the check. The conjuncts that preprocessing left and the assumptions
//! hold, and so do the lemmas that were made so far: the search found them to be contradictory, or a model
//! that satisfies them. An answer that was found without clauses is another matter. `unsat` from
//! preprocessing or from another engine is stated as the empty clause, since gates may lack what refuted the
//! formula; for `sat`, what has no gates yet is encoded. After `unknown` the clauses are those of the search
//! that gave up: they have models that are none of the formula where lemmas are missing.
//!
//! Cost: linear in what is stated.

use crate::Solver;
use bivalve_bitblast::{BitBlaster, Edge};
use bivalve_sat_adapter::Why;
use bivalve_terms::Pool;

/// A check as gates.
pub struct Question<'a> {
    /// The gates.
    pub blaster: &'a BitBlaster,
    /// Each has an edge that is true. An empty clause has none, so that there is no model.
    pub clauses: Vec<Vec<Edge>>,
}

impl Solver {
    /// What the last check asked, with the same answer; to be called before anything is asserted, pushed or
    /// popped.
    ///
    /// # Errors
    ///
    /// Why the check has no gates: it was stopped before they were built.
    pub fn question_as_gates(&mut self, pool: &mut Pool) -> Result<Question<'_>, Why> {
        if !self.answer.is_searched && self.answer.core.is_none() {
            self.answer.unknown.map_or(Ok(()), Err)?;
            self.encode_question(pool)?;
        }
        let is_refuted = self.answer.core.is_some();
        let formulas = self.conjuncts().chain(self.answer.assumed.iter().copied());
        let stated = self.search.clauses_over_gates(formulas);
        match stated.filter(|_| self.answer.is_searched || !is_refuted) {
            Some((blaster, clauses)) => Ok(Question { blaster, clauses }),
            None if is_refuted => Ok(Question { blaster: self.search.blaster(), clauses: vec![vec![]] }),
            None => Err(self.answer.unknown.unwrap_or(Why::Interrupted)),
        }
    }

    /// Gives gates to what a model was found for without them.
    fn encode_question(&mut self, pool: &mut Pool) -> Result<(), Why> {
        self.preprocess(pool)?;
        let encoded = self.search.encode(pool, self.preprocessor.levels(), &self.answer.assumed);
        self.search.end_check();
        encoded.map(drop)
    }
}
