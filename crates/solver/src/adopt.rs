//! Answers that another solver has found to the same question, and what that solver has to be told for it.
//!
//! Several solvers may work on copies of one problem. [`Solver::outline`] is the assertion stack as a list,
//! from which a copy is built that has the same levels and the same numbers of tracked assertions. So a model
//! of the copy is one of the original, symbol by symbol, and the members of its core are members here.
//!
//! A model is not believed: it is evaluated on the assertions of this solver before it is taken, as each of
//! its own is. A refutation is believed, as the SAT backend of the other solver was; so is the contradiction
//! that a search for certificates has found, with the assertions that it used.
//!
//! Cost: that of an evaluation; a refutation costs nothing.

use crate::answer::{CheckError, CheckResult};
use crate::model::{InternalError, Model};
use crate::query::Core;
use crate::solver::{Answer, Solver};
use bivalve_terms::{Assignment, Pool, Term};

/// An assertion and its place on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asserted {
    /// The number of levels below it.
    pub level: u64,
    /// The formula, a Boolean term.
    pub formula: Term,
    /// It may be part of cores.
    pub is_tracked: bool,
}

/// Why a check was answered by `Unsat`: levels, tracked assertions and assumptions, all by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation(Core);

impl Solver {
    /// The assertions with their places, from the bottom of the stack.
    pub fn outline(&self) -> Vec<Asserted> {
        self.stack.outline()
    }

    /// How many assertions there are up to the end of the level that the one at this position is on; all, if
    /// there is none at it.
    pub fn end_of_level(&self, position: usize) -> usize {
        self.stack.end_of_level(position)
    }

    /// Why the last check was answered by `Unsat`, if it was, and nothing was asserted, pushed or popped
    /// since.
    pub fn refutation(&self) -> Option<Refutation> {
        self.answer.core.clone().map(Refutation)
    }

    /// The last check, which assumed `assumptions`, is answered by `Sat` with this model.
    ///
    /// # Errors
    ///
    /// When an assertion or an assumption is false in the model, which then is not taken.
    pub fn adopt_model(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        assignment: Assignment,
    ) -> Result<(), InternalError> {
        self.expect_assumptions(assumptions);
        let model = Model::adopt(pool, &self.question(), assignment)?;
        self.answer.model = Some(model);
        Ok(())
    }

    /// The check with these assumptions is answered by `Sat` with this model, if all assertions and
    /// assumptions are true in it; else nothing is checked.
    ///
    /// # Errors
    ///
    /// As [`Solver::check_assuming`].
    pub fn check_model(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        assignment: Assignment,
    ) -> Result<Option<CheckResult>, CheckError> {
        self.accept_assumptions(pool, assumptions)?;
        if self.adopt_model(pool, assumptions, assignment).is_err() {
            return Ok(None);
        }
        self.count_check();
        Ok(Some(CheckResult::Sat))
    }

    /// The last check, which assumed `assumptions`, is answered by `Unsat` for this reason, which a solver
    /// with the same stack and the same assumptions gave.
    pub fn adopt_refutation(&mut self, assumptions: &[Term], refutation: Refutation) {
        self.expect_assumptions(assumptions);
        self.refute(refutation.0);
    }

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
        self.count_check();
        self.forget_answer();
        self.answer.assumptions = assumptions.to_vec();
        Ok(self.refute_these(used))
    }

    /// Nothing is known of the last check but what it assumed.
    fn expect_assumptions(&mut self, assumptions: &[Term]) {
        self.forget_answer();
        self.answer = Answer { assumptions: assumptions.to_vec(), ..Answer::default() };
    }
}
