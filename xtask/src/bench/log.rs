//! The log of a measurement: one JSON line for one solver on one file, as the runner writes it.
//!
//! The log is the only thing a measurement leaves behind that cannot be computed again, so it is read with care: a
//! last line without its newline is a run that was cut off (the machine was stopped, the disk was full) and is left
//! out; any other unreadable line is an error with its number. When a pair of solver and file occurs twice, the
//! later line is the one that counts. Everything is kept in ordered maps, so that each table and plot comes out the
//! same from the same log.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The name under which Bivalve itself stands in every log.
pub(crate) const OURS: &str = "bivalve";

/// How one run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// One check, satisfiable.
    Sat,
    /// One check, unsatisfiable.
    Unsat,
    /// Several checks, each answered sat or unsat.
    Solved,
    /// A check was answered `unknown`.
    Unknown,
    /// The CPU (or wall) limit was hit.
    Timeout,
    /// The memory limit was hit.
    Memout,
    /// An error message, a crash, or fewer answers than checks.
    Error,
    /// An answer contradicts what is stated.
    Wrong,
}

impl Status {
    /// Every status, by the word that stands for it in logs and on the runner's lines.
    pub(crate) const WORDS: [(&str, Self); 8] = [
        ("sat", Self::Sat),
        ("unsat", Self::Unsat),
        ("solved", Self::Solved),
        ("unknown", Self::Unknown),
        ("timeout", Self::Timeout),
        ("memout", Self::Memout),
        ("error", Self::Error),
        ("wrong", Self::Wrong),
    ];

    /// Whether every check got an answer that nothing contradicts.
    pub(crate) fn is_solved(self) -> bool {
        matches!(self, Self::Sat | Self::Unsat | Self::Solved)
    }

    /// The word of this status.
    pub(crate) fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, status)| *status == self).expect("each status has its row").0
    }
}

/// One solver on one file.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Run {
    /// The solver's name in this measurement.
    pub(crate) solver: String,
    /// The file, relative to the collection where it is part of it.
    pub(crate) file: String,
    /// How it ended.
    pub(crate) status: Status,
    /// Seconds on the clock.
    pub(crate) wall: f64,
    /// Seconds of CPU time, children included.
    pub(crate) cpu: f64,
    /// Peak resident memory in MB.
    pub(crate) rss_mb: f64,
    /// Exit code; negative is a signal.
    pub(crate) rc: i64,
    /// The answers given, in order.
    pub(crate) answers: Vec<String>,
    /// What the file states for each check.
    pub(crate) stated: Vec<Option<String>>,
    /// The end of the output, for runs that were not solved.
    pub(crate) note: String,
    /// The limit, in seconds of CPU time.
    pub(crate) timeout: f64,
    /// The limit, in MB of address space.
    pub(crate) mem: u32,
}

impl Run {
    /// Seconds for PAR-2: the CPU time if solved, else twice the limit.
    pub(crate) fn par2(&self) -> f64 {
        if self.status.is_solved() { self.cpu } else { 2.0 * self.timeout }
    }

    /// Whether the answers may be compared, position by position, with those of another solver: after a rejected
    /// command a solver goes on with another problem than the one in the file.
    pub(crate) fn is_comparable(&self) -> bool {
        let crashed = self.rc < 0;
        !self.note.contains("(error") && (self.status != Status::Error || crashed)
    }
}

/// All runs of a measurement: by solver, then by file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    runs: BTreeMap<String, BTreeMap<String, Run>>,
}

