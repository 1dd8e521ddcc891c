//! Rewriting of gates: normal forms, and rules that look two levels deep.
//!
//! *Normal forms* see the edges of a gate only: constants, equal and complementary operands vanish; operands
//! are ordered where order does not matter; negations move outwards where the function lets them. What is
//! left is one form for each function of its operands.
//!
//! *Rules* also see the gates below the operands. They are the two-level rules of Brummayer and Biere (*Local
//! two-level And-Inverter Graph minimization without blowup*, MEMICS 2006) and their like for exclusive or,
//! if-then-else and majority. Most of the published rules are one idea, the *cofactor*: a conjunction `y & x`
//! only matters where `y` is true, so `x` may be replaced by its value there, if that can be seen one
//! level down. With `y` = `!a`, `x` = `a & b` this is contradiction, with `y` = `a` idempotence, with `x` =
//! `!(a & b)` subsumption and substitution; for an exclusive or and an if-then-else below `y` it is their
//! like. What remains (resolution, recognition of XOR and ITE in ANDs) has a rule of its own.
//!
//! A rule never adds a node beyond the one that was asked for ([`merged_choices`] may add one). It ends,
//! because every step makes the pair (largest operand, sum of operands) smaller, in the order of node
//! numbers: operands are replaced by their children.
//!
//! Cost: constant time a gate, at most a dozen look-ups of nodes.

mod and;
mod ite;
mod maj;
mod xor;

pub(crate) use ite::merged as merged_choices;

use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};

/// What a gate is equal to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// An edge that exists.
    Edge(Edge),
    /// Another gate, negated if the flag is set.
    Gate(Gate, bool),
}

impl Step {
    fn and(a: Edge, b: Edge) -> Step {
        Step::Gate(Gate::And(a, b), false)
    }

    fn or(a: Edge, b: Edge) -> Step {
        Step::Gate(Gate::And(!a, !b), true)
    }

    fn xor(a: Edge, b: Edge) -> Step {
        Step::Gate(Gate::Xor(a, b), false)
    }

    fn ite(cond: Edge, then: Edge, other: Edge) -> Step {
        Step::Gate(Gate::Ite(cond, then, other), false)
    }

    fn maj(a: Edge, b: Edge, c: Edge) -> Step {
        Step::Gate(Gate::Maj(a, b, c), false)
    }

    fn negated_if(self, negate: bool) -> Step {
        match self {
            Step::Edge(edge) => Step::Edge(edge ^ negate),
            Step::Gate(gate, flip) => Step::Gate(gate, flip ^ negate),
        }
    }
}

/// The normal form of a gate: an edge, or a gate that is in normal form.
pub(crate) fn normalise(gate: Gate) -> Step {
    let mut negate = false;
    let mut gate = gate;
    loop {
        let step = match gate {
            Gate::And(a, b) => and::normalise(a, b),
            Gate::Xor(a, b) => xor::normalise(a, b),
            Gate::Ite(c, t, e) => ite::normalise(c, t, e),
            Gate::Maj(a, b, c) => maj::normalise(a, b, c),
            Gate::Constant | Gate::Input(_) => unreachable!("leaves are not built as gates"),
        };
        match step {
            Step::Gate(next, flip) if next != gate => {
                negate ^= flip;
                gate = next;
            }
            last => return last.negated_if(negate),
        }
    }
}

/// What a gate in normal form is equal to, if a rule says so.
pub(crate) fn rewrite(graph: &GateGraph, gate: Gate) -> Option<Step> {
    match gate {
        Gate::And(a, b) => and::rewrite(graph, a, b),
        Gate::Xor(a, b) => xor::rewrite(graph, a, b),
        Gate::Ite(c, t, e) => ite::rewrite(graph, c, t, e),
        Gate::Maj(a, b, c) => maj::rewrite(graph, a, b, c),
        Gate::Constant | Gate::Input(_) => None,
    }
}

/// The value of `edge` where `fact` is true, if one level down shows an edge for it.
fn cofactor(graph: &GateGraph, edge: Edge, fact: Edge) -> Option<Edge> {
    let inside = match graph.gate_of(edge) {
        Gate::And(a, b) if a == fact => b,
        Gate::And(a, b) if b == fact => a,
        Gate::And(a, b) if a == !fact || b == !fact => Edge::FALSE,
        Gate::Xor(a, b) if a == fact.abs() => !b ^ fact.is_negated(),
        Gate::Xor(a, b) if b == fact.abs() => !a ^ fact.is_negated(),
        Gate::Ite(c, t, e) if c == fact.abs() => [t, e][usize::from(fact.is_negated())],
        Gate::Constant | Gate::Input(_) | Gate::And(..) | Gate::Xor(..) | Gate::Ite(..) | Gate::Maj(..) => {
            return None;
        }
    };
    Some(inside ^ edge.is_negated())
}

/// A conjunction below an edge, whatever the sign of the edge.
fn as_and(graph: &GateGraph, edge: Edge) -> Option<(Edge, Edge)> {
    match graph.gate_of(edge) {
        Gate::And(a, b) => Some((a, b)),
        _ => None,
    }
}

/// An exclusive or below an edge, whatever the sign of the edge.
fn as_xor(graph: &GateGraph, edge: Edge) -> Option<(Edge, Edge)> {
    match graph.gate_of(edge) {
        Gate::Xor(a, b) => Some((a, b)),
        _ => None,
    }
}
