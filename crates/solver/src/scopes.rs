//! The assertion stack: levels, what was asserted on each, and how far each was carried downhill.
//!
//! A level owns all that was derived from its assertions: simplified conjuncts, how many of them have
//! clauses. Popping drops the level and with it
//! everything that held only because of it; nothing is undone by hand. A level comes into being with its
//! first assertion, so `push(1_000_000_000)` is a number, and a level that is popped empty never was.
//!
//! Levels are carried downhill from the bottom up, each one wholly before the next, and only the topmost
//! takes new assertions; so whatever a level was simplified with is at or below it.
//!
//! Cost: a level that holds nothing is free; one that holds something takes a few vectors.

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
    /// So many of all assertions are simplified.
    pub(crate) simplified: usize,
    /// It was begun to be simplified: definitions and frozen symbols have a scope for it.
    pub(crate) entered: bool,
    /// What is left of its untracked assertions.
    pub(crate) conjuncts: Vec<Term>,
    /// The symbols of so many conjuncts are frozen.
    pub(crate) settled: usize,
    /// So many conjuncts have clauses.
    pub(crate) built: usize,
    /// So many of those were taken in by the theory, since it forgot the last time.
    pub(crate) taken_in: usize,
    /// What is left of its tracked assertions, each by itself.
    pub(crate) tracked: Vec<Term>,
}

impl Scopes {
    /// The lowest level, empty.
    pub(crate) fn new() -> Scopes {
        let lowest = Level { entered: true, ..Level::default() };
        Scopes { depth: 0, levels: vec![lowest], assertions: vec![], tracked: vec![] }
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
    /// the stack.
    pub(crate) fn add(&mut self, formula: Term, tracked: bool) {
        if self.levels.last().is_none_or(|level| level.number < self.depth) {
            let (first, first_tracked) = (self.assertions.len(), self.tracked.len());
            let simplified = first;
            self.levels.push(Level {
                number: self.depth,
                first,
                first_tracked,
                simplified,
                ..Level::default()
            });
        }
        if tracked {
            self.tracked.push(self.assertions.len());
        }
        self.assertions.push(formula);
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

    /// Is every assertion simplified?
    pub(crate) fn is_simplified(&self) -> bool {
        self.levels.last().is_some_and(|level| level.simplified == self.assertions.len())
    }

    /// The assertions that are not simplified yet.
    pub(crate) fn new_assertions(&self) -> impl Iterator<Item = Term> {
        (0..self.levels.len())
            .flat_map(|index| self.assertions[self.levels[index].simplified..self.end(index)].iter().copied())
    }

    /// Is it the topmost level, with none above that is empty so far?
    pub(crate) fn is_top(&self, index: usize) -> bool {
        self.levels[index].number == self.depth
    }

    /// The tracked assertions of a level.
    pub(crate) fn tracked_of(&self, index: usize) -> impl Iterator<Item = Term> {
        let end = self.end(index);
        let tracked = self.tracked[self.levels[index].first_tracked..].iter();
        tracked.take_while(move |&&position| position < end).map(|&position| self.assertions[position])
    }

    /// Nothing is simplified any more.
    pub(crate) fn unsimplify(&mut self) {
        for (index, level) in self.levels.iter_mut().enumerate() {
            let Level { number, first, first_tracked, .. } = *level;
            *level = Level {
                number,
                first,
                first_tracked,
                simplified: first,
                entered: index == 0,
                ..Level::default()
            };
        }
    }

    /// Where the assertions of a level end.
    fn end(&self, index: usize) -> usize {
        self.levels.get(index + 1).map_or(self.assertions.len(), |above| above.first)
    }

    /// The terms that levels hold on to.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = Term> {
        let derived = self.levels.iter().flat_map(|level| level.conjuncts.iter().chain(&level.tracked));
        self.assertions.iter().chain(derived).copied()
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        let derived =
            self.levels.iter_mut().flat_map(|level| level.conjuncts.iter_mut().chain(&mut level.tracked));
        self.assertions.iter_mut().chain(derived).for_each(|term| *term = renaming.of(*term));
    }

    /// The untracked and the tracked assertions of a level that are not simplified yet. From now on they are.
    pub(crate) fn take_new(&mut self, index: usize) -> (Vec<Term>, Vec<Term>) {
        let end = self.end(index);
        let level = &mut self.levels[index];
        let begin = std::mem::replace(&mut level.simplified, end);
        let mut tracked = self.tracked[level.first_tracked + level.tracked.len()..].iter().peekable();
        let (mut plain, mut named) = (vec![], vec![]);
        for position in begin..end {
            match tracked.next_if_eq(&&position) {
                Some(_) => named.push(self.assertions[position]),
                None => plain.push(self.assertions[position]),
            }
        }
        (plain, named)
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
        scopes.add(a, false);
        scopes.push(2);
        scopes.add(b, true);
        scopes.add(c, false);
        scopes.push(3);
        scopes.add(d, true);
        assert_eq!(scopes.levels().len(), 3);
        assert_eq!(scopes.take_new(0), (vec![a], vec![]));
        assert_eq!(scopes.take_new(1), (vec![c], vec![b]));
        assert!(!scopes.is_simplified());
        assert_eq!(scopes.take_new(2), (vec![], vec![d]));
        assert!(scopes.is_simplified());
        assert_eq!(scopes.pop(4).map(|popped| popped.len()), Some(2));
        assert_eq!((scopes.assertions(), scopes.depth()), (&[a][..], 1));
        assert_eq!(scopes.tracked().len(), 0);
        scopes.add(b, false);
        assert_eq!(scopes.take_new(1), (vec![b], vec![]));
    }
}
