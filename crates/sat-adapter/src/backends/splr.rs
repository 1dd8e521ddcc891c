//! Splr (Narazaki), a modern solver in pure Rust after Glucose, through the crate `splr` 0.17.
//!
//! The engine is one-shot: no assumptions, no cores, no phases, no limits but a clock, and no way to stop it.
//! Its feature `incremental_solver` would not help (it turns variable elimination off, for the whole
//! workspace) and must stay off. So this is a [`OneShot`], and [`Incremental<Splr>`](crate::Incremental) is
//! the backend `splr`.
//!
//! What stands between its weaknesses and a wrong answer:
//!
//! - It sees only a reduced set of clauses (`reduced.rs`): no empty clause, no unit, no tautology, no
//!   repeated literal, no unused variable. Those are the inputs on which it has panicked or answered with an
//!   error.
//! - It is built without `unsafe_access`, so a wrong index is a panic and not a wrong read; every run is
//!   wrapped in `catch_unwind`, and a panic becomes an unknown. (The panic hook of the program still sees
//!   it.)
//! - Its clock is set so far ahead that no decision of the engine depends on it: runs repeat exactly.
//! - Its models are checked by the adapter. Its unsat is taken at its word, as for every backend.
//!
//! To be stoppable it runs on a thread of its own whenever another part of the program holds the [`Stop`]
//! handle. When the flag is raised the call returns at once, and the thread is left behind until the engine
//! is done; it shares nothing with anyone. That is the price of an engine without a bell.

use std::panic::catch_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use splr::assign::property::Tusize;
use splr::{Certificate, Config, PropertyDereference, SolveIF, Solver, SolverError};

use crate::reduced::Reduced;
use crate::{Answer, Budget, Capabilities, CnfLog, Lit, OneShot, Statistics, Stop, Why};

/// How often a waiting call looks at its flag.
const LOOK: Duration = Duration::from_millis(5);

/// The engine's time limit in seconds: never.
const NEVER: f64 = 4e9;

/// The engine behind the backend `splr`.
#[derive(Clone, Debug, Default)]
pub struct Splr {
    effort: Effort,
}

#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    conflicts: u64,
    decisions: u64,
    propagations: u64,
    restarts: u64,
}

impl OneShot for Splr {
    fn name(&self) -> &'static str {
        "splr"
    }

    fn signature(&self) -> String {
        format!("splr {}", splr::VERSION)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ONE_SHOT
    }

    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], _budget: &Budget, stop: &Stop) -> Answer {
        let Some(mut reduced) = Reduced::new(cnf, units) else { return Answer::Unsat };
        if reduced.clauses.is_empty() {
            return Answer::Sat(reduced.lift(&[]));
        }
        let clauses = std::mem::take(&mut reduced.clauses);
        let outcome = if stop.is_shared() { run_watched(clauses, stop) } else { run(&clauses) };
        match outcome {
            Ok((certificate, effort)) => {
                self.effort.conflicts += effort.conflicts;
                self.effort.decisions += effort.decisions;
                self.effort.propagations += effort.propagations;
                self.effort.restarts += effort.restarts;
                match certificate {
                    Certificate::SAT(model) => Answer::Sat(reduced.lift(&model)),
                    Certificate::UNSAT => Answer::Unsat,
                }
            }
            Err(why) => Answer::Unknown(why),
        }
    }

    fn effort(&self) -> Statistics {
        Statistics {
            conflicts: Some(self.effort.conflicts),
            decisions: Some(self.effort.decisions),
            propagations: Some(self.effort.propagations),
            restarts: Some(self.effort.restarts),
            ..Statistics::default()
        }
    }
}

type Outcome = Result<(Certificate, Effort), Why>;

fn run(clauses: &[Vec<i32>]) -> Outcome {
    catch_unwind(|| decide(clauses)).unwrap_or(Err(Why::Backend("it panicked")))
}

fn decide(clauses: &[Vec<i32>]) -> Outcome {
    let config = Config { c_timeout: NEVER, quiet_mode: true, ..Config::default() };
    let mut solver = match Solver::try_from((config, clauses)) {
        Ok(solver) => solver,
        Err(Ok(certificate)) => return Ok((certificate, Effort::default())),
        Err(Err(failure)) => return refuted(&failure, Effort::default()),
    };
    let result = solver.solve();
    let count = |counter: Tusize| solver.asg.derefer(counter) as u64;
    let effort = Effort {
        conflicts: count(Tusize::NumConflict),
        decisions: count(Tusize::NumDecision),
        propagations: count(Tusize::NumPropagation),
        restarts: count(Tusize::NumRestart),
    };
    match result {
        Ok(certificate) => Ok((certificate, effort)),
        Err(failure) => refuted(&failure, effort),
    }
}

/// Some of the engine's errors are its way to say unsat.
fn refuted(failure: &SolverError, effort: Effort) -> Outcome {
    match failure {
        SolverError::EmptyClause | SolverError::RootLevelConflict(_) => Ok((Certificate::UNSAT, effort)),
        SolverError::OutOfMemory => Err(Why::MemoryLimit),
        SolverError::TimeOut => Err(Why::TimeLimit),
        SolverError::Inconsistent
        | SolverError::InvalidLiteral
        | SolverError::IOError
        | SolverError::SolverBug
        | SolverError::UndescribedError => Err(Why::Backend("it reported an internal error")),
    }
}

/// Runs the engine on a thread of its own and leaves it behind when the flag is raised.
fn run_watched(clauses: Vec<Vec<i32>>, stop: &Stop) -> Outcome {
    let (sender, receiver) = channel();
    let work = move || {
        // A call that was stopped has dropped the receiver.
        let _ = sender.send(run(&clauses));
    };
    if thread::Builder::new().name("splr".to_owned()).spawn(work).is_err() {
        return Err(Why::Backend("its thread could not be started"));
    }
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(outcome) => return outcome,
            Err(RecvTimeoutError::Timeout) => match stop.reason() {
                Some(why) => return Err(why),
                None => continue,
            },
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Why::Backend("its thread ended without an answer"));
            }
        }
    }
}
