//! Local search before circuits: how much of it.
//!
//! Models of large circuits are often found by a few thousand changes of symbols (`bivalve-local-search`):
//! arithmetic of floating-point numbers, words of 256 bits, paths of programs. Where there is no model, or
//! none that is found so, the steps are lost. So there are as many as circuits would cost about as much time
//! for: some for each gate, as far as operators get gates in the beginning, and at most [`MOST`]. What was
//! found is validated on the original assertions like any model. What it gains is in docs/laboratory.
//!
//! Cost: a walk over the conjuncts to count gates, and the steps, of about a tenth of a microsecond each.

use crate::Solver;
use crate::answer::CheckResult;
use crate::course::Course;
use crate::model::{InternalError, Model};
use crate::options::Settings;
use crate::probe::is_square;
use crate::statistics::{LocalSearch, Statistics, timed};
use bivalve_bitblast::cost;
use bivalve_limits::{Deadline, Stop};
use bivalve_local_search::floats::boxes::{self, Found};
use bivalve_local_search::floats::sums;
use bivalve_terms::{Assignment, Pool, Term, cone};

/// Steps at most, which take half a second or so.
const MOST: u64 = 8_000_000;

impl Solver {
    /// An assignment under which these are true, if local search finds one.
    pub(crate) fn search_locally(&mut self, pool: &Pool, conjuncts: &[Term]) -> Option<Assignment> {
        let Solver { clock, statistics, stop, settings, .. } = self;
        let Statistics { seconds, local_search, .. } = statistics;
        let search = || self::search(pool, conjuncts, settings, stop, local_search);
        timed(*clock, &mut seconds.local_search, search)
    }
}

/// Steps at most of the search over floating-point terms as they were written, a few nanoseconds each: before
/// images are made of them, which takes seconds where there are many products, and before circuits are.
const LOOK_AT_FLOATS: u64 = 2_000_000;
const MOST_OF_FLOATS: u64 = 200_000_000;

/// Steps at most of sums of comparisons, about a nanosecond each: in all checks together, and beyond that in
/// each.
const SUM_FLOATS: u64 = 200_000_000;
const SUM_FLOATS_AGAIN: u64 = 2_000_000;

/// Sums of comparisons in the checks so far.
pub(crate) struct SumsSoFar {
    /// The formulas that compare, in the last check.
    compared: Vec<Term>,
    /// The steps that are left of those for all checks.
    left: u64,
}

impl Default for SumsSoFar {
    fn default() -> SumsSoFar {
        SumsSoFar { compared: vec![], left: SUM_FLOATS }
    }
}

/// Steps at most of boxes, some hundred nanoseconds each: before images are made, and before circuits are.
const BOX_FLOATS: u64 = 100_000;
const MOST_BOXES: u64 = 4_000_000;

impl Solver {
    /// A short search over the floats of the first check, before anything is made of it.
    pub(crate) fn look_at_floats(&mut self, pool: &Pool) -> bool {
        self.settings.probe && self.is_first() && self.floats_are_found(pool, LOOK_AT_FLOATS)
    }

    /// The answer for floats, if a sum of comparisons refutes them or, in the first check, a few boxes decide
    /// them.
    pub(crate) fn bound_floats(&mut self, pool: &Pool) -> Option<CheckResult> {
        let all = self.bounded(pool)?;
        if let Some(used) = self.sum_floats(pool, &all) {
            return Some(self.refute_these(&used));
        }
        if self.is_first() { self.box_floats(pool, &all, BOX_FLOATS) } else { None }
    }

    /// The answer by many boxes, in the first check, or by lemmas.
    pub(crate) fn try_without_circuits(
        &mut self,
        pool: &mut Pool,
    ) -> Result<Option<CheckResult>, InternalError> {
        let all = if self.is_first() { self.bounded(pool) } else { None };
        match all.and_then(|all| self.box_floats(pool, &all, MOST_BOXES)) {
            Some(answer) => Ok(Some(answer)),
            None => self.try_lemmas_first(pool),
        }
    }

    fn is_first(&self) -> bool {
        self.search.is_empty() && self.course == Course::First
    }

