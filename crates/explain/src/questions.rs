//! Questions to solvers of their own.
//!
//! A question is whether formulas are contradictory together. It has a budget of conflicts, and all questions
//! about one answer have a budget together, counted in questions and in work: a question about many clauses
//! costs more than its conflicts. Nothing is measured in time, so the same answer has the same explanation on
//! every machine.

use crate::minimum::Asked;
use bivalve::terms::{Pool, Term};
use bivalve::{CheckError, CheckLimits, CheckResult, InternalError, Settings, Solver, Stop};

/// What an explanation may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts of each question to a solver; ten times as many for the first of each part.
    pub conflicts: u64,
    /// Questions for each part of an explanation: the inputs; the conjuncts, and the bits of these.
    pub questions: u64,
}

/// Some seconds, on a problem that was decided in seconds.
impl Default for Budget {
    fn default() -> Budget {
        Budget { conflicts: 5_000, questions: 2_000 }
    }
}

/// Questions times clauses, at most.
const WORK: u64 = 200_000_000;

/// Questions, however large the formula is.
const FEWEST: u64 = 16;

/// The questions for one part of an explanation.
pub(crate) struct Questions<'a> {
    settings: Settings,
    conflicts: u64,
    left: u64,
    is_first: bool,
    stop: &'a Stop,
    /// A self-check that failed.
    fault: Option<InternalError>,
}

impl<'a> Questions<'a> {
    pub(crate) fn new(settings: &Settings, budget: &Budget, stop: &'a Stop) -> Questions<'a> {
        let settings = settings.to_builder().minimize_core(false).small_models(false).build();
        Questions {
            settings,
            conflicts: budget.conflicts,
            left: budget.questions,
            is_first: true,
            stop,
            fault: None,
        }
    }

    /// At most so many questions from now on.
    pub(crate) fn at_most(&mut self, questions: u64) {
        self.left = self.left.min(questions);
    }

    /// A solver that these formulas are asserted in. Formulas that were asserted before are accepted again.
    pub(crate) fn solver(&mut self, pool: &Pool, formulas: &[Term]) -> Solver {
        let mut solver = Solver::new(self.settings.clone());
        let stop = self.stop.clone();
        solver.stop_handle().ask_why(move || stop.reason());
        for &formula in formulas {
            if let Err(refusal) = solver.assert(pool, formula) {
                self.fault =
                    Some(InternalError(format!("an explanation asserts what is refused: {refusal}")));
            }
        }
        solver
    }

    /// Are some of these formulas contradictory, together with what the solver holds? Numbers are those of
    /// the formulas.
    pub(crate) fn ask(
        &mut self,
        pool: &mut Pool,
        solver: &mut Solver,
        formulas: &[Term],
        chosen: &[usize],
    ) -> Asked {
        if self.left == 0 || self.fault.is_some() || self.stop.reason().is_some() {
            return Asked::Over;
        }
        self.left -= 1;
        let assumed: Vec<Term> = chosen.iter().map(|&number| formulas[number]).collect();
        // The first question decides whether there is anything to say.
        let patience = if std::mem::take(&mut self.is_first) { 10 } else { 1 };
        let limits = CheckLimits::new().conflicts(self.conflicts.saturating_mul(patience));
        let answer = solver.check_within(pool, limits, &assumed);
        let clauses = solver.effort().clauses;
        self.at_most((WORK / clauses.max(1)).max(FEWEST));
        match answer {
            Ok(CheckResult::Sat) => Asked::No,
            Ok(CheckResult::Unknown(_)) => Asked::Open,
            Ok(CheckResult::Unsat) => {
                let failed = solver.unsat_assumptions().unwrap_or_default();
                Asked::Yes(failed.iter().map(|&position| chosen[position]).collect())
            }
            Err(error) => {
                self.fault = Some(match error {
                    CheckError::Internal(fault) => fault,
                    error @ CheckError::Assumption { .. } => InternalError(error.to_string()),
                });
                Asked::Over
            }
        }
    }

    /// The self-check that failed, if one has.
    pub(crate) fn end(self) -> Result<(), InternalError> {
        self.fault.map_or(Ok(()), Err)
    }
}
