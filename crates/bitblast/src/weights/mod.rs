//! Words that have the same value for all inputs, found as sums of weighted bits.
//!
//! A formula that compares a product with a netlist that computes it, or two sums added up in different
//! orders, is hard for a search over clauses: nothing inside the one circuit is equal to anything inside the
//! other. As integers the two are equal by what each adder says of its bits. So words that are compared
//! somewhere, and have the same values under random assignments ([`values`]), are subtracted from each other
//! with all adders opened ([`difference`], [`adders`], [`groups`]); what little is left is proved by a SAT
//! solver of its own ([`prover`]), in a copy of the gates ([`image`]).
//!
//! Measured: netlists with trees of compressors against `a * b + c`, of 8 and 12 bits, 0.1 to 0.3 s; without
//! this one of four was decided in 10 s.
//!
//! Built, measured and gone again (it stands in the history of this folder): merging equal gates from the
//! inputs up by simulation and SAT, on 35 files of 0.4 to 9 s as many faster as slower: CaDiCaL finds by
//! congruence and its own sweeping what is there.

mod adders;
mod carries;
mod difference;
mod groups;
mod image;
mod prover;
mod relation;
mod values;

#[cfg(test)]
mod tests;

use crate::edge::Edge;
use crate::encoder::SolverFactory;
use crate::graph::{Gate, GateGraph};
use bivalve_sat_adapter::Stop;
use image::Image;
use prover::Prover;
pub use relation::{Relation, relations};
use serde::Serialize;
use std::ops::AddAssign;
use values::Patterns;

/// Words over more nodes are not compared.
const MOST_NODES: usize = 1 << 18;

/// What comparing words came to.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct WordStatistics {
    /// Pairs of words that were compared.
    pub compared: u64,
    /// Those that were proved equal.
    pub equal: u64,
    /// Questions to the SAT solver.
    pub questions: u64,
}

impl AddAssign for WordStatistics {
    fn add_assign(&mut self, other: WordStatistics) {
        let WordStatistics { compared, equal, questions } = other;
        self.compared += compared;
        self.equal += equal;
        self.questions += questions;
    }
}

/// Whether two words might be sums: half of the bits of each are exclusive ors.
pub(crate) fn are_sums(graph: &GateGraph, words: [&[Edge]; 2]) -> bool {
    let is_sum = |word: &[Edge]| {
        let sums = word.iter().filter(|&&bit| matches!(graph.gate_of(bit), Gate::Xor(..)));
        2 * sums.count() >= word.len()
    };
    words.into_iter().all(is_sum)
}

/// The pairs among some pairs of words that are equal for all inputs, as far as this can tell; by number.
/// `leaves` are the numbers of the first inputs of the leaves of the graph.
pub(crate) fn equal_words(
    graph: &GateGraph,
    leaves: &[u32],
    words: &[[Vec<Edge>; 2]],
    (factory, stop): (&SolverFactory, &Stop),
    statistics: &mut WordStatistics,
) -> Vec<usize> {
    let below = graph.below(words.iter().flatten().flatten().copied());
    let cone: Vec<u32> = (0..graph.len() as u32).filter(|&node| below[node as usize]).collect();
    if cone.len() > MOST_NODES {
        return vec![];
    }
    let patterns = Patterns::new(graph.counts().inputs, leaves);
    let mut image = Image::of_cone(graph, &cone, &patterns);
    let mut prover = Prover::new(factory, stop);
    let mut equal = vec![];
    for (number, pair) in words.iter().enumerate() {
        let [a, b] = pair.each_ref().map(|word| image.word(word));
        if difference::is_zero(&mut image, &mut prover, &a, &b) {
            equal.push(number);
        }
    }
    statistics.compared += words.len() as u64;
    statistics.equal += equal.len() as u64;
    statistics.questions += prover.questions;
    equal
}
