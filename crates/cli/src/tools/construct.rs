//! `bivalve construct`: formulas of known status by construction, and how many there are.
//!
//! Scripts go to files, named by theory, width, kind and number, or to standard output; with files, and if
//! nothing is to be written at all, a table has the number of cases. A case is made again by its
//! theory, width, kind and number.
//!
//! Exit codes: 0 all was written, 2 something could not be, or the command line is wrong.

use super::cases::Cases;
use super::flags::{OutputArgs, SeedArgs, print};
use super::scripts::Scripts;
use bivalve_fuzz::case::Case;
use bivalve_fuzz::construct::{Construction, Kind, Operators, Options, Tally, Theory};
use bivalve_harness::Table;
use bivalve_judge::{Case as Judged, Pending};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  bivalve construct                                      count all cases of 4 bits, by theory and kind
  bivalve construct --all -o cases                    write them; run them by `bivalve campaign cases`
  bivalve construct --theory bv --kind growth --count 20 20 by chance, on standard output, with (reset) between them
  bivalve construct --theory both --kind chain --depth 12 --samples 100000 --all -o cases
                                                         up to 12 transformations each
  bivalve construct --width 32 --operators all --count 1000 -o cases
                                                         1000 of each theory and kind, all operators, 32 bits
  bivalve construct --kind rule,chain --standard --all -o cases
                                                         in words that every solver knows
  bivalve construct --theory arrays --kind wrong --number 17
                                                         one case again
  bivalve construct --theory bv --kind contradiction --all -o cases --integers with-integers
                                                         beside it, forms with bv2nat and int2bv, for solvers that know these

Kinds: single, constants, synthesis (satisfiable); contradiction, growth, constant, redundancy, wrong, wrong-complex, rule
(unsatisfiable); chain, fusion (either). Of `synthesis` there are more with a larger --breadth; chain and fusion are made by
chance, as many as --samples says.

Exit codes: 0 all was written, 2 not, or the command line is wrong.";

/// Make formulas whose status, model or core is known by construction.
#[derive(Parser)]
#[command(
    name = "bivalve construct",
    after_help = EXAMPLES,
    mut_arg("output", |arg| arg.value_name("FOLDER").help("Write files to this folder [default: standard output]")),
)]
struct Args {
    /// What formulas are about [default: all]
    #[arg(long, value_name = "THEORY", value_delimiter = ',', value_parser = PossibleValuesParser::new(Theory::ALL.map(Theory::name)))]
    theory: Vec<String>,
    /// How they are made [default: all]
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    kind: Vec<String>,
    /// The width of bit-vectors
    #[arg(short, long, value_name = "BITS", default_value_t = 4)]
    width: u32,
    /// Operators of the thesis, or all
    #[arg(long, value_name = "WHICH", default_value = "thesis", value_parser = ["thesis", "all"])]
    operators: String,
    /// All cases
    #[arg(long, conflicts_with_all = ["count", "number"])]
    all: bool,
    /// So many of each theory and kind, by chance
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "number")]
    count: Option<u64>,
    /// The case of this number
    #[arg(long, value_name = "N")]
    number: Option<u64>,
    /// With --all, begin at this number of each kind
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    #[command(flatten)]
    seed: SeedArgs,
    /// Operations tried for each place of a synthesis
    #[arg(long, value_name = "N", default_value_t = 4)]
    breadth: u64,
    /// Transformations of a chain, at most
    #[arg(long, value_name = "N", default_value_t = 4)]
    depth: u32,
    /// How many chains and fusions there are
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: u64,
    /// Say operators that SMT-LIB 2.0 has not in its words
    #[arg(long)]
    standard: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// Write forms over integers to this folder, under the same names
    #[arg(long, value_name = "FOLDER")]
    integers: Option<PathBuf>,
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    Args::command()
}

impl Args {
    fn options(&self, theory: Theory) -> Options {
        let operators = if self.operators == "all" { Operators::All } else { Operators::Thesis };
        let Args { width, breadth, depth, samples, seed: SeedArgs { seed }, .. } = *self;
        Options { theory, width, operators, breadth, depth, samples, seed }
    }
}

/// Is this one of those that were named, or was none named?
fn is_wanted(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|other| other == name)
}

/// One line of the table.
type Line = (Theory, Kind, Tally);

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = Args::from_arg_matches(matches).map_err(|refusal| refusal.to_string())?;
    make(&args).map(|()| ExitCode::SUCCESS)
}

fn make(args: &Args) -> Result<(), String> {
    let writes = args.all && args.output.output.is_some() || args.count.is_some() || args.number.is_some();
    let mut scripts = writes.then(|| Scripts::to(&args.output));
    let mut integers = args.integers.clone().map(Scripts::Folder);
    let mut lines: Vec<Line> = vec![];
    let theories = || Theory::ALL.into_iter().filter(|theory| is_wanted(&args.theory, theory.name()));
    for theory in theories() {
        let construction = Construction::new(args.options(theory))?;
        for kind in Kind::ALL.into_iter().filter(|kind| is_wanted(&args.kind, kind.name())) {
            let mut tally = Tally { numbers: construction.len(kind), ..Tally::default() };
            let mut cases: Box<dyn Iterator<Item = (u64, Case)>> = match (args.number, args.count) {
                (Some(number), _) => {
                    Box::new(construction.case(kind, number).map(|case| (number, case)).into_iter())
                }
                (None, Some(count)) => {
                    Box::new((0..count).map_while(|index| construction.sample(kind, index)))
                }
                (None, None) => Box::new(construction.from(kind, args.from)),
            };
            let wanted = cases.try_for_each(|(number, mut case)| {
                count(&mut tally, &case);
                if args.standard {
                    case.say_plainly();
                }
                let path = format!("{}-{}/{}/{number:08}.smt2", theory.name(), args.width, kind.name());
                put(&case, &path, scripts.as_mut(), integers.as_mut())
            });
            match wanted {
                Err(Some(problem)) => return Err(problem),
                Err(None) => return Ok(()),
                Ok(()) => lines.push((theory, kind, tally)),
            }
        }
    }
    if args.number.is_some() && lines.iter().all(|(_, _, tally)| tally.sat + tally.unsat == 0) {
        return Err("there is no case of this number; --all tells which numbers have one".to_owned());
    }
    scripts.map_or(Ok(()), Scripts::finish)?;
    match args.output.output.is_some() || !writes {
        true => print(&if args.output.json { json(&lines) } else { table(&lines) }),
        false => Ok(()),
    }
}

