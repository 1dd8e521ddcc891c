//! What an experiment is: columns, files, seeds, limits; and which runs of a log belong to it.
//!
//! A log is kept for ever and added to; an experiment is what is asked of it today. A run belongs to the
//! experiment if its [`Key`] is that of one of the jobs: the same command and build of the solver, the same
//! text of the file, the same seed and limits. So a new column, file or seed costs the new runs alone; a
//! change of a solver costs its runs again and keeps those of the others; and no table mixes both. What does
//! not belong stays in the log, and may belong again tomorrow.
//!
//! A job is a task; jobs come in the order seed, file, column: when an experiment is cut off, what it has is
//! comparable.

use crate::column::Column;
use crate::error::{Error, Result};
use crate::log::{Log, Run};
use crate::subject::Subject;
use crate::verdict::Index;
use bivalve_harness::Key;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// An experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The words that asked for it.
    pub request: String,
    /// The version of the solver that asked.
    pub version: String,
    /// Seconds of CPU time a run.
    pub time_limit: f64,
    /// MB of address space a run.
    pub memory_limit: u32,
    /// Seeds, from 0; columns that take none run once.
    pub seeds: u64,
    /// The columns, in the order of the tables.
    pub columns: Vec<Column>,
    /// The files.
    pub subjects: Vec<Subject>,
}

/// One run to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job<'s> {
    /// Who runs.
    pub column: &'s Column,
    /// On what.
    pub subject: &'s Subject,
    /// From which seed.
    pub seed: u64,
}

impl Setup {
    /// All runs, in order.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'_>> {
        let seeds = 0..self.seeds.max(1);
        seeds.flat_map(move |seed| {
            self.subjects.iter().flat_map(move |subject| {
                let columns = self.columns.iter().filter(move |column| seed == 0 || column.takes_seeds());
                columns.map(move |column| Job { column, subject, seed })
            })
        })
    }

    /// The key of a run that is made now. The name of the column counts, too: two columns may run the same.
    pub fn key(&self, job: &Job<'_>) -> Key {
        let Job { column, subject, seed } = job;
        let rest = format!("{} {} {} {seed}", column.name, self.time_limit, self.memory_limit);
        Key::of([column.identity.as_str(), subject.content.as_str(), &rest])
    }

    /// The runs of this experiment among known ones, by the names that columns and files have today.
    pub fn runs(&self, known: &BTreeMap<Key, Run>) -> Log {
        let mut log = Log::default();
        for job in self.jobs() {
            if let Some(run) = known.get(&self.key(&job)) {
                log.insert(Run { file: job.subject.file.clone(), ..run.clone() });
            }
        }
        log
    }

    /// What the suites state about the files.
    pub fn index(&self) -> Index {
        let known = self.subjects.iter().filter(|subject| !subject.known.is_empty());
        known.map(|subject| (subject.file.clone(), subject.known.clone())).collect()
    }

    /// The families, in the order of the files, with their files.
    pub fn families(&self) -> Vec<(&str, BTreeSet<&str>)> {
        let mut order: Vec<&str> = vec![];
        let mut members = BTreeMap::<&str, BTreeSet<&str>>::new();
        for subject in &self.subjects {
            let family = members.entry(&subject.family).or_default();
            if family.is_empty() {
                order.push(&subject.family);
            }
            family.insert(&subject.file);
        }
        order.into_iter().map(|family| (family, members.remove(family).unwrap_or_default())).collect()
    }

    /// Reads an experiment.
    ///
    /// # Errors
    /// When there is none, or it cannot be understood.
    pub fn read(path: &Path) -> Result<Setup> {
        let text = fs::read_to_string(path).map_err(Error::io(path))?;
        let parsed = serde_json::from_str(&text);
        parsed.map_err(|error| Error::Request(format!("{}: {error}", path.display())))
    }

    /// Writes it down.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self).expect("words and numbers are always JSON");
        fs::write(path, text + "\n").map_err(Error::io(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn column(name: &str, words: &str) -> Column {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        Column { name: name.to_owned(), settings: vec![], identity: Key::of([words.join(" ")]), words }
    }

    fn subject(file: &str, family: &str) -> Subject {
        let (file, family) = (file.to_owned(), family.to_owned());
        Subject { content: Key::of([&file]), file, family, stated: vec![None], ..Subject::default() }
    }

    fn setup() -> Setup {
        Setup {
            request: String::new(),
            version: String::new(),
            time_limit: 10.0,
            memory_limit: 6000,
            seeds: 2,
            columns: vec![column("b", "b --seed {seed} {}"), column("a", "a {}")],
            subjects: vec![subject("y/1", "y"), subject("x/1", "x"), subject("y/2", "y")],
        }
    }

    /// A run of this job, made now.
    fn made(job: &Job<'_>) -> Run {
        Run {
            solver: job.column.name.clone(),
            file: job.subject.file.clone(),
            seed: job.seed,
            ..sample::log().runs().next().unwrap().clone()
        }
    }

    #[test]
    fn jobs_come_by_seed_by_file_by_column_and_those_without_seeds_once() {
        let setup = setup();
        let order: Vec<String> = setup
            .jobs()
            .map(|job| format!("{} {} {}", job.seed, job.subject.file, job.column.name))
            .collect();
        let expected = [
            "0 y/1 b", "0 y/1 a", "0 x/1 b", "0 x/1 a", "0 y/2 b", "0 y/2 a", "1 y/1 b", "1 x/1 b", "1 y/2 b",
        ];
        assert_eq!(order, expected);
        let families: Vec<(&str, usize)> =
            setup.families().into_iter().map(|(name, files)| (name, files.len())).collect();
        assert_eq!(families, [("y", 2), ("x", 1)]);
    }

    #[test]
    fn a_run_is_kept_as_long_as_its_key_is_the_same() {
        let setup = setup();
        let known: BTreeMap<Key, Run> =
            setup.jobs().take(7).map(|job| (setup.key(&job), made(&job))).collect();
        let kept = |setup: &Setup| setup.runs(&known).runs().count();
        assert_eq!(kept(&setup), 7);
        // A new column, a new file: the rest is kept.
        let mut more = setup.clone();
        more.columns.push(column("c", "c {}"));
        more.subjects.push(subject("x/2", "x"));
        assert_eq!(kept(&more), 7);
        // Another solver behind a name, other limits, a file that has changed.
        let mut other = setup.clone();
        other.columns[0].identity = Key::of(["rebuilt"]);
        assert_eq!(kept(&other), 3);
        assert_eq!(kept(&Setup { time_limit: 11.0, ..setup.clone() }), 0);
        let mut changed = setup.clone();
        changed.subjects[0].content = Key::of(["edited"]);
        assert_eq!(kept(&changed), 4);
        // The same file at another place.
        let mut moved = setup.clone();
        moved.subjects[1].file = "z/1".to_owned();
        let log = moved.runs(&known);
        assert!(log.get("a", "z/1").is_some() && log.get("a", "x/1").is_none());
    }

    #[test]
    fn an_experiment_survives_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("setup.json");
        assert!(Setup::read(&path).is_err());
        setup().write(&path).unwrap();
        assert_eq!(Setup::read(&path).unwrap(), setup());
    }
}
