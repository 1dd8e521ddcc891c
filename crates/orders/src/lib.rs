//! # bivalve-orders
//!
//! Orders by lemmas on demand.
//!
//! Many formulas number things only to say that they have no cycle: levels of a tree, times of events, ranks
//! of atoms that support each other. The numbers are bit-vectors, and nothing is asked of them but which is
//! less. Their comparators are the larger part of such a formula, and a search learns little from them: that
//! a cycle is impossible comes out bit by bit, for each cycle anew.
//!
//! So a symbol that is only compared, with others of its kind and with constants, gets no bits. A comparison
//! becomes a variable of its own, and [`Orders`] judges what a model says of them: comparisons that hold are
//! edges of a graph, a cycle with a strict edge is a lemma, and so is a path from a lower bound to an upper
//! bound that has more strict edges than there is room. If there is neither, the longest path to a symbol is
//! its value (SAT modulo acyclicity: Gebser, Janhunen and Rintanen, ECAI 2014).
//!
//! Only comparisons count that the formula needs in this model, where it says `a or x < y` and `a` is true
//! none. What the others are comes out of the values.
//!
//! What is asserted later may use such a symbol otherwise. Then its comparisons are defined by circuits, and
//! so are those of the symbols that they compare it with.
//!
//! Cost: a walk over what is encoded first, to see what is only compared, and over each formula that has such
//! comparisons; for each model linear time, and a search for a short cycle for each strict edge on one.
//!
//! | file | content |
//! |---|---|
//! | `survey` | which symbols are only compared |
//! | `support` | which comparisons a model needs |
//! | `graph` | cycles, paths that are too long, values |
//! | `refiner` | the refiner |
//!
//! ```
//! use bivalve_limits::Deadline;
//! use bivalve_orders::Orders;
//! use bivalve_refine::{Refinement, Refiners};
//! use bivalve_terms::{Op, Pool, Sort, Term, Value};
//!
//! let mut pool = Pool::new();
//! let byte = Sort::bitvec(8)?;
//! let (x, y) = (pool.symbol("x", byte), pool.symbol("y", byte));
//! let (less, greater) = (pool.bvult(x, y)?, pool.bvult(y, x)?);
//! let formula = pool.mk(Op::And, &[less, greater]);
//! let mut refiners = Refiners::new(vec![Box::new(Orders::new(2))]);
//! refiners.survey(&pool, &[formula], &Deadline::unlimited());
//! let abstracted = refiners.abstracted(&mut pool, formula, &Deadline::unlimited()).expect("no limit");
//! refiners.hold(&pool, abstracted, &Deadline::unlimited()).expect("no limit");
//! // Both at once are a cycle.
//! let mut both = |pool: &Pool, term: Term| pool.sort(term).is_bool().then_some(Value::Bool(true));
//! let found = refiners.check(&mut pool, &mut both, &Deadline::unlimited());
//! assert!(matches!(found, Refinement::Lemmas(lemmas) if lemmas.len() == 1));
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

mod graph;
mod refiner;
mod support;
mod survey;

#[cfg(test)]
mod tests;

pub use refiner::Orders;
