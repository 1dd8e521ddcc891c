//! The board: where each engine is, and which of them may run.
//!
//! Engines run in their own threads, at most so many at a time; a place to run goes to the engine that is the
//! least advanced. Only the first engine, the *leader*, waits for others: at the end of round r until each of
//! them has finished or completed round r - 1. Then it looks for answers that were found in rounds up to
//! r - 1; of these the one of the earliest round wins, and of one round the one of the lowest number. All of
//! that depends on rounds alone, so how many engines run at a time, and how fast, decides nothing. The round
//! between them is there so that an engine that is a little slower is not waited for.
//!
//! When the check is over, everybody who waits is woken, and everybody who runs sees it at the next look.

use crate::finding::Finding;
use bivalve::InternalError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often one who waits asks whether somebody stopped the check.
const GLANCE: Duration = Duration::from_millis(2);

/// What an engine came to.
pub(crate) type Result = std::result::Result<Finding, InternalError>;

/// The state of the engines of one check.
pub(crate) struct Board {
    /// The check is decided or was stopped.
    is_over: AtomicBool,
    /// An engine has an answer, and the first answer wins.
    is_won: AtomicBool,
    is_racing: bool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// How many engines may run at a time.
    threads: usize,
    running: usize,
    engines: Vec<Engine>,
}

/// One engine.
#[derive(Default)]
struct Engine {
    /// Rounds it has completed; the next one is under way, if the engine is not finished.
    completed: u64,
    is_waiting: bool,
    finished: Option<Result>,
}

impl Engine {
    /// The round in which it found an answer, or failed a self-check.
    fn answered(&self) -> Option<u64> {
        let is_answer = |result: &Result| !matches!(result, Ok(Finding::Open));
        self.finished.as_ref().filter(|result| is_answer(result)).map(|_| self.completed)
    }
}

/// Why a leader does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// No answer up to now.
    Open,
    /// This engine has won.
    Won(usize),
    /// Somebody stopped the check.
    Stopped,
}

