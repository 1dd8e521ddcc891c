//! One line that says how far a campaign is.
//!
//! On a terminal it is a bar that is drawn again in place; anywhere else (a log file) the same text is
//! printed some twenty times over the whole run. What must be seen at once is printed on lines of its own.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// How far a campaign is.
pub(crate) struct Ticker {
    bar: ProgressBar,
    to_terminal: bool,
    total: u64,
    /// Twentieths already printed, away from a terminal.
    printed: u64,
}

impl Ticker {
    /// Starts at nothing of `total`.
    pub(crate) fn start(total: u64) -> Ticker {
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} (eta {eta})  {msg}")
            .expect("the template is well-formed");
        let bar = ProgressBar::new(total).with_style(style);
        Ticker { bar, to_terminal: std::io::stderr().is_terminal(), total, printed: 0 }
    }

    /// So many are done, and this is to be said of them.
    pub(crate) fn reached(&mut self, done: u64, message: &str) {
        self.bar.set_position(done);
        self.bar.set_message(message.to_owned());
        let twentieth = 20 * done / self.total.max(1);
        if !self.to_terminal && twentieth > self.printed {
            self.printed = twentieth;
            eprintln!("[{done}/{}] {message}", self.total);
        }
    }

    /// Prints lines that must not be overlooked.
    pub(crate) fn shout(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Leaves the last line on the screen.
    pub(crate) fn finish(&self) {
        self.bar.abandon();
    }
}