impl Log {
    /// Reads a log from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or a complete line is not a run.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(Error::io(path))?;
        Self::parse(&text).map_err(|(line, source)| Error::Line { path: path.to_path_buf(), line, source })
    }

    /// Reads a log from its text; an error carries its line.
    pub(crate) fn parse(text: &str) -> std::result::Result<Self, (usize, serde_json::Error)> {
        let mut log = Self::default();
        for (number, line) in text.split_inclusive('\n').enumerate() {
            match serde_json::from_str(line) {
                Ok(run) => log.insert(run),
                Err(_) if !line.ends_with('\n') => {}
                Err(why) => return Err((number + 1, why)),
            }
        }
        Ok(log)
    }

    /// The log as text, one JSON line a run.
    ///
    /// # Errors
    /// Never in practice: a run holds nothing that JSON cannot say.
    pub(crate) fn to_text(&self) -> std::result::Result<String, serde_json::Error> {
        let mut text = String::new();
        for run in self.runs() {
            text.push_str(&serde_json::to_string(run)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Adds a run; it replaces an earlier one of the same solver on the same file.
    pub(crate) fn insert(&mut self, run: Run) {
        self.runs.entry(run.solver.clone()).or_default().insert(run.file.clone(), run);
    }

    /// Keeps the runs for which `keep` holds.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Run) -> bool) {
        for runs in self.runs.values_mut() {
            runs.retain(|_, run| keep(run));
        }
        self.runs.retain(|_, runs| !runs.is_empty());
    }

    /// Every run, by solver, then by file.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.values().flat_map(BTreeMap::values)
    }

    /// Every run, to be changed.
    pub(crate) fn runs_mut(&mut self) -> impl Iterator<Item = &mut Run> {
        self.runs.values_mut().flat_map(BTreeMap::values_mut)
    }

    /// The names of all solvers, in order of the alphabet.
    pub(crate) fn solvers(&self) -> impl Iterator<Item = &str> {
        self.runs.keys().map(String::as_str)
    }

    /// The names of all solvers but Bivalve.
    pub(crate) fn peers(&self) -> impl Iterator<Item = &str> {
        self.solvers().filter(|name| *name != OURS)
    }

    /// Whether a solver has any runs.
    pub(crate) fn ran(&self, solver: &str) -> bool {
        self.runs.contains_key(solver)
    }

    /// The runs of one solver, by file.
    pub(crate) fn of(&self, solver: &str) -> impl Iterator<Item = &Run> {
        self.runs.get(solver).into_iter().flat_map(BTreeMap::values)
    }

    /// The run of one solver on one file.
    pub(crate) fn get(&self, solver: &str, file: &str) -> Option<&Run> {
        self.runs.get(solver)?.get(file)
    }

    /// Every file that some solver ran on, in order of the alphabet.
    pub(crate) fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = self.runs().map(|run| run.file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Pairs of runs on the files that both solvers ran on.
    pub(crate) fn both<'l>(
        &'l self,
        one: &'l str,
        other: &'l str,
    ) -> impl Iterator<Item = (&'l Run, &'l Run)> {
        self.of(one).filter_map(move |run| Some((run, self.get(other, &run.file)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn a_log_survives_being_written_and_read() {
        let log = sample::log();
        let text = log.to_text().unwrap();
        assert_eq!(Log::parse(&text).unwrap().to_text().unwrap(), text);
        assert_eq!(log.solvers().collect::<Vec<_>>(), ["bitwuzla", "bivalve", "yices"]);
        assert_eq!(log.files().len(), 6);
    }

    #[test]
    fn a_cut_off_last_line_is_left_out() {
        let text = sample::log().to_text().unwrap();
        let cut = Log::parse(&text[..text.len() - 20]).unwrap();
        assert_eq!(cut.runs().count() + 1, sample::log().runs().count());
    }

    #[test]
    fn any_other_broken_line_is_an_error_with_its_number() {
        let text = sample::log().to_text().unwrap();
        let broken = text.replacen("\"status\":\"timeout\"", "\"status\":\"bored\"", 1);
        let line = 1 + text[..text.find("timeout\",").unwrap()].matches('\n').count();
        assert_eq!(Log::parse(&broken).unwrap_err().0, line);
    }

    #[test]
    fn a_later_run_replaces_an_earlier_one() {
        let mut log = sample::log();
        let mut run = log.runs().next().unwrap().clone();
        run.cpu = 7.5;
        let before = log.runs().count();
        log.insert(run.clone());
        assert_eq!(log.runs().count(), before);
        assert_eq!(log.get(&run.solver, &run.file).unwrap().cpu, 7.5);
    }

    #[test]
    fn what_is_not_solved_costs_twice_the_limit() {
        for run in sample::log().runs() {
            assert_eq!(run.par2(), if run.status.is_solved() { run.cpu } else { 20.0 }, "{run:?}");
        }
    }

    #[test]
    fn every_status_has_its_word() {
        for (word, status) in Status::WORDS {
            assert_eq!(serde_json::from_str::<Status>(&format!("\"{word}\"")).unwrap(), status);
            assert_eq!(status.word(), word);
        }
    }
}
