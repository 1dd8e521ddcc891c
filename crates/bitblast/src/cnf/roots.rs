//! Assertions: edges that are true.
//!
//! At the top a gate needs no variable. A conjunction is its parts; a disjunction, with all disjunctions in
//! it, is one clause; an exclusive or, an if-then-else and a majority are the clauses that remain of their
//! definition when the output is true: two, three, three. An asserted equality with an input that nothing was
//! said about yet makes the input share the other side's literal.
//!
//! The node itself then stands for a constant, and later definitions that read it are simplified; this is
//! right because the assertion stays for ever. An assertion under a guard must not do that: it adds the same
//! clauses with the negated guard in each, and changes nothing else.

use super::{CnfEncoder, signed};
use crate::edge::Edge;
use crate::graph::{Gate, GateGraph};
use bivalve_sat_adapter::{ClauseSink, Lit};
use rustc_hash::FxHashSet;

impl CnfEncoder {
    /// Makes an edge true from now on.
    pub fn assert_root<S: ClauseSink + ?Sized>(&mut self, graph: &GateGraph, root: Edge, sink: &mut S) {
        self.follow(graph);
        let mut todo = vec![root];
        while let Some(edge) = todo.pop() {
            if self.is_over() {
                return;
            }
            if edge == Edge::TRUE {
                continue;
            }
            if edge == Edge::FALSE || self.lookup(edge).is_some() {
                let lit = self.literal(graph, edge, sink);
                self.emit(&[lit], sink);
                continue;
            }
            match graph.gate_of(edge) {
                Gate::And(a, b) if !edge.is_negated() => todo.extend([b, a]),
                Gate::Xor(a, b) => self.assert_xor(graph, a ^ !edge.is_negated(), b, sink),
                Gate::Constant | Gate::Input(_) => {
                    let lit = self.literal(graph, edge, sink);
                    self.emit(&[lit], sink);
                    continue;
                }
                Gate::And(..) | Gate::Ite(..) | Gate::Maj(..) => self.assert_parts(graph, edge, None, sink),
            }
            let truth = self.truth(sink);
            self.literals[edge.index()] = Some(signed(truth, edge.is_negated()));
        }
    }

    /// Makes an edge true wherever the guard is.
    pub fn assert_root_if<S: ClauseSink + ?Sized>(
        &mut self,
        graph: &GateGraph,
        guard: Lit,
        root: Edge,
        sink: &mut S,
    ) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![root];
        while let Some(edge) = todo.pop() {
            if edge == Edge::TRUE || !seen.insert(edge) {
                continue;
            }
            match graph.gate_of(edge) {
                Gate::And(a, b) if !edge.is_negated() && self.lookup(edge).is_none() => {
                    todo.extend([b, a]);
                }
                _ => self.assert_parts(graph, edge, Some(guard), sink),
            }
        }
    }

    /// Makes one of the edges true from now on.
    pub fn assert_clause<S: ClauseSink + ?Sized>(&mut self, graph: &GateGraph, edges: &[Edge], sink: &mut S) {
        self.assert_any(graph, edges, None, sink);
    }

    /// `a` and `b` are equal from now on.
    fn assert_xor<S: ClauseSink + ?Sized>(&mut self, graph: &GateGraph, a: Edge, b: Edge, sink: &mut S) {
        let is_free_input = |encoder: &CnfEncoder, edge: Edge| {
            matches!(graph.gate_of(edge), Gate::Input(_)) && encoder.lookup(edge).is_none()
        };
        for (input, other) in [(a, b), (b, a)] {
            if is_free_input(self, input) {
                let lit = self.literal(graph, other, sink);
                // Still free? The other side may read it.
                if is_free_input(self, input) {
                    self.literals[input.index()] = Some(signed(lit, input.is_negated()));
                    return;
                }
            }
        }
        let (a, b) = (self.literal(graph, a, sink), self.literal(graph, b, sink));
        self.emit(&[a, !b], sink);
        self.emit(&[!a, b], sink);
    }

    /// The clauses that say that an edge is true, each with the negated guard.
    fn assert_parts<S: ClauseSink + ?Sized>(
        &mut self,
        graph: &GateGraph,
        edge: Edge,
        guard: Option<Lit>,
        sink: &mut S,
    ) {
        let negated = edge.is_negated();
        let known = edge.is_constant() || self.lookup(edge).is_some();
        match graph.gate_of(edge) {
            Gate::Xor(a, b) if !known => {
                self.assert_any(graph, &[a, b ^ negated], guard, sink);
                self.assert_any(graph, &[!a, !b ^ negated], guard, sink);
            }
            Gate::Ite(c, t, e) if !known => {
                let (t, e) = (t ^ negated, e ^ negated);
                self.assert_any(graph, &[!c, t], guard, sink);
                self.assert_any(graph, &[c, e], guard, sink);
                self.assert_any(graph, &[t, e], guard, sink);
            }
            Gate::Maj(a, b, c) if !known => {
                let (a, b, c) = (a ^ negated, b ^ negated, c ^ negated);
                self.assert_any(graph, &[a, b], guard, sink);
                self.assert_any(graph, &[a, c], guard, sink);
                self.assert_any(graph, &[b, c], guard, sink);
            }
            _ => self.assert_any(graph, &[edge], guard, sink),
        }
    }

    /// One clause over the edges, with all disjunctions in it opened.
    fn assert_any<S: ClauseSink + ?Sized>(
        &mut self,
        graph: &GateGraph,
        edges: &[Edge],
        guard: Option<Lit>,
        sink: &mut S,
    ) {
        let Some(leaves) = self.open(graph, edges) else { return };
        let mut clause: Vec<Lit> = guard.map(|guard| !guard).into_iter().collect();
        for edge in leaves {
            clause.push(self.literal(graph, edge, sink));
        }
        self.emit(&clause, sink);
    }

    /// The disjunction of the edges, with all disjunctions in it opened; `None` if it is true.
    fn open(&mut self, graph: &GateGraph, edges: &[Edge]) -> Option<Vec<Edge>> {
        let mut seen = Seen::default();
        let mut leaves = Vec::with_capacity(edges.len());
        let mut todo: Vec<Edge> = edges.iter().rev().copied().collect();
        while let Some(edge) = todo.pop() {
            if edge == Edge::TRUE || seen.contains(!edge) {
                return None;
            }
            if edge == Edge::FALSE || !seen.insert(edge) {
                continue;
            }
            match graph.gate_of(edge) {
                Gate::And(a, b) if edge.is_negated() && self.lookup(edge).is_none() => {
                    todo.extend([!b, !a]);
                }
                _ => leaves.push(edge),
            }
        }
        Some(leaves)
    }
}

/// So many edges are looked through faster than hashed.
const FEW: usize = 8;

/// A set of edges, most often a small one.
struct Seen {
    few: [Edge; FEW],
    count: usize,
    rest: FxHashSet<Edge>,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { few: [Edge::FALSE; FEW], count: 0, rest: FxHashSet::default() }
    }
}

impl Seen {
    fn contains(&self, edge: Edge) -> bool {
        self.few[..self.count].contains(&edge) || self.rest.contains(&edge)
    }

    /// Adds the edge; `false` if it was there.
    fn insert(&mut self, edge: Edge) -> bool {
        if self.contains(edge) {
            return false;
        }
        if self.count == FEW {
            return self.rest.insert(edge);
        }
        self.few[self.count] = edge;
        self.count += 1;
        true
    }
}
