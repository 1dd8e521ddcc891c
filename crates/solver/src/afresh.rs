//! A check of a session that takes long is asked afresh.
//!
//! The search of a session carries what earlier checks have left: clauses of other paths, phases of other
//! models, levels that passes cannot look through, because what is below may outlive what is above. That is
//! quick where a check has little new. Where it is not, the same question is often easy for a solver that has
//! nothing else. So after some conflicts the search pauses. Local search tries the conjuncts that there are,
//! early; after [`LOCAL_SEARCH`] times as many conflicts another solver is given the question, all assertions
//! on one level, for as many conflicts as the search has had. What it finds is the answer; else the search
//! goes on, four times as long.
//!
//! Why it is right: the other solver's model is validated on the same assertions, and its refutation uses no
//! others; failed assumptions and tracked assertions have the same numbers.
//!
//! Cost: as many conflicts as the search has at most, and circuits that are built again when the search has
//! had one conflict for [`GATES`] gates. Where a try fails, later checks wait twice as long with the next.
//! docs/laboratory/sessions.md has what it gains.

use crate::Solver;
use crate::answer::CheckResult;
use crate::course::Course;
use crate::model::{InternalError, Model};
use crate::query::is_literal;
use crate::search::Outcome;
use crate::under_approximation::Mode;
use bivalve_sat_adapter::{Lit, Why};
use bivalve_terms::{Assignment, Pool, Term, Valuation, Value};

/// Local search is tried after so many times fewer conflicts.
const LOCAL_SEARCH: u64 = 20;

/// So many times as many conflicts before the next try.
const GROWTH: u64 = 4;

/// A conflict takes as long as building so many gates and their clauses.
const GATES: u64 = 16;

/// Conflicts of a search that is led to a model.
const LEADING: u64 = 100;

/// Tries that failed in a row double what is waited for at most so often.
const MOST_FAILURES: u32 = 20;

/// Tries that failed in a row, by their kinds: the next ones wait twice as long for each.
#[derive(Clone, Copy, Default)]
pub(crate) struct Afresh {
    local_search: u32,
    solver: u32,
}

/// How the search of a check ends.
pub(crate) enum Ending {
    /// By its own outcome.
    Search(Outcome),
    /// Otherwise; the check has this answer.
    Answered(CheckResult),
    /// Everything is to be preprocessed anew, and searched again.
    Anew,
}

impl Solver {
    /// Searches under these literals for a model of the question, which is asked afresh where that takes
    /// long.
    pub(crate) fn solve_or_ask_afresh(
        &mut self,
        pool: &mut Pool,
        literals: &[Lit],
    ) -> Result<Ending, InternalError> {
        if let Some(ending) = self.search_unrewritten(pool, literals) {
            return Ok(ending);
        }
        if !self.may_ask_afresh() {
            return Ok(Ending::Search(self.solve(pool, literals)));
        }
        let begin = self.search.conflicts();
        let from = self.settings.afresh_after;
        let mut local_search_from = from.div_ceil(LOCAL_SEARCH) << self.afresh.local_search;
        let mut solver_from = from.max(self.search.gates() / GATES) << self.afresh.solver;
        loop {
            let until = begin.saturating_add(local_search_from.min(solver_from));
            let outcome = self.solve_until(pool, literals, until);
            let conflicts = self.search.conflicts() - begin;
            if !matches!(outcome, Outcome::Unknown(Why::Budget)) || self.conflicts_left == Some(0) {
                return Ok(Ending::Search(outcome));
            }
            // Another limit than that of conflicts, or they are not counted.
            if begin + conflicts < until {
                return Ok(Ending::Search(self.solve(pool, literals)));
            }
            if conflicts >= local_search_from {
                local_search_from = u64::MAX;
                if self.try_local_search(pool, literals)? {
                    return Ok(Ending::Answered(CheckResult::Sat));
                }
            }
            if conflicts >= solver_from {
                solver_from = GROWTH * conflicts;
                if let Some(result) = self.ask_afresh(pool, conflicts)? {
                    return Ok(Ending::Answered(result));
                }
            }
        }
    }

