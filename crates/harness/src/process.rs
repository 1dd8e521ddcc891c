//! Running a program under limits, and leaving nothing behind.
//!
//! The child leads a process group of its own, so that a solver behind a shell script, a wrapper or `timeout`
//! dies with it; the group is killed when time is up, when the answer is no longer wanted, and once more
//! after the child has ended, for what it may have started. The child is always waited for. Two threads drain
//! its outputs, so that a full pipe blocks no process, and keep only so much of them; a third feeds its
//! input. A process that keeps a pipe open beyond the death of the group is not waited for: the reading
//! thread is left to end with the pipe.
//!
//! Memory is limited by the address space of the child (`RLIMIT_AS`), CPU time by the system's own count
//! of it (`RLIMIT_CPU`, in whole seconds, rounded up); both are set right after it was started, where the
//! system can do that (Linux). Elsewhere a limit of memory is refused, and what took more CPU time than
//! allowed is found out when it has ended. What a process used is what the system charged to it and to
//! those it waited for (`wait4`).
//!
//! Cost: about 0.2 ms beside what the system takes to start a process.
#![expect(clippy::disallowed_methods, reason = "the limit of time of a foreign process needs the clock")]

use crate::crash;
use crate::group::{Group, LIMITS_MEMORY};
use crate::limits::Limits;
use crate::reply::Ending;
use bivalve_limits::Cancel;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wait4::{ResourceUsage, Wait4};

/// What came out of a process.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended; what it printed is not looked at.
    pub ending: Ending,
    /// Its standard output, the first 16 MB of it.
    pub output: String,
    /// Its standard error, the first 64 KB of it.
    pub stderr: String,
    /// Time on the clock, from its start to its end.
    pub time: Duration,
    /// CPU time of it and of those it waited for.
    pub cpu: Duration,
    /// The largest resident memory of one process among these, in bytes.
    pub peak: u64,
}

impl Outcome {
    /// How it ended, by what it printed as well: some catch their own failures, say a sentence and exit.
    pub fn cause(&self) -> Ending {
        crash::ending(self.ending.clone(), &self.output, &self.stderr)
    }
}

/// Bytes of standard output that are kept.
const MUCH: usize = 16 << 20;

/// Bytes of standard error that are kept.
const LITTLE: usize = 64 << 10;

/// How often a running process is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// How long the pipes of a dead process may stay open. What it printed is in there, and on a busy machine it
/// may take a thread more than a moment to read it; only a process that left the group causes such a wait.
const GRACE: Duration = Duration::from_secs(5);

/// Runs a command to its end, or to one of its limits. `input` goes to its standard input.
pub fn run(command: &mut Command, input: &[u8], limits: Limits, cancel: &Cancel) -> Outcome {
    let begin = Instant::now();
    let not_started = |why: String| {
        let (ending, output, stderr) = (Ending::NotStarted(why), String::new(), String::new());
        Outcome { ending, output, stderr, time: begin.elapsed(), cpu: Duration::ZERO, peak: 0 }
    };
    if limits.memory.is_some() && !LIMITS_MEMORY {
        return not_started("the memory of a process cannot be limited on this system".to_owned());
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Group::prepare(command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return not_started(error.to_string()),
    };
    let group = Group::of(&child, limits);
    let (done, ended) = channel();
    let output = drain(child.stdout.take(), MUCH, done.clone());
    let stderr = drain(child.stderr.take(), LITTLE, done);
    feed(&mut child, input);
    let (ending, used) = wait(child, &group, &ended, begin.checked_add(limits.time), cancel);
    group.kill();
    let time = begin.elapsed();
    // Whatever it had printed is in the pipes still.
    let deadline = Instant::now() + GRACE;
    while ended.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok() {}
    let cpu = used.map_or(Duration::ZERO, |used| used.utime + used.stime);
    let ending = match limits.cpu {
        Some(limit) if cpu > limit => Ending::TimedOut,
        _ => ending,
    };
    let peak = used.map_or(0, |used| used.maxrss);
    Outcome { ending, output: text(&output), stderr: text(&stderr), time, cpu, peak }
}

/// Waits until the process ends, its time is over, or it is cancelled. A time that the clock cannot hold is
/// no deadline.
fn wait(
    mut child: Child,
    group: &Group,
    ended: &Receiver<()>,
    deadline: Option<Instant>,
    cancel: &Cancel,
) -> (Ending, Option<ResourceUsage>) {
    let mut closed = 0;
    loop {
        if let Ok(Some(end)) = child.try_wait4() {
            return (Group::ending(end.status), Some(end.rusage));
        }
        let left = deadline.map_or(GLANCE, |deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_zero() || cancel.is_raised() {
            group.kill();
            // Where there are no groups, this is what kills it.
            let _ = child.kill();
            let used = child.wait4().ok().map(|end| end.rusage);
            return (if left.is_zero() { Ending::TimedOut } else { Ending::Cancelled }, used);
        }
        // Both pipes closed is the usual end, and noticed at once; then it is a matter of microseconds.
        let nap = GLANCE.min(left);
        match (closed < 2).then(|| ended.recv_timeout(nap)) {
            Some(Ok(())) => closed += 1,
            Some(Err(RecvTimeoutError::Timeout)) => {}
            Some(Err(RecvTimeoutError::Disconnected)) => closed = 2,
            None => std::thread::sleep(Duration::from_micros(200).min(nap)),
        }
    }
}

type Shared = Arc<Mutex<Vec<u8>>>;

/// Reads a pipe to its end in a thread, keeps the beginning, and tells when it is closed.
fn drain<R: Read + Send + 'static>(pipe: Option<R>, keep: usize, done: Sender<()>) -> Shared {
    let kept = Shared::default();
    let shared = kept.clone();
    std::thread::spawn(move || {
        let mut block = [0; 1 << 14];
        let mut pipe = pipe;
        while let Some(Ok(count @ 1..)) = pipe.as_mut().map(|pipe| pipe.read(&mut block)) {
            let mut bytes = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let room = keep.saturating_sub(bytes.len());
            bytes.extend_from_slice(&block[..count.min(room)]);
        }
        // The receiver may be gone.
        let _ = done.send(());
    });
    kept
}

/// Writes the input in a thread; a child that does not read it is no error.
fn feed(child: &mut Child, input: &[u8]) {
    let Some(mut pipe) = child.stdin.take().filter(|_| !input.is_empty()) else { return };
    let input = input.to_vec();
    std::thread::spawn(move || {
        let _ = pipe.write_all(&input);
    });
}

fn text(bytes: &Shared) -> String {
    let bytes = bytes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    String::from_utf8_lossy(&bytes).into_owned()
}
