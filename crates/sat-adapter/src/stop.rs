//! Stopping a solver from outside.
//!
//! A [`Stop`] is one shared byte. Whoever keeps a limit (a clock, a memory meter, a user at the keyboard, another
//! solver that was faster) writes a reason into it, from any thread; the solver looks at it every few steps and
//! gives up with that reason. The solver itself need not be `Send` for this: only the handle travels.
//!
//! The first reason stays. A time limit that strikes while a memory limit is already winding things down does not
//! rewrite history. The byte stays set until [`Stop::reset`], so a chain of `solve` calls stops as a whole.
//!
//! The byte is its own message and guards no other memory, so relaxed ordering is enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::Why;

/// A handle that stops solvers; clones share the same flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

/// What the flag's values mean; the value is the position, 0 is "go on".
const REASONS: [Option<Why>; 5] =
    [None, Some(Why::Interrupted), Some(Why::TimeLimit), Some(Why::MemoryLimit), Some(Why::Budget)];

impl Stop {
    /// A handle that stops nothing yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks every solver that holds this handle to stop, and says why. The first reason stays; a
    /// [`Why::Backend`] or [`Why::Incomplete`], which are no reasons to stop from outside, count as [`Why::Interrupted`].
    pub fn stop(&self, why: Why) {
        let code = match why {
            Why::Interrupted | Why::Backend(_) | Why::Incomplete(_) => 1,
            Why::TimeLimit => 2,
            Why::MemoryLimit => 3,
            Why::Budget => 4,
        };
        // Losing the race means that another reason was first, and that one stays.
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason to stop, if there is one.
    #[inline]
    pub fn reason(&self) -> Option<Why> {
        REASONS[usize::from(self.0.load(Ordering::Relaxed))]
    }

    /// Lets solvers run again.
    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Whether anyone else holds this handle, and so could use it.
    #[cfg(feature = "splr")]
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays_until_reset() {
        let stop = Stop::new();
        assert_eq!(stop.reason(), None);
        let other = stop.clone();
        std::thread::spawn(move || other.stop(Why::TimeLimit)).join().unwrap();
        stop.stop(Why::MemoryLimit);
        assert_eq!(stop.reason(), Some(Why::TimeLimit));
        stop.reset();
        assert_eq!(stop.reason(), None);
    }

    #[test]
    fn every_reason_survives() {
        for why in [Why::Interrupted, Why::TimeLimit, Why::MemoryLimit, Why::Budget] {
            let stop = Stop::new();
            stop.stop(why);
            assert_eq!(stop.reason(), Some(why));
        }
        let stop = Stop::new();
        stop.stop(Why::Backend("broken"));
        assert_eq!(stop.reason(), Some(Why::Interrupted));
    }
}
