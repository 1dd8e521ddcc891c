//! Stopping a computation from another thread.
//!
//! A [`Stop`] is one shared byte. The owner of a limit (a clock, a memory meter, a user at the keyboard,
//! another solver that was faster) writes a reason into it, from any thread; the computation reads it every
//! few steps and gives up with that reason. Only the handle crosses threads, so a solver need not be `Send`.
//!
//! The first reason stays: a time limit that is reached while a memory limit already ends the work does not
//! replace it. The byte stays set until [`Stop::reset`], so a chain of calls stops as a whole. A signal
//! handler can only set a flag of its own; [`Stop::listen_to`] makes that flag a reason too.
//!
//! Computations look at the same places in every run of the same input, so looks are steps: a [`Meter`] that
//! is told of each look counts them, and may hold the computation there, or end it. A computation that counts
//! its work in another way spends steps in larger pieces ([`Stop::spend`]) and glances at the flag meanwhile.
//!
//! The other way round, the computation tells what it has done ([`Stop::counts`]), for people who wait.
//!
//! The byte guards no other memory, so relaxed ordering is enough.

use crate::Why;
use crate::slot::Slot;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A handle that stops computations; clones share the same flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Flags>);

/// Counts the steps of a computation, on its thread. A step takes some ten to two hundred microseconds.
pub trait Meter: Send + Sync {
    /// The computation has done so many steps, and [`Stop::asked`] has given no reason to stop so far. It
    /// goes on when this returns, unless with a reason. A meter that waits here looks at [`Stop::asked`]
    /// meanwhile, so that the computation can be stopped.
    fn spend(&self, stop: &Stop, steps: u64) -> Option<Why>;

    /// Whether the computation is to end, in the midst of a piece.
    fn is_over(&self) -> bool;
}

#[derive(Default)]
struct Flags {
    reason: AtomicU8,
    /// A question to the caller; an answer is the reason to stop.
    question: Slot<dyn Fn() -> Option<Why> + Send + Sync>,
    /// A flag of the caller that means [`Why::Interrupted`].
    interrupted: OnceLock<Arc<AtomicBool>>,
    meter: Slot<dyn Meter>,
    conflicts: AtomicU64,
    restarts: AtomicU64,
}

/// What computations have told since the last [`Stop::reset`]. Nothing is decided by it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Clauses that a search has learned from conflicts.
    pub conflicts: u64,
    /// Restarts of a search; 0 from those that do not tell of them.
    pub restarts: u64,
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.reason)
    }
}

/// What the flag's values mean; the value is the position, 0 is "go on".
const REASONS: [Option<Why>; 5] =
    [None, Some(Why::Interrupted), Some(Why::TimeLimit), Some(Why::MemoryLimit), Some(Why::Budget)];

