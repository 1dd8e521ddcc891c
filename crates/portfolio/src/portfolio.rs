//! A portfolio: checks of a solver, with other engines beside it.
//!
//! The copy of the assertions from which engines are built grows before each check with what is new, because
//! the terms belong to the running check when engines are started. What the winner has found becomes the
//! answer of the caller's solver: a model is evaluated there on the assertions as they were made, a core has
//! the same numbers.
//!
//! Cost: a check that ends within the head start pays for the copy of what is new and for a counter. Threads
//! that were stopped end by themselves; they are joined before the next check, or when the portfolio is
//! dropped.

use crate::board::Board;
use crate::engine::{Engine, Question};
use crate::finding::Finding;
use crate::leader::{Course, Leader};
use crate::statistics::Statistics;
use crate::table::{ENGINES, Row};
use crate::threads::Threads;
use crate::threads::Unsteady;
use bivalve::{Asserted, CheckError, CheckResult, InternalError, Settings, Solver, sat};
use bivalve_terms::{Assignment, Mirror, Op, Pool, Term, cone};
use std::sync::Arc;
use std::thread::JoinHandle;

/// Terms of a pool for which spare engines are worth their copies: with five times as many, a file of 4 MB
/// took a quarter longer.
const MOST_TERMS: usize = 1 << 17;

/// Engines beside the solver of a caller.
pub struct Portfolio {
    threads: Threads,
    /// A copy of what was asserted or assumed in checks.
    mirror: Arc<Mirror>,
    /// Nothing but the answer of the next check matters.
    is_last: bool,
    /// Threads of the last check, which was decided.
    ending: Vec<JoinHandle<()>>,
    statistics: Statistics,
}

impl Portfolio {
    /// A portfolio without engines; they are started when a check takes long.
    pub fn new(threads: Threads) -> Portfolio {
        Portfolio::counting_on(threads, Statistics::default())
    }

    /// The same after one that has counted this.
    pub fn counting_on(threads: Threads, statistics: Statistics) -> Portfolio {
        Portfolio { threads, mirror: Arc::default(), is_last: false, ending: vec![], statistics }
    }

    /// How many threads there are, and what decides.
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// What other engines were good for so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The pool was compacted, or is another one from now on.
    pub fn forget_terms(&mut self) {
        self.mirror = Arc::default();
    }

    /// Says whether the next check is the last one, and its model and core will not be asked for. Then
    /// engines race if there are threads for it: the answer is a property of the formula, so each has the
    /// same.
    pub fn set_last(&mut self, is_last: bool) {
        self.is_last = is_last;
    }

    /// Whether engines of the next check race. With one thread they take turns, because all of them shall
    /// take part for any number of threads.
    fn is_race(&self) -> bool {
        self.threads.is_racing() || (self.is_last && self.threads.count() > 1)
    }

    /// Whether checks of a solver with these settings can have other engines beside them.
    ///
    /// # Errors
    ///
    /// When its SAT backend looks at the stop flag by the clock, so that steps cannot be counted, and the
    /// first answer does not win.
    pub fn accepts(&self, settings: &Settings) -> Result<(), Unsteady> {
        if self.threads.is_racing() || self.threads.is_spare() { Ok(()) } else { is_steady(settings) }
    }

    /// As [`Solver::check_assuming`], with other engines beside it when that takes long. The solver's
    /// settings are those of the other engines, but for what their rows change; parts that were handed over
    /// to the solver are not theirs.
    ///
    /// # Errors
    ///
    /// As [`Solver::check_assuming`]. A failed self-check of an engine counts as its answer.
    pub fn check_assuming(
        &mut self,
        solver: &mut Solver,
        pool: &mut Pool,
        assumptions: &[Term],
    ) -> Result<CheckResult, CheckError> {
        self.join();
        if self.threads.is_spare() && !Portfolio::has_spare_engines(solver, pool) {
            // There may be no check with other engines any more, so the copy goes.
            self.forget_terms();
            return solver.check_assuming(pool, assumptions);
        }
        // Their models could not be judged here by evaluation.
        let is_quantified = solver.is_quantified(pool, assumptions);
        if is_quantified || solver.stop_handle().asked().is_some() {
            return solver.check_assuming(pool, assumptions);
        }
        let question = Arc::new(self.question(solver, pool, assumptions));
        let rows = self.rows(solver);
        let is_race = self.is_race();
        self.is_last = false;
        let board = Arc::new(Board::new(rows.len(), self.threads.count(), is_race));
        let head_start = self.threads.steps_alone();
        let engine = |(number, (row, settings)): (usize, &(&Row, Settings))| Engine {
            number,
            settings: settings.clone(),
            share: self.share(row),
            head_start,
            board: board.clone(),
            question: question.clone(),
        };
        let engines = rows.iter().enumerate().skip(1).map(engine).collect();
        let leader = Arc::new(Leader::new(board.clone(), self.threads, engines));
        let stop = solver.stop_handle();
        stop.set_meter(Some(leader.clone()));
        let result = solver.check_assuming(pool, assumptions);
        stop.set_meter(None);
        let has_answer = !matches!(result, Ok(CheckResult::Unknown(_)));
        let Course { threads, winner } = leader.end(has_answer, &stop);
        let were_started = !threads.is_empty();
        self.ending = threads;
        if were_started {
            let is_decided = has_answer || winner.is_some();
            let name = rows[winner.unwrap_or(0)].0.name;
            self.statistics.count(is_decided.then_some(name), board.rounds());
        }
        let Some(winner) = winner else { return result };
        let finding = board.take(winner).unwrap_or(Ok(Finding::Open))?;
        Ok(self.adopt(solver, pool, assumptions, finding)?.unwrap_or(result?))
    }

