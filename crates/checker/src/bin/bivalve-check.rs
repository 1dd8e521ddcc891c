//! `bivalve-check`, which is all in the library `bivalve-checker`: nothing of the solver is linked into it.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::{stderr, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    ExitCode::from(bivalve_checker::command::run(&args, &mut stdout().lock(), &mut stderr().lock()))
}
