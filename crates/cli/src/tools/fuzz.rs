//! `bivalve fuzz`: random formulas and sessions, to files or to standard output.
//!
//! A formula is its options, a seed and a number; all three stand in the command line. Shapes are those of
//! `bivalve_fuzz::layered`, each number of them an option.
//!
//! Exit codes: 0 all was written, 2 something could not be, or the command line is wrong.

use super::cases::Cases;
use super::flags::{OutputArgs, SeedArgs};
use super::scripts::Scripts;
use crate::messages::unreadable;
use bivalve_fuzz::formula::Recipe;
use bivalve_fuzz::layered::{Division, Goal, MAX_WIDTH, Shape, Timeline, Vocabulary, session};
use bivalve_fuzz::mixture::Mixture;
use bivalve_fuzz::mutation::mutate;
use bivalve_fuzz::theory::Theory;
use bivalve_fuzz::{nasty, seed_of, seeds, session as steps};
use bivalve_harness::walk;
use bivalve_judge::{Case, Pending};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::ffi::OsString;
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  bivalve fuzz                                           one small bit-vector formula on standard output
  bivalve fuzz --number 4711                             number 4711 of the same seed, whatever was made before
  bivalve fuzz --count 1000 | bivalve                    a thousand, with (reset) between them
  bivalve fuzz --shape no-division --count 23100 -o t # the formulas of table 4.1 of Brummayer's thesis
  bivalve fuzz --shape everything --goal planted         satisfiable, with a model in the head of the script
  bivalve fuzz --shape arrays --writes 10..30 --widths 32
                                                         long chains of writes over arrays of words
  bivalve fuzz --style session --steps 50 --shape arrays levels, assumptions, names; the status before each check
  bivalve fuzz --style root --theory all --size 40       from the root down: facts of theories, shapes of rules
  bivalve fuzz --style mixed --count 1000 -o cases       all generators in turn
  bivalve fuzz --style broken --scripts cases -n 1000 -o broken
                                                         broken copies of scripts

Numbers may be ranges, as in 2..8, ends included; each formula draws its own.

Exit codes: 0 all was written, 2 not, or the command line is wrong.";

/// Make random formulas and sessions, in layers or from the root down.
#[derive(Parser)]
#[command(
    name = "bivalve fuzz",
    after_help = EXAMPLES,
    mut_arg("output", |arg| {
        arg.value_name("FOLDER").help("Write files to this folder, named by number [default: standard output]")
    }),
    mut_arg("json", |arg| arg.help("Print lines of JSON, each a number and its script")),
)]
struct Args {
    /// How formulas are made
    #[arg(long, value_enum, default_value_t = Style::Layers)]
    style: Style,
    /// Formulas to make
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// The number of the first one
    #[arg(long, alias = "from", value_name = "N", default_value_t = 0)]
    number: u64,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten, next_help_heading = "Layers")]
    layers: LayerArgs,
    /// Scripts to break, and folders of them [default: scripts of the generators]
    #[arg(long, value_name = "PATH")]
    scripts: Vec<PathBuf>,
    #[command(flatten, next_help_heading = "Sessions")]
    sessions: SessionArgs,
    #[command(flatten, next_help_heading = "From the root")]
    root: RootArgs,
}

/// How formulas are made.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Style {
    /// From the leaves up, in layers
    Layers,
    /// Layers over time: push, pop, names, assumptions
    Session,
    /// From the root down, many of known status
    Root,
    /// Sessions over formulas from the root: resets, too many levels popped, global declarations
    Commands,
    /// All of these in turn, and constructed formulas
    Mixed,
    /// Scripts that are broken by bytes, tokens or trees, of --scripts or of the generators
    Broken,
    /// Scripts with a name that break readers: numbers, widths, depths beyond every bound
    Nasty,
}

/// What formulas look like; the options below change it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// Small bit-vector formulas, all operators
    Bits,
    /// Table 4.1, first column: standard operators, widths up to 16
    NoDivision,
    /// Table 4.1, second column: with guarded division, widths up to 10
    GuardedDivision,
    /// Table 4.2: reads and writes; no equality of arrays, shift, division
    ThesisArrays,
    /// Arrays with everything
    Arrays,
    /// Arrays and functions with everything
    Everything,
}

