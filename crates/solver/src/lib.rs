//! # Bivalve
//!
//! Decides quantifier-free formulas over fixed-size bit-vectors, and gives validated models.
//!
//! ```
//! use bivalve::{CheckResult, Settings, Solver, terms::{Op, Pool, Sort}};
//!
//! // Which byte, multiplied by itself, gives 0x51, and is greater than 100?
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8).expect("a legal width");
//! let x = pool.symbol("x", byte);
//! let square = pool.app(Op::BvMul, &[x, x])?;
//! let (target, hundred) = (pool.bv_u64(0x51, 8), pool.bv_u64(100, 8));
//! let equation = pool.app(Op::Eq, &[square, target])?;
//! let bound = pool.app(Op::BvUgt, &[x, hundred])?;
//!
//! let mut solver = Solver::new(Settings::default());
//! solver.assert(&pool, equation)?;
//! solver.assert(&pool, bound)?;
//! assert_eq!(solver.check(&mut pool)?, CheckResult::Sat);
//! let value = solver.model().expect("sat").value(&pool, x);
//! let root = value.expect_bitvec().low_u64();
//! assert_eq!((root * root) % 256, 0x51);
//! assert!(root > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Assertions live on a stack ([`Solver::push`], [`Solver::pop`]); a check may assume more for itself, and
//! after [`CheckResult::Unsat`] the solver names what is to blame:
//!
//! ```
//! use bivalve::{CheckResult, Settings, Solver, terms::{Op, Pool, Sort}};
//!
//! let mut pool = Pool::new();
//! let [p, q, r] = ["p", "q", "r"].map(|name| pool.symbol(name, Sort::BOOL));
//! let (not_p, not_q) = (pool.app(Op::Not, &[p])?, pool.app(Op::Not, &[q])?);
//! let mut solver = Solver::new(Settings::default());
//! let clause = pool.app(Op::Or, &[p, q])?;
//! solver.assert(&pool, clause)?;
//! assert_eq!(solver.check_assuming(&mut pool, &[not_p, r, not_q])?, CheckResult::Unsat);
//! assert_eq!(solver.unsat_assumptions(), Some(&[0, 2][..]));
//! solver.push(1)?;
//! assert_eq!(solver.assert_tracked(&pool, not_p)?, 0);
//! assert_eq!(solver.check_assuming(&mut pool, &[not_q])?, CheckResult::Unsat);
//! assert_eq!((solver.unsat_core(), solver.unsat_assumptions()), (Some(&[0][..]), Some(&[0][..])));
//! solver.pop(1)?;
//! assert_eq!(solver.check(&mut pool)?, CheckResult::Sat);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The parts are crates of their own and can be used alone: [`terms`], [`rewrite`], [`arrays`], [`approx`],
//! [`bitblast`], [`sat`]. A SAT solver or a strategy for arrays of one's own is handed over as it is:
//! [`Solver::with_backend`], [`Solver::use_array_strategy`].

mod answer;
mod auto;
mod configure;
mod elements;
mod minimization;
mod model;
mod options;
mod parts;
mod probe;
mod progress;
mod query;
mod refiners;
mod search;
mod solver;
mod stack;
mod statistics;
mod support;
mod under_approximation;

pub use answer::{AssertError, CheckError, CheckResult, LevelError};
pub use bivalve_approx as approx;
pub use bivalve_arrays as arrays;
pub use bivalve_bitblast as bitblast;
pub use bivalve_preprocess as preprocess;
pub use bivalve_refine as refine;
pub use bivalve_rewrite as rewrite;
pub use bivalve_sat_adapter as sat;
pub use bivalve_sat_adapter::{Stop, Why};
pub use bivalve_terms as terms;
pub use model::{InternalError, Model};
pub use options::{OPTIONS, OptionError, OptionRow, Settings};
pub use parts::{BackendMaker, StrategyMaker};
pub use progress::{Phase, Progress};
pub use solver::{Simplification, Solver};
pub use statistics::{Clock, PassStatistics, Seconds, Shrinking, Statistics};
pub use support::Unsupported;
