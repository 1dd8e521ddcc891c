//! What `minisat` and `glucose` share: incremental engines that the crate `rustsat` has made alike.
//!
//! The engines keep a budget of conflicts and can be interrupted from another thread. So a call whose
//! [`Stop`] others hold has a second thread beside it, which looks at the flag by the clock. An engine
//! that was interrupted once stays so: the bindings have no way to tell it to go on. For the next call it is
//! replaced by a new one, which is told all clauses again, and that is what they are kept for.
//!
//! Variables are reserved up to the largest before each call, so a value is never asked of one that the
//! engine does not know. The core is the negation of the clause that the engine ends with.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use rustsat::solvers::{GetInternalStats, Interrupt, InterruptSolver, SolveIncremental, SolverResult};
use rustsat::types::{Lit as Foreign, TernaryVal, Var};

use crate::{Budget, Capabilities, ClauseSink, CnfLog, Lit, SatResult, SatSolver, Statistics, Stop, Why};

/// How often the flag is looked at beside a call.
const LOOK: Duration = Duration::from_millis(5);

/// An engine, and what the traits of `rustsat` do not say of it.
pub(super) trait Engine: Default + SolveIncremental + Interrupt + GetInternalStats {
    /// The name of the backend.
    const NAME: &'static str;

    /// The next calls end after so many conflicts each; `None` for no limit.
    fn limit(&mut self, conflicts: Option<i64>);
}

/// A solver around such an engine.
pub(super) struct Family<E> {
    engine: E,
    log: CnfLog,
    /// The number of variables at the last answer.
    answered: u32,
    solves: u64,
    /// The engine was interrupted, so it decides nothing any more.
    is_ended: bool,
    /// The engine had no memory for a clause.
    is_short: bool,
    /// Of the engines that were replaced.
    before: Effort,
    stop: Stop,
    last: Option<SatResult>,
    /// After unsat: the assumptions that suffice for it, sorted.
    core: Vec<Lit>,
}

#[derive(Clone, Copy, Default)]
struct Effort {
    conflicts: u64,
    decisions: u64,
    propagations: u64,
}

impl<E: Engine> Family<E> {
    /// A solver without variables and clauses.
    pub(super) fn new() -> Family<E> {
        Family {
            engine: E::default(),
            log: CnfLog::new(),
            answered: 0,
            solves: 0,
            is_ended: false,
            is_short: false,
            before: Effort::default(),
            stop: Stop::new(),
            last: None,
            core: Vec::new(),
        }
    }

    fn effort(&self) -> Effort {
        let plus = |before: u64, now: usize| before + now as u64;
        Effort {
            conflicts: plus(self.before.conflicts, self.engine.conflicts()),
            decisions: plus(self.before.decisions, self.engine.decisions()),
            propagations: plus(self.before.propagations, self.engine.propagations()),
        }
    }

    /// Searches. Without a result, memory is exhausted.
    fn search(&mut self, assumptions: &[Foreign]) -> Option<SolverResult> {
        if !self.stop.is_shared() {
            return self.engine.solve_assumps(assumptions).ok();
        }
        let (stop, interrupter) = (&self.stop, self.engine.interrupter());
        let engine = &mut self.engine;
        let (done, is_done) = channel::<()>();
        let (result, is_ended) = thread::scope(|scope| {
            let watcher = scope.spawn(move || {
                let mut interrupted = false;
                while is_done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if stop.asked().is_some() {
                        interrupter.interrupt();
                        interrupted = true;
                    }
                }
                interrupted
            });
            let result = engine.solve_assumps(assumptions);
            drop(done);
            (result, watcher.join().unwrap_or(true))
        });
        self.is_ended = is_ended;
        result.ok()
    }

    fn add(&mut self, clause: &[Lit]) {
        self.is_short |= self.engine.add_clause(foreign(clause).collect()).is_err();
    }

    /// Puts a new engine in the place of one that goes on no more.
    fn replace(&mut self) {
        self.before = self.effort();
        self.engine = E::default();
        self.is_ended = false;
        let log = std::mem::take(&mut self.log);
        log.clauses().for_each(|clause| self.add(clause));
        self.log = log;
    }

    fn read_core(&mut self) -> Result<(), Why> {
        let clause = self.engine.core().map_err(|_| Why::Backend("it has no core"))?;
        self.core = clause.iter().filter_map(|&lit| Lit::from_dimacs((!lit).to_ipasir())).collect();
        self.core.sort_unstable();
        Ok(())
    }

    fn decide(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        let Some(largest) = self.log.variables().checked_sub(1) else {
            return if self.log.has_empty_clause() { SatResult::Unsat } else { SatResult::Sat };
        };
        if self.is_ended {
            self.replace();
        }
        if self.is_short || self.engine.reserve(Var::new(largest)).is_err() {
            return SatResult::Unknown(Why::MemoryLimit);
        }
        self.engine.limit(budget.conflicts.map(|limit| i64::try_from(limit).unwrap_or(i64::MAX / 2)));
        let assumptions: Vec<Foreign> = foreign(assumptions).collect();
        match self.search(&assumptions) {
            Some(SolverResult::Sat) => SatResult::Sat,
            Some(SolverResult::Unsat) => match self.read_core() {
                Ok(()) => SatResult::Unsat,
                Err(why) => SatResult::Unknown(why),
            },
            Some(SolverResult::Interrupted) => SatResult::Unknown(match self.stop.reason() {
                Some(why) => why,
                None if *budget != Budget::UNLIMITED => Why::Budget,
                None => Why::Backend("it gave up"),
            }),
            None => SatResult::Unknown(Why::MemoryLimit),
        }
    }
}

/// Literals in the words of `rustsat`.
fn foreign(lits: &[Lit]) -> impl Iterator<Item = Foreign> {
    lits.iter().map(|lit| Foreign::new(lit.var() - 1, lit.is_negative()))
}

impl<E: Engine> ClauseSink for Family<E> {
    fn new_var(&mut self) -> Lit {
        self.log.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.last = None;
        self.log.add_clause(clause);
        self.add(clause);
    }
}

impl<E: Engine> SatSolver for Family<E> {
    fn name(&self) -> &'static str {
        E::NAME
    }

    fn signature(&self) -> String {
        self.engine.signature().to_lowercase()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::INCREMENTAL
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.solves += 1;
        self.last = None;
        self.core.clear();
        self.log.mention(assumptions);
        if let Some(why) = self.stop.reason() {
            return SatResult::Unknown(why);
        }
        let answer = self.decide(assumptions, budget);
        self.last = Some(answer);
        self.answered = self.log.variables();
        answer
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        if self.last != Some(SatResult::Sat) || lit.var() > self.answered {
            return None;
        }
        match self.engine.lit_val(Foreign::positive(lit.var() - 1)) {
            Ok(TernaryVal::True) => Some(!lit.is_negative()),
            Ok(TernaryVal::False) => Some(lit.is_negative()),
            Ok(TernaryVal::DontCare) | Err(_) => None,
        }
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.last == Some(SatResult::Unsat) && self.core.binary_search(&lit).is_ok()
    }

    fn set_stop(&mut self, stop: Stop) {
        self.stop = stop;
    }

    fn statistics(&self) -> Statistics {
        let effort = self.effort();
        Statistics {
            variables: u64::from(self.log.variables()),
            clauses: self.log.len() as u64,
            solves: self.solves,
            runs: self.solves,
            conflicts: Some(effort.conflicts),
            decisions: Some(effort.decisions),
            propagations: Some(effort.propagations),
            restarts: None,
        }
    }
}
