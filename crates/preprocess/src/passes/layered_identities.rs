//! Identities of many layers: equations of sums that no multiplying out shows, because every step of a loop
//! chooses between two states and multiplies by a quotient.
//!
//! Bezout's identity `x a + y b = g` holds after each step of Euclid's algorithm; over 68 steps the
//! difference of its sides has more monomials than can be written. Here it is opened from the top, one layer
//! at a time: among the atoms of the highest *level*, which is the number of quotients (and other opaque
//! words) on top of each other,
//!
//! - a sum, a product or a remainder (`a - b (a / b)`, with which SMT-LIB agrees for `b = 0`) is opened;
//! - a choice becomes one of its branches if the condition is known, else both have to be shown; a branch `0`
//!   that stands for `q` where `q` is zero becomes `q` again, of which more is known (if that fails, not);
//! - and when nothing is left to open, the polynomial is split by the powers of one opaque atom: if all its
//!   coefficients are zero, so is the polynomial.
//!
//! What is left to show is a set of smaller differences, and each is shown once for the conditions in
//! it: Bezout's identity comes down to two differences a step. Monomials are replaced by what asserted
//! equations say of them, so invariants of loops over products are inductive by this, too.
//!
//! Why it is correct: each step is an equation of polynomials modulo `2^w`; conjuncts that are used have no
//! equation in them that is decided. Nothing is refuted. Cost: [`MOST_STEPS`] monomials.

mod context;
mod goal;
mod places;
#[cfg(test)]
mod tests;

use crate::problem::Problem;
use bivalve_algebra::expansion::{Opened, WordPolynomial};
use bivalve_algebra::polynomial::{Monomial, Polynomial};
use bivalve_algebra::ring::Words;
use bivalve_terms::{BitVec, Op, Pool, Term, TermSet};
use context::Context;
use goal::{Goal, Next};
use places::Places;
use rustc_hash::FxHashSet;

/// Monomials that are made in one run.
const MOST_STEPS: usize = 200_000;

/// More equations are not looked at.
const MOST_EQUATIONS: usize = 1000;

/// Formulas with more terms are left alone.
const MOST_TERMS: usize = 50_000;

/// So many asserted equations are used.
const MOST_RULES: usize = 16;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Term>> {
    let cone = problem.cone(pool);
    if cone.len() > MOST_TERMS || !cone.iter().any(|&term| pool.op(term) == Op::BvMul) {
        return None;
    }
    let asserted: FxHashSet<Term> = problem.conjuncts.iter().copied().collect();
    let is_candidate = |&term: &Term| is_equation(pool, term) && !asserted.contains(&term);
    let candidates: Vec<Term> = cone.iter().copied().filter(is_candidate).collect();
    if candidates.is_empty() || candidates.len() > MOST_EQUATIONS {
        return None;
    }
    let rules = rules(pool, problem, &candidates);
    let mut layers = Layers { places: Places::new(pool, cone), rules, steps: MOST_STEPS, keeps_words: true };
    let mut decided = vec![];
    for &candidate in candidates.iter().rev() {
        if !problem.deadline.step(1) || layers.steps == 0 {
            break;
        }
        if layers.shows(pool, candidate) {
            decided.push((candidate, pool.bool(true)));
        }
    }
    if decided.is_empty() { None } else { problem.substituted(pool, decided) }
}

/// Equations of words in which something can be opened.
fn is_equation(pool: &Pool, term: Term) -> bool {
    let (Op::Eq, &[a, b]) = (pool.op(term), pool.args(term)) else { return false };
    pool.width(a).is_some_and(|width| width > 1) && [a, b].iter().any(|&side| is_opened(pool, side))
}

/// Whether an atom is opened.
fn is_opened(pool: &Pool, term: Term) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvSub | Op::BvNot => true,
        Op::Ite | Op::BvUrem | Op::BvSrem | Op::Const => true,
        Op::BvShl => pool.as_u64(args[1]).is_some(),
        _ => false,
    }
}

/// A polynomial that is asserted to be zero, and its greatest monomial, whose coefficient is `2^zeros`.
struct Rule {
    monomial: Monomial,
    zeros: u32,
    zero: WordPolynomial,
}

