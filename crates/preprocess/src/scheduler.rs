//! The pipeline at work: which passes are on, whose turn it is, and what each has gained.
//!
//! [`PASSES`] is what there is; a [`Pipeline`] is what one solver makes of it: a level, switches, and a count
//! for each pass of how often it was tried and changed something, the time it took, and the terms there were
//! before and after, with the local rules applied. Numbers of terms are taken for passes that changed
//! something only, since counting is a walk.
//!
//! Time is measured by the clock that is handed in; libraries have none. Nothing is decided by it.

use crate::passes::{PASSES, Pass};
use bivalve_terms::{Pool, Term, TermSet};
use std::fmt;
use std::time::Duration;

/// A set of passes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct PassSet(u64);

impl PassSet {
    /// The passes of these names, separated by commas; none for `none` and for nothing.
    ///
    /// # Errors
    ///
    /// When there is no pass of a name: what was expected.
    pub fn parse(text: &str) -> Result<PassSet, String> {
        let mut set = PassSet::default();
        for name in text.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "none")) {
            set.0 |= 1 << number(name).ok_or_else(PassSet::expected)?;
        }
        Ok(set)
    }

    /// Is the pass of this name among them?
    pub fn contains(&self, name: &str) -> bool {
        number(name).is_some_and(|number| self.has(number))
    }

    fn has(&self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }

    fn expected() -> String {
        let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
        format!("none, or passes separated by commas, of {}", names.join(", "))
    }
}

impl fmt::Display for PassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passes = PASSES.iter().enumerate().filter(|(number, _)| self.has(*number));
        let names: Vec<&str> = passes.map(|(_, pass)| pass.name).collect();
        f.write_str(if names.is_empty() { "none".to_owned() } else { names.join(",") }.as_str())
    }
}

fn number(name: &str) -> Option<usize> {
    PASSES.iter().position(|pass| pass.name == name)
}

/// What a pass did so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct PassCounts {
    /// Times it was tried.
    pub tried: u64,
    /// Times it changed something.
    pub changed: u64,
    /// Time it took.
    pub time: Duration,
    /// Terms below the conjuncts whenever it changed something, in all.
    pub terms_before: u64,
    /// Terms below what it left, in normal form.
    pub terms_after: u64,
}

/// What conjuncts cost as circuits; `None` if that is too much to say.
pub type Cost = fn(&Pool, &[Term]) -> Option<u64>;

/// Level, switches and counts.
pub struct Pipeline {
    level: u8,
    without: PassSet,
    clock: fn() -> Duration,
    counts: Vec<PassCounts>,
    cost: Option<Cost>,
    /// The last pass that changed something: its terms are counted when the local rules are done.
    pending: Option<(usize, u64)>,
}

impl Pipeline {
    /// The pipeline of a level (0: nothing, 1: definitions, 2: all that pays, 3: arithmetic in normal form,
    /// too), without some passes. `clock` is a time since some fixed moment.
    pub fn new(level: u8, without: PassSet, clock: fn() -> Duration) -> Pipeline {
        let counts = vec![PassCounts::default(); PASSES.len()];
        Pipeline { level, without, clock, counts, cost: None, pending: None }
    }

    /// Changes level, switches and clock; counts stay.
    pub fn set(&mut self, level: u8, without: PassSet, clock: fn() -> Duration) {
        (self.level, self.without, self.clock) = (level, without, clock);
    }

    /// What is offered from now on is taken if this says that it costs less.
    pub fn set_cost(&mut self, cost: Cost) {
        self.cost = Some(cost);
    }

    /// The cheapest of some forms of the conjuncts, if it is cheaper than these.
    pub(crate) fn cheapest(
        &self,
        pool: &Pool,
        conjuncts: &[Term],
        forms: Vec<Vec<Term>>,
    ) -> Option<Vec<Term>> {
        let cost = self.cost.filter(|_| !forms.is_empty())?;
        let before = cost(pool, conjuncts)?;
        let costs = forms.into_iter().filter_map(|form| Some((cost(pool, &form)?, form)));
        costs.min_by_key(|(cost, _)| *cost).filter(|(cost, _)| *cost < before).map(|(_, form)| form)
    }

    /// What each pass did, in the order of the table.
    pub fn counts(&self) -> impl Iterator<Item = (&'static Pass, PassCounts)> {
        PASSES.iter().zip(self.counts.iter().copied())
    }

    /// Is the pass of this number tried? `size` says how many terms there are, if something was simplified
    /// before.
    pub(crate) fn is_due(&self, number: usize, size: Option<usize>) -> bool {
        let when = PASSES[number].when;
        self.level >= when.level
            && !self.without.has(number)
            && size.is_none_or(|size| size <= when.most_later)
    }

    /// Runs the pass of this number, and counts.
    pub(crate) fn count<T>(&mut self, number: usize, run: impl FnOnce() -> T) -> T {
        let begin = (self.clock)();
        let result = run();
        self.counts[number].time += (self.clock)() - begin;
        self.counts[number].tried += 1;
        result
    }

    /// The pass of this number has changed conjuncts of this size.
    pub(crate) fn changed(&mut self, number: usize, size: usize) {
        self.pending = Some((number, size as u64));
    }

    /// The local rules are done with what the last pass left; `None` if that was false.
    pub(crate) fn settled(&mut self, pool: &Pool, conjuncts: Option<&[Term]>) {
        if let Some((number, before)) = self.pending.take() {
            let counts = &mut self.counts[number];
            counts.changed += 1;
            counts.terms_before += before;
            counts.terms_after += conjuncts.map_or(0, |conjuncts| size(pool, conjuncts)) as u64;
        }
    }
}

impl Default for Pipeline {
    /// All that pays; time stands still.
    fn default() -> Pipeline {
        Pipeline::new(2, PassSet::default(), || Duration::ZERO)
    }
}

/// How many terms there are below some conjuncts.
pub(crate) fn size(pool: &Pool, conjuncts: &[Term]) -> usize {
    let mut seen = TermSet::new();
    let mut todo = conjuncts.to_vec();
    let mut count = 0;
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            count += 1;
            todo.extend_from_slice(pool.args(term));
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read_and_written() {
        let set = PassSet::parse("linear, reads").unwrap();
        assert_eq!(set.to_string(), "reads,linear");
        assert_eq!(PassSet::parse(&set.to_string()), Ok(set));
        assert!(set.contains("linear") && !set.contains("counting"));
        assert_eq!(PassSet::parse("none"), Ok(PassSet::default()));
        assert_eq!(PassSet::default().to_string(), "none");
        assert!(PassSet::parse("linear,frob").unwrap_err().contains("embedded"));
    }

    #[test]
    fn passes_have_names_of_their_own_and_reasons() {
        assert!(PASSES.len() <= 64);
        for (place, pass) in PASSES.iter().enumerate() {
            assert_eq!(number(pass.name), Some(place));
            assert!(pass.why.len() > 20 && (1..=3).contains(&pass.when.level), "{}", pass.name);
        }
    }
}
