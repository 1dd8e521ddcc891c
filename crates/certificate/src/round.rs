//! Rounds of replacements: what terms become, and why.
//!
//! Definitions are for terms as they are, and what they say is replaced as well, so definitions that lead
//! back to their symbol are dropped. Laws are for terms over the images of their arguments.
//!
//! Cost: linear in the terms below what is replaced.

use bivalve_terms::{Pool, Term};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Why a term is replaced by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Because {
    /// The fact of this number says that they are equal.
    Fact(usize),
    /// They have one polynomial, or it is an equation of two that differ by a value.
    Polynomials,
    /// It is an equation whose sides are always the same ([`crate::layers`]).
    Layers,
    /// The fact of this number says what the first is; it stays.
    Conjunct(usize),
    /// They are equal by the meaning of their operators: a choice, and a sum ([`crate::choices`]).
    Law,
}

/// What terms are replaced by in a round, and what their replacement makes of other terms.
#[derive(Default)]
pub(crate) struct Round {
    /// Symbol, or sum, and what it is replaced by.
    pub(crate) definitions: FxHashMap<Term, (Term, Because)>,
    pub(crate) images: FxHashMap<Term, Term>,
    /// What terms over images become, and the pass that says so.
    pub(crate) laws: FxHashMap<Term, (Term, usize)>,
}

impl Round {
    /// Is nothing replaced?
    pub(crate) fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.laws.is_empty()
    }

    /// The facts that say what terms are replaced by.
    pub(crate) fn facts(&self) -> impl Iterator<Item = usize> {
        self.definitions.values().filter_map(|&(_, because)| match because {
            Because::Fact(fact) => Some(fact),
            Because::Polynomials | Because::Layers | Because::Law | Because::Conjunct(_) => None,
        })
    }

    /// Replaces terms by others that have the same polynomials.
    pub(crate) fn multiply_out(&mut self, pool: &Pool, found: Vec<(Term, Term)>) {
        self.definitions.extend(found.into_iter().map(|(from, to)| (from, (to, Because::Polynomials))));
        self.drop_cycles(pool);
    }

    /// The facts that say what other terms are, and stay.
    pub(crate) fn embedded(&self) -> impl Iterator<Item = usize> {
        self.definitions.values().filter_map(|&(_, because)| match because {
            Because::Conjunct(fact) => Some(fact),
            Because::Polynomials | Because::Layers | Because::Law | Because::Fact(_) => None,
        })
    }

    /// Drops definitions until none leads back to its symbol.
    pub(crate) fn drop_cycles(&mut self, pool: &Pool) {
        let mut graph = DiGraph::<Term, ()>::new();
        let mut nodes: FxHashMap<Term, NodeIndex> = FxHashMap::default();
        let mut waiting: Vec<Term> = self.definitions.keys().copied().collect();
        waiting.sort_unstable();
        while let Some(term) = waiting.pop() {
            if let Entry::Vacant(entry) = nodes.entry(term) {
                entry.insert(graph.add_node(term));
                waiting.extend(self.below(pool, term));
            }
        }
        for node in graph.node_indices() {
            for below in self.below(pool, graph[node]) {
                graph.add_edge(node, nodes[&below], ());
            }
        }
        loop {
            let components = kosaraju_scc(&graph);
            let cyclic = |component: &&Vec<NodeIndex>| {
                component.len() > 1 || graph.contains_edge(component[0], component[0])
            };
            let defined = |component: &Vec<NodeIndex>| {
                component.iter().copied().filter(|&node| self.definitions.contains_key(&graph[node])).min()
            };
            let dropped: Vec<NodeIndex> = components.iter().filter(cyclic).filter_map(defined).collect();
            if dropped.is_empty() {
                return;
            }
            for node in dropped {
                self.definitions.remove(&graph[node]);
                graph.retain_edges(|graph, edge| {
                    graph.edge_endpoints(edge).is_none_or(|(from, _)| from != node)
                });
            }
        }
    }

    /// What a term is made of, or what its symbol is replaced by.
    fn below(&self, pool: &Pool, term: Term) -> Vec<Term> {
        match self.definitions.get(&term) {
            Some(&(replacement, _)) => vec![replacement],
            None => pool.args(term).to_vec(),
        }
    }

    /// The term after the replacement of symbols.
    pub(crate) fn image(&mut self, pool: &mut Pool, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.images.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let below = self.below(pool, term);
            stack.extend(below.iter().copied().filter(|arg| !self.images.contains_key(arg)));
            if stack.len() == before {
                stack.pop();
                let images: Vec<Term> = below.iter().map(|arg| self.images[arg]).collect();
                let image = match self.definitions.contains_key(&term) {
                    true => images[0],
                    false => {
                        let rebuilt = if images == below { term } else { pool.rebuild(term, &images) };
                        self.laws.get(&rebuilt).map_or(rebuilt, |&(to, _)| to)
                    }
                };
                self.images.insert(term, image);
            }
        }
        self.images[&root]
    }
}
