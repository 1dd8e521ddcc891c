//! The command line of `bivalve experiment`, and the help that teaches it by example.

use crate::tools::flags::{JobArgs, LimitArgs, OutputArgs, positive};
use crate::tools::tasks::TaskArgs;
use bivalve_experiment::column::{Column, list, pairs};
use bivalve_experiment::report::Families;
use bivalve_experiment::select::{Filter, Stated};
use bivalve_experiment::setup::Setup;
use clap::{Parser, ValueEnum};
use std::path::PathBuf;

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

  Against another solver in one run, on a part of a suite, by family:
      bivalve experiment --suite bench/index.jsonl:perf/ --logic QF_BV --single-check --set probe=on --solver 'bitwuzla=bitwuzla {}' --against bitwuzla --by family -j 2

  What each pass of simplification is worth, and each level of rewriting (an option alone takes all its values):
      bivalve experiment cases/ --vary without-passes --show gates,eliminated,seconds.rewrite,total_seconds
      bivalve experiment cases/ --vary rewrite-level --show gates

  Tables for each folder of files, and means of what the solver counts:
      bivalve experiment cases/ --vary array-lemmas=one,each,repair --by-family --show arrays.rounds --show sat.conflicts

  On a cluster; what is lost is submitted again:
      bivalve experiment cases/ --vary sat=cadical,batsat --engine slurm --shards 100 --engine-option=--partition=long

  Table and plots again, without a run:
      bivalve experiment --report -o experiment --show seconds.sat --cactus

The log (run.jsonl in the folder of --output) is the state: after Ctrl-C, or with another column, file or seed, the same
command goes on and makes what is missing. Runs are made again when the program of a column or its options have changed.

Columns of the table: solved = sat + unsat + multi (scripts with several checks); WRONG against `:status`, DISPUTED
against other columns; PAR-2 is CPU seconds with twice the limit where unsolved; common CPU is over what all solved.

Exit codes: 0 no answer is wrong or disputed, 1 one is, 2 the experiment could not be made, 130 Ctrl-C.";

/// Run combinations of options, and other solvers, on many files, and compare them.
#[derive(Parser)]
#[command(
    name = "bivalve experiment",
    after_help = EXAMPLES,
    args_override_self = true,
    mut_arg("time_limit", |arg| arg.default_value("10").help("CPU time of a run: 10 (seconds), 1.5s, 500ms, 2min")),
    mut_arg("memory_limit", |arg| {
        // Other systems refuse such a limit.
        let arg = if cfg!(target_os = "linux") { arg.default_value("4G") } else { arg };
        arg.help("Address space of a run: 800 (megabytes), 512MiB, 2G")
    }),
    mut_arg("jobs", |arg| arg.default_value("1").help("Runs at the same time, 0 for as many as there are processors; 1 is for measuring")),
    mut_arg("output", |arg| {
        let help = "Folder for run.jsonl, setup.json, table.md and plots";
        arg.value_name("FOLDER").default_value("experiment").help(help)
    }),
    mut_arg("report", |arg| arg.conflicts_with_all(["files", "list", "suite", "vary", "set", "solver"])),
)]
pub(super) struct Args {
    /// Scripts, and folders of them
    #[arg(value_name = "FILES")]
    pub(super) files: Vec<PathBuf>,
    /// A file with one path a line; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    pub(super) list: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
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
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    pub(super) jobs: JobArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    /// The log of runs [default: run.jsonl in the folder of --output]
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(super) log: Option<PathBuf>,
    /// A table for each family as well: the files of a folder
    #[arg(long, help_heading = "Results")]
    pub(super) by_family: bool,
    /// A table with a line for each family: the first column beside the best of the others
    #[arg(long, value_name = "WHAT", value_parser = ["family"], help_heading = "Results")]
    pub(super) by: Option<String>,
    /// Compare the first column with this one: ratios, worst losses, best wins
    #[arg(long, value_name = "COLUMN", help_heading = "Results")]
    pub(super) against: Option<String>,
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
    #[command(flatten)]
    pub(super) tasks: TaskArgs,
}

