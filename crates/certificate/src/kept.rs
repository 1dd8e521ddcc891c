//! A search that is kept for the checks to come.
//!
//! Where a refutation needs most of what is asserted, as in bounded model checking and k-induction, a few
//! assertions are not enough ([`crate::few`]), and each search from the beginning finds again what the one
//! before has found. So a search is kept, with all clauses that it has learned: what is asserted for some
//! time holds in it, and what is likely to be dropped soon is assumed (Eén and Sörensson, *Temporal induction
//! by incremental SAT solving*, BMC 2003). Each certificate still stands alone: it has the circuits again, and
//! those of the clauses that its refutation needs.
//!
//! New assertions go through the rounds of the old ones ([`crate::simplify`]). After them comes one more, whose
//! definitions are those of new symbols: a round has an image of each term that it was applied to, so a symbol
//! that it has not met can still be replaced.
//!
//! Cost: a check takes what is new, a copy of the circuits, and the search. Memory for all that the SAT solver
//! has derived, up to [`MOST_HINTS`]. What is assumed is not used to simplify, so searches from the beginning
//! are easier sometimes: if the kept one takes longer than the last of those, it is dropped.

use crate::division::Division;
use crate::pause::Pause;
use crate::recorder::Recorder;
use crate::search::Search;
use crate::simplify::{Because, Facts, Origin, Round, definition};
use crate::{Certifier, Course, Form, NoCertificate, ROOM, Refutation};
use bivalve_limits::{Deadline, Stop, Why};
use bivalve_terms::{Pool, Term, cone};
use rustc_hash::FxHashSet;

/// Conflicts of a search from the beginning from which on the next one is kept.
const WORTH: u64 = 100;

/// A kept search may take so many times as many conflicts for a check as the last search from the beginning
/// took.
const PATIENCE: u64 = 8;

/// A search that has derived so much is not kept.
const MOST_HINTS: usize = 1 << 26;

/// The search that is kept, and whether it is worth it.
#[derive(Default)]
pub(crate) struct Keeper {
    kept: Option<Kept>,
    /// Conflicts of the last search from the beginning.
    anew: u64,
    pause: Pause,
}

impl Keeper {
    /// A search from the beginning took so many conflicts.
    pub(crate) fn began_anew(&mut self, conflicts: u64) {
        self.anew = conflicts;
    }
}

/// A search that goes on.
struct Kept {
    /// What holds in it: the first of the assertions.
    held: Vec<Term>,
    facts: Facts,
    search: Search,
}

impl Certifier {
    /// Goes on with the search that was kept, or begins one that is to be kept; `None` if neither is worth it,
    /// or it did not end soon.
    pub(crate) fn go_on(
        &mut self,
        pool: &mut Pool,
        check: u64,
        all: &[(usize, Term)],
        course: Course,
    ) -> Option<Result<Refutation, NoCertificate>> {
        let is_there = |kept: &Kept| {
            kept.held.len() <= course.lasting && kept.held.iter().zip(all).all(|(held, (_, now))| held == now)
        };
        let Keeper { kept, anew, pause } = &mut self.keeper;
        let is_kept = kept.as_ref().is_some_and(is_there);
        let is_worth_it = course.old.min(course.lasting) > 0 && (is_kept || *anew >= WORTH);
        if !is_worth_it || !pause.is_over() {
            return None;
        }
        let kept = kept.take().filter(|_| is_kept);
        let kept = kept.map_or_else(|| Kept::new(pool, &all[..course.lasting], self.form, &self.stop), Ok);
        let ended = match kept.and_then(|kept| self.go_on_with(pool, check, kept, all, course.lasting)) {
            Err(NoCertificate::Unknown(Why::Budget) | NoCertificate::Unsupported(_)) => None,
            ended => Some(ended),
        };
        self.keeper.pause.tried(ended.is_some());
        ended
    }

