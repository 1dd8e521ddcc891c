//! `bivalve check-model`: properties of transition systems.
//!
//! Reads a system, decides whether each of its bad states can be reached, and prints a line for each. A
//! violation is replayed by the simulator, and an invariant is checked by a fresh solver, before they are
//! reported.
//!
//! Exit codes: 0 when all properties hold; 1 when one is violated; 2 when the command line is wrong, the
//! input has an error, a file cannot be read or written, or a certificate is missing; 3 when a property is
//! not decided.

use super::flags;
use super::model_certificates;
use super::systems::{self, Trouble};
use super::witness_circuits;
use crate::args::{settings, solver_args};
use crate::limits::{Limits, Watchdog, clock, granted_memory};
use crate::messages::{Color, Diagnostics, TROUBLE_EXIT};
use crate::units::{parse_bytes, parse_duration};
use bivalve::terms::Pool;
use bivalve::{Stop, Why};
use bivalve_formats::aiger;
use bivalve_formats::btor2::{Unknown, write_witness};
use bivalve_model_check::{Engine, Options, Outcome, Progress, Proof, Verdict, Verdicts, check};
use bivalve_systems::{Claim, PartialWitness, System, Witness};
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A property is violated.
const VIOLATED_EXIT: u8 = 1;

/// A property is not decided.
const OPEN_EXIT: u8 = 3;

/// How often the line of progress changes.
const PERIOD: Duration = Duration::from_millis(100);

const EXAMPLES: &str = "\
Examples:
  bivalve check-model counter.btor2                       every property, by all engines in turn
  bivalve check-model --engine bmc -k 100 counter.btor2   violations in the first 100 frames
  bivalve check-model -w cex.wit counter.btor2            the violations as witnesses in BTOR2's format

Exit codes: 0 all properties hold; 1 one is violated; 2 trouble; 3 one is not decided.";

/// Engines by the names of the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EngineName {
    /// All but leaps and interpolation in turn, with growing budgets; a violation is a shortest one where a
    /// quarter of what was spent suffices to find it
    Auto,
    /// Bounded model checking: violations only, each a shortest one
    Bmc,
    /// Bounded model checking and k-induction: each violation a shortest one
    Induction,
    /// IC3 on the gates of the system: a violation may not be a shortest one
    Ic3,
    /// Invariants between a step and the refutation of frames behind it: each violation a shortest one
    Interpolation,
    /// Single frames far ahead: deep violations only, none of them a shortest one
    Leaps,
    /// IC3 with arithmetic and comparisons of wide words as free inputs until they matter: a violation may
    /// not be a shortest one
    Cuts,
}

/// Formats of witnesses by the names of the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum WitnessFormat {
    /// As btorsim reads them
    Btor2,
    /// As aigsim reads them
    Aiger,
}

