//! Limits of time and memory, and Ctrl-C.
//!
//! A solver counts steps and polls a [`Stop`] flag, which the thread of `bivalve_harness::watch` raises
//! when a deadline has passed; with a memory limit it looks at the resident memory of the process a
//! hundred times a second. A check that is ended this way answers `unknown` with the reason, and the
//! session goes on. The whole-run limit stays in force: later checks answer `unknown` at once. It holds, and
//! the memory limit does, while commands are read as well: definitions, which may stand for more terms than
//! there is memory for, are not expanded beyond it, and assertions are passed over. A client that is silent
//! then in the middle of a command ends the run ([`Waiting`](crate::waiting::Waiting)); between commands it
//! may be as long as it likes.
//!
//! Ctrl-C ends a running check, whose answer is printed before the process exits; when no check runs, it
//! exits at once, and so does the second Ctrl-C. Where a person types the script, the session goes on, and
//! only a second Ctrl-C in one command exits. The signal handler does no more than look at one flag and
//! set another, so it needs no thread, which would double the time of a short run; the [`Stop`] of the
//! running check listens to that flag.
//!
//! Cost: nothing when no limit is set; no thread is started.

use bivalve::{Stop, Why};
use bivalve_harness::watch::{Asked, Watched, watch};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// What may be used up, if anything is limited.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// For the whole run. (The limit for each check is an option of the session.)
    pub(crate) total_time: Option<Duration>,
    /// Resident bytes of the process.
    pub(crate) memory: Option<u64>,
}

/// Raises the flag of the running check when a limit is reached.
pub(crate) struct Watchdog {
    started: Instant,
    limits: Limits,
    running: Option<Watched>,
    /// Ctrl-C was pressed.
    interrupted: Arc<AtomicBool>,
    /// No check runs.
    idle: Arc<AtomicBool>,
}

/// How often memory is looked at.
const MEMORY_PERIOD: Duration = Duration::from_millis(10);

/// The exit code after Ctrl-C, as shells have it.
pub(crate) const INTERRUPTED_EXIT: u8 = 130;

impl Watchdog {
    /// A watchdog for a run that begins now.
    pub(crate) fn new(limits: Limits) -> Watchdog {
        let idle = Arc::new(AtomicBool::new(true));
        Watchdog { started: Instant::now(), limits, running: None, interrupted: Arc::default(), idle }
    }

    /// Starts over for another run.
    pub(crate) fn restart(&mut self) {
        self.started = Instant::now();
    }

    /// Ctrl-C from now on ends the running check, or the process when none runs, unless a person types the
    /// script: that person clears a line with it.
    pub(crate) fn catch_interrupts(&self, is_typed: bool) -> io::Result<()> {
        let code = i32::from(INTERRUPTED_EXIT);
        // In the order of what one signal does: exit if nothing runs, exit if it is the second one, else be
        // noticed.
        if !is_typed {
            flag::register_conditional_shutdown(SIGINT, code, self.idle.clone())?;
        }
        flag::register_conditional_shutdown(SIGINT, code, self.interrupted.clone())?;
        flag::register(SIGINT, self.interrupted.clone())?;
        Ok(())
    }

    /// Says, on any thread, whether no check runs.
    pub(crate) fn is_idle(&self) -> Arc<AtomicBool> {
        self.idle.clone()
    }

    /// Has Ctrl-C been pressed?
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// Goes on as if Ctrl-C had not been pressed.
    pub(crate) fn forget_interrupt(&self) {
        self.interrupted.store(false, Ordering::SeqCst);
    }

    /// A check begins: `stop` is raised when a limit is reached, `check_time` that of this check.
    pub(crate) fn begin(&mut self, stop: &Stop, check_time: Option<Duration>) {
        stop.reset();
        stop.listen_to(&self.interrupted);
        let deadlines = [check_time.and_then(|limit| Instant::now().checked_add(limit)), self.deadline()];
        let (deadline, memory) = (deadlines.into_iter().flatten().min(), self.limits.memory);
        // What is used up already stops the check before it starts.
        self.running = (deadline.is_some() || memory.is_some())
            .then(|| watch(stop, move || check_limits(deadline, memory)));
        self.idle.store(false, Ordering::SeqCst);
    }

    /// The limit of the whole run that is reached.
    pub(crate) fn exhausted(&self) -> Option<Why> {
        check_limits(self.deadline(), self.limits.memory).err()
    }

    /// The limit of memory, if it is reached.
    pub(crate) fn exhausted_memory(&self) -> Option<Why> {
        check_limits(None, self.limits.memory).err()
    }

    /// Says, on any thread, whether no limit of the whole run is reached.
    pub(crate) fn goes_on(&self) -> Arc<dyn Fn() -> bool + Send + Sync> {
        let (deadline, memory) = (self.deadline(), self.limits.memory);
        Arc::new(move || check_limits(deadline, memory).is_ok())
    }

    /// When the whole run is to end.
    fn deadline(&self) -> Option<Instant> {
        self.started.checked_add(self.limits.total_time?)
    }

    /// The check has ended.
    pub(crate) fn end(&mut self) {
        self.idle.store(true, Ordering::SeqCst);
        self.running = None;
    }
}

/// Which limit is reached, or how long none can be.
pub(crate) fn check_limits(deadline: Option<Instant>, memory: Option<u64>) -> Asked {
    let left = deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()));
    match memory {
        _ if left.is_zero() => Err(Why::TimeLimit),
        Some(limit) if resident_bytes().is_some_and(|used| used > limit) => Err(Why::MemoryLimit),
        Some(_) => Ok(left.min(MEMORY_PERIOD)),
        None => Ok(left),
    }
}

/// The time since the process first asked.
pub(crate) fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The resident memory of this process in bytes, where the system tells.
pub(crate) fn resident_bytes() -> Option<u64> {
    status_bytes("VmRSS:")
}

/// The peak resident memory of this process in bytes, where the system tells.
pub(crate) fn peak_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

fn status_bytes(key: &str) -> Option<u64> {
    named_bytes(&std::fs::read_to_string("/proc/self/status").ok()?, key)
}

/// What the line of this key says in the system's report about a process, in bytes. Takes no memory.
pub(crate) fn named_bytes(status: &str, key: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Most of the address space that was granted to this process, if it is limited. A search that finds none
/// left ends the process, with the C++ library, in the middle of a clause; one that is stopped before answers
/// `unknown`. A quarter is for what grows at once, such as the clauses when they are moved.
pub(crate) fn granted_memory() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|bytes| bytes / 4 * 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_raises_the_flag_and_the_next_check_starts_afresh() {
        let mut watchdog = Watchdog::new(Limits::default());
        let stop = Stop::default();
        let limit = Some(Duration::from_millis(5));
        for _ in 0..2 {
            watchdog.begin(&stop, limit);
            while stop.reason().is_none() {
                std::thread::yield_now();
            }
            watchdog.end();
            assert_eq!(stop.reason(), Some(Why::TimeLimit));
            watchdog.begin(&stop, Some(Duration::from_secs(100)));
            assert_eq!(stop.reason(), None);
            watchdog.end();
        }
    }

    #[test]
    fn memory_that_is_used_up_stops_a_check_before_it_starts() {
        if resident_bytes().is_none() {
            return;
        }
        let mut watchdog = Watchdog::new(Limits { memory: Some(1), ..Limits::default() });
        let stop = Stop::default();
        watchdog.begin(&stop, None);
        assert_eq!(stop.reason(), Some(Why::MemoryLimit));
    }
}
