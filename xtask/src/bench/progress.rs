//! One line that says how far a measurement is, in place of the thousands that the runner prints.
//!
//! The runner prints a line for each finished run. This reads those lines and keeps per solver how many files
//! were solved and how many were not. On a terminal it is a bar that is drawn again in place; anywhere else
//! (a log file) it prints the same text some twenty times over the whole measurement. A wrong answer is
//! printed at once, on a line of its own.

use bivalve_experiment::log::Status;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;

/// What one line of the runner says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step<'l> {
    /// Runs finished so far.
    pub(crate) done: u64,
    /// Runs in all.
    pub(crate) total: u64,
    /// The solver.
    pub(crate) solver: String,
    /// How the run ended.
    pub(crate) status: Status,
    /// The whole line, for those that must be seen.
    line: &'l str,
}

impl<'l> Step<'l> {
    /// Reads `[3/40] bitwuzla sat 0.02 s 31 MB perf/x.smt2`; `None` for any other line.
    pub(crate) fn parse(line: &'l str) -> Option<Self> {
        let (counter, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let (done, total) = counter.split_once('/')?;
        let status_of =
            |word: &str| Status::WORDS.iter().find(|(known, _)| *known == word).map(|(_, status)| *status);
        let words: Vec<&str> = rest.split_whitespace().collect();
        let at = words.iter().position(|word| status_of(word).is_some())?;
        let status = status_of(words[at])?;
        Some(Self {
            done: done.parse().ok()?,
            total: total.parse().ok()?,
            solver: words[..at].join(" "),
            status,
            line,
        })
    }
}

/// The counts so far, and where they are shown.
pub(crate) struct Progress {
    bar: ProgressBar,
    to_terminal: bool,
    /// Per solver: solved, not solved.
    tally: BTreeMap<String, (u64, u64)>,
    /// Twentieths already printed, away from a terminal.
    printed: u64,
    /// Runs of earlier batches.
    before: u64,
    last: u64,
}

impl Progress {
    /// Starts at nothing.
    pub(crate) fn start() -> Self {
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} (eta {eta})  {msg}")
            .expect("the template is well-formed");
        let bar = ProgressBar::new(0).with_style(style);
        let to_terminal = std::io::stderr().is_terminal();
        Self { bar, to_terminal, tally: BTreeMap::new(), printed: 0, before: 0, last: 0 }
    }

    /// Takes in one line of the runner.
    pub(crate) fn line(&mut self, line: &str) {
        let Some(step) = Step::parse(line) else { return };
        let (solved, failed) = self.tally.entry(step.solver.clone()).or_default();
        if step.status.is_solved() {
            *solved += 1
        } else {
            *failed += 1
        }
        if step.status == Status::Wrong {
            self.bar.suspend(|| eprintln!("WRONG  {}", step.line));
        }
        self.last = step.done;
        let (done, total) = (self.before + step.done, self.before + step.total);
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(self.summary());
        let twentieth = 20 * done / total.max(1);
        if !self.to_terminal && twentieth > self.printed {
            self.printed = twentieth;
            eprintln!("[{done}/{total}] {}", self.summary());
        }
    }

    /// The next lines belong to another batch of the same measurement.
    pub(crate) fn next_batch(&mut self) {
        self.before += std::mem::take(&mut self.last);
        self.printed = 0;
    }

    /// Ends the line; the counts stay on the screen.
    pub(crate) fn finish(&self) {
        self.bar.abandon();
    }

    /// `bivalve 12 ok 3 not` for each solver: solved, and not.
    fn summary(&self) -> String {
        let one =
            |(solver, (solved, failed)): (&String, &(u64, u64))| format!("{solver} {solved} ok {failed} not");
        self.tally.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_runner_are_read() {
        let line = "[3/40] bitwuzla       sat          0.02 s      31 MB  perf/a sat b.smt2";
        let step = Step::parse(line).unwrap();
        assert_eq!(
            (step.done, step.total, step.solver.as_str(), step.status),
            (3, 40, "bitwuzla", Status::Sat)
        );
        let step = Step::parse("[1/2] bitwuzla:a=1 b=2 timeout     10.02 s     31 MB  x.smt2").unwrap();
        assert_eq!((step.solver.as_str(), step.status), ("bitwuzla:a=1 b=2", Status::Timeout));
    }

    #[test]
    fn other_lines_are_passed_over() {
        for line in ["", "solver   runs solved", "WRONG against :status", "[x/y] z3 sat", "[1/2] z3 bored"] {
            assert_eq!(Step::parse(line), None, "{line}");
        }
    }

    #[test]
    fn the_summary_counts_per_solver() {
        let mut progress = Progress::start();
        for line in ["[1/3] z3 sat 1 s", "[2/3] bivalve unsat 1 s", "[3/3] z3 timeout 10 s", "report"] {
            progress.line(line);
        }
        assert_eq!(progress.summary(), "bivalve 1 ok 0 not, z3 1 ok 1 not");
    }
}
