//! Under-approximation in the loop: leaves are searched among few of their values first.
//!
//! Approximated are the leaves of the circuits that have bits to spare: symbols, and abstracted reads and
//! applications. Only those below the live formulas and the lemmas about them are, and what comes with a
//! lemma joins them, since otherwise an index that nothing but lemmas speak of would be the one wide thing
//! left. Symbols of wide arithmetic are results and no inputs: the operands are approximated, and that makes
//! the results small.
//!
//! The search for a model goes as in figure 3.5 of Brummayer's thesis. A model under the approximations is
//! inspected like any other, and lemmas are added as always: they are valid, approximations or not. A failure
//! that used an approximation eases it. One that used none is a refutation, and the failed literals among
//! those of the query are to blame; a literal of an approximation is never part of a query, so it is
//! nobody's, and no core knows of it.
//!
//! An approximation belongs to one check. It begins when everything is built, ends before cores are made
//! smaller, and is retired by unit clauses; when circuits are thrown away it goes with them. So levels,
//! assumptions and rebuilding need no thought.
//!
//! With `auto` it is decided by the leaves whether to try; a check that may try begins without all the same,
//! and approximations come in when it proves hard ([`crate::auto`]).
//!
//! A search under approximations may be cut short by a budget of conflicts, counted over the check; then they
//! are given up, and the search goes on without.
//!
//! Cost: a pass over the live gates at the beginning of a check, and the clauses of the ties.

use super::Solver;
use crate::auto;
use crate::circuits::live_edges;
use crate::statistics::timed;
use bivalve_approx::Strategy;
use bivalve_approx::encodings::encoding;
use bivalve_approx::policies::policy;
use bivalve_bitblast::Edge;
use bivalve_sat_adapter::{Lit, SatResult, Why};
use bivalve_terms::Pool;
use rustc_hash::FxHashSet;

/// What is planned for a check.
#[derive(Default)]
pub(super) struct Plan {
    /// So many conflicts without approximations before they are tried; `None` if they were, or will not be.
    patience: Option<u64>,
    /// Conflicts under approximations that are left.
    left: Option<u64>,
    /// Easings that are left.
    easings: Option<u32>,
}

impl Solver {
    /// How to approximate, if it is said.
    fn strategy(&self) -> Option<Strategy> {
        let width = self.settings.approx_width;
        if let Some((encoding, policy)) = self.parts.approximation.clone() {
            return Some(Strategy { encoding, policy, width });
        }
        let encoding = (encoding(self.settings.approx)?.make)();
        let policy = policy(self.settings.approx_refine).expect("settings name a policy of the table");
        Some(Strategy { encoding, policy: (policy.make)(), width })
    }

    /// Begins to approximate the leaves below what is live, if that is asked for; where `auto` would not, it
    /// is planned no more.
    pub(super) fn begin_approximation(&mut self, pool: &Pool) {
        if let Some(strategy) = self.strategy() {
            self.approximate(pool, strategy);
        } else if self.plan.patience.is_some() && !self.circuits.is_worth_approximating(pool) {
            self.plan.patience = None;
        }
    }

    /// Approximates the leaves below what is live.
    fn approximate(&mut self, pool: &Pool, strategy: Strategy) {
        let roots = self.live_roots();
        self.circuits.approximate(pool, strategy, roots, |leaf| self.lowering.below(leaf).is_none());
    }

    /// The edges of all that is live: formulas, assumptions, and lemmas about them.
    pub(super) fn live_roots(&self) -> Vec<Edge> {
        let blaster = &self.circuits.blaster;
        let mut roots = live_edges(blaster, &self.lowering, &self.scopes);
        let assumed = self.assumed.iter().filter_map(|&term| self.lowering.image(term));
        roots.extend(assumed.filter_map(|term| blaster.known_bits(term)).map(|bits| bits[0]));
        roots.extend(self.theory.live_edges(blaster));
        roots
    }

