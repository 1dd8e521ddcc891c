//! # bivalve-arrays
//!
//! Extensional arrays and uninterpreted functions by lemmas on demand (Brummayer's thesis, chapter 2;
//! Brummayer and Biere, JSAT 6, 2009).
//!
//! In the abstraction each `select`, each application and each equality between arrays is a variable. The
//! [`ArrayRefiner`] keeps the arrays that were left out. Given a model of the abstraction it finds arrays and
//! functions that fit, or lemmas: clauses that hold in the theory of arrays and fail in the model. The search
//! ends, because there are finitely many lemmas and none comes twice.
//!
//! | file | content |
//! |---|---|
//! | `refiner` | the [`Refiner`](bivalve_refine::Refiner): witnesses, lemmas, statistics |
//! | `graph` | the arrays, reads and equalities below what was taken in; scopes |
//! | `consistency` | the consistency check: accesses are propagated, meet and are compared |
//! | `equalities` | equalities that contradict each other |
//! | `chains` | runs of writes between equal arrays, passed in one step |
//! | `trace` | under which conditions an access came to an array |
//! | `defaults` | constant arrays at indices that are not accessed |
//! | `expansion` | reads as terms over written elements, when that is cheaper than lemmas |
//! | `lemma` | conditions and conclusions, and their minimisation |
//! | `extension` | the arrays of a model without conflicts |
//! | `per_round` | how many lemmas a round may give |
//! | `strategy` | eager and lazy instantiation |
//! | `lower` | `=` and `distinct` over many arrays |
//!
//! ```
//! use bivalve_arrays::ArrayRefiner;
//! use bivalve_limits::Deadline;
//! use bivalve_refine::{Refinement, Refiners};
//! use bivalve_terms::{BitVec, Op, Pool, Sort, Term, Value};
//!
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8).expect("a legal width");
//! let sort = pool.sorts_mut().array(byte, byte).expect("not too deep");
//! let (a, i, j) = (pool.symbol("a", sort), pool.symbol("i", byte), pool.symbol("j", byte));
//! let (r, s) = (pool.mk(Op::Select, &[a, i]), pool.mk(Op::Select, &[a, j]));
//! let differ = pool.mk(Op::Distinct, &[r, s]);
//!
//! let mut refiners = Refiners::new(vec![Box::new(ArrayRefiner::default())]);
//! let differ = refiners.abstracted(&mut pool, differ, &Deadline::unlimited()).expect("no limit");
//! refiners.take_in(&pool, differ);
//! // A model of the abstraction: i = j = 0, and the two reads are 1 and 2.
//! let values = [(i, 0), (j, 0), (r, 1), (s, 2)];
//! let mut leaves = |_: &Pool, term: Term| {
//!     let found = values.iter().find(|value| value.0 == term)?;
//!     Some(Value::BitVec(BitVec::from_u64(found.1, 8)))
//! };
//! let found = refiners.check(&mut pool, &mut leaves, &Deadline::unlimited());
//! let Refinement::Lemmas(lemmas) = found else { panic!("the reads differ at one index") };
//! assert_eq!(lemmas.len(), 1); // i = j implies r = s
//! ```

mod chains;
mod consistency;
mod defaults;
mod equalities;
mod expansion;
mod extension;
mod graph;
mod lemma;
mod lower;
mod per_round;
#[cfg(feature = "faults")]
mod planted;
mod refiner;
mod strategy;
mod trace;
mod value_numbers;

#[cfg(test)]
mod tests;

pub use lemma::Reason;
pub use lower::binary_equality;
pub use per_round::LemmasPerRound;
pub use refiner::ArrayRefiner;
pub use strategy::{Known, MOST_AHEAD, Others, STRATEGIES, Strategy, StrategyRow, strategy};
