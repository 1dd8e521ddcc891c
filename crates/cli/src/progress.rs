//! A table that shows people that a long check is alive, and where it is.
//!
//! The solver writes its phase and its counts into shared atomics; a thread that is started for a check with
//! `--verbose` prints them as a row on standard error: the first one when the check has taken a moment, the
//! others each second, or when a tenth of the time has passed that the check has taken so far, whichever is
//! longer. So an hour has some eighty rows. The last row is of the end. A short check has no rows.

use crate::limits::resident_bytes;
use crate::messages::complain;
use bivalve::{Progress, Stop};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The first row.
const MOMENT: Duration = Duration::from_millis(250);

/// The least time between two rows.
const PERIOD: Duration = Duration::from_secs(1);

const HEAD: &str = "  time phase       gates   clauses conflicts restarts     MB\n";

/// Shows the progress of one check until it is dropped.
pub(crate) struct ProgressTable {
    /// Dropped at the end.
    running: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressTable {
    /// Starts to show `progress`, and what is counted by `stop`.
    pub(crate) fn start(progress: Arc<Progress>, stop: Stop) -> ProgressTable {
        let (running, ended) = channel::<()>();
        let thread = std::thread::spawn(move || {
            let began = Instant::now();
            let show = |phase: &str| {
                let counts = stop.counts();
                let counts = (counts.conflicts, counts.restarts);
                complain(&row(began.elapsed(), phase, progress.size(), counts, resident_bytes()));
            };
            let show_phase = || show(&progress.phase().to_string());
            if ended.recv_timeout(MOMENT) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            complain(HEAD);
            show_phase();
            while ended.recv_timeout(PERIOD.max(began.elapsed() / 10)) == Err(RecvTimeoutError::Timeout) {
                show_phase();
            }
            show("done");
        });
        ProgressTable { running: Some(running), thread: Some(thread) }
    }
}

impl Drop for ProgressTable {
    fn drop(&mut self) {
        self.running = None;
        if let Some(thread) = self.thread.take() {
            // The thread only prints; if it panicked there is nothing to mend.
            let _ = thread.join();
        }
    }
}

/// A row below [`HEAD`]. What is not known is a dash.
fn row(
    elapsed: Duration,
    phase: &str,
    (gates, clauses): (u64, u64),
    (conflicts, restarts): (u64, u64),
    memory: Option<u64>,
) -> String {
    let known = |count: u64| if count == 0 { "-".to_owned() } else { count.to_string() };
    let (seconds, restarts, memory) =
        (elapsed.as_secs_f64(), known(restarts), known(memory.unwrap_or(0) >> 20));
    format!("{seconds:>6.1} {phase:<8} {gates:>8} {clauses:>9} {conflicts:>9} {restarts:>8} {memory:>6}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_below_the_head() {
        let row = row(Duration::from_millis(61_250), "search", (17, 42), (1234, 0), Some(55 << 20));
        assert_eq!(row, "  61.2 search         17        42      1234        -     55\n");
        let ends = |text: &str| {
            let chars: Vec<char> = text.trim_end().chars().collect();
            (0..chars.len())
                .filter(|&at| chars[at] != ' ' && chars.get(at + 1).is_none_or(|c| *c == ' '))
                .collect::<Vec<_>>()
        };
        let (head, row) = (ends(HEAD), ends(&row));
        assert_eq!((head[0], &head[2..]), (row[0], &row[2..]));
        assert!(HEAD.trim_end().len() <= 60);
    }
}
