//! The progress bar of a tool: on standard error, where that is a terminal, unless --quiet is given.

use super::flags::OutputArgs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A bar of so many steps, some of which are done already.
pub(super) fn bar(output: &OutputArgs, total: u64, done: u64) -> ProgressBar {
    let bar = match output.quiet || !std::io::stderr().is_terminal() {
        true => ProgressBar::hidden(),
        false => ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()),
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed} (eta {eta})  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(done);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Counts a step that was done by an earlier run, before any of this one: what is left is not estimated by it.
pub(super) fn pass_over(bar: &ProgressBar) {
    bar.inc(1);
    bar.reset_eta();
}

/// Shows a line above the bar, on standard error.
pub(super) fn show(bar: &ProgressBar, line: &str) {
    bar.suspend(|| eprintln!("{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 5,000 results of a log are read in no time, and 5,000 cases that take 30 ms each are left.
    #[test]
    fn what_a_log_has_makes_no_estimate_shorter() {
        let estimate = |pass: &dyn Fn(&ProgressBar)| {
            let bar = ProgressBar::hidden();
            bar.set_length(10_000);
            (0..5_000).for_each(|_| pass(&bar));
            for _ in 0..4 {
                std::thread::sleep(Duration::from_millis(30));
                bar.inc(1);
            }
            bar.eta()
        };
        let (passed, counted) = (estimate(&pass_over), estimate(&|bar| bar.inc(1)));
        assert!(passed > Duration::from_secs(60), "{passed:?}");
        assert!(counted < Duration::from_secs(60), "{counted:?}: a library that knows needs no help");
    }
}
