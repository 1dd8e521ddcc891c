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

/// Shows a line above the bar, on standard error.
pub(super) fn show(bar: &ProgressBar, line: &str) {
    bar.suspend(|| eprintln!("{line}"));
}
