//! What can go wrong in a chore, each kind a sentence with what to do next.
//!
//! A chore stops at its first error: there is nothing to recover inside a tool that a person started, so one
//! enum serves all, and only `main` prints it. Paths are part of each message, because "No such file or
//! directory" alone does not help.

use std::io;
use std::path::{Path, PathBuf};

/// The result of a chore's step.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why a chore stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A command ended in failure.
    #[error("`{command}` failed ({status})\n{tail}")]
    Failed {
        /// The command, shortened.
        command: String,
        /// Its exit status.
        status: std::process::ExitStatus,
        /// The end of its output.
        tail: String,
    },
    /// A file could not be read or written, or a program not started.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or program.
        path: PathBuf,
        /// The message of the system.
        source: io::Error,
    },
    /// The command line asks for something that cannot be.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// For `map_err`: adds the path to a bare system error.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Error::Io { path: path.to_path_buf(), source }
    }
}
