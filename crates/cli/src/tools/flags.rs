//! Flags that several tools have: the same flag for the same thing, with the same name and the same values.
//!
//! Each group is flattened into the command line of a tool; a default that differs is set by the tool.

use crate::messages::{self, Color};
use crate::outputs;
use crate::units::{parse_bytes, parse_duration};
use bivalve_harness::Limits;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Limits of one run of a solver.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Time: 10 (seconds), 1.5s, 500ms, 2min
    #[arg(short, long, visible_alias = "timeout", value_name = "TIME", value_parser = time)]
    pub(crate) time_limit: Option<Duration>,
    /// Address space: 800 (megabytes), 512MiB, 2G
    #[arg(short, long, visible_alias = "memory", value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory_limit: Option<u64>,
}

impl LimitArgs {
    /// What a program may use for one script.
    pub(crate) fn of_a_run(&self) -> Limits {
        Limits { time: self.time_limit.unwrap_or_default(), cpu: None, memory: self.memory_limit }
    }
}

/// How much is done at the same time.
#[derive(Args, Clone, Debug)]
pub(crate) struct JobArgs {
    /// Runs at the same time; 0 for as many as there are processors
    #[arg(short, long, value_name = "N", default_value_t = 0, help_heading = "Limits")]
    pub(crate) jobs: usize,
}

impl JobArgs {
    /// The number, 0 replaced.
    pub(crate) fn count(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        }
    }
}

/// Where chance comes from.
#[derive(Args, Clone, Debug)]
pub(crate) struct SeedArgs {
    /// All chance is drawn from this, and from numbers
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Where results go, and how much is shown.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write results there
    #[arg(short, long, visible_alias = "out", value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Show no progress and no findings as they come
    #[arg(short, long, overrides_with = "verbose")]
    pub(crate) quiet: bool,
    /// Show more: each result as it comes
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Colour of findings, which are shown on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// Writes a text to a file, or to standard output for `-`.
///
/// # Errors
/// A sentence, when it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    if path == Path::new("-") {
        return print(text);
    }
    outputs::write(path, text)
}

/// A time above zero.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        time if time.is_zero() => Err("expected a time above zero".to_owned()),
        time => Ok(time),
    }
}

/// A number from 1 on.
pub(crate) fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a number from 1 on".to_owned())
}

/// A percentage, from 0 to 100.
pub(crate) fn percentage(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&number| number <= 100);
    number.ok_or_else(|| "expected a percentage from 0 to 100".to_owned())
}

/// A file that is there.
pub(crate) fn existing(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_file() { Ok(path) } else { Err("there is no such file".to_owned()) }
}

/// Prints to standard output. That it is closed is no error.
///
/// # Errors
/// A sentence, when it cannot be written, for example because the disk is full.
pub(crate) fn print(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    messages::printed(out.write_all(text.as_ref()).and_then(|()| out.flush()))
}
