//! Which comparisons a model of the abstraction needs.
//!
//! In a model of `a or x < y` that makes `a` true nothing follows from what `x < y` is: any values of `x` and
//! `y` are a model. So formulas are walked from the top, and what suffices for their values is kept: all
//! arguments of a true conjunction, one of a false one that is false. Comparisons that no walk reaches have
//! no say, and become what the values make of them.
//!
//! That is so for Boolean operators alone. Other refiners have looked at what is below other terms, so a
//! comparison there is needed as it is.
//!
//! Cost: linear in what is new, and for a model in what is walked, at most the terms that have comparisons
//! below them.

use bivalve_backtrack::BacktrackSet;
use bivalve_terms::{Evaluator, Op, Pool, Term, TermSet};

/// Formulas that are to hold, and comparisons below them.
#[derive(Default)]
pub(crate) struct Support {
    /// Terms that were classified.
    known: TermSet,
    /// Those with variables of comparisons at or below them.
    concerned: TermSet,
    /// Formulas among them that are to hold.
    formulas: BacktrackSet<Term>,
    /// What was walked as part of a formula, by Boolean operators.
    seen: BacktrackSet<Term>,
    /// What is needed whatever formulas hold.
    fixed: BacktrackSet<Term>,
}

/// Whether the term is made of truth values by a Boolean operator.
fn is_boolean(pool: &Pool, term: Term) -> bool {
    pool.sort(term).is_bool() && pool.args(term).iter().all(|&arg| pool.sort(arg).is_bool())
}

impl Support {
    /// The formula is to hold; a variable stands for a comparison if `is_variable` says so.
    pub(crate) fn hold(&mut self, pool: &Pool, formula: Term, is_variable: impl Fn(Term) -> bool) {
        let mut todo = vec![formula];
        let mut below = vec![];
        while let Some(term) = todo.pop() {
            if self.seen.insert(term) {
                match is_boolean(pool, term) {
                    true => todo.extend_from_slice(pool.args(term)),
                    false => below.push(term),
                }
            }
        }
        for term in self.unknown(pool, formula) {
            if is_variable(term) || pool.args(term).iter().any(|&arg| self.concerned.contains(arg)) {
                self.concerned.insert(term);
            }
        }
        below.into_iter().for_each(|term| self.fix(pool, term));
        if self.concerned.contains(formula) {
            self.formulas.insert(formula);
        }
    }

    /// The terms at and below a formula that were not classified yet, arguments first.
    fn unknown(&mut self, pool: &Pool, formula: Term) -> Vec<Term> {
        let (mut todo, mut unknown) = (vec![formula], vec![]);
        while let Some(term) = todo.pop() {
            if self.known.insert(term) {
                unknown.push(term);
                todo.extend_from_slice(pool.args(term));
            }
        }
        unknown.sort_unstable();
        unknown
    }

    /// The term was taken in: if it is no part of a formula, what is below it is needed.
    pub(crate) fn take_in(&mut self, pool: &Pool, term: Term) {
        if !self.seen.contains(&term) {
            self.fix(pool, term);
        }
    }

    fn fix(&mut self, pool: &Pool, term: Term) {
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            if self.fixed.insert(term) {
                todo.extend_from_slice(pool.args(term));
            }
        }
    }

    /// What a model needs: the terms at which the walks end are among them.
    pub(crate) fn needed(&self, values: &mut Evaluator<'_>) -> TermSet {
        let pool = values.pool();
        let mut needed = TermSet::new();
        let mut todo: Vec<Term> = self.formulas.as_slice().to_vec();
        while let Some(term) = todo.pop() {
            if !self.concerned.contains(term) || !needed.insert(term) || !is_boolean(pool, term) {
                continue;
            }
            let args = pool.args(term);
            match pool.op(term) {
                op @ (Op::And | Op::Or) => {
                    let value = values.eval(term).expect_bool();
                    if value == (op == Op::And) {
                        todo.extend_from_slice(args);
                        continue;
                    }
                    // One that has the value suffices: best one that is needed anyhow, or has no comparisons.
                    let mut chosen = None;
                    for &arg in args.iter().filter(|&&arg| values.eval(arg).expect_bool() == value) {
                        let is_free = needed.contains(arg) || !self.concerned.contains(arg);
                        if is_free || chosen.is_none() {
                            chosen = Some(arg);
                        }
                        if is_free {
                            break;
                        }
                    }
                    todo.extend(chosen);
                }
                Op::Ite => {
                    let holds = values.eval(args[0]).expect_bool();
                    todo.extend([args[0], args[if holds { 1 } else { 2 }]]);
                }
                _ => todo.extend_from_slice(args),
            }
        }
        needed
    }

    /// Whether the term is needed by every model.
    pub(crate) fn is_fixed(&self, term: Term) -> bool {
        self.fixed.contains(&term)
    }

    /// Opens a scope.
    pub(crate) fn push(&mut self) {
        self.formulas.push();
        self.seen.push();
        self.fixed.push();
    }

    /// Forgets what came since the last scope was opened.
    pub(crate) fn pop(&mut self) {
        self.formulas.pop();
        self.seen.pop();
        self.fixed.pop();
    }

    /// Forgets all formulas.
    pub(crate) fn clear(&mut self) {
        let Support { known, concerned, .. } = std::mem::take(self);
        *self = Support { known, concerned, ..Support::default() };
    }
}
