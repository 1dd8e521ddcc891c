//! Majority: normal form and two-level rules.
//!
//! ```text
//! nested         maj(a, b, maj(a, b, c)) = maj(a, b, c)
//! absorb         maj(a, b, a ^ b)     = a | b                 (and signs)
//! absorb         maj(a, b, a & b)     = a & b                 (and signs)
//! ```
//!
//! Normal form: operands ordered by node, the first one positive (majority is its own dual: `maj(!a, !b, !c)`
//! is `!maj(a, b, c)`); a constant operand makes it a conjunction or disjunction.

use super::{Step, as_and, as_xor};
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};

pub(super) fn normalise(a: Edge, b: Edge, c: Edge) -> Step {
    let mut operands = [a, b, c];
    operands.sort_unstable();
    let [a, b, c] = operands;
    match (a, b, c) {
        (Edge::FALSE, b, c) => Step::and(b, c),
        (Edge::TRUE, b, c) => Step::or(b, c),
        (a, b, _) if a == b => Step::Edge(a),
        (a, b, c) if a == !b => Step::Edge(c),
        (_, b, c) if b == c => Step::Edge(b),
        (a, b, c) if b == !c => Step::Edge(a),
        (a, b, c) => {
            let negate = a.is_negated();
            Step::Gate(Gate::Maj(a ^ negate, b ^ negate, c ^ negate), negate)
        }
    }
}

pub(super) fn rewrite(graph: &GateGraph, a: Edge, b: Edge, c: Edge) -> Option<Step> {
    of_two(graph, a, b, c).or_else(|| of_two(graph, a, c, b)).or_else(|| of_two(graph, b, c, a))
}

/// `maj(a, b, x)` is `a` where `a` and `b` agree, else `x`: what is `x` where they differ?
fn of_two(graph: &GateGraph, a: Edge, b: Edge, x: Edge) -> Option<Step> {
    if let Gate::Maj(p, q, r) = graph.gate_of(x) {
        let operands = [p ^ x.is_negated(), q ^ x.is_negated(), r ^ x.is_negated()];
        return (operands.contains(&a) && operands.contains(&b)).then_some(Step::Edge(x));
    }
    let same_operands = |p: Edge, q: Edge| (p.abs(), q.abs()) == (a.abs(), b.abs());
    if let Some((p, q)) = as_xor(graph, x)
        && same_operands(p, q)
    {
        let x_where_they_differ = !(x.is_negated() ^ a.is_negated() ^ b.is_negated());
        return Some(if x_where_they_differ { Step::or(a, b) } else { Step::and(a, b) });
    }
    if let Some((p, q)) = as_and(graph, x)
        && same_operands(p, q)
    {
        // Where `a` and `b` differ, `p & q` is constant, or one of them (the one that agrees with its
        // literal).
        return Some(match (p == a, q == b) {
            (true, true) | (false, false) if x.is_negated() => Step::or(a, b),
            (true, true) | (false, false) => Step::and(a, b),
            (true, false) => Step::Edge(if x.is_negated() { b } else { a }),
            (false, true) => Step::Edge(if x.is_negated() { a } else { b }),
        });
    }
    None
}
