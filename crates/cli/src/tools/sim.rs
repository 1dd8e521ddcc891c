//! `bivalve sim`: transition systems are simulated.
//!
//! With a witness, the run is computed from what the witness lists, and it is checked that the run shows what
//! the witness claims. Without one, free values are drawn at random, and the bad states that are reached are
//! reported. The run can be printed, written as a waveform, and as a witness, minimised or not.
//!
//! Exit codes: 0 when every witness holds, and after a random simulation; 1 when a witness does not hold; 2
//! when the command line is wrong, an input has an error, or a file cannot be read or written.

use super::flags::{self, SeedArgs};
use super::limited::{self, Limited};
use super::systems::{self, Trouble};
use crate::limits::Limits;
use crate::messages::{Color, Diagnostics, TROUBLE_EXIT};
use crate::outputs;
use bivalve::terms::{ArrayValue, BitVec, Pool, Sort, Value};
use bivalve_formats::aiger;
use bivalve_formats::btor2::{Unknown, read_with_info, read_witnesses, write_frame, write_witness};
use bivalve_formats::smtlib::ParserOptions;
use bivalve_systems::{
    Claim, Design, Ending, Output, Partial, PartialFrame, PartialWitness, Property, RandomRun,
    RandomSimulation, Run, System,
};
use bivalve_waveforms::{write_fst, write_svg, write_vcd};
use clap::{ArgMatches, Args, FromArgMatches};
use std::ffi::OsString;
use std::fmt::Write;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A witness does not hold.
const FAILED_EXIT: u8 = 1;

const EXAMPLES: &str = "\
Examples:
  bivalve sim counter.btor2                             20 frames at random: which bad states are reached
  bivalve sim -n 1000 --seed 7 -o w counter.btor2       a longer run; a witness of what it reaches is written
  bivalve sim --witness w --all counter.btor2           a witness is checked, and all values are printed
  bivalve sim --witness w --minimize --vcd w.vcd counter.btor2     what does not matter is 'x' in the waveform

Exit codes: 0 witnesses hold, or a random simulation; 1 a witness does not hold; 2 trouble.";

#[derive(Args, Debug)]
struct SimArgs {
    /// The system, in BTOR2, BTOR or AIGER
    file: PathBuf,
    /// The language of the system: btor2, btor or aiger [otherwise shown by its text]
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// What Yosys's 'write_btor -i' says of the system: waveforms then have its name and its clocks
    #[arg(long, value_name = "PATH")]
    info: Option<PathBuf>,
    /// Check the witnesses in that file; '-' for standard input
    #[arg(short, long, value_name = "PATH", conflicts_with_all = ["frames", "seed", "tries"])]
    witness: Option<PathBuf>,
    /// The most frames of a random simulation
    #[arg(short = 'n', long, value_name = "N", default_value = "20", value_parser = flags::positive)]
    frames: usize,
    #[command(flatten)]
    seed: SeedArgs,
    /// How often a random frame is drawn before the run ends at a constraint
    #[arg(long, value_name = "N", default_value_t = 100)]
    tries: u32,
    /// Print inputs and all states of each frame
    #[arg(long, help_heading = "Output")]
    states: bool,
    /// Print inputs and outputs of each frame
    #[arg(long, help_heading = "Output")]
    outputs: bool,
    /// Print inputs, states, outputs and other terms that have a name
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Write the witnesses there, in BTOR2; '-' for standard output
    #[arg(short, long, visible_alias = "out", value_name = "PATH", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Leave out of witnesses what does not matter
    #[arg(long, help_heading = "Output")]
    minimize: bool,
    /// Write unknown bits of a witness as 'x', not as zeros; not every reader takes them
    #[arg(long, help_heading = "Output")]
    unknown: bool,
    /// Write the first run there, as VCD
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    vcd: Option<PathBuf>,
    /// Write the first run there, as FST
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    fst: Option<PathBuf>,
    /// Draw the first run there, as SVG
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    svg: Option<PathBuf>,
    /// Draw these signals, by their names with dots, in this order
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', requires = "svg", help_heading = "Output")]
    signals: Vec<String>,
}

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    let command = clap::Command::new("bivalve sim")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(EXAMPLES)
        .args_override_self(true);
    // The comments of flattened groups would replace a summary that is set before.
    SimArgs::augment_args(command)
        .args(limited::args())
        .about("Simulates a transition system: checks witnesses, runs at random, writes waveforms.")
}

/// Runs the tool.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = SimArgs::from_arg_matches(matches).map_err(|error| error.to_string())?;
    match simulate(&args, Limited::or_end(limited::limits(matches), TROUBLE_EXIT)) {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => Ok(ExitCode::from(FAILED_EXIT)),
        Err(Trouble::Refused(diagnostic)) => {
            Diagnostics::new(Color::Auto, false).show(&diagnostic);
            Ok(ExitCode::from(TROUBLE_EXIT))
        }
        Err(Trouble::Other(problem)) => Err(problem),
    }
}