/// The cases that these words of a command line make, for a campaign; all, if they say no number.
///
/// # Errors
/// What is wrong with the words.
pub(super) fn cases(words: &str) -> Result<Cases, String> {
    let args =
        Args::try_parse_from(super::words_of("construct", words)?).map_err(|refusal| refusal.to_string())?;
    let mut found = Cases::new(0, std::iter::empty());
    for theory in Theory::ALL.into_iter().filter(|theory| is_wanted(&args.theory, theory.name())) {
        let construction = Arc::new(Construction::new(args.options(theory))?);
        for kind in Kind::ALL.into_iter().filter(|kind| is_wanted(&args.kind, kind.name())) {
            let numbers = match (args.number, args.count) {
                (Some(number), _) => number..number.saturating_add(1),
                (None, Some(count)) => 0..count,
                (None, None) => args.from..construction.len(kind),
            };
            let count = numbers.end.saturating_sub(numbers.start);
            found =
                found.and(Cases::new(count, numbers.map(draft(words, &args, construction.clone(), kind))));
        }
    }
    Ok(found)
}

/// What makes the case of a number, or the draw of that index.
fn draft(
    words: &str,
    args: &Args,
    from: Arc<Construction>,
    kind: Kind,
) -> impl FnMut(u64) -> Pending + Send + 'static + use<> {
    let (by_chance, plainly) = (args.count.is_some(), args.standard);
    let (theory, width) = (from.options().theory.name(), from.options().width);
    let sign = if by_chance { "draw " } else { "#" };
    let name = format!("construct {words} {theory}-{width} {} {sign}", kind.name());
    move |number| {
        let (name, from) = (format!("{name}{number}"), from.clone());
        let case = name.clone();
        let make = move || {
            let draw = || from.sample(kind, number).map(|(_, case)| case);
            let made = if by_chance { draw() } else { from.case(kind, number) };
            Ok(made.map(|mut made| {
                if plainly {
                    made.say_plainly();
                }
                Judged { integers: made.integer_script(), ..Judged::new(case, "", made.script()) }
            }))
        };
        Pending { name, make: Box::new(make) }
    }
}

fn count(tally: &mut Tally, case: &Case) {
    match case.status() {
        Some(true) => tally.sat += 1,
        Some(false) => tally.unsat += 1,
        None => {}
    }
}

/// Writes a case; `Err(None)` is the end because the output was closed.
fn put(
    case: &Case,
    path: &str,
    scripts: Option<&mut Scripts>,
    integers: Option<&mut Scripts>,
) -> Result<(), Option<String>> {
    if let Some(scripts) = scripts
        && !scripts.put(path, case.script().as_bytes()).map_err(Some)?
    {
        return Err(None);
    }
    if let (Some(integers), Some(text)) = (integers, case.integer_script()) {
        integers.put(path, text.as_bytes()).map_err(Some)?;
    }
    Ok(())
}

/// The counts, as Becker's tables 12 to 15 have them in their first columns, kind by kind.
fn table(lines: &[Line]) -> String {
    let mut table = Table::new(["<Theory", "<Status", "<Kind", "Cases", "Numbers"]);
    for theory in Theory::ALL {
        for (status, of) in STATUSES {
            let is_here = |line: &&Line| line.0 == theory && of(&line.2) > 0;
            let here: Vec<&Line> = lines.iter().filter(is_here).collect();
            for (_, kind, tally) in &here {
                let (count, numbers) = (of(tally).to_string(), tally.numbers.to_string());
                table.row([theory.name(), status, kind.name(), &count, &numbers]);
            }
            if !here.is_empty() {
                let total: u64 = here.iter().map(|(_, _, tally)| of(tally)).sum();
                table.row([theory.name(), status, "all", &total.to_string(), ""]);
            }
        }
    }
    table.text()
}

/// The counts as lines of JSON.
fn json(lines: &[Line]) -> String {
    let line = |(theory, kind, tally): &Line| {
        let Tally { sat, unsat, numbers } = tally;
        let (theory, kind) = (theory.name(), kind.name());
        let line = serde_json::json!({"theory": theory, "kind": kind, "sat": sat, "unsat": unsat, "numbers": numbers});
        format!("{line}\n")
    };
    lines.iter().map(line).collect()
}

type Count = fn(&Tally) -> u64;

/// The statuses of cases, and how many have them.
const STATUSES: [(&str, Count); 2] = [("sat", |tally| tally.sat), ("unsat", |tally| tally.unsat)];
