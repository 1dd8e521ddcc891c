//! Equations of sums: what they add up, as symbols that they can be solved for.
//!
//! The difference of the sides is a sum of terms with coefficients modulo 2^w. A symbol with an odd
//! coefficient, which occurs nowhere else in it, is what the rest makes of it. That is a step of Gaussian
//! elimination; [`crate::derive`] shows it by polynomials.
//!
//! Cost: the terms of the equation, which are taken from a budget.

use bivalve_algebra::opening;
use bivalve_algebra::ring::{Ring, Words};
use bivalve_terms::{BitVec, Op, Pool, Term, cone};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Terms that are looked at to solve equations, in all.
pub(crate) const MOST_LOOKS: usize = 2_000_000;

/// Summands that an equation is solved with.
const MOST_SUMMANDS: usize = 2_000;

/// The terms that two sides of an equation add up, with their coefficients in the difference; those that are
/// values have the term `None`.
pub(crate) fn summands(
    pool: &Pool,
    sides: [Term; 2],
    width: u32,
) -> Option<IndexMap<Option<Term>, BitVec, FxBuildHasher>> {
    let mut found: IndexMap<Option<Term>, BitVec, FxBuildHasher> = IndexMap::default();
    let one = BitVec::one(width);
    let (mut steps, mut stack) = (0, vec![(sides[0], one.clone()), (sides[1], one.neg())]);
    while let Some((term, factor)) = stack.pop() {
        steps += 1;
        if steps > MOST_SUMMANDS {
            return None;
        }
        let args = pool.args(term);
        let value = |at: usize| pool.as_bitvec(args[at]);
        let mut add = |term: Option<Term>, factor: &BitVec| {
            let sum = found.entry(term).or_insert_with(|| BitVec::zero(width));
            *sum = sum.add(factor);
        };
        match pool.op(term) {
            Op::Const => add(None, &factor.mul(&pool.as_bitvec(term)?)),
            _ if let Some((constants, summands)) = opening::summands(pool, term) => {
                let times = |weight| factor.mul(&Words(width).weight(weight));
                constants.into_iter().for_each(|weight| add(None, &times(weight)));
                stack.extend(summands.into_iter().map(|(arg, weight)| (arg, times(weight))));
            }
            Op::BvMul if args.len() == 2 && value(0).is_some() => {
                stack.push((args[1], factor.mul(&value(0)?)));
            }
            Op::BvMul if args.len() == 2 && value(1).is_some() => {
                stack.push((args[0], factor.mul(&value(1)?)));
            }
            _ => add(Some(term), &factor),
        }
    }
    found.retain(|_, factor| !factor.is_zero());
    Some(found)
}

/// The symbols that an equation of bit-vectors can be solved for: those with an odd coefficient that occur
/// once in it. What is looked at is taken from `left`.
pub(crate) fn solvable(pool: &Pool, conjunct: Term, left: &mut usize) -> Vec<Term> {
    let &[a, b] = pool.args(conjunct) else { return vec![] };
    let Some(width) = pool.width(a).filter(|_| pool.op(conjunct) == Op::Eq && *left > 0) else {
        return vec![];
    };
    let Some(all) = summands(pool, [a, b], width) else { return vec![] };
    let is_symbol = |&term: &Term| pool.op(term) == Op::Symbol;
    let terms: Vec<Term> = all.keys().copied().flatten().collect();
    let others: Vec<Term> = terms.iter().copied().filter(|term| !is_symbol(term)).collect();
    let may_be = |term: &Term| is_symbol(term) && all[&Some(*term)].lsb();
    *left = left.saturating_sub(1 + terms.len());
    if !terms.iter().any(may_be) {
        return vec![];
    }
    let below: FxHashSet<Term> = cone(pool, &others).into_iter().collect();
    *left = left.saturating_sub(below.len());
    terms.into_iter().filter(|term| may_be(term) && !below.contains(term)).collect()
}

/// What a symbol is by an equation that can be solved for it.
pub(crate) fn solution_for(pool: &mut Pool, conjunct: Term, symbol: Term) -> Option<Term> {
    let &[a, b] = pool.args(conjunct) else { return None };
    let width = pool.width(a)?;
    let all = summands(pool, [a, b], width)?;
    let factor = all.get(&Some(symbol))?.odd_inverse()?.neg();
    let others = all.iter().filter(|&(&term, _)| term != Some(symbol));
    let others: Vec<_> = others.map(|(&term, coefficient)| (term, coefficient.mul(&factor))).collect();
    Some(sum(pool, others, width))
}

/// A symbol that an equation can be solved for, and what it is then. What is looked at is taken from `left`.
pub(crate) fn solution(pool: &mut Pool, conjunct: Term, left: &mut usize) -> Option<(Term, Term)> {
    let symbol = *solvable(pool, conjunct, left).first()?;
    Some((symbol, solution_for(pool, conjunct, symbol)?))
}

/// An equation of sums with each summand once.
pub(crate) fn collected(pool: &mut Pool, conjunct: Term) -> Option<Term> {
    let &[a, b] = pool.args(conjunct) else { return None };
    let width = pool.width(a).filter(|_| pool.op(conjunct) == Op::Eq)?;
    let (sides, value): (Vec<_>, Vec<_>) =
        summands(pool, [a, b], width)?.into_iter().partition(|(term, _)| term.is_some());
    let left = sum(pool, sides, width);
    let right = sum(pool, value.into_iter().map(|(_, value)| (None, value.neg())).collect(), width);
    Some(pool.mk(Op::Eq, &[left, right])).filter(|&equation| equation != conjunct)
}

/// The sum of terms times coefficients.
fn sum(pool: &mut Pool, summands: Vec<(Option<Term>, BitVec)>, width: u32) -> Term {
    let mut parts = vec![];
    for (term, coefficient) in summands {
        let value = pool.bitvec(&coefficient);
        parts.push(match term {
            None => value,
            Some(term) if coefficient.is_one() => term,
            Some(term) => pool.mk(Op::BvMul, &[value, term]),
        });
    }
    match parts[..] {
        [] => pool.bitvec(&BitVec::zero(width)),
        [term] => term,
        _ => pool.mk(Op::BvAdd, &parts),
    }
}

/// A conjunct that says what a symbol is, which must be one of these.
pub(crate) fn definition(
    pool: &mut Pool,
    conjunct: Term,
    is_meant: impl Fn(Term) -> bool,
) -> Option<(Term, Term)> {
    let is_symbol = |term| pool.op(term) == Op::Symbol && is_meant(term);
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Symbol, _) if is_symbol(conjunct) => Some((conjunct, pool.bool(true))),
        (Op::Not, &[symbol]) if is_symbol(symbol) => Some((symbol, pool.bool(false))),
        (Op::Eq, &[a, b]) => match (is_symbol(a), is_symbol(b)) {
            (true, _) => Some((a, b)),
            (_, true) => Some((b, a)),
            _ => None,
        },
        _ => None,
    }
}
