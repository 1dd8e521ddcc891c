//! # bivalve-bitblast
//!
//! From terms over bit-vectors to gates, and from gates to clauses.
//!
//! - [`Gates`] is what [`circuits`] are written over; [`GateGraph`], [`Evaluate`] and [`Estimate`] implement
//!   it.
//! - [`BitBlaster`] gives the bits of a term as [`Edge`]s of its graph, on demand.
//! - [`CnfEncoder`] gives the literal of an edge, and asserts edges, on demand.
//! - [`write_aiger`] writes the gates below some edges as an AIGER file; [`AndGraph`] is what it writes.
//!
//! ```
//! use bivalve_bitblast::{BitBlaster, CnfEncoder};
//! use bivalve_sat_adapter::CnfLog;
//! use bivalve_terms::{Op, Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let x = pool.symbol("x", Sort::bitvec(8).expect("a legal width"));
//! let square = pool.mk(Op::BvMul, &[x, x]);
//! let nine = pool.bv_u64(9, 8);
//! let goal = pool.mk(Op::Eq, &[square, nine]);
//!
//! let mut blaster = BitBlaster::new();
//! let root = blaster.bits(&pool, goal)?[0];
//! let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
//! encoder.assert_root(blaster.graph(), root, &mut clauses);
//! assert!(clauses.len() > 8);
//! # Ok::<(), bivalve_bitblast::BlastError>(())
//! ```

mod aiger;
mod and_graph;
mod blaster;
pub mod circuits;
mod cnf;
mod cost;
mod demand;
mod edge;
mod encoder;
mod estimate;
mod evaluate;
mod gates;
mod graph;
mod limits;
#[cfg(feature = "faults")]
mod planted;
mod rules;
#[cfg(test)]
#[path = "../tests/support/simulation.rs"]
mod simulation;
mod weights;

pub use aiger::{AigerFormat, input_name, write_aiger, write_aiger_clauses};
pub use and_graph::AndGraph;
pub use blaster::{BitBlaster, MOST_ELEMENT_BITS, value_of_bits};
pub use cnf::{CnfEncoder, CnfStatistics};
pub use cost::{cost, gates};
pub use edge::Edge;
pub use encoder::{Clock, Encoded, Encoder, EncoderSeconds, EncoderStatistics, SolverFactory};
pub use estimate::{Estimate, Known};
pub use evaluate::Evaluate;
pub use gates::Gates;
pub use graph::{Gate, GateCounts, GateGraph};
pub use limits::{BlastError, Limits};
pub use weights::{Relation, WordStatistics, relations};
