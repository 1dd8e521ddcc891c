//! What a search for cubes keeps on the disk: the log, what the log is about, and certificates of leaves.
//!
//! A leaf's certificate is a file of the folder `CERTIFICATE.leaves`, named after its hash. It is there,
//! whole and under its name, before the log has the leaf; a leaf whose file was lost is looked at again.
//! Without a log nothing can be gone on with, and the folder is removed in the end.

use super::{Args, Problematic, Record};
use crate::outputs::{self, unwritable};
use bivalve_cubes::{Cube, Job, Tree, merge};
use bivalve_harness::Key;
use bivalve_harness::log::{self, Entry, Log};
use bivalve_session::Form;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// What a log is about, and by which program.
#[derive(Serialize, Deserialize, PartialEq)]
struct About {
    file: String,
    formula: Key,
    budget: u64,
    certificates: Option<String>,
    job: Key,
}

/// The files of a search.
pub(super) struct Store {
    certificate: Option<PathBuf>,
    leaves: Option<PathBuf>,
    has_log: bool,
    lost: bool,
}

impl Store {
    /// Makes the folder of leaves, and sees that the log is about this job.
    pub(super) fn open(args: &Args, job: &Job) -> Result<Store, Problematic> {
        let beside = |path: &Path, ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let form = |form| if form == Form::Text { "text" } else { "binary" }.to_owned();
        let about = About {
            file: args.file.display().to_string(),
            formula: job.problem.key().clone(),
            budget: job.budget,
            certificates: job.certificates.map(form),
            job: job.hash(),
        };
        for log in args.log.iter().chain(&args.tasks.merge) {
            let path = beside(log, ".job");
            if path.exists() {
                agrees(&path, &about)?;
            } else if args.log.as_ref() == Some(log) && !args.tasks.is_part() && !args.tasks.report {
                let line = serde_json::to_string(&about).map_err(|error| error.to_string())? + "\n";
                write_whole(&path, line.as_bytes())?;
            }
        }
        let leaves = args.certificate.as_deref().map(|path| beside(path, ".leaves"));
        if let Some(folder) = &leaves {
            fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        }
        Ok(Store { certificate: args.certificate.clone(), leaves, has_log: args.log.is_some(), lost: false })
    }

    /// What logs have.
    pub(super) fn read(&mut self, logs: &[PathBuf]) -> Result<BTreeMap<Key, Record>, String> {
        let mut known = log::read(logs).map_err(|error| error.to_string())?;
        self.check(&mut known);
        Ok(known)
    }

    /// Forgets leaves whose certificates are not there.
    pub(super) fn check(&mut self, known: &mut BTreeMap<Key, Record>) {
        let before = known.len();
        known.retain(|_, record| self.is_there(record));
        self.lost |= known.len() < before;
    }

    /// Whether leaves were forgotten that the log has, so that engines would not look at them.
    pub(super) fn has_lost(&self) -> bool {
        self.lost
    }

    /// What was forgotten was looked at.
    pub(super) fn found(&mut self) {
        self.lost = false;
    }

    fn is_there(&self, record: &Record) -> bool {
        let (Some(folder), Some((key, bytes))) = (&self.leaves, &record.outcome.certificate) else {
            return true;
        };
        let file = folder.join(key.as_str());
        let has_length = file.metadata().is_ok_and(|metadata| metadata.len() == *bytes);
        has_length && fs::read(&file).is_ok_and(|steps| Key::of([steps]) == *key)
    }

    /// Keeps the certificate of a leaf.
    pub(super) fn keep(&self, key: &Key, steps: &[u8]) -> Result<(), String> {
        let Some(folder) = &self.leaves else { return Ok(()) };
        write_whole(&folder.join(key.as_str()), steps)
    }

    /// The log, if there is one.
    pub(super) fn log(&self, args: &Args) -> Result<Option<Log>, String> {
        args.log.as_deref().map(Log::open).transpose().map_err(|error| error.to_string())
    }

    /// Writes the certificate of all leaves, if one was asked for.
    pub(super) fn merge(&self, job: &Job, tree: &Tree) -> Result<(), String> {
        let (Some(path), Some(folder)) = (&self.certificate, &self.leaves) else { return Ok(()) };
        let Some(form) = job.certificates else { return Ok(()) };
        let leaves = tree.leaves();
        let read = |&(cube, outcome): &(&'_ Cube, &bivalve_cubes::Outcome)| {
            let missing = || io::Error::other("a leaf has no certificate");
            outcome.certificate.as_ref().ok_or_else(missing).and_then(|(key, _)| {
                let steps = fs::read(folder.join(key.as_str()))?;
                if Key::of([&steps]) == *key {
                    Ok(steps)
                } else {
                    Err(io::Error::other(format!("{cube}: a leaf was altered")))
                }
            })
        };
        let mut out = BufWriter::new(outputs::create(path)?);
        let written = merge::merge(&mut out, form, leaves.iter().map(|leaf| (leaf.0, read(leaf))));
        written.map_err(|error| unwritable(path, &error))
    }
}

impl Drop for Store {
    /// Removes what nothing can go on with.
    fn drop(&mut self) {
        if let Some(folder) = self.leaves.as_ref().filter(|_| !self.has_log) {
            // What is left takes room and does no harm.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Sees that a log is about this job.
fn agrees(path: &Path, about: &About) -> Result<(), String> {
    let place = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{place}: cannot be read: {error}"))?;
    let found: About = serde_json::from_str(&text).map_err(|error| {
        let (line, column, why) = (error.line(), error.column(), error.to_string());
        let why = why.split(" at line ").next().unwrap_or_default();
        format!("{place}:{line}:{column}: expected a job: {why}")
    })?;
    if found.formula != about.formula {
        let (own, other) = (&about.formula, &found.formula);
        return Err(format!(
            "{place}:1:1: expected the formula and options of {} ({own}), found those of {} ({other}); use another log",
            about.file, found.file
        ));
    }
    if (found.budget, &found.certificates, &found.job) != (about.budget, &about.certificates, &about.job) {
        let words = |about: &About| {
            let form = about.certificates.as_deref().unwrap_or("no");
            format!("a budget of {} and {form} certificates, job {}", about.budget, about.job)
        };
        return Err(format!(
            "{place}:1:1: expected {}, found {}; another build of this program has other jobs; use another log",
            words(about),
            words(&found)
        ));
    }
    Ok(())
}

/// Writes a file that is whole or not there, whenever the program is killed.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    outputs::check(path)?;
    let part = path.with_extension(format!("part-{}", std::process::id()));
    outputs::write(&part, bytes)?;
    fs::rename(&part, path).map_err(|error| unwritable(path, &error))
}

/// Appends what was found of a node to the log, if there is one.
pub(super) fn append(log: &mut Option<Log>, key: &Key, record: &Record) -> Result<(), String> {
    let Some(log) = log else { return Ok(()) };
    log.append(&Entry { key: key.clone(), result: record.clone() }).map_err(|error| error.to_string())
}
