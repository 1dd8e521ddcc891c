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
//! ```
//! use bivalve_approx::{Approximation, Kind, Parameters, encodings::encoding, policies::policy};
//! use bivalve_sat_adapter::{Budget, ClauseSink, Lit, SatResult, create};
//!
//! // A byte whose highest bit is set, approximated by bytes with a single free bit, the others zero.
//! let mut solver = create("naive")?;
//! let bits: Vec<Lit> = (0..8).map(|_| solver.new_var()).collect();
//! solver.add_clause(&[bits[7]]);
//! let (encoding, policy) = (encoding("zero").expect("a row"), policy("global").expect("a row"));
//! let parameters = Parameters { encoding: (encoding.make)(), policy: (policy.make)(), width: 1 };
//! let mut approximation = Approximation::new(parameters);
//! approximation.add(Kind::Symbol, &bits, &mut *solver);
//! let assumptions: Vec<Lit> = approximation.assumptions().collect();
//! assert_eq!(solver.solve(&assumptions, &Budget::UNLIMITED), SatResult::Unsat);
//! // The assumption has failed, so the approximation is widened, until there is a model.
//! let mut failed = assumptions.into_iter().collect();
//! while approximation.refine(&failed, &mut *solver) {
//!     failed = approximation.assumptions().collect();
//! }
//! assert_eq!(approximation.vectors()[0].effective, 8);
//! assert_eq!(solver.solve(&[], &Budget::UNLIMITED), SatResult::Sat);
//! # Ok::<(), bivalve_sat_adapter::UnknownBackend>(())
//! ```
//!
//! Cost: two clauses a restricted bit and step, one variable a group and step.

mod approximation;
pub mod encodings;
pub mod policies;

pub use approximation::{Approximation, Parameters, Statistics};
pub use encodings::{ENCODINGS, Encoding, Restriction};
pub use policies::{Kind, POLICIES, Policy, Vector};