#[derive(clap::Args)]
struct LayerArgs {
    /// What formulas look like; the options below change it
    #[arg(long, value_enum, default_value_t = Preset::Bits)]
    shape: Preset,
    /// What shall be known
    #[arg(long, value_enum, default_value_t = Known::Free)]
    goal: Known,
    /// What is done about divisions by zero
    #[arg(long, value_enum)]
    division: Option<Divisions>,
    /// Are there shifts and rotations by terms?
    #[arg(long, value_name = "on|off", value_parser = switch)]
    shifts: Option<bool>,
    /// Only operators of SMT-LIB 2.0, which every solver has?
    #[arg(long, value_name = "on|off", value_parser = switch)]
    standard: Option<bool>,
    /// Are arrays compared and chosen by conditions?
    #[arg(long, value_name = "on|off", value_parser = switch)]
    extensional: Option<bool>,
    /// Are some arrays constant ones?
    #[arg(long, value_name = "on|off", value_parser = switch)]
    constant_arrays: Option<bool>,
    /// Bit-vector symbols
    #[arg(long, value_name = "N..M", value_parser = range)]
    variables: Option<RangeInclusive<u32>>,
    /// Bit-vector constants
    #[arg(long, value_name = "N..M", value_parser = range)]
    constants: Option<RangeInclusive<u32>>,
    /// Widths of bit-vectors
    #[arg(long, value_name = "N..M", value_parser = range)]
    widths: Option<RangeInclusive<u32>>,
    /// Operators of the main layer
    #[arg(long, value_name = "N..M", value_parser = range)]
    operations: Option<RangeInclusive<u32>>,
    /// Comparisons of the predicate layer
    #[arg(long, value_name = "N..M", value_parser = range)]
    predicates: Option<RangeInclusive<u32>>,
    /// Assertions
    #[arg(long, value_name = "N..M", value_parser = range)]
    assertions: Option<RangeInclusive<u32>>,
    /// Further assertions, equations with a symbol on one side
    #[arg(long, value_name = "N..M", value_parser = range)]
    equations: Option<RangeInclusive<u32>>,
    /// Of a hundred pairs of operands, so many are related
    #[arg(long, alias = "kinship", value_name = "PERCENT")]
    related: Option<u32>,
    /// Array symbols
    #[arg(long, value_name = "N..M", value_parser = range)]
    arrays: Option<RangeInclusive<u32>>,
    /// Widths of indices
    #[arg(long, value_name = "N..M", value_parser = range)]
    index_widths: Option<RangeInclusive<u32>>,
    /// Reads
    #[arg(long, value_name = "N..M", value_parser = range)]
    reads: Option<RangeInclusive<u32>>,
    /// Writes
    #[arg(long, value_name = "N..M", value_parser = range)]
    writes: Option<RangeInclusive<u32>>,
    /// Function symbols
    #[arg(long, value_name = "N..M", value_parser = range)]
    functions: Option<RangeInclusive<u32>>,
    /// Applications of functions
    #[arg(long, value_name = "N..M", value_parser = range)]
    applications: Option<RangeInclusive<u32>>,
}

#[derive(clap::Args)]
struct SessionArgs {
    /// Commands of a session
    #[arg(long, value_name = "N", default_value_t = 30)]
    steps: usize,
    /// Levels open at a time
    #[arg(long, value_name = "N", default_value_t = 6)]
    levels: usize,
    /// Of a hundred assertions, so many have a name
    #[arg(long, value_name = "N", default_value_t = 50)]
    named: u32,
    /// Of a hundred checks, so many are under assumptions
    #[arg(long, value_name = "N", default_value_t = 40)]
    assuming: u32,
    /// Of a hundred assertions, so many may make the status unknown
    #[arg(long, value_name = "N", default_value_t = 0)]
    doubt: u32,
}

