//! The gate graph: one node for each Boolean function that was built, as far as local rules can see.
//!
//! An And-Inverter Graph (Kuehlmann, Ganai, Paruthi, *Circuit-based Boolean reasoning*, DAC 2001) that also
//! knows exclusive or, if-then-else and majority as nodes of their own. In a plain AIG a full adder is seven
//! ANDs in which no pattern matcher finds the adder again once a half-sum is shared with the carry; here it
//! is two exclusive ors and one majority, and the encoder picks clauses for what it was, not for what it was
//! broken into.
//!
//! Every gate goes through [`GateGraph::build`]: it is brought to normal form (see [`crate::rules`]), looked
//! up, rewritten two levels deep when it is new, and only then stored. Because normal forms pull negations
//! out (`xor(!a, b)` is `!xor(a, b)`, `ite(!c, a, b)` is `ite(c, b, a)`, majority is its own dual), more
//! functions meet in one node. A stored gate is irreducible for ever, since rules look at structure only and
//! structure never changes; so a hit in the table may answer before any rule is tried.
//!
//! Nodes are numbered from 0, the constant, and children have smaller numbers than parents: bottom-up
//! computations loop over a range or a sorted list, and no walk needs the stack.
//!
//! Quotient and remainder of the same bits come from one division, whichever is asked for first: divisions
//! are remembered by their operands, since finding all their gates again would cost as much as building them.
//!
//! Cost: 12 bytes a node for three edges, and a table entry of 5 bytes at a load of 44 to 88 %. The third
//! edge of a binary gate holds its kind; majority is told from if-then-else by a bit that normal forms leave
//! free.

use crate::circuits::divider;
use crate::edge::Edge;
use crate::gates::Gates;
use crate::rules::{self, Step};
use bivalve_sat_adapter::Stop;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cmp::Ordering;

/// A gate over edges, or a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// Node 0: false.
    Constant,
    /// A free bit; inputs are numbered from 0 in the order they were made.
    Input(u32),
    /// Conjunction.
    And(Edge, Edge),
    /// Exclusive or.
    Xor(Edge, Edge),
    /// The second where the first is true, else the third.
    Ite(Edge, Edge, Edge),
    /// At least two of three.
    Maj(Edge, Edge, Edge),
}

impl Gate {
    /// The edges a gate reads, in order; unused places are filled with [`Edge::FALSE`], the number says how
    /// many count.
    #[inline]
    pub fn fanins(self) -> ([Edge; 3], usize) {
        match self {
            Gate::Constant | Gate::Input(_) => ([Edge::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, Edge::FALSE], 2),
            Gate::Ite(a, b, c) | Gate::Maj(a, b, c) => ([a, b, c], 3),
        }
    }

    /// The value of a gate under 64 assignments, a bit for each, given those of the edges that it reads;
    /// `None` for an input.
    #[inline]
    pub fn evaluated(self, value: impl Fn(Edge) -> u64) -> Option<u64> {
        Some(match self {
            Gate::Constant => 0,
            Gate::Input(_) => return None,
            Gate::And(a, b) => value(a) & value(b),
            Gate::Xor(a, b) => value(a) ^ value(b),
            Gate::Ite(c, t, e) => (value(c) & value(t)) | (!value(c) & value(e)),
            Gate::Maj(a, b, c) => (value(a) & value(b)) | (value(c) & (value(a) | value(b))),
        })
    }
}

/// How many nodes of each kind a graph holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct GateCounts {
    /// Free bits.
    pub inputs: u32,
    /// Binary conjunctions.
    pub and: u32,
    /// Binary exclusive ors.
    pub xor: u32,
    /// Multiplexers.
    pub ite: u32,
    /// Majorities.
    pub maj: u32,
}

impl GateCounts {
    /// All gates; inputs and the constant are none.
    pub fn gates(&self) -> u32 {
        self.and + self.xor + self.ite + self.maj
    }
}

/// Gates made between two looks at the flag that ends a circuit.
pub(crate) const POLL: usize = 1 << 12;

/// Third words that are not edges: the kind of a node with fewer than three.
const AND: u32 = u32::MAX;
const XOR: u32 = u32::MAX - 1;
const INPUT: u32 = u32::MAX - 2;
const CONSTANT: u32 = u32::MAX - 3;

/// A node as it is stored. In a three-input node the sign of the first edge is free (normal forms make it
/// positive) and says that the node is a majority.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node([u32; 3]);

impl Node {
    /// The node of a gate in normal form.
    #[inline]
    fn of(gate: Gate) -> Node {
        Node(match gate {
            Gate::Constant => [0, 0, CONSTANT],
            Gate::Input(number) => [number, 0, INPUT],
            Gate::And(a, b) => [a.code(), b.code(), AND],
            Gate::Xor(a, b) => [a.code(), b.code(), XOR],
            Gate::Ite(a, b, c) => [a.code(), b.code(), c.code()],
            Gate::Maj(a, b, c) => [(!a).code(), b.code(), c.code()],
        })
    }

