//! Refutations of a few assertions.
//!
//! Where checks follow on one another, as in symbolic execution, most assertions of a check had a model
//! together before, and the new ones contradict few of them. So the new ones are tried alone, then with old
//! ones that their model violates, and so on, until there is no model, or one of all assertions, or too many
//! take part. (Assertions are refined by counterexamples: Clarke, Grumberg, Jha, Lu and Veith, CAV 2000.)
//! If what the refutation before used is still asserted, that is tried first. Whatever is tried, a refutation
//! of some assertions is one of all, and a model is one only if none is violated.
//!
//! Cost: a round begins anew, with twice as many assertions where so many are violated, and evaluates all.
//! Where a few were not enough, the next checks are tried at once. Of 984 checks of a symbolic execution, 778
//! of them unsatisfiable, 4.8 s in place of 7.7; of 1,966, 1,901 of them, 8 s in place of some minutes.

use crate::pause::Pause;
use crate::{Certifier, NoCertificate, Refutation};
use bivalve_limits::Why;
use bivalve_terms::{Evaluator, Pool, Term, Value};

/// Fewer assertions are tried all at once.
const FEW: usize = 16;

/// A round adds as many assertions as there are, but so many at least.
const GROWTH: usize = 8;

/// Conflicts of a round.
const CONFLICTS: u64 = 2_000;

/// What earlier checks tell.
#[derive(Default)]
pub(crate) struct Few {
    /// The assertions that the last refutation used, with their numbers.
    pub(crate) used: Vec<(usize, Term)>,
    /// The checks that are tried at once, because a few assertions were not enough.
    pause: Pause,
}

impl Certifier {
    /// Refutes some of the assertions, the first `old` of which had a model together, or finds a model of
    /// all; `None` if neither was found soon.
    pub(crate) fn refute_few(
        &mut self,
        pool: &mut Pool,
        check: u64,
        all: &[(usize, Term)],
        old: usize,
    ) -> Option<Result<Refutation, NoCertificate>> {
        if old == 0 || all.len() < FEW {
            return None;
        }
        if !self.few.pause.is_over() {
            return None;
        }
        let ended = self.refute_growing(pool, check, all, old);
        if ended.is_none() {
            // That of a few is none of all.
            self.model = None;
        }
        self.few.pause.tried(ended.is_some());
        ended
    }