#[derive(clap::Args)]
struct RootArgs {
    /// What formulas are about
    #[arg(long, value_enum, default_value_t = About::Bits)]
    theory: About,
    /// Operators in a formula, at most about
    #[arg(long, value_name = "N", default_value_t = 30)]
    size: usize,
    /// No symbol or constant is wider
    #[arg(long, value_name = "BITS", default_value_t = 70, value_parser = clap::value_parser!(u32).range(1..=65536))]
    max_width: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Known {
    /// Nothing
    Free,
    /// Satisfiable, with a model
    Planted,
    /// Unsatisfiable, with a core
    Refuted,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Divisions {
    Absent,
    Guarded,
    Free,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum About {
    /// Booleans and bit-vectors
    Bits,
    /// Arrays, nested ones included
    Arrays,
    /// Functions and declared sorts
    Functions,
    /// All of it
    All,
    /// Floating point and bits
    Floats,
    /// Quantified formulas over few values
    Quantifiers,
}

/// `on` or `off`.
fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err("expected on or off".to_owned()),
    }
}

/// `3` or `3..8`.
fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    /// No formula needs more of anything, and none shall exhaust the machine by a slip.
    const MOST: u32 = 1_000_000;
    let number = |text: &str| text.trim_matches('=').parse::<u32>().ok().filter(|&number| number <= MOST);
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let ends = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    let (first, last) = ends.ok_or_else(|| format!("expected a number or two like 2..8, at most {MOST}"))?;
    Ok(first..=last)
}

impl LayerArgs {
    /// The shape that was asked for.
    fn shape(&self) -> Result<Shape, String> {
        let mut shape = match self.shape {
            Preset::Bits => Shape::default(),
            Preset::NoDivision => Shape::no_division(),
            Preset::GuardedDivision => Shape::guarded_division(),
            Preset::ThesisArrays => Shape::arrays_of_thesis(),
            Preset::Arrays => Shape::arrays(),
            Preset::Everything => Shape::everything(),
        };
        shape.goal = match self.goal {
            Known::Free => Goal::Free,
            Known::Planted => Goal::Planted,
            Known::Refuted => Goal::Refuted,
        };
        if let Some(division) = self.division {
            shape.division = match division {
                Divisions::Absent => Division::Absent,
                Divisions::Guarded => Division::Guarded,
                Divisions::Free => Division::Free,
            };
        }
        if let Some(standard) = self.standard {
            shape.vocabulary = if standard { Vocabulary::Standard } else { Vocabulary::All };
        }
        shape.shifts = self.shifts.unwrap_or(shape.shifts);
        shape.extensional = self.extensional.unwrap_or(shape.extensional);
        shape.constant_arrays = self.constant_arrays.unwrap_or(shape.constant_arrays);
        let set = |place: &mut RangeInclusive<u32>, given: &Option<RangeInclusive<u32>>| {
            if let Some(range) = given {
                *place = range.clone();
            }
        };
        set(&mut shape.variables, &self.variables);
        set(&mut shape.constants, &self.constants);
        set(&mut shape.widths, &self.widths);
        set(&mut shape.operations, &self.operations);
        set(&mut shape.predicates, &self.predicates);
        set(&mut shape.assertions, &self.assertions);
        set(&mut shape.equations, &self.equations);
        shape.related = self.related.unwrap_or(shape.related);
        set(&mut shape.arrays, &self.arrays);
        set(&mut shape.index_widths, &self.index_widths);
        set(&mut shape.reads, &self.reads);
        set(&mut shape.writes, &self.writes);
        set(&mut shape.functions, &self.functions);
        set(&mut shape.applications, &self.applications);
        let widest = *shape.widths.end().max(shape.index_widths.end());
        match widest <= MAX_WIDTH {
            true => Ok(shape),
            false => Err(format!("widths go up to {MAX_WIDTH}, not {widest}")),
        }
    }
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    Args::command()
}

/// What is made, by number.
struct Plan {
    style: Style,
    mixture: Mixture,
    /// What is broken.
    scripts: Vec<Vec<u8>>,
    shape: Shape,
    timeline: Timeline,
    recipe: Recipe,
    seed: u64,
    numbers: Range<u64>,
}

