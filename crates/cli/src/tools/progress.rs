//! The progress bar of a tool: on standard error, where that is a terminal, unless --quiet is given.
//!
//! What an earlier run has done is passed over in no time, so it is no measure of what is left: the time
//! to the end is estimated by the steps of this run alone.

use super::flags::OutputArgs;
use crate::messages::complain;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A bar of steps.
pub(super) struct Bar {
    bar: ProgressBar,
    /// Steps that an earlier run has done.
    passed: Arc<AtomicU64>,
}

impl Bar {
    /// A bar of so many steps.
    pub(super) fn new(output: &OutputArgs, total: u64) -> Bar {
        let bar = match output.quiet || !std::io::stderr().is_terminal() {
            true => ProgressBar::hidden(),
            false => ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()),
        };
        let passed = Arc::<AtomicU64>::default();
        let known = passed.clone();
        let show = move |state: &ProgressState, text: &mut dyn Write| {
            let passed = known.load(Ordering::Relaxed);
            let left = state.len().unwrap_or(0).saturating_sub(state.pos());
            // A line that cannot be formatted is not shown.
            let _ = match time_left(state.elapsed(), state.pos().saturating_sub(passed), left) {
                Some(time) => write!(text, "{time:#}", time = HumanDuration(time)),
                None => write!(text, "-"),
            };
        };
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed} (eta {left})  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", show));
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar { bar, passed }
    }

    /// Counts steps of an earlier run.
    pub(super) fn pass_over(&self, steps: u64) {
        self.passed.fetch_add(steps, Ordering::Relaxed);
        self.bar.inc(steps);
    }

    /// Counts a step of this run.
    pub(super) fn step(&self) {
        self.bar.inc(1);
    }

    /// So many steps are left.
    pub(super) fn set_left(&self, left: u64) {
        self.bar.set_position(self.bar.length().unwrap_or(0).saturating_sub(left));
    }

    /// Shows a text beside the bar.
    pub(super) fn set_message(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Shows a line above the bar, on standard error.
    pub(super) fn show(&self, line: &str) {
        self.bar.suspend(|| complain(&format!("{line}\n")));
    }

    /// Removes the bar.
    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// The time that so many steps will take, if so many took this time; unknown before the first one.
fn time_left(elapsed: Duration, done: u64, left: u64) -> Option<Duration> {
    (done > 0).then(|| Duration::try_from_secs_f64(elapsed.as_secs_f64() / done as f64 * left as f64).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5,000 results of a log are there at once, and 5,000 cases that take 30 ms each are left.
    #[test]
    fn what_a_log_has_makes_no_estimate_shorter() {
        assert_eq!(time_left(Duration::from_millis(120), 4, 4_996), Some(Duration::from_millis(149_880)));
        assert_eq!(time_left(Duration::from_millis(5), 0, 5_000), None);
        assert_eq!(time_left(Duration::from_secs(9), 100, 0), Some(Duration::ZERO));
    }
}
