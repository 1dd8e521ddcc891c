//! A line that shows people that a long check is alive, and where it is.
//!
//! The solver writes its phase and its counts into shared atomics; a thread that is started for a check with
//! `--verbose` shows them with the time that has passed, ten times a second, once the check has taken a
//! moment. The line goes to standard error and is wiped when the check ends.

use bivalve::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Shows the progress of one check until it is dropped.
pub(crate) struct ProgressLine {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Starts to show `progress`.
    pub(crate) fn start(progress: Arc<Progress>) -> ProgressLine {
        let done = Arc::new(AtomicBool::new(false));
        let ended = done.clone();
        let thread = std::thread::spawn(move || {
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            let bar = ProgressBar::new_spinner()
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            while !ended.load(Ordering::Relaxed) {
                bar.set_message(progress.to_string());
                bar.tick();
                std::thread::park_timeout(Duration::from_millis(100));
            }
            bar.finish_and_clear();
        });
        ProgressLine { done, thread: Some(thread) }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread only draws; if it panicked there is nothing to mend.
            let _ = thread.join();
        }
    }
}
