//! # bivalve-harness
//!
//! Runs SMT solvers and keeps what they answered.
//!
//! | module | what |
//! |---|---|
//! | [`process`] | a program under limits of time and memory, with its group of processes |
//! | [`Command`] | a solver that is a program: it reads a file or its standard input, one script or many |
//! | [`Oracle`] | the trait of everything that answers scripts |
//! | [`Reply`], [`Check`], [`Verdict`], [`Ending`] | what a solver answered, and how the run ended |
//! | [`Key`], [`log`] | results as lines of JSON, keyed by the content of what was asked |
//! | [`tasks`], [`engine`] | a run split into tasks, for threads, Slurm or GNU parallel |
//! | [`work`] | a pool of threads whose results come in order |
//! | [`watch`] | solvers in this process stopped by a clock or by memory |
//! | [`walk`], [`Table`] | files below folders, aligned tables |
//!
//! ```
//! use bivalve_harness::{Cancel, Command, Limits, Oracle, Verdict};
//!
//! let solver = Command::new("mock", "echo unsat", Limits::default())?;
//! let reply = solver.ask("(check-sat)", &Cancel::new());
//! assert_eq!(reply.verdict(), Some(Verdict::Unsat));
//! # Ok::<(), String>(())
//! ```
//!
//! This crate starts processes, writes temporary files and logs, and reads the clock for limits and times. It
//! prints nothing. What is wrong with an answer is the matter of `bivalve-judge`.

mod command;
mod crash;
pub mod engine;
mod group;
mod key;
mod limits;
pub mod log;
mod oracle;
mod output;
pub mod process;
mod questions;
mod reply;
mod scratch;
mod table;
pub mod tasks;
pub mod walk;
pub mod watch;
pub mod work;

pub use bivalve_limits::Cancel;
pub use command::{Command, words};
pub use key::{Key, this_build};
pub use limits::Limits;
pub use oracle::Oracle;
pub use output::verdicts;
pub use questions::{Question, questions};
pub use reply::{Check, Ending, Reply, Verdict};
pub use table::Table;