/// Whether all witnesses hold.
fn simulate(args: &SimArgs, limited: Limited) -> Result<bool, Trouble> {
    let mut pool = Pool::new();
    let (system, design) = match &args.info {
        None => (
            systems::read(&mut pool, &args.file, args.lang.as_deref(), Limits::default())?,
            Design::default(),
        ),
        Some(info) => with_info(&mut pool, args, info)?,
    };
    let simulation = Simulation { args, pool: &pool, system: &system, design: &design, limited };
    match &args.witness {
        Some(path) => simulation.check(path),
        None => simulation.random().map(|()| true),
    }
}

/// A system in BTOR2 with the design that the text beside it tells of.
fn with_info(pool: &mut Pool, args: &SimArgs, info: &Path) -> Result<(System, Design), Trouble> {
    if let Some(language) = args.lang.as_deref().filter(|language| *language != "btor2") {
        return Err(format!("--info is about systems in btor2, not in '{language}'").into());
    }
    let texts = [systems::bytes(&args.file, None)?, systems::bytes(info, None)?];
    let names = [args.file.display().to_string(), info.display().to_string()];
    let options = ParserOptions::default();
    Ok(read_with_info(pool, [&texts[0], &texts[1]], [&names[0], &names[1]], options)?)
}

struct Simulation<'s> {
    args: &'s SimArgs,
    pool: &'s Pool,
    system: &'s System,
    design: &'s Design,
    limited: Limited,
}

