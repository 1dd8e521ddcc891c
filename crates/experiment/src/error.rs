//! What can go wrong with an experiment, each kind a sentence that names the file it is about.
//!
//! Runs do not go wrong in this sense: a solver that crashes is a line of the log. What is left is the
//! machine (a file cannot be read, a program cannot be started), a log that was edited by hand, and a plot
//! that the library refuses.

use std::io;
use std::path::{Path, PathBuf};

/// The result of a step of an experiment.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused to read, write or start something.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or program.
        path: PathBuf,
        /// The message of the system.
        source: io::Error,
    },
    /// The log cannot be read or written.
    #[error(transparent)]
    Log(#[from] bivalve_harness::log::LogError),
    /// A program cannot be started, so none of its runs can be made.
    #[error("{column}: cannot be started: {detail}")]
    NotStarted {
        /// The column.
        column: String,
        /// The message of the system.
        detail: String,
    },
    /// The plot library refused.
    #[error("drawing {what}: {detail}")]
    Drawing {
        /// Which plot.
        what: String,
        /// The message of the library.
        detail: String,
    },
    /// What was asked for cannot be.
    #[error("{0}")]
    Request(String),
}

impl Error {
    /// For `map_err`: adds the path to a bare system error.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_path_buf(), source }
    }
}
