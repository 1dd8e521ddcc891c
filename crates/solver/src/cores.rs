//! Refutations: why a check is answered by `Unsat`, and cores without redundant members.

use crate::Solver;
use crate::answer::CheckResult;
use crate::query::{Core, Owner, Query, Searched};
use crate::search::Outcome;
use bivalve_sat_adapter::{Lit, Why};
use bivalve_terms::{Pool, Term};
use rustc_hash::FxHashSet;

impl Solver {
    /// Everything that a model must satisfy, as it was given.
    pub(crate) fn question(&self) -> Vec<Term> {
        [self.stack.assertions(), &self.answer.assumptions[..]].concat()
    }

    /// Remembers why the answer is unsat; it is a fact about the stack if no assumption is in the core.
    pub(crate) fn refute(&mut self, core: Core) -> CheckResult {
        // A minimal core has to be looked for again: what comes later may make a tracked assertion
        // dispensable.
        let stays = core.assumptions.is_empty() && (core.tracked.is_empty() || !self.settings.minimize_core);
        self.contradiction = stays.then(|| core.clone());
        self.answer.core = Some(core);
        CheckResult::Unsat
    }

    /// The same of what is asserted and then assumed, by its positions.
    pub(crate) fn refute_these(&mut self, used: &[usize]) -> CheckResult {
        self.refute(Core::of(used.iter().map(|&position| self.stack.owner(position))))
    }

    /// The answer of a check that cannot go on: unsat if a core is known, though it may not be minimal.
    pub(crate) fn give_up(&mut self, why: Why, known: Option<Core>) -> CheckResult {
        known.map_or(CheckResult::Unknown(why), |core| self.refute(core))
    }

    /// Remembers that one owner's formula is false by itself; the levels may be contradictory without it.
    /// `None` if the search for that needs more bits for elements.
    pub(crate) fn refute_alone(
        &mut self,
        pool: &mut Pool,
        query: &Query,
        owner: Owner,
    ) -> Option<CheckResult> {
        if self.settings.minimize_core {
            match self.solve(pool, &query.of_levels()) {
                Outcome::Unsat(failed) => return Some(self.refute(query.core(&failed))),
                Outcome::DomainExceeded => return None,
                Outcome::Sat(_) | Outcome::Unknown(_) => {}
            }
        }
        Some(self.refute(Core::of([owner])))
    }

    /// The failed literals without redundant ones, if that was asked for. Where the check has no conflicts
    /// left, all that remain are kept.
    pub(crate) fn minimize_core(
        &mut self,
        pool: &mut Pool,
        query: &Query,
        failed: FxHashSet<Lit>,
    ) -> FxHashSet<Lit> {
        if !self.settings.minimize_core {
            return failed;
        }
        query.minimize(failed, &mut |literals| match self.solve(pool, literals) {
            Outcome::Unsat(failed) => Searched::Unsat(failed),
            Outcome::Sat(_) | Outcome::DomainExceeded => Searched::Open,
            Outcome::Unknown(_) => Searched::Stopped,
        })
    }
}