impl Board {
    /// A board for so many engines, of which the leader runs.
    pub(crate) fn new(engines: usize, threads: usize, is_racing: bool) -> Board {
        let engines = (0..engines).map(|_| Engine::default()).collect();
        Board {
            is_over: AtomicBool::new(false),
            is_won: AtomicBool::new(false),
            is_racing,
            state: Mutex::new(State { threads, running: 1, engines }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The check is over: nobody goes on.
    pub(crate) fn end(&self) {
        // Under the lock, so that nobody begins to wait between the two.
        let _state = self.lock();
        self.is_over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the check is over.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Whether the first answer wins and is there.
    pub(crate) fn is_won(&self) -> bool {
        self.is_won.load(Ordering::Relaxed)
    }

    /// Whether the first answer wins.
    pub(crate) fn is_racing(&self) -> bool {
        self.is_racing
    }

    /// Waits until an engine may begin its first round; `false` when the check is over.
    pub(crate) fn begin(&self, engine: usize) -> bool {
        self.run(self.lock(), engine)
    }

    /// An engine has completed a round, and waits until it may begin the next; `false` when the check is
    /// over.
    pub(crate) fn complete(&self, engine: usize) -> bool {
        let mut state = self.lock();
        state.engines[engine].completed += 1;
        state.running -= 1;
        self.changed.notify_all();
        self.run(state, engine)
    }

    fn run(&self, mut state: MutexGuard<'_, State>, engine: usize) -> bool {
        state.engines[engine].is_waiting = true;
        while !self.is_over() && !state.may_run(engine) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.engines[engine].is_waiting = false;
        state.running += 1;
        !self.is_over()
    }

    /// An engine takes no part.
    pub(crate) fn leave_out(&self, engine: usize) {
        self.lock().engines[engine].finished = Some(Ok(Finding::Open));
    }

    /// An engine that runs has finished.
    pub(crate) fn finish(&self, engine: usize, result: Result) {
        let mut state = self.lock();
        state.running -= 1;
        state.engines[engine].finished = Some(result);
        if self.is_racing && state.engines[engine].answered().is_some() {
            self.is_won.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// The leader has completed a round: waits until it is known whether another engine has won, and, where
    /// none has, until the leader may go on. `is_stopped` is asked meanwhile.
    pub(crate) fn complete_leading(&self, is_stopped: &dyn Fn() -> bool) -> Decision {
        let mut state = self.lock();
        state.engines[0].completed += 1;
        state.running -= 1;
        state.engines[0].is_waiting = true;
        self.changed.notify_all();
        let decision = loop {
            if is_stopped() {
                break Decision::Stopped;
            }
            match state.decided(state.engines[0].completed) {
                Some(Decision::Open) if !state.may_run(0) => {}
                Some(decision) => break decision,
                None => {}
            }
            state = self.glance(state);
        };
        state.engines[0].is_waiting = false;
        state.running += 1;
        decision
    }

    /// The leader has no answer and does not go on: waits until another engine has won, or all have finished
    /// without.
    pub(crate) fn leave_to_others(&self, is_stopped: &dyn Fn() -> bool) -> Decision {
        let mut state = self.lock();
        state.running -= 1;
        state.engines[0].finished = Some(Ok(Finding::Open));
        self.changed.notify_all();
        loop {
            if is_stopped() {
                return Decision::Stopped;
            }
            let first = state.first_answer(u64::MAX);
            let others = &state.engines[1..];
            match first {
                Some(engine) if self.is_racing => return Decision::Won(engine),
                Some(engine) if state.is_settled(state.engines[engine].completed + 1) => {
                    return Decision::Won(engine);
                }
                None if others.iter().all(|other| other.finished.is_some()) => return Decision::Open,
                _ => state = self.glance(state),
            }
        }
    }

    /// What the first engine with an answer came to, where the first answer wins.
    pub(crate) fn first_past(&self) -> Option<usize> {
        self.lock().first_answer(u64::MAX)
    }

    /// What an engine came to, if it has finished.
    pub(crate) fn take(&self, engine: usize) -> Option<Result> {
        self.lock().engines[engine].finished.take()
    }

    /// The rounds that the leader has completed.
    pub(crate) fn rounds(&self) -> u64 {
        self.lock().engines[0].completed
    }

    fn glance<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, GLANCE).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl State {
    /// Whether there is a place for this engine, and nobody who waits for it is less advanced.
    fn may_run(&self, engine: usize) -> bool {
        let place = |number: usize| (self.engines[number].completed, number);
        let is_before = |&other: &usize| {
            self.engines[other].is_waiting && (other > 0 || self.may_lead()) && place(other) < place(engine)
        };
        self.running < self.threads && !(0..self.engines.len()).any(|other| is_before(&other))
    }

    /// Whether the leader, which has completed a round, need not wait for others.
    fn may_lead(&self) -> bool {
        self.decided(self.engines[0].completed) == Some(Decision::Open)
    }

    /// Whether all other engines have finished or completed so many rounds.
    fn is_settled(&self, rounds: u64) -> bool {
        self.engines[1..].iter().all(|other| other.finished.is_some() || other.completed >= rounds)
    }

    /// The engine with an answer of the earliest round, of rounds before this one.
    fn first_answer(&self, before: u64) -> Option<usize> {
        let answers = self.engines.iter().enumerate().skip(1);
        let answers = answers.filter_map(|(number, engine)| Some((engine.answered()?, number)));
        answers.filter(|&(round, _)| round < before).min().map(|(_, number)| number)
    }

    /// Whether another engine has won when the leader has completed so many rounds, the head start included;
    /// `None` while that is not known.
    fn decided(&self, completed: u64) -> Option<Decision> {
        // Others begin when the leader has completed one round, and one more is granted to them.
        let due = completed.saturating_sub(2);
        let decide = || self.first_answer(due).map_or(Decision::Open, Decision::Won);
        self.is_settled(due).then(decide)
    }
}