    /// The same without regard to earlier checks.
    fn refute_growing(
        &mut self,
        pool: &mut Pool,
        check: u64,
        all: &[(usize, Term)],
        old: usize,
    ) -> Option<Result<Refutation, NoCertificate>> {
        let is_there = |&(at, term): &(usize, Term)| all.get(at) == Some(&(at, term));
        let mut chosen = vec![false; all.len()];
        match !self.few.used.is_empty() && self.few.used.iter().all(is_there) {
            true => self.few.used.iter().for_each(|&(at, _)| chosen[at] = true),
            false => chosen[old.min(all.len() - 1)..].fill(true),
        }
        loop {
            let few: Vec<(usize, Term)> =
                all.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(&one, _)| one).collect();
            if 2 * few.len() > all.len() {
                return None;
            }
            let count = few.len();
            let begun = self.begin(pool, check, few);
            match begun.and_then(|attempt| self.refute(pool, attempt, Some(CONFLICTS))) {
                Ok(refutation) => return Some(Ok(refutation)),
                Err(NoCertificate::Satisfiable) => {}
                Err(NoCertificate::Unknown(Why::Budget) | NoCertificate::Unsupported(_)) => {
                    self.attempt = None;
                    return None;
                }
                Err(ended) => return Some(Err(ended)),
            }
            let model = self.model.as_ref()?;
            let mut evaluator = Evaluator::new(pool, model);
            let mut left = count.max(GROWTH);
            let mut grown = false;
            for (at, &(_, term)) in all.iter().enumerate().rev() {
                if left > 0 && !chosen[at] && *evaluator.eval(term) != Value::Bool(true) {
                    (chosen[at], grown) = (true, true);
                    left -= 1;
                }
            }
            if !grown {
                return Some(Err(NoCertificate::Satisfiable));
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::{Course, Form};
    use bivalve_limits::Stop;
    use bivalve_terms::{Op, Sort};

    fn follows(old: usize) -> Course {
        Course { old, lasting: 0 }
    }

    /// Forty products that are at most forty values, and what follows on them.
    struct Path {
        pool: Pool,
        symbols: Vec<Term>,
        assertions: Vec<Term>,
    }

    impl Path {
        fn new() -> Path {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(12).unwrap();
            let symbols: Vec<Term> = (0..41).map(|at| pool.symbol(&format!("s{at}"), sort)).collect();
            let below = |(at, pair): (u64, &[Term])| {
                let product = pool.mk(Op::BvMul, pair);
                let most = pool.bv_u64(4000 - at, 12);
                pool.mk(Op::BvUle, &[product, most])
            };
            let assertions = (0u64..).zip(symbols.windows(2)).map(below).collect();
            Path { pool, symbols, assertions }
        }

        fn value(&mut self, at: usize, value: u64) -> Term {
            let value = self.pool.bv_u64(value, 12);
            self.pool.mk(Op::Eq, &[self.symbols[at], value])
        }

        fn used(&mut self, certifier: &mut Certifier, check: u64, old: usize) -> Vec<usize> {
            certifier.certify_after(&mut self.pool, check, &self.assertions, follows(old), None).unwrap().used
        }
    }

    /// `s7 = 4095` and `s8 = 1` contradict the bound of their product, among forty of them.
    #[test]
    fn a_refutation_needs_the_new_and_what_they_violate() {
        let mut path = Path::new();
        let more = [(7, 4095), (8, 1)].map(|(at, value)| path.value(at, value));
        path.assertions.extend(more);
        let mut certifier = Certifier::new(Form::Text, &Stop::new());
        let refutation =
            certifier.certify_after(&mut path.pool, 0, &path.assertions, follows(40), None).unwrap();
        assert_eq!(refutation.used, [7, 40, 41]);
        let text = String::from_utf8(refutation.steps).unwrap();
        assert!(text.contains("\"s8\"") && !text.contains("\"s20\""), "{text}");
    }

    #[test]
    fn what_was_used_before_is_tried_first() {
        let mut path = Path::new();
        let more = [(7, 4095), (8, 1), (30, 2)].map(|(at, value)| path.value(at, value));
        path.assertions.extend(more);
        let mut certifier = Certifier::new(Form::Text, &Stop::new());
        assert_eq!(path.used(&mut certifier, 0, 40), [7, 40, 41]);
        let next = path.value(30, 3);
        path.assertions.push(next);
        assert_eq!(path.used(&mut certifier, 1, 43), [7, 40, 41], "42 and 43 are a contradiction, too");
        path.assertions[7] = path.pool.bool(true);
        assert_eq!(path.used(&mut certifier, 2, 43), [42, 43]);
    }

    /// The model of a few is the answer if it is one of all, and is not told if it is none.
    #[test]
    fn models_are_of_all_assertions() {
        let mut path = Path::new();
        let more = path.value(7, 4095);
        path.assertions.push(more);
        let mut certifier = Certifier::new(Form::Binary, &Stop::new());
        let ended = certifier.certify_after(&mut path.pool, 0, &path.assertions, follows(40), None);
        assert_eq!(ended, Err(NoCertificate::Satisfiable));
        let model = certifier.take_model().unwrap();
        let mut evaluator = Evaluator::new(&path.pool, &model);
        assert!(path.assertions.iter().all(|&term| *evaluator.eval(term) == Value::Bool(true)));
    }

    /// Thirty sums in a row, where all assertions are needed, and the next checks are tried at once.
    #[test]
    fn all_are_tried_where_a_few_are_not_enough() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let symbols: Vec<Term> = (0..31).map(|at| pool.symbol(&format!("s{at}"), sort)).collect();
        let less = symbols.windows(2).map(|pair| pool.mk(Op::BvUlt, pair));
        let mut assertions: Vec<Term> = less.collect();
        let most = pool.bv_u64(29, 8);
        assertions.push(pool.mk(Op::BvUle, &[symbols[30], most]));
        let mut certifier = Certifier::new(Form::Binary, &Stop::new());
        for check in 0..4 {
            let refutation =
                certifier.certify_after(&mut pool, check, &assertions, follows(30), None).unwrap();
            assert_eq!(refutation.used, (0..31).collect::<Vec<_>>(), "check {check}");
            certifier.few.used.clear();
        }
        assert!(!certifier.few.pause.is_over());
    }
}