/// Which of the files.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Files")]
pub(super) struct FilterArgs {
    /// A suite: lines of JSON with `file`, `family`, `logic`, `status`, `features`; only paths that begin
    /// with PREFIX
    #[arg(long, value_name = "FILE[:PREFIX]")]
    pub(super) suite: Vec<String>,
    /// Only these logics, such as QF_BV,QF_ABV
    #[arg(long, value_name = "LOGIC", value_delimiter = ',')]
    logic: Vec<String>,
    /// Only files with this stated status
    #[arg(long, value_enum)]
    status: Option<Status>,
    /// Only files that ask once: one check, no levels, no assumptions
    #[arg(long)]
    single_check: bool,
    /// Only files that have this feature by their suite
    #[arg(long, value_name = "FEATURE")]
    with: Vec<String>,
    /// No files that have this feature
    #[arg(long, value_name = "FEATURE")]
    without: Vec<String>,
    /// Of what is left, every K-th file
    #[arg(long, value_name = "K", value_parser = positive)]
    every: Option<usize>,
    /// Of what is left, at most N files, spread evenly
    #[arg(long, value_name = "N", value_parser = positive)]
    max_files: Option<usize>,
}

/// A stated status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Status {
    /// Every check is stated satisfiable
    Sat,
    /// Every check is stated unsatisfiable
    Unsat,
    /// Something is stated
    Known,
    /// Nothing is stated
    Open,
}

impl FilterArgs {
    /// What the words ask for.
    pub(super) fn filter(&self) -> Filter {
        let status = self.status.map(|status| match status {
            Status::Sat => Stated::Sat,
            Status::Unsat => Stated::Unsat,
            Status::Known => Stated::Known,
            Status::Open => Stated::Open,
        });
        let FilterArgs { logic, single_check, with, without, every, max_files, .. } = self.clone();
        Filter { logics: logic, status, single_check, with, without, every, max_files }
    }
}

/// What is to be written and drawn of the runs.
pub(super) struct Drawing<'a> {
    pub(super) families: Families,
    pub(super) against: Option<&'a str>,
    pub(super) show: &'a [String],
    pub(super) scatter: &'a [String],
    pub(super) cactus: bool,
    pub(super) split: bool,
}

impl Drawing<'_> {
    /// What the words ask for.
    pub(super) fn of(args: &Args) -> Drawing<'_> {
        let Args { by, by_family, show, scatter, cactus, split, .. } = args;
        let families = Families { compared: by.is_some(), apart: *by_family };
        let against = args.against.as_deref();
        Drawing { families, against, show, scatter, cactus: *cactus, split: *split }
    }

    /// Are there columns for each plot?
    ///
    /// # Errors
    /// A sentence, when there are none.
    pub(super) fn check(&self, setup: &Setup) -> Result<(), String> {
        let names: Vec<&str> = setup.columns.iter().map(|column| column.name.as_str()).collect();
        let more = "name another with --solver, or add Bivalve with --vary or --set";
        match self.against {
            Some(name) if !names.contains(&name) => {
                Err(format!("--against: no column is called '{name}'; there are {}", names.join(", ")))
            }
            Some(name) if names.first() == Some(&name) => {
                Err(format!("--against: expected another column than the first, which is '{name}'; {more}"))
            }
            _ if self.families.compared && names.len() < 2 => {
                Err(format!("--by family: expected two columns or more, found {}; {more}", names.join(", ")))
            }
            _ => self.scatters(setup).map(drop),
        }
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
        for bad in [["--jobs", "x"], ["--time-limit", "0"], ["--seeds", "0"], ["--every", "0"]] {
            assert!(Args::try_parse_from(["experiment"].into_iter().chain(bad)).is_err(), "{bad:?}");
        }
        assert!(Args::try_parse_from(["experiment", "--report", "a.smt2"]).is_err());
    }
}
