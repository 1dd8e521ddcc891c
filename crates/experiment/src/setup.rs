//! What an experiment is: columns, files, seeds, limits; and which runs of a log belong to it.
//!
//! A log is kept for ever and added to; an experiment is what is asked of it today. A run belongs to the
//! experiment if its column, its file and its seed do, and if it was made under the same *condition*: the
//! same command (and the same binary, where it is ours), the same text of the file, the same limits.
//! Conditions are fingerprints, written into every run. So whoever adds a column, a file or a seed pays for
//! the new runs alone; whoever changes the solver pays for its runs again and keeps those of the others;
//! nobody ever has a table made of both. What does not belong stays in the log, and may belong again
//! tomorrow.
//!
//! Jobs come in the order seed, file, column: when an experiment is cut off, what it has is comparable.

use crate::column::Column;
use crate::error::{Error, Result};
use crate::log::{Log, Run};
use crate::subject::{Subject, fingerprint};
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

    /// The condition under which a run is made now.
    pub fn condition(&self, job: &Job<'_>) -> String {
        let limits = format!("{} {}", self.time_limit, self.memory_limit);
        let all = [&job.column.fingerprint, &job.subject.fingerprint, &limits].map(String::as_str);
        fingerprint(all.join("\n").as_bytes())
    }

    /// The runs of a log that belong here, and the jobs that have none.
    pub fn sort<'s>(&'s self, log: &Log) -> (Log, Vec<Job<'s>>) {
        let (mut kept, mut todo) = (Log::default(), vec![]);
        for job in self.jobs() {
            let instance = Run::instance_of(&job.subject.file, job.seed);
            match log.get(&job.column.name, &instance) {
                Some(run) if run.condition == self.condition(&job) => kept.insert(run.clone()),
                _ => todo.push(job),
            }
        }
        (kept, todo)
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
        parsed.map_err(|source| Error::Line { path: path.to_path_buf(), line: source.line(), source })
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
        Column { name: name.to_owned(), settings: vec![], fingerprint: words.join(" "), words }
    }

    fn subject(file: &str, family: &str) -> Subject {
        let (file, family) = (file.to_owned(), family.to_owned());
        Subject { fingerprint: file.clone(), file, family, stated: vec![None] }
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
    fn made(setup: &Setup, job: &Job<'_>) -> Run {
        Run {
            solver: job.column.name.clone(),
            file: job.subject.file.clone(),
            seed: job.seed,
            condition: setup.condition(job),
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
    fn what_was_made_under_the_same_condition_is_kept() {
        let setup = setup();
        let mut log = Log::default();
        setup.jobs().take(7).for_each(|job| log.insert(made(&setup, &job)));
        let counts = |setup: &Setup| {
            let (kept, todo) = setup.sort(&log);
            (kept.runs().count(), todo.len())
        };
        assert_eq!(counts(&setup), (7, 2));
        // A new column, a new file: the rest is kept.
        let mut more = setup.clone();
        more.columns.push(column("c", "c {}"));
        more.subjects.push(subject("x/2", "x"));
        assert_eq!(counts(&more), (7, 9));
        // Another solver behind a name, other limits, a file that has changed.
        let mut other = setup.clone();
        other.columns[0].fingerprint = "rebuilt".to_owned();
        assert_eq!(counts(&other), (3, 6));
        assert_eq!(counts(&Setup { time_limit: 11.0, ..setup.clone() }), (0, 9));
        let mut changed = setup.clone();
        changed.subjects[0].fingerprint = "edited".to_owned();
        assert_eq!(counts(&changed), (4, 5));
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