#[derive(Args, Debug)]
struct CheckModelArgs {
    /// The system, in BTOR2, BTOR or AIGER
    file: PathBuf,
    /// The language of the system: btor2, btor or aiger [otherwise shown by its text]
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// How properties are decided
    #[arg(short, long, value_name = "ENGINE", default_value = "auto")]
    engine: EngineName,
    /// The most frames that bounded model checking and induction look at
    #[arg(short = 'k', long, value_name = "N", value_parser = flags::positive)]
    bound: Option<usize>,
    /// Decide only this property: a name, or b0 for the first bad state, j0 for the first justice property;
    /// may be given several times
    #[arg(short, long, value_name = "NAME")]
    property: Vec<String>,
    /// Let the frames of an inductive step repeat a state
    #[arg(long)]
    repeat_states: bool,
    /// Memories of at most so many bits become registers for IC3
    #[arg(long, value_name = "BITS", default_value_t = Options::default().memory_bits)]
    memory_bits: u64,
    /// Check every proof by a fresh solver, not only invariants
    #[arg(long)]
    recheck: bool,
    /// Engines beside each other in N threads; the verdict is the same for any N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// With --threads: threads do not wait for each other, and the first answer wins; witnesses and proofs
    /// depend on time
    #[arg(long)]
    racing: bool,
    /// Time for the whole run: 10 (seconds), 1.5s, 500ms, 2min; 0 is no limit
    #[arg(short, long, visible_alias = "timeout", value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    time_limit: Option<Duration>,
    /// Memory: 800 (megabytes), 512MiB, 2G; three quarters of `ulimit -v`, if that is set; 0 is no limit. An
    /// engine that would need more gives way to the others
    #[arg(short, long, visible_alias = "memory", value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    memory_limit: Option<u64>,
    /// Write the violations there, as witnesses; '-' for standard output
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    witness: Option<PathBuf>,
    /// The format of witnesses; AIGER's for systems whose states and inputs are bits
    #[arg(long, value_name = "FORMAT", default_value = "btor2", help_heading = "Output")]
    witness_format: WitnessFormat,
    /// Leave out of witnesses what does not matter
    #[arg(long, help_heading = "Output")]
    minimize_witness: bool,
    /// Write the invariants there, as SMT-LIB terms; '-' for standard output
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    invariant: Option<PathBuf>,
    /// Write certificates of the properties that hold to this folder, and check them: scripts (base, step,
    /// property) that are unsatisfiable, each with its certificate for bivalve-check
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    certificate: Option<PathBuf>,
    /// Write a witness circuit there: a system that shows other checkers (Cerbtora, Certifaiger) that no bad
    /// state is reached, in the format of witnesses; it is checked before. Words stay whole
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    witness_circuit: Option<PathBuf>,
    /// Search for nothing: check whether the witness circuit there shows that no bad state is reached
    #[arg(long, value_name = "PATH")]
    check_circuit: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    let command = clap::Command::new("bivalve check-model")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Decides whether the bad states of a transition system can be reached.")
        .after_help(EXAMPLES)
        .args_override_self(true);
    CheckModelArgs::augment_args(command).args(solver_args(false)).args(solver_args(true))
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = CheckModelArgs::from_arg_matches(matches).map_err(|error| error.to_string())?;
    let mut options = options(&args, matches)?;
    let Some(mut check) = Model::read(&args.file, args.lang.as_deref(), limits(&args))? else {
        return Ok(ExitCode::from(TROUBLE_EXIT));
    };
    if let Some(circuit) = &args.check_circuit {
        let outputs = [&args.witness, &args.invariant, &args.certificate, &args.witness_circuit];
        if outputs.into_iter().any(Option::is_some) {
            return Err("--check-circuit searches for nothing that could be written".into());
        }
        return check_circuit(&args, &mut check, circuit, &options);
    }
    options.asked = asked(&check.system, &args.property)?;
    let mut line = Line::new(args.quiet);
    let Limits { total_time, memory } = limits(&args);
    let verdicts = check.run(&options, total_time, memory, &mut |progress| line.show(progress));
    line.clear();
    let verdicts = verdicts?;
    flags::print(&report(&check.system, &verdicts, &options))?;
    write(&args, &check, &verdicts)?;
    if let Some(folder) = &args.certificate {
        let mut names = (0..verdicts.bads.len()).map(|number| format!("b{number}"));
        let names: Vec<String> =
            names.by_ref().chain((0..verdicts.justices.len()).map(|number| format!("j{number}"))).collect();
        let proofs = names.into_iter().zip(&verdicts.obligations).collect::<Vec<_>>();
        if !model_certificates::write(&check.pool, &proofs, folder, limits(&args))? {
            return Ok(ExitCode::from(TROUBLE_EXIT));
        }
    }
    if let (Some(path), Some(circuit)) = (&args.witness_circuit, &verdicts.circuit) {
        let output = (&**path, args.witness_format);
        witness_circuits::write(
            check.pool,
            &check.system,
            circuit,
            output,
            &options.settings,
            limits(&args),
        )?;
    }
    let all = || claims(&check.system).zip(verdicts.bads.iter().chain(&verdicts.justices));
    let is =
        |wanted: fn(&Verdict) -> bool| all().any(|(claim, verdict)| options.asks(claim) && wanted(verdict));
    Ok(ExitCode::from(match () {
        () if is(|verdict| matches!(verdict, Verdict::Violated(_))) => VIOLATED_EXIT,
        () if is(|verdict| matches!(verdict, Verdict::Unknown(..))) => OPEN_EXIT,
        () => 0,
    }))
}