    #[inline]
    fn gate(self) -> Gate {
        let Node([first, second, third]) = self;
        let (a, b) = (Edge::from_code(first), Edge::from_code(second));
        match third {
            AND => Gate::And(a, b),
            XOR => Gate::Xor(a, b),
            INPUT => Gate::Input(first),
            CONSTANT => Gate::Constant,
            _ if a.is_negated() => Gate::Maj(!a, b, Edge::from_code(third)),
            _ => Gate::Ite(a, b, Edge::from_code(third)),
        }
    }

    #[inline]
    fn hash(self) -> u64 {
        let Node([a, b, c]) = self;
        let mixed = (u64::from(a) | u64::from(b) << 32)
            .wrapping_add(u64::from(c).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let product = u128::from(mixed) * 0xD6E8_FEB8_6659_FD93;
        (product ^ (product >> 64)) as u64
    }
}

/// A growing set of gates; see the head of this file.
pub struct GateGraph {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    counts: GateCounts,
    /// Quotient and remainder, one behind the other, by dividend and divisor, likewise.
    divisions: FxHashMap<Box<[Edge]>, Box<[Edge]>>,
    /// Whether gates are only found again, and not rewritten.
    is_plain: bool,
    /// What ends a large circuit early.
    stop: Option<Stop>,
    /// It did: whatever is built now is false, and no gates are made.
    is_stopped: bool,
}

impl Default for GateGraph {
    fn default() -> GateGraph {
        GateGraph::new()
    }
}

impl GateGraph {
    /// The greatest number of nodes a graph can hold.
    pub const MAX_NODES: usize = (CONSTANT >> 1) as usize;

    /// A graph that holds nothing but the constant.
    pub fn new() -> GateGraph {
        GateGraph {
            nodes: vec![Node::of(Gate::Constant)],
            table: HashTable::new(),
            counts: GateCounts::default(),
            divisions: FxHashMap::default(),
            is_plain: false,
            stop: None,
            is_stopped: false,
        }
    }

    /// A graph in which gates have the operands that they were made with, but for normal forms: no rule looks
    /// two levels deep.
    pub fn plain() -> GateGraph {
        GateGraph { is_plain: true, ..GateGraph::new() }
    }

    /// From here on rules are used.
    pub fn use_rules(&mut self) {
        self.is_plain = false;
    }

    /// The number of nodes, the constant and the inputs among them. Every edge points below it.
    #[expect(clippy::len_without_is_empty, reason = "a graph is never empty: it holds the constant")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes of each kind there are.
    pub fn counts(&self) -> GateCounts {
        self.counts
    }

    /// Bytes allocated for nodes and table.
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.table.allocation_size()
    }

    /// A new free bit.
    pub fn input(&mut self) -> Edge {
        let number = self.counts.inputs;
        self.counts.inputs += 1;
        self.push(Node::of(Gate::Input(number)))
    }

    /// Ends the next circuits early when the flag is raised: gates are made no more, so that the circuit
    /// comes to its end soon, with bits that mean nothing.
    pub(crate) fn stop_by(&mut self, stop: &Stop) {
        self.stop = Some(stop.clone());
    }

    /// The next circuits are made to their ends. Returns whether one since the last call was not.
    pub(crate) fn was_stopped(&mut self) -> bool {
        self.stop = None;
        std::mem::take(&mut self.is_stopped)
    }

    /// The gate at a node.
    #[inline]
    pub fn gate(&self, node: u32) -> Gate {
        self.nodes[node as usize].gate()
    }

    /// The gate an edge points to, whatever the sign of the edge.
    #[inline]
    pub fn gate_of(&self, edge: Edge) -> Gate {
        self.nodes[edge.index()].gate()
    }

