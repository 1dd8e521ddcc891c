//! Limits of checks, from outside.
//!
//! A session reads no clock and no meter of memory. It tells a [`Monitor`] when work that may take long
//! begins and ends: a check, an explanation, the search for a proof. The monitor raises the [`Stop`] flag of
//! the work from another thread when a limit is reached; a check then answers `unknown` with that reason.
//! While commands are read, the monitor is asked whether a limit of the whole run is reached; what builds
//! terms is passed over then.

use bivalve::terms::Pool;
use bivalve::{CheckResult, Progress, Solver, Stop, Why};
use std::sync::Arc;
use std::time::Duration;

/// Watches the work of a session.
pub trait Monitor {
    /// A check, an explanation or the search for a proof begins. `stop` may be raised from before and is to
    /// be reset; it ends the work, which is to be ended after `time_limit`, the limit that the script sets
    /// for each check. `progress` shows where a check is; other work has none.
    fn begins(&mut self, stop: &Stop, progress: Option<&Arc<Progress>>, time_limit: Option<Duration>);

    /// The work has ended.
    fn ended(&mut self);

    /// A check of the script was answered, as [`Monitor::ended`] was told before; the solver holds what it
    /// built. Checks for explanations and consequences are none of the script.
    ///
    /// # Errors
    ///
    /// What the monitor does with the solver may fail; the text becomes the reply to the check.
    fn checked(&mut self, _: &mut Solver, _: &mut Pool, _: CheckResult) -> Result<(), String> {
        Ok(())
    }

    /// Why nothing more is to be built, if a limit of the whole run is reached.
    fn exhausted(&self) -> Option<Why> {
        None
    }

    /// The peak memory of the process in bytes, where it is known.
    fn peak_memory(&self) -> Option<u64> {
        None
    }
}

/// A monitor that ends nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoMonitor;

impl Monitor for NoMonitor {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, _: Option<Duration>) {
        stop.reset();
    }

    fn ended(&mut self) {}
}