/// Says whether a witness circuit is one.
fn check_circuit(
    args: &CheckModelArgs,
    model: &mut Model,
    circuit: &Path,
    options: &Options,
) -> Result<ExitCode, String> {
    let (language, system) = (args.lang.as_deref(), (&*args.file, &model.system));
    let (settings, pool) = (&options.settings, &mut model.pool);
    let (text, code) = match witness_circuits::check(pool, system, circuit, language, settings, limits(args))
    {
        Ok(Outcome::Holds) => ("the circuit shows that no bad state is reached\n".to_owned(), 0),
        Ok(Outcome::Fails(fault)) => (format!("the circuit shows nothing: {fault}\n"), VIOLATED_EXIT),
        Ok(Outcome::Open(why)) => (format!("unknown: {why}\n"), OPEN_EXIT),
        Err(Trouble::Other(problem)) => return Err(problem),
        Err(Trouble::Refused(diagnostic)) => {
            Diagnostics::new(Color::Auto, false).show(&diagnostic);
            return Ok(ExitCode::from(TROUBLE_EXIT));
        }
    };
    flags::print(&text)?;
    Ok(ExitCode::from(code))
}

/// A system that was read, to be checked.
pub(super) struct Model {
    name: String,
    pool: Pool,
    pub(super) system: System,
    /// When it began to be read.
    began: Duration,
}

impl Model {
    /// Reads a system, in the language that is given by its name, if one is; `None` when it has an error, or
    /// is beyond the limits, which is shown.
    ///
    /// # Errors
    /// A sentence, when the file cannot be read, or the language has no systems.
    pub(super) fn read(path: &Path, language: Option<&str>, limits: Limits) -> Result<Option<Model>, String> {
        let (mut pool, began) = (Pool::new(), clock());
        match systems::read(&mut pool, path, language, limits) {
            Ok(system) => Ok(Some(Model { name: path.display().to_string(), pool, system, began })),
            Err(Trouble::Other(problem)) => Err(problem),
            Err(Trouble::Refused(diagnostic)) => {
                Diagnostics::new(Color::Auto, false).show(&diagnostic);
                Ok(None)
            }
        }
    }

    /// Checks it within limits of time and memory; its time began when it was read.
    ///
    /// # Errors
    /// A sentence, when a condition is not supported or a self-check fails.
    pub(super) fn run(
        &mut self,
        options: &Options,
        total_time: Option<Duration>,
        memory: Option<u64>,
        listener: &mut dyn FnMut(Progress),
    ) -> Result<Verdicts, String> {
        let total_time = total_time.map(|time| time.saturating_sub(clock().saturating_sub(self.began)));
        let mut watchdog = Watchdog::new(Limits { total_time, memory });
        let stop = Stop::new();
        watchdog.catch_interrupts(false).map_err(|error| format!("Ctrl-C: {error}"))?;
        watchdog.begin(&stop, None);
        let verdicts = check(&mut self.pool, &self.system, options, &stop, listener);
        watchdog.end();
        verdicts.map_err(|error| format!("{}: {error}", self.name))
    }

