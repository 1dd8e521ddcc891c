//! Nodes that agree on all assignments tried are proved equal, from the inputs up.
//!
//! The nodes of a cone are built once more, in a graph of their own ([`Image`]), over the images of their
//! operands. So what was proved equal below is one node there, and most of what is equal above becomes one
//! node without any question. Where it does not, and an earlier node has the same values up to sign, the two
//! are given to the [`Prover`]. If they differ, the assignment that says so, with its neighbours, tells others
//! apart, too.
//!
//! A graph without equal nodes is left soon: every question costs credit, every answer that helps gives some
//! ([`CREDIT`], [`GAIN`]).
//!
//! Cost: a word of simulation for all nodes for each pair that differs, at most [`STEPS`] in all.

use super::image::Image;
use super::prover::{Prover, Verdict};
use super::values::{self, Patterns, WORDS};
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};
use rustc_hash::FxHashMap;

/// Questions without success before sweeping ends.
const CREDIT: i64 = 400;

/// Questions that a success pays for.
const GAIN: i64 = 10;

/// Nodes that may be simulated for pairs that differ.
const STEPS: u64 = 40_000_000;

/// See the head of this file.
pub(super) struct Merging<'a> {
    graph: &'a GateGraph,
    cone: &'a [u32],
    random: fastrand::Rng,
    /// By node: a hash of its values up to sign, and its value under the first assignment.
    signatures: Vec<(u64, bool)>,
    pub(super) image: Image<'a>,
    /// What was found to be equal.
    pub(super) found: Vec<[Edge; 2]>,
}

impl<'a> Merging<'a> {
    pub(super) fn new(graph: &'a GateGraph, cone: &'a [u32], patterns: &'a Patterns) -> Merging<'a> {
        let image = Image::new(graph, patterns);
        let random = fastrand::Rng::with_seed(values::SEED);
        let mut merging =
            Merging { graph, cone, random, signatures: vec![(0, false); graph.len()], image, found: vec![] };
        for word in 0..WORDS {
            merging.distinguish(word == 0, |number| patterns.input(number)[word]);
        }
        merging
    }

    /// Adds 64 assignments to the signatures.
    fn distinguish(&mut self, is_first: bool, input: impl Fn(u32) -> u64) {
        let mut words = vec![0; self.graph.len()];
        for &node in self.cone {
            let gate = self.graph.gate(node);
            let word = match gate {
                Gate::Input(number) => input(number),
                _ => values::word(gate, |edge| {
                    words[edge.index()] ^ u64::from(edge.is_negated()).wrapping_neg()
                }),
            };
            words[node as usize] = word;
            let (hash, sign) = &mut self.signatures[node as usize];
            if is_first {
                *sign = word & 1 == 1;
            }
            let word = word ^ u64::from(*sign).wrapping_neg();
            let mixed = u128::from(*hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
            *hash = (mixed ^ mixed >> 64) as u64;
        }
    }

    /// The first of the nodes before a place for each signature.
    fn classes(&self, places: usize) -> FxHashMap<u64, u32> {
        let mut classes = FxHashMap::default();
        for &node in &self.cone[..places] {
            classes.entry(self.signatures[node as usize].0).or_insert(node);
        }
        classes
    }

    /// Looks at all nodes, and proves what can be proved.
    pub(super) fn run(&mut self, prover: &mut Prover<'_>) {
        let mut classes = self.classes(0);
        let (mut credit, mut steps) = (CREDIT, STEPS);
        for (place, &node) in self.cone.iter().enumerate() {
            let image = self.image.copy(self.graph, node);
            let (hash, sign) = self.signatures[node as usize];
            let Some(&first) = classes.get(&hash) else {
                classes.insert(hash, node);
                continue;
            };
            if first == node {
                continue;
            }
            let negated = sign != self.signatures[first as usize].1;
            let known = self.image.of(Edge::positive(first)) ^ negated;
            let pair = [Edge::positive(node), Edge::positive(first) ^ negated];
            if image == known {
                self.found.push(pair);
                continue;
            }
            if credit <= 0 || prover.is_spent() {
                continue;
            }
            credit -= 1;
            match prover.equal(&self.image.graph, image, known) {
                Verdict::Equal => {
                    self.image.set(node, known);
                    self.found.push(pair);
                    credit = (credit + GAIN).min(CREDIT);
                }
                Verdict::Different(values) => {
                    let size = self.cone.len() as u64;
                    if steps >= size {
                        steps -= size;
                        self.refine(&values);
                        classes = self.classes(place + 1);
                    }
                }
                Verdict::Open => credit -= 3,
            }
        }
    }

    /// Tells nodes apart by an assignment to inputs of the copy, and by its neighbours.
    fn refine(&mut self, values: &[(u32, bool)]) {
        let mut inputs = vec![false; self.graph.counts().inputs as usize];
        for &(number, value) in values {
            inputs[self.image.input(number)] = value;
        }
        let words = values::near(&mut self.random, &inputs);
        self.distinguish(false, |number| words[number as usize]);
    }
}
