//! Chains of writes between equal arrays, passed in one step.
//!
//! Below a true equality accesses are propagated in all directions, and each write is an access as well, so a
//! chain of n writes would get n accesses at n arrays. But an array in the middle of a chain that is not
//! read, equated or shared is of no interest by itself: what matters is what comes out at the ends. So a run
//! of such arrays is taken as one step:
//!
//! - an access with index value k that comes to the top lands at the topmost write to k, or passes to the
//!   bottom;
//! - one that comes to the bottom passes to the top if nothing was written to k;
//! - of the writes to k only the topmost comes out, at the top.
//!
//! Why it is right: these are the steps that rules D and U would take one after the other, with what they
//! would leave at the arrays in the middle left out, which only accesses that pass there would meet. A
//! conflict between those is found at the ends, or at the write itself. The conditions of a lemma are those
//! of all the single steps (`trace`).
//!
//! A chain is looked at when the first access comes to it, never before: what its indices read must have been
//! settled. That holds for an access from above, whose term is younger than the chain, and when all accesses
//! have started.
//!
//! Cost: a look at each write of a tied chain for each model, and one look-up for each access that passes.
//! Two models with 2,000 writes on both sides of an equality took 3.3 s without this, and take 0.2 s.

use crate::consistency::ConsistencyCheck;
use crate::graph::{Node, NodeId};
use rustc_hash::FxHashMap;

/// A maximal run of writes without anything of interest in between.
pub(crate) struct Chain {
    /// The array under the lowest write.
    bottom: NodeId,
    /// By index value.
    topmost: FxHashMap<u32, NodeId>,
}

/// Where an access comes that goes down a chain.
#[derive(Clone, Copy)]
pub(crate) enum Passage {
    /// To the topmost write to its index.
    Lands(NodeId),
    /// Through, to this array.
    Passes(NodeId),
}

impl ConsistencyCheck<'_, '_, '_> {
    /// The top of the chain of each tied write. To be called when all tied arrays are known.
    pub(crate) fn find_chains(&mut self) {
        let mut is_read = vec![false; self.graph.len()];
        self.graph.reads().iter().for_each(|read| is_read[read.node.index()] = true);
        self.tops = self.graph.nodes().collect();
        // Those who use an array come after it.
        for node in self.graph.nodes().collect::<Vec<_>>().into_iter().rev() {
            let is_write =
                |node: NodeId| self.tied[node.index()] && matches!(self.graph.node(node), Node::Store { .. });
            if let &[parent] = self.graph.parents(node)
                && is_write(node)
                && is_write(parent)
                && !is_read[node.index()]
                && !self.across.contains_key(&node)
            {
                self.tops[node.index()] = self.tops[parent.index()];
            }
        }
    }

    /// Does the array lie inside of a chain?
    pub(crate) fn is_inner(&self, node: NodeId) -> bool {
        self.tops[node.index()] != node
    }

    /// The top of the chain that a tied write belongs to.
    pub(crate) fn top(&self, write: NodeId) -> NodeId {
        self.tops[write.index()]
    }

    /// Where an access with this index comes from the top of a chain.
    pub(crate) fn passage(&mut self, top: NodeId, key: u32) -> Passage {
        let Node::Store { base, .. } = self.graph.node(top) else { unreachable!("chains consist of writes") };
        if self.top(base) != top {
            let lands = self.index_of(top) == key;
            return if lands { Passage::Lands(top) } else { Passage::Passes(base) };
        }
        if !self.chains.contains_key(&top) {
            let chain = self.chain(top);
            self.chains.insert(top, chain);
        }
        let chain = &self.chains[&top];
        chain.topmost.get(&key).map_or(Passage::Passes(chain.bottom), |&write| Passage::Lands(write))
    }

    fn chain(&mut self, top: NodeId) -> Chain {
        let mut topmost = FxHashMap::default();
        let mut at = top;
        while let Node::Store { base, .. } = self.graph.node(at)
            && self.top(at) == top
        {
            let key = self.index_of(at);
            topmost.entry(key).or_insert(at);
            at = base;
        }
        Chain { bottom: at, topmost }
    }
}
