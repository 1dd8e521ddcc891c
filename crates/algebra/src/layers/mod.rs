//! Identities of many layers: equations of sums that no multiplying out shows, because every step of a loop
//! chooses between two states and multiplies by a quotient.
//!
//! Bezout's identity `x a + y b = g` holds after each step of Euclid's algorithm; over 68 steps the
//! difference of its sides has more monomials than can be written. Here it is opened from the top, one layer
//! at a time: among the atoms of the highest *level*, which is the number of quotients (and other opaque
//! words) on top of each other,
//!
//! - a sum or a product is opened, and a remainder becomes `a - b (a / b)`, with which SMT-LIB agrees for
//!   `b = 0`;
//! - a choice becomes one of its branches if the condition is known, else both have to be shown; a branch `0`
//!   that stands for `q` where `q` is zero becomes `q` again, of which more is known (if that fails, not);
//! - and when nothing is left to open, the polynomial is split by the powers of one opaque atom: if all its
//!   coefficients are zero, so is the polynomial.
//!
//! What is left to show is a set of smaller differences, and each is shown once for the conditions in
//! it: Bezout's identity comes down to two differences a step. Monomials are replaced by what asserted
//! equations say of them ([`Rule`]), so invariants of loops over products are inductive by this, too.
//!
//! A [`Plan`] tells all of it, so that it can be written as a proof. Terms are those of any [`Language`].
//!
//! Why it is correct: each step is an equation of polynomials modulo `2^w`. Nothing is refuted. Cost: a
//! budget of monomials.

mod case;
mod language;
mod places;
mod plan;
mod words;

pub use case::{Case, Conditions};
pub use language::{Kind, Language};
pub use places::Places;
pub use plan::{End, Goal, Plan, Planner, Rule};
pub use words::{PoolTerms, candidates};

/// Monomials that one run usually may make.
pub const BUDGET: usize = 200_000;

/// A polynomial over the terms of a language.
pub type PolynomialOver<L> = crate::polynomial::Polynomial<crate::ring::Words, <L as Language>::Term>;
