//! The value of a word as a sum of bits with weights, adders opened.
//!
//! An exclusive or of three bits is what a full adder says, if its carry is there ([`super::carries`]).
//! Another one is `a ^ b = a + b - 2 (a & b)`, with the signs of the operands as the half adder has them that
//! it is the sum of: those with which the conjunction is there. The carry of that adder then goes against the
//! conjunctions. Choices are two conjunctions, and so is a majority. Where no conjunction says which signs
//! are right, the gates below are asked ([`sign`]).
//!
//! Cost: a gate or two for each gate that is opened.

use super::carries::{Carries, Carry};
use super::image::Image;
use super::prover::Prover;
use super::relation::Relation;
use crate::edge::Edge;
use crate::gates::Gates;
use crate::graph::{Gate, GateGraph};
use std::collections::BTreeMap;

/// More summands are given up.
const MOST_SUMMANDS: usize = 1 << 14;

/// Levels of gates that are asked for a sign.
const MOST_LEVELS: u32 = 4;

/// A sum of bits with weights, and a constant, modulo a power of two.
pub(super) struct Sum {
    /// By node.
    pub(super) weights: BTreeMap<u32, u128>,
    pub(super) constant: u128,
    mask: u128,
}

impl Sum {
    /// Adds an edge with a weight.
    pub(super) fn add(&mut self, edge: Edge, weight: u128) {
        let mut weight = weight & self.mask;
        if edge.is_negated() {
            self.constant = self.constant.wrapping_add(weight) & self.mask;
            weight = weight.wrapping_neg() & self.mask;
        }
        if edge.is_constant() {
            return;
        }
        let sum = self.weights.entry(edge.node()).or_insert(0);
        *sum = sum.wrapping_add(weight) & self.mask;
        if *sum == 0 {
            self.weights.remove(&edge.node());
        }
    }
}

/// The value of a word modulo `mask + 1`, which is a power of two; `None` if there are too many summands.
/// What is told of is times `sign`.
pub(super) fn opened(
    image: &mut Image<'_>,
    prover: &mut Prover<'_>,
    word: &[Edge],
    mask: u128,
    sign: u128,
) -> Option<Sum> {
    let mut sum = Sum { weights: BTreeMap::new(), constant: 0, mask };
    for (place, &bit) in word.iter().enumerate() {
        sum.add(bit, 1 << place);
    }
    let original = image.graph.len() as u32;
    let carries = Carries::of(image);
    // Carries meet those of the adders below; what is left of them is opened when all sums are.
    let (mut next, mut is_second) = (original, false);
    loop {
        let Some((&node, &weight)) = sum.weights.range(..next).next_back() else {
            if is_second {
                break;
            }
            (next, is_second) = (original, true);
            continue;
        };
        next = node;
        if let Some((carry, parity)) = carries.of_sum(image, prover, node) {
            sum.weights.remove(&node);
            let relation = full_adder(&carry, parity, weight);
            relation.summands.iter().skip(1).for_each(|&(edge, weight)| sum.add(edge, weight));
            sum.add(Edge::TRUE, relation.constant);
            image.tell(sign, || relation);
            continue;
        }
        let graph = &mut image.graph;
        let minus = weight.wrapping_neg();
        let gate = graph.gate(node);
        let mut constant = 0;
        let summands = match gate {
            Gate::Constant | Gate::Input(_) | Gate::And(..) => continue,
            Gate::Xor(a, b) => {
                // What is summed is the gate, or its complement if the weight is negative, and then
                // a ^ b = 1 - (a ^ !b).
                let is_complement = weight > mask >> 1;
                let (a, b) = operands(graph, a, b ^ is_complement, original);
                let both = graph.and(a, b);
                match is_complement {
                    false => [(a, weight), (b, weight), (both, minus.wrapping_mul(2))],
                    true => {
                        constant = weight;
                        sum.add(Edge::TRUE, weight);
                        [(a, minus), (b, minus), (both, weight.wrapping_mul(2))]
                    }
                }
            }
            Gate::Ite(c, t, e) => [(graph.and(c, t), weight), (graph.and(!c, e), weight), (Edge::FALSE, 0)],
            Gate::Maj(a, b, c) if !is_second && with_sum(graph, a, b, c).is_some() => continue,
            Gate::Maj(a, b, c) => {
                let (a, b, c) = with_sum(graph, a, b, c).unwrap_or((a, b, c));
                let half = graph.xor(a, b);
                [(graph.and(a, b), weight), (graph.and(half, c), weight), (Edge::FALSE, 0)]
            }
        };
        sum.weights.remove(&node);
        summands.into_iter().for_each(|(edge, weight)| sum.add(edge, weight));
        image.tell(sign, || opening(gate, node, (constant, summands), weight));
        if sum.weights.len() > MOST_SUMMANDS {
            return None;
        }
    }
    Some(sum)
}

