//! A search that is kept for the checks to come.
//!
//! Where a refutation needs most of what is asserted, as in bounded model checking and k-induction, a few
//! assertions are not enough ([`crate::few`]), and each search from the beginning finds again what the one
//! before has found. So a search is kept, with all clauses that it has learned: what is asserted for some
//! time holds in it, and what is likely to be dropped soon is assumed (Eén and Sörensson, *Temporal induction
//! by incremental SAT solving*, BMC 2003). Each certificate still stands alone: it has the circuits again,
//! and those of the clauses that its refutation needs.
//!
//! New assertions go through the rounds of the old ones ([`crate::simplify`]). After them comes one more,
//! whose definitions are those of new symbols: a round has an image of each term that it was applied to, so a
//! symbol that it has not met can still be replaced.
//!
//! Cost: a check takes what is new, a copy of the circuits, and the search. Memory for all that the SAT
//! solver has derived, up to [`MOST_HINTS`]. What is assumed is not used to simplify, so searches from the
//! beginning are easier sometimes, and take over where the kept one takes longer ([`PATIENCE`]). K-induction
//! up to 80, 160 checks: 1.9 s in place of 9.8.

use crate::division::Division;
use crate::pause::Pause;
use crate::recorder::Recorder;
use crate::round::{Because, Round};
use crate::search::Search;
use crate::simplify::{Allowed, Facts, Origin};
use crate::solve::definition;
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
    /// Goes on with the search that was kept, or begins one that is to be kept; `None` if neither is worth
    /// it, or it did not end soon.
    pub(crate) fn go_on(
        &mut self,
        pool: &mut Pool,
        check: u64,
        all: &[(usize, Term)],
        course: Course,
    ) -> Option<Result<Refutation, NoCertificate>> {
        let course = Course { lasting: course.lasting.min(all.len()), ..course };
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
        let mut facts = Facts::new(pool, assertions, &Allowed::default(), &Deadline::stopped_by(stop));
        if facts.contradiction.is_some() || facts.divisions(pool).0 != [Division::Circuits] {
            return Err(NoCertificate::Unsupported("the search ends with this check".into()));
        }
        let out = Recorder::new(Some(form)).stopped_by(stop);
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use bivalve_terms::{Evaluator, Op, Sort, Value};

    /// A sum that grows by 3 or by 5 in each step, and what is asserted of it.
    struct Walk {
        pool: Pool,
        certifier: Certifier,
        sum: Term,
        /// Where a step adds 3.
        guards: Vec<Term>,
        assertions: Vec<Term>,
        checks: u64,
    }

    impl Walk {
        /// After six steps and a check, which is said to have taken long.
        fn new() -> Walk {
            let mut pool = Pool::new();
            let sum = pool.symbol("s0", Sort::bitvec(12).unwrap());
            let start = pool.bv_u64(0, 12);
            let assertions = vec![pool.mk(Op::Eq, &[sum, start])];
            let certifier = Certifier::new(Form::Text, &Stop::new());
            let mut walk = Walk { pool, certifier, sum, guards: vec![], assertions, checks: 0 };
            (0..6).for_each(|_| walk.step());
            let beyond = walk.ends(Op::BvUlt, 30);
            walk.check(0, beyond).unwrap();
            walk.certifier.keeper.began_anew(WORTH);
            walk
        }

        fn step(&mut self) {
            let Walk { pool, sum, guards, assertions, .. } = self;
            let guard = pool.symbol(&format!("b{}", guards.len()), Sort::BOOL);
            guards.push(guard);
            let next = pool.symbol(&format!("s{}", guards.len()), Sort::bitvec(12).unwrap());
            let [three, five] = [3, 5].map(|number| pool.bv_u64(number, 12));
            let more = pool.mk(Op::Ite, &[guard, three, five]);
            let value = pool.mk(Op::BvAdd, &[*sum, more]);
            assertions.push(pool.mk(Op::Eq, &[next, value]));
            *sum = next;
        }

        /// `number < s` or another relation.
        fn ends(&mut self, op: Op, number: u64) -> Term {
            let number = self.pool.bv_u64(number, 12);
            self.pool.mk(op, &[number, self.sum])
        }

        /// Checks what is asserted, of which so much is old, and one thing more.
        fn check(&mut self, old: usize, more: Term) -> Result<Refutation, NoCertificate> {
            let lasting = self.assertions.len();
            let all = [&self.assertions[..], &[more]].concat();
            self.checks += 1;
            let course = Course { old, lasting };
            self.certifier.certify_after(&mut self.pool, self.checks - 1, &all, course, None)
        }

        /// Goes a step further, which cannot end beyond the end.
        fn goes_on(&mut self) -> Refutation {
            let old = self.assertions.len();
            self.step();
            let beyond = self.ends(Op::BvUlt, 5 * self.guards.len() as u64);
            self.check(old, beyond).unwrap()
        }

        fn kept(&self) -> &Kept {
            self.certifier.keeper.kept.as_ref().unwrap()
        }
    }

    #[test]
    fn a_search_goes_on_from_check_to_check() {
        let mut walk = Walk::new();
        walk.goes_on();
        let spent = walk.kept().search.spent();
        for steps in 8..11 {
            assert_eq!(
                walk.goes_on().used,
                (0..steps + 2).collect::<Vec<_>>(),
                "the start, steps, and the end"
            );
            assert_eq!(walk.kept().held, walk.assertions);
        }
        assert!(walk.kept().search.spent() > spent);
        assert_eq!(walk.certifier.checks(), 5);
    }

    #[test]
    fn nothing_is_kept_where_searches_are_short() {
        let mut walk = Walk::new();
        walk.certifier.keeper.began_anew(WORTH - 1);
        walk.goes_on();
        assert!(walk.certifier.keeper.kept.is_none());
    }

    #[test]
    fn its_models_are_models() {
        let mut walk = Walk::new();
        walk.goes_on();
        let old = walk.assertions.len();
        walk.step();
        let end = walk.ends(Op::Eq, 5 * 8 - 6);
        assert_eq!(walk.check(old, end), Err(NoCertificate::Satisfiable));
        let model = walk.certifier.take_model().unwrap();
        let mut evaluator = Evaluator::new(&walk.pool, &model);
        let all = [&walk.assertions[..], &[end]].concat();
        assert!(all.into_iter().all(|term| *evaluator.eval(term) == Value::Bool(true)));
        assert_eq!(walk.kept().held, walk.assertions);
        walk.goes_on();
    }

    /// What is new holds at the check after, too.
    #[test]
    fn what_is_contradictory_by_itself_is_not_searched() {
        let mut walk = Walk::new();
        walk.goes_on();
        let (old, spent) = (walk.assertions.len(), walk.kept().search.spent());
        walk.step();
        let never = walk.ends(Op::BvUlt, 4095);
        assert_eq!(walk.check(old, never).unwrap().used, [walk.assertions.len()]);
        assert_eq!(walk.kept().search.spent(), spent);
        let (old, beyond) = (walk.assertions.len(), walk.ends(Op::BvUlt, 5 * 8));
        assert_eq!(walk.check(old, beyond).unwrap().used, (0..old + 1).collect::<Vec<_>>());
    }

    #[test]
    fn it_ends_where_something_is_dropped_that_holds_in_it() {
        let mut walk = Walk::new();
        walk.goes_on();
        walk.assertions[0] = walk.pool.bool(true);
        let beyond = walk.ends(Op::BvUlt, 5 * 7);
        let old = walk.assertions.len();
        assert_eq!(walk.check(old, beyond), Err(NoCertificate::Satisfiable));
    }

    /// The fourth step is short.
    #[test]
    fn symbols_that_the_search_has_met_are_not_replaced() {
        let mut walk = Walk::new();
        walk.goes_on();
        let old = walk.assertions.len();
        walk.assertions.push(walk.guards[3]);
        let beyond = walk.ends(Op::BvUlt, 5 * 7 - 2);
        assert!(walk.check(old, beyond).unwrap().used.contains(&old));
        let end = walk.ends(Op::Eq, 5 * 7 - 2);
        assert_eq!(walk.check(old + 1, end), Err(NoCertificate::Satisfiable));
    }
}