impl Args {
    fn plan(&self) -> Result<Plan, String> {
        let SessionArgs { steps, levels, named, assuming, doubt } = self.sessions;
        let theory = match self.root.theory {
            About::Bits => Theory::Bits,
            About::Arrays => Theory::Arrays,
            About::Functions => Theory::Functions,
            About::All => Theory::All,
            About::Floats => Theory::Floats,
            About::Quantifiers => Theory::Quantifiers,
        };
        let RootArgs { max_width, size, .. } = self.root;
        let scripts = match self.style {
            Style::Broken if self.scripts.is_empty() => seeds::of_own_making(200),
            Style::Broken => {
                let read =
                    |path: PathBuf| std::fs::read(&path).map_err(|error| unreadable(path.display(), &error));
                walk::files(&self.scripts, &["smt2"])?.into_iter().map(read).collect::<Result<_, _>>()?
            }
            _ => vec![],
        };
        if self.style == Style::Broken && scripts.is_empty() {
            return Err("there are no scripts to break".to_owned());
        }
        Ok(Plan {
            style: self.style,
            mixture: Mixture::new(self.seed.seed),
            scripts,
            shape: self.layers.shape()?,
            timeline: Timeline { steps, depth: levels, named, assuming, doubt },
            recipe: Recipe { seed: self.seed.seed, max_width, size, theory },
            seed: self.seed.seed,
            numbers: self.number..self.number.saturating_add(self.count),
        })
    }
}

impl Plan {
    /// The group and the script of this number, if there is one.
    fn case(&self, number: u64) -> Option<(&'static str, Vec<u8>)> {
        let (group, text) = match self.style {
            Style::Layers => ("layered", self.text(number)),
            Style::Session => ("session", self.text(number)),
            Style::Root => ("root", self.text(number)),
            Style::Commands => ("commands", self.text(number)),
            Style::Mixed => self.mixture.case(number)?,
            Style::Broken => {
                let mut rng = fastrand::Rng::with_seed(seed_of(self.seed, number));
                return Some(("broken", mutate(&mut rng, &self.scripts)));
            }
            Style::Nasty => return nasty::inputs().into_iter().nth(usize::try_from(number).ok()?),
        };
        Some((group, text.into_bytes()))
    }

    fn text(&self, number: u64) -> String {
        match self.style {
            Style::Layers => self.shape.case(self.seed, number).script(),
            Style::Commands => {
                let session = steps::Session::random(&self.recipe, number, self.timeline.steps);
                let is_check = |step: &&steps::Step| matches!(step, steps::Step::Check(..));
                session.script(&vec![None; session.steps.iter().filter(is_check).count()])
            }
            Style::Session => {
                let (made, answers) = session(&self.shape, &self.timeline, self.seed, number);
                made.script(&answers)
            }
            Style::Root | Style::Mixed | Style::Broken | Style::Nasty => {
                let formula = self.recipe.formula(number);
                let status = match formula.expected {
                    Some(true) => "(set-info :status sat)\n",
                    Some(false) => "(set-info :status unsat)\n",
                    None => "",
                };
                format!("{status}{}", formula.script())
            }
        }
    }
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = Args::from_arg_matches(matches).map_err(|refusal| refusal.to_string())?;
    let plan = args.plan()?;
    let mut scripts = Scripts::to(&args.output);
    for number in plan.numbers.clone() {
        if let Some((_, text)) = plan.case(number)
            && !scripts.put(&format!("{number:08}.smt2"), &text)?
        {
            return Ok(ExitCode::SUCCESS);
        }
    }
    scripts.finish().map(|()| ExitCode::SUCCESS)
}

/// The cases that these words of a command line make, for a campaign.
///
/// # Errors
/// What is wrong with the words.
pub(super) fn cases(words: &str) -> Result<Cases, String> {
    let args =
        Args::try_parse_from(super::words_of("fuzz", words)?).map_err(|refusal| refusal.to_string())?;
    let plan = Arc::new(args.plan()?);
    let (numbers, words) = (plan.numbers.clone(), words.to_owned());
    let pending = move |number: u64| {
        let (plan, name) = (plan.clone(), format!("fuzz {words} #{number}"));
        let case = name.clone();
        let make = move || {
            let made = plan.case(number);
            let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            Ok(made.map(|(group, script)| Case {
                group: group.to_owned(),
                ..Case::new(case, group, text(&script))
            }))
        };
        Pending { name, make: Box::new(make) }
    };
    Ok(Cases::new(numbers.end.saturating_sub(numbers.start), numbers.map(pending)))
}
