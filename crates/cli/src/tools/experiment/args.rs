//! The command line of `bivalve experiment`, and the help that teaches it by example.

use crate::limits::{parse_bytes, parse_duration};
use bivalve_experiment::column::{Column, list, pairs};
use bivalve_experiment::setup::Setup;
use clap::Parser;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const EXAMPLES: &str = "\
Examples:
  What each SAT solver costs:
      bivalve experiment cases/ --vary sat=cadical,batsat,splr

  Every combination of two options, four runs at a time, a minute of CPU time each:
      bivalve experiment cases/ --vary sat=cadical,batsat --vary rewrite-level=0,1 -j 4 --time-limit 1m

  Other solvers beside ours ({} is the file), and plots of one against the other:
      bivalve experiment cases/ --set probe=off --solver 'z3=z3 {}' --scatter bivalve,z3 --cactus

  One against another whatever else varies: here one plot for each SAT solver, satisfiable and not apart:
      bivalve experiment cases/ --vary sat=cadical,splr --vary array-lemmas=one,class --scatter array-lemmas=class,array-lemmas=one --split

  Values with commas, separated by semicolons; five seeds each ({seed} in commands of others):
      bivalve experiment cases/ --vary 'sat=cadical;cadical:stabilize=0,walk=0' --seeds 5 --solver 'z3=z3 sat.random_seed={seed} {}'

  Tables for each folder of files, and means of what the solver counts:
      bivalve experiment cases/ --vary array-lemmas=one,each,repair --by-family --show arrays.rounds --show sat.conflicts

  Table and plots again, without a run:
      bivalve experiment --report --out experiment --show seconds.sat --cactus

The log (run.jsonl in the folder of --out) is the state: after Ctrl-C, or with another column, file or seed, the same
command goes on and makes what is missing. Our runs are made again when this program or its options have changed.

Columns of the table: solved = sat + unsat + multi (scripts with several checks); WRONG against `:status`, DISPUTED
against other columns; PAR-2 is CPU seconds with twice the limit where unsolved; common CPU is over what all solved.

Exit codes: 0 no answer is wrong or disputed, 1 one is, 2 the experiment could not be made, 130 Ctrl-C.";

/// Run combinations of options, and other solvers, on many files, and compare them.
#[derive(Parser)]
#[command(name = "bivalve experiment", after_help = EXAMPLES)]
pub(super) struct Args {
    /// Scripts, and folders of them
    #[arg(value_name = "FILES")]
    pub(super) files: Vec<PathBuf>,
    /// A file with one path a line; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    pub(super) list: Vec<PathBuf>,
    /// Only every K-th of the files
    #[arg(long, value_name = "K", value_parser = positive)]
    pub(super) every: Option<usize>,
    /// An option of the solver and the values it takes; several of these are combined
    #[arg(long, value_name = "OPTION=VALUE,...", help_heading = "Columns")]
    pub(super) vary: Vec<String>,
    /// An option of the solver that is the same in all columns
    #[arg(long, value_name = "OPTION=VALUE", help_heading = "Columns")]
    pub(super) set: Vec<String>,
    /// A program as a column: `z3=z3 {}`; without `{}` the file goes to standard input
    #[arg(long, value_name = "NAME=COMMAND", help_heading = "Columns")]
    pub(super) solver: Vec<String>,
    /// Repeat each run from so many seeds: --seed 0, 1, ... of ours, {seed} of others; commands without it
    /// run once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Columns")]
    pub(super) seeds: u64,
    /// Runs at the same time; 1 is for measuring
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = positive, help_heading = "Limits")]
    pub(super) jobs: usize,
    /// CPU time of a run: 10, 1.5s, 500ms, 2m
    #[arg(short, long, value_name = "TIME", default_value = "10", value_parser = time, help_heading = "Limits")]
    pub(super) time_limit: Duration,
    /// Address space of a run: 800, 800M, 2G
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_bytes, help_heading = "Limits")]
    pub(super) memory_limit: u64,
    /// Folder for run.jsonl, setup.json, table.md and plots
    #[arg(short, long, value_name = "FOLDER", default_value = "experiment", help_heading = "Results")]
    pub(super) out: PathBuf,
    /// A table for each family as well: the files of a folder
    #[arg(long, help_heading = "Results")]
    pub(super) by_family: bool,
    /// Show the mean of a number that solvers record (a field of --stats=json): arrays.rounds, sat.conflicts,
    /// gates
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Results")]
    pub(super) show: Vec<String>,
    /// Draw A (up) against B (across); names of columns, or words of names that are matched where all else is
    /// equal
    #[arg(long, value_name = "A,B", help_heading = "Results")]
    pub(super) scatter: Vec<String>,
    /// Draw how many files each column solves within a time
    #[arg(long, help_heading = "Results")]
    pub(super) cactus: bool,
    /// Draw satisfiable and unsatisfiable files apart
    #[arg(long, help_heading = "Results")]
    pub(super) split: bool,
    /// Run nothing: tables and plots of the log in the folder
    #[arg(long, help_heading = "Results", conflicts_with_all = ["files", "list", "vary", "set", "solver"])]
    pub(super) report: bool,
    /// No bar
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// A number from 1 on.
fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a number from 1 on".to_owned())
}

/// A time that is not nothing.
fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text).and_then(|time| match time.is_zero() {
        true => Err("expected a time above zero".to_owned()),
        false => Ok(time),
    })
}

/// What is to be written and drawn of the runs.
pub(super) struct Drawing<'a> {
    pub(super) by_family: bool,
    pub(super) show: &'a [String],
    pub(super) scatter: &'a [String],
    pub(super) cactus: bool,
    pub(super) split: bool,
}

impl Drawing<'_> {
    /// What the words ask for.
    pub(super) fn of(args: &Args) -> Drawing<'_> {
        let Args { by_family, show, scatter, cactus, split, .. } = args;
        Drawing { by_family: *by_family, show, scatter, cactus: *cactus, split: *split }
    }

    /// Are there columns for each plot?
    ///
    /// # Errors
    /// A sentence, when there are none.
    pub(super) fn check(&self, setup: &Setup) -> Result<(), String> {
        self.scatters(setup).map(drop)
    }

    /// The pairs of columns to be drawn against each other.
    ///
    /// # Errors
    /// A sentence, when a side names no column.
    pub(super) fn scatters<'s>(&self, setup: &'s Setup) -> Result<Vec<(&'s Column, &'s Column)>, String> {
        let mut all = vec![];
        for text in self.scatter {
            let [one, other] = list(text)[..] else {
                return Err(format!("expected two columns as A,B (or A;B), found '{text}'"));
            };
            all.extend(pairs(&setup.columns, one, other)?);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
        for bad in [["--jobs", "0"], ["--time-limit", "0"], ["--seeds", "0"], ["--every", "0"]] {
            assert!(Args::try_parse_from(["experiment"].into_iter().chain(bad)).is_err(), "{bad:?}");
        }
        assert!(Args::try_parse_from(["experiment", "--report", "a.smt2"]).is_err());
    }
}