/// What asserted equations say of monomials. Such an equation has no candidate in it, so that none is shown
/// by itself.
fn rules(pool: &mut Pool, problem: &Problem<'_>, candidates: &[Term]) -> Vec<Rule> {
    let mut rules = vec![];
    let mut has_candidate = TermSet::new();
    candidates.iter().for_each(|&candidate| {
        has_candidate.insert(candidate);
    });
    for &term in problem.cone(pool) {
        if pool.args(term).iter().any(|&arg| has_candidate.contains(arg)) {
            has_candidate.insert(term);
        }
    }
    for &conjunct in problem.conjuncts.iter().filter(|&&conjunct| !has_candidate.contains(conjunct)) {
        let (Op::Eq, &[a, b]) = (pool.op(conjunct), pool.args(conjunct)) else { continue };
        if pool.width(a).is_none() || rules.len() == MOST_RULES {
            continue;
        }
        let mut budget = MOST_STEPS;
        let difference =
            WordPolynomial::difference(pool, [a, b], Opened::Arithmetic, &mut budget, problem.deadline);
        rules.extend(difference.and_then(|difference| Rule::of(&difference)));
    }
    rules
}

impl Rule {
    /// For monomials that have the greatest one of this polynomial as a factor.
    fn of(zero: &WordPolynomial) -> Option<Rule> {
        let greatest = zero.monomials().max_by_key(|&(monomial, _)| (monomial.len(), monomial.clone()))?;
        let (monomial, zeros) = (greatest.0.clone(), greatest.1.trailing_zeros());
        let odd = greatest.1.lshr_by(zeros).odd_inverse()?;
        (!monomial.is_empty()).then(|| Rule { monomial, zeros, zero: zero.scaled(&odd) })
    }

    /// By what the polynomial has to be multiplied to have this coefficient, if there is such a number.
    fn factor(&self, coefficient: &BitVec) -> Option<BitVec> {
        (coefficient.trailing_zeros() >= self.zeros).then(|| coefficient.lshr_by(self.zeros))
    }
}

/// Equations that are being shown.
struct Layers {
    places: Places,
    rules: Vec<Rule>,
    steps: usize,
    /// Whether words that are opened stay what they are where the context says that they are constants.
    keeps_words: bool,
}

impl Layers {
    /// Whether both sides of an equation are always the same.
    fn shows(&mut self, pool: &mut Pool, equation: Term) -> bool {
        [true, false].into_iter().any(|keeps_words| {
            self.keeps_words = keeps_words;
            self.comes_down(pool, equation)
        })
    }

    /// Whether an equation comes down to others that are shown.
    fn comes_down(&mut self, pool: &mut Pool, equation: Term) -> bool {
        let &[a, b] = pool.args(equation) else { return false };
        let width = pool.width(a).expect("an equation of words");
        let mut difference = Polynomial::zero(Words(width));
        difference.add_monomial(vec![a], BitVec::one(width));
        difference.add_monomial(vec![b], BitVec::ones(width));
        let mut seen: FxHashSet<Goal> = FxHashSet::default();
        let mut todo = vec![Goal { zero: difference, context: Context::default() }];
        while let Some(goal) = todo.pop() {
            match self.next(pool, goal) {
                Next::Shown => {}
                Next::Failed => return false,
                Next::Goals(goals) => {
                    for mut goal in goals {
                        self.forget(pool, &mut goal);
                        goal.normalize();
                        if !seen.contains(&goal) {
                            seen.insert(goal.clone());
                            todo.push(goal);
                        }
                    }
                }
            }
        }
        true
    }

    /// Forgets conditions that are no parts of what is left, so that it is shown once for all of them.
    fn forget(&mut self, pool: &Pool, goal: &mut Goal) {
        let mut parts = self.places.nothing();
        for &atom in goal.zero.monomials().flat_map(|(monomial, _)| monomial) {
            self.places.add_conditions(pool, atom, &mut parts);
        }
        goal.context.retain(|condition| self.places.is_among(condition, &parts));
    }
}
