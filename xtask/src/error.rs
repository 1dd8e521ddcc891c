//! What can go wrong in a chore, each kind a sentence that says what to do next.
//!
//! A chore stops at its first error: there is nothing to recover inside a tool that a person started, so one enum
//! serves all, and only `main` prints it. Paths are part of each message, because "No such file or directory"
//! alone sends nobody to the right folder.

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
    /// The system refused to read, write or start something.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or program.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line of a JSON-lines file does not say what it should.
    #[error("{}, line {line}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the JSON reader said.
        source: serde_json::Error,
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
    /// The log or a plot could not be made or read.
    #[error(transparent)]
    Experiment(#[from] bivalve_experiment::Error),
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// For `map_err`: adds the path to a bare system error.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_path_buf(), source }
    }
}
