//! The tools: programs beside the solver, for everyone who builds one.
//!
//! When the first word of a command line is exactly the name of a tool, the rest belongs to the tool (a file
//! of that name is reached as `./campaign`). That is one comparison of strings, made before anything else, so
//! the plain solver starts as fast as without tools. A new tool is a file in `tools` and a row here; `bivalve
//! --help` lists the rows.

mod alteration;
mod btormc;
mod campaign;
mod cases;
mod certificates;
mod check_model;
mod construct;
mod convert;
mod cubes;
mod experiment;
mod flags;
mod fuzz;
mod identities;
mod limited;
mod lsp;
mod model_certificates;
mod pages;
mod presets;
mod progress;
mod reduce;
mod reduction;
mod scripts;
mod sim;
mod simplify;
mod solvers;
mod systems;
mod tasks;
mod witness_circuits;

use crate::args;
use crate::limits::INTERRUPTED_EXIT;
use crate::messages::{refused, trouble};
use crate::outputs;
use bivalve_harness::Cancel;
use clap::ArgMatches;
pub(crate) use convert::note_what_is_left_out;
pub(crate) use limited::Limited;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::ffi::OsString;
use std::iter;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One tool.
pub(crate) struct Tool {
    /// The first word of its command line.
    pub(crate) name: &'static str,
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// Its command line.
    command: fn() -> clap::Command,
    /// Runs it on what was read of the words; the first word is the name of the tool. An error is a sentence,
    /// and ends the tool with exit code 2.
    run: fn(&ArgMatches, &[OsString]) -> Result<ExitCode, String>,
}

/// All tools.
pub(crate) static TOOLS: &[Tool] = &[
    Tool {
        name: "check-model",
        about: "decide whether the bad states of a transition system can be reached",
        command: check_model::command,
        run: check_model::run,
    },
    Tool {
        name: "sim",
        about: "simulate a transition system: check witnesses, run at random, write waveforms",
        command: sim::command,
        run: sim::run,
    },
    Tool {
        name: "fuzz",
        about: "make random formulas and sessions, in layers or from the root down",
        command: fuzz::command,
        run: fuzz::run,
    },
    Tool {
        name: "construct",
        about: "make formulas whose status, model or core is known by construction",
        command: construct::command,
        run: construct::run,
    },
    Tool {
        name: "identities",
        about: "make what tools for smart contracts ask: identities of wide words, and near-identities",
        command: identities::command,
        run: identities::run,
    },
    Tool {
        name: "campaign",
        about: "run cases against any solvers, judge every answer, and count the wrong ones",
        command: campaign::command,
        run: campaign::run,
    },
    Tool {
        name: "certificates",
        about: "alter certificates at random, and see that the checker accepts nothing wrong",
        command: certificates::command,
        run: certificates::run,
    },
    Tool {
        name: "simplify",
        about: "print what simplification leaves of a script, with the way back from its models",
        command: simplify::command,
        run: simplify::run,
    },
    Tool {
        name: "cubes",
        about: "split a hard formula into cubes, for many workers, with one answer and one certificate",
        command: cubes::command,
        run: cubes::run,
    },
    Tool {
        name: "convert",
        about: "convert formulas and transition systems between SMT-LIB, BTOR2, BTOR, CVC, AIGER and DOT",
        command: convert::command,
        run: convert::run,
    },
    Tool {
        name: "experiment",
        about: "run combinations of options, and other solvers, on many files; tables and plots",
        command: experiment::command,
        run: experiment::run,
    },
    Tool {
        name: "reduce",
        about: "make a script small on which a solver fails",
        command: reduce::command,
        run: reduce::run,
    },
    Tool {
        name: "lsp",
        about: "serve an editor: faults, sorts, values, places of names, completion, layout",
        command: lsp::command,
        run: lsp::run,
    },
    Tool {
        name: "btormc",
        about: "bounded model checking with the flags and lines of Boolector's btormc",
        command: btormc::command,
        run: btormc::run,
    },
    Tool {
        name: "btorsim",
        about: "check witnesses with the flags of btorsim",
        command: btormc::btorsim_command,
        run: btormc::run_btorsim,
    },
    Tool {
        name: "completions",
        about: "print the completions of a shell",
        command: pages::completions,
        run: pages::print_completions,
    },
    Tool { name: "man", about: "write the manual pages", command: pages::man, run: pages::write_man },
];

/// Runs the tool that these words ask for, if they ask for one.
pub(crate) fn run(words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let words: Vec<OsString> = words.collect();
    let mut words = btormc::translated(&words).unwrap_or(words).into_iter();
    let first = words.nth(1)?;
    let tool = TOOLS.iter().find(|tool| first == tool.name)?;
    let words: Vec<OsString> = iter::once(format!("bivalve {}", tool.name).into()).chain(words).collect();
    let matches = match (tool.command)().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(refusal) => return Some(refused(&refusal)),
    };
    #[cfg(unix)]
    crate::exhausted::tell(None, Arc::new(AtomicBool::new(true)));
    let ran = outputs::note(tool.name, &matches).and_then(|()| (tool.run)(&matches, &words));
    Some(ran.unwrap_or_else(|problem| trouble(&problem)))
}

/// The words behind an option that take the place of a tool's command line, as the tool gets them.
fn words_of(tool: &str, text: &str) -> Result<Vec<String>, String> {
    let words = bivalve_harness::words(text)?;
    Ok(iter::once(tool.to_owned()).chain(words).collect())
}

/// The command line of the solver with the tools beside it, for help, completions and manual pages.
pub(crate) fn tree() -> clap::Command {
    let tools = TOOLS.iter().map(|tool| {
        let command = (tool.command)();
        command.name(tool.name).display_name(format!("bivalve-{}", tool.name)).about(tool.about)
    });
    args::command().args_conflicts_with_subcommands(true).subcommands(tools)
}

/// The tool with a name like this word, if there is one.
pub(crate) fn similar(word: &str) -> Option<&'static str> {
    let names = TOOLS.iter().map(|tool| (strsim::jaro_winkler(word, tool.name), tool.name));
    names
        .filter(|&(similarity, _)| similarity > 0.85)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Ctrl-C, a hang-up or a polite kill ends what a tool does and the programs it runs; Ctrl-C the second time
/// ends it at once.
fn interruptible() -> Cancel {
    let cancel = Cancel::new();
    let code = i32::from(INTERRUPTED_EXIT);
    let second = Arc::new(AtomicBool::new(false));
    // Without them Ctrl-C ends the process as ever, and programs that run end at their limits.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGINT, code, second.clone());
    let _ = signal_hook::flag::register(SIGINT, second);
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGHUP, cancel.flag().clone());
    for signal in [SIGINT, SIGTERM] {
        let _ = signal_hook::flag::register(signal, cancel.flag().clone());
    }
    cancel
}
