//! The command line: what can be asked, and the help that teaches it by example.
//!
//! The help has the unit and the default of each option, and the
//! examples at the end are complete commands for the questions asked most often. Nothing here decides
//! anything: the parts read the fields.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  Are campaigns worth anything? Thirty deliberate faults, each to be found; two of them once more:
      cargo xtask faults
      cargo xtask faults adder-carry walk-stops

  All that is handed out, into target/packages; the binary and a wheel alone, elsewhere:
      cargo xtask dist
      cargo xtask dist --out packages binary wheel

Exit codes: 0 all well; 1 a fault was not found; 2 it could not be done.";

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
    /// Build what is handed out into one folder: the binary, packages, pages, and their sums.
    Dist(DistArgs),
    /// Plant faults in Bivalve, one after the other, and see that a campaign finds each and that it becomes a
    /// small script.
    Faults(FaultsArgs),
}

/// What `cargo xtask dist` can be told.
#[derive(Args, Debug)]
pub(crate) struct DistArgs {
    /// These alone [default: all there are].
    #[arg(value_name = "PART", value_enum)]
    parts: Vec<Part>,
    /// The folder; it has a folder for each part, and SHA256SUMS [default: target/packages].
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

impl DistArgs {
    /// The parts to build, each once.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let all = Part::value_variants().iter().copied();
        all.filter(|part| self.parts.is_empty() || self.parts.contains(part)).collect()
    }
}

/// What can be handed out.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The solver and the checker of its certificates, and an archive of both; statically linked on Linux, so
    /// that they start fast and run anywhere; needs tar.
    Binary,
    /// Completions for bash, elvish, fish, PowerShell and zsh.
    Completions,
    /// A manual page for the solver and one for each command.
    Man,
    /// The Python package; needs maturin.
    Wheel,
    /// The packages `bivalve` and `libbivalve-dev` for Debian; needs cargo-deb.
    Deb,
    /// The crates as a registry gets them, each built from what is packed (`cargo package`).
    Crates,
    /// The image of a container with the binaries; needs podman or buildah, and the image named in
    /// Containerfile.
    Container,
}

impl Part {
    /// The name on the command line, which is that of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Binary => "binary",
            Part::Completions => "completions",
            Part::Man => "man",
            Part::Wheel => "wheel",
            Part::Deb => "deb",
            Part::Crates => "crates",
            Part::Container => "container",
        }
    }
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
        assert!(examples.len() >= 3);
        for example in examples {
            CommandLine::try_parse_from(words(example)).unwrap_or_else(|why| panic!("{example}: {why}"));
        }
    }

    #[test]
    fn parts_have_the_names_of_their_folders_and_come_once() {
        for part in Part::value_variants() {
            let shown = part.to_possible_value().expect("none is hidden");
            assert_eq!(shown.get_name(), part.name());
        }
        let parsed = CommandLine::try_parse_from(["xtask", "dist", "wheel", "binary", "wheel"]);
        let Some(Chore::Dist(args)) = parsed.expect("it is right").chore else { panic!("it is dist") };
        assert_eq!(args.parts(), [Part::Binary, Part::Wheel]);
    }

    /// Words as a shell makes them, as far as double quotes go.
    fn words(line: &str) -> Vec<&str> {
        let mut words = vec!["xtask"];
        for (nth, part) in line.split('"').enumerate() {
            if nth % 2 == 1 { words.push(part) } else { words.extend(part.split_whitespace()) }
        }
        words
    }
}
