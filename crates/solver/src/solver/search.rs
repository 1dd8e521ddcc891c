//! Searching and refining: the loop around the SAT backend.
//!
//! The backend answers for the circuits, in which reads, applications and wide arithmetic are free. Its
//! models are shown to those who know better ([`crate::refine`]), and what they object to is learned, until
//! the model extends to everything or there is none. Unsat is final: what was learned is valid.
//!
//! The literals to blame for unsat come from the backend; a core may be made minimal by more searches of the
//! same kind.

use super::{Outcome, Solver};
use crate::model::{InternalError, Model};
use crate::progress::Phase;
use crate::query::{Query, Searched};
use crate::refine::{Clause, Judged};
use crate::statistics::timed;
use bivalve_sat_adapter::{Budget, Lit, SatResult, Why};
use bivalve_terms::{Pool, Term, Value};
use rustc_hash::FxHashSet;

impl Solver {
    /// Searches and refines until the model extends to arrays and functions, or there is none; at most so
    /// many conflicts.
    pub(super) fn solve(
        &mut self,
        pool: &mut Pool,
        literals: &[Lit],
        limit: Option<u64>,
    ) -> (Outcome, FxHashSet<Lit>) {
        let end = limit.map(|limit| self.conflicts().saturating_add(limit));
        loop {
            if let Err(why) = self.say_ahead(pool) {
                return (Outcome::Unknown(why), FxHashSet::default());
            }
            if self.outgrown(pool).is_some() {
                return (Outcome::Outgrown, FxHashSet::default());
            }
            self.approximate_new(pool);
            let left = end.map(|end| end.saturating_sub(self.conflicts()));
            match self.search_eased(pool, literals, left) {
                (SatResult::Unknown(why), failed) => return (Outcome::Unknown(why), failed),
                (SatResult::Unsat, failed) => return (Outcome::Unsat, failed),
                (SatResult::Sat, failed) => match self.refine(pool) {
                    Ok(None) => {}
                    Ok(Some(arrays)) => return (Outcome::Sat(arrays), failed),
                    Err(why) => return (Outcome::Unknown(why), failed),
                },
            }
        }
    }

    /// Adds what the strategy for arrays wants to say before a search.
    pub(super) fn say_ahead(&mut self, pool: &mut Pool) -> Result<(), Why> {
        loop {
            let axioms = self.theory.ahead(pool);
            if axioms.is_empty() {
                return Ok(());
            }
            self.learn(pool, &axioms)?;
        }
    }

    /// Shows the model of the circuits to the array checker: the values of arrays and functions that extend
    /// it, or nothing, when it broke lemmas, which are added.
    pub(super) fn refine(&mut self, pool: &mut Pool) -> Result<Option<Vec<(Term, Value)>>, Why> {
        self.progress.enter(Phase::Refine, 0);
        let Solver { theory, lowering, encoder, statistics, clock, stop, .. } = self;
        let seconds = &mut statistics.seconds.arrays;
        match timed(*clock, seconds, || theory.inspect(pool, lowering, encoder, stop)) {
            Judged::Extends(arrays) => Ok(Some(arrays)),
            Judged::Unknown(why) => Err(why),
            Judged::Breaks(lemmas) => self.learn(pool, &lemmas).map(|()| None),
        }
    }

    /// Adds lemmas.
    pub(super) fn learn(&mut self, pool: &Pool, lemmas: &[Clause]) -> Result<(), Why> {
        let Solver { theory, lowering, encoder, stop, .. } = self;
        for lemma in lemmas {
            stop.reason().map_or(Ok(()), Err)?;
            theory.learn(pool, lowering, encoder, lemma)?;
        }
        Ok(())
    }

    /// Asks the backend, with so many conflicts left; if the literals are contradictory, which of them are to
    /// blame.
    pub(super) fn search(&mut self, literals: &[Lit], left: Option<u64>) -> (SatResult, FxHashSet<Lit>) {
        self.progress.enter(Phase::Search, 0);
        let budget = Budget { conflicts: left, ..Budget::UNLIMITED };
        let result = self.encoder.solve(literals, &budget);
        let mut failed = FxHashSet::default();
        if result.is_unsat() {
            failed.extend(literals.iter().copied().filter(|&literal| self.encoder.failed(literal)));
        }
        (result, failed)
    }

    /// The core without what can be spared, if that was asked for.
    pub(super) fn reduce(
        &mut self,
        pool: &mut Pool,
        query: &Query,
        failed: FxHashSet<Lit>,
    ) -> FxHashSet<Lit> {
        if !self.settings.minimize_core {
            return failed;
        }
        query.minimise(failed, &mut |literals| match self.solve(pool, literals, self.settings.conflict_limit)
        {
            (Outcome::Unsat, failed) => Searched::Unsat(failed),
            (Outcome::Unknown(Why::Budget), _) | (Outcome::Sat(_) | Outcome::Outgrown, _) => Searched::Open,
            (Outcome::Unknown(_), _) => Searched::Stopped,
        })
    }

    pub(super) fn read_model(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        arrays: Vec<(Term, Value)>,
    ) -> Result<Model, InternalError> {
        let all = [self.scopes.assertions(), assumptions].concat();
        self.progress.enter(Phase::Validate, all.len());
        let Solver { encoder, preprocessor, statistics, clock, former, .. } = self;
        let former = former.take().map(|(model, _)| model);
        let mut circuit_value = |pool: &Pool, term: Term| encoder.value(pool, term);
        let read = || Model::read(pool, &all, preprocessor, arrays, former, &mut circuit_value);
        timed(*clock, &mut statistics.seconds.model, read)
    }
}
