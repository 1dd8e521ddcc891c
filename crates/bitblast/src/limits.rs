//! What the bit-blaster refuses, and the limits it keeps.
//!
//! A limit on gates is a limit on memory that is the same on every machine: the size of a circuit is bounded
//! before it is begun (see [`bound`](crate::circuits::bound)), so a refusal comes at once and costs nothing.
//! The stop flag is looked at between circuits, and every few thousand gates within one.

use crate::graph::GateGraph;
use bivalve_sat_adapter::{Stop, Why};
use bivalve_terms::Term;
use thiserror::Error;

/// How far the bit-blaster may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Terms that might take the graph beyond this number of nodes (20 to 24 bytes each) are refused. The
    /// graph has a limit of its own, [`GateGraph::MAX_NODES`].
    pub gates: u64,
    /// Ends the work from outside.
    pub stop: &'a Stop,
}

impl Limits<'_> {
    /// How many gates a graph may still get.
    pub(crate) fn room(&self, graph: &GateGraph) -> u64 {
        self.gates.min(GateGraph::MAX_NODES as u64).saturating_sub(graph.len() as u64)
    }
}

/// Why a term has no bits. What was built before stays usable, and the term may be asked for again.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum BlastError {
    /// The term is neither a Boolean nor a bit-vector.
    #[error("a term of sort {sort} has no bits")]
    NotBits {
        /// The term asked for.
        term: Term,
        /// Its sort, in SMT-LIB syntax.
        sort: String,
    },
    /// The operator of a term has no circuit: it binds variables, or is of a theory that is lowered.
    #[error("'{operator}' has no circuit")]
    NoCircuit {
        /// The term; at or below the term asked for.
        term: Term,
        /// The name of its operator.
        operator: &'static str,
    },
    /// The gates of a term might not fit within the limit.
    #[error("a term may need {needed} gates or bits, and there is room for {room}")]
    TooLarge {
        /// The term that was refused; at or below the term asked for.
        term: Term,
        /// The gates or bits it may need.
        needed: u64,
        /// The gates or bits there is room for.
        room: u64,
    },
    /// The flag in the limits was raised.
    #[error("{0}")]
    Stopped(Why),
}

/// The reason a question stays open when its term could not be blasted.
impl From<BlastError> for Why {
    fn from(error: BlastError) -> Why {
        match error {
            BlastError::NotBits { .. } => Why::Backend("a term that has no bits was asserted"),
            BlastError::NoCircuit { .. } => Why::Incomplete("what is quantified has no circuit"),
            BlastError::TooLarge { .. } => Why::Budget,
            BlastError::Stopped(why) => why,
        }
    }
}
