//! The frames ahead of one, as gates: the latches of the first frame are those of the circuit, its inputs
//! too; later frames have inputs of their own, and their latches are functions of what comes before.
//!
//! Cost: a frame has at most the gates of the circuit, and an edge for each of them while it is made.

use crate::ic3::circuit::Circuit;
use bivalve::bitblast::{Edge, Gate, Gates};

/// A frame.
struct Frame {
    inputs: Vec<Edge>,
    /// The values of the latches in the frame behind it.
    next: Vec<Edge>,
    /// Whether all constraints hold in it.
    allowed: Edge,
    bad: Edge,
}

/// A circuit, and frames of it in the same graph.
pub(super) struct Ahead {
    pub(super) circuit: Circuit,
    /// The nodes of the circuit alone.
    nodes: usize,
    /// By node of the circuit: whether something of a frame depends on it.
    matters: Vec<bool>,
    frames: Vec<Frame>,
}

impl Ahead {
    /// No frame yet.
    pub(super) fn new(circuit: Circuit) -> Ahead {
        let graph = circuit.graph();
        let roots = circuit.latches.iter().map(|latch| latch.next);
        let roots = roots.chain(circuit.constraints.iter().copied()).chain([circuit.bad]);
        let (nodes, matters) = (graph.len(), graph.below(roots));
        Ahead { circuit, nodes, matters, frames: vec![] }
    }

    /// The condition that a bad state is reached within so many frames, all of them allowed, the first of
    /// which has the latches of the circuit.
    pub(super) fn reaches_bad(&mut self, frames: usize) -> Edge {
        while self.frames.len() < frames {
            self.extend();
        }
        let graph = self.circuit.graph_mut();
        self.frames[..frames].iter().rev().fold(Edge::FALSE, |later, frame| {
            let now_or_later = graph.or(frame.bad, later);
            graph.and(frame.allowed, now_or_later)
        })
    }

    /// The inputs of a frame.
    pub(super) fn inputs(&self, frame: usize) -> &[Edge] {
        &self.frames[frame].inputs
    }

    fn extend(&mut self) {
        let mut images: Vec<Edge> = (0..self.nodes as u32).map(Edge::positive).collect();
        let mut inputs = self.circuit.inputs.clone();
        if let Some(last) = self.frames.last() {
            for (latch, &value) in self.circuit.latches.iter().zip(&last.next) {
                images[latch.now.index()] = value ^ latch.now.is_negated();
            }
            let graph = self.circuit.graph_mut();
            for input in &mut inputs {
                let image = graph.input();
                images[input.index()] = image ^ input.is_negated();
                *input = image;
            }
            for node in (0..self.nodes).filter(|&node| self.matters[node]) {
                if let Some(gate) = moved(graph.gate(node as u32), |edge| image(&images, edge)) {
                    images[node] = graph.build(gate);
                }
            }
        }
        let next = self.circuit.latches.iter().map(|latch| image(&images, latch.next)).collect();
        let constraints: Vec<Edge> =
            self.circuit.constraints.iter().map(|&constraint| image(&images, constraint)).collect();
        let bad = image(&images, self.circuit.bad);
        let graph = self.circuit.graph_mut();
        let allowed = constraints.into_iter().fold(Edge::TRUE, |all, edge| graph.and(all, edge));
        self.frames.push(Frame { inputs, next, allowed, bad });
    }

    /// How many of these frames there are up to the first bad one.
    pub(super) fn until_bad(&self, mut state: Vec<bool>, inputs: &[Vec<bool>]) -> usize {
        let (circuit, graph) = (&self.circuit, self.circuit.graph());
        let value = |values: &[u64], edge: Edge| (values[edge.index()] & 1 == 1) != edge.is_negated();
        for (frame, inputs) in inputs.iter().enumerate() {
            let mut values = vec![0; self.nodes];
            let mut set = |edge: Edge, bit: bool| {
                values[edge.index()] = if bit == edge.is_negated() { 0 } else { u64::MAX };
            };
            circuit.latches.iter().zip(&state).for_each(|(latch, &bit)| set(latch.now, bit));
            circuit.inputs.iter().zip(inputs).for_each(|(&input, &bit)| set(input, bit));
            for node in (0..self.nodes).filter(|&node| self.matters[node]) {
                let word = |edge: Edge| values[edge.index()] ^ if edge.is_negated() { u64::MAX } else { 0 };
                if let Some(word) = graph.gate(node as u32).evaluated(word) {
                    values[node] = word;
                }
            }
            if value(&values, circuit.bad) {
                return frame + 1;
            }
            state = circuit.latches.iter().map(|latch| value(&values, latch.next)).collect();
        }
        inputs.len()
    }
}

fn image(images: &[Edge], edge: Edge) -> Edge {
    images[edge.index()] ^ edge.is_negated()
}

/// A gate over other edges; `None` for a leaf.
fn moved(gate: Gate, image: impl Fn(Edge) -> Edge) -> Option<Gate> {
    Some(match gate {
        Gate::Constant | Gate::Input(_) => return None,
        Gate::And(a, b) => Gate::And(image(a), image(b)),
        Gate::Xor(a, b) => Gate::Xor(image(a), image(b)),
        Gate::Ite(a, b, c) => Gate::Ite(image(a), image(b), image(c)),
        Gate::Maj(a, b, c) => Gate::Maj(image(a), image(b), image(c)),
    })
}
