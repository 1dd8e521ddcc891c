//! # bivalve-preprocess
//!
//! Preprocessing: simplifications that look at more than one assertion at once.
//!
//! A [`Preprocessor`] holds assertions on levels. A run simplifies what is new by the local rules of
//! `bivalve-rewrite`, by definitions that eliminate symbols, and by the [`PASSES`] of a table, until nothing
//! changes, and leaves conjuncts on the same levels, with a way back for models ([`Preprocessor::lift`]).
//! What a run has returned is committed: later runs look only at what is new.
//!
//! ```
//! use bivalve_limits::Deadline;
//! use bivalve_preprocess::{Preprocessor, Request, Settings};
//! use bivalve_terms::{Assignment, BitVec, Op, Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8).expect("a legal width");
//! let [x, y] = ["x", "y"].map(|name| pool.symbol(name, byte));
//! let three = pool.bv_u64(3, 8);
//! let sum = pool.app(Op::BvAdd, &[y, three])?;
//! let square = pool.app(Op::BvMul, &[y, y])?;
//! let assertions = [pool.app(Op::Eq, &[x, sum])?, pool.app(Op::BvUlt, &[square, x])?];
//!
//! let mut preprocessor = Preprocessor::new(Settings::default());
//! preprocessor.add(&assertions);
//! let deadline = Deadline::unlimited();
//! // More is to come, so no symbol is taken to be unconstrained.
//! let request = Request { assumptions: &[], has_empty_levels: true, deadline: &deadline };
//! let run = preprocessor.run(&mut pool, &request).expect("nothing stops it");
//! assert_eq!(run.contradiction, None);
//! // `x` is `y + 3`, and one conjunct is left.
//! assert_eq!(preprocessor.levels()[0].conjuncts().len(), 1);
//! let mut model = Assignment::new();
//! model.set(y, BitVec::from_u64(1, 8));
//! preprocessor.lift(&pool, &mut model);
//! assert_eq!(model.get(x).map(|value| value.expect_bitvec().low_u64()), Some(4));
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

mod change;
mod conditional;
mod definitions;
mod frozen;
mod gain;
mod images;
mod pass_set;
mod passes;
mod preprocessor;
mod problem;
mod scheduler;
mod solve;
mod substitution;
#[cfg(test)]
mod tests;
mod unconstrained;

pub use change::{Change, Reason};
pub use conditional::{Pair, pairs};
pub use pass_set::PassSet;
pub use passes::{PASSES, Pass};
pub use preprocessor::{CostModel, Level, Preprocessor, Request, Run, Settings, Statistics};
pub use scheduler::{PassCounts, equivalences, shown_changes};
