//! # bivalve-approx
//!
//! Under-approximation: a model is looked for where there is little to look through first (Bryant, Kroening,
//! Ouaknine, Seshia, Strichman and Brady, TACAS 2007; on clauses and in one SAT solver: Brummayer and Biere,
//! EUROCAST 2009, and section 3.3 of Brummayer's thesis).
//!
//! Of a bit-vector of *w* bits only *k* are free, its *effective width*; the others are *tied* to a constant
//! or to another bit. Each tie is written as clauses `assumption -> tie`, so the formula itself stays as it
//! is. A model under the assumptions is a model. When there is none, the SAT solver names the assumptions
//! that were used:
//!
//! - some: those approximations are *eased*. A fresh assumption stands for the wider one, and the old one is
//!   made false by a unit clause for ever, which leaves everything that was learned in place;
//! - none: there is no model at all (*early termination*). Nothing about the answer depends on what was tied.
//!
//! Two decisions are left to small traits, so that they can be swapped and measured:
//!
//! | who | decides | rows |
//! |---|---|---|
//! | [`Encoding`] | which bits are tied to what at an effective width | [`ENCODINGS`]: `sign`, `zero`, `one`, `classes` |
//! | [`Policy`] | whose ties share an assumption, and how much wider an eased one becomes | [`POLICIES`]: `global`, `local` |
//!
//! Neither can be wrong: ties hold under assumptions only, an assumption that failed never comes back, each
//! easing widens, and at its full width a vector has no ties. So [`Approximation::ease`] is called at most as
//! often as there are bits.
//!
//! This crate knows literals and clauses, and whoever uses it knows which vectors are worth it, and searches.
//!
//! Cost: two clauses a tied bit and step, one variable a group and step.

mod approximation;
pub mod encodings;
pub mod policies;

pub use approximation::{Approximation, Statistics, Strategy};
pub use encodings::{ENCODINGS, Encoding, Tie};
pub use policies::{Kind, POLICIES, Policy, Vector};
