//! The assertion stack: levels, and what was asserted on each.
//!
//! The stack holds assertions as they were made. What the stages derive from them is theirs, on levels of the
//! same index: conjuncts in the preprocessor, literals in the encoder, accesses in the refiners. A level
//! comes into being with its first assertion, so `push(1_000_000_000)` is a number, and a level that is
//! popped empty never existed for the stages. These are handed what is new when a check begins; what was
//! popped before that they never see.
//!
//! Cost: a level that holds nothing is free; one that holds something takes three numbers.

use crate::adopt::Asserted;
use crate::query::Owner;
use bivalve_terms::{Renaming, Term};

/// All assertions by level.
pub(crate) struct AssertionStack {
    /// Pushes that were not popped.
    depth: u64,
    /// The levels that hold something, and the lowest; by increasing number.
    levels: Vec<Level>,
    /// As made.
    assertions: Vec<Term>,
    /// The positions of those that may appear in cores.
    tracked: Vec<usize>,
    /// So many assertions and levels were handed to the stages.
    handed: usize,
    handed_levels: usize,
}

/// An assertion that the stages have not seen.
pub(crate) struct Fresh {
    pub(crate) formula: Term,
    pub(crate) is_tracked: bool,
    /// A level comes into being with it.
    pub(crate) opens: bool,
}

/// What one level holds.
#[derive(Default)]
struct Level {
    number: u64,
    /// Where its assertions begin, among all, and among the tracked ones.
    first: usize,
    first_tracked: usize,
}

impl AssertionStack {
    /// The lowest level, empty.
    pub(crate) fn new() -> AssertionStack {
        let (levels, assertions, tracked) = (vec![Level::default()], vec![], vec![]);
        AssertionStack { depth: 0, levels, assertions, tracked, handed: 0, handed_levels: 1 }
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

    /// Drops the topmost levels, and returns how many of them the stages know; `None` and no change when
    /// there are fewer.
    pub(crate) fn pop(&mut self, levels: u64) -> Option<usize> {
        self.depth = self.depth.checked_sub(levels)?;
        let left = self.levels.partition_point(|level| level.number <= self.depth);
        if let Some(lowest) = self.levels.get(left) {
            self.assertions.truncate(lowest.first);
            self.tracked.truncate(lowest.first_tracked);
        }
        let known = self.handed_levels.saturating_sub(left);
        self.levels.truncate(left);
        self.handed_levels = self.handed_levels.min(left);
        self.handed = self.handed.min(self.assertions.len());
        Some(known)
    }

    /// The assertions that the stages have not seen, the lowest first; they have them now.
    pub(crate) fn hand_over(&mut self) -> Vec<Fresh> {
        let mut fresh = vec![];
        let mut tracked = self.tracked.partition_point(|&position| position < self.handed);
        for position in self.handed..self.assertions.len() {
            let next = self.levels.get(self.handed_levels);
            let opens = next.is_some_and(|level| level.first == position);
            self.handed_levels += usize::from(opens);
            let is_tracked = self.tracked.get(tracked) == Some(&position);
            tracked += usize::from(is_tracked);
            fresh.push(Fresh { formula: self.assertions[position], is_tracked, opens });
        }
        self.handed = self.assertions.len();
        fresh
    }

    /// Adds an assertion to the topmost level. A tracked one gets a number, counted from 0 from the bottom of
    /// the stack.
    pub(crate) fn add(&mut self, formula: Term, tracked: bool) {
        let is_new = self.levels.last().is_none_or(|level| level.number < self.depth);
        if is_new {
            let (first, first_tracked) = (self.assertions.len(), self.tracked.len());
            self.levels.push(Level { number: self.depth, first, first_tracked });
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

    /// How many assertions there are up to the end of the level that the one at this position is on.
    pub(crate) fn end_of_level(&self, position: usize) -> usize {
        let next = self.levels.iter().find(|level| level.first > position);
        next.map_or(self.assertions.len(), |next| next.first)
    }

    /// The tracked assertions by number.
    pub(crate) fn tracked(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.tracked.iter().map(|&position| self.assertions[position])
    }

    /// The assertions with their places, the lowest first.
    pub(crate) fn outline(&self) -> Vec<Asserted> {
        let mut levels = self.levels.iter().peekable();
        let mut tracked = self.tracked.iter().peekable();
        let mut level = 0;
        let asserted = |(position, &formula): (usize, &Term)| {
            while let Some(next) = levels.next_if(|next| next.first <= position) {
                level = next.number;
            }
            let is_tracked = tracked.next_if(|&&next| next == position).is_some();
            Asserted { level, formula, is_tracked }
        };
        self.assertions.iter().enumerate().map(asserted).collect()
    }

    /// How many levels hold something, the lowest included.
    pub(crate) fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Are there levels above the topmost one that holds something?
    pub(crate) fn has_empty_levels(&self) -> bool {
        self.levels.last().is_none_or(|level| level.number < self.depth)
    }

    /// Who an assertion belongs to, by its position; positions beyond them are those of assumptions.
    pub(crate) fn owner(&self, position: usize) -> Owner {
        if position >= self.assertions.len() {
            return Owner::Assumption(position - self.assertions.len());
        }
        let level = self.levels.partition_point(|level| level.first <= position) - 1;
        match self.tracked.binary_search(&position) {
            Ok(number) => Owner::Tracked(level, number),
            Err(_) => Owner::Level(level),
        }
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        self.assertions.iter_mut().for_each(|term| *term = renaming.of(*term));
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
        let mut stack = AssertionStack::new();
        assert!(stack.push(u64::MAX));
        assert!(!stack.push(1) && stack.depth() == u64::MAX);
        assert_eq!(stack.pop(u64::MAX - 3), Some(0));
        assert!(stack.pop(4).is_none() && stack.depth() == 3);
    }

    #[test]
    fn a_pop_takes_what_was_pushed_and_no_more() {
        let [a, b, c, d] = terms();
        let mut stack = AssertionStack::new();
        stack.add(a, false);
        stack.push(2);
        stack.add(b, true);
        stack.add(c, false);
        let fresh: Vec<_> = stack.hand_over().iter().map(|f| (f.formula, f.is_tracked, f.opens)).collect();
        assert_eq!(fresh, [(a, false, false), (b, true, true), (c, false, false)]);
        stack.push(3);
        stack.add(d, true);
        assert_eq!(stack.levels(), 3);
        let owners = [0, 1, 2, 3, 4].map(|position| stack.owner(position));
        let of_levels = [Owner::Level(0), Owner::Tracked(1, 0), Owner::Level(1), Owner::Tracked(2, 1)];
        assert_eq!((&owners[..4], owners[4]), (&of_levels[..], Owner::Assumption(0)));
        assert_eq!(stack.pop(4), Some(1), "the topmost was not handed over");
        assert_eq!((stack.assertions(), stack.depth()), (&[a][..], 1));
        assert_eq!(stack.tracked().len(), 0);
        stack.add(b, false);
        stack.add(c, true);
        let fresh: Vec<_> = stack.hand_over().iter().map(|f| (f.formula, f.is_tracked, f.opens)).collect();
        assert_eq!(fresh, [(b, false, true), (c, true, false)]);
        let outline = stack.outline().into_iter().map(|at| (at.level, at.formula, at.is_tracked));
        assert!(outline.eq([(0, a, false), (1, b, false), (1, c, true)]));
    }
}
