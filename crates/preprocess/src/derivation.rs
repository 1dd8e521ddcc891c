//! Derivations: the door through which every change of what is asserted goes.
//!
//! Whatever preprocessing makes of conjuncts is one of a few kinds of steps, and the scheduler reports each
//! step to the [`Recorder`] when it takes the result over; nothing else changes conjuncts. Today the recorder
//! counts by name; a writer of certificates finds premises and conclusions here.
//!
//! Cost: an addition a step.

use crate::passes::PASSES;
use bivalve_terms::Term;

/// One step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Derivation<'a> {
    /// The local rules replaced a conjunct by an equivalent one.
    Rewriting { _from: Term, _to: Term },
    /// A conjunction is asserted: so are its operands.
    Conjunction { _of: Term },
    /// The pass of this number, knowing all conjuncts, replaced them by others that hold in the same
    /// assignments, as far as symbols go that occur in both.
    Pass { number: usize, _before: &'a [Term], _after: &'a [Term] },
    /// The pass of this number eliminated symbols, whose definitions are the last ones of the substitution.
    Definitions { number: usize, count: usize },
}

/// Takes down the steps.
#[derive(Clone)]
pub(crate) struct Recorder {
    rewritings: u64,
    conjunctions: u64,
    passes: Vec<u64>,
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder { rewritings: 0, conjunctions: 0, passes: vec![0; PASSES.len()] }
    }
}

impl Recorder {
    /// Takes a step down.
    #[inline]
    pub(crate) fn record(&mut self, step: Derivation<'_>) {
        match step {
            Derivation::Rewriting { .. } => self.rewritings += 1,
            Derivation::Conjunction { .. } => self.conjunctions += 1,
            Derivation::Pass { number, .. } => self.passes[number] += 1,
            Derivation::Definitions { number, count } => self.passes[number] += count as u64,
        }
    }

    /// The number of steps by name: rewritings and conjunctions of conjuncts, changes by each pass, and
    /// symbols eliminated by those that eliminate.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let own = [("rewriting", self.rewritings), ("conjunction", self.conjunctions)];
        let passes = PASSES.iter().map(|pass| pass.name).zip(self.passes.iter().copied());
        own.into_iter().chain(passes)
    }
}
