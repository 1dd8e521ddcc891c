//! Refutations that were found elsewhere.
//!
//! A search beside the solver, one that writes certificates, may find that the assertions of a check are
//! contradictory, and which of them are. Then the solver need not search: the check is answered, with a core,
//! and what the core says of the stack stays known until its highest level is popped.

use crate::answer::{CheckError, CheckResult};
use crate::query::Core;
use crate::solver::Solver;
use bivalve_terms::{Pool, Term};

impl Solver {
    /// The check with these assumptions is answered by `Unsat`: the assertions and assumptions in `used`, by
    /// their positions in [`Solver::assertions`] followed by the assumptions, have no model together. That is
    /// believed.
    ///
    /// # Errors
    ///
    /// As [`Solver::check_assuming`].
    pub fn adopt_contradiction(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        used: &[usize],
    ) -> Result<CheckResult, CheckError> {
        self.accept_assumptions(pool, assumptions)?;
        self.statistics.checks += 1;
        self.forget_answer();
        self.answer.assumptions = assumptions.to_vec();
        let core = Core::of(used.iter().map(|&position| self.stack.owner(position)));
        Ok(self.refute(core))
    }
}
