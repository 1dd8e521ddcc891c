//! `bivalve`: the command line.
//!
//! Reads what was typed ([`args`]), runs each file in a [`session`] of its own, and turns the outcome into an
//! exit code: 0 when every command was understood, whatever the verdicts; 1 when some command was answered by
//! an error; 2 when an answer failed its self-check or the command line is wrong; 130 after Ctrl-C. With
//! `--exit-codes`, and where Boolector is asked for, 10 and 20 tell the last verdict instead of 0.
//!
//! Answers go to standard output and are flushed one by one; everything for people (diagnostics with the
//! source line, progress, statistics) goes to standard error. When the first word names one of the [`tools`],
//! that runs instead. This crate alone prints, reads the clock, the environment and files.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the command line speaks to people; no other crate does"
)]

mod args;
mod backends;
mod compat;
mod dump;
mod limits;
mod options;
mod progress;
mod report;
mod session;
mod tools;

use crate::args::{Invocation, StatisticsFormat};
use crate::limits::{INTERRUPTED_EXIT, Watchdog};
use crate::options::ScriptOptions;
use crate::session::{Outcome, Session};
use bivalve::CheckResult;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// CaDiCaL makes and drops small objects by the million when it simplifies clauses. This allocator takes the
/// C++ side over as well: 49 files of a quarter of a second to eight took 81 s instead of 92 s, for 0.2 ms
/// more at the start.
#[cfg(feature = "cadical")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Clients read exit code 1 as "some command failed", 2 as "do not trust this run".
const ERROR_EXIT: u8 = 1;
const FAULT_EXIT: u8 = 2;

fn main() -> ExitCode {
    if let Some(code) = tools::run(std::env::args_os()) {
        return code;
    }
    let invocation = match args::parse(std::env::args_os()) {
        Ok(invocation) => invocation,
        Err(refusal) => refusal.exit(),
    };
    if invocation.list_backends {
        return backends::print();
    }
    if let Some(refusal) = ScriptOptions::refused_preset(&invocation) {
        eprintln!("error: {refusal}");
        return ExitCode::from(FAULT_EXIT);
    }
    let mut watchdog = Watchdog::new(invocation.limits);
    if let Err(error) = watchdog.catch_interrupts() {
        eprintln!("bivalve: Ctrl-C will not be answered: {error}");
    }
    let mut worst = Outcome::Understood;
    let mut last = None;
    for file in inputs(&invocation) {
        worst = worst.max(run(file, &invocation, &mut watchdog, &mut last));
        if worst == Outcome::Hangup || watchdog.interrupted() {
            break;
        }
    }
    if watchdog.interrupted() {
        return ExitCode::from(INTERRUPTED_EXIT);
    }
    match worst {
        Outcome::Understood if invocation.exit_codes => ExitCode::from(verdict_exit(last)),
        Outcome::Understood | Outcome::Hangup => ExitCode::SUCCESS,
        Outcome::Refused => ExitCode::from(ERROR_EXIT),
        Outcome::Fault => ExitCode::from(FAULT_EXIT),
    }
}

/// The exit code that tells the last answer.
fn verdict_exit(last: Option<CheckResult>) -> u8 {
    match last {
        Some(CheckResult::Sat) => 10,
        Some(CheckResult::Unsat) => 20,
        Some(CheckResult::Unknown(_)) | None => 0,
    }
}

/// The inputs in order: `None` is standard input.
fn inputs(invocation: &Invocation) -> Vec<Option<&Path>> {
    if invocation.files.is_empty() {
        return vec![None];
    }
    invocation.files.iter().map(|file| Some(file.as_path()).filter(|file| *file != Path::new("-"))).collect()
}

/// Runs one input in a session of its own, and says what its last check was answered by.
fn run(
    file: Option<&Path>,
    invocation: &Invocation,
    watchdog: &mut Watchdog,
    last: &mut Option<CheckResult>,
) -> Outcome {
    let name = file.map_or(session::STDIN.to_owned(), |file| file.display().to_string());
    let input: Box<dyn Read> = match file.map(File::open) {
        None => Box::new(io::stdin()),
        Some(Ok(open)) => Box::new(open),
        Some(Err(error)) => {
            println!("(error \"{}: cannot be read: {error}\")", name.replace('"', "\"\""));
            return Outcome::Refused;
        }
    };
    watchdog.restart(invocation.limits);
    let mut session = Session::new(&name, invocation, watchdog, io::stdout().lock());
    let outcome = session.run(input);
    *last = session.verdict().or(*last);
    match invocation.statistics {
        None => {}
        Some(StatisticsFormat::Table) => eprint!("{}", session.report().table()),
        Some(StatisticsFormat::Json) => eprintln!("{}", session.report().json()),
    }
    let _ = io::stderr().flush();
    outcome
}
