//! # bivalve-oracle
//!
//! Any solver, asked about a script; what it says, read and judged.
//!
//! An [`Oracle`] takes an SMT-LIB script and gives a [`Reply`]. There are three makers: [`Command`] runs a
//! program under limits of time and memory, [`Inside`] is Bivalve in this process, [`Majority`] lets several
//! vote. A campaign asks many of them about many cases, a delta debugger asks one about many candidates;
//! neither needs to know which kind it talks to.
//!
//! ```
//! use bivalve_oracle::{Cancel, Inside, Oracle, Verdict};
//! use std::time::Duration;
//!
//! let bivalve = Inside::new("bivalve", bivalve::Settings::default(), Duration::from_secs(10));
//! let reply = bivalve.ask("(declare-const p Bool) (assert p) (assert (not p)) (check-sat)", &Cancel::new());
//! assert_eq!(reply.verdict(), Some(Verdict::Unsat));
//! ```
//!
//! A reply is judged by [`Judge`]: verdicts by the status of a [`Case`] or by a majority, models by the
//! reference semantics, cores by refuting them again. A [`Campaign`] does that for many cases and solvers at
//! once; each case becomes a [`Record`], records a [`Tally`].
//!
//! This crate starts processes, writes temporary files and reads the clock, for limits and times only; the
//! libraries below it do none of that. It prints nothing.

mod campaign;
mod case;
mod command;
mod crash;
mod definitions;
mod evaluate;
mod failure;
mod inside;
mod judge;
mod majority;
mod options;
mod oracle;
mod output;
pub mod process;
mod record;
mod reply;
mod script;
pub mod sexpr;
mod table;
mod watch;

pub use bivalve_delta::Cancel;
pub use campaign::{Campaign, Contestant, Enrolment, Making, Outcome, Pending};
pub use case::{Case, Known, Wanted};
pub use command::{Command, words};
pub use evaluate::model_fault;
pub use failure::{Failure, Pattern, Pursuit, Suspect};
pub use inside::{Inside, panic_message};
pub use judge::{Judge, Judgement, Kind, Verdicts};
pub use majority::{Majority, USUAL_PERCENT, vote};
pub use options::{Choice, quick_backends, random_settings};
pub use oracle::Oracle;
pub use process::Limits;
pub use record::{Entry, Record};
pub use reply::{Check, Ending, Reply, Verdict};
pub use table::{Row, Tally};
pub use watch::{AtWork, Watch};
