//! The command line: what can be asked, and the help that teaches it by example.
//!
//! `--help` is where most people will meet this tool, so each option says its unit and its default, and the
//! examples at the end are complete commands for the questions asked most often. Nothing here decides
//! anything: the parts read the fields.

use campaign::theory::Theory;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  Every single-check QF_BV file of the regressions, 2 at a time, 10 s of CPU time each:
      cargo xtask bench --suite regress --logic QF_BV --single-check

  The QF_BV part of the performance set, results kept in a folder of your own:
      cargo xtask bench --suite perf --logic QF_BV --out target/bench/perf

  A quick look: 40 files spread over the whole set, against Bitwuzla only:
      cargo xtask bench --suite perf --max-files 40 --peers bitwuzla

  After a change: measure Bivalve again, keep the peers' runs of that folder:
      cargo xtask bench --suite perf --logic QF_BV --out target/bench/perf --resume

  Any files or folders, another binary, other options:
      cargo xtask bench ~/queries/*.smt2 --bivalve target/debug/bivalve --options \"--sat splr\"

  Tables and plots again, from the log alone:
      cargo xtask bench --report target/bench/perf --against yices

  What each pass of simplification is worth, and each level of rewriting:
      cargo xtask ablate --suite perf --time-limit 10
      cargo xtask ablate --suite perf --levels --out target/levels

  Random formulas, every operator, against the reference semantics and two peers; and formula 4711 once more:
      cargo xtask differential --count 20000
      cargo xtask differential --from 4711 --count 1
      cargo xtask differential --theory arrays --count 20000

  Sessions with levels, assumptions, cores and values, a tenth of them through the binary too:
      cargo xtask sessions --count 5000 --binary-every 10

  Broken scripts through reader and solver, and some through the binary; then the inputs with a name:
      cargo xtask mutate --count 200000 --binary-every 50
      cargo xtask mutate --nasty --binary-every 1

  Everything at once for a quarter of an hour; another seed:
      cargo xtask torture --minutes 15
      cargo xtask torture --minutes 15 --seed 2

  Is torture worth anything? Thirty deliberate faults, each to be found; two of them once more:
      cargo xtask faults
      cargo xtask faults adder-carry walk-stops

Exit codes: 0 all well; 1 Bivalve is wrong or at odds with a peer; 2 it could not be done; 3 only peers are wrong
or at odds.
Read table.md first; then look at scatter-bitwuzla.svg. Quote ratios between solvers of one run, never seconds.";

/// Chores of the Bivalve workspace.
#[derive(Parser, Debug)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    /// What to do; without it, this help.
    #[command(subcommand)]
    pub(crate) chore: Option<Chore>,
}

/// The chores.
#[derive(Subcommand, Debug)]
pub(crate) enum Chore {
    /// Run Bivalve beside its peers on files, and write tables and plots.
    #[command(after_help = EXAMPLES)]
    Bench(Box<BenchArgs>),
    /// Decide files with each pass of simplification off in turn, and print what each is worth.
    Ablate(Box<AblateArgs>),
    /// Build the binary that is handed out: statically linked on Linux, so that it starts fast and runs
    /// anywhere.
    Dist,
    /// Decide random formulas in many ways, and compare with the reference semantics and with peers.
    Differential(DifferentialArgs),
    /// Carry out random sessions that push, pop, assert, assume and ask, and judge each answer.
    Sessions(SessionsArgs),
    /// Break scripts in many ways, and see that each still gets an answer or a located error.
    Mutate(MutateArgs),
    /// Let all generators and judges loose on Bivalve under random options, and keep what is found as small
    /// scripts.
    Torture(TortureArgs),
    /// Plant faults in Bivalve, one after the other, and see that torture finds each and that it becomes a
    /// small script.
    Faults(FaultsArgs),
}

/// What `cargo xtask faults` can be told.
#[derive(Args, Debug)]
pub(crate) struct FaultsArgs {
    /// These alone, by name [default: all there are].
    #[arg(value_name = "FAULT")]
    pub(crate) names: Vec<String>,
    /// Cases in which a fault may stay hidden; so many take two idle cores about five minutes.
    #[arg(long, value_name = "N", default_value_t = 25_000)]
    pub(crate) cases: u64,
    /// All cases and options follow from this.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads [default: as many as the machine has].
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Keep the small scripts in this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

/// What `cargo xtask ablate` can be told.
#[derive(Args, Debug, Default)]
pub(crate) struct AblateArgs {
    /// Which files.
    #[command(flatten)]
    pub(crate) pick: PickArgs,
    /// Only these passes.
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    pub(crate) passes: Vec<String>,
    /// The levels of rewriting in place of the passes.
    #[arg(long)]
    pub(crate) levels: bool,
    /// CPU time of a run: 10, 1.5s, 500ms.
    #[arg(short, long, value_name = "TIME", default_value = "10")]
    pub(crate) time_limit: String,
    /// Runs at the same time; 1 is for measuring.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: u32,
    /// The binary to measure [default: target/release/bivalve, built first].
    #[arg(long, value_name = "PATH")]
    pub(crate) bivalve: Option<PathBuf>,
    /// Folder of the log and the table; what it has already is not run again [default: target/ablate].
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

/// What `cargo xtask torture` can be told.
#[derive(Args, Debug)]
pub(crate) struct TortureArgs {
    /// Minutes; without it and without --count, 1000 cases.
    #[arg(long, value_name = "N")]
    pub(crate) minutes: Option<f64>,
    /// Cases.
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// The number of the first case, rounded down to a multiple of 4; a finding is repeated by its seed, its
    /// number and `--count 4`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) from: u64,
    /// All cases and options follow from this.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads [default: as many as the machine has].
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Where scripts of findings go [default: tests/regressions].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

/// What `cargo xtask differential` can be told.
#[derive(Args, Debug)]
pub(crate) struct DifferentialArgs {
    /// Formulas to decide.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) count: u64,
    /// The number of the first formula; a finding is repeated by its number and `--count 1`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) from: u64,
    /// All chance is drawn from this and from the number of the formula.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// What the formulas are about.
    #[arg(long, value_enum, default_value_t = About::Bv)]
    pub(crate) theory: About,
    /// The peers, by the names of their roster, or none; of those that know its theories, a formula is sent
    /// to the first two.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "yices,bitwuzla,z3,cvc5")]
    pub(crate) peers: Vec<String>,
    /// No symbol or constant is wider.
    #[arg(long, value_name = "BITS", default_value_t = 70, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) max_width: u32,
    /// Operators in a formula, at most about.
    #[arg(long, value_name = "K", default_value_t = 30)]
    pub(crate) size: usize,
    /// Folder for the scripts of findings [default: target/campaign].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// What `cargo xtask sessions` can be told.
#[derive(Args, Debug)]
pub(crate) struct SessionsArgs {
    /// Sessions to carry out.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) count: u64,
    /// The number of the first one; a finding is repeated by its number and `--count 1`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) from: u64,
    /// All chance is drawn from this and from the number of the session.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// What the formulas are about.
    #[arg(long, value_enum, default_value_t = About::All)]
    pub(crate) theory: About,
    /// Commands of a session.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) steps: usize,
    /// Operators in a formula, at most about.
    #[arg(long, value_name = "K", default_value_t = 8)]
    pub(crate) size: usize,
    /// No symbol or constant is wider.
    #[arg(long, value_name = "BITS", default_value_t = 33, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) max_width: u32,
    /// Give every K-th session to the binary as well [default: none].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) binary_every: Option<u64>,
    /// The binary [default: target/release/bivalve].
    #[arg(long, value_name = "PATH")]
    pub(crate) bivalve: Option<PathBuf>,
    /// Folder for the scripts of findings [default: target/campaign].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Theories of random formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum About {
    /// Booleans and bit-vectors.
    Bv,
    /// Arrays, and what they are made of.
    Arrays,
    /// Functions and declared sorts.
    Functions,
    /// All of it.
    All,
}

impl From<About> for Theory {
    fn from(about: About) -> Theory {
        match about {
            About::Bv => Theory::Bits,
            About::Arrays => Theory::Arrays,
            About::Functions => Theory::Functions,
            About::All => Theory::All,
        }
    }
}

/// What `cargo xtask mutate` can be told.
#[derive(Args, Clone, Debug)]
pub(crate) struct MutateArgs {
    /// Broken scripts to run.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) count: u64,
    /// The number of the first one; a finding is repeated by its number and `--count 1`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) from: u64,
    /// All chance is drawn from this and from the number of the input.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Workers at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub(crate) jobs: u32,
    /// Give every K-th input to the release binary as well [default: none].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) binary_every: Option<u64>,
    /// Save every input, not only those with a finding.
    #[arg(long)]
    pub(crate) keep: bool,
    /// Run the named nasty inputs instead of broken scripts.
    #[arg(long)]
    pub(crate) nasty: bool,
    /// Folder for the scripts of findings [default: target/campaign].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Be one of the processes that do the work.
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
}

/// What `cargo xtask bench` can be told.
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) pick: PickArgs,
    #[command(flatten)]
    pub(crate) contest: ContestArgs,

    /// Folder for run.jsonl, files.jsonl, setup.json, table.md and the plots [default: target/bench/last].
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub(crate) out: Option<PathBuf>,
    /// Keep the runs that DIR already holds. Bivalve's own are dropped when its binary or its options have
    /// changed.
    #[arg(long, help_heading = "Results")]
    pub(crate) resume: bool,
    /// Run nothing: read DIR/run.jsonl again, write tables and plots again.
    #[arg(long, value_name = "DIR", help_heading = "Results", conflicts_with_all = ["suite", "paths", "list", "out", "resume"])]
    pub(crate) report: Option<PathBuf>,
    /// The peer that ratios, wins and losses refer to [default: bitwuzla if it ran, else the first peer].
    #[arg(long, value_name = "PEER", help_heading = "Results")]
    pub(crate) against: Option<String>,
}

/// Which files.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Files")]
pub(crate) struct PickArgs {
    /// Files, or folders (searched for .smt2, .btor and .btor2). A path may be relative to the shared
    /// collection.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// A part of the shared collection: regress, perf, hwmcc, parser.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) suite: Vec<String>,
    /// A file with one path a line; `#` starts a comment.
    #[arg(long, value_name = "FILE")]
    pub(crate) list: Option<PathBuf>,
    /// Only these logics, for example QF_BV,QF_ABV.
    #[arg(long, value_name = "LOGIC", value_delimiter = ',')]
    pub(crate) logic: Vec<String>,
    /// Only files with this stated status.
    #[arg(long, value_enum)]
    pub(crate) status: Option<StatusFilter>,
    /// Only files that ask once: one check-sat, no push, no pop, no check-sat-assuming.
    #[arg(long)]
    pub(crate) single_check: bool,
    /// Only files of the collection that have this feature (see its index), for example mul; may be repeated.
    #[arg(long, value_name = "FEATURE")]
    pub(crate) with: Vec<String>,
    /// No files that have this feature, for example error-expected; may be repeated.
    #[arg(long, value_name = "FEATURE")]
    pub(crate) without: Vec<String>,
    /// Of what is left, every K-th file.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: Option<u32>,
    /// Of what is left, at most N files, spread evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_files: Option<u32>,
}

/// Who runs, and within which limits.
#[derive(Args, Debug)]
#[command(next_help_heading = "Solvers and limits")]
pub(crate) struct ContestArgs {
    /// The peers, by the names of their roster, or none. A peer may carry options: bitwuzla:pp-normalize=0.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "bitwuzla,yices,z3")]
    pub(crate) peers: Vec<String>,
    /// The binary to measure [default: target/release/bivalve, built first].
    #[arg(long, value_name = "PATH")]
    pub(crate) bivalve: Option<PathBuf>,
    /// Options for Bivalve, in one string, before the file.
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    pub(crate) options: String,
    /// Seconds of CPU time for one solver on one file.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) time_limit: f64,
    /// Megabytes of address space for one solver.
    #[arg(long, value_name = "MB", default_value_t = 6000)]
    pub(crate) memory: u32,
    /// Solvers that run at the same time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) jobs: u32,
}

/// Stated statuses to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusFilter {
    /// Every check is stated satisfiable.
    Sat,
    /// Every check is stated unsatisfiable.
    Unsat,
    /// Something is stated.
    Known,
    /// Nothing is stated.
    Open,
}

/// A positive number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("a positive number of seconds is needed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_example_parses() {
        let examples: Vec<&str> =
            EXAMPLES.lines().filter_map(|line| line.trim().strip_prefix("cargo xtask ")).collect();
        assert!(examples.len() >= 5);
        for example in examples {
            CommandLine::try_parse_from(words(example)).unwrap_or_else(|why| panic!("{example}: {why}"));
        }
    }

    /// Words as a shell makes them, as far as double quotes go.
    fn words(line: &str) -> Vec<&str> {
        let mut words = vec!["xtask"];
        for (nth, part) in line.split('"').enumerate() {
            if nth % 2 == 1 { words.push(part) } else { words.extend(part.split_whitespace()) }
        }
        words
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in [
            "bench --time-limit 0",
            "bench --time-limit inf",
            "bench --every 0",
            "bench --report d --suite perf",
        ] {
            assert!(
                CommandLine::try_parse_from(["xtask"].into_iter().chain(bad.split(' '))).is_err(),
                "{bad}"
            );
        }
    }
}
