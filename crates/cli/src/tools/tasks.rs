//! The flags by which campaigns and experiments are split into tasks, and the engines that run these.
//!
//! `--plan` writes the list of tasks, `--task` and `--shard` do some of them, `--merge` takes results of
//! other logs in, `--report` runs nothing. `--engine` does all of it: shards are started by Slurm or GNU
//! parallel, each with a log of its own in the folder `LOG.parts`; when they have ended their results are
//! appended to the log, and what is missing, because a shard was killed or its machine lost, is submitted
//! again.

use super::flags::existing;
use bivalve_harness::engine::{self, Submission};
use bivalve_harness::log::{self, Entry, Log, LogError};
use bivalve_harness::tasks::{Selection, Shard};
use bivalve_harness::{Cancel, Key};
use clap::{Args, ValueEnum};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The flags.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Beyond one machine")]
pub(super) struct TaskArgs {
    /// Write the list of tasks as lines of JSON, each with its command, and run nothing
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// Do these tasks of the list only
    #[arg(long, value_name = "K,...", value_delimiter = ',', requires = "log", conflicts_with = "shard")]
    task: Vec<u64>,
    /// Do every N-th task only, from the I-th on
    #[arg(long, value_name = "I/N", requires = "log")]
    shard: Option<Shard>,
    /// Take results from these logs as well; only what is missing is run
    #[arg(long, value_name = "LOG", num_args = 1.., value_parser = existing)]
    pub(super) merge: Vec<PathBuf>,
    /// Run nothing: show what the logs have
    #[arg(long)]
    pub(super) report: bool,
    /// What runs the tasks
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Engine::Threads)]
    engine: Engine,
    /// An option for sbatch or parallel: --engine-option=--partition=long
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    engine_option: Vec<String>,
    /// Shards that an engine other than threads starts
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    shards: u64,
}

/// What runs the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// Threads of this process
    Threads,
    /// Slurm job arrays, by sbatch
    Slurm,
    /// GNU parallel
    Parallel,
}

/// Counts the tasks that have no result among known ones.
pub(super) type Missing<'a, T> = &'a dyn Fn(&BTreeMap<Key, T>) -> Result<usize, String>;

/// How often what is missing is submitted.
const ROUNDS: u32 = 3;

impl TaskArgs {
    /// The tasks that this process looks at.
    pub(super) fn selection(&self) -> Selection {
        match (&self.task[..], self.shard) {
            (_, Some(shard)) => Selection::Shard(shard),
            ([], None) => Selection::All,
            (tasks, None) => Selection::Tasks(tasks.iter().copied().collect()),
        }
    }

    /// Whether this process does only a part of the tasks, and shows no table.
    pub(super) fn is_part(&self) -> bool {
        self.selection() != Selection::All
    }

    /// Whether an engine other than the threads of this process is asked for.
    pub(super) fn is_distributed(&self) -> bool {
        self.engine != Engine::Threads
    }

    /// The logs whose results are used: the own one, and those that are merged.
    pub(super) fn logs(&self, own: Option<&Path>) -> Vec<PathBuf> {
        let parts = own.map(parts).filter(|parts| parts.is_dir());
        let left = parts.and_then(|parts| bivalve_harness::walk::files(&[parts], &["jsonl"]).ok());
        self.merge.iter().cloned().chain(left.into_iter().flatten()).chain(own.map(Path::to_owned)).collect()
    }

    /// Runs what is missing by an engine, if one is asked for. `missing` counts the tasks that have no
    /// results among known ones. What came in is appended to the log.
    ///
    /// # Errors
    /// A sentence, when the engine cannot be started, or tasks are missing in the end.
    pub(super) fn distribute<T: Serialize + DeserializeOwned>(
        &self,
        path: Option<&Path>,
        known: &mut BTreeMap<Key, T>,
        cancel: &Cancel,
        missing: Missing<'_, T>,
    ) -> Result<(), String> {
        let engine = match self.engine {
            Engine::Threads => return Ok(()),
            Engine::Slurm => engine::Engine::Slurm,
            Engine::Parallel => engine::Engine::Parallel,
        };
        let path = path.ok_or("an engine needs a --log that all machines see")?;
        let path = std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let folder = parts(&path);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut log = Log::open(&path).map_err(|error| error.to_string())?;
        let mut written = log::keys(&[&path]).map_err(|error| error.to_string())?;
        // The first round takes in what an earlier process left behind that was killed.
        for round in 0..=ROUNDS {
            for part in bivalve_harness::walk::files(std::slice::from_ref(&folder), &["jsonl"])? {
                take_in(&part, &mut log, &mut written, known).map_err(|error| error.to_string())?;
            }
            let left = missing(known)?;
            if left == 0 || cancel.is_raised() {
                // All that is in the parts is in the log.
                let removed = std::fs::remove_dir_all(&folder);
                return removed.map_err(|error| format!("{}: {error}", folder.display()));
            }
            if round < ROUNDS {
                let token =
                    format!("{:x}", SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos()));
                let mut words = this_command();
                words.extend(["--engine", "threads", "--quiet", "--merge"].map(str::to_owned));
                words.push(path.to_string_lossy().into_owned());
                let (words, options, folder, token) = (&words, &self.engine_option, &folder, &token);
                let submission = Submission { words, shards: self.shards, jobs: 0, options, folder, token };
                engine::run(engine, &submission, cancel)?;
            } else {
                let place = folder.display();
                return Err(format!("{left} tasks have no result after {ROUNDS} submissions; see {place}"));
            }
        }
        Ok(())
    }
}

/// Appends the results of a part to the log, those that it does not have.
fn take_in<T: Serialize + DeserializeOwned>(
    part: &Path,
    log: &mut Log,
    written: &mut BTreeSet<Key>,
    known: &mut BTreeMap<Key, T>,
) -> Result<(), LogError> {
    let mut done = Ok(());
    log::each(part, |entry: Entry<T>| {
        if done.is_ok() && written.insert(entry.key.clone()) {
            done = log.append(&entry);
            known.insert(entry.key, entry.result);
        }
    })?;
    done
}

/// The folder of the logs of shards.
fn parts(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".parts");
    PathBuf::from(name)
}

/// The command line of this process without `--plan`; a flag that is given again behind it wins.
pub(super) fn this_command() -> Vec<String> {
    let mut words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let name = words.next().unwrap_or_default();
    let program = std::env::current_exe().map_or(name, |path| path.to_string_lossy().into_owned());
    let mut kept = vec![program];
    while let Some(word) = words.next() {
        match word.as_str() {
            "--plan" => drop(words.next()),
            word if word.starts_with("--plan=") => {}
            _ => kept.push(word),
        }
    }
    kept
}
