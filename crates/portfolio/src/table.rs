//! The engines: one row each, by what they do differently from the caller's solver.
//!
//! The first row is the caller's solver itself. Rows after it complement it: which settings answer most of
//! what it does not answer in the same time is measured, on one half of the benchmark files, and confirmed on
//! the other (`docs/laboratory/threads.md`). All rows take part whatever the number of threads, since the
//! answer must not depend on it. Their shares add up to much less than that of the first, so that two threads
//! have them done when the first comes to the end of its round, even where their steps take longer. Where no
//! threads were asked for, those rows take part of which a small part of one thread is enough.

use crate::rounds::PARTS;
use bivalve::Settings;

/// An engine.
pub(crate) struct Row {
    /// Its name in statistics.
    pub(crate) name: &'static str,
    /// Options of the solver and their values; on top of those of the caller.
    options: &'static [(&'static str, &'static str)],
    /// Its steps for each hundred of the first engine.
    pub(crate) share: u64,
    /// The same where it has a small part of one thread ([`Threads::spare`](crate::Threads::spare)).
    pub(crate) spare: u64,
}

/// The engines, the caller's solver first.
pub(crate) const ENGINES: &[Row] = &[
    Row { name: "first", options: &[], share: PARTS, spare: PARTS },
    // The first engine has searched locally when this one begins, or does so meanwhile.
    Row {
        name: "stable",
        options: &[("sat", "cadical:stabilizeonly=1"), ("local-search", "0")],
        share: 35,
        spare: 0,
    },
    // Local search from other values of symbols, and of conjuncts that are nearer to what was asserted.
    Row { name: "light", options: &[("rewrite-level", "1")], share: 10, spare: 3 },
    Row { name: "reseeded", options: &[("seed", "4711")], share: 10, spare: 3 },
];

impl Row {
    /// The settings of this engine beside a solver with `base`; `None` where they name a SAT backend that is
    /// not compiled in.
    pub(crate) fn settings(&self, base: &Settings) -> Option<Settings> {
        let mut settings = base.clone();
        for (name, value) in self.options {
            settings.set(name, value).ok()?;
        }
        Some(settings)
    }

    /// Whether all options that it changes have their defaults in `base`.
    pub(crate) fn changes_defaults_only(&self, base: &Settings) -> bool {
        let default = Settings::default();
        self.options.iter().all(|(name, _)| base.get(name) == default.get(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_differ_and_leave_the_first_its_time() {
        let base = Settings::default();
        let settings: Vec<Settings> = ENGINES.iter().map(|row| row.settings(&base).unwrap()).collect();
        for (number, own) in settings.iter().enumerate() {
            assert!(!settings[..number].contains(own), "{} is there twice", ENGINES[number].name);
        }
        assert!(ENGINES[1..].iter().map(|row| row.share).sum::<u64>() <= PARTS);
    }
}
