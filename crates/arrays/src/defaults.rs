//! Constant arrays under equalities: what the elements are at indices that are not accessed.
//!
//! Accesses compare arrays at their indices. Constant arrays say something about all indices, so two of them
//! may contradict each other at an index that no access uses: `store(const(0), i, v) = const(1)` is false
//! over any index sort of two values or more, and may be true over one. Tied arrays that stores, chosen
//! branches and true equalities connect agree at each index that no store on the way writes. So, for two
//! constant arrays with different elements that are connected:
//!
//! - If fewer stores lie on the way than the index sort has values, some index is written by none of them:
//!   the elements are equal if the way holds.
//! - If some index is written by no store of the whole component, then that is a witness: if no store on the
//!   way writes it, and the way holds, the elements are equal.
//! - Otherwise every index is written somewhere, and there are no more indices than stores. Then each
//!   constant array is looked at, at each index: it becomes an access ([`ConsistencyCheck::start_constant`])
//!   and the ordinary rules decide.
//!
//! What is counted are values, not terms; and the component is the one of the model, so that all ways between
//! the two are considered at once (algorithms: "count distinct values, intersect over paths"; here no
//! counting constraint is needed, since each lemma names its witness).
//!
//! Cost: linear in the tied arrays, and in stores times constant arrays for the last case.

use crate::consistency::ConsistencyCheck;
use crate::graph::{Node, NodeId};
use crate::lemma::{Condition, Reason};
use bivalve_faults::planted;
use bivalve_terms::{Sort, Term};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// All indices of a sort, for the sorts that have no more values than there are stores.
pub(crate) type Domains = FxHashMap<Sort, Vec<Term>>;

/// A constant array and the number of its element's value.
type Constant = (NodeId, u32);

