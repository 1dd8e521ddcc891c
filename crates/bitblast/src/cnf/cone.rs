//! What must be encoded below a node, and as what.
//!
//! Three passes over the part of the cone that has no literals yet. The first collects it. The second goes
//! from parents to children (descending numbers) and decides, for each node that is needed, what defines it;
//! the operands of the definition are needed in turn, and nodes that a pattern has swallowed are not. The
//! third hands out variables and clauses in ascending order.
//!
//! A node may be swallowed only if one edge of the whole graph reads it, and only by the gate above that
//! edge. Counting in the graph and not in the cone keeps the encoding from depending on how questions are
//! cut: an operand that each bit of a vector reads is swallowed by none of them, though each question about
//! one bit sees one reader. A node that was swallowed and is asked for later simply gets its own definition
//! then.
//!
//! Cost: a byte a node of the graph; time linear in the cone, and its sorting; and once a pass over each new
//! node of the graph to count its readers.

use super::clauses::Definition;
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};
use bivalve_sat_adapter::Lit;

/// An edge of the graph reads the node.
const READ: u8 = 1;
/// More than one does.
const SHARED: u8 = 2;
/// The node belongs to the cone.
const IN_CONE: u8 = 4;
/// The node gets a variable.
const NEEDED: u8 = 8;
/// For a majority: two bits that say which pair of operands has its exclusive or encoded.
const PAIR_SHIFT: u8 = 4;

/// The most operands of a flattened conjunction.
const MOST_OPERANDS: usize = 16;

/// The literals of the nodes encoded so far.
type Literals = [Option<Lit>];

/// The cone of one question.
#[derive(Default)]
pub(super) struct Marks {
    by_node: Vec<u8>,
    cone: Vec<u32>,
    needed: Vec<u32>,
    stack: Vec<u32>,
}

impl Marks {
    /// Finds out which nodes below the root need a variable.
    pub(super) fn collect(&mut self, graph: &GateGraph, root: u32, literals: &Literals) {
        self.count_readers(graph);
        self.read_cone(graph, root, literals);
        self.by_node[root as usize] |= NEEDED;
        self.cone.sort_unstable();
        let mut operands = Vec::new();
        for i in (0..self.cone.len()).rev() {
            let node = self.cone[i];
            if self.by_node[node as usize] & NEEDED == 0 {
                continue;
            }
            self.needed.push(node);
            self.choose_pair(graph, node, literals);
            self.definition(graph, node, literals, &mut operands);
            for edge in &operands {
                self.by_node[edge.index()] |= NEEDED;
            }
        }
        self.needed.reverse();
    }

    /// The nodes that need a variable, children before parents.
    pub(super) fn needed(&self) -> &[u32] {
        &self.needed
    }

    /// Forgets the cone.
    pub(super) fn clear(&mut self) {
        for &node in &self.cone {
            self.by_node[node as usize] &= READ | SHARED;
        }
        self.cone.clear();
        self.needed.clear();
    }

    /// What defines a needed node; the operands are left in the buffer.
    pub(super) fn definition(
        &self,
        graph: &GateGraph,
        node: u32,
        literals: &Literals,
        operands: &mut Vec<Edge>,
    ) -> Definition {
        operands.clear();
        match graph.gate(node) {
            Gate::Constant => unreachable!("the constant is not part of a cone"),
            Gate::Input(_) => Definition::Input,
            Gate::And(a, b) => {
                operands.extend([a, b]);
                self.flatten(graph, literals, operands);
                Definition::And
            }
            Gate::Xor(a, b) => {
                operands.extend([a, b]);
                Definition::Xor
            }
            Gate::Ite(c, t, e) => {
                operands.extend([c, t, e]);
                Definition::Ite
            }
            Gate::Maj(a, b, c) => {
                let (x, y, z) = match self.by_node[node as usize] >> PAIR_SHIFT {
                    0 => {
                        operands.extend([a, b, c]);
                        return Definition::Majority;
                    }
                    1 => (a, b, c),
                    2 => (a, c, b),
                    _ => (b, c, a),
                };
                let half = graph.find(Gate::Xor(x, y)).expect("the pair was found before");
                debug_assert!(literals[half.index()].is_some() || self.by_node[half.index()] & IN_CONE != 0);
                operands.extend([half, z, x]);
                Definition::Ite
            }
        }
    }

    /// Takes note of who reads whom, for the nodes that are new in the graph.
    fn count_readers(&mut self, graph: &GateGraph) {
        let known = self.by_node.len();
        self.by_node.resize(graph.len(), 0);
        for node in known..graph.len() {
            let (fanins, count) = graph.gate(node as u32).fanins();
            for edge in &fanins[..count] {
                let mark = &mut self.by_node[edge.index()];
                *mark |= if *mark & READ == 0 { READ } else { SHARED };
            }
        }
    }

    /// Collects the nodes below the root that have no literal.
    fn read_cone(&mut self, graph: &GateGraph, root: u32, literals: &Literals) {
        self.stack.push(root);
        self.by_node[root as usize] |= IN_CONE;
        while let Some(node) = self.stack.pop() {
            self.cone.push(node);
            let (fanins, count) = graph.gate(node).fanins();
            for edge in &fanins[..count] {
                let mark = &mut self.by_node[edge.index()];
                if *mark & IN_CONE == 0 && literals[edge.index()].is_none() {
                    *mark |= IN_CONE;
                    self.stack.push(edge.node());
                }
            }
        }
    }

    /// May the one gate that reads this edge take the node's operands for its own?
    fn is_swallowed(&self, edge: Edge, literals: &Literals) -> bool {
        self.by_node[edge.index()] & (SHARED | NEEDED) == 0 && literals[edge.index()].is_none()
    }

    /// Replaces conjunctions among the operands by their operands, up to [`MOST_OPERANDS`].
    fn flatten(&self, graph: &GateGraph, literals: &Literals, operands: &mut Vec<Edge>) {
        let mut next = 0;
        while next < operands.len() && operands.len() < MOST_OPERANDS {
            let edge = operands[next];
            match graph.gate_of(edge) {
                Gate::And(a, b) if !edge.is_negated() && self.is_swallowed(edge, literals) => {
                    operands[next] = a;
                    operands.push(b);
                }
                _ => next += 1,
            }
        }
        if operands.len() > 2 {
            operands.sort_unstable();
            operands.dedup();
        }
    }

    /// Looks for two operands of a majority whose exclusive or is encoded, or can still be.
    fn choose_pair(&mut self, graph: &GateGraph, node: u32, literals: &Literals) {
        let Gate::Maj(a, b, c) = graph.gate(node) else { return };
        for (pair, (x, y)) in [(1, (a, b)), (2, (a, c)), (3, (b, c))] {
            let Some(half) = graph.find(Gate::Xor(x, y)) else { continue };
            let mark = self.by_node[half.index()];
            // Larger numbers were decided upon before.
            let can_be_needed = mark & IN_CONE != 0 && (half.node() < node || mark & NEEDED != 0);
            if can_be_needed || literals[half.index()].is_some() {
                self.by_node[node as usize] |= pair << PAIR_SHIFT;
                return;
            }
        }
    }
}
