//! # bivalve-refine
//!
//! Abstraction and refinement: the seam between the search for bits and the theories above it.
//!
//! The bit-level search decides an abstraction of the formula, in which some terms are variables: reads,
//! applications, equalities between arrays, results of wide arithmetic. A [`Refiner`] is a theory that knows
//! the meaning of such terms. It takes the formula in, and judges each model of the abstraction: the model
//! extends to the theory, or it violates [`Lemma`]s, valid clauses that rule it out (lemmas on demand: de
//! Moura and Rueß 2002; Brummayer's thesis, section 2.6). [`Refiners`] is a list of refiners that work on one
//! formula.
//!
//! | file | content |
//! |---|---|
//! | `refiner` | the trait, lemmas, results |
//! | `refiners` | a list of refiners: one abstraction, one intake, scopes, checks in order |
//! | `view` | a model of the abstraction, read lazily |
//! | `counters` | statistics by name |
//! | `all_different` | the refiner of `distinct` over many terms |
//!
//! A refiner that gives `x * 0` its meaning:
//!
//! ```
//! use bivalve_limits::Deadline;
//! use bivalve_refine::{Counters, Lemma, ModelView, Refinement, Refiner, Refiners};
//! use bivalve_terms::{BitVec, Op, Pool, Sort, Term, Value};
//!
//! #[derive(Default)]
//! struct Zero {
//!     products: Vec<Term>,
//!     lemmas: u64,
//! }
//!
//! impl Refiner for Zero {
//!     fn name(&self) -> &'static str {
//!         "zero"
//!     }
//!
//!     fn take_in(&mut self, pool: &Pool, new: &[Term], _more: &mut Vec<Term>) {
//!         self.products.extend(new.iter().filter(|&&term| pool.op(term) == Op::BvMul));
//!     }
//!
//!     fn check(&mut self, pool: &mut Pool, model: &mut ModelView<'_>, _: &Deadline) -> Refinement {
//!         let is_zero = |value: &Value| value.expect_bitvec().is_zero();
//!         let wrong = model.read(pool, |values| {
//!             let is_wrong = |&&product: &&Term| {
//!                 let factor = values.pool().args(product)[1];
//!                 is_zero(values.eval(factor)) && !is_zero(values.eval(product))
//!             };
//!             self.products.iter().find(is_wrong).copied()
//!         });
//!         let Some(product) = wrong else { return Refinement::Consistent(vec![]) };
//!         self.lemmas += 1;
//!         let zero = pool.bv_u64(0, 8);
//!         let [factor, product] = [pool.args(product)[1], product].map(|t| pool.mk(Op::Eq, &[t, zero]));
//!         Refinement::Lemmas(vec![Lemma::new("zero", vec![(factor, false), (product, true)])])
//!     }
//!
//!     fn push(&mut self) {}
//!
//!     fn pop(&mut self) {}
//!
//!     fn clear(&mut self) {
//!         self.products.clear();
//!     }
//!
//!     fn statistics(&self) -> Counters {
//!         Counters::new(&[("lemmas", self.lemmas)])
//!     }
//! }
//!
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8).expect("a legal width");
//! let (x, y) = (pool.symbol("x", byte), pool.symbol("y", byte));
//! let product = pool.mk(Op::BvMul, &[x, y]);
//! let mut refiners = Refiners::new(vec![Box::new(Zero::default())]);
//! refiners.take_in(&pool, product);
//! // A model of the abstraction: the product is 3, and y is 0.
//! let mut leaves = |_: &Pool, term: Term| {
//!     let value = if term == product { 3 } else { 0 };
//!     Some(Value::BitVec(BitVec::from_u64(value, 8)))
//! };
//! let found = refiners.check(&mut pool, &mut leaves, &Deadline::unlimited());
//! let Refinement::Lemmas(lemmas) = found else { panic!("the product should be zero") };
//! assert_eq!(lemmas[0].literals.len(), 2);
//! assert_eq!(refiners.statistics().get("zero", "lemmas"), 1);
//! ```

mod all_different;
mod counters;
mod refiner;
mod refiners;
mod view;

pub use all_different::AllDifferent;
pub use counters::{Counters, RefinerStatistics};
pub use refiner::{Lemma, Refinement, Refiner};
pub use refiners::Refiners;
pub use view::ModelView;
