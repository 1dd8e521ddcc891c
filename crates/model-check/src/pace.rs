//! How far an engine goes in a round.
//!
//! A step is a look at the stop flag ([`bivalve_limits::Meter`]): all that runs long looks there, at the same
//! places in every run, so rewriting, encoding and search are counted alike, some ten to two hundred
//! microseconds each. IC3 has a SAT solver of its own, which counts propagations and looks after so many of
//! them as take that long. An engine that has spent what a round grants is ended at its next look, and goes
//! on from there in the next one.

use bivalve::{Settings, Solver, Stop, Why};
use bivalve_limits::Meter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The first engine, by its place in the round, that has decided a property.
pub(crate) type Winner = AtomicUsize;

/// While no engine has decided a property.
pub(crate) const UNDECIDED: usize = usize::MAX;

/// When a race is over and nothing is to be decided any more.
pub(crate) const OVER: usize = usize::MAX - 1;

/// The steps of one engine. It runs on one thread at a time, so relaxed atomics are plain numbers.
pub(crate) struct Pace {
    spent: AtomicU64,
    end: AtomicU64,
    /// The place of the engine, and where it is said that one before it, or in a race any other one, has
    /// decided its property.
    place: usize,
    winner: Arc<Winner>,
    is_race: bool,
}

impl Pace {
    /// Grants nothing yet.
    pub(crate) fn new(place: usize, winner: Arc<Winner>, is_race: bool) -> Arc<Pace> {
        Arc::new(Pace { spent: AtomicU64::new(0), end: AtomicU64::new(0), place, winner, is_race })
    }

    /// Grants so many steps more, from what is spent on.
    pub(crate) fn grant(&self, steps: u64) {
        self.end.store(self.spent().saturating_add(steps), Ordering::Relaxed);
    }

    /// The steps that were spent so far.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Counts steps of work that does not look.
    pub(crate) fn charge(&self, steps: u64) {
        self.spent.fetch_add(steps, Ordering::Relaxed);
    }

    /// Whether the round is over for this engine.
    pub(crate) fn is_over(&self) -> bool {
        self.spent() >= self.end.load(Ordering::Relaxed) || self.is_lost()
    }

    fn is_lost(&self) -> bool {
        let winner = self.winner.load(Ordering::Relaxed);
        winner < self.place || self.is_race && winner != self.place && winner != UNDECIDED
    }
}

impl Meter for Pace {
    fn spend(&self, _: &Stop, steps: u64) -> Option<Why> {
        self.charge(steps);
        self.is_over().then_some(Why::Budget)
    }

    fn is_over(&self) -> bool {
        Pace::is_over(self)
    }
}

/// What an engine makes its parts with.
#[derive(Clone)]
pub(crate) struct Grant {
    /// Asks the caller whether to stop; not counted.
    pub(crate) outer: Stop,
    pub(crate) pace: Arc<Pace>,
    pub(crate) settings: Settings,
}

impl Grant {
    /// A flag for work whose steps count, and which ends with the round.
    pub(crate) fn paced(&self) -> Stop {
        let stop = self.patient();
        stop.set_meter(Some(self.pace.clone()));
        stop
    }

    /// A flag for work that is not cut into rounds.
    pub(crate) fn patient(&self) -> Stop {
        let (stop, outer) = (Stop::new(), self.outer.clone());
        stop.ask_why(move || outer.asked());
        stop
    }

    /// A solver whose steps count.
    pub(crate) fn solver(&self) -> Solver {
        Solver::stopped_by(self.settings.clone(), self.paced())
    }
}