impl Simulation<'_> {
    /// Checks all witnesses of a file.
    fn check(&self, path: &Path) -> Result<bool, Trouble> {
        let (name, text) = (path.display().to_string(), systems::bytes(path, None)?);
        // Those of AIGER begin with a number, those of BTOR2 with a word.
        let read = if text.trim_ascii_start().first() == Some(&b'1') {
            aiger::read_witnesses
        } else {
            read_witnesses
        };
        let witnesses = read(self.pool, self.system, &text, &name)?;
        if witnesses.is_empty() {
            return Err(format!("{name}: expected a witness, found none").into());
        }
        let (mut all_hold, mut written) = (true, String::new());
        for (number, witness) in witnesses.iter().enumerate() {
            let run = match self.system.replay_partial(self.pool, witness) {
                Ok(run) => run,
                Err(problem) => {
                    flags::print(&format!("witness {number} does not hold: {problem}\n"))?;
                    all_hold = false;
                    continue;
                }
            };
            let shown = self.shown(witness, &run);
            flags::print(&format!("witness {number} holds: {shown}\n"))?;
            flags::print(&self.trace(&run))?;
            let (witness, runs) = self.minimized(witness.clone(), run)?;
            written += &self.text(&witness);
            if number == 0 {
                self.waveforms(&runs, &shown)?;
            }
        }
        self.write(&written)?;
        Ok(all_hold)
    }

    /// What a run shows that was checked.
    fn shown(&self, witness: &PartialWitness, run: &Run) -> String {
        let last = run.frames.len() - 1;
        let claim = |claim: &Claim| match (claim, run.loop_start) {
            (Claim::Bad(number), _) => {
                format!("{} in frame {last}", named(&self.system.bads[*number], "b", *number))
            }
            (Claim::Justice(number), Some(start)) => {
                format!("j{number}{} in the loop from {start} to {last}", self.justice_name(*number))
            }
            (Claim::Justice(number), None) => format!("j{number}"),
        };
        witness.claims.iter().map(claim).collect::<Vec<_>>().join(", ")
    }

    fn justice_name(&self, number: usize) -> String {
        self.system.justices[number].name.as_ref().map_or(String::new(), |name| format!(" {name}"))
    }

    /// Draws free values, and reports the bad states that are reached.
    fn random(&self) -> Result<(), Trouble> {
        let SimArgs { frames, seed, tries, .. } = self.args;
        let simulation = RandomSimulation { seed: seed.seed, frames: *frames, tries: *tries };
        let random = simulation.run(self.pool, self.system).map_err(|fault| fault.to_string())?;
        flags::print(&self.report(&random))?;
        flags::print(&self.trace(&random.run))?;
        let mut written = String::new();
        let mut runs = vec![random.run.clone()];
        let mut title = format!("a random run, seed {}", seed.seed);
        for (number, (bad, _)) in random.bads.iter().enumerate() {
            let witness = random.witness(*bad).expect("it was reached");
            let run = self.system.replay(self.pool, &witness).map_err(|error| error.to_string())?;
            let (witness, minimal) = self.minimized(PartialWitness::from(&witness), run)?;
            written += &self.text(&witness);
            if number == 0 && self.args.minimize {
                runs = minimal;
                let last = runs[0].frames.len() - 1;
                title = format!("{} in frame {last}", named(&self.system.bads[*bad], "b", *bad));
            }
        }
        self.waveforms(&runs, &title)?;
        if random.bads.is_empty() && self.args.output.is_some() {
            return Err("no bad state was reached, and no witness is written".to_owned().into());
        }
        Ok(self.write(&written)?)
    }

    /// What a random simulation has seen.
    fn report(&self, random: &RandomRun) -> String {
        let mut text = String::new();
        for &(bad, frame) in &random.bads {
            text += &format!("{} is reached in frame {frame}\n", named(&self.system.bads[bad], "b", bad));
        }
        let frames = random.run.frames.len();
        if random.bads.is_empty() {
            text += &format!("no bad state is reached in {frames} frames\n");
        }
        if let Ending::Constraint(number) = random.ending {
            let constraint = named(&self.system.constraints[number], "constraint ", number);
            text += &format!("{constraint} fails in frame {frames}, where the run ends\n");
        }
        text
    }

    /// The minimised witness and runs that fill it differently, or what is given.
    fn minimized(&self, witness: PartialWitness, run: Run) -> Result<(PartialWitness, Vec<Run>), Trouble> {
        if !self.args.minimize {
            return Ok((witness, vec![run]));
        }
        let problem =
            |error: bivalve_systems::ReplayError| format!("internal error: a minimised witness: {error}");
        let minimal = self.system.minimize(self.pool, &witness).map_err(problem)?;
        let mut runs = vec![];
        for bit in [false, true] {
            let filled = minimal.filled_by(self.pool, self.system, &mut |sort| self.constant(sort, bit));
            runs.push(self.system.replay(self.pool, &filled).map_err(problem)?);
        }
        Ok((minimal, runs))
    }

    /// The value of which all bits are the same.
    fn constant(&self, sort: Sort, bit: bool) -> Value {
        let sorts = self.pool.sorts();
        let scalar = |sort: Sort| match sort.width() {
            Some(width) if bit => BitVec::ones(width).into(),
            Some(width) => BitVec::zero(width).into(),
            None => Value::Bool(bit),
        };
        match sorts.array_parts(sort) {
            Some((_, element)) => ArrayValue::constant(sorts, sort, scalar(element)).into(),
            None => scalar(sort),
        }
    }

    fn text(&self, witness: &PartialWitness) -> String {
        let unknown = if self.args.unknown { Unknown::X } else { Unknown::Zero };
        write_witness(self.pool, self.system, witness, unknown)
    }

    /// The values of a run that were asked for: states after `#`, inputs after `@`, outputs after `=`.
    fn trace(&self, run: &Run) -> String {
        let SimArgs { states, outputs, all, .. } = *self.args;
        let mut text = String::new();
        if !(states || outputs || all) {
            return text;
        }
        let exact = |values: &[Value]| values.iter().cloned().map(Partial::Exact).enumerate().collect();
        for (number, frame) in run.frames.iter().enumerate() {
            let states = if states || all { exact(&frame.states) } else { vec![] };
            let part = PartialFrame { states, inputs: exact(&frame.inputs) };
            text += &write_frame(self.pool, self.system, number, &part, Unknown::Zero);
            let named = if all { &frame.named[..] } else { &[] };
            let shown = if outputs || all { &frame.outputs[..] } else { &[] };
            if !(shown.is_empty() && named.is_empty()) {
                let _ = writeln!(text, "={number}");
            }
            let terms = self.system.outputs.iter().zip(shown).chain(self.system.named.iter().zip(named));
            for (Output { name, .. }, value) in terms {
                let name = name.as_ref().map_or(String::new(), |name| format!(" {name}"));
                let _ = writeln!(text, "{}{name}", bits(value));
            }
        }
        text
    }

    /// Writes the waveforms that were asked for; a picture says of which system they are, and what they show.
    fn waveforms(&self, runs: &[Run], shown: &str) -> Result<(), String> {
        self.limited.settle();
        let failed = |path: &Path, error: io::Error| outputs::unwritable(path, &error);
        if let Some(path) = &self.args.vcd {
            write_vcd(BufWriter::new(outputs::create(path)?), self.pool, self.system, self.design, runs)
                .map_err(|e| failed(path, e))?;
        }
        if let Some(path) = &self.args.svg {
            let mut picture = vec![];
            let file = self.args.file.file_name().unwrap_or_default().to_string_lossy();
            let title = format!("{file}: {shown}");
            write_svg(&mut picture, self.pool, self.system, self.design, runs, &title, &self.args.signals)
                .map_err(|error| failed(path, error))?;
            outputs::write(path, picture)?;
        }
        if let Some(path) = &self.args.fst {
            outputs::check(path)?;
            write_fst(path, self.pool, self.system, self.design, runs)
                .map_err(|error| failed(path, error))?;
        }
        Ok(())
    }

    fn write(&self, witnesses: &str) -> Result<(), String> {
        self.limited.settle();
        self.args.output.as_ref().map_or(Ok(()), |path| flags::write(path, witnesses))
    }
}

/// A scalar as in BTOR2, another value as in SMT-LIB.
fn bits(value: &Value) -> String {
    match value {
        Value::Bool(bit) => u8::from(*bit).to_string(),
        Value::BitVec(bits) => bits.to_binary_string(),
        other => other.to_string(),
    }
}

/// For example "b0 overflow".
fn named(property: &Property, kind: &str, number: usize) -> String {
    let name = property.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
    format!("{kind}{number}{name}")
}
