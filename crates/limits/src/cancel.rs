//! A flag that cancels questions whose answers are no longer needed.
//!
//! A caller that asks several solvers, or one about several candidates, raises the flag when the answers so
//! far suffice: a process is then killed, a solver in this process stops at its next look, and a reduction
//! ends with what it has reached. The flag is never lowered: each round has its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that is raised once; clones are the same flag.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Cancels the questions: the caller needs no more answers.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Was it raised?
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler or a solver of this process.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    /// The cancellation that this flag of the caller means.
    fn from(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }
}
