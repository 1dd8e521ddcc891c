//! The assertion stack: levels, what was asserted on each, and how many of its conjuncts have clauses.
//!
//! What preprocessing made of the assertions of a level is on the level of the same index in the preprocessor.
//! A level comes into being with its first assertion, so `push(1_000_000_000)` is a number, and a level that is
//! popped empty never was.
//!
//! Levels are built from the bottom up, each one wholly before the next, and only the topmost takes new
//! assertions; so whatever a level was simplified with is at or below it.
//!
//! Cost: a level that holds nothing is free; one that holds something takes a few words.

use bivalve_terms::{Renaming, Term};

/// All live assertions by level.
pub(crate) struct Scopes {
    /// Pushes that were not popped.
    depth: u64,
    /// The levels that hold something, and the lowest; by increasing number.
    levels: Vec<Level>,
    /// As made.
    assertions: Vec<Term>,
    /// The positions of those that may appear in cores.
    tracked: Vec<usize>,
}

/// What one level holds.
#[derive(Default)]
pub(crate) struct Level {
    number: u64,
    /// Where its assertions begin, among all, and among the tracked ones.
    first: usize,
    first_tracked: usize,
    /// So many of its conjuncts have clauses.
    pub(crate) built: usize,
    /// So many of those were taken in by the theory, since it forgot the last time.
    pub(crate) taken_in: usize,
}

impl Scopes {
    /// The lowest level, empty.
    pub(crate) fn new() -> Scopes {
        Scopes { depth: 0, levels: vec![Level::default()], assertions: vec![], tracked: vec![] }
    }

    /// The number of levels above the lowest.
    pub(crate) fn depth(&self) -> u64 {
        self.depth
    }

    /// Opens levels; `false` and no change when their number would not fit.
    pub(crate) fn push(&mut self, levels: u64) -> bool {
        let deeper = self.depth.checked_add(levels);
        self.depth = deeper.unwrap_or(self.depth);
        deeper.is_some()
    }

    /// Drops the topmost levels and hands out those that held something, the topmost first; `None` and no
    /// change when there are fewer.
    pub(crate) fn pop(&mut self, levels: u64) -> Option<Vec<Level>> {
        self.depth = self.depth.checked_sub(levels)?;
        let left = self.levels.partition_point(|level| level.number <= self.depth);
        if let Some(lowest) = self.levels.get(left) {
            self.assertions.truncate(lowest.first);
            self.tracked.truncate(lowest.first_tracked);
        }
        Some(self.levels.drain(left..).rev().collect())
    }

    /// Adds an assertion to the topmost level. A tracked one gets a number, counted from 0 from the bottom of
    /// the stack. Returns whether the level comes into being with it.
    pub(crate) fn add(&mut self, formula: Term, tracked: bool) -> bool {
        let is_new = self.levels.last().is_none_or(|level| level.number < self.depth);
        if is_new {
            let (first, first_tracked) = (self.assertions.len(), self.tracked.len());
            self.levels.push(Level { number: self.depth, first, first_tracked, ..Level::default() });
        }
        if tracked {
            self.tracked.push(self.assertions.len());
        }
        self.assertions.push(formula);
        is_new
    }

    /// All assertions, the lowest level first.
    pub(crate) fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    /// The tracked assertions by number.
    pub(crate) fn tracked(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.tracked.iter().map(|&position| self.assertions[position])
    }

    /// The levels that hold something, the lowest first.
    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// One of these levels.
    pub(crate) fn level_mut(&mut self, index: usize) -> &mut Level {
        &mut self.levels[index]
    }

    /// All of these levels.
    pub(crate) fn levels_mut(&mut self) -> &mut [Level] {
        &mut self.levels
    }

    /// The number of the first tracked assertion of a level.
    pub(crate) fn first_tracked(&self, index: usize) -> usize {
        self.levels[index].first_tracked
    }

    /// Are there levels above the topmost one that holds something?
    pub(crate) fn has_empty_levels(&self) -> bool {
        self.levels.last().is_none_or(|level| level.number < self.depth)
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        self.assertions.iter_mut().for_each(|term| *term = renaming.of(*term));
    }
}

impl Level {
    /// Forgets that there are clauses.
    pub(crate) fn unbuild(&mut self) {
        self.built = 0;
        self.taken_in = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Pool;

    fn terms() -> [Term; 4] {
        let mut pool = Pool::new();
        [0, 1, 2, 3].map(|value| pool.bv_u64(value, 8))
    }

    #[test]
    fn empty_levels_are_numbers() {
        let mut scopes = Scopes::new();
        assert!(scopes.push(u64::MAX));
        assert!(!scopes.push(1) && scopes.depth() == u64::MAX);
        assert_eq!(scopes.pop(u64::MAX - 3).map(|popped| popped.len()), Some(0));
        assert!(scopes.pop(4).is_none() && scopes.depth() == 3);
    }

    #[test]
    fn a_pop_takes_what_was_pushed_and_no_more() {
        let [a, b, c, d] = terms();
        let mut scopes = Scopes::new();
        assert!(!scopes.add(a, false), "the lowest level is always there");
        scopes.push(2);
        assert!(scopes.add(b, true));
        scopes.add(c, false);
        scopes.push(3);
        scopes.add(d, true);
        assert_eq!(scopes.levels().len(), 3);
        assert_eq!(scopes.pop(4).map(|popped| popped.len()), Some(2));
        assert_eq!((scopes.assertions(), scopes.depth()), (&[a][..], 1));
        assert_eq!(scopes.tracked().len(), 0);
        assert!(!scopes.add(b, false) && !scopes.add(c, true));
    }
}
