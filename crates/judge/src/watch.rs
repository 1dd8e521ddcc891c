//! Stopping what takes too long in this process.
//!
//! Budgets of conflicts and gates make most runs short and the same everywhere, but not every SAT backend
//! keeps them, and rewriting has none. So one thread sleeps beside all solvers of an oracle and raises the
//! stop flag of whichever has been at work too long. What is stopped is no answer, so the clock decides none.
//!
//! The clock is that of the processor: the time that this process got, shared by all who are at work. So a
//! machine that is busy with other things stops no solver earlier, and a reduction comes to the same script
//! there. A solver that waits for something else is stopped by the ordinary clock, after many times as long.
#![expect(clippy::disallowed_methods, reason = "a limit of time needs the clock; no solver reads it")]

use bivalve::{Stop, Why};
use rustix::time::{ClockId, clock_gettime};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// So many times the limit by the ordinary clock is too long.
const WAITING: u32 = 30;

/// No nap is shorter.
const SHORT: Duration = Duration::from_millis(1);

/// When a solver is to be stopped, by both clocks.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    processor: Duration,
    ordinary: Instant,
}

impl Deadline {
    /// So long from now, where so many share the processors.
    fn after(limit: Duration, sharers: usize) -> Option<Deadline> {
        let sharers = u32::try_from(sharers).unwrap_or(u32::MAX);
        let processor = processor_time().checked_add(limit.checked_mul(sharers)?)?;
        Some(Deadline { processor, ordinary: Instant::now().checked_add(limit.checked_mul(WAITING)?)? })
    }

    /// What is left; nothing if it is over.
    fn left(&self, processor: Duration, ordinary: Instant) -> Duration {
        let left = self.processor.saturating_sub(processor);
        left.min(self.ordinary.saturating_duration_since(ordinary))
    }
}

/// The time of processors that this process had.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The solvers that are at work, each under a number, with the time at which it is to be stopped.
#[derive(Default, Debug)]
struct Running {
    next: u64,
    /// The one that was begun last.
    turn: Option<u64>,
    solvers: Vec<(u64, Stop, Deadline)>,
    is_over: bool,
}

type Shared = Arc<(Mutex<Running>, Condvar)>;

/// A thread that stops solvers; it ends when this is dropped.
#[derive(Debug)]
pub struct Watch {
    limit: Mutex<Duration>,
    shared: Shared,
}

/// A solver at work; when this is dropped it no longer is.
#[derive(Debug)]
pub struct AtWork<'a> {
    watch: &'a Watch,
    number: u64,
}

impl Watch {
    /// Stops solvers after this long.
    pub fn new(limit: Duration) -> Watch {
        let shared = Shared::default();
        let thread = shared.clone();
        std::thread::spawn(move || sleep_beside(&thread));
        Watch { limit: Mutex::new(limit), shared }
    }

    /// The limit that is in force.
    pub fn limit(&self) -> Duration {
        *lock(&self.limit)
    }

    /// A solver that begins from now on is stopped after this long.
    pub fn set_limit(&self, limit: Duration) {
        *lock(&self.limit) = limit;
    }

    /// The solver with this flag is at work as long as the result is kept.
    pub fn over(&self, stop: &Stop) -> AtWork<'_> {
        AtWork { watch: self, number: self.add(&mut lock(&self.shared.0), stop) }
    }

    /// Where solvers take turns: from now on the one with this flag is at work, and the one before it no
    /// longer.
    pub fn begin(&self, stop: &Stop) {
        self.end();
        let mut running = lock(&self.shared.0);
        running.turn = Some(self.add(&mut running, stop));
    }

    /// The last one that began is no longer at work.
    pub fn end(&self) {
        let mut running = lock(&self.shared.0);
        let turn = running.turn.take();
        running.solvers.retain(|(number, ..)| Some(*number) != turn);
    }

    fn add(&self, running: &mut Running, stop: &Stop) -> u64 {
        running.next += 1;
        let number = running.next;
        // A limit beyond the end of time is none.
        let limit = *lock(&self.limit);
        if let Some(deadline) = Deadline::after(limit, running.solvers.len() + 1) {
            running.solvers.push((number, stop.clone(), deadline));
        }
        // The thread sleeps until the earliest deadline it knows of.
        let earliest =
            |mine: &Deadline| running.solvers.iter().all(|(.., at)| mine.processor <= at.processor);
        if running.solvers.last().is_some_and(|(.., mine)| earliest(mine)) {
            self.shared.1.notify_one();
        }
        number
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        lock(&self.watch.shared.0).solvers.retain(|(number, ..)| *number != self.number);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        lock(&self.shared.0).is_over = true;
        self.shared.1.notify_one();
    }
}

/// A nap that an earlier deadline ends early.
const LONG: Duration = Duration::from_secs(3600);

fn sleep_beside(shared: &Shared) {
    let (running, changed) = &**shared;
    let mut running = lock(running);
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    while !running.is_over {
        let (processor, ordinary) = (processor_time(), Instant::now());
        let is_over = |at: &Deadline| at.left(processor, ordinary).is_zero();
        running
            .solvers
            .iter()
            .filter(|(.., at)| is_over(at))
            .for_each(|(_, stop, _)| stop.stop(Why::TimeLimit));
        running.solvers.retain(|(.., at)| !is_over(at));
        // The clock of the processors goes at most as many times as fast as there are.
        let left = running.solvers.iter().map(|(.., at)| at.left(processor, ordinary)).min();
        let nap = left.map_or(LONG, |left| (left / processors).max(SHORT));
        running = match changed.wait_timeout(running, nap) {
            Ok((running, _)) => running,
            Err(poisoned) => poisoned.into_inner().0,
        };
    }
}

/// A panic elsewhere cannot leave the list half changed.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_at_work_is_stopped_and_one_that_is_done_is_not() {
        let watch = Watch::new(Duration::from_millis(30));
        let [slow, slower, quick] = [Stop::new(), Stop::new(), Stop::new()];
        let _slow = watch.over(&slow);
        drop(watch.over(&quick));
        let _slower = watch.over(&slower);
        while slow.reason().is_none() || slower.reason().is_none() {
            std::thread::yield_now();
        }
        assert_eq!((slow.reason(), quick.reason()), (Some(Why::TimeLimit), None));
        watch.begin(&quick);
        while quick.reason().is_none() {
            std::thread::yield_now();
        }
        let other = Stop::new();
        watch.begin(&other);
        watch.end();
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(other.reason(), None);
    }
}
