//! Sweeping: nodes of the gate graph that have the same value everywhere, found by simulation and proved by
//! SAT.
//!
//! Formulas that compare two ways to compute one thing have many such nodes inside, from the inputs up: each
//! is easy to prove once those below it are known, while a search from the comparison down has to find them
//! as clauses, one case at a time. Nodes that agree on random assignments are candidates ([`values`]); they
//! are looked at from the inputs up, in a copy of the graph in which what was proved so far is one node
//! ([`merging`]), by a small SAT solver of its own ([`prover`]). Then words that are compared are compared
//! once more as sums of weighted bits ([`weights`]), which proves that a tree of adders computes a product.
//!
//! Why it is right: what is returned was proved for all inputs, without anything that is asserted. Two
//! equal edges are two clauses.
//!
//! Kuehlmann, Paruthi, Krohm and Ganai (*Robust Boolean reasoning for equivalence checking and functional
//! property verification*, TCAD 2002); Mishchenko, Chatterjee, Brayton and Een (*Improvements to
//! combinational equivalence checking*, ICCAD 2006). Cost: [`Effort`], all in steps.

mod adders;
mod groups;
mod image;
mod merging;
mod prover;
mod values;
mod weights;

#[cfg(test)]
mod tests;

use crate::edge::Edge;
use crate::encoder::SolverFactory;
use crate::graph::GateGraph;
use bivalve_sat_adapter::Stop;
use image::Image;
use merging::Merging;
use prover::Prover;
use serde::Serialize;
use values::Patterns;

/// Graphs with more nodes below the roots are not swept.
const MOST_NODES: usize = 1 << 18;

/// What sweeping did.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct SweepStatistics {
    /// Times a graph was swept.
    pub sweeps: u64,
    /// Pairs of nodes that were given to the SAT solver.
    pub queries: u64,
    /// Nodes that were found to be equal to another.
    pub merged: u64,
    /// Equations between words that were proved by weights.
    pub words: u64,
}

/// What is to be swept.
pub(crate) struct Task<'a> {
    pub(crate) graph: &'a GateGraph,
    /// The nodes at and below these are looked at.
    pub(crate) roots: &'a [Edge],
    /// The number of the first input of each leaf.
    pub(crate) leaves: Vec<u32>,
    /// Words that are compared somewhere, of the same width.
    pub(crate) words: Vec<[Vec<Edge>; 2]>,
}

/// Edges that are equal for all inputs, in pairs, those next to the inputs first.
pub(crate) fn equalities(
    task: &Task<'_>,
    factory: &SolverFactory,
    stop: &Stop,
    statistics: &mut SweepStatistics,
) -> Vec<[Edge; 2]> {
    statistics.sweeps += 1;
    let cone = cone(task.graph, task.roots);
    if cone.len() > MOST_NODES {
        return vec![];
    }
    let patterns = Patterns::new(task.graph.counts().inputs, &task.leaves);
    let mut equal = equal_words(task, &patterns, &mut Prover::new(factory, stop), statistics);
    let mut prover = Prover::new(factory, stop);
    let mut merging = Merging::new(task.graph, &cone, &patterns);
    merging.run(&mut prover);
    statistics.merged += merging.found.len() as u64;
    statistics.queries += prover.queries;
    equal.append(&mut merging.found);
    equal
}

/// The bits of words that are equal by their weights. Their graph is a copy without merged nodes: two adders
/// must not begin as one and end as the other.
fn equal_words(
    task: &Task<'_>,
    patterns: &Patterns,
    prover: &mut Prover<'_>,
    statistics: &mut SweepStatistics,
) -> Vec<[Edge; 2]> {
    let mut equal = vec![];
    let bits: Vec<Edge> = task.words.iter().flatten().flatten().copied().collect();
    let cone = cone(task.graph, &bits);
    if cone.len() > MOST_NODES {
        return equal;
    }
    let mut image = Image::of_cone(task.graph, &cone, patterns);
    for [a, b] in &task.words {
        let [left, right] = [a, b].map(|word| image.word(word));
        if weights::are_equal(&mut image, prover, &left, &right) {
            statistics.words += 1;
            equal.extend(a.iter().zip(b).filter(|(a, b)| a != b).map(|(&a, &b)| [a, b]));
        }
    }
    statistics.queries += prover.queries;
    equal
}

/// The constant, and the nodes at and below the roots, children first.
fn cone(graph: &GateGraph, roots: &[Edge]) -> Vec<u32> {
    let mut seen = vec![false; graph.len()];
    seen[0] = true;
    let mut todo: Vec<u32> = roots.iter().map(|root| root.node()).collect();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut seen[node as usize], true) {
            let (fanins, count) = graph.gate(node).fanins();
            todo.extend(fanins[..count].iter().map(|edge| edge.node()));
        }
    }
    (0..graph.len() as u32).filter(|&node| seen[node as usize]).collect()
}
