//! The part of a gate graph below some edges, in conjunctions only.
//!
//! And-Inverter Graphs know one gate. Each other gate becomes three or four conjunctions, hashed, so that the
//! half adder shares `a & b` between its exclusive or and its carry, and a full adder is seven:
//!
//! ```text
//! a ^ b        = !(a & b) & !(!a & !b)
//! ite(c, t, e) = !(!(c & t) & !(!c & e))
//! maj(a, b, c) = !(!(a & b) & !(c & (a ^ b)))     when a ^ b is at hand, else with !(!a & !b) in its place
//! ```
//!
//! Inputs are numbered from 1, conjunctions from there on, children first; literals are twice the number plus
//! the sign. That is the numbering of an AIGER file, and of a plain Tseitin encoding, for comparison.

use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};
use rustc_hash::FxHashMap;

/// A cone in conjunctions.
#[derive(Default, Debug)]
pub struct AndGraph {
    inputs: Vec<Edge>,
    ands: Vec<[u32; 2]>,
    outputs: Vec<u32>,
}

/// The literal of false.
const FALSE: u32 = 0;

struct Builder<'a> {
    graph: &'a GateGraph,
    /// By node of the graph: its literal.
    literals: FxHashMap<u32, u32>,
    known: FxHashMap<[u32; 2], u32>,
    result: AndGraph,
}

impl AndGraph {
    /// The cone of the edges.
    pub fn new(graph: &GateGraph, roots: &[Edge]) -> AndGraph {
        let mut builder = Builder::of_cone(graph, roots);
        builder.result.outputs = roots.iter().map(|&root| builder.literal(root)).collect();
        builder.result
    }

    /// The cone of one output, which is true where each clause has a true edge.
    pub fn of_clauses(graph: &GateGraph, clauses: &[Vec<Edge>]) -> AndGraph {
        let mut builder = Builder::of_cone(graph, &clauses.concat());
        let mut all = FALSE ^ 1;
        for clause in clauses {
            let none = clause.iter().fold(FALSE ^ 1, |none, &edge| {
                let literal = builder.literal(edge);
                builder.and(none, literal ^ 1)
            });
            all = builder.and(all, none ^ 1);
        }
        builder.result.outputs = vec![all];
        builder.result
    }

    /// The inputs of the cone; the first has literal 2, the next 4.
    pub fn inputs(&self) -> &[Edge] {
        &self.inputs
    }

    /// The operands of each conjunction, the larger literal first; the literals of the conjunctions follow
    /// those of the inputs.
    pub fn ands(&self) -> &[[u32; 2]] {
        &self.ands
    }

    /// The literals of the edges asked for, in their order.
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }
}

impl<'a> Builder<'a> {
    /// The gates below the edges, without outputs.
    fn of_cone(graph: &'a GateGraph, roots: &[Edge]) -> Builder<'a> {
        let below = graph.below(roots.iter().copied());
        let cone: Vec<u32> = (1..graph.len() as u32).filter(|&node| below[node as usize]).collect();
        let mut result = AndGraph::default();
        let mut literals = FxHashMap::from_iter([(0, FALSE)]);
        let is_input = |node: u32| matches!(graph.gate(node), Gate::Input(_));
        for &node in cone.iter().filter(|&&node| is_input(node)) {
            result.inputs.push(Edge::positive(node));
            literals.insert(node, 2 * result.inputs.len() as u32);
        }
        let mut builder = Builder { graph, literals, known: FxHashMap::default(), result };
        for &node in &cone {
            builder.add(node);
        }
        builder
    }

    fn add(&mut self, node: u32) {
        let literal = match self.graph.gate(node) {
            Gate::Constant | Gate::Input(_) => return,
            Gate::And(a, b) => self.and(self.literal(a), self.literal(b)),
            Gate::Xor(a, b) => {
                let (a, b) = (self.literal(a), self.literal(b));
                let (both, neither) = (self.and(a, b), self.and(a ^ 1, b ^ 1));
                self.and(both ^ 1, neither ^ 1)
            }
            Gate::Ite(c, t, e) => {
                let (c, t, e) = (self.literal(c), self.literal(t), self.literal(e));
                let (then, other) = (self.and(c, t), self.and(c ^ 1, e));
                self.and(then ^ 1, other ^ 1) ^ 1
            }
            Gate::Maj(a, b, c) => self.majority(a, b, c),
        };
        self.literals.insert(node, literal);
    }

    fn majority(&mut self, a: Edge, b: Edge, c: Edge) -> u32 {
        for (x, y, z) in [(a, b, c), (a, c, b), (b, c, a)] {
            let half = self.graph.find(Gate::Xor(x, y));
            if let Some(half) = half.filter(|half| self.literals.contains_key(&half.node())) {
                let (x, y, z, half) = (self.literal(x), self.literal(y), self.literal(z), self.literal(half));
                let (both, carried) = (self.and(x, y), self.and(z, half));
                return self.and(both ^ 1, carried ^ 1) ^ 1;
            }
        }
        let (a, b, c) = (self.literal(a), self.literal(b), self.literal(c));
        let (both, neither) = (self.and(a, b), self.and(a ^ 1, b ^ 1));
        let carried = self.and(c, neither ^ 1);
        self.and(both ^ 1, carried ^ 1) ^ 1
    }

    fn literal(&self, edge: Edge) -> u32 {
        self.literals[&edge.node()] ^ u32::from(edge.is_negated())
    }

    fn and(&mut self, a: u32, b: u32) -> u32 {
        let key = [a.max(b), a.min(b)];
        match key {
            [_, FALSE] => return FALSE,
            [a, 1] => return a,
            [a, b] if a == b => return a,
            [a, b] if a == b ^ 1 => return FALSE,
            _ => {}
        }
        let AndGraph { inputs, ands, .. } = &mut self.result;
        *self.known.entry(key).or_insert_with(|| {
            ands.push(key);
            2 * (inputs.len() + ands.len()) as u32
        })
    }
}