    /// Only later checks of a session are asked afresh; a first one has no past. What has to end with a
    /// minimal core or a small model stays with its search.
    fn may_ask_afresh(&self) -> bool {
        let settings = &self.settings;
        settings.afresh_after > 0
            && self.course == Course::Session
            && !settings.minimize_core
            && !settings.small_models
            && !matches!(self.parts.approximation_mode(settings), Mode::Always(_))
    }

    /// Searches until there were so many conflicts in all.
    pub(crate) fn solve_until(&mut self, pool: &mut Pool, literals: &[Lit], until: u64) -> Outcome {
        let before = self.search.conflicts();
        let limit = until.saturating_sub(before);
        let limit = self.conflicts_left.map_or(limit, |left| left.min(limit));
        let outcome = self.search.solve(pool, literals, Some(limit));
        self.spend(self.search.conflicts() - before);
        outcome
    }

    /// Tries local search on what preprocessing has left.
    fn try_local_search(&mut self, pool: &mut Pool, literals: &[Lit]) -> Result<bool, InternalError> {
        let conjuncts = self.conjuncts().chain(self.answer.assumed.iter().copied()).collect::<Vec<_>>();
        let Some(found) = self.search_locally(pool, &conjuncts) else {
            self.afresh.local_search = (self.afresh.local_search + 1).min(MOST_FAILURES);
            return Ok(false);
        };
        self.afresh.local_search = 0;
        let model = match self.lead(pool, literals, &found) {
            Some(extension) => self.read_model(pool, extension)?,
            None => {
                let all = self.question();
                Model::validate(pool, &all, &self.way_back(), found, None, &mut |_, _| None)?
            }
        };
        self.answer.model = Some(model);
        Ok(true)
    }

    /// Leads the search to a model of the conjuncts: the leaves of the circuits have its values for one call.
    /// The search begins near it in the next check then.
    fn lead(&mut self, pool: &mut Pool, literals: &[Lit], model: &Assignment) -> Option<Vec<(Term, Value)>> {
        let mut valuation = Valuation::new();
        let mut literals = literals.to_vec();
        for leaf in self.search.live_leaves() {
            if let Some(bits) = self.search.vector(pool, leaf)
                && let Value::BitVec(value) = valuation.eval(pool, model, leaf)
            {
                let bits = (0..).zip(bits).map(|(index, bit)| if value.bit(index) { bit } else { !bit });
                literals.extend(bits);
            }
        }
        let until = self.search.conflicts() + LEADING;
        match self.solve_until(pool, &literals, until) {
            Outcome::Sat(extension) => Some(extension),
            _ => None,
        }
    }

    /// Asks another solver the question of the check, with so many conflicts.
    fn ask_afresh(&mut self, pool: &mut Pool, conflicts: u64) -> Result<Option<CheckResult>, InternalError> {
        let mut settings = self.settings.clone();
        settings.conflict_limit = Some(self.conflicts_left.map_or(conflicts, |left| left.min(conflicts)));
        let mut other = Solver::built(settings, self.parts.clone(), self.stop.clone(), self.progress.clone());
        other.set_clock(self.clock);
        for asserted in self.outline() {
            other.add(asserted.formula, asserted.is_tracked);
        }
        // A single formula that is assumed is an assertion there, so that passes see it, too.
        let assumptions = self.answer.assumptions.clone();
        let asserted = match assumptions[..] {
            [assumption] if !is_literal(pool, assumption) => 1,
            _ => 0,
        };
        assumptions[..asserted].iter().for_each(|&formula| other.add(formula, false));
        let result = other.check_accepted(pool, &assumptions[asserted..])?;
        self.spend(other.search.conflicts());
        self.apart += other.statistics(pool);
        self.apart.checks -= 1;
        let answer = match result {
            CheckResult::Sat => {
                self.answer.model = other.answer.model.take();
                CheckResult::Sat
            }
            CheckResult::Unsat => {
                let mut core = other.answer.core.take().unwrap_or_default();
                core.level = self.stack.levels() - 1;
                core.assumptions.extend(0..asserted);
                self.refute(core)
            }
            CheckResult::Unknown(_) => {
                self.afresh.solver = (self.afresh.solver + 1).min(MOST_FAILURES);
                return Ok(None);
            }
        };
        self.afresh.solver = 0;
        self.statistics.asked_afresh += 1;
        Ok(Some(answer))
    }
}
