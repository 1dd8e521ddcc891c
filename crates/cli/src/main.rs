//! `bivalve`: the command line.
//!
//! Reads the command line ([`args`]), runs each file in a session of its own ([`solve`]), and turns the
//! outcome into an exit code: 0 when every command was understood, whatever the verdicts; 1 when some command
//! was answered by an error; 2 when an answer failed its self-check or could not be written, or the command
//! line is wrong; 130 after Ctrl-C. With `--exit-codes`, and where Boolector is asked for, 10 and 20 tell the
//! last verdict instead of 0.
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
mod certificates;
mod compat;
mod dump;
#[cfg(unix)]
mod exhausted;
mod limits;
mod messages;
mod outputs;
mod progress;
mod solve;
#[cfg(feature = "line-editor")]
mod terminal;
mod tools;
mod units;
mod waiting;

use crate::args::Invocation;
use crate::limits::{INTERRUPTED_EXIT, Watchdog};
use crate::messages::complain;
use crate::solve::{End, Outcome, Runner};
use bivalve::CheckResult;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// CaDiCaL makes and drops small objects by the million when it simplifies clauses. This allocator takes the
/// C++ side over as well: 49 files of a quarter of a second to eight took 81 s instead of 92 s, for 0.2 ms
/// more at the start.
#[cfg(feature = "cadical")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a person is told who starts the solver without a file.
const GREETING: &str = "\
Bivalve reads SMT-LIB 2 here. Tab completes, Ctrl-C ends a
check, Ctrl-D ends the session; `bivalve -h` shows the rest.
";

/// Clients read exit code 1 as "some command failed", 2 as "do not trust this run".
const ERROR_EXIT: u8 = 1;
const FAULT_EXIT: u8 = 2;

fn main() -> ExitCode {
    if let Some(code) = tools::run(std::env::args_os()) {
        return code;
    }
    let invocation = match args::parse(std::env::args_os(), tools::tree) {
        Ok(invocation) => invocation,
        Err(refusal) => return messages::refused(&refusal),
    };
    let (name, outcome) = match &invocation.output {
        None => ("standard output".to_owned(), run(&invocation, &mut io::stdout().lock())),
        Some(path) => {
            let written = File::create(path).map_err(End::Lost);
            (path.display().to_string(), written.and_then(|mut file| run(&invocation, &mut file)))
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(End::Hangup) => ExitCode::SUCCESS,
        Err(End::Lost(error)) => {
            messages::error(&format!("{name}: {error}"));
            ExitCode::from(FAULT_EXIT)
        }
    }
}

/// Where answers are written: a file of the system.
#[cfg(unix)]
trait Answers: Write + std::os::fd::AsFd {}
#[cfg(unix)]
impl<A: Write + std::os::fd::AsFd> Answers for A {}
#[cfg(not(unix))]
use Write as Answers;

/// Does what was asked for, and returns the exit code.
fn run(invocation: &Invocation, out: &mut impl Answers) -> Result<u8, End> {
    if invocation.list_backends {
        out.write_all(backends::table().as_bytes())?;
        out.flush()?;
        return Ok(0);
    }
    let is_typed = solve::is_typed(invocation);
    if is_typed {
        complain(GREETING);
    }
    let mut watchdog = Watchdog::new(invocation.limits);
    if let Err(error) = watchdog.catch_interrupts(is_typed) {
        complain(&format!("warning: Ctrl-C will not be answered: {error}\n"));
    }
    #[cfg(unix)]
    exhausted::tell(Some(&*out), watchdog.is_idle());
    let mut runner = Runner::new(invocation, &mut watchdog);
    for file in inputs(invocation) {
        runner.run(file, out)?;
        if runner.interrupted() {
            return Ok(INTERRUPTED_EXIT);
        }
    }
    Ok(match runner.worst {
        Outcome::Understood if invocation.exit_codes => verdict_exit(runner.verdict),
        Outcome::Understood => 0,
        Outcome::Refused => ERROR_EXIT,
        Outcome::Fault => FAULT_EXIT,
    })
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