    /// The text of a witness.
    ///
    /// # Errors
    /// A sentence, when it does not replay, or the format is not for such a system.
    pub(super) fn witness(
        &self,
        witness: &Witness,
        minimize: bool,
        format: WitnessFormat,
    ) -> Result<String, String> {
        let whole = PartialWitness::from(witness);
        let partial = match minimize {
            true => self.system.minimize(&self.pool, &whole).map_err(|fault| fault.to_string())?,
            false => whole,
        };
        match format {
            WitnessFormat::Btor2 => Ok(write_witness(&self.pool, &self.system, &partial, Unknown::Zero)),
            WitnessFormat::Aiger => {
                let text = aiger::write_witness(&self.pool, &self.system, &partial, Unknown::X);
                text.ok_or_else(|| {
                    let expected = "expected a system whose states and inputs are bits";
                    format!("--witness-format aiger: {expected}; {} has words or memories", self.name)
                })
            }
        }
    }
}

/// The bytes that the process may have.
fn memory(args: &CheckModelArgs) -> Option<u64> {
    args.memory_limit.or_else(granted_memory).filter(|&bytes| bytes > 0)
}

/// What a run may take.
fn limits(args: &CheckModelArgs) -> Limits {
    Limits { total_time: args.time_limit.filter(|time| !time.is_zero()), memory: memory(args) }
}

fn options(args: &CheckModelArgs, matches: &ArgMatches) -> Result<Options, String> {
    let settings = settings(matches)?;
    Ok(Options {
        engine: match args.engine {
            EngineName::Auto => Engine::Auto,
            EngineName::Bmc => Engine::Bmc,
            EngineName::Induction => Engine::Induction,
            EngineName::Ic3 => Engine::Ic3,
            EngineName::Interpolation => Engine::Interpolation,
            EngineName::Leaps => Engine::Leaps,
            EngineName::Cuts => Engine::Cuts,
        },
        most_frames: args.bound,
        // Witness circuits cannot say that states differ.
        simple_paths: !args.repeat_states && args.witness_circuit.is_none(),
        memory_bits: args.memory_bits,
        recheck: args.recheck,
        obligations: args.certificate.is_some(),
        circuit: args.witness_circuit.is_some(),
        // A third is for what is not counted, and for what grows at once.
        memory: memory(args).map(|bytes| bytes / 3 * 2),
        threads: usize::from(args.threads),
        racing: args.racing && args.threads > 1,
        settings,
        ..Options::default()
    })
}

/// All properties, bad states first.
fn claims(system: &System) -> impl Iterator<Item = Claim> {
    (0..system.bads.len()).map(Claim::Bad).chain((0..system.justices.len()).map(Claim::Justice))
}

/// The number of a property as witnesses have it, and its name.
fn label(system: &System, claim: Claim) -> (String, Option<&str>) {
    match claim {
        Claim::Bad(number) => (format!("b{number}"), system.bads[number].name.as_deref()),
        Claim::Justice(number) => (format!("j{number}"), system.justices[number].name.as_deref()),
    }
}

/// The properties of these names or numbers; none if there are no names.
fn asked(system: &System, names: &[String]) -> Result<Option<Vec<Claim>>, String> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut asked = vec![];
    for name in names {
        let named = claims(system).filter(|&claim| label(system, claim).1 == Some(name));
        let numbered = claims(system).filter(|&claim| label(system, claim).0 == *name);
        let before = asked.len();
        asked.extend(named);
        if asked.len() == before {
            asked.extend(numbered);
        }
        if asked.len() == before {
            let known: Vec<String> = claims(system)
                .map(|claim| match label(system, claim) {
                    (number, Some(name)) => format!("{number} ({name})"),
                    (number, None) => number,
                })
                .collect();
            let known = if known.is_empty() { "the system has none".into() } else { known.join(", ") };
            return Err(format!("--property: expected a property ({known}), found '{name}'"));
        }
    }
    Ok(Some(asked))
}

