//! Exclusive or: normal form and two-level rules.
//!
//! ```text
//! cancel         a ^ (a ^ b)          = b
//! cancel         (a ^ b) ^ (a ^ c)    = b ^ c
//! absorb         a ^ (a & b)          = a & !b               (and signs)
//! resolution     (a & b) ^ (a & !b)   = a
//! if-then-else   (c & a) ^ (!c & b)   = ite(c, a, b)
//! corner         (a ^ b) ^ (a & b)    = a | b                (and signs)
//! ```
//!
//! Normal form: both operands positive and ordered; the signs are on the result.

use super::{Step, as_and, as_xor, cofactor};
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};

pub(super) fn normalise(a: Edge, b: Edge) -> Step {
    let negate = a.is_negated() ^ b.is_negated();
    let (a, b) = (a.abs(), b.abs());
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    match (a, b) {
        (Edge::FALSE, b) => Step::Edge(b ^ negate),
        (a, b) if a == b => Step::Edge(Edge::constant(negate)),
        (a, b) => Step::Gate(Gate::Xor(a, b), negate),
    }
}

pub(super) fn rewrite(graph: &GateGraph, a: Edge, b: Edge) -> Option<Step> {
    below_operand(graph, a, b)
        .or_else(|| below_operand(graph, b, a))
        .or_else(|| two_xors(graph, a, b))
        .or_else(|| two_conjunctions(graph, a, b))
        .or_else(|| corner(graph, a, b))
        .or_else(|| corner(graph, b, a))
}

/// `a ^ x` is `ite(a, !(x|a), x|!a)`; only where one of the two is a constant or both are one edge, which is
/// so below a conjunction and below an exclusive or.
fn below_operand(graph: &GateGraph, x: Edge, a: Edge) -> Option<Step> {
    match graph.gate_of(x) {
        Gate::And(..) | Gate::Xor(..) => Some(Step::ite(a, !cofactor(graph, x, a)?, cofactor(graph, x, !a)?)),
        Gate::Constant | Gate::Input(_) | Gate::Ite(..) | Gate::Maj(..) => None,
    }
}

fn two_xors(graph: &GateGraph, x: Edge, y: Edge) -> Option<Step> {
    let ((a, b), (c, d)) = (as_xor(graph, x)?, as_xor(graph, y)?);
    match () {
        () if a == c => Some(Step::xor(b, d)),
        () if a == d => Some(Step::xor(b, c)),
        () if b == c => Some(Step::xor(a, d)),
        () if b == d => Some(Step::xor(a, c)),
        () => None,
    }
}

fn two_conjunctions(graph: &GateGraph, x: Edge, y: Edge) -> Option<Step> {
    let ((a, b), (c, d)) = (as_and(graph, x)?, as_and(graph, y)?);
    for (common, u, other, v) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
        if common == other && u == !v {
            return Some(Step::Edge(common));
        }
    }
    for (cond, u, other, v) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
        if cond == !other {
            return Some(Step::ite(cond, u, v));
        }
    }
    None
}

/// An exclusive or is true at two points, a conjunction over the same operands at one: either it takes one of
/// the two away, or it adds a third.
fn corner(graph: &GateGraph, x: Edge, y: Edge) -> Option<Step> {
    let ((a, b), (p, q)) = (as_xor(graph, x)?, as_and(graph, y)?);
    if (p.abs(), q.abs()) != (a, b) {
        return None;
    }
    let takes_away = p.is_negated() ^ q.is_negated();
    // The points of the exclusive or when it takes away, else the points of its negation: one is `p & q`, the
    // other this.
    let other_point = Step::and(!p, !q);
    Some(other_point.negated_if(!takes_away))
}
