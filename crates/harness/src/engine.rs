//! Engines that start the shards of a run on other machines: Slurm and GNU parallel.
//!
//! A [`Submission`] is a command and a number of shards. The engine runs the command once for each shard,
//! with `--shard I/N` and `--log FILE` behind it, each shard with a file of its own in one folder; [`run`]
//! returns when all have ended. Whether they did their work is seen in the logs alone: a shard that was
//! killed, or whose machine was lost, has a shorter log, and the caller submits what is missing once more.
//!
//! *Slurm*: one job array by `sbatch --wait`, one element a shard, requeued when its node fails. When the run
//! is cancelled, `scancel` ends the array. *GNU parallel*: one job a shard, on this machine or, with
//! `--sshlogin` among the options, on others. Both need a file system that all machines see.

use crate::Cancel;
use crate::limits::Limits;
use crate::process::{self, Outcome};
use crate::reply::Ending;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What starts the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A job array by `sbatch`.
    Slurm,
    /// GNU parallel.
    Parallel,
}

/// A command that is to be run once for each shard.
#[derive(Clone, Debug)]
pub struct Submission<'a> {
    /// The command; flags that are given again later win.
    pub words: &'a [String],
    /// The number of shards.
    pub shards: u64,
    /// Shards at the same time, for GNU parallel; 0 for as many as there are processors.
    pub jobs: usize,
    /// Further options of the engine.
    pub options: &'a [String],
    /// The folder of the logs.
    pub folder: &'a Path,
    /// A word that no other submission has, in the names of the logs.
    pub token: &'a str,
}

/// Nothing runs longer than ten years.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 86_400);

impl Submission<'_> {
    /// The log of a shard.
    pub fn log(&self, shard: impl std::fmt::Display) -> PathBuf {
        self.folder.join(format!("{}-{shard}.jsonl", self.token))
    }

    /// The shell command of a shard whose number stands in place of `number`, which the shell or the engine
    /// replaces.
    fn shell(&self, number: &str) -> Result<String, String> {
        let words =
            shlex::try_join(self.words.iter().map(String::as_str)).map_err(|error| error.to_string())?;
        let folder =
            shlex::try_quote(&self.folder.to_string_lossy()).map_err(|error| error.to_string())?.into_owned();
        let (count, token) = (self.shards, self.token);
        Ok(format!("{words} --shard {number}/{count} --log {folder}/{token}-{number}.jsonl"))
    }
}

/// Runs all shards and waits for their end.
///
/// # Errors
/// A sentence, when the engine cannot be started or takes no job. That a shard failed is no error here.
pub fn run(engine: Engine, submission: &Submission<'_>, cancel: &Cancel) -> Result<(), String> {
    match engine {
        Engine::Slurm => slurm(submission, cancel),
        Engine::Parallel => parallel(submission, cancel),
    }
}

fn slurm(submission: &Submission<'_>, cancel: &Cancel) -> Result<(), String> {
    let mut sbatch = Command::new("sbatch");
    sbatch.args(["--wait", "--parsable", "--requeue", "--job-name=bivalve"]);
    sbatch.arg(format!("--array=1-{}", submission.shards));
    let output = submission.folder.join(format!("{}-%a.out", submission.token));
    sbatch.arg(format!("--output={}", output.display())).args(submission.options);
    sbatch.arg(format!("--wrap=exec {}", submission.shell("$SLURM_ARRAY_TASK_ID")?));
    let outcome = started("sbatch", process::run(&mut sbatch, b"", FOR_EVER_LIMITS, cancel))?;
    // The first line is the number of the job, and the name of a cluster where there are several.
    let job = outcome.output.lines().next().and_then(|line| line.split(';').next()).unwrap_or("").trim();
    if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("sbatch took no job: {}", outcome.stderr.trim()));
    }
    if outcome.ending == Ending::Cancelled {
        // The array may have ended meanwhile.
        let _ = Command::new("scancel").arg(job).output();
    }
    Ok(())
}

/// What GNU parallel replaces by the number of a shard.
const NUMBER: &str = "SHARD-NUMBER";

fn parallel(submission: &Submission<'_>, cancel: &Cancel) -> Result<(), String> {
    let mut parallel = Command::new("parallel");
    parallel.arg("--will-cite").args(submission.options);
    parallel.arg("--jobs").arg(if submission.jobs == 0 {
        "100%".to_owned()
    } else {
        submission.jobs.to_string()
    });
    // Commands have `{}` of their own.
    parallel.args(["-I", NUMBER]).arg(submission.shell(NUMBER)?).arg(":::");
    parallel.args((1..=submission.shards).map(|shard| shard.to_string()));
    let outcome = started("parallel", process::run(&mut parallel, b"", FOR_EVER_LIMITS, cancel))?;
    match outcome.ending {
        // Wrong use of parallel itself; else the number of shards that failed.
        Ending::Exited(255) => Err(format!("parallel failed: {}", outcome.stderr.trim())),
        _ => Ok(()),
    }
}

const FOR_EVER_LIMITS: Limits = Limits { time: FOR_EVER, cpu: None, memory: None };

fn started(program: &str, outcome: Outcome) -> Result<Outcome, String> {
    match &outcome.ending {
        Ending::NotStarted(why) => Err(format!("{program} cannot be started: {why}")),
        _ => Ok(outcome),
    }
}