/// The sum of a full adder with a weight, by its operands and its carry.
fn full_adder(carry: &Carry, parity: Edge, weight: u128) -> Relation {
    // The sum is the parity or its complement, `1 - parity`.
    let (constant, weight_of_parity) = match parity.is_negated() {
        false => (0, weight),
        true => (weight, weight.wrapping_neg()),
    };
    let mut summands = vec![(Edge::positive(parity.node()), weight.wrapping_neg())];
    summands.extend(carry.operands.map(|operand| (operand, weight_of_parity)));
    summands.push((carry.edge, weight_of_parity.wrapping_mul(2).wrapping_neg()));
    let mut inputs = carry.operands.map(|operand| Edge::positive(operand.node())).to_vec();
    // A carry that was proved to be one may be made of other bits.
    inputs.extend(carry.equal.map(|_| Edge::positive(carry.edge.node())));
    Relation { inputs, summands, constant, equal: carry.equal.into_iter().collect() }
}

/// A gate with a weight is the sum of others and a constant.
fn opening(gate: Gate, node: u32, (constant, summands): (u128, [(Edge, u128); 3]), weight: u128) -> Relation {
    let (fanins, count) = gate.fanins();
    let mut all = summands.to_vec();
    all.push((Edge::positive(node), weight.wrapping_neg()));
    Relation { inputs: fanins[..count].to_vec(), summands: all, constant, equal: vec![] }
}

/// The operands of an exclusive or, or the complements of both, as an adder has them.
fn operands(graph: &GateGraph, a: Edge, b: Edge, original: u32) -> (Edge, Edge) {
    if has_and(graph, a, b, original) {
        return (a, b);
    }
    let sign = [a, b].map(|edge| sign(graph, edge, original, MOST_LEVELS)).iter().sum::<i32>();
    if has_and(graph, !a, !b, original) || sign < 0 { (!a, !b) } else { (a, b) }
}

/// The operands of a majority, if it is the carry of a sum that is there: the exclusive or of the first two
/// is part of the sum.
fn with_sum(graph: &GateGraph, a: Edge, b: Edge, c: Edge) -> Option<(Edge, Edge, Edge)> {
    [(a, b, c), (a, c, b), (b, c, a)].into_iter().find(|&(a, b, c)| {
        let half = graph.find(Gate::Xor(a, b));
        half.is_some_and(|half| graph.find(Gate::Xor(half, c)).is_some())
    })
}

/// Whether there is a conjunction of two edges among the first nodes.
fn has_and(graph: &GateGraph, a: Edge, b: Edge, original: u32) -> bool {
    graph.find(Gate::And(a, b)).is_some_and(|edge| edge.node() < original)
}

/// Whether an edge is rather a summand than the complement of one, as far as some levels of gates tell: a
/// positive number, a negative one, or 0.
fn sign(graph: &GateGraph, edge: Edge, original: u32, levels: u32) -> i32 {
    let sign = match graph.gate_of(edge) {
        Gate::Xor(a, b) => {
            let [even, odd] =
                [b, !b].map(|b| has_and(graph, a, b, original) || has_and(graph, !a, !b, original));
            i32::from(even) - i32::from(odd)
        }
        Gate::And(a, b) if levels > 0 => {
            let of = |edge: Edge| match graph.gate_of(edge) {
                Gate::And(..) => sign(graph, edge, original, levels - 1),
                _ => 1 - 2 * i32::from(edge.is_negated()),
            };
            (of(a) + of(b)).clamp(-2, 2) / 2
        }
        _ => 0,
    };
    if edge.is_negated() { -sign } else { sign }
}
