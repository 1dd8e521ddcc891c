//! Where a running check is: a few counters that another thread may read at any time.
//!
//! Nothing is decided by them; they exist so that a person who waits sees what for. Relaxed atomics suffice,
//! since no other memory is read on their word.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The phases of a check, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Phase {
    /// No check runs.
    Idle,
    /// Assertions are simplified.
    Simplify,
    /// Gates are built and clauses written.
    Synthesise,
    /// The SAT solver searches.
    Search,
    /// Arrays and functions are checked for a model.
    Refine,
    /// A model is read and validated.
    Validate,
}

/// One word for people.
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Phase::Idle => "idle",
            Phase::Simplify => "simplify",
            Phase::Synthesise => "circuits",
            Phase::Search => "search",
            Phase::Refine => "refine",
            Phase::Validate => "validate",
        })
    }
}

/// Is told of progress.
type Listener = Box<dyn Fn(&Progress) + Send + Sync>;

/// Counters of a running check.
#[derive(Default)]
pub struct Progress {
    phase: AtomicU8,
    /// Assertions done in this phase, and all of them.
    done: AtomicU64,
    total: AtomicU64,
    gates: AtomicU64,
    clauses: AtomicU64,
    listener: Mutex<Option<Listener>>,
}

impl Progress {
    pub(crate) fn enter(&self, phase: Phase, total: usize) {
        self.phase.store(phase as u8, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total as u64, Ordering::Relaxed);
        self.tell();
    }

    pub(crate) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count(&self, gates: u64, clauses: u64) {
        self.gates.store(gates, Ordering::Relaxed);
        self.clauses.store(clauses, Ordering::Relaxed);
        self.tell();
    }

    /// From now on calls `listener` when a check goes on to another phase, and for each assertion that gets
    /// gates; in place of the listener before. It runs on the solver's thread.
    pub fn listen(&self, listener: impl Fn(&Progress) + Send + Sync + 'static) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(listener));
    }

    fn tell(&self) {
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listener) = &*listener {
            listener(self);
        }
    }

    /// The gates and clauses so far.
    pub fn size(&self) -> (u64, u64) {
        (self.gates.load(Ordering::Relaxed), self.clauses.load(Ordering::Relaxed))
    }

    /// The phase the check is in.
    pub fn phase(&self) -> Phase {
        let phases =
            [Phase::Idle, Phase::Simplify, Phase::Synthesise, Phase::Search, Phase::Refine, Phase::Validate];
        phases[usize::from(self.phase.load(Ordering::Relaxed))]
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Progress({self})")
    }
}

/// One line for people.
impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (done, total) = (load(&self.done), load(&self.total));
        match self.phase() {
            Phase::Idle => write!(f, "idle"),
            Phase::Simplify => write!(f, "simplifying assertion {done} of {total}"),
            Phase::Synthesise => {
                write!(f, "building circuits, conjunct {done} of {total}: ")?;
                write!(f, "{} gates, {} clauses", load(&self.gates), load(&self.clauses))
            }
            Phase::Search => {
                write!(f, "searching: {} gates, {} clauses", load(&self.gates), load(&self.clauses))
            }
            Phase::Refine => write!(f, "checking {total} reads, {done} lemmas"),
            Phase::Validate => write!(f, "validating the model"),
        }
    }
}
