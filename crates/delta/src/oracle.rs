//! Who says whether a candidate still fails.
//!
//! The reducer knows nothing of solvers: it hands out text and gets back a yes or a no. Behind that may stand
//! an external command, a solver in this process, a vote of several. Two things are asked of an oracle. It
//! answers by the text alone, or else nothing about the outcome is certain; and it comes back: limits of time
//! are its own business, because only it has a clock. A "no" is always safe.

use bivalve_limits::Cancel;

/// Judges candidates, several at a time.
pub trait Oracle: Sync {
    /// Does the failure show on this script? When `cancel` is raised the answer is no longer needed.
    fn fails(&self, script: &str, cancel: &Cancel) -> bool;
}

impl<F: Fn(&str) -> bool + Sync> Oracle for F {
    fn fails(&self, script: &str, _: &Cancel) -> bool {
        self(script)
    }
}
