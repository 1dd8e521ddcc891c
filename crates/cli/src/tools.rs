//! The tools: subcommands for those who build solvers.
//!
//! The first argument names a tool if it is exactly the name of one; a file of that name is reached as `./reduce`. That is
//! decided by comparing strings before anything else is built, so that the solver starts as fast as without tools.
//!
//! A tool is a row of [`TOOLS`]: its name, a line for `bivalve --help`, and a function from its arguments (its name first) to
//! an exit code.

mod reduce;

use std::ffi::OsString;
use std::process::ExitCode;

/// A subcommand.
pub(crate) struct Tool {
    /// The word that calls it.
    name: &'static str,
    /// What it does, in a line.
    about: &'static str,
    run: fn(Vec<OsString>) -> ExitCode,
}

/// All of them.
const TOOLS: &[Tool] =
    &[Tool { name: "reduce", about: "make a script small on which a solver fails", run: reduce::run }];

/// Runs the tool that the first argument names, if it names one.
pub(crate) fn dispatch(mut args: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    args.next()?;
    let first = args.next()?;
    let tool = TOOLS.iter().find(|tool| first == tool.name)?;
    let mut all = vec![OsString::from(format!("bivalve {}", tool.name))];
    all.extend(args);
    Some((tool.run)(all))
}

/// The tools as a table for `--help`.
pub(crate) fn table() -> String {
    TOOLS.iter().map(|tool| format!("  bivalve {:<10} {}\n", tool.name, tool.about)).collect()
}
