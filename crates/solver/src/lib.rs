//! # Bivalve
//!
//! An SMT solver for formulas over fixed-size bit-vectors, extensional arrays, uninterpreted functions,
//! floats and declared sorts, with and without quantifiers. It is incremental, has assumptions and unsat
//! cores, and every model is validated on the formulas as they were asserted before `Sat` is said.
//!
//! ```
//! use bivalve::{Bivalve, CheckResult, Context};
//!
//! // Which byte, multiplied by itself, gives 0x51, and is greater than 100?
//! let ctx = Context::new();
//! let x = ctx.bv_symbol("x", 8);
//! let mut solver = Bivalve::new(&ctx);
//! solver.assert(&(&x * &x).equals(0x51))?;
//! solver.assert(&x.ugt(100))?;
//! assert_eq!(solver.check()?, CheckResult::Sat);
//! let root = solver.model()?.value(&x)?.to_u64().expect("a bit-vector");
//! assert!(root * root % 256 == 0x51 && root > 100);
//! # Ok::<(), bivalve::Error>(())
//! ```
//!
//! Assertions live on a stack of levels; a check may assume more for itself, and after `Unsat` the solver
//! says which assumptions and tracked assertions contradict each other:
//!
//! ```
//! use bivalve::{Bivalve, CheckResult, Context, Settings};
//!
//! let ctx = Context::new();
//! let [p, q, r] = ["p", "q", "r"].map(|name| ctx.bool_symbol(name));
//! let mut solver = Bivalve::with_settings(&ctx, Settings::builder().minimize_core(true).build());
//! solver.assert(&(&p | &q))?;
//! assert_eq!(solver.check_assuming([&!&p, &r, &!&q])?, CheckResult::Unsat);
//! assert_eq!(solver.unsat_assumptions()?, [!&p, !&q]);
//! solver.push(1)?;
//! solver.assert_tracked(&!&p)?;
//! assert_eq!(solver.check_assuming([&!&q])?, CheckResult::Unsat);
//! assert_eq!((solver.unsat_core()?, solver.unsat_assumptions()?), (vec![!&p], vec![!&q]));
//! solver.pop(1)?;
//! assert_eq!(solver.check()?, CheckResult::Sat);
//! # Ok::<(), bivalve::Error>(())
//! ```
//!
//! `examples/tour` has thirteen small programs about settings, limits, callbacks, text, arrays and functions.
//!
//! [`Bivalve`] is for programs that build formulas by hand. Below it lies [`Solver`], which takes terms of a
//! [`Pool`](terms::Pool) that is handed to every call:
//!
//! ```
//! use bivalve::{CheckResult, Settings, Solver, terms::{Pool, Sort}};
//!
//! let mut pool = Pool::new();
//! let x = pool.symbol("x", Sort::bitvec(8)?);
//! let one = pool.bv(1, 8)?;
//! let next = pool.bvadd(x, one)?;
//! let wraps = pool.bvult(next, x)?;
//! let mut solver = Solver::new(Settings::default());
//! solver.assert(&pool, wraps)?;
//! assert_eq!(solver.check(&mut pool)?, CheckResult::Sat);
//! assert_eq!(solver.model().expect("sat").value(&pool, x).to_u64(), Some(255));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The parts are crates of their own and can be used alone: [`terms`], [`rewrite`], [`arrays`], [`approx`],
//! [`bitblast`], [`sat`]. A SAT solver or a strategy for arrays of one's own is handed over as it is:
//! [`Solver::with_backend`], [`Solver::use_array_strategy`].
//!
//! Solvers stay on the thread that made them; pools, terms and settings may go to another one, and a
//! [`Stop`] handle ends a check from there.

mod adopt;
mod afresh;
mod answer;
mod auto;
mod bivalve;
mod check_limits;
mod claims;
mod configure;
mod cores;
mod course;
mod elements;
mod grounded;
mod handing;
mod lemmas_first;
mod local_search;
mod minimization;
mod model;
mod options;
mod parts;
mod probe;
mod progress;
mod quantified;
mod query;
mod question;
mod refiners;
mod search;
mod settings;
mod simplification;
mod solver;
mod stack;
mod statistics;
mod support;
mod under_approximation;
mod unrewritten;

pub use crate::bivalve::{Bivalve, Error, ExprModel};
pub use adopt::{Asserted, Refutation};
pub use answer::{AssertError, CheckError, CheckResult, LevelError};
pub use bivalve_approx as approx;
pub use bivalve_arrays as arrays;
pub use bivalve_bitblast as bitblast;
pub use bivalve_limits::{Counts, Meter, panic_message};
pub use bivalve_preprocess as preprocess;
pub use bivalve_refine as refine;
pub use bivalve_rewrite as rewrite;
pub use bivalve_sat_adapter as sat;
pub use bivalve_sat_adapter::{Stop, Why};
pub use bivalve_terms as terms;
pub use bivalve_terms::{Context, Expr};
pub use check_limits::CheckLimits;
pub use grounded::{GroundLemma, Grounded};
pub use model::{InternalError, Model};
pub use options::{OPTIONS, OptionError, OptionRow, Settings, SettingsBuilder};
pub use parts::{BackendMaker, LemmaListener, StrategyMaker};
pub use progress::{Phase, Progress};
pub use question::Question;
pub use simplification::Simplification;
pub use solver::Solver;
pub use statistics::{Clock, Effort, PassStatistics, Seconds, Shrinking, Statistics};
pub use support::Unsupported;
