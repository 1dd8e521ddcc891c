//! `bivalve btormc` and `bivalve btorsim`: the command lines of Boolector's model checker and simulator.
//!
//! SymbiYosys and scripts around it start `btormc` and look for words in its output, and check the
//! witnesses with `btorsim`. A link of that name to the binary, or `--compat btormc`, has the same effect
//! as the word. Flags are Boolector's; what they mean is done by `check-model` and `sim`. Bounded model
//! checking alone is used, as there, unless `--kind` asks for induction: then `unsat` and the name of the
//! property say that it holds.
//!
//! Exit codes: 0 whatever was found; 2 when the command line is wrong, the input has an error, or a limit
//! ends the search.

use super::check_model::{Model, WitnessFormat};
use super::{flags, limited, sim};
use crate::messages::{TROUBLE_EXIT, trouble};
use bivalve::Why;
use bivalve_model_check::{Engine, Options, Progress, Verdict};
use clap::{Arg, ArgMatches, Args, FromArgMatches};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Flags that btormc and btorsim write with one dash though they have several letters.
const LONG: &[&str] = &["-kmax", "-kmin"];

#[derive(Args, Debug)]
struct BtormcArgs {
    /// The system
    file: PathBuf,
    /// The last bound that is searched
    #[arg(long, visible_alias = "bound-max", value_name = "K", default_value_t = 20)]
    kmax: usize,
    /// The first bound that is searched
    #[arg(long, visible_alias = "bound-min", value_name = "K", default_value_t = 0)]
    kmin: usize,
    /// Use induction, too: properties that hold are found
    #[arg(long, value_name = "0|1", default_value_t = 0, num_args = 0..=1, default_missing_value = "1", require_equals = true)]
    kind: u8,
    /// In an induction, let no state be repeated; it is so in any case
    #[arg(long, num_args = 0..=1, value_name = "0|1", require_equals = true)]
    simple_path: Option<u8>,
    /// Print witnesses: 0 or 1
    #[arg(long, value_name = "0|1", default_value_t = 1, num_args = 0..=1, default_missing_value = "1")]
    trace_gen: u8,
    /// The language of the system: btor2, btor or aiger [otherwise shown by its text]
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// Stop at the first violation: 0 or 1
    #[arg(long, value_name = "0|1", default_value_t = 1, num_args = 0..=1, default_missing_value = "1")]
    stop_first: u8,
    /// Say what is done
    #[arg(short, long, value_name = "LEVEL", default_value_t = 0, num_args = 0..=1, default_missing_value = "1")]
    verbosity: u32,
    /// List all values of a witness; they always are
    #[arg(long, num_args = 0..=1, value_name = "0|1")]
    trace_gen_full: Option<u8>,
}

/// Limits, which those programs do not have; letters are theirs.
fn limits() -> [Arg; 2] {
    limited::args().map(|arg| arg.short(None))
}

/// The command line of btormc.
pub(super) fn command() -> clap::Command {
    let command = clap::Command::new("bivalve btormc").version(env!("CARGO_PKG_VERSION"));
    BtormcArgs::augment_args(command.args_override_self(true))
        .args(limits())
        .about("Bounded model checking with the flags and lines of Boolector's btormc.")
}

/// Runs btormc.
pub(super) fn run(matches: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let args = BtormcArgs::from_arg_matches(matches).map_err(|error| error.to_string())?;
    let limits = limited::limits(matches);
    let options = Options {
        engine: if args.kind == 1 { Engine::Induction } else { Engine::Bmc },
        first_frame: args.kmin,
        most_frames: Some(args.kmax.saturating_add(1)),
        stop_at_first: args.stop_first == 1,
        memory: limits.memory.map(|bytes| bytes / 3 * 2),
        ..Options::default()
    };
    let said = |text: String| match args.verbosity {
        0 => Ok(()),
        _ => flags::print(&format!("[btormc] {text}\n")),
    };
    let Some(mut model) = Model::read(&args.file, args.lang.as_deref(), limits)? else {
        return Ok(ExitCode::from(TROUBLE_EXIT));
    };
    let count = model.system.bads.len();
    let method = if args.kind == 1 { "k-induction" } else { "BMC" };
    said(format!(
        "calling {method} on {count} properties from bound k = {} up to bound k = {}",
        args.kmin, args.kmax
    ))?;
    let (mut lost, mut last) = (Ok(()), None);
    let verdicts =
        model.run(&options, limits.total_time, limits.memory, &mut |Progress { depth, open, .. }| {
            // A bound that takes several rounds is told once.
            if lost.is_ok() && last.replace(depth) != Some(depth) {
                lost = said(format!("checking {open} bad state properties at bound k = {depth}"));
            }
        })?;
    lost?;
    for (number, verdict) in verdicts.bads.iter().enumerate() {
        match verdict {
            Verdict::Violated(witness) => {
                let bound = witness.frames.len() - 1;
                said(format!("bad state properties at bound k = {bound} SATISFIABLE"))?;
                if args.trace_gen == 1 {
                    flags::print(&model.witness(witness, false, WitnessFormat::Btor2)?)?;
                }
            }
            Verdict::Holds(_) if args.kind == 1 => {
                said(format!("bad state property {number} unreachable UNSATISFIABLE"))?;
                flags::print(&format!("unsat\nb{number}\n"))?;
            }
            Verdict::Holds(_) | Verdict::Unknown(..) => {}
        }
    }
    said("deleting model checker:".into())?;
    let ended = verdicts.bads.iter().find_map(|verdict| match *verdict {
        Verdict::Unknown(why @ (Why::TimeLimit | Why::MemoryLimit), frames) => Some((why, frames)),
        _ => None,
    });
    // Silence would say that all bounds were searched.
    let Some((why, frames)) = ended else { return Ok(ExitCode::SUCCESS) };
    Ok(trouble(&format!("{}: {why}; {frames} frames were searched", args.file.display())))
}

