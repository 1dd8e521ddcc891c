//! Lemmas before circuits: products and quotients that would get circuits at once, decided without.
//!
//! From `abstract_from` bits on the circuit of a product is built only when lemmas do not suffice; below, a
//! circuit is small enough to be searched, and does better in most cases. But comparisons of products and
//! quotients often need no circuit at all: that products grow with their factors, that a remainder is below
//! the divisor, that `x / y < z` says what `x < y z` says. A search in circuits of 16 bits does not find
//! that out in seconds, and lemmas say it in some calls. So they are tried first, once, on a search of their
//! own ([`Abstraction::by_lemmas`]), which gives up when a circuit would be needed or after some conflicts
//! (`--lemmas-first`), and leaves nothing behind. docs/laboratory/families.md has what it gains.
//!
//! Cost: gates for everything else, [`MOST_GATES`] at most, and the conflicts, fewer of larger circuits. They
//! count for the conflict limit of the check, of which half is left for circuits.

use crate::Solver;
use crate::answer::CheckResult;
use crate::course::Course;
use crate::model::{InternalError, Model};
use crate::options::Settings;
use crate::parts::Parts;
use crate::progress::Phase;
use crate::search::{Encoding, Outcome, Search};
use crate::statistics::Statistics;
use crate::under_approximation::Mode;
use bivalve_abstraction::{Abstraction, is_wide};
use bivalve_arrays::ArrayRefiner;
use bivalve_refine::Refiner;
use bivalve_sat_adapter::Stop;
use bivalve_terms::{Pool, Term, cone};

/// Products of so many bits are left to lemmas; shorter ones are easy for a search.
const FROM: u32 = 16;

/// More terms than that take too many rounds.
const MOST_TERMS: usize = 32;

/// More gates are not built.
const MOST_GATES: u64 = 50_000;

/// A conflict takes longer in larger circuits: so many for one gate at most.
const CONFLICTS_OF_ONE_GATE: u64 = 1 << 25;

impl Solver {
    /// Tries to answer the first check without circuits of products and quotients, unless an approximation of
    /// circuits was asked for.
    pub(crate) fn try_lemmas_first(&mut self, pool: &mut Pool) -> Result<Option<CheckResult>, InternalError> {
        let Settings { lemmas_first: limit, minimize_core, small_models, .. } = self.settings;
        let approximates = matches!(self.parts.approximation_mode(&self.settings), Mode::Always(_));
        if self.course == Course::Session || limit == 0 || minimize_core || small_models || approximates {
            return Ok(None);
        }
        let conjuncts: Vec<Term> = self.conjuncts().chain(self.answer.assumed.iter().copied()).collect();
        let settings = (&self.settings, &self.parts);
        let Some(mut search) = search(pool, &conjuncts, settings, &self.stop) else {
            return Ok(None);
        };
        search.set_clock(self.clock);
        self.progress.enter(Phase::Search, 0);
        let answer = self.decide_by_lemmas(pool, &mut search, limit);
        let mut cost = Statistics::default();
        search.count(&mut cost);
        self.apart += cost;
        self.spend(search.conflicts());
        self.statistics.lemmas_first += u64::from(matches!(answer, Ok(Some(_))));
        answer
    }

    fn decide_by_lemmas(
        &mut self,
        pool: &mut Pool,
        search: &mut Search,
        limit: u64,
    ) -> Result<Option<CheckResult>, InternalError> {
        let encoded = search.encode(pool, self.preprocessor.levels(), &self.answer.assumed);
        let Ok(Encoding { query, contradiction: None }) = encoded else { return Ok(None) };
        let half = self.conflicts_left.map_or(u64::MAX, |left| left / 2);
        let limit = limit.min(half).min(most_conflicts(search));
        match search.solve(pool, query.literals(), Some(limit)) {
            Outcome::Unknown(_) | Outcome::DomainExceeded => Ok(None),
            Outcome::Unsat(failed) => Ok(Some(self.refute(query.core(&failed)))),
            Outcome::Sat(extension) => {
                let all = self.question();
                let mut value = |pool: &Pool, term: Term| search.value(pool, term);
                let model = Model::read(pool, &all, &self.way_back(), extension, None, &mut value)?;
                self.answer.model = Some(model);
                Ok(Some(CheckResult::Sat))
            }
        }
    }
}

/// A search by lemmas, if there is something for it to do.
fn search(
    pool: &Pool,
    conjuncts: &[Term],
    (settings, parts): (&Settings, &Parts),
    stop: &Stop,
) -> Option<Search> {
    let until = settings.abstract_from;
    if until == 0 {
        return None;
    }
    let is_between = |&&term: &&Term| is_wide(pool, term, FROM) && !is_wide(pool, term, until);
    let count = cone(pool, conjuncts).iter().filter(is_between).take(MOST_TERMS + 1).count();
    if !(1..=MOST_TERMS).contains(&count) {
        return None;
    }
    let refiners: Vec<Box<dyn Refiner>> = vec![
        Box::new(Abstraction::by_lemmas(FROM)),
        Box::new(ArrayRefiner::new(settings.array_lemmas, parts.array_strategy(settings))),
    ];
    let mut search = Search::new(parts.factory(settings), refiners, stop, Default::default());
    search.set_sizes(MOST_GATES.min(settings.gate_limit), settings.rebuild_from);
    Some(search)
}

/// So many conflicts for this search at most.
fn most_conflicts(search: &Search) -> u64 {
    CONFLICTS_OF_ONE_GATE / search.gates().max(1)
}
