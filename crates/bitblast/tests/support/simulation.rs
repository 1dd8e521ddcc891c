//! Simulation: 64 assignments at a time.
//!
//! A word holds one bit for each of 64 assignments, so one pass over the nodes in order evaluates the graph
//! on all of them with a few machine operations a gate. Integration tests and tests of the crate share this
//! file, so it names what stands in the module above.

use super::{Edge, Gate, GateGraph};

/// The values of all nodes of a graph under 64 assignments.
pub(crate) struct Simulation {
    words: Vec<u64>,
}

impl Simulation {
    /// Evaluates all nodes. `input(i)` gives the values of the `i`-th input, in the order the inputs were
    /// made: bit `k` is its value in the `k`-th assignment.
    pub(crate) fn new(graph: &GateGraph, mut input: impl FnMut(u32) -> u64) -> Simulation {
        let mut words: Vec<u64> = Vec::with_capacity(graph.len());
        for node in 0..graph.len() as u32 {
            let value = |edge: Edge| words[edge.index()] ^ (edge.is_negated() as u64).wrapping_neg();
            words.push(match graph.gate(node) {
                Gate::Input(number) => input(number),
                gate => gate.evaluated(value).expect("all but inputs have values"),
            });
        }
        Simulation { words }
    }

    /// The values of an edge: bit `k` is its value in the `k`-th assignment.
    pub(crate) fn word(&self, edge: Edge) -> u64 {
        self.words[edge.index()] ^ (edge.is_negated() as u64).wrapping_neg()
    }
}
