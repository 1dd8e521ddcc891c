//! Under-approximation as a hook of the search: leaves are searched among few of their values first.
//!
//! Approximated are the leaves of the circuits that have bits to spare: symbols, reads and applications below
//! what is asserted, assumed, or said by lemmas in use; leaves that come with a lemma join them. Results of
//! wide arithmetic are not approximated: their operands are, and that makes the results small.
//!
//! The loop is figure 3.5 of Brummayer's thesis. A model under restrictions is checked by the refiners like
//! any other. A refutation whose failed literals include restrictions refines these; one that includes none
//! is a refutation of the formula. So an answer never depends on restrictions, and no core contains them.
//!
//! An approximation belongs to one check: it begins when everything is encoded, and is disabled by unit
//! clauses before cores are minimised. With `auto` the leaves decide whether one is tried ([`crate::auto`]),
//! and the check begins without. A budget of conflicts ends approximation for the rest of the check.
//!
//! Cost: a walk over the live gates at the beginning of a check, and the clauses of the restrictions.

use crate::auto::{self, Census};
use crate::statistics::{Clock, no_clock, timed};
use bivalve_approx::{Approximation, Kind, Parameters, Statistics};
use bivalve_bitblast::Encoder;
use bivalve_refine::Refiners;
use bivalve_sat_adapter::{Budget, Lit, SatResult, Why};
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashSet;

/// Whether and how leaves are approximated.
#[derive(Clone, Default)]
pub(crate) enum Mode {
    /// Not at all.
    #[default]
    Off,
    /// Where there are many wide leaves and the search proves hard.
    Auto,
    /// In this way, from the beginning.
    Always(Parameters),
}

/// The approximation of a check, and what approximations have cost so far.
pub(crate) struct UnderApproximation {
    mode: Mode,
    /// Conflicts that one check may spend under approximation.
    limit: Option<u64>,
    clock: Clock,
    /// The approximation in force, and the number of leaves that it has looked at.
    active: Option<(Approximation, usize)>,
    census: Census,
    plan: Plan,
    pub(crate) statistics: Statistics,
    pub(crate) seconds: f64,
}

/// What is left to spend in a check.
#[derive(Default)]
struct Plan {
    /// Conflicts without approximation before one is tried; `None` if one was tried, or will not be.
    patience: Option<u64>,
    /// Conflicts under approximation.
    conflicts: Option<u64>,
    /// Refinements of approximations.
    refinements: Option<u32>,
}

impl UnderApproximation {
    /// No approximation.
    pub(crate) fn new() -> UnderApproximation {
        UnderApproximation {
            mode: Mode::Off,
            limit: None,
            clock: no_clock,
            active: None,
            census: Census::default(),
            plan: Plan::default(),
            statistics: Statistics::default(),
            seconds: 0.0,
        }
    }

    /// Approximates in this way from the next check on, for at most so many conflicts of a check.
    pub(crate) fn set(&mut self, mode: Mode, limit: Option<u64>) {
        (self.mode, self.limit) = (mode, limit);
    }

    /// Measures searches with `clock`.
    pub(crate) fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// Forgets the leaves, because the encoder did.
    pub(crate) fn forget(&mut self) {
        self.active = None;
        self.census = Census::default();
    }

    /// Begins a check in which everything is encoded.
    pub(crate) fn begin(&mut self, pool: &Pool, encoder: &mut Encoder, refiners: &Refiners) {
        self.plan = Plan { conflicts: self.limit, ..Plan::default() };
        match self.mode.clone() {
            Mode::Off => {}
            Mode::Always(parameters) => self.restrict(pool, encoder, refiners, parameters),
            Mode::Auto => {
                self.census.count(pool, encoder.blaster().leaves());
                self.plan = Plan {
                    patience: self.census.is_worth_it().then_some(auto::PATIENCE),
                    conflicts: Some(self.limit.unwrap_or(auto::LIMIT)),
                    refinements: Some(auto::EASINGS),
                };
            }
        }
    }

    /// Ends the approximation of the check.
    pub(crate) fn end(&mut self, encoder: &mut Encoder, is_sat: bool) {
        self.plan = Plan::default();
        let Some((mut approximation, _)) = self.active.take() else { return };
        if encoder.has_clauses() {
            approximation.disable(encoder.sink());
        }
        self.statistics.count(&approximation);
        let is_restricted = approximation.vectors().iter().any(|vector| vector.effective < vector.width);
        self.statistics.sat += u64::from(is_sat && is_restricted);
    }

    /// Restricts the leaves below what is live.
    fn restrict(&mut self, pool: &Pool, encoder: &mut Encoder, refiners: &Refiners, parameters: Parameters) {
        self.active = Some((Approximation::new(parameters), encoder.blaster().leaves().len()));
        let live = encoder.live_roots(&|atom| refiners.has_seen(atom));
        let leaves = encoder.leaves_below(&live);
        self.restrict_leaves(pool, encoder, refiners, leaves);
    }