impl ConsistencyCheck<'_, '_, '_> {
    /// Compares the constant arrays of each component of a level. An error says why it is not known whether
    /// the model is right.
    pub(crate) fn compare_constants(
        &mut self,
        nodes: &[NodeId],
        domains: &Domains,
    ) -> Result<(), &'static str> {
        let tied: Vec<NodeId> = nodes.iter().copied().filter(|node| self.tied[node.index()]).collect();
        for &node in &tied {
            if let Some(below) = self.below(node) {
                self.components.union(node.0, below.0);
            }
            for (other, _) in self.across.get(&node).into_iter().flatten() {
                self.components.union(node.0, other.0);
            }
        }
        let mut constants: IndexMap<u32, Vec<Constant>, FxBuildHasher> = IndexMap::default();
        for &node in &tied {
            if let Node::Constant { element } = self.graph.node(node) {
                let value = self.component(element);
                constants.entry(self.components.find(node.0)).or_default().push((node, value));
            }
        }
        for (&representative, members) in &constants {
            self.constants.insert(representative, members[0].0);
            if members.iter().any(|member| member.1 != members[0].1) {
                self.contradiction(representative, &tied, members, domains)?;
            }
        }
        Ok(())
    }

    /// What an array is made of, in this model.
    pub(crate) fn below(&mut self, node: NodeId) -> Option<NodeId> {
        match self.graph.node(node) {
            Node::Base | Node::Constant { .. } => None,
            Node::Store { base, .. } => Some(base),
            Node::Ite { condition, branches } => Some(self.chosen(condition, branches)),
        }
    }

    /// A component with constant arrays of different elements.
    fn contradiction(
        &mut self,
        representative: u32,
        tied: &[NodeId],
        members: &[Constant],
        domains: &Domains,
    ) -> Result<(), &'static str> {
        let pool = self.values.pool();
        let (index, _) =
            pool.sorts().array_parts(pool.sort(self.graph.term(members[0].0))).expect("an array");
        let size = pool.sorts().small_cardinality(index).unwrap_or(u64::MAX);
        let way = self.way_to_another(members);
        // A store that an equality leads to is no store on the way; it may be one by the step that follows.
        let writes = |&&(node, atom): &&(NodeId, Option<Term>)| {
            atom.is_none() && matches!(self.graph.node(node), Node::Store { .. })
        };
        let stores = way.iter().filter(writes);
        if (stores.count() as u64) < size || planted!(DefaultUncounted) {
            self.conclude(members, &way, None);
            return Ok(());
        }
        let domain = domains.get(&index).ok_or("constant arrays over a small index sort of arrays")?;
        let mut written = FxHashSet::default();
        for &node in tied {
            let is_store = matches!(self.graph.node(node), Node::Store { .. });
            if is_store && self.components.find(node.0) == representative {
                written.insert(self.index_of(node));
            }
        }
        let unwritten = domain.iter().copied().find(|&index| !written.contains(&self.component(index)));
        if unwritten.is_some() {
            self.conclude(members, &way, unwritten);
            return Ok(());
        }
        for &(node, _) in members {
            let Node::Constant { element } = self.graph.node(node) else { unreachable!("a constant array") };
            domain.iter().for_each(|&index| self.start_constant(node, index, element));
        }
        self.propagate_all();
        Ok(())
    }

    /// A shortest way from the first constant array to one with another element, last step first: the array
    /// that was crossed or `None`, and the atom for an equality.
    fn way_to_another(&mut self, members: &[Constant]) -> Vec<(NodeId, Option<Term>)> {
        let others: FxHashSet<NodeId> =
            members.iter().filter(|member| member.1 != members[0].1).map(|member| member.0).collect();
        let mut came: FxHashMap<NodeId, (NodeId, NodeId, Option<Term>)> = FxHashMap::default();
        let start = members[0].0;
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if others.contains(&node) {
                let mut way = vec![(node, None)];
                let mut at = node;
                while at != start {
                    let (from, crossed, atom) = came[&at];
                    way.push((crossed, atom));
                    at = from;
                }
                return way;
            }
            for (next, crossed, atom) in self.neighbours(node) {
                if next != start && !came.contains_key(&next) {
                    came.insert(next, (node, crossed, atom));
                    queue.push_back(next);
                }
            }
        }
        unreachable!("constant arrays of one component are connected")
    }

    /// Connected arrays: the array, whose condition the step rests on, and the atom of an equality.
    fn neighbours(&mut self, node: NodeId) -> Vec<(NodeId, NodeId, Option<Term>)> {
        let mut found: Vec<_> = self
            .across
            .get(&node)
            .into_iter()
            .flatten()
            .map(|&(other, atom)| (other, other, Some(atom)))
            .collect();
        if let Some(below) = self.below(node) {
            found.push((below, node, None));
        }
        let graph = self.graph;
        for &parent in graph.parents(node) {
            if self.tied[parent.index()] && self.below(parent) == Some(node) {
                found.push((parent, parent, None));
            }
        }
        found
    }

    /// The lemma: the way holds, and no store on it writes `unwritten` if that is given, so the elements are
    /// equal.
    fn conclude(&mut self, members: &[Constant], way: &[(NodeId, Option<Term>)], unwritten: Option<Term>) {
        let mut conditions = vec![];
        for &(node, atom) in way {
            match (atom, self.graph.node(node), unwritten) {
                (Some(atom), ..) => conditions.push(Condition::Is(atom, true)),
                (None, Node::Store { index, .. }, Some(unwritten)) => {
                    conditions.push(Condition::Different(unwritten, index));
                }
                (None, Node::Ite { condition, .. }, _) => {
                    let value = self.holds(condition);
                    conditions.push(Condition::Is(condition, value));
                }
                (None, ..) => {}
            }
        }
        let element = |node| match self.graph.node(node) {
            Node::Constant { element } => element,
            _ => unreachable!("the ends of the way are constant arrays"),
        };
        let conclusion = (element(members[0].0), element(way[0].0));
        self.draft(Reason::Default, conditions, Some(conclusion));
    }
}
