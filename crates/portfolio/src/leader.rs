//! The leader: the caller's solver, on the caller's thread, as it would run alone.
//!
//! Its meter counts its steps. When the head start is used up, in the midst of whatever the
//! solver does, it starts the other engines; at the end of each later round it holds the solver until the
//! board has decided. Where another engine has won, it ends the check of the solver, always at the same step,
//! so what the solver has learnt by then, which later checks use, is the same in every run as well.

use crate::board::{Board, Decision};
use crate::engine::Engine;
use crate::rounds::{PARTS, end_of};
use crate::threads::Threads;
use bivalve::{Stop, Why};
use bivalve_limits::Meter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// The meter of the caller's solver in one check.
pub(crate) struct Leader {
    board: Arc<Board>,
    head_start: u64,
    /// Steps so far, the round under way, and the steps at its end; only the solver's thread counts.
    spent: AtomicU64,
    round: AtomicU64,
    end: AtomicU64,
    state: Mutex<State>,
}

struct State {
    /// The engines, until they are started.
    engines: Vec<Engine>,
    /// They were not asked for, and may be left out.
    is_spare: bool,
    threads: Vec<JoinHandle<()>>,
    /// Why the solver shall stop; stays.
    reason: Option<Why>,
    winner: Option<usize>,
}

/// What is left when the solver has returned.
pub(crate) struct Course {
    /// The threads that were started.
    pub(crate) threads: Vec<JoinHandle<()>>,
    /// The engine that has won, if it is not the leader.
    pub(crate) winner: Option<usize>,
}

impl Leader {
    /// A meter that starts these engines.
    pub(crate) fn new(board: Arc<Board>, threads: Threads, engines: Vec<Engine>) -> Leader {
        let head_start = threads.steps_alone();
        let is_spare = threads.is_spare();
        let state = State { engines, is_spare, threads: vec![], reason: None, winner: None };
        Leader {
            board,
            head_start,
            spent: AtomicU64::new(0),
            round: AtomicU64::new(0),
            end: AtomicU64::new(end_of(0, head_start, PARTS, true)),
            state: Mutex::new(state),
        }
    }

    /// The solver has returned, with or without an answer of its own: waits for one of the others where it
    /// has none and they were started. Nobody runs on afterwards.
    pub(crate) fn end(&self, has_answer: bool, stop: &Stop) -> Course {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = !has_answer && state.reason.is_none() && stop.asked().is_none();
        if is_open
            && !state.threads.is_empty()
            && let Decision::Won(engine) = self.board.leave_to_others(&|| stop.asked().is_some())
        {
            state.winner = Some(engine);
        }
        self.board.end();
        let winner = state.winner.filter(|_| !has_answer);
        Course { threads: std::mem::take(&mut state.threads), winner }
    }

    /// A round of the solver is over.
    #[cold]
    fn complete(&self, stop: &Stop) -> Option<Why> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.reason.is_none() && self.round.load(Ordering::Relaxed) == 0 {
            state.start();
        }
        if state.reason.is_none() {
            match self.board.complete_leading(&|| stop.asked().is_some()) {
                Decision::Open => {
                    let round = self.round.fetch_add(1, Ordering::Relaxed) + 1;
                    let end = if self.board.is_racing() {
                        u64::MAX
                    } else {
                        end_of(round, self.head_start, PARTS, true)
                    };
                    self.end.store(end, Ordering::Relaxed);
                }
                Decision::Stopped => return stop.asked(),
                Decision::Won(engine) => state.won_by(engine),
            }
        }
        state.reason
    }
}

impl State {
    fn start(&mut self) {
        for engine in std::mem::take(&mut self.engines) {
            let (board, number) = (engine.board.clone(), engine.number);
            let name = format!("bivalve engine {number}");
            match Builder::new().name(name).spawn(move || engine.run()) {
                Ok(thread) => self.threads.push(thread),
                // There are systems without threads.
                Err(_) if self.is_spare => board.leave_out(number),
                Err(_) => self.reason = Some(Why::Backend("no thread can be started for another engine")),
            }
        }
    }

    fn won_by(&mut self, engine: usize) {
        self.winner = Some(engine);
        self.reason = Some(Why::Interrupted);
    }
}

impl Meter for Leader {
    fn spend(&self, stop: &Stop, steps: u64) -> Option<Why> {
        let spent = self.spent.fetch_add(steps, Ordering::Relaxed) + steps;
        if self.board.is_won()
            && let Some(engine) = self.board.first_past()
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.won_by(engine);
            return state.reason;
        }
        while spent >= self.end.load(Ordering::Relaxed) {
            if let Some(why) = self.complete(stop) {
                return Some(why);
            }
        }
        None
    }

    fn is_over(&self) -> bool {
        self.board.is_won()
    }
}