#[derive(Args, Debug)]
struct BtorsimArgs {
    /// The system
    file: PathBuf,
    /// The witness; standard input when there is none
    witness: Option<PathBuf>,
    /// Check the witness; it always is
    #[arg(short)]
    check: bool,
    /// Write the run there, as VCD
    #[arg(long, value_name = "PATH")]
    vcd: Option<PathBuf>,
    /// Names with dots are a hierarchy; they always are
    #[arg(long)]
    hierarchical_symbols: bool,
    /// What Yosys says of the design: its name and its clocks, for the waveform
    #[arg(long, value_name = "PATH")]
    info: Option<PathBuf>,
}

/// The command line of btorsim.
pub(super) fn btorsim_command() -> clap::Command {
    let command = clap::Command::new("bivalve btorsim").version(env!("CARGO_PKG_VERSION"));
    BtorsimArgs::augment_args(command.args_override_self(true))
        .args(limits())
        .about("Checks witnesses, with the flags of btor2tools' btorsim.")
}

/// Runs btorsim.
pub(super) fn run_btorsim(matches: &ArgMatches, words: &[OsString]) -> Result<ExitCode, String> {
    let args = BtorsimArgs::from_arg_matches(matches).map_err(|error| error.to_string())?;
    let mut ours: Vec<OsString> = vec!["bivalve btorsim".into(), args.file.into(), "--witness".into()];
    ours.push(args.witness.unwrap_or_else(|| "-".into()).into());
    ours.extend(args.vcd.into_iter().flat_map(|path| ["--vcd".into(), path.into()]));
    ours.extend(args.info.into_iter().flat_map(|path| ["--info".into(), path.into()]));
    let own = ["time-limit", "memory-limit"].into_iter();
    ours.extend(own.flat_map(|name| {
        let value = matches.get_raw(name).and_then(|mut values| values.next_back());
        value.into_iter().flat_map(move |value| [format!("--{name}").into(), value.to_owned()])
    }));
    let matches = sim::command().try_get_matches_from(ours).map_err(|error| error.to_string())?;
    sim::run(&matches, words)
}

/// The words of a tool that is started in the place of another program: by that program's name, or by
/// `--compat` and the name. Flags of several letters get their second dash.
pub(super) fn translated(words: &[OsString]) -> Option<Vec<OsString>> {
    let called = words.first().and_then(|program| std::path::Path::new(program).file_stem()?.to_str());
    let rest = match (called, words.get(1).and_then(|word| word.to_str())) {
        (Some("btormc"), _) => ("btormc", &words[1..]),
        (Some("btorsim"), _) => ("btorsim", &words[1..]),
        (_, Some("--compat=btormc")) => ("btormc", &words[2..]),
        (_, Some("--compat")) if words.get(2).is_some_and(|name| name == "btormc") => ("btormc", &words[3..]),
        (_, Some(name @ ("btormc" | "btorsim"))) => {
            (if name == "btormc" { "btormc" } else { "btorsim" }, &words[2..])
        }
        _ => return None,
    };
    let (tool, rest) = rest;
    let long = |word: &OsString| match word.to_str() {
        Some(text) if LONG.iter().any(|flag| text.split('=').next() == Some(flag)) => {
            format!("-{text}").into()
        }
        _ => word.clone(),
    };
    Some([OsString::new(), tool.into()].into_iter().chain(rest.iter().map(long)).collect())
}
