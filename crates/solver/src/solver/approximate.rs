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
use crate::auto::{self, Census};
use crate::statistics::timed;
use bivalve_approx::encodings::encoding;
use bivalve_approx::policies::policy;
use bivalve_approx::{Approximation, Kind, Strategy};
use bivalve_sat_adapter::{Lit, SatResult, Why};
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashSet;

/// The leaves of the gates, as far as they are approximated or counted.
#[derive(Default)]
pub(super) struct Leaves {
    /// Leaves that are approximated, and the number of leaves looked at for that.
    approximation: Option<(Approximation, usize)>,
    /// What the leaves are like.
    census: Census,
}

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
        } else if self.plan.patience.is_some() {
            self.leaves.census.count(pool, self.encoder.blaster().leaves());
            if !self.leaves.census.is_worth_it() {
                self.plan.patience = None;
            }
        }
    }

    /// Approximates the leaves below what is live.
    fn approximate(&mut self, pool: &Pool, strategy: Strategy) {
        let seen = self.encoder.blaster().leaves().len();
        self.leaves.approximation = Some((Approximation::new(strategy), seen));
        let leaves = self.live_leaves();
        self.approximate_leaves(pool, leaves);
    }

    /// Approximates also the leaves that have come meanwhile, if any are approximated.
    pub(super) fn approximate_new(&mut self, pool: &Pool) {
        let Some((_, seen)) = &mut self.leaves.approximation else { return };
        let new: Vec<Term> = self.encoder.blaster().leaves().skip(*seen).collect();
        *seen += new.len();
        self.approximate_leaves(pool, new);
    }

    /// Approximates the bit-vectors among these leaves that clauses mention.
    fn approximate_leaves(&mut self, pool: &Pool, leaves: Vec<Term>) {
        let Some((approximation, _)) = &mut self.leaves.approximation else { return };
        for leaf in leaves {
            let kind = match pool.op(leaf) {
                Op::Symbol => Kind::Symbol,
                Op::Select => Kind::Read,
                Op::Apply => Kind::Application,
                _ => continue,
            };
            if pool.sort(leaf).is_bitvec()
                && self.lowering.below(leaf).is_none()
                && let Some(bits) = self.encoder.vector(leaf)
            {
                approximation.add(kind, &bits, self.encoder.sink());
            }
        }
    }

    /// The leaves below all that is live: formulas, assumptions, and lemmas about them.
    pub(super) fn live_leaves(&self) -> Vec<Term> {
        self.encoder.leaves_below(&self.encoder.live_roots(&|atom| self.theory.has_seen(atom)))
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
        let Some((mut approximation, _)) = self.leaves.approximation.take() else { return };
        if self.encoder.has_clauses() {
            approximation.disable(self.encoder.sink());
        }
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
            let approximation = self.leaves.approximation.iter();
            let assumptions: Vec<Lit> =
                approximation.flat_map(|(approximation, _)| approximation.assumptions()).collect();
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
                    if !self.refine_approximation(&failed) {
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

    /// Refines the approximations among the failed literals; `false` if there are none.
    fn refine_approximation(&mut self, failed: &FxHashSet<Lit>) -> bool {
        let Some((approximation, _)) = &mut self.leaves.approximation else { return false };
        approximation.refine(failed, self.encoder.sink())
    }

    /// Goes on without.
    fn give_approximations_up(&mut self) {
        if let Some((approximation, _)) = &mut self.leaves.approximation {
            approximation.give_up(self.encoder.sink());
        }
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
        self.encoder.conflicts()
    }
}
