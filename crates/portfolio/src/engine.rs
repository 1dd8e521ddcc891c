//! An engine in a thread of its own: a copy of the problem, a solver with other settings, a meter.
//!
//! The solver is made, asked and dropped on that thread, since SAT backends stay where they were made. What
//! comes in is the mirror, which nobody changes meanwhile, and the assertion stack as a list; what goes out
//! is a [`Finding`]. The meter counts the steps of the solver; at the end of a round it asks the board for
//! the next one, and it ends the search where the check is over.
//!
//! Cost: a copy of the terms below the assertions.

use crate::board::Board;
use crate::finding::Finding;
use crate::rounds::end_of;
use bivalve::{Asserted, CheckError, CheckResult, InternalError, Settings, Solver, Stop, Why};
use bivalve_limits::{Meter, panic_message};
use bivalve_terms::{Assignment, Mirror, Op, Pool, Renaming, Term, cone};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Terms that are copied, looked through and asserted in a step.
const TERMS: u64 = 64;

/// A question; terms are those of the mirror.
pub(crate) struct Question {
    pub(crate) mirror: Arc<Mirror>,
    /// The assertion stack, and how many levels it has.
    pub(crate) asserted: Vec<Asserted>,
    pub(crate) levels: u64,
    pub(crate) assumptions: Vec<Term>,
}

/// An engine beside the caller's solver.
pub(crate) struct Engine {
    /// Its number on the board.
    pub(crate) number: usize,
    pub(crate) settings: Settings,
    pub(crate) share: u64,
    pub(crate) head_start: u64,
    pub(crate) board: Arc<Board>,
    pub(crate) question: Arc<Question>,
}

impl Engine {
    /// Searches until there is an answer or the check is over, and says on the board what it came to.
    pub(crate) fn run(self) {
        let mut result = Ok(Finding::Open);
        if self.board.begin(self.number) {
            let search = catch_unwind(AssertUnwindSafe(|| self.search()));
            result = search.unwrap_or_else(|panic| Err(panicked(&*panic)));
        }
        self.board.finish(self.number, result);
    }

    fn search(&self) -> Result<Finding, InternalError> {
        let question = &*self.question;
        let formulas = question.asserted.iter().map(|asserted| asserted.formula);
        let formulas: Vec<Term> = formulas.chain(question.assumptions.iter().copied()).collect();
        // It begins when it has the steps for its copy.
        let pace = Arc::new(self.pace());
        let mut solver = Solver::new(self.settings.clone());
        if pace.spend(&solver.stop_handle(), question.mirror.pool().len() as u64 / TERMS).is_some() {
            return Ok(Finding::Open);
        }
        let (mut pool, renaming) = question.mirror.pool().copy(&formulas);
        let assumptions: Vec<Term> = question.assumptions.iter().map(|&term| renaming.of(term)).collect();
        rebuild(&mut solver, &pool, question, &renaming).map_err(|problem| InternalError(problem.into()))?;
        solver.stop_handle().set_meter(Some(pace));
        match solver.check_assuming(&mut pool, &assumptions) {
            Ok(CheckResult::Unknown(_)) => Ok(Finding::Open),
            Ok(CheckResult::Sat) => {
                let model = solver.model().ok_or_else(|| InternalError("sat without a model".into()))?;
                Ok(Finding::Model(values(question.mirror.pool(), &formulas, &renaming, model.assignment())))
            }
            Ok(CheckResult::Unsat) => {
                let refutation = solver.refutation().map(Finding::Refutation);
                refutation.ok_or_else(|| InternalError("unsat without a core".into()))
            }
            Err(CheckError::Internal(fault)) => Err(fault),
            Err(refusal @ CheckError::Assumption { .. }) => Err(InternalError(refusal.to_string())),
        }
    }

    fn pace(&self) -> Pace {
        let first = end_of(1, self.head_start, self.share, false);
        Pace {
            board: self.board.clone(),
            number: self.number,
            share: self.share,
            head_start: self.head_start,
            spent: AtomicU64::new(0),
            round: AtomicU64::new(1),
            end: AtomicU64::new(first),
        }
    }
}

/// The assertion stack of the question in a solver without assertions.
fn rebuild(
    solver: &mut Solver,
    pool: &Pool,
    question: &Question,
    renaming: &Renaming,
) -> Result<(), &'static str> {
    for &Asserted { level, formula, is_tracked } in &question.asserted {
        let missing = level - solver.levels();
        solver.push(missing).map_err(|_| "a level is missing")?;
        let formula = renaming.of(formula);
        let asserted = match is_tracked {
            true => solver.assert_tracked(pool, formula).map(drop),
            false => solver.assert(pool, formula),
        };
        asserted.map_err(|_| "an assertion was refused by an engine")?;
    }
    solver.push(question.levels - solver.levels()).map_err(|_| "a level is missing")
}

/// The values of the symbols below the formulas.
fn values(
    mirror: &Pool,
    formulas: &[Term],
    renaming: &Renaming,
    assignment: &Assignment,
) -> Vec<(Term, bivalve_terms::Value)> {
    let symbols = cone(mirror, formulas).into_iter().filter(|&term| mirror.op(term) == Op::Symbol);
    symbols.filter_map(|symbol| Some((symbol, assignment.get(renaming.of(symbol))?.clone()))).collect()
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> InternalError {
    InternalError(format!("an engine panicked: {}", panic_message(panic)))
}

/// Keeps an engine to its rounds. Only the thread of the engine looks, so relaxed atomics are plain numbers.
struct Pace {
    board: Arc<Board>,
    number: usize,
    share: u64,
    head_start: u64,
    spent: AtomicU64,
    /// The round under way, and the steps at its end.
    round: AtomicU64,
    end: AtomicU64,
}

impl Meter for Pace {
    fn spend(&self, _stop: &Stop, steps: u64) -> Option<Why> {
        if self.board.is_over() {
            return Some(Why::Interrupted);
        }
        let spent = self.spent.fetch_add(steps, Ordering::Relaxed) + steps;
        while !self.board.is_racing() && spent >= self.end.load(Ordering::Relaxed) {
            if !self.board.complete(self.number) {
                return Some(Why::Interrupted);
            }
            let round = self.round.fetch_add(1, Ordering::Relaxed) + 1;
            self.end.store(end_of(round, self.head_start, self.share, false), Ordering::Relaxed);
        }
        None
    }

    fn is_over(&self) -> bool {
        self.board.is_over()
    }
}