    /// Restricts also the leaves that came with lemmas, if an approximation is in force.
    pub(crate) fn extend(&mut self, pool: &Pool, encoder: &mut Encoder, refiners: &Refiners) {
        let Some((_, seen)) = &mut self.active else { return };
        let new: Vec<Term> = encoder.blaster().leaves().skip(*seen).collect();
        *seen += new.len();
        self.restrict_leaves(pool, encoder, refiners, new);
    }

    /// Restricts the bit-vectors among these leaves that clauses mention.
    fn restrict_leaves(
        &mut self,
        pool: &Pool,
        encoder: &mut Encoder,
        refiners: &Refiners,
        leaves: Vec<Term>,
    ) {
        let Some((approximation, _)) = &mut self.active else { return };
        for leaf in leaves {
            let kind = match pool.op(leaf) {
                Op::Symbol => Kind::Symbol,
                Op::Select => Kind::Read,
                Op::Apply => Kind::Application,
                _ => continue,
            };
            if pool.sort(leaf).is_bitvec()
                && refiners.replaced_by(leaf).is_none()
                && let Some(bits) = encoder.vector(leaf)
            {
                approximation.add(kind, &bits, encoder.sink());
            }
        }
    }

    /// Searches under these literals, and under restrictions as long as there are any. Returns the failed
    /// ones of the literals if there is no model.
    pub(crate) fn search(
        &mut self,
        pool: &Pool,
        encoder: &mut Encoder,
        refiners: &Refiners,
        literals: &[Lit],
        limit: Option<u64>,
    ) -> (SatResult, FxHashSet<Lit>) {
        let end = limit.map(|limit| encoder.conflicts().saturating_add(limit));
        loop {
            let left = end.map(|end| end.saturating_sub(encoder.conflicts()));
            let is_own = |own: Option<u64>| own.is_some_and(|own| left.is_none_or(|left| own < left));
            let before = encoder.conflicts();
            let restrictions: Vec<Lit> =
                self.active.iter().flat_map(|(approximation, _)| approximation.assumptions()).collect();
            if restrictions.is_empty() {
                let patience = self.plan.patience;
                let found = solve(encoder, literals, left.into_iter().chain(patience).min());
                let spent = encoder.conflicts() - before;
                self.plan.patience = patience.map(|patience| patience.saturating_sub(spent));
                if found.0 == SatResult::Unknown(Why::Budget) && is_own(patience) {
                    self.plan.patience = None;
                    self.restrict(pool, encoder, refiners, auto::parameters());
                    continue;
                }
                return found;
            }
            let own = self.plan.conflicts;
            let all = [literals, &restrictions].concat();
            let limit = left.into_iter().chain(own).min();
            let (result, failed) = timed(self.clock, &mut self.seconds, || solve(encoder, &all, limit));
            let spent = encoder.conflicts() - before;
            self.plan.conflicts = own.map(|own| own.saturating_sub(spent));
            self.statistics.searches += 1;
            self.statistics.conflicts += spent;
            match result {
                SatResult::Unsat if !self.refine(encoder, &failed) => {
                    self.statistics.early += 1;
                    return (result, failed);
                }
                SatResult::Unsat => {
                    self.statistics.refinements += 1;
                    self.plan.refinements = self.plan.refinements.map(|left| left.saturating_sub(1));
                    if self.plan.refinements == Some(0) {
                        self.give_up(encoder);
                    }
                }
                SatResult::Unknown(Why::Budget) if is_own(own) => self.give_up(encoder),
                SatResult::Sat | SatResult::Unknown(_) => return (result, failed),
            }
        }
    }

    /// Refines the restrictions among the failed literals; `false` if there are none.
    fn refine(&mut self, encoder: &mut Encoder, failed: &FxHashSet<Lit>) -> bool {
        let Some((approximation, _)) = &mut self.active else { return false };
        approximation.refine(failed, encoder.sink())
    }

    /// Drops all restrictions for the rest of the check.
    fn give_up(&mut self, encoder: &mut Encoder) {
        if let Some((approximation, _)) = &mut self.active {
            approximation.give_up(encoder.sink());
        }
        self.statistics.given_up += 1;
    }
}

/// One search with at most so many conflicts, and the failed literals.
fn solve(encoder: &mut Encoder, literals: &[Lit], limit: Option<u64>) -> (SatResult, FxHashSet<Lit>) {
    let result = encoder.solve(literals, &Budget { conflicts: limit });
    let mut failed = FxHashSet::default();
    if result.is_unsat() {
        failed.extend(literals.iter().copied().filter(|&literal| encoder.failed(literal)));
    }
    (result, failed)
}
