//! `bivalve identities`: what tools for smart contracts ask, as scripts of known status.
//!
//! Scripts go to files, named by kind, width, truth and number, or to standard output; with files, or with
//! `--list`, a table has the kinds. A script is made again by its kind, width, seed and number.
//!
//! Exit codes: 0 all was written, 2 something could not be, or the command line is wrong.

use super::flags::{OutputArgs, SeedArgs, print};
use super::scripts::Scripts;
use bivalve_fuzz::identities::{Identity, table};
use bivalve_harness::Table;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::ffi::OsString;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  bivalve identities --list                              the kinds, and how many forms each has
  bivalve identities -o cases                            two identities and near-identities of each kind, at 64, 128 and 256 bits
  bivalve identities --kind mulmod,mul-div --width 256 --count 5 -o cases
                                                         five of each of two kinds
  bivalve identities --kind average --width 16 --truth near --number 1 --count 1
                                                         one script, on standard output

The negation of an identity is unsatisfiable, that of a near-identity has a model, which stands in the head of the script.

Exit codes: 0 all was written, 2 not, or the command line is wrong.";

/// Make the identities that tools for smart contracts ask, and near-identities.
#[derive(Parser)]
#[command(
    name = "bivalve identities",
    after_help = EXAMPLES,
    mut_arg("output", |arg| arg.value_name("FOLDER").help("Write files to this folder [default: standard output]")),
)]
struct Args {
    /// Kinds [default: all]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Bits of a word: powers of two from 8 to 1024
    #[arg(short, long, value_name = "BITS", value_delimiter = ',', default_value = "64,128,256")]
    width: Vec<u32>,
    /// What is made
    #[arg(long, value_enum, default_value_t = Truth::Both)]
    truth: Truth,
    /// So many of each kind, width and truth
    #[arg(short = 'n', long, value_name = "N", default_value_t = 2)]
    count: u64,
    /// The number of the first
    #[arg(long, value_name = "N", default_value_t = 0)]
    number: u64,
    /// Print the kinds and make nothing
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Do statements hold?
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Truth {
    /// Identities
    Holds,
    /// Near-identities
    Near,
    /// Both
    Both,
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    Args::command()
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = Args::from_arg_matches(matches).map_err(|refusal| refusal.to_string())?;
    let kinds = kinds(&args.kind)?;
    if args.list {
        print(&listed(&kinds))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut scripts = Scripts::to(&args.output);
    if write(&args, &kinds, &mut scripts)? {
        scripts.finish()?;
        if args.output.output.is_some() {
            print(&listed(&kinds))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The kinds of these names; all, if there are no names.
fn kinds(names: &[String]) -> Result<Vec<&'static Identity>, String> {
    if names.is_empty() {
        return Ok(table().collect());
    }
    let named = |name: &String| {
        table().find(|identity| identity.name == name).ok_or_else(|| {
            let all: Vec<&str> = table().map(|identity| identity.name).collect();
            format!("there is no kind '{name}'; there are {}", all.join(", "))
        })
    };
    names.iter().map(named).collect()
}

/// Writes all that was asked for; `false` means that the output was closed.
fn write(args: &Args, kinds: &[&Identity], scripts: &mut Scripts) -> Result<bool, String> {
    let sides: &[bool] = match args.truth {
        Truth::Holds => &[true],
        Truth::Near => &[false],
        Truth::Both => &[true, false],
    };
    for identity in kinds {
        for &width in &args.width {
            for &holds in sides {
                for number in args.number..args.number.saturating_add(args.count) {
                    let case = identity.case(width, args.seed.seed, number, holds);
                    let case = case.map_err(|refusal| refusal.to_string())?;
                    let side = if holds { "holds" } else { "near" };
                    let path = format!("{}/{width}-{side}-{number:03}.smt2", identity.name);
                    if !scripts.put(&path, case.script().as_bytes())? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}

/// The kinds, their forms and what they say.
fn listed(kinds: &[&Identity]) -> String {
    let mut table = Table::new(["<Kind", "Forms", "<About"]);
    for identity in kinds {
        table.row([identity.name, &identity.forms.to_string(), identity.about]);
    }
    table.text()
}
