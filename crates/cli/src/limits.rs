//! Limits of time and memory, and Ctrl-C: the only places where the clock, the memory and signals are looked
//! at.
//!
//! A solver counts steps and polls a [`Stop`] flag; here is who raises it. One watchdog thread is started
//! when the first limit is set, and sleeps until the earliest deadline; with a memory limit it looks at the
//! resident memory of the process a hundred times a second. A check that is ended this way answers `unknown`
//! with the reason, and the session goes on. The whole-run limit stays in force: later checks answer
//! `unknown` at once.
//!
//! Ctrl-C ends a running check, whose answer is printed before the process exits; when no check runs, it
//! exits at once, and so does the second Ctrl-C. The signal handler does no more than look at one flag and
//! set another, so it needs no thread, which would double the time of a short run; the [`Stop`] of the
//! running check listens to that flag.
//!
//! Cost: nothing when no limit is set; no thread is started.

use bivalve::{Stop, Why};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

/// What may be used up, if anything is limited.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// For the whole run. (The limit for each check is an option of the session.)
    pub(crate) total_time: Option<Duration>,
    /// Resident bytes of the process.
    pub(crate) memory: Option<u64>,
}

/// What the watchdog watches, shared with its thread.
#[derive(Default)]
struct Watch {
    /// The running check: its flag and its deadline.
    running: Option<(Stop, Option<Instant>)>,
    total_deadline: Option<Instant>,
    memory: Option<u64>,
}

/// Raises the flag of the running check when a limit is reached.
pub(crate) struct Watchdog {
    started: Instant,
    limits: Limits,
    shared: Arc<(Mutex<Watch>, Condvar)>,
    thread: bool,
    /// Ctrl-C was pressed.
    interrupted: Arc<AtomicBool>,
    /// No check runs.
    idle: Arc<AtomicBool>,
}

/// How often memory is looked at.
const MEMORY_PERIOD: Duration = Duration::from_millis(10);

/// A nap that any change ends early.
const LONG: Duration = Duration::from_secs(3600);

/// The exit code after Ctrl-C, as shells have it.
pub(crate) const INTERRUPTED_EXIT: u8 = 130;

impl Watchdog {
    /// A watchdog for a run that begins now.
    pub(crate) fn new(limits: Limits) -> Watchdog {
        let (shared, interrupted) = (Arc::default(), Arc::default());
        let idle = Arc::new(AtomicBool::new(true));
        Watchdog { started: Instant::now(), limits, shared, thread: false, interrupted, idle }
    }

    /// Starts over for another run.
    pub(crate) fn restart(&mut self) {
        self.started = Instant::now();
    }

    /// Ctrl-C from now on ends the running check, or the process when none runs.
    pub(crate) fn catch_interrupts(&self) -> io::Result<()> {
        let code = i32::from(INTERRUPTED_EXIT);
        // In the order of what one signal does: exit if nothing runs, exit if it is the second one, else be
        // noticed.
        flag::register_conditional_shutdown(SIGINT, code, self.idle.clone())?;
        flag::register_conditional_shutdown(SIGINT, code, self.interrupted.clone())?;
        flag::register(SIGINT, self.interrupted.clone())?;
        Ok(())
    }

    /// Has Ctrl-C been pressed?
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// A check begins: `stop` is raised when a limit is reached, `check_time` that of this check.
    pub(crate) fn begin(&mut self, stop: &Stop, check_time: Option<Duration>) {
        stop.reset();
        stop.listen_to(&self.interrupted);
        let now = Instant::now();
        {
            let mut watch = lock(&self.shared.0);
            watch.total_deadline = self.limits.total_time.map(|limit| self.started + limit);
            watch.memory = self.limits.memory;
            watch.running = Some((stop.clone(), check_time.map(|limit| now + limit)));
            // What is used up already stops the check before it starts.
            raise_if_due(&watch, now);
        }
        if self.limits != Limits::default() || check_time.is_some() {
            self.start_thread();
            self.shared.1.notify_one();
        }
        self.idle.store(false, Ordering::SeqCst);
    }

    /// The check has ended.
    pub(crate) fn end(&mut self) {
        self.idle.store(true, Ordering::SeqCst);
        lock(&self.shared.0).running = None;
    }

    fn start_thread(&mut self) {
        if std::mem::replace(&mut self.thread, true) {
            return;
        }
        let shared = self.shared.clone();
        std::thread::spawn(move || {
            let (watch, changed) = &*shared;
            let mut watch = lock(watch);
            loop {
                let now = Instant::now();
                raise_if_due(&watch, now);
                let nap = nap(&watch, now);
                watch = match changed.wait_timeout(watch, nap) {
                    Ok((watch, _)) => watch,
                    Err(poisoned) => poisoned.into_inner().0,
                };
            }
        });
    }
}

/// Nothing that holds this lock can leave the watch half changed, so a panic elsewhere does not matter.
fn lock(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn raise_if_due(watch: &Watch, now: Instant) {
    let Some((stop, deadline)) = &watch.running else { return };
    if stop.reason().is_some() {
        return;
    }
    if [deadline, &watch.total_deadline].into_iter().flatten().any(|&at| at <= now) {
        stop.stop(Why::TimeLimit);
    } else if watch.memory.is_some_and(|limit| resident_bytes().is_some_and(|used| used > limit)) {
        stop.stop(Why::MemoryLimit);
    }
}

/// How long the watchdog can sleep.
fn nap(watch: &Watch, now: Instant) -> Duration {
    let Some((stop, deadline)) = &watch.running else { return LONG };
    if stop.reason().is_some() {
        return LONG;
    }
    let deadlines = [deadline, &watch.total_deadline].into_iter().flatten();
    let until = deadlines.map(|&at| at.saturating_duration_since(now));
    until.chain(watch.memory.map(|_| MEMORY_PERIOD)).min().unwrap_or(LONG).max(Duration::from_millis(1))
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
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
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

/// A duration as typed: a decimal number and `ms`, `s`, `m` or `h`; seconds without a unit.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || format!("expected a time such as 10, 1.5s, 500ms or 2m, found '{text}'");
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| expected())?;
    let factor = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| expected())
}

/// A size as typed: a numeral and `K`, `M` or `G`; megabytes without a unit.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let expected = || format!("expected a size such as 800, 800M or 2G, found '{text}'");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| expected())?;
    let factor: u64 = match unit {
        "K" | "k" => 1 << 10,
        "" | "M" | "m" => 1 << 20,
        "G" | "g" => 1 << 30,
        _ => return Err(expected()),
    };
    number.checked_mul(factor).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_are_read_with_their_units() {
        assert_eq!(parse_duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("20ms"), Ok(Duration::from_millis(20)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert!(
            parse_duration("").is_err() && parse_duration("5x").is_err() && parse_duration("-1").is_err()
        );
        assert_eq!(parse_bytes("800"), Ok(800 << 20));
        assert_eq!(parse_bytes("2G"), Ok(2 << 30));
        assert!(parse_bytes("many").is_err() && parse_bytes("99999999999999G").is_err());
    }

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
