//! The test of a candidate: whether it still fails.
//!
//! The reducer does not depend on solvers: it hands out text and gets back a yes or a no, by an external
//! command, by a solver in this process, or by a vote of several. An oracle must answer by the text alone,
//! else the result may not fail again; and it must return, so it limits the time of a test itself. A "no" is
//! always safe.

use bivalve_limits::Cancel;

/// Tests candidates, several at a time.
pub trait Oracle: Sync {
    /// Does the failure show on this script? When `cancel` is raised, the answer is not needed any more.
    fn fails(&self, script: &str, cancel: &Cancel) -> bool;
}

impl<F: Fn(&str) -> bool + Sync> Oracle for F {
    fn fails(&self, script: &str, _: &Cancel) -> bool {
        self(script)
    }
}
