//! The limit of time of a solver in this process.
//!
//! The clock is that of the processor: the time that this process got, shared by all who are at work. So a
//! machine that is busy with other things stops no solver earlier, and a reduction comes to the same script
//! there. A solver that waits for something else is stopped by the ordinary clock, after many times as long;
//! so are all where the system does not tell the time of the processor. What is stopped is no answer, so the
//! clock decides none.
#![expect(clippy::disallowed_methods, reason = "a limit of time needs the clock; no solver reads it")]

use bivalve::Why;
use bivalve_harness::watch;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// So many times the limit by the ordinary clock is too long.
const WAITING: u32 = 30;

/// The condition that so much time has passed from now on. A limit beyond the end of time is none.
pub(crate) fn after(limit: Duration) -> impl Fn() -> watch::Asked + Send + 'static {
    // The clock of the processors goes at most as many times as fast as there are, and is shared.
    static PROCESSORS: OnceLock<u32> = OnceLock::new();
    let count = || std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let processors = *PROCESSORS.get_or_init(count);
    let sharers = u32::try_from(watch::count() + 1).unwrap_or(u32::MAX);
    let processor = limit.checked_mul(sharers).and_then(|limit| processor_time().checked_add(limit));
    let ordinary = limit.checked_mul(WAITING).and_then(|limit| Instant::now().checked_add(limit));
    move || {
        let Some((processor, ordinary)) = processor.zip(ordinary) else { return Ok(Duration::MAX) };
        let left = processor.saturating_sub(processor_time());
        let waiting = ordinary.saturating_duration_since(Instant::now());
        if left.is_zero() || waiting.is_zero() {
            Err(Why::TimeLimit)
        } else {
            Ok(waiting.min(left / processors))
        }
    }
}

/// The time of processors that this process had.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// None, so the ordinary clock decides.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve::Stop;

    #[test]
    fn a_solver_that_works_is_stopped_and_one_that_waits_is_not() {
        let limit = Duration::from_millis(200);
        let (stop, begin) = (Stop::new(), Instant::now());
        let _watched = watch::watch(&stop, after(limit));
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(stop.reason(), None);
        while stop.reason().is_none() {
            std::hint::spin_loop();
        }
        assert!(begin.elapsed() >= limit / 4, "{:?}", begin.elapsed());
        assert_eq!(stop.reason(), Some(Why::TimeLimit));
        assert_eq!(after(Duration::MAX)(), Ok(Duration::MAX));
    }
}
