//! # bivalve-judge
//!
//! What is wrong with the answers of SMT solvers.
//!
//! | module | what |
//! |---|---|
//! | [`Case`], [`Known`] | a script and what is known of its checks |
//! | [`Judge`], [`Judgement`], [`Kind`] | statuses compared, models evaluated, cores refuted |
//! | [`Campaign`], [`Record`], [`Tally`] | many cases and solvers; what is logged; the table |
//! | [`Inside`] | Bivalve in this process, as a solver that is asked |
//! | [`Certified`], [`Shown`] | certificates of scripts, and what the checker says of any |
//! | [`Reference`], [`exhaustion`] | small formulas decided by the reference semantics |
//! | [`Failure`], [`Target`] | what a failure is, for the reduction of scripts |
//! | [`random_settings`] | options of Bivalve at random |
//!
//! ```
//! use bivalve_harness::{Cancel, Oracle, Verdict};
//! use bivalve_judge::{Case, Inside, Judge, Kind, USUAL_PERCENT};
//! use std::time::Duration;
//!
//! let bivalve = Inside::new("bivalve", bivalve::Settings::default(), Duration::from_secs(10));
//! let script = "(set-info :status unsat) (declare-const p Bool) (assert (and p (not p))) (check-sat)";
//! let reply = bivalve.ask(script, &Cancel::new());
//! assert_eq!(reply.verdict(), Some(Verdict::Unsat));
//! let judge = Judge { trusted: &bivalve, percent: USUAL_PERCENT };
//! let verdicts = judge.judge(&Case::new("it", "examples", script), &[&reply]);
//! assert_eq!(verdicts.judgements[0].kind, Kind::Passed);
//! ```
//!
//! Processes, logs and tasks are those of `bivalve-harness`. This crate reads the clock for limits of time
//! and prints nothing.

mod campaign;
mod case;
mod certified;
mod clock;
mod definitions;
mod evaluate;
pub mod exhaustion;
mod expansion;
mod failure;
mod inside;
mod judge;
mod options;
mod record;
mod reference;
mod stack;
mod table;
mod vote;

pub use campaign::{Campaign, Factory, Keep, Making, Outcome, Pending, Solver};
pub use case::{Case, Known, Wanted};
pub use certified::{Certified, Shown};
pub use evaluate::model_fault;
pub use failure::{Failure, Pattern, Suspect, Target};
pub use inside::Inside;
pub use judge::{Judge, Judgement, Kind, Verdicts};
pub use options::{Choice, all_values, quick_backends, random_settings};
pub use record::{Record, Result};
pub use reference::Reference;
pub use table::{Row, Tally};
pub use vote::{USUAL_PERCENT, vote};