    /// Plans afresh for a check.
    pub(super) fn plan_approximation(&mut self) {
        let limit = self.settings.approx_limit;
        let is_auto = self.settings.approx == "auto" && self.parts.approximation.is_none();
        self.plan = match is_auto {
            true => Plan {
                patience: Some(auto::PATIENCE),
                left: Some(limit.unwrap_or(auto::LIMIT)),
                easings: Some(auto::EASINGS),
            },
            false => Plan { left: limit, ..Plan::default() },
        };
    }

    /// Ends it, and takes down what it came to.
    pub(super) fn end_approximation(&mut self, is_sat: bool) {
        let Some(approximation) = self.circuits.end_approximation() else { return };
        let statistics = &mut self.statistics.approx;
        statistics.count(&approximation);
        let is_approximated = approximation.vectors().iter().any(|vector| vector.effective < vector.width);
        statistics.sat += u64::from(is_sat && is_approximated);
    }

    /// Asks the backend, under approximations as long as there are any; the literals to blame are the
    /// query's.
    pub(super) fn search_eased(
        &mut self,
        pool: &Pool,
        literals: &[Lit],
        limit: Option<u64>,
    ) -> (SatResult, FxHashSet<Lit>) {
        let end = limit.map(|limit| self.conflicts().saturating_add(limit));
        loop {
            let left = end.map(|end| end.saturating_sub(self.conflicts()));
            let is_own = |own: Option<u64>| own.is_some_and(|own| left.is_none_or(|left| own < left));
            let assumptions = self.circuits.assumptions();
            if assumptions.is_empty() {
                let patience = self.plan.patience;
                let before = self.conflicts();
                let found = self.search(literals, left.into_iter().chain(patience).min());
                let spent = self.conflicts() - before;
                self.plan.patience = patience.map(|patience| patience.saturating_sub(spent));
                if found.0 == SatResult::Unknown(Why::Budget) && is_own(patience) {
                    self.plan.patience = None;
                    self.approximate(pool, auto::strategy());
                    continue;
                }
                return found;
            }
            let own = self.plan.left;
            let (result, failed) = self.search_approximated(&[literals, &assumptions].concat(), left, own);
            match result {
                SatResult::Unsat => {
                    if !self.circuits.ease(&failed) {
                        self.statistics.approx.early += 1;
                        return (result, failed);
                    }
                    self.statistics.approx.refinements += 1;
                    self.plan.easings = self.plan.easings.map(|easings| easings.saturating_sub(1));
                    if self.plan.easings == Some(0) {
                        self.give_approximations_up();
                    }
                }
                SatResult::Unknown(Why::Budget) if is_own(own) => {
                    self.give_approximations_up();
                }
                SatResult::Sat | SatResult::Unknown(_) => return (result, failed),
            }
        }
    }

    /// Goes on without.
    fn give_approximations_up(&mut self) {
        self.circuits.give_up();
        self.statistics.approx.given_up += 1;
    }

    /// One search under approximations, and what it cost.
    fn search_approximated(
        &mut self,
        literals: &[Lit],
        left: Option<u64>,
        own: Option<u64>,
    ) -> (SatResult, FxHashSet<Lit>) {
        let before = self.conflicts();
        let limit = left.into_iter().chain(own).min();
        let mut seconds = 0.0;
        let found = timed(self.clock, &mut seconds, || self.search(literals, limit));
        let spent = self.conflicts() - before;
        self.plan.left = self.plan.left.map(|left| left.saturating_sub(spent));
        self.statistics.seconds.approx += seconds;
        self.statistics.approx.searches += 1;
        self.statistics.approx.conflicts += spent;
        found
    }

    /// The conflicts of the backend so far; 0 if it does not count them.
    pub(super) fn conflicts(&self) -> u64 {
        let statistics = self.circuits.backend.as_ref().map(|backend| backend.statistics());
        statistics.and_then(|statistics| statistics.conflicts).unwrap_or(0)
    }
}