/// A line for each property that was asked for.
fn report(system: &System, verdicts: &Verdicts, options: &Options) -> String {
    let mut text = String::new();
    for (claim, verdict) in claims(system).zip(verdicts.bads.iter().chain(&verdicts.justices)) {
        if options.asks(claim) {
            let (number, name) = label(system, claim);
            let name = name.map_or(String::new(), |name| format!(" {name}"));
            text += &format!("{number}{name}: {}\n", sentence(verdict, options.most_frames));
        }
    }
    if text.is_empty() {
        text += "there are no properties\n";
    }
    text
}

fn sentence(verdict: &Verdict, bound: Option<usize>) -> String {
    match verdict {
        Verdict::Holds(proof) => reason(proof),
        Verdict::Violated(Witness { frames, loop_start: Some(start), .. }) => {
            format!("violated by a loop of {} frames from frame {start}", frames.len() - start)
        }
        Verdict::Violated(witness) => format!("violated in frame {}", witness.frames.len() - 1),
        Verdict::Unknown(Why::Budget, frames) if bound.is_some_and(|bound| *frames >= bound) => {
            format!("unknown: no violation in {frames} frames, which is the bound")
        }
        Verdict::Unknown(why, frames) => format!("unknown: {why}; no violation in {frames} frames"),
    }
}

fn reason(proof: &Proof) -> String {
    match proof {
        Proof::NoLongerRun { frames } => {
            format!("holds; constraints leave no run of more than {frames} frames")
        }
        Proof::Induction { k, equal, .. } if equal.is_empty() => format!("holds by {k}-induction"),
        Proof::Induction { k, equal, .. } => {
            format!("holds by {k}-induction with {} of registers", count(equal.len(), "equation"))
        }
        Proof::Invariant(clauses) => format!("holds by an invariant of {}", count(clauses.len(), "clause")),
        Proof::Abstracted { cells, proof } => {
            format!("{}, tracking {} of memory", reason(proof), count(*cells, "cell"))
        }
        Proof::NoLasso(proof) => format!("{}; there is no lasso", reason(proof)),
        Proof::Bounded { times, proof } => format!("{}; never {times} times", reason(proof)),
    }
}

/// A number with what it counts.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Writes the files that were named as outputs.
fn write(args: &CheckModelArgs, check: &Model, verdicts: &Verdicts) -> Result<(), String> {
    if let Some(path) = &args.witness {
        let mut text = String::new();
        for verdict in verdicts.bads.iter().chain(&verdicts.justices) {
            let Verdict::Violated(witness) = verdict else { continue };
            text += &check.witness(witness, args.minimize_witness, args.witness_format)?;
        }
        flags::write(path, &text)?;
    }
    if let Some(path) = &args.invariant {
        let mut text = String::new();
        for (number, verdict) in verdicts.bads.iter().enumerate() {
            let Verdict::Holds(proof) = verdict else { continue };
            let (proof, about) = match proof {
                Proof::Abstracted { cells, proof } => {
                    (&**proof, format!(", tracking {} of memory", count(*cells, "cell")))
                }
                _ => (proof, String::new()),
            };
            if let Proof::Invariant(clauses) = proof {
                text += &format!("; b{number}{about}\n");
                clauses.iter().for_each(|&clause| text += &format!("{}\n", check.pool.display(clause)));
            }
        }
        flags::write(path, &text)?;
    }
    Ok(())
}

/// The line of progress on a terminal.
struct Line {
    shown: bool,
    last: Option<Instant>,
}

impl Line {
    fn new(quiet: bool) -> Line {
        Line { shown: !quiet && std::io::stderr().is_terminal(), last: None }
    }

    fn show(&mut self, progress: Progress) {
        if !self.shown || self.last.is_some_and(|last| last.elapsed() < PERIOD) {
            return;
        }
        self.last = Some(Instant::now());
        let property = progress.property.map_or(String::new(), |number| format!(" b{number}"));
        let Progress { engine, depth, open, .. } = progress;
        let _ = write!(std::io::stderr(), "\r\u{1b}[K{engine}{property} at {depth}, {open} open");
    }

    fn clear(&mut self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
    }
}
