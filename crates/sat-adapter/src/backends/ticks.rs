//! Steps of an engine that tells its work between calls only, and polls meanwhile.
//!
//! CaDiCaL counts ticks (accesses to memory), which are as long as each other by a factor of two or so; the
//! decisions between two polls may take a microsecond or a millisecond. A call that is cut into pieces tells
//! its ticks, but each piece begins a search anew. So pieces grow with the call, and within a piece the ticks
//! are estimated by polls, at the rate of the piece before. All of it is the same in every run.
//!
//! The poll is owned by the engine, so what it shares with the caller is atomic; only one thread uses it.

use crate::{Stop, Why};
use std::sync::atomic::{AtomicU64, Ordering};

/// Ticks of a step, which then takes 70 to 200 microseconds.
const TICKS: u64 = 2048;

/// Steps of the first piece of a call, when the rate is known.
const FIRST: u64 = 4000;

/// Ticks of a piece, at most; limits have 32 bits.
const MOST: u64 = 1 << 30;

/// Polls of which a rate is made.
const ENOUGH: u64 = 64;

/// Ticks as steps.
#[derive(Default)]
pub(crate) struct Ticks {
    /// Ticks for each poll; 0 while nothing is known.
    rate: AtomicU64,
    /// Polls in this piece.
    polls: AtomicU64,
    /// Ticks of this piece that were spent as steps.
    spent: AtomicU64,
    /// Ticks that are no step yet.
    rest: AtomicU64,
}

impl Ticks {
    /// The ticks of the next piece of a call that has come so far; `None` if no meter counts, or if its
    /// allowance has no end.
    pub(crate) fn next_piece(&self, stop: &Stop, done: u64) -> Option<u64> {
        let allowance = stop.allowance().filter(|&allowance| allowance < u64::MAX)?;
        self.polls.store(0, Ordering::Relaxed);
        let steps = if self.rate.load(Ordering::Relaxed) == 0 { allowance } else { FIRST };
        Some(steps.max(1).saturating_mul(TICKS).max(done).min(MOST))
    }

    /// The engine polls.
    pub(crate) fn poll(&self, stop: &Stop) -> Option<Why> {
        self.polls.fetch_add(1, Ordering::Relaxed);
        let ticks = self.rest.load(Ordering::Relaxed) + self.rate.load(Ordering::Relaxed);
        self.rest.store(ticks % TICKS, Ordering::Relaxed);
        if ticks < TICKS {
            return stop.glance();
        }
        self.spent.fetch_add(ticks - ticks % TICKS, Ordering::Relaxed);
        stop.spend(ticks / TICKS)
    }

    /// A piece has ended after so many ticks; those are spent that were not estimated.
    pub(crate) fn end_piece(&self, stop: &Stop, ticks: u64) -> Option<Why> {
        let polls = self.polls.swap(0, Ordering::Relaxed);
        if polls >= ENOUGH {
            self.rate.store((ticks / polls).clamp(1, MOST), Ordering::Relaxed);
        }
        let spent = self.spent.swap(0, Ordering::Relaxed);
        let left = ticks.saturating_sub(spent + self.rest.load(Ordering::Relaxed));
        if left < TICKS { stop.glance() } else { stop.spend(left / TICKS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_limits::Meter;
    use std::sync::Arc;

    /// Counts steps, and grants so many at a time.
    struct Steps(AtomicU64, u64);

    impl Meter for Steps {
        fn spend(&self, _stop: &Stop, steps: u64) -> Option<Why> {
            self.0.fetch_add(steps, Ordering::Relaxed);
            None
        }

        fn left(&self) -> u64 {
            self.1
        }

        fn is_over(&self) -> bool {
            false
        }
    }

    #[test]
    fn steps_are_estimated_at_the_rate_of_the_piece_before_and_put_right_at_its_end() {
        let (stop, steps, ticks) = (Stop::new(), Arc::new(Steps(AtomicU64::new(0), 1000)), Ticks::default());
        assert_eq!(ticks.next_piece(&stop, 5), None, "no meter counts");
        stop.set_meter(Some(steps.clone()));
        assert_eq!(ticks.next_piece(&stop, 0), Some(1000 * TICKS));
        (0..100).for_each(|_| assert_eq!(ticks.poll(&stop), None));
        assert_eq!(steps.0.load(Ordering::Relaxed), 0, "no rate is known");
        ticks.end_piece(&stop, 1000 * TICKS);
        assert_eq!(steps.0.load(Ordering::Relaxed), 1000);
        assert_eq!(ticks.next_piece(&stop, 1000 * TICKS), Some(FIRST * TICKS));
        assert_eq!(ticks.next_piece(&stop, 9000 * TICKS), Some(9000 * TICKS), "pieces grow with the call");
        (0..100).for_each(|_| assert_eq!(ticks.poll(&stop), None));
        assert_eq!(steps.0.load(Ordering::Relaxed), 2000, "ten steps a poll");
        ticks.end_piece(&stop, 4000 * TICKS);
        assert_eq!(steps.0.load(Ordering::Relaxed), 5000);
    }

    #[test]
    fn nothing_is_cut_where_the_allowance_has_no_end() {
        let (stop, ticks) = (Stop::new(), Ticks::default());
        stop.set_meter(Some(Arc::new(Steps(AtomicU64::new(0), u64::MAX))));
        assert_eq!(ticks.next_piece(&stop, 5), None);
    }
}
