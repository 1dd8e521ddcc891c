//! Limits of checks, from outside.
//!
//! A session reads no clock and no meter of memory. It tells a [`Monitor`] when a check begins and ends; the
//! monitor raises the [`Stop`] flag of the check from another thread when a limit is reached, and the check
//! answers `unknown` with that reason. While a command is read that stands for very many terms, the monitor
//! is asked whether a limit is reached.

use bivalve::terms::Pool;
use bivalve::{Progress, Solver, Stop, Why};
use std::sync::Arc;
use std::time::Duration;

/// Watches the checks of a session.
pub trait Monitor {
    /// A check begins. `stop` ends it, `progress` shows where it is, and it is to be ended after
    /// `time_limit`, the limit for each check.
    fn check_begins(&mut self, stop: &Stop, progress: &Arc<Progress>, time_limit: Option<Duration>);

    /// The check has ended; the solver holds what it built.
    ///
    /// # Errors
    ///
    /// What the monitor does with the solver may fail; the text becomes the reply to the check.
    fn check_ended(&mut self, _solver: &Solver, _pool: &Pool) -> Result<(), String> {
        Ok(())
    }

    /// Why a command is not to be read to its end, if a limit of the whole run is reached.
    fn exhausted(&self) -> Option<Why> {
        None
    }

    /// An explanation of the check begins; `stop` ends it, and it is to be ended after `time_limit`.
    fn explanation_begins(&mut self, stop: &Stop, _time_limit: Option<Duration>) {
        stop.reset();
    }

    /// The explanation has ended.
    fn explanation_ended(&mut self) {}

    /// The peak memory of the process in bytes, where it is known.
    fn peak_memory(&self) -> Option<u64> {
        None
    }
}

/// A monitor that ends no check.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoMonitor;

impl Monitor for NoMonitor {
    fn check_begins(&mut self, stop: &Stop, _progress: &Arc<Progress>, _time_limit: Option<Duration>) {
        stop.reset();
    }
}
