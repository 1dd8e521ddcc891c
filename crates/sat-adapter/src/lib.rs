//! The seam to SAT solvers, and the solvers behind it.
//!
//! Everything above this crate that needs propositional answers talks to a [`SatSolver`], a small object-safe
//! trait, and picks the engine by name when the program runs. Everything below it is one file per engine.
//! Of the other crates it uses `bivalve-limits` alone.
//!
//! ```
//! use bivalve_sat_adapter::{Budget, ClauseSink, SatSolver, SatResult, create};
//!
//! let mut solver = create("naive").unwrap();
//! let (x, y) = (solver.new_var(), solver.new_var());
//! solver.add_clause(&[x, y]);
//! solver.add_clause(&[!x, y]);
//! assert_eq!(solver.solve(&[], &Budget::UNLIMITED), SatResult::Sat);
//! assert_eq!(solver.value(y), Some(true));
//! assert_eq!(solver.solve(&[x, !y], &Budget::UNLIMITED), SatResult::Unsat);
//! assert!(solver.failed(!y) && !solver.failed(x));
//! ```
//!
//! | where | what |
//! |---|---|
//! | [`SatSolver`], [`Capabilities`] | the seam, and what an engine may lack |
//! | [`ClauseSink`], [`CnfLog`] | what an encoder sees of it; recorded clauses, and DIMACS text |
//! | [`SatResult`], [`Budget`], [`Stop`] | the answers, and the two ways to bound the work for them |
//! | [`ProofSink`] | why an unsat is right |
//! | [`OneShot`], [`Incremental`] | a full solver out of one that answers once |
//! | [`mod@backends`] | the engines |
//! | [`backends()`], [`all_backends`], [`create`] | the engines by name |
//! | [`conformance`] | the tests every solver behind the seam must pass |
//!
//! `unsafe` code is in one file, `backends/ipasir/library.rs`; what C++ there is stays inside other crates.

pub mod backends;
pub mod conformance;
mod lit;
#[cfg(any(feature = "cadical", feature = "batsat", feature = "ipasir"))]
mod marks;
mod one_shot;
mod proof;
#[cfg(feature = "splr")]
mod reduced;
mod registry;
mod result;
mod sink;
mod solver;

pub use bivalve_limits::{Meter, Stop, Why};
pub use lit::Lit;
pub use one_shot::{Answer, Incremental, OneShot};
pub use proof::{Drat, NoProof, ProofSink, Source};
pub use registry::{Argument, BackendInfo, UnknownBackend, all_backends, backends, create, default_backend};
pub use result::{Budget, SatResult};
pub use sink::{ClauseSink, CnfLog};
pub use solver::{Capabilities, SatSolver, Statistics, Workload};