    /// Whether engines that have a small part of one thread are of use to the next check of a solver: to its
    /// first one only, as later ones are asked afresh, and as many short ones may follow; not where terms are
    /// so many that copies cost too much; not under a limit of conflicts, which is one of the work of the
    /// solver itself; and not beside a SAT backend that was chosen, which is to do the work then.
    fn has_spare_engines(solver: &Solver, pool: &Pool) -> bool {
        let settings = solver.settings();
        solver.is_fresh()
            && pool.len() <= MOST_TERMS
            && !settings.limits_conflicts()
            && settings.get("sat").is_ok_and(|name| name == sat::default_backend())
            && is_steady(settings).is_ok()
    }

    /// The question as other engines see it.
    fn question(&mut self, solver: &Solver, pool: &Pool, assumptions: &[Term]) -> Question {
        let roots = [solver.assertions(), assumptions].concat();
        if Arc::get_mut(&mut self.mirror).is_none() {
            self.mirror = Arc::default();
        }
        if let Some(mirror) = Arc::get_mut(&mut self.mirror) {
            mirror.extend(pool, &roots);
        }
        let mirror = self.mirror.clone();
        let image = |term| mirror.image(term).unwrap_or(term);
        let there = |asserted: Asserted| Asserted { formula: image(asserted.formula), ..asserted };
        Question {
            asserted: solver.outline().into_iter().map(there).collect(),
            levels: solver.levels(),
            assumptions: assumptions.iter().map(|&term| image(term)).collect(),
            mirror,
        }
    }

    /// The engines of the table beside the solver, for which the first row stands. Those are left out whose
    /// SAT backend is not compiled in, and, where the first answer wins, those for which there is no thread.
    /// A spare engine does not work with another value of an option than the one that was chosen.
    fn rows(&self, solver: &Solver) -> Vec<(&'static Row, Settings)> {
        let most = if self.threads.is_racing() { self.threads.count() } else { ENGINES.len() };
        let is_free = |row: &Row| !self.threads.is_spare() || row.changes_defaults_only(solver.settings());
        let others = ENGINES.iter().filter(|row| self.share(row) > 0 && is_free(row));
        others.filter_map(|row| Some((row, row.settings(solver.settings())?))).take(most).collect()
    }

    /// The steps of an engine for each hundred of the first.
    fn share(&self, row: &Row) -> u64 {
        if self.threads.is_spare() { row.spare } else { row.share }
    }

    /// Makes what another engine has found the answer of the solver.
    fn adopt(
        &self,
        solver: &mut Solver,
        pool: &Pool,
        assumptions: &[Term],
        finding: Finding,
    ) -> Result<Option<CheckResult>, InternalError> {
        match finding {
            Finding::Open => Ok(None),
            Finding::Refutation(refutation) => {
                solver.adopt_refutation(assumptions, refutation);
                Ok(Some(CheckResult::Unsat))
            }
            Finding::Model(values) => {
                let roots = [solver.assertions(), assumptions].concat();
                let mut values = values.into_iter().peekable();
                let mut assignment = Assignment::new();
                let symbols = cone(pool, &roots).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
                let mut symbols: Vec<(Option<Term>, Term)> =
                    symbols.map(|symbol| (self.mirror.image(symbol), symbol)).collect();
                // Both by the order of the copies.
                symbols.sort_unstable();
                for (image, symbol) in symbols {
                    if let Some((_, value)) = values.next_if(|(copy, _)| Some(*copy) == image) {
                        assignment.set(symbol, value);
                    }
                }
                solver.adopt_model(pool, assumptions, assignment)?;
                Ok(Some(CheckResult::Sat))
            }
        }
    }

    /// Waits for threads that were told to end.
    fn join(&mut self) {
        for thread in self.ending.drain(..) {
            // What an engine does is caught there, so a thread has nothing to say.
            let _ = thread.join();
        }
    }
}

/// Whether the steps of a solver with these settings can be counted.
fn is_steady(settings: &Settings) -> Result<(), Unsteady> {
    let spec = settings.get("sat").unwrap_or_default();
    let name = spec.split(':').next().unwrap_or_default().trim();
    let backend = sat::backends().iter().find(|backend| backend.name == name);
    let is_steady = backend.is_some_and(|backend| backend.capabilities.steady);
    if is_steady { Ok(()) } else { Err(Unsteady(name.to_owned())) }
}

impl Drop for Portfolio {
    fn drop(&mut self) {
        self.join();
    }
}
