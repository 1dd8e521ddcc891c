//! Identities: equations that multiplying out decides, and sums that are the same once multiplied out.
//!
//! Every equation of bit-vectors below the conjuncts, wherever it stands, whose sides are sums or products is
//! brought to the form `polynomial = 0` ([`super::polynomial`]). If nothing is left, it is true; if a
//! constant is left, or everything but the constant is divisible by a power of two that the constant is not
//! divisible by, it is false. Otherwise it stays as it was written: sharing with other terms saves more
//! than fewer monomials.
//!
//! Sums and products that other operators read become one where they have one polynomial.
//!
//! What polynomials modulo `2^w` do not see, because words are extended in between, is then looked at over
//! the integers ([`super::integers`]), and what they do not see because words are taken to pieces, over their
//! parts ([`super::parts`]).
//!
//! This is the part of arithmetic normalisation that pays without a look at costs: circuits of two
//! polynomials that are the same after distribution are among the hardest for a SAT solver. Cost: a budget of
//! steps for each equation, and [`MOST_EQUATIONS`] of them.

use super::bitwise::is_bitwise;
use super::integers::Integers;
use super::normalization::roots;
use super::parts::{self, Cuts};
use super::polynomial::{BUDGET, Opened, Polynomial};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashMap;

/// More equations than this are not looked at.
const MOST_EQUATIONS: usize = 2000;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Term>> {
    let is_candidate = |&term: &Term| is_comparison(pool, term);
    let candidates: Vec<Term> = problem.cone(pool).iter().copied().filter(is_candidate).collect();
    let mut budget = BUDGET;
    let mut decided = by_multiplying_out(pool, problem, &candidates, &mut budget);
    if !candidates.is_empty()
        && let Some(integers) = Integers::new(pool, problem)
    {
        let by_integers = |&term: &Term| Some((term, integers.decided(pool, term)?));
        let by_integers: Vec<(Term, bool)> = candidates.iter().filter_map(by_integers).collect();
        decided.extend(by_integers.into_iter().map(|(term, value)| (term, pool.bool(value))));
    }
    let mut replaced = equal_sums(pool, problem, &mut budget);
    replaced.extend(decided);
    if replaced.is_empty() { None } else { problem.substituted(pool, replaced) }
}

/// Sums and products that have the polynomial of an earlier one, with that one. Those nearest to the
/// conjuncts are looked at first, as long as there are steps left.
fn equal_sums(pool: &mut Pool, problem: &Problem<'_>, budget: &mut usize) -> Vec<(Term, Term)> {
    let roots = roots(pool, problem);
    if !(2..=MOST_EQUATIONS).contains(&roots.len()) {
        return vec![];
    }
    let mut equal: FxHashMap<Polynomial, usize> = FxHashMap::default();
    let mut classes: Vec<Vec<Term>> = vec![];
    for root in roots.into_iter().rev() {
        if problem.deadline.is_over() {
            break;
        }
        let Some(width) = pool.width(root) else { continue };
        let zero = make::zeros(pool, width);
        let polynomial =
            Polynomial::difference_over(pool, [root, zero], Opened::Bitwise, budget, problem.deadline);
        let Some(polynomial) = polynomial else { continue };
        let class = *equal.entry(polynomial).or_insert(classes.len());
        if class == classes.len() {
            classes.push(vec![]);
        }
        classes[class].push(root);
    }
    let replaced = |class: Vec<Term>| {
        let (&earliest, others) = class.split_last().expect("a class has a member");
        others.iter().map(|&other| (other, earliest)).collect::<Vec<_>>()
    };
    classes.into_iter().flat_map(replaced).collect()
}

/// The equations that are decided by their polynomials, or come down to a multiple of one word, with what
/// they are.
fn by_multiplying_out(
    pool: &mut Pool,
    problem: &Problem<'_>,
    candidates: &[Term],
    budget: &mut usize,
) -> Vec<(Term, Term)> {
    let equations: Vec<Term> = candidates
        .iter()
        .rev()
        .copied()
        .filter(|&term| is_arithmetic(pool, term))
        .take(MOST_EQUATIONS)
        .collect();
    let mut decided = vec![];
    let (cuts, mut budget_of_parts) = (Cuts::new(pool, problem.cone(pool)), parts::BUDGET);
    for equation in equations {
        let &[a, b] = pool.args(equation) else { continue };
        let mut value = None;
        for opened in [Opened::Choices, Opened::Bitwise] {
            let difference = Polynomial::difference_over(pool, [a, b], opened, budget, problem.deadline);
            let Some(difference) = difference else { break };
            value = decided_by(&difference);
            if value.is_some()
                || !difference.monomials().any(|(factors, _)| factors.iter().any(|&f| is_bitwise(pool, f)))
            {
                break;
            }
        }
        let mut becomes = value.map(|value| pool.bool(value));
        if value.is_none() && pool.width(a) >= Some(parts::LEAST_WIDTH) {
            let mut left = budget_of_parts;
            let difference = parts::difference(pool, [a, b], &cuts, &mut left, problem.deadline);
            let is_short = |difference: &Polynomial| difference.monomials().count() <= 1;
            becomes = difference.and_then(|difference| match decided_by(&difference) {
                Some(value) => Some(pool.bool(value)),
                None => is_short(&difference).then(|| difference.is_zero(pool)),
            });
            if becomes.is_none() {
                budget_of_parts = left;
            }
        }
        decided.extend(becomes.filter(|&becomes| becomes != equation).map(|becomes| (equation, becomes)));
    }
    decided
}

/// Whether words are equal that have this difference, if it says so.
fn decided_by(difference: &Polynomial) -> Option<bool> {
    match difference.is_constant() {
        true => Some(difference.constant().is_zero()),
        false => difference.is_never_zero().then_some(false),
    }
}

/// Is it an equation or an order of two words?
fn is_comparison(pool: &Pool, term: Term) -> bool {
    let op = pool.op(term);
    matches!(op, Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
        && pool.args(term).first().is_some_and(|&arg| pool.width(arg).is_some())
}

/// Is it an equation with a sum or a product on one of its sides?
pub(super) fn is_arithmetic(pool: &Pool, term: Term) -> bool {
    let is_sum = |&side: &Term| matches!(pool.op(side), Op::BvAdd | Op::BvMul | Op::BvNeg);
    match (pool.op(term), pool.args(term)) {
        (Op::Eq, args @ [a, _]) => pool.width(*a).is_some_and(|width| width > 1) && args.iter().any(is_sum),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::check;

    /// Equations of sums that are often the same, or differ by a constant, or in parity.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial| {
            let (a, b, c) = (trial.sum(pool, 1), trial.sum(pool, 1), trial.sum(pool, 0));
            let factored = pool.mk(Op::BvAdd, &[a, b]);
            let left = pool.mk(Op::BvMul, &[factored, c]);
            let products = [a, b].map(|x| pool.mk(Op::BvMul, &[x, c]));
            let mut right = pool.mk(Op::BvAdd, &products);
            if trial.chance(2) {
                let more = trial.sum(pool, 0);
                let even = pool.mk(Op::BvAdd, &[more, more]);
                let odd = trial.constant(pool);
                right = pool.mk(Op::BvAdd, &[right, even, odd]);
            }
            let equation = pool.mk(Op::Eq, &[left, right]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }
}
