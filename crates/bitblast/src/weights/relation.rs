//! Why words are equal: linear relations of bits that add up to their difference.

use super::difference;
use super::image::Image;
use super::prover::Prover;
use super::values::Patterns;
use crate::edge::Edge;
use crate::encoder::SolverFactory;
use crate::graph::GateGraph;
use bivalve_sat_adapter::Stop;

/// The sum of some bits with weights and a constant is 0 modulo a power of two, for all values of the inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Bits that the others are functions of by their gates, as far as the relation needs to know.
    pub inputs: Vec<Edge>,
    /// The bits and their weights.
    pub summands: Vec<(Edge, u128)>,
    /// The constant.
    pub constant: u128,
    /// Bits that were proved equal for all inputs, if the relation holds only where they are.
    pub equal: Vec<[Edge; 2]>,
}

/// Relations modulo `2^w` whose sum is the difference of two words of `w` bits, so that these are equal;
/// `None` if they are not, as far as this can tell. Gates that relations mention are added to the graph.
/// `leaves` are the numbers of the first inputs of its leaves. The order matters: a proof that bits are equal
/// may use that those of earlier relations are.
pub fn relations(
    graph: &mut GateGraph,
    leaves: &[u32],
    [a, b]: [&[Edge]; 2],
    (factory, stop): (&SolverFactory, &Stop),
) -> Option<Vec<Relation>> {
    let patterns = Patterns::new(graph.counts().inputs, leaves);
    let mut image = Image::of_all(std::mem::take(graph), &patterns);
    let mut prover = Prover::new(factory, stop);
    let is_zero = difference::is_zero(&mut image, &mut prover, a, b);
    let (all, relations) = image.into_parts();
    *graph = all;
    relations.filter(|_| is_zero)
}
