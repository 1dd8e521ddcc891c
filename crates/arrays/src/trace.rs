//! The ways of accesses, read backwards: under which conditions an access comes to an array.
//!
//! Each entry of the table says from where its access came; following that to the array it started from, each
//! step gives the condition it rested on (thesis, table 2.1): a store was passed because the indices differ,
//! a branch because the condition chose it, an equality because it is true. Accesses leave no entries at
//! arrays that are not tied, so a way down may span several of those; it is walked again, since a way down is
//! determined by the model.
//!
//! Accesses are propagated breadth first, so these are shortest ways, and the conditions few. Cost: the
//! length of the way.

use crate::consistency::{Access, ConsistencyCheck, Entry, Way};
use crate::graph::{Node, NodeId};
use crate::lemma::Condition;
use bivalve_terms::{Op, Term};

impl ConsistencyCheck<'_, '_, '_> {
    /// The conditions under which an access meets the representative of its index at `node`.
    pub(crate) fn meeting(
        &mut self,
        access: &Access,
        number: u32,
        node: NodeId,
        way: Way,
        entry: Entry,
    ) -> Vec<Condition> {
        let old = self.accesses[entry.access as usize];
        let mut conditions = vec![];
        self.trace(number, node, way, &mut conditions);
        self.trace(entry.access, node, entry.way, &mut conditions);
        self.same_index(access, &old, &mut conditions);
        conditions
    }

    /// The index terms of an access.
    pub(crate) fn indices(&self, access: &Access) -> Vec<Term> {
        let pool = self.values.pool();
        match (pool.op(access.term), pool.args(access.term)) {
            (Op::Store, &[_, index, _]) => vec![index],
            (Op::Select | Op::Apply, args) => args[1..].to_vec(),
            _ => vec![access.term],
        }
    }

    fn same_index(&self, a: &Access, b: &Access, conditions: &mut Vec<Condition>) {
        let pairs = self.indices(a).into_iter().zip(self.indices(b));
        conditions.extend(pairs.map(|(i, k)| Condition::Same(i, k)));
    }

    /// The conditions under which an access came to `node` by `way`.
    pub(crate) fn trace(&mut self, number: u32, node: NodeId, way: Way, conditions: &mut Vec<Condition>) {
        let access = self.accesses[number as usize];
        let (mut at, mut way) = (node, way);
        loop {
            let from = match way {
                Way::Origin => return,
                Way::Down(from) => {
                    self.steps_down(&access, from, at, conditions);
                    from
                }
                Way::Up(from) => {
                    self.steps_down(&access, at, from, conditions);
                    from
                }
                Way::Across(from, atom) => {
                    conditions.push(Condition::Crossed(atom, self.indices(&access)[0]));
                    from
                }
            };
            match self.table.get(&(from, access.key)) {
                Some(entry) if entry.access == number => (at, way) = (from, entry.way),
                // Only the first array of an access can be without an entry of it.
                _ => return,
            }
        }
    }

    /// The conditions of going down from one array to another one, or up that way.
    fn steps_down(&mut self, access: &Access, from: NodeId, to: NodeId, conditions: &mut Vec<Condition>) {
        let mut at = from;
        while at != to {
            self.step(access, at, conditions);
            at = match self.graph.node(at) {
                Node::Store { base, .. } => base,
                Node::Ite { condition, branches } => self.chosen(condition, branches),
                Node::Base | Node::Constant { .. } => unreachable!("the way down leads to the other array"),
            };
        }
    }

    /// The condition under which an access passes between an array and what it is made of.
    fn step(&mut self, access: &Access, node: NodeId, conditions: &mut Vec<Condition>) {
        match self.graph.node(node) {
            Node::Store { index, .. } => {
                conditions.push(Condition::Different(self.indices(access)[0], index));
            }
            Node::Ite { condition, .. } => {
                let value = self.holds(condition);
                conditions.push(Condition::Is(condition, value));
            }
            Node::Base | Node::Constant { .. } => unreachable!("made of nothing"),
        }
    }
}
