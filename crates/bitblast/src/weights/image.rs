//! A copy of the gates below some words, to which gates are added that nothing else needs.
//!
//! Cost: a gate a node, and its values when they are asked for.

use super::relation::Relation;
use super::values::{Patterns, Table, Values};
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};
use bivalve_algebra::truth_tables::LEAVES;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// More gates are not evaluated for a truth table.
const MOST_GATES: usize = 64;

/// See the head of this file.
pub(super) struct Image<'a> {
    pub(super) graph: GateGraph,
    table: Table,
    patterns: &'a Patterns,
    /// By node of the graph that is copied.
    edges: Vec<Edge>,
    /// By input of the copy: the input that it stands for.
    inputs: Vec<u32>,
    /// Why words are equal, if that is to be told.
    relations: Option<Vec<Relation>>,
}

impl<'a> Image<'a> {
    /// A copy of these nodes, children first.
    pub(super) fn of_cone(original: &GateGraph, cone: &[u32], patterns: &'a Patterns) -> Image<'a> {
        let edges = vec![Edge::FALSE; original.len()];
        let (graph, table, inputs) = (GateGraph::new(), Table::default(), vec![]);
        let mut image = Image { graph, table, patterns, edges, inputs, relations: None };
        for &node in cone {
            image.copy(original.gate(node), node);
        }
        image
    }

    /// All of a graph, instead of a copy. Why words are equal is told.
    pub(super) fn of_all(graph: GateGraph, patterns: &'a Patterns) -> Image<'a> {
        let (edges, inputs) = (vec![], (0..graph.counts().inputs).collect());
        Image { graph, table: Table::default(), patterns, edges, inputs, relations: Some(vec![]) }
    }

    /// The gates, and why words are equal.
    pub(super) fn into_parts(self) -> (GateGraph, Option<Vec<Relation>>) {
        (self.graph, self.relations)
    }

    /// Tells of a relation, if there is something to tell; its weights are times `scale`.
    pub(super) fn tell(&mut self, scale: u128, relation: impl FnOnce() -> Relation) {
        if let Some(relations) = &mut self.relations {
            let mut relation = relation();
            relation.constant = relation.constant.wrapping_mul(scale);
            for (_, weight) in &mut relation.summands {
                *weight = weight.wrapping_mul(scale);
            }
            relations.push(relation);
        }
    }

    /// The image of an edge whose node was copied.
    fn of(&self, edge: Edge) -> Edge {
        self.edges[edge.index()] ^ edge.is_negated()
    }

    /// The images of the bits of a word.
    pub(super) fn word(&self, word: &[Edge]) -> Vec<Edge> {
        word.iter().map(|&bit| self.of(bit)).collect()
    }

    /// Copies a node over the images of its operands.
    fn copy(&mut self, gate: Gate, node: u32) {
        let of = |edge: Edge| self.of(edge);
        let image = match gate {
            Gate::Constant => Edge::FALSE,
            Gate::Input(number) => {
                self.inputs.push(number);
                self.graph.input()
            }
            Gate::And(a, b) => self.graph.build(Gate::And(of(a), of(b))),
            Gate::Xor(a, b) => self.graph.build(Gate::Xor(of(a), of(b))),
            Gate::Ite(c, t, e) => self.graph.build(Gate::Ite(of(c), of(t), of(e))),
            Gate::Maj(a, b, c) => self.graph.build(Gate::Maj(of(a), of(b), of(c))),
        };
        self.edges[node as usize] = image;
    }

    /// The values of an edge of the copy.
    pub(super) fn values(&mut self, edge: Edge) -> Values {
        let (patterns, inputs) = (self.patterns, &self.inputs);
        self.table.follow(&self.graph, |number| patterns.input(inputs[number as usize]));
        self.table.values(edge)
    }

    /// The inputs below an edge of the copy, and its value for each assignment to them: bit `k` is that where
    /// input `i` has the value of bit `i` of `k`. `None` if there are more than six, or too many gates.
    pub(super) fn truth_table(&self, edge: Edge) -> Option<(Vec<Edge>, u64)> {
        let (mut below, mut todo) = (BTreeSet::new(), vec![edge.node()]);
        while let Some(node) = todo.pop() {
            if below.insert(node) {
                let (fanins, count) = self.graph.gate(node).fanins();
                todo.extend(fanins[..count].iter().map(|edge| edge.node()));
            }
            if below.len() > MOST_GATES {
                return None;
            }
        }
        let is_input = |node: &&u32| matches!(self.graph.gate(**node), Gate::Input(_));
        let inputs: Vec<Edge> = below.iter().filter(is_input).map(|&node| Edge::positive(node)).collect();
        if inputs.len() > LEAVES.len() {
            return None;
        }
        let mut words: FxHashMap<u32, u64> = FxHashMap::default();
        let mut projections = LEAVES.into_iter();
        for node in below {
            let word = match self.graph.gate(node) {
                Gate::Input(_) => projections.next()?,
                gate => {
                    gate.evaluated(|edge| words[&edge.node()] ^ u64::from(edge.is_negated()).wrapping_neg())?
                }
            };
            words.insert(node, word);
        }
        Some((inputs, words[&edge.node()] ^ u64::from(edge.is_negated()).wrapping_neg()))
    }
}
