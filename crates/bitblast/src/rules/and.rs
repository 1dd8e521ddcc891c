//! Conjunction: normal form and two-level rules.
//!
//! ```text
//! cofactor       y & x               = y & x|y       (contradiction, idempotence, subsumption, substitution)
//! cofactor of    (c & d) & x         = (c & d) & x|c        (the same four, asymmetric and symmetric)
//! resolution     !(a & b) & !(a & !b) = !a
//! exclusive or   !(a & b) & !(!a & !b) = a ^ b
//! if-then-else   !(c & a) & !(!c & b) = ite(c, !a, !b)
//! corner of xor  (a ^ b) & !(a & !b) = !a & b               (and signs)
//! ```
//!
//! `x|y` is the value of `x` where `y` is true. The first four names are those of Brummayer and Biere.

use super::{Step, as_and, as_xor, cofactor};
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};

pub(super) fn normalise(a: Edge, b: Edge) -> Step {
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    match (a, b) {
        (Edge::FALSE, _) => Step::Edge(Edge::FALSE),
        (Edge::TRUE, b) => Step::Edge(b),
        (a, b) if a == b => Step::Edge(a),
        (a, b) if a == !b => Step::Edge(Edge::FALSE),
        (a, b) => Step::Gate(Gate::And(a, b), false),
    }
}

pub(super) fn rewrite(graph: &GateGraph, a: Edge, b: Edge) -> Option<Step> {
    below_fact(graph, a, b)
        .or_else(|| below_fact(graph, b, a))
        .or_else(|| below_conjunction(graph, a, b))
        .or_else(|| below_conjunction(graph, b, a))
        .or_else(|| two_disjunctions(graph, a, b))
        .or_else(|| corner_of_xor(graph, a, b))
        .or_else(|| corner_of_xor(graph, b, a))
}

/// `y & x` is `y & x|y`.
fn below_fact(graph: &GateGraph, x: Edge, y: Edge) -> Option<Step> {
    cofactor(graph, x, y).map(|inside| Step::and(inside, y))
}

/// `(c & d) & x` is `(c & d) & x|c`.
fn below_conjunction(graph: &GateGraph, x: Edge, y: Edge) -> Option<Step> {
    if y.is_negated() {
        return None;
    }
    let (c, d) = as_and(graph, y)?;
    let inside = cofactor(graph, x, c).or_else(|| cofactor(graph, x, d))?;
    Some(Step::and(inside, y))
}

/// `!(c & u) & !(!c & v)` is `ite(c, !u, !v)`, and `!(c & u) & !(c & !u)` is `!c`.
fn two_disjunctions(graph: &GateGraph, x: Edge, y: Edge) -> Option<Step> {
    if !x.is_negated() || !y.is_negated() {
        return None;
    }
    let ((a, b), (c, d)) = (as_and(graph, x)?, as_and(graph, y)?);
    for (common, u, other, v) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
        if common == other && u == !v {
            return Some(Step::Edge(!common));
        }
    }
    for (cond, u, other, v) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
        if cond == !other {
            return Some(Step::ite(cond, !u, !v));
        }
    }
    None
}

/// An exclusive or is true at two points; a disjunction over the same operands may exclude one of them or
/// none.
fn corner_of_xor(graph: &GateGraph, x: Edge, y: Edge) -> Option<Step> {
    if !y.is_negated() {
        return None;
    }
    let ((a, b), (p, q)) = (as_xor(graph, x)?, as_and(graph, y)?);
    if (p.abs(), q.abs()) != (a, b) {
        return None;
    }
    let x_at_excluded_point = p.is_negated() ^ q.is_negated() ^ x.is_negated();
    Some(if x_at_excluded_point { Step::and(!p, !q) } else { Step::Edge(x) })
}
