//! # bivalve-abstraction
//!
//! Arithmetic by lemmas on demand (Niemetz, Preiner and Zohar, *Scalable bit-blasting with abstractions*, CAV
//! 2024).
//!
//! A product, quotient or remainder of two wide terms has a circuit whose size is the square of the width,
//! and often little of it matters: that a product of odd numbers is odd, that a remainder is below the
//! divisor. So such a term is replaced by a fresh *abstraction symbol*, and when a model gives the symbol a
//! wrong value, lemmas are added that rule the model out:
//!
//! 1. *facts* (`facts`): what holds for all operands;
//! 2. lemmas about two terms (`related`): a quotient grows with its dividend, a product divided by no less
//!    than a factor is no more than the other;
//! 3. *guided* lemmas (`guided`): what the values at hand suggest - a power of two, trailing zeros, the
//!    length in bits, the low bits;
//! 4. *values*: for this value of one operand, or these of both, the result is that; a few for each term;
//! 5. the circuit itself.
//!
//! Signed quotients and remainders are said by unsigned ones first (`signed`), and whether a product
//! overflows is a symbol of its own.
//!
//! Lemmas are rows of tables, written as text (`schema`), each tested against the meaning of the operator.
//! Every lemma is a consequence of `symbol = operator(operands)`, so models and refutations stay what they
//! are. The search ends, because each term gets finitely many lemmas before its circuit.
//!
//! [`Abstraction`] is a [`Refiner`](bivalve_refine::Refiner); [`is_wide`] says which terms it replaces.
//!
//! ```
//! use bivalve_abstraction::Abstraction;
//! use bivalve_limits::Deadline;
//! use bivalve_refine::Refiners;
//! use bivalve_terms::{Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let word = Sort::bitvec(64)?;
//! let (x, y) = (pool.symbol("x", word), pool.symbol("y", word));
//! let product = pool.bvmul(x, y)?;
//! let formula = pool.bvult(product, x)?;
//! let mut refiners = Refiners::new(vec![Box::new(Abstraction::new(32))]);
//! let abstracted = refiners.abstracted(&mut pool, formula, &Deadline::unlimited()).expect("no limit");
//! // The product is a symbol now, of which nothing is known before lemmas say it.
//! let symbol = pool.args(abstracted)[0];
//! assert!(pool.name(symbol).is_some());
//! assert_eq!(refiners.replaced_by(symbol), Some(product));
//! # Ok::<(), bivalve_terms::SortError>(())
//! ```

mod abstraction;
mod facts;
mod guided;
mod related;
mod schema;
mod signed;

#[cfg(test)]
mod tests;

pub use abstraction::{Abstraction, is_wide};