    /// By node: is it at or below one of these edges?
    pub fn below(&self, edges: impl IntoIterator<Item = Edge>) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut todo: Vec<u32> = edges.into_iter().map(Edge::node).collect();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                let (fanins, count) = self.gate(node).fanins();
                todo.extend(fanins[..count].iter().map(|edge| edge.node()));
            }
        }
        seen
    }

    /// The edge of a gate: an older one where structure or a rule says so, else a new node.
    ///
    /// Panics when asked for a leaf, and when the graph is full ([`GateGraph::MAX_NODES`]); the bit-blaster
    /// refuses terms before that.
    pub fn build(&mut self, gate: Gate) -> Edge {
        let (mut gate, mut negate) = (gate, false);
        if self.is_stopped {
            return Edge::FALSE;
        }
        loop {
            let normal = match rules::normalise(gate) {
                Step::Edge(edge) => return edge ^ negate,
                Step::Gate(normal, flip) => {
                    negate ^= flip;
                    normal
                }
            };
            let node = Node::of(normal);
            let hash = node.hash();
            if let Some(&id) = self.table.find(hash, |&id| self.nodes[id as usize] == node) {
                return Edge::positive(id) ^ negate;
            }
            let rewritten = if self.is_plain { None } else { rules::rewrite(self, normal) };
            match rewritten {
                Some(Step::Edge(edge)) => return edge ^ negate,
                Some(Step::Gate(next, flip)) => {
                    negate ^= flip;
                    gate = next;
                }
                None => return self.insert(node, hash) ^ negate,
            }
        }
    }

    /// The edge of a gate if it is there already, without making anything. Only structure counts: rules that
    /// would rewrite the gate are not tried. `None` for leaves, too.
    pub fn find(&self, gate: Gate) -> Option<Edge> {
        if let Gate::Constant | Gate::Input(_) = gate {
            return None;
        }
        match rules::normalise(gate) {
            Step::Edge(edge) => Some(edge),
            Step::Gate(normal, flip) => {
                let node = Node::of(normal);
                let found = self.table.find(node.hash(), |&id| self.nodes[id as usize] == node);
                found.map(|&id| Edge::positive(id) ^ flip)
            }
        }
    }

    fn insert(&mut self, node: Node, hash: u64) -> Edge {
        match node.gate() {
            Gate::And(..) => self.counts.and += 1,
            Gate::Xor(..) => self.counts.xor += 1,
            Gate::Ite(..) => self.counts.ite += 1,
            Gate::Maj(..) => self.counts.maj += 1,
            Gate::Constant | Gate::Input(_) => unreachable!("leaves are not hashed"),
        }
        let edge = self.push(node);
        if edge.index().is_multiple_of(POLL) {
            self.is_stopped = self.stop.as_ref().is_some_and(|stop| stop.reason().is_some());
        }
        let nodes = &self.nodes;
        self.table.insert_unique(hash, edge.node(), |&id| nodes[id as usize].hash());
        edge
    }

    fn push(&mut self, node: Node) -> Edge {
        assert!(
            self.nodes.len() < GateGraph::MAX_NODES,
            "the bit-blaster refuses terms before the graph is full"
        );
        let edge = Edge::positive(self.nodes.len() as u32);
        if self.nodes.len() == self.nodes.capacity() {
            // By a half rather than to the double: the graph is most of the memory of a large problem.
            self.nodes.reserve_exact((self.nodes.len() / 2).max(64));
        }
        self.nodes.push(node);
        edge
    }
}

impl Gates for GateGraph {
    type Bit = Edge;

    fn constant(&mut self, value: bool) -> Edge {
        Edge::constant(value)
    }

    fn as_constant(&self, bit: Edge) -> Option<bool> {
        bit.as_constant()
    }

    fn is_same(&self, a: Edge, b: Edge) -> bool {
        a == b
    }

    fn order(&self, a: &[Edge], b: &[Edge]) -> Ordering {
        a.cmp(b)
    }

    fn not(&mut self, a: Edge) -> Edge {
        !a
    }

    fn and(&mut self, a: Edge, b: Edge) -> Edge {
        self.build(Gate::And(a, b))
    }

    fn xor(&mut self, a: Edge, b: Edge) -> Edge {
        self.build(Gate::Xor(a, b))
    }

    fn ite(&mut self, cond: Edge, then: Edge, other: Edge) -> Edge {
        self.build(Gate::Ite(cond, then, other))
    }

    fn choose(&mut self, cond: Edge, then: &[Edge], other: &[Edge]) -> Vec<Edge> {
        let choose = |(&then, &other)| match rules::merged_choices(self, cond, then, other) {
            Some((both, then, other)) => {
                let both = self.build(both);
                self.build(Gate::Ite(both, then, other))
            }
            None => self.build(Gate::Ite(cond, then, other)),
        };
        then.iter().zip(other).map(choose).collect()
    }

    fn maj(&mut self, a: Edge, b: Edge, c: Edge) -> Edge {
        self.build(Gate::Maj(a, b, c))
    }

    fn divide(&mut self, a: &[Edge], b: &[Edge]) -> (Vec<Edge>, Vec<Edge>) {
        let operands: Box<[Edge]> = [a, b].concat().into();
        if let Some(known) = self.divisions.get(&operands) {
            let (quotient, remainder) = known.split_at(a.len());
            return (quotient.to_vec(), remainder.to_vec());
        }
        let (quotient, remainder) = divider::divide(self, a, b);
        if self.is_stopped {
            return (quotient, remainder);
        }
        self.divisions.insert(operands, [&quotient[..], &remainder].concat().into());
        (quotient, remainder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuits::multiplier;
    use bivalve_sat_adapter::Why;

    /// A circuit that is stopped makes a few thousand gates more; later ones are what they would have been.
    #[test]
    fn a_stopped_circuit_ends_soon_and_leaves_right_gates() {
        let (mut stopped, mut whole) = (GateGraph::new(), GateGraph::new());
        let [a, b]: [Vec<Edge>; 2] = [(); 2].map(|()| (0..128).map(|_| stopped.input()).collect());
        for _ in 0..256 {
            whole.input();
        }
        let stop = Stop::new();
        stop.stop(Why::TimeLimit);
        stopped.stop_by(&stop);
        multiplier::mul(&mut stopped, &a, &b);
        assert!(stopped.len() < 2 * POLL && stopped.was_stopped());
        let (again, expected) = (multiplier::mul(&mut stopped, &a, &b), multiplier::mul(&mut whole, &a, &b));
        assert!(!stopped.was_stopped());
        assert_eq!((again, stopped.len()), (expected, whole.len()));
    }
}
