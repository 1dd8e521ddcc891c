//! Sets of formulas that are the nodes of a tree, children before their parents.

use bivalve::terms::{Op, Pool, Term};
use std::collections::BTreeSet;
use thiserror::Error;

/// Why sets of formulas are no tree of assertions.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoDivision {
    /// A formula is not asserted.
    #[error("formula {} is not asserted", position + 1)]
    NotAsserted {
        /// Its number among all formulas of all sets, from 0.
        position: usize,
    },
    /// Assertions are in no set.
    #[error("expected all assertions in the sets, found all but {0}")]
    Missing(usize),
    /// Starts of subtrees are none of a tree.
    #[error("expected the starts of the subtrees of a tree, found others")]
    NoTree,
}

/// Sets of formulas as the nodes of a tree. A chain, in which each set is the parent of the one before it, is
/// a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    sets: Vec<Vec<Term>>,
    /// The first node of the subtree that each node is the root of: it has all nodes from there on.
    starts: Vec<usize>,
}

impl Tree {
    /// The tree of these sets, in which each node is the root of the subtree that begins at its start.
    /// `None` if these are no subtrees of one tree: each start is a node before its own or the node itself,
    /// subtrees do not overlap unless one is within the other, and the last one is the whole.
    pub fn new(sets: Vec<Vec<Term>>, starts: Vec<usize>) -> Option<Tree> {
        let mut roots: Vec<usize> = vec![];
        for (node, &start) in starts.iter().enumerate() {
            let mut first = node;
            while first > start {
                first = starts[roots.pop()?];
            }
            if first != start {
                return None;
            }
            roots.push(node);
        }
        (sets.len() == starts.len() && roots.len() <= 1).then_some(Tree { sets, starts })
    }

    /// The chain of these sets.
    pub fn sequence(sets: Vec<Vec<Term>>) -> Tree {
        Tree { starts: vec![0; sets.len()], sets }
    }

    /// The chain of these sets of assertions and of all other assertions behind them.
    ///
    /// # Errors
    ///
    /// When a formula is not asserted.
    pub fn of_prefixes(assertions: &[Term], mut sets: Vec<Vec<Term>>) -> Result<Tree, NoDivision> {
        let others = others(assertions, &sets)?;
        sets.push(others);
        Ok(Tree::sequence(sets))
    }

    /// The tree of these sets of assertions, all of them together; without starts it is a chain.
    ///
    /// # Errors
    ///
    /// When a formula is not asserted, an assertion is missing, or there is no such tree.
    pub fn of_all(
        assertions: &[Term],
        sets: Vec<Vec<Term>>,
        starts: Option<Vec<usize>>,
    ) -> Result<Tree, NoDivision> {
        match (others(assertions, &sets)?.len(), starts) {
            (0, None) => Ok(Tree::sequence(sets)),
            (0, Some(starts)) => Tree::new(sets, starts).ok_or(NoDivision::NoTree),
            (missing, _) => Err(NoDivision::Missing(missing)),
        }
    }

    /// The sets, children before their parents.
    pub fn sets(&self) -> &[Vec<Term>] {
        &self.sets
    }

    /// The nodes without the root, each of which gets an interpolant.
    pub fn inner(&self) -> usize {
        self.sets.len().saturating_sub(1)
    }

    /// The children of a node, the last one first.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.roots(node, self.starts[node])
    }

    /// The roots of the greatest subtrees among the nodes before a node and not before `start`, the last one
    /// first.
    fn roots(&self, node: usize, start: usize) -> impl Iterator<Item = usize> + '_ {
        let before = move |end: usize| (end > start).then(|| end - 1);
        std::iter::successors(before(node), move |&root| before(self.starts[root]))
    }

    /// What the interpolant of a node is between, given those of the nodes before it: the node with the
    /// interpolants of its children; and the interpolants of other subtrees, with the nodes behind it.
    pub(crate) fn sides(&self, node: usize, found: &[Term]) -> [Vec<Term>; 2] {
        let mut inside: Vec<Term> = self.children(node).map(|child| found[child]).collect();
        inside.extend(&self.sets[node]);
        let mut outside: Vec<Term> = self.roots(self.starts[node], 0).map(|other| found[other]).collect();
        outside.extend(self.sets[node + 1..].iter().flatten());
        [inside, outside]
    }

    /// What makes terms interpolants of the tree, beside their symbols: sets of formulas without a model. The
    /// interpolant of each node follows from the node and the interpolants of its children, and the root
    /// contradicts those of its children.
    pub fn claims(&self, pool: &mut Pool, found: &[Term]) -> Vec<Vec<Term>> {
        (0..self.sets.len())
            .map(|node| {
                let mut claim: Vec<Term> = self.children(node).map(|child| found[child]).collect();
                claim.extend(&self.sets[node]);
                claim.extend(found.get(node).map(|&interpolant| pool.mk(Op::Not, &[interpolant])));
                claim
            })
            .collect()
    }
}

/// The assertions that are in none of these sets of assertions.
fn others(assertions: &[Term], sets: &[Vec<Term>]) -> Result<Vec<Term>, NoDivision> {
    let asserted: BTreeSet<Term> = assertions.iter().copied().collect();
    let listed: BTreeSet<Term> = sets.iter().flatten().copied().collect();
    match sets.iter().flatten().position(|formula| !asserted.contains(formula)) {
        Some(position) => Err(NoDivision::NotAsserted { position }),
        None => Ok(assertions.iter().copied().filter(|term| !listed.contains(term)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_are_those_that_starts_say() {
        let tree = |starts: &[usize]| Tree::new(vec![vec![]; starts.len()], starts.to_vec());
        // A (B) C: the last one has two children.
        let found = tree(&[0, 1, 0]).expect("a tree");
        assert_eq!(found.children(2).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(found.children(1).count(), 0);
        // A B (C (D) E) F: a chain, and beside it a node with two children.
        let found = tree(&[0, 0, 2, 3, 2, 0]).expect("a tree");
        assert_eq!(
            [1, 4, 5].map(|node| found.children(node).collect::<Vec<_>>()),
            [vec![0], vec![3, 2], vec![4, 1]]
        );
        assert_eq!(tree(&[0, 0, 0]), Some(Tree::sequence(vec![vec![]; 3])));
        for starts in [&[0, 1][..], &[1], &[0, 0, 1], &[0, 1, 1], &[0, 0, 2]] {
            assert_eq!(tree(starts), None, "{starts:?}");
        }
    }
}
