//! # bivalve-arrays
//!
//! Extensional arrays and uninterpreted functions by lemmas on demand (Brummayer's thesis, chapter 2;
//! Brummayer and Biere, JSAT 6, 2009).
//!
//! The house abstracts: each `select`, each application and each equality between arrays is a variable, and a
//! bit-vector formula is left. The [`Checker`] knows the arrays that were left out. Given a model of the
//! abstraction it says whether arrays and functions exist that fit, and gives them, or it says what is wrong:
//! [`Lemma`]s, clauses that hold in the theory and fail in the model. The house adds them and asks for
//! another model. This ends, because there are finitely many lemmas and none comes twice.
//!
//! | file | what |
//! |---|---|
//! | `graph` | the arrays, reads and equalities below what was registered; scopes |
//! | `sweep` | the consistency check: accesses spread, meet and are compared |
//! | `chains` | runs of writes between equal arrays, passed in one step |
//! | `trace` | under which conditions an access came to an array |
//! | `defaults` | constant arrays where nobody looks |
//! | `lemma` | what a lemma is, and its minimisation |
//! | `extension` | the arrays of a model without conflicts |
//! | `policy` | how many lemmas a round may give |
//! | `strategy` | what is said of reads besides: nothing, everything at once, or as STP does |
//! | `lower` | `=` and `distinct` over many arrays |
//!
//! ```
//! use bivalve_arrays::{Checker, Inspection};
//! use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Sort, Value};
//!
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8).expect("a legal width");
//! let sort = pool.sorts_mut().array(byte, byte).expect("not too deep");
//! let (a, i, j) = (pool.symbol("a", sort), pool.symbol("i", byte), pool.symbol("j", byte));
//! let (r, s) = (pool.mk(Op::Select, &[a, i]), pool.mk(Op::Select, &[a, j]));
//! let differ = pool.mk(Op::Distinct, &[r, s]);
//!
//! let mut checker = Checker::new();
//! checker.register(&pool, differ);
//! // A model of the abstraction: i = j = 0, and the two reads are 1 and 2.
//! let values = [(r, 1), (s, 2)];
//! let mut leaves = |_: &Pool, term| {
//!     let found = values.iter().find(|value| value.0 == term)?;
//!     Some(Value::BitVec(BitVec::from_u64(found.1, 8)))
//! };
//! let assignment = Assignment::new();
//! checker.prepare(&mut pool);
//! let mut model = Evaluator::with_leaves(&pool, &assignment, &mut leaves);
//! let inspection = checker.inspect(&mut model);
//! let Inspection::Violated(drafts) = inspection else { panic!("the reads differ at one index") };
//! let lemmas = checker.lemmas(&mut pool, drafts);
//! assert_eq!(lemmas.len(), 1); // i = j implies r = s
//! ```

mod chains;
mod checker;
mod defaults;
mod extension;
mod graph;
mod keys;
mod lemma;
mod lower;
#[cfg(feature = "faults")]
mod planted;
mod policy;
mod strategy;
mod sweep;
mod trace;

#[cfg(test)]
mod tests;

pub use checker::{Checker, Drafts, Inspection, Statistics};
pub use lemma::{Lemma, Reason};
pub use lower::{binary_equalities, binary_equality};
pub use policy::Policy;
pub use strategy::{Known, MOST_AHEAD, STRATEGIES, Strategy, StrategyRow, strategy};
