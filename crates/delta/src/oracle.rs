//! Who says whether a candidate still fails.
//!
//! The reducer knows nothing of solvers: it hands out text and gets back a yes or a no. Behind that may stand an external
//! command, a solver in this process, a vote of several. Two things are asked of an oracle. It answers by the text alone,
//! or else nothing about the outcome is certain; and it comes back: limits of time are its own business, because only it
//! has a clock. A "no" is always safe.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Judges candidates, several at a time.
pub trait Oracle: Sync {
    /// Does the failure show on this script? When `stop` is raised nobody waits for the answer any more.
    fn fails(&self, script: &str, stop: &Stop) -> bool;
}

impl<F: Fn(&str) -> bool + Sync> Oracle for F {
    fn fails(&self, script: &str, _: &Stop) -> bool {
        self(script)
    }
}

/// A flag that is raised once; clones are the same flag.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Raises the flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Is the flag raised?
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler, or for whoever has flags of another type.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }
}
