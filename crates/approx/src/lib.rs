//! # bivalve-approx
//!
//! Under-approximation: a model is looked for where there is little to look through first (Bryant, Kroening,
//! Ouaknine, Seshia, Strichman and Brady, TACAS 2007; on clauses and in one SAT solver: Brummayer and Biere,
//! EUROCAST 2009, and section 3.3 of Brummayer's thesis).
//!
//! Of a bit-vector of *w* bits only *k* are free, its *effective width*; each of the others is *restricted*
//! to a constant or to the value of another bit. A restriction is written as clauses `assumption ->
//! restriction`, so the formula itself stays as it is. A model under the assumptions is a model. When there
//! is none, the SAT solver names the assumptions that were used:
//!
//! - some: those approximations are *refined*. A fresh assumption stands for the wider one, and the old one
//!   is made false by a unit clause for ever, which leaves everything that was learned in place;
//! - none: there is no model at all (*early termination*). Nothing about the answer depends on what was
//!   restricted.
//!
//! Two decisions are left to small traits, so that they can be swapped and measured:
//!
//! | trait | decides | rows |
//! |---|---|---|
//! | [`Encoding`] | which bits are restricted to what at an effective width | [`ENCODINGS`]: `sign`, `zero`, `one`, `classes` |
//! | [`Policy`] | which vectors share an assumption, and how much wider a refined one becomes | [`POLICIES`]: `global`, `local` |
//!
//! Neither can be wrong: restrictions hold under assumptions only, an assumption that failed never comes
//! back, each refinement widens, and at its full width a vector has no restricted bits. So
//! [`Approximation::refine`] is called at most as often as there are bits.
//!
//! The crate deals with literals and clauses only. Its caller chooses the vectors, and searches.
//!
//! Cost: two clauses a restricted bit and step, one variable a group and step.

mod approximation;
pub mod encodings;
pub mod policies;

pub use approximation::{Approximation, Statistics, Strategy};
pub use encodings::{ENCODINGS, Encoding, Restriction};
pub use policies::{Kind, POLICIES, Policy, Vector};
