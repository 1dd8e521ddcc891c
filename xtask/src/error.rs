//! What can go wrong in a chore, each kind a sentence that says what to do next.
//!
//! A chore stops at its first error: there is nothing to recover inside a tool that a person started, so one
//! enum serves all, and only `main` prints it. Paths are part of each message, because "No such file or
//! directory" alone sends nobody to the right folder. What files and programs do to a chore they do to an
//! experiment, too, and it is said there.

use std::io;
use std::path::{Path, PathBuf};

/// The result of a chore's step.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why a chore stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Something the chore needs is not on this machine.
    #[error("{what} is missing: {} does not exist\n  {hint}", path.display())]
    Missing {
        /// What it is, as the start of a sentence.
        what: &'static str,
        /// Where it was looked for.
        path: PathBuf,
        /// How to get it.
        hint: String,
    },
    /// A command ended in failure.
    #[error("`{command}` failed ({status})\n{tail}")]
    Failed {
        /// The command, shortened.
        command: String,
        /// Its exit status.
        status: std::process::ExitStatus,
        /// The end of what it said.
        tail: String,
    },
    /// A file could not be read or written, a program not started, or a log or plot not made.
    #[error(transparent)]
    Experiment(#[from] bivalve_experiment::Error),
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// For `map_err`: adds the path to a bare system error.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| bivalve_experiment::Error::io(path)(source).into()
    }
}
