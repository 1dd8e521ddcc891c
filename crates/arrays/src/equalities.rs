//! Equalities between arrays that contradict each other, whatever their elements are.
//!
//! True equalities join arrays to classes. A false equality within a class violates transitivity; the lemma
//! is the shortest way by true equalities from one side to the other. Cost: a union-find look-up for each
//! equality, a breadth-first search for each lemma.

use crate::consistency::ConsistencyCheck;
use crate::graph::NodeId;
use crate::lemma::{Condition, Reason};
use bivalve_terms::Term;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

impl ConsistencyCheck<'_, '_, '_> {
    /// Equalities that are false although others make their sides equal.
    pub(crate) fn compare_equalities(&mut self) {
        for equality in self.graph.equalities() {
            let [a, b] = equality.sides;
            if self.holds(equality.atom) || self.classes.find(a.0) != self.classes.find(b.0) {
                continue;
            }
            let mut conditions: Vec<Condition> =
                self.equal_by(a, b).into_iter().map(|atom| Condition::Is(atom, true)).collect();
            conditions.push(Condition::Is(equality.atom, false));
            self.draft(Reason::Transitivity, conditions, None);
            if self.is_enough() {
                return;
            }
        }
    }

    /// The atoms of a shortest way from one array to another by true equalities, of which there is one.
    fn equal_by(&mut self, from: NodeId, to: NodeId) -> Vec<Term> {
        let mut came: FxHashMap<NodeId, (NodeId, Term)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front().filter(|&node| node != to) {
            self.step_taken();
            for &(next, atom) in self.across.get(&node).into_iter().flatten() {
                if next != from && !came.contains_key(&next) {
                    came.insert(next, (node, atom));
                    queue.push_back(next);
                }
            }
        }
        let mut atoms = vec![];
        let mut at = to;
        while at != from {
            let (before, atom) = came[&at];
            atoms.push(atom);
            at = before;
        }
        atoms
    }
}
