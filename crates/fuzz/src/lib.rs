//! # bivalve-fuzz
//!
//! Formulas to test solvers with, any solver that reads SMT-LIB 2. Everything follows from a seed and a
//! number: formula 4711 of seed 1 is the same on every machine, whatever was made before it, so a finding is
//! repeated by its number alone. Nothing here starts a process, reads a clock or prints.
//!
//! | module | makes |
//! |---|---|
//! | [`formula`], [`theory`] | small formulas from the root down, many of known status |
//! | [`layered`] | formulas and sessions from the leaves up, in the layers of the thesis |
//! | [`construct`] | formulas of known status by construction, each with a model or a core |
//! | [`identities`] | what tools for smart contracts ask: identities of wide words, and near-identities |
//! | [`case`] | a formula and what is known of it, as text that every solver reads |
//! | [`session`] | commands that push, pop, assert, assume and ask, as data and as scripts |
//! | [`systems`] | small transition systems |
//! | [`fifo`] | two queues that never differ, in any size |
//! | [`nasty`] | inputs that break readers, by name |
//! | [`certificate`] | certificates of unsatisfiability with one thing altered |
//! | [`mutation`], [`damage`] | scripts broken by bytes, tokens and trees; inputs broken as a whole |
//! | [`plain`] | the same formula in operators that every solver has |
//!
//! ```
//! use bivalve_fuzz::construct::{Construction, Kind, Options, Theory};
//! use bivalve_fuzz::layered::{Goal, Shape};
//!
//! // A random formula over arrays, and a model of it.
//! let shape = Shape { goal: Goal::Planted, ..Shape::arrays() };
//! let case = shape.case(1, 4711);
//! assert_eq!(case.model_holds(), Some(true));
//! assert!(case.script().contains("(set-info :status sat)"));
//!
//! // All contradictions between an operation on 8 bits and an equivalent one.
//! let options = Options { theory: Theory::Bits, width: 8, ..Options::default() };
//! let construction = Construction::new(options)?;
//! assert!(construction.all(Kind::Contradiction).all(|(_, case)| case.status() == Some(false)));
//! # Ok::<(), String>(())
//! ```

mod axioms;
pub mod case;
pub mod certificate;
pub mod construct;
pub mod damage;
pub mod fifo;
mod floats;
pub mod formula;
pub mod identities;
pub mod layered;
pub mod mixture;
pub mod mutation;
pub mod nasty;
pub mod plain;
mod quantified;
pub mod seeds;
pub mod session;
mod session_script;
mod shaped;
pub mod systems;
pub mod theory;

/// A seed of its own for each number of a campaign: SplitMix64 (Steele, Lea and Flood, 2014), so that
/// neighbours have nothing in common.
pub fn seed_of(campaign: u64, number: u64) -> u64 {
    let mut z = campaign.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
