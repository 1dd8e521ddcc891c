//! The runs of a measurement: one solver on one file each.
//!
//! A solver may run on a file several times, from different seeds; file and seed are an *instance*. When a
//! pair of solver and instance occurs twice, the later run is the one that counts. Everything is kept in
//! ordered maps, so that each table and plot comes out the same from the same runs. How runs are written and
//! read is in [`bivalve_harness::log`].

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How one run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
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
    pub const WORDS: [(&str, Self); 8] = [
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
    pub fn is_solved(self) -> bool {
        matches!(self, Self::Sat | Self::Unsat | Self::Solved)
    }

    /// The word of this status.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, status)| *status == self).expect("each status has its row").0
    }
}

/// One solver on one file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Run {
    /// The solver's name in this measurement.
    pub solver: String,
    /// The file, by the name it has in this measurement.
    pub file: String,
    /// The seed; 0 where there is no choice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u64,
    /// How it ended.
    pub status: Status,
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of CPU time, children included.
    pub cpu: f64,
    /// Peak resident memory in MB.
    pub rss_mb: f64,
    /// Exit code; negative is a signal.
    pub rc: i64,
    /// The answers given, in order.
    pub answers: Vec<String>,
    /// What the file states for each check.
    pub stated: Vec<Option<String>>,
    /// The end of the output, for runs that were not solved.
    pub note: String,
    /// The limit, in seconds of CPU time.
    pub timeout: f64,
    /// The limit, in MB of address space.
    pub mem: u32,
    /// The statistics that the solver printed, by the names of their fields.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stats: BTreeMap<String, f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(seed: &u64) -> bool {
    *seed == 0
}

impl Run {
    /// File and seed in one name: what two solvers are compared on.
    pub fn instance(&self) -> String {
        Run::instance_of(&self.file, self.seed)
    }

    /// The name of this file with this seed.
    pub fn instance_of(file: &str, seed: u64) -> String {
        if seed == 0 { file.to_owned() } else { format!("{file} (seed {seed})") }
    }

    /// Seconds for PAR-2: the CPU time if solved, else twice the limit.
    pub fn par2(&self) -> f64 {
        if self.status.is_solved() { self.cpu } else { 2.0 * self.timeout }
    }

    /// Whether the answers may be compared, position by position, with those of another solver: after a
    /// rejected command a solver goes on with another problem than the one in the file.
    pub fn is_comparable(&self) -> bool {
        let crashed = self.rc < 0;
        !self.note.contains("(error") && (self.status != Status::Error || crashed)
    }
}

/// All runs of a measurement: by solver, then by instance.
#[derive(Clone, Debug, Default)]
pub struct Log {
    runs: BTreeMap<String, BTreeMap<String, Run>>,
}

impl Log {
    /// Adds a run; it replaces an earlier one of the same solver on the same instance.
    pub fn insert(&mut self, run: Run) {
        self.runs.entry(run.solver.clone()).or_default().insert(run.instance(), run);
    }

    /// Keeps the runs for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&Run) -> bool) {
        for runs in self.runs.values_mut() {
            runs.retain(|_, run| keep(run));
        }
        self.runs.retain(|_, runs| !runs.is_empty());
    }

    /// Every run, by solver, then by instance.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.values().flat_map(BTreeMap::values)
    }

    /// Every run, to be changed.
    pub fn runs_mut(&mut self) -> impl Iterator<Item = &mut Run> {
        self.runs.values_mut().flat_map(BTreeMap::values_mut)
    }

    /// The names of all solvers, in order of the alphabet.
    pub fn solvers(&self) -> impl Iterator<Item = &str> {
        self.runs.keys().map(String::as_str)
    }

    /// The names of all solvers but one.
    pub fn others(&self, than: &str) -> impl Iterator<Item = &str> {
        self.solvers().filter(move |name| *name != than)
    }

    /// Whether a solver has any runs.
    pub fn ran(&self, solver: &str) -> bool {
        self.runs.contains_key(solver)
    }

    /// The runs of one solver, by instance.
    pub fn of(&self, solver: &str) -> impl Iterator<Item = &Run> {
        self.runs.get(solver).into_iter().flat_map(BTreeMap::values)
    }

    /// The run of one solver on one instance.
    pub fn get(&self, solver: &str, instance: &str) -> Option<&Run> {
        self.runs.get(solver)?.get(instance)
    }

    /// Every instance that some solver ran on, in order of the alphabet.
    pub fn instances(&self) -> Vec<&str> {
        let mut instances: Vec<&str> =
            self.runs.values().flat_map(BTreeMap::keys).map(String::as_str).collect();
        instances.sort_unstable();
        instances.dedup();
        instances
    }

    /// Pairs of runs on the instances that both solvers ran on.
    pub fn both<'l>(&'l self, one: &'l str, other: &'l str) -> impl Iterator<Item = (&'l Run, &'l Run)> {
        let runs = self.runs.get(one).into_iter().flatten();
        runs.filter_map(move |(instance, run)| Some((run, self.get(other, instance)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

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
    fn runs_of_different_seeds_stand_side_by_side() {
        let mut log = sample::log();
        let before = log.runs().count();
        let run = log.get("yices", "perf/a/quick.smt2").unwrap().clone();
        log.insert(Run { seed: 2, cpu: 9.0, ..run });
        assert_eq!(log.runs().count(), before + 1);
        assert_eq!(log.get("yices", "perf/a/quick.smt2 (seed 2)").unwrap().cpu, 9.0);
        assert_eq!(log.both("yices", "bitwuzla").count(), 5, "seeds are compared with their like");
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
