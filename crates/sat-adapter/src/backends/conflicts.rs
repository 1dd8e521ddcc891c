//! Steps of an engine that is polled and tells of its conflicts.
//!
//! Polls are no measure of work: an engine may poll for each decision. And what CaDiCaL counts itself (ticks,
//! accesses to memory) is told between calls only; a call that is cut into pieces is another search, with
//! other luck, than one that is not. But engines tell of each clause that they learn. So conflicts are their
//! steps, more for each in a larger formula, and a search whose steps are counted is the same, decision by
//! decision, as one whose are not.
//!
//! The callbacks of CaDiCaL are owned by the engine, so what they share is atomic; only one thread uses it.

use crate::{Stop, Why};
use std::sync::atomic::{AtomicU64, Ordering};

/// A conflict is one step, and one more for so many clauses: a step takes 20 to 200 microseconds then.
const CLAUSES: u64 = 1 << 15;

/// Conflicts as steps.
#[derive(Default)]
pub(crate) struct Conflicts {
    /// Those that were not spent yet.
    new: AtomicU64,
    /// The steps of one; 0 for one step.
    steps: AtomicU64,
}

impl Conflicts {
    /// A call begins with so many clauses.
    pub(crate) fn begin(&self, clauses: u64) {
        self.steps.store(1 + clauses / CLAUSES, Ordering::Relaxed);
    }

    /// The engine has learned a clause.
    #[inline]
    pub(crate) fn count(&self) {
        self.new.fetch_add(1, Ordering::Relaxed);
    }

    /// The engine polls.
    pub(crate) fn poll(&self, stop: &Stop) -> Option<Why> {
        match self.new.swap(0, Ordering::Relaxed) {
            0 => stop.glance(),
            new => stop.spend(new.saturating_mul(self.steps.load(Ordering::Relaxed))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_limits::Meter;
    use std::sync::Arc;

    /// Counts steps.
    #[derive(Default)]
    struct Steps(AtomicU64);

    impl Meter for Steps {
        fn spend(&self, _stop: &Stop, steps: u64) -> Option<Why> {
            self.0.fetch_add(steps, Ordering::Relaxed);
            None
        }

        fn is_over(&self) -> bool {
            false
        }
    }

    #[test]
    fn conflicts_are_spent_at_the_next_poll_by_the_size_of_the_formula() {
        let (stop, steps, conflicts) = (Stop::new(), Arc::new(Steps::default()), Conflicts::default());
        stop.set_meter(Some(steps.clone()));
        conflicts.begin(CLAUSES - 1);
        (0..10).for_each(|_| conflicts.count());
        assert_eq!([(); 2].map(|()| conflicts.poll(&stop)), [None; 2]);
        assert_eq!(steps.0.load(Ordering::Relaxed), 10);
        conflicts.begin(3 * CLAUSES);
        conflicts.count();
        assert_eq!(conflicts.poll(&stop), None);
        assert_eq!(steps.0.load(Ordering::Relaxed), 14);
        stop.stop(Why::TimeLimit);
        assert_eq!(conflicts.poll(&stop), Some(Why::TimeLimit));
    }
}
