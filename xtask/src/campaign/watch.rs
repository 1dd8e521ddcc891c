//! Stopping what takes too long.
//!
//! Budgets of conflicts and gates make most runs short and the same everywhere, but not every SAT backend keeps them,
//! and rewriting has none. So one thread sleeps beside a campaign and raises the stop flag of whichever solver has been
//! at work too long. That also tests the flag. What is stopped is unknown, so the clock decides no answer.
#![expect(
    clippy::disallowed_methods,
    reason = "a campaign is a chore; no library of Bivalve reads the clock"
)]

use bivalve::{Stop, Why};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The solver that is at work, and when it is to be stopped.
type Running = Option<(Stop, Instant)>;

/// A thread that stops solvers; it ends when this is dropped.
pub struct Watch {
    limit: Duration,
    running: Arc<Mutex<Running>>,
    _alive: Sender<()>,
}

impl Watch {
    /// Stops solvers after this long.
    pub fn new(limit: Duration) -> Watch {
        let running: Arc<Mutex<Running>> = Arc::default();
        let (alive, ended) = channel();
        let shared = running.clone();
        std::thread::spawn(move || {
            while ended.recv_timeout(limit / 20) == Err(RecvTimeoutError::Timeout) {
                if let Some((stop, deadline)) = &*lock(&shared)
                    && *deadline <= Instant::now()
                {
                    stop.stop(Why::TimeLimit);
                }
            }
        });
        Watch { limit, running, _alive: alive }
    }

    /// From now on the solver with this flag is at work, and no other.
    pub fn begin(&self, stop: &Stop) {
        *lock(&self.running) = Some((stop.clone(), Instant::now() + self.limit));
    }

    /// No solver is at work.
    pub fn end(&self) {
        *lock(&self.running) = None;
    }
}

/// A panic elsewhere cannot leave the pair half changed.
fn lock(running: &Mutex<Running>) -> MutexGuard<'_, Running> {
    running.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_at_work_is_stopped_and_one_that_is_done_is_not() {
        let watch = Watch::new(Duration::from_millis(20));
        let [slow, quick] = [Stop::new(), Stop::new()];
        watch.begin(&quick);
        watch.begin(&slow);
        while slow.reason().is_none() {
            std::thread::yield_now();
        }
        assert_eq!((slow.reason(), quick.reason()), (Some(Why::TimeLimit), None));
        watch.begin(&quick);
        watch.end();
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(quick.reason(), None);
    }
}
