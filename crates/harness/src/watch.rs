//! Stopping what takes too long in this process.
//!
//! Budgets of steps make most runs short and the same everywhere, but not every SAT backend keeps them, and a
//! limit of time or memory is none of steps. One thread looks at the conditions of all solvers at work and
//! raises the [`Stop`] flag of a solver whose condition holds. A condition tells as well how long it need not
//! be asked again, and the thread sleeps until the first of these times. It is started with the first
//! condition, and there is one for the whole process.
#![expect(clippy::disallowed_methods, reason = "a thread that sleeps needs the clock; no solver reads it")]

use bivalve_limits::{Stop, Why};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a condition tells: how long the solver may go on before the condition is asked again, or why it is
/// stopped.
pub type Asked = Result<Duration, Why>;

/// A solver at work.
struct Entry {
    number: u64,
    stop: Stop,
    condition: Box<dyn Fn() -> Asked + Send>,
}

/// All solvers at work.
struct Running {
    entries: Vec<Entry>,
    next: u64,
    /// When the thread looks again, once it is started.
    wakes_at: Option<Instant>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { entries: vec![], next: 0, wakes_at: None });
static CHANGED: Condvar = Condvar::new();

/// No nap is shorter, and none is longer.
const NAPS: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(3600)];

/// A solver is watched as long as this is kept.
#[derive(Debug)]
pub struct Watched {
    number: u64,
}

/// Stops the solver with this flag as soon as the condition holds; at once if it holds now.
pub fn watch(stop: &Stop, condition: impl Fn() -> Asked + Send + 'static) -> Watched {
    let mut running = running();
    running.next += 1;
    let number = running.next;
    match condition() {
        Err(why) => stop.stop(why),
        Ok(nap) => {
            let wakes_at = Instant::now() + bounded(nap);
            running.entries.push(Entry { number, stop: stop.clone(), condition: Box::new(condition) });
            match running.wakes_at {
                None => {
                    running.wakes_at = Some(wakes_at);
                    std::thread::spawn(look);
                }
                Some(planned) if wakes_at < planned => CHANGED.notify_one(),
                Some(_) => {}
            }
        }
    }
    Watched { number }
}

/// The number of solvers that are watched.
pub fn count() -> usize {
    running().entries.len()
}

impl Drop for Watched {
    fn drop(&mut self) {
        running().entries.retain(|entry| entry.number != self.number);
    }
}

/// A panic elsewhere cannot leave the list half changed.
fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bounded(nap: Duration) -> Duration {
    nap.clamp(NAPS[0], NAPS[1])
}

fn look() {
    let mut running = running();
    loop {
        let mut nap = NAPS[1];
        running.entries.retain(|entry| match (entry.condition)() {
            Ok(left) => {
                nap = nap.min(left);
                true
            }
            Err(why) => {
                entry.stop.stop(why);
                false
            }
        });
        let nap = bounded(nap);
        running.wakes_at = Some(Instant::now() + nap);
        running = CHANGED.wait_timeout(running, nap).unwrap_or_else(PoisonError::into_inner).0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Holds when so much time has passed.
    fn after(limit: Duration) -> impl Fn() -> Asked + Send {
        let deadline = Instant::now() + limit;
        move || match deadline.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(Why::TimeLimit),
            left => Ok(left),
        }
    }

    fn wait_for(stop: &Stop) {
        while stop.reason().is_none() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_solver_at_work_is_stopped_and_one_that_is_done_is_not() {
        let [slow, slower, quick] = [Stop::new(), Stop::new(), Stop::new()];
        let _slower = watch(&slower, after(Duration::from_millis(60)));
        // The thread sleeps already, and is woken for an earlier time.
        let _slow = watch(&slow, after(Duration::from_millis(20)));
        drop(watch(&quick, after(Duration::from_millis(5))));
        wait_for(&slow);
        assert_eq!(slower.reason(), None);
        wait_for(&slower);
        assert_eq!((slow.reason(), quick.reason()), (Some(Why::TimeLimit), None));
    }

    #[test]
    fn a_condition_that_holds_stops_at_once_and_others_are_asked_when_they_ask_for_it() {
        let stop = Stop::new();
        let _watched = watch(&stop, || Err(Why::MemoryLimit));
        assert_eq!(stop.reason(), Some(Why::MemoryLimit));
        let (patient, asked) = (Stop::new(), Arc::new(AtomicUsize::new(0)));
        let counter = asked.clone();
        let _patient = watch(&patient, move || {
            let count = counter.fetch_add(1, Ordering::Relaxed);
            if count < 3 { Ok(Duration::from_millis(2)) } else { Err(Why::Interrupted) }
        });
        wait_for(&patient);
        assert_eq!((patient.reason(), asked.load(Ordering::Relaxed)), (Some(Why::Interrupted), 4));
    }
}
