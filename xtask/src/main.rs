//! `cargo xtask`: the chores of the workspace that are not the product.
//!
//! - `dist`: what is handed out: the static binary, packages, pages;
//! - `faults`: campaigns on a Bivalve with deliberate faults, one after the other.
//!
//! A tool may print, read the clock and the environment; the libraries of the workspace may not. Hence the
//! one `allow` below, for this crate alone.
//!
//! Exit codes: 0 all well; 1 a fault was not found; 2 the chore could not be done.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a developer's tool: it talks to a terminal and measures with the clock"
)]

mod args;
mod dist;
mod error;
mod faults;
mod place;

use args::{Chore, CommandLine};
use clap::{CommandFactory, Parser};
use place::Place;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match CommandLine::parse().chore {
        None => return teach(),
        Some(Chore::Dist(args)) => dist::run(&Place::find(), &args),
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