impl Stop {
    /// A handle that stops nothing yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks every computation that holds this handle to stop, for a reason. The first reason stays; a
    /// [`Why::Backend`] or [`Why::Incomplete`], which are no reasons to stop from outside, count as
    /// [`Why::Interrupted`].
    pub fn stop(&self, why: Why) {
        let code = match why {
            Why::Interrupted | Why::Backend(_) | Why::Incomplete(_) => 1,
            Why::TimeLimit => 2,
            Why::MemoryLimit => 3,
            Why::Budget => 4,
        };
        // Losing the race means that another reason was first, and that one stays.
        let _ = self.0.reason.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason to stop, if there is one. For the computation: its meter, if it has one, counts a step.
    #[inline]
    pub fn reason(&self) -> Option<Why> {
        self.spend(1)
    }

    /// The same after so many steps.
    #[inline]
    pub fn spend(&self, steps: u64) -> Option<Why> {
        self.asked().or_else(|| self.0.meter.get()?.spend(self, steps))
    }

    /// The same in the midst of a piece of work whose steps are spent afterwards.
    #[inline]
    pub fn glance(&self) -> Option<Why> {
        self.asked().or_else(|| self.0.meter.get()?.is_over().then_some(Why::Interrupted))
    }

    /// From now on `meter` is told of each look; with `None`, looks are not counted. To be changed while no
    /// computation runs.
    pub fn set_meter(&self, meter: Option<Arc<dyn Meter>>) {
        self.0.meter.set(meter);
    }

    /// The reason to stop that [`Stop::stop`], the flag or the question gives; the meter is not told. For
    /// threads other than that of the computation.
    #[inline]
    pub fn asked(&self) -> Option<Why> {
        let reason = REASONS[usize::from(self.0.reason.load(Ordering::Relaxed))];
        let flagged = || self.0.interrupted.get().is_some_and(|flag| flag.load(Ordering::Relaxed));
        let asked = || self.0.question.get()?();
        reason.or_else(|| flagged().then_some(Why::Interrupted)).or_else(asked)
    }

    /// From now on `flag`, while it is true, is a reason to stop: [`Why::Interrupted`]. One flag is listened
    /// to, the first one; [`Stop::reset`] does not touch it.
    pub fn listen_to(&self, flag: &Arc<AtomicBool>) {
        self.0.interrupted.get_or_init(|| flag.clone());
    }

    /// From now on `is_over` is asked whenever the flag is read, every few thousand steps; `true` is a reason
    /// to stop: [`Why::Interrupted`]. One question is asked, the last one; [`Stop::reset`] does not touch it.
    pub fn ask(&self, is_over: impl Fn() -> bool + Send + Sync + 'static) {
        self.ask_why(move || is_over().then_some(Why::Interrupted));
    }

    /// The same with a question whose answer is the reason to stop, `None` to go on: for a caller that keeps
    /// several limits.
    pub fn ask_why(&self, question: impl Fn() -> Option<Why> + Send + Sync + 'static) {
        self.0.question.set(Some(Arc::new(question)));
    }

    /// The computation has met a conflict.
    #[inline]
    pub fn count_conflict(&self) {
        self.0.conflicts.fetch_add(1, Ordering::Relaxed);
    }

    /// The computation has restarted.
    #[inline]
    pub fn count_restart(&self) {
        self.0.restarts.fetch_add(1, Ordering::Relaxed);
    }

    /// What the computations that hold this handle have told.
    pub fn counts(&self) -> Counts {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts { conflicts: load(&self.0.conflicts), restarts: load(&self.0.restarts) }
    }

    /// Clears the reason and what was counted; computations may run again.
    pub fn reset(&self) {
        self.0.conflicts.store(0, Ordering::Relaxed);
        self.0.restarts.store(0, Ordering::Relaxed);
        self.0.reason.store(0, Ordering::Relaxed);
    }

    /// Whether another clone of this handle exists.
    pub fn is_shared(&self) -> bool {
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
    fn a_flag_that_is_listened_to_is_a_reason_while_it_is_true() {
        let (stop, flag) = (Stop::new(), Arc::new(AtomicBool::new(false)));
        stop.clone().listen_to(&flag);
        assert_eq!(stop.reason(), None);
        flag.store(true, Ordering::Relaxed);
        stop.reset();
        assert_eq!(stop.reason(), Some(Why::Interrupted));
        flag.store(false, Ordering::Relaxed);
        stop.stop(Why::TimeLimit);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(stop.reason(), Some(Why::TimeLimit));
    }

    #[test]
    fn a_question_is_asked_each_time() {
        let (stop, count) = (Stop::new(), AtomicU8::new(0));
        stop.clone().ask(move || count.fetch_add(1, Ordering::Relaxed) == 1);
        assert_eq!([stop.reason(), stop.reason(), stop.reason()], [None, Some(Why::Interrupted), None]);
        let stop = Stop::new();
        stop.ask(|| panic!("the last question is asked"));
        stop.ask_why(|| Some(Why::MemoryLimit));
        assert_eq!(stop.reason(), Some(Why::MemoryLimit));
    }

    #[test]
    fn a_meter_counts_the_looks_and_may_end_them() {
        struct Three(AtomicU8);
        impl Meter for Three {
            fn spend(&self, stop: &Stop, steps: u64) -> Option<Why> {
                assert_eq!((stop.asked(), steps), (None, 1));
                (self.0.fetch_add(1, Ordering::Relaxed) >= 3).then_some(Why::Budget)
            }

            fn is_over(&self) -> bool {
                self.0.load(Ordering::Relaxed) >= 3
            }
        }
        let stop = Stop::new();
        stop.set_meter(Some(Arc::new(Three(AtomicU8::new(0)))));
        assert_eq!(stop.glance(), None);
        assert_eq!([(); 4].map(|()| stop.clone().reason()), [None, None, None, Some(Why::Budget)]);
        stop.stop(Why::TimeLimit);
        assert_eq!(stop.reason(), Some(Why::TimeLimit), "there is a reason: the meter is not asked");
        stop.reset();
        assert_eq!((stop.asked(), stop.reason()), (None, Some(Why::Budget)));
        assert_eq!(stop.glance(), Some(Why::Interrupted));
        stop.set_meter(None);
        assert_eq!((stop.reason(), stop.glance()), (None, None));
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
