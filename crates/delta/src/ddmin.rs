//! Which subset of a list of edits to try next: ddmin as a state machine.
//!
//! It holds a list of items (edits, commands), proposes a subset to be applied, gets the outcome of the
//! test, and proposes the next one. It is a value without references: a copy that gets the other outcome
//! predicts the search, so that candidates are tested ahead of time (see `verdicts`) while the order of
//! decisions stays that of one thread.
//!
//! The rule is that of ddmin (Zeller and Hildebrandt, TSE 2002) on complements, in one sweep per size: chunks
//! of the items that are left are tried from the front, each on top of all that succeeded so far; then chunks
//! of half the size, down to the least size asked for. Since sweeps are repeated until nothing changes (see
//! `typed`), a sweep over single items need not be repeated here. With `k` items that must stay among
//! `n`, about `k log n` proposals fail.
//!
//! Items may become void: an edit of a node that a success has cut off has no effect any more, and the chunks
//! that follow are made of the other items.

/// A sweep over items numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Ddmin {
    /// What succeeded, in order of success.
    accepted: Vec<u32>,
    /// What has not been decided at this size, in front of `position` what has.
    items: Vec<u32>,
    position: usize,
    chunk: usize,
    least: usize,
}

impl Ddmin {
    /// A sweep that starts with chunks of `chunk` items and ends with chunks of `least`.
    pub(crate) fn new(count: usize, chunk: usize, least: usize) -> Ddmin {
        let items = (0..u32::try_from(count).expect("fewer than 2^32 edits")).collect();
        let least = least.clamp(1, chunk.max(1));
        Ddmin { accepted: vec![], items, position: 0, chunk: chunk.clamp(1, count.max(1)), least }
    }

    /// The subset to be tried, `None` if the sweep is over.
    pub(crate) fn next(&mut self) -> Option<Vec<u32>> {
        while self.position >= self.items.len() {
            if self.items.is_empty() || self.chunk <= self.least {
                return None;
            }
            self.chunk = (self.chunk / 2).max(self.least);
            self.position = 0;
        }
        let end = self.end();
        Some(self.accepted.iter().chain(&self.items[self.position..end]).copied().collect())
    }

    /// The answer to what was proposed last.
    pub(crate) fn tell(&mut self, fails: bool) {
        let end = self.end();
        if fails {
            self.accepted.extend(self.items.drain(self.position..end));
        } else {
            self.position = end;
        }
    }

    /// Forgets the items that are void.
    pub(crate) fn retain(&mut self, alive: impl Fn(u32) -> bool) {
        let (decided, open) = self.items.split_at(self.position);
        let decided: Vec<u32> = decided.iter().copied().filter(|&item| alive(item)).collect();
        let position = decided.len();
        self.items = decided.into_iter().chain(open.iter().copied().filter(|&item| alive(item))).collect();
        self.position = position;
    }

    /// What succeeded.
    pub(crate) fn accepted(&self) -> &[u32] {
        &self.accepted
    }

    fn end(&self) -> usize {
        (self.position + self.chunk).min(self.items.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a sweep against the items that must stay; returns what stays, and the number of proposals.
    fn run(count: usize, needed: &[u32]) -> (Vec<u32>, usize) {
        let mut ddmin = Ddmin::new(count, count, 1);
        let mut proposals = 0;
        while let Some(proposal) = ddmin.next() {
            proposals += 1;
            ddmin.tell(!proposal.iter().any(|item| needed.contains(item)));
        }
        let left = (0..count as u32).filter(|item| !ddmin.accepted().contains(item)).collect();
        (left, proposals)
    }

    #[test]
    fn what_is_needed_stays_and_everything_else_goes() {
        assert_eq!(run(1, &[]), (vec![], 1));
        assert_eq!(run(0, &[]), (vec![], 0));
        for needed in [vec![], vec![0], vec![499], vec![3, 4, 250], (0..500).collect()] {
            let (left, proposals) = run(500, &needed);
            assert_eq!(left, needed);
            assert!(proposals <= 2 + 20 * needed.len(), "{proposals} for {}", needed.len());
        }
    }

    #[test]
    fn the_dead_are_not_proposed() {
        let mut ddmin = Ddmin::new(8, 4, 1);
        assert_eq!(ddmin.next(), Some(vec![0, 1, 2, 3]));
        ddmin.tell(false);
        assert_eq!(ddmin.next(), Some(vec![4, 5, 6, 7]));
        ddmin.tell(true);
        ddmin.retain(|item| item % 2 == 0);
        assert_eq!(ddmin.next(), Some(vec![4, 5, 6, 7, 0, 2]));
    }
}
