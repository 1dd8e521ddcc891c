//! # bivalve-optimise
//!
//! Optima over one incremental [`Solver`](bivalve::Solver). An [`Objective`] is a bit-vector, read unsigned
//! or signed, a floating-point number, or a set of soft constraints whose violations have a price. Several
//! are combined by a [`Priority`], as Z3 does: in the order of their importance, each by itself, or Pareto.
//!
//! ```
//! use bivalve::terms::{Op, Pool, Sort};
//! use bivalve::{CheckResult, Settings, Solver};
//! use bivalve_optimise::{Objective, Optimiser, Priority, Sense};
//!
//! let mut pool = Pool::new();
//! let x = pool.symbol("x", Sort::bitvec(8)?);
//! let square = pool.bvmul(x, x)?;
//! let limit = pool.bv(0x51, 8)?;
//! let is_root = pool.mk(Op::Eq, &[square, limit]);
//! let mut solver = Solver::new(Settings::default());
//! solver.assert(&pool, is_root)?;
//! let objectives = [Objective::of(&pool, x, Sense::Maximise, false).expect("a bit-vector")];
//! let found = Optimiser::new(&mut solver, &mut pool).optimise(&objectives, Priority::Lexicographic, &[])?;
//! assert_eq!(found.answer, CheckResult::Sat);
//! assert_eq!(found.ranges[0].optimum().expect("it was found").to_string(), "247");
//! assert_eq!(solver.model().expect("that of the optimum").value(&pool, x).to_u64(), Some(247));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Method
//!
//! *Words.* The bits from the highest on are *wishes*: each is a formula that is true where the bit is
//! better. All wishes that are open are assumed at once. A model that has them is the optimum; a core names
//! the wishes that cannot hold together, so that the search goes on with those before the last of them. A
//! model decides all wishes up to the first one that it lacks, so one that happens to be better is a jump.
//! Floats are words whose bits are in the order of the numbers: `-oo` is the least, `-0` is below `+0`, and
//! NaN is worse than every number, whatever is asked for.
//!
//! *Soft constraints.* They are assumed, the dearest first (stratification; Ansótegui, Bonet and Levy,
//! 2013). A core pays the least price of its members, which then are replaced by weaker ones (MaxRes;
//! Narodytska and Bacchus, 2014), written as terms without new symbols. When all that is left has a model,
//! what was paid is the least price, and exactly the models of what is left have it: that is what later
//! objectives assume.
//!
//! *What is checked.* Each model is validated by the solver on the assertions as they were made. For words
//! and floats the *claim* that nothing is better is put to the solver in the terms of the objective itself,
//! with its comparison, not in the bits that the search has used; an answer other than `unsat` is an internal
//! error. [`Found::claims`] has the claims of all objectives, for those who want certificates of them.
//!
//! Where a check is not decided, the answer is that of the check, and the ranges have the best value so far
//! and the bound that was reached.

mod objective;
mod optimiser;
mod pareto;
mod quantity;
mod soft;
mod stated;
mod words;

pub use objective::{Objective, Sense, Soft};
pub use optimiser::{Found, Optimiser, Priority};
pub use quantity::{Quantity, Range};
pub use stated::{Named, Objectives};
