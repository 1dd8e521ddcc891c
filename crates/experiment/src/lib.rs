//! # bivalve-experiment
//!
//! Experiments with solvers: many *columns* (a solver with its options) on many files, each run a process of
//! its own under limits of CPU time and memory; a log that is the state of the experiment; scores, tables and
//! plots of the log.
//!
//! ```text
//! dimensions --matrix--> columns \
//!                                 }--runner--> runs --> log --verdict, score--> table
//! files --------------> subjects /                       \--plot--> SVG
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`mod@column`] | options that vary, their combinations, and the commands these are |
//! | [`select`] | which files, from folders and suites |
//! | [`subject`] | files, what they state, and the families they belong to |
//! | [`setup`] | what an experiment is, and which runs of a log belong to it |
//! | [`runner`] | the processes |
//! | [`reading`] | from what a process printed to a status and numbers |
//! | [`log`] | runs, by solver and file |
//! | [`verdict`] | wrong answers and disagreements |
//! | [`score`] | PAR-2, times on what all solved, means |
//! | [`family`], [`matches`](mod@matches) | one solver against the others, family by family and file by file |
//! | [`report`] | the written form |
//! | [`plot`] | scatter and cactus plots |
//! | [`script`] | what a script states |
//!
//! `bivalve experiment` is this crate with a command line. Nothing here prints, looks at the environment or
//! reads the clock: times are those of `bivalve-harness`, which runs the processes.

pub mod column;
mod error;
pub mod family;
pub mod log;
pub mod matches;
pub mod plot;
pub mod reading;
pub mod report;
pub mod runner;
#[cfg(any(test, feature = "testing"))]
pub mod sample;
pub mod score;
pub mod script;
pub mod select;
pub mod setup;
pub mod subject;
pub mod verdict;

pub use error::{Error, Result};
