//! `cargo xtask`: the chores of the workspace that are not the product.
//!
//! - `bench`: Bivalve beside its peers over a list of files, with a score table, a table by family and two
//!   kinds of plot;
//! - `ablate`: what each pass of simplification is worth;
//! - `dist`: the statically linked binary that is handed out;
//! - `differential`: random formulas, decided by Bivalve in many ways, by the reference semantics and by
//!   peers;
//! - `sessions`: random sessions with levels, assumptions, cores and values, each answer judged;
//! - `mutate`: broken scripts, of which each must end in an answer or a located error;
//! - `torture`: all generators, all judges and the reducer, for so many minutes;
//! - `faults`: the same on a Bivalve with deliberate faults, one after the other.
//!
//! The parts, each a file of one idea:
//!
//! - [`args`]: the command line, and the help that teaches it;
//! - [`place`]: where the workspace and the shared folder beside it are;
//! - [`mod@bench`]: the measuring (selection of files, the runner) and the report; log, scores and plots are
//!   those of `bivalve-experiment`;
//! - [`ablate`]: the measurement of passes, by way of `bivalve experiment`;
//! - [`differential`], [`sessions`], [`mutate`], [`torture`], [`faults`]: campaigns of the library `campaign`
//!   at any length, with [`peers`] as judges and [`ticker`] for those who wait;
//! - [`error`]: what can go wrong, in sentences.
//!
//! A tool may print, read the clock and the environment; the libraries of the workspace may not. Hence the
//! one `allow` below, for this crate alone.
//!
//! Exit codes: 0 all well; 1 Bivalve gave a wrong answer or none, or is a party to a disagreement; 2 the
//! chore could not be done; 3 only the peers are wrong or at odds with each other.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a developer's tool: it talks to a terminal and measures with the clock"
)]

mod ablate;
mod args;
mod bench;
mod differential;
mod dist;
mod error;
mod faults;
mod mutate;
mod peers;
mod place;
mod sessions;
mod ticker;
mod torture;

use args::{Chore, CommandLine};
use clap::{CommandFactory, Parser};
use place::Place;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match CommandLine::parse().chore {
        None => return teach(),
        Some(Chore::Bench(args)) => bench::run(&Place::find(), &args),
        Some(Chore::Ablate(args)) => ablate::run(&Place::find(), &args),
        Some(Chore::Dist) => dist::run(&Place::find()),
        Some(Chore::Differential(args)) => differential::run(&Place::find(), &args),
        Some(Chore::Sessions(args)) => sessions::run(&Place::find(), &args),
        Some(Chore::Mutate(args)) => mutate::run(&Place::find(), &args),
        Some(Chore::Torture(args)) => torture::run(&Place::find(), &args),
        Some(Chore::Faults(args)) => faults::run(&Place::find(), &args),
    };
    match done {
        Ok(exit_code) => exit_code,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::from(2)
        }
    }
}

/// `cargo xtask` alone: the whole help, examples included.
fn teach() -> ExitCode {
    match CommandLine::command().print_long_help() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::from(2)
        }
    }
}
