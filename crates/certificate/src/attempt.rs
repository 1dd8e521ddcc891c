//! A check that is not certified yet: what its assertions are simplified to, and the search for a refutation.

use crate::division::Division;
use crate::quantified::Problem;
use crate::recorder::Recorder;
use crate::search::Search;
use crate::simplify::{Allowed, Facts};
use crate::{Form, NoCertificate};
use bivalve_limits::{Deadline, Stop, Why};
use bivalve_terms::{Assignment, Pool, Term};
use std::sync::Arc;

/// Conflicts of a search with facts about quotients, remainders and products, before they become circuits; so
/// many for each [`CELLS`] of those, because a search with large circuits is worth less, up to
/// [`MOST_SHARES`] times.
const FACT_CONFLICTS: u64 = 20_000;
const CELLS: u64 = 1 << 16;
const MOST_SHARES: u64 = 16;

/// What is known of a check that is not certified yet.
pub(crate) struct Attempt {
    pub(crate) check: u64,
    /// The assertions, with their numbers.
    pub(crate) assertions: Vec<(usize, Term)>,
    pub(crate) allowed: Allowed,
    pub(crate) facts: Facts,
    /// The search, if the facts are not contradictory by themselves.
    pub(crate) search: Option<Search>,
    /// What quotients, remainders and products are if that search does not succeed.
    waiting: std::vec::IntoIter<Division>,
    /// The cells of their circuits, about.
    cells: u64,
    /// Room for so many times as many elements of declared sorts as there are.
    pub(crate) room: u64,
    /// Is the order of wide words told?
    pub(crate) is_ordered: bool,
    form: Form,
}

impl Attempt {
    /// Begins with these assertions, which are those of a problem with quantifiers, if there is one.
    pub(crate) fn new(
        pool: &mut Pool,
        check: u64,
        assertions: Vec<(usize, Term)>,
        (allowed, room, is_ordered): (Allowed, u64, bool),
        problem: Option<Arc<Problem>>,
        (form, stop): (Form, &Stop),
    ) -> Result<Attempt, NoCertificate> {
        let mut facts = Facts::new(pool, &assertions, &allowed, &Deadline::stopped_by(stop));
        facts.problem = problem;
        if let Some(why) = stop.reason().filter(|_| facts.contradiction.is_none()) {
            return Err(NoCertificate::Unknown(why));
        }
        let (waiting, cells) = match facts.contradiction {
            Some(_) => (vec![], 0),
            None => facts.divisions(pool),
        };
        let waiting = waiting.into_iter();
        let mut attempt = Attempt {
            check,
            assertions,
            allowed,
            facts,
            search: None,
            waiting,
            cells,
            room,
            is_ordered,
            form,
        };
        attempt.next_search(pool, stop)?;
        Ok(attempt)
    }

    /// Begins the next search. Facts that cannot be made are passed over.
    fn next_search(&mut self, pool: &mut Pool, stop: &Stop) -> Result<(), NoCertificate> {
        while let Some(division) = self.waiting.next() {
            let out = Recorder::new(Some(self.form)).stopped_by(stop);
            match Search::new(pool, &self.facts, (division, self.is_ordered), self.room, out, stop) {
                Err(NoCertificate::Unsupported(_)) if self.waiting.len() > 0 => {}
                begun => {
                    self.search = Some(begun?);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Searches for a refutation; `Ok` if there is one.
    pub(crate) fn run(
        &mut self,
        pool: &mut Pool,
        conflicts: Option<u64>,
        stop: &Stop,
    ) -> Result<(), NoCertificate> {
        self.run_without_circuits(pool, conflicts, stop)?;
        self.search.as_mut().map_or(Ok(()), |search| {
            let most = conflicts.map(|conflicts| search.affordable(conflicts));
            search.run(pool, most, stop)
        })
    }

    /// The model that the search has found: the values of symbols.
    pub(crate) fn model(&mut self, pool: &mut Pool) -> Option<Assignment> {
        let mut model = self.search.as_mut().map(|search| search.assignment(pool))?;
        self.facts.lift(pool, &mut model);
        Some(model)
    }

    /// Searches with facts about quotients, remainders and products in place of their circuits, as long as
    /// there are such searches left.
    fn run_without_circuits(
        &mut self,
        pool: &mut Pool,
        conflicts: Option<u64>,
        stop: &Stop,
    ) -> Result<(), NoCertificate> {
        while let Some(search) = self.search.as_mut().filter(|_| self.waiting.len() > 0) {
            let most = FACT_CONFLICTS * (1 + self.cells / CELLS).min(MOST_SHARES);
            let now = conflicts.map_or(most, |conflicts| most.min(search.affordable(conflicts)));
            match search.run(pool, Some(now), stop) {
                Err(NoCertificate::Unknown(Why::Budget)) if now < most => {
                    return Err(NoCertificate::Unknown(Why::Budget));
                }
                // Such a model says nothing.
                Err(NoCertificate::Satisfiable | NoCertificate::Unknown(Why::Budget)) => {
                    self.next_search(pool, stop)?;
                }
                ended => return ended,
            }
        }
        Ok(())
    }
}