    /// Goes on with this search, and keeps it if it was worth it.
    fn go_on_with(
        &mut self,
        pool: &mut Pool,
        check: u64,
        mut kept: Kept,
        all: &[(usize, Term)],
        lasting: usize,
    ) -> Result<Refutation, NoCertificate> {
        let deadline = Deadline::stopped_by(&self.stop);
        let held = kept.follow(pool, &all[kept.held.len()..lasting], true, &deadline);
        let goes_on = kept.facts.contradiction.is_none();
        kept.search.hold(pool, &kept.facts, &held)?;
        kept.held.extend(all[kept.held.len()..lasting].iter().map(|&(_, term)| term));
        let assumed = kept.follow(pool, &all[lasting..], false, &deadline);
        let found = match kept.facts.contradiction {
            Some(_) => None,
            None => {
                if !kept.search.assume(pool, &kept.facts, &assumed)? {
                    self.keep(kept);
                    return Err(NoCertificate::Unsupported("there is nothing to search".into()));
                }
                let most = kept.search.spent() + PATIENCE * self.keeper.anew.max(WORTH);
                match kept.search.run(pool, Some(most), &self.stop) {
                    Ok(()) => Some(kept.search.found(true)?),
                    Err(ended) => {
                        if ended == NoCertificate::Satisfiable {
                            let mut model = kept.search.assignment(pool);
                            kept.facts.lift(pool, &mut model);
                            self.model = Some(model);
                        }
                        // If it was stopped, gates may lack clauses.
                        if matches!(ended, NoCertificate::Satisfiable | NoCertificate::Unknown(Why::Budget)) {
                            self.keep(kept);
                        }
                        return Err(ended);
                    }
                }
            }
        };
        let written = self.write(pool, check, &mut kept.facts, found);
        let refutation = written.map_err(|failure| NoCertificate::Unsupported(failure.why))?;
        self.certified(&refutation, all);
        kept.facts.contradiction = None;
        if goes_on {
            self.keep(kept);
        }
        Ok(refutation)
    }

    fn keep(&mut self, kept: Kept) {
        self.keeper.kept = Some(kept).filter(|kept| kept.search.hints() < MOST_HINTS);
    }
}

impl Kept {
    /// A search in which these assertions hold, if it can go on.
    fn new(
        pool: &mut Pool,
        assertions: &[(usize, Term)],
        form: Form,
        stop: &Stop,
    ) -> Result<Kept, NoCertificate> {
        let mut facts = Facts::new(pool, assertions, &FxHashSet::default(), &Deadline::stopped_by(stop));
        if facts.contradiction.is_some() || facts.divisions(pool).0 != [Division::Circuits] {
            return Err(NoCertificate::Unsupported("the search ends with this check".into()));
        }
        let out = Recorder::new(Some(form == Form::Text));
        let search = Search::new(pool, &facts, (Division::Circuits, true), ROOM, out, stop)?;
        let conjuncts: Vec<Term> = facts.conjuncts.iter().map(|&fact| facts.facts[fact].term).collect();
        let images = cone(pool, &conjuncts).into_iter().map(|term| (term, term)).collect();
        facts.rounds.push(Round { images, ..Round::default() });
        Ok(Kept { held: assertions.iter().map(|&(_, term)| term).collect(), facts, search })
    }

    /// What the rounds make of more assertions. Those that hold may define new symbols in the last round.
    fn follow(
        &mut self,
        pool: &mut Pool,
        assertions: &[(usize, Term)],
        hold: bool,
        deadline: &Deadline,
    ) -> Vec<usize> {
        let before = std::mem::take(&mut self.facts.conjuncts);
        for &(number, term) in assertions {
            let fact = self.facts.push(term, Origin::Asserted(number));
            self.facts.conjuncts.push(fact);
        }
        for number in 0..self.facts.rounds.len() {
            self.facts.normalise(pool, deadline);
            let mut round = std::mem::take(&mut self.facts.rounds[number]);
            if hold && number + 1 == self.facts.rounds.len() {
                self.define(pool, &mut round);
            }
            for fact in std::mem::take(&mut self.facts.conjuncts) {
                let fact = self.facts.replaced(pool, fact, &mut round, number);
                self.facts.conjuncts.push(fact);
            }
            self.facts.rounds[number] = round;
        }
        self.facts.normalise(pool, deadline);
        std::mem::replace(&mut self.facts.conjuncts, before)
    }

    /// Conjuncts that say what a symbol is which the last round has not met.
    fn define(&mut self, pool: &mut Pool, last: &mut Round) {
        let mut new = Round::default();
        for &fact in &self.facts.conjuncts {
            let is_new = |symbol| !last.images.contains_key(&symbol);
            if let Some((symbol, term)) = definition(pool, self.facts.facts[fact].term, is_new) {
                new.definitions.entry(symbol).or_insert((term, Because::Fact(fact)));
            }
        }
        new.drop_cycles(pool);
        let used: FxHashSet<usize> = new.facts().collect();
        self.facts.conjuncts.retain(|fact| !used.contains(fact));
        let mut symbols: Vec<Term> = new.definitions.keys().copied().collect();
        symbols.sort_unstable();
        last.definitions.extend(new.definitions);
        symbols.into_iter().for_each(|symbol| {
            last.image(pool, symbol);
        });
    }
}