    /// What the check asks, if there are floats in it. A core that sums and boxes give is not minimal, so
    /// nothing is tried where it has to be.
    fn bounded(&self, pool: &Pool) -> Option<Vec<Term>> {
        let is_tried = self.settings.probe && !self.settings.minimize_core && !self.lowering.is_idle(pool);
        is_tried.then(|| self.question())
    }

    /// Positions of what is contradictory because of a sum of comparisons, where the formulas that compare
    /// are others than in the check before.
    fn sum_floats(&mut self, pool: &Pool, all: &[Term]) -> Option<Vec<usize>> {
        let compared = sums::comparing(pool, all);
        if compared == self.sums.compared {
            return None;
        }
        self.sums.compared = compared;
        let deadline = Deadline::new(&self.stop, self.sums.left + SUM_FLOATS_AGAIN);
        let refuted = || sums::refuted(pool, all, &deadline);
        let refuted = timed(self.clock, &mut self.statistics.seconds.local_search, refuted);
        self.sums.left = deadline.left().min(self.sums.left);
        refuted
    }

    fn box_floats(&mut self, pool: &Pool, all: &[Term], steps: u64) -> Option<CheckResult> {
        let deadline = Deadline::new(&self.stop, steps);
        let decided = || boxes::decided(pool, all, &deadline);
        match timed(self.clock, &mut self.statistics.seconds.local_search, decided)? {
            Found::Refuted(used, _) => Some(self.refute_these(&used)),
            Found::Point(point) => {
                self.answer.model = Some(Model::adopt(pool, all, point).ok()?);
                Some(CheckResult::Sat)
            }
        }
    }

    /// A long one.
    pub(crate) fn search_floats(&mut self, pool: &Pool) -> bool {
        self.floats_are_found(pool, MOST_OF_FLOATS)
    }

    /// Whether a search over the assertions as they were written, if they are about machine floats, finds a
    /// model within so many steps.
    fn floats_are_found(&mut self, pool: &Pool, steps: u64) -> bool {
        if self.settings.local_search == 0 || self.lowering.is_idle(pool) {
            return false;
        }
        let all = self.question();
        let Solver { clock, statistics, stop, settings, .. } = self;
        let deadline = Deadline::new(stop, steps);
        let search = || bivalve_local_search::floats::search(pool, &all, settings.seed, &deadline);
        let found = timed(*clock, &mut statistics.seconds.local_search, search);
        let model = found.and_then(|found| Model::adopt(pool, &all, found).ok());
        let is_found = model.is_some();
        self.answer.model = model.or(self.answer.model.take());
        is_found
    }
}

/// An assignment under which all conjuncts are true, if one is found within the steps for their gates.
fn search(
    pool: &Pool,
    conjuncts: &[Term],
    settings: &Settings,
    stop: &Stop,
    statistics: &mut LocalSearch,
) -> Option<Assignment> {
    let steps = steps(pool, conjuncts, settings);
    if steps == 0 {
        return None;
    }
    let deadline = Deadline::new(stop, steps);
    let found = bivalve_local_search::search(pool, conjuncts, settings.seed, &deadline);
    statistics.moves += found.moves;
    statistics.violated = found.violated as u64;
    (found.violated == 0).then_some(found.assignment)
}

/// The steps that the conjuncts are worth.
fn steps(pool: &Pool, conjuncts: &[Term], settings: &Settings) -> u64 {
    let per_gate = settings.local_search;
    let mut steps: u64 = 0;
    for term in cone(pool, conjuncts) {
        steps = steps.saturating_add(per_gate.saturating_mul(gates(pool, term, settings.abstract_from)));
        if steps >= MOST {
            return MOST;
        }
    }
    steps
}

/// The gates of an operator, without those that are built only when lemmas do not suffice.
fn gates(pool: &Pool, term: Term, abstract_from: u32) -> u64 {
    let width = pool.width(term).unwrap_or(1);
    let is_abstracted = is_square(pool.op(term)) && abstract_from > 0 && width >= abstract_from;
    if is_abstracted { u64::from(width) } else { cost(pool, term) }
}
