//! Deliberate faults of the circuits, as wrappers around what is right.
//!
//! A wrong circuit is the right one over operands that were tampered with, or with its result tampered with;
//! a wrong clause is a right one that lost a literal. What is wrong with each is said in the list of faults
//! (`bivalve-faults`). None of this is compiled without the feature `faults`.

use crate::circuits::{Shape, adder, apply, bitwise, comparator, reduction, shifter};
use crate::edge::Edge;
use crate::gates::Gates;
use crate::graph::GateGraph;
use bivalve_faults::planted;
use bivalve_sat_adapter::Lit;
use bivalve_terms::Op;

/// The bits of an operator whose circuit has the planted fault; `None` if it has none.
pub(crate) fn circuit(g: &mut GateGraph, op: Op, shape: Shape, args: &[&[Edge]]) -> Option<Vec<Edge>> {
    let width = args.first()?.len();
    match (op, args) {
        (Op::BvAdd, &[a, b]) if planted!(AdderCarry) && width > 8 => {
            let low = adder::add(g, &a[..8], &b[..8], Edge::FALSE);
            let high = adder::add(g, &a[8..], &b[8..], Edge::FALSE);
            Some([low, high].concat())
        }
        (Op::BvShl, &[a, amount]) if planted!(ShiftFar) => {
            let stages = shifter::stages(width);
            let near: Vec<Edge> =
                (0..width).map(|i| if i < stages { amount[i] } else { Edge::FALSE }).collect();
            apply(g, op, shape, &[a, &near])
        }
        (Op::BvAshr, &[_, amount]) if planted!(AshrFill) => {
            let right = apply(g, op, shape, args)?;
            let far = reduction::or(g, &amount[shifter::stages(width)..]);
            Some(bitwise::mask(g, &right, !far))
        }
        (Op::BvUrem, &[_, b]) if planted!(UremZero) => {
            let right = apply(g, op, shape, args)?;
            let divides = reduction::or(g, b);
            Some(bitwise::mask(g, &right, divides))
        }
        (Op::BvSmod, &[a, b]) if planted!(SmodExact) => {
            let right = apply(g, op, shape, args)?;
            let (exact, signs_differ) = (reduction::nor(g, &right), g.xor(a[width - 1], b[width - 1]));
            let wrong = g.and(exact, signs_differ);
            Some(bitwise::ite(g, wrong, b, &right))
        }
        (Op::BvSlt, &[&[a], &[b]]) if planted!(SltBit) => Some(vec![comparator::ult(g, &[a], &[b])]),
        (Op::BvSge, &[&[a], &[b]]) if planted!(SltBit) => Some(vec![!comparator::ult(g, &[a], &[b])]),
        (Op::BvMul, &[a, b]) if planted!(MulTopRow) && width > 1 => {
            let without = [&b[..width - 1], &[Edge::FALSE]].concat();
            apply(g, op, shape, &[a, &without])
        }
        (Op::BvSmulo, &[a, b]) if planted!(SmuloLeast) => {
            let right = apply(g, op, shape, args)?;
            let mut least_by_minus_one = |a: &[Edge], b: &[Edge]| {
                let (least, ones) = (crate::circuits::overflow::neg(g, a), reduction::and(g, b));
                g.and(least, ones)
            };
            let (one, other) = (least_by_minus_one(a, b), least_by_minus_one(b, a));
            let missed = g.or(one, other);
            Some(bitwise::mask(g, &right, !missed))
        }
        _ => None,
    }
}

/// A clause of a definition, or what the planted fault makes of it.
pub(crate) fn conjunction_clause(clause: &[Lit]) -> &[Lit] {
    // Output and operands; the short ones have two literals.
    if clause.len() > 3 && planted!(CnfConjunction) { &clause[..clause.len() - 1] } else { clause }
}
