//! Under-approximation in the loop: leaves are searched among few of their values first.
//!
//! Approximated are the leaves of the circuits that have bits to spare: symbols, and abstracted reads and applications. Only those
//! below the live formulas are, and what comes with a lemma joins them, since otherwise an index that nothing but lemmas speak of
//! would be the one wide thing left. Symbols of wide arithmetic are results and no inputs: the operands are approximated, and
//! that makes the results small.
//!
//! The search for a model goes as in figure 3.5 of Brummayer's thesis. A model under the approximations is inspected like any
//! other, and lemmas are added as always: they are valid, approximations or not. A failure that used an approximation eases it.
//! One that used none is a refutation, and the failed literals among those of the query are to blame; a literal of an approximation
//! is never part of a query, so it is nobody's, and no core knows of it.
//!
//! An approximation belongs to one check. It begins when everything is built, ends before cores are made smaller, and is
//! retired by unit clauses; when circuits are thrown away it goes with them. So levels, assumptions and rebuilding need no thought.
//!
//! A search under approximations may be cut short by a budget of conflicts, counted over the check; then they are given up,
//! and the search goes on without.
//!
//! Cost: a pass over the live gates at the beginning of a check, and the clauses of the ties.

use super::Solver;
use crate::circuits::live_edges;
use crate::statistics::timed;
use bivalve_approx::encodings::encoding;
use bivalve_approx::policies::policy;
use bivalve_approx::{Encoding, Policy, Strategy};
use bivalve_sat_adapter::{Lit, Verdict, Why};
use bivalve_terms::Pool;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// An approximation of someone's own.
#[derive(Clone)]
pub(super) struct Own {
    encoding: Arc<dyn Encoding>,
    policy: Arc<dyn Policy>,
}

impl Solver {
    /// Approximates by this encoding and this policy from the next check on, whatever the option `approx` says. The effective
    /// width to begin with is still that of the settings.
    pub fn set_approximation(&mut self, encoding: Box<dyn Encoding>, policy: Box<dyn Policy>) {
        self.own_approximation = Some(Own { encoding: encoding.into(), policy: policy.into() });
    }

    /// How to approximate, if at all.
    fn strategy(&self) -> Option<Strategy> {
        let width = self.settings.approx_width;
        if let Some(Own { encoding, policy }) = self.own_approximation.clone() {
            return Some(Strategy { encoding, policy, width });
        }
        let encoding = (encoding(self.settings.approx)?.make)();
        let policy = policy(self.settings.approx_refine).expect("settings name a policy of the table");
        Some(Strategy { encoding, policy: (policy.make)(), width })
    }

    /// Begins to approximate the leaves below what is live, if that is asked for.
    pub(super) fn begin_approximation(&mut self, pool: &Pool) {
        let Some(strategy) = self.strategy() else { return };
        let blaster = &self.circuits.blaster;
        let mut roots = live_edges(blaster, &self.lowering, &self.scopes);
        let assumed = self.assumed.iter().filter_map(|&term| self.lowering.image(term));
        roots.extend(assumed.filter_map(|term| blaster.known_bits(term)).map(|bits| bits[0]));
        self.circuits.approximate(pool, strategy, roots, |leaf| self.lowering.below(leaf).is_none());
    }

    /// Ends it, and takes down what it came to.
    pub(super) fn end_approximation(&mut self, is_sat: bool) {
        let Some(approximation) = self.circuits.end_approximation() else { return };
        let statistics = &mut self.statistics.approx;
        statistics.count(&approximation);
        let is_approximated = approximation.vectors().iter().any(|vector| vector.effective < vector.width);
        statistics.sat += u64::from(is_sat && is_approximated);
    }

    /// Asks the backend, under approximations as long as there are any; the literals to blame are the query's.
    pub(super) fn search_eased(&mut self, literals: &[Lit], limit: Option<u64>) -> (Verdict, FxHashSet<Lit>) {
        let end = limit.map(|limit| self.conflicts().saturating_add(limit));
        loop {
            let left = end.map(|end| end.saturating_sub(self.conflicts()));
            let assumptions = self.circuits.assumptions();
            if assumptions.is_empty() {
                return self.search(literals, left);
            }
            let own = self.settings.approx_limit.map(|limit| limit.saturating_sub(self.approx_conflicts));
            let (verdict, failed) = self.search_approximated(&[literals, &assumptions].concat(), left, own);
            match verdict {
                Verdict::Unsat => {
                    if !self.circuits.ease(&failed) {
                        self.statistics.approx.early += 1;
                        return (verdict, failed);
                    }
                    self.statistics.approx.refinements += 1;
                }
                Verdict::Unknown(Why::Budget)
                    if own.is_some_and(|own| left.is_none_or(|left| own < left)) =>
                {
                    self.circuits.give_up();
                    self.statistics.approx.given_up += 1;
                }
                Verdict::Sat | Verdict::Unknown(_) => return (verdict, failed),
            }
        }
    }

    /// One search under approximations, and what it cost.
    fn search_approximated(
        &mut self,
        literals: &[Lit],
        left: Option<u64>,
        own: Option<u64>,
    ) -> (Verdict, FxHashSet<Lit>) {
        let before = self.conflicts();
        let limit = left.into_iter().chain(own).min();
        let mut seconds = 0.0;
        let found = timed(self.clock, &mut seconds, || self.search(literals, limit));
        let spent = self.conflicts() - before;
        self.approx_conflicts += spent;
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
