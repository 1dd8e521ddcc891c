//! What may be decided: equations that hold where symbols have some values, orders that are always the same
//! there, and words that have one value each time.

use crate::passes::samples::{self, Alike};
use bivalve_limits::Deadline;
use bivalve_terms::{Op, Pool, Term, TermSet, Value};
use rustc_hash::FxHashMap;

/// So far below its top a side of an equation is looked at for sums.
const LEVELS: u32 = 4;

/// Formulas with more terms are left alone.
const MOST_TERMS: usize = 100_000;

/// More claims of a kind are not looked at.
const MOST_CLAIMS: usize = 64;

/// Narrower words often have one value by chance.
const LEAST_WIDTH: u32 = 4;

/// What the samples say of a term.
#[derive(Clone, Copy)]
pub(super) enum Claim {
    /// A comparison holds, or does not.
    Is(bool),
    /// A word is an earlier one.
    Equals(Term),
}

/// What may be decided among some terms, which come after their arguments: equations first, then words that
/// are read, then orders, and the latest of each first.
pub(super) fn claims(pool: &Pool, below: &[Term], deadline: &Deadline) -> Vec<(Term, Claim)> {
    let is_comparison = |&term: &Term| {
        let args = pool.args(term);
        matches!(pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
            && pool.width(args[0]).is_some_and(|width| width > 1)
            && args.iter().any(|&side| is_sum(pool, side, LEVELS))
    };
    let comparisons = below.iter().copied().filter(is_comparison);
    let mut comparisons: Vec<(Term, Option<bool>)> = comparisons.map(|term| (term, None)).collect();
    let mut words = Alike::new(pool, read_sums(pool, below));
    if below.len() > MOST_TERMS || comparisons.is_empty() && words.is_settled() {
        return vec![];
    }
    let complete = samples::each(pool, below.len(), deadline, |evaluator| {
        comparisons.retain_mut(|(term, before)| {
            let holds = *evaluator.eval(*term) == Value::Bool(true);
            let expected = *before.get_or_insert(holds || pool.op(*term) == Op::Eq);
            holds == expected
        });
        words.look(evaluator);
        !(comparisons.is_empty() && words.is_settled())
    });
    if !complete {
        return vec![];
    }
    let mut earliest: FxHashMap<u64, Term> = FxHashMap::default();
    let equal = words.left().filter_map(|(word, values)| {
        let first = *earliest.entry(values).or_insert(word);
        let is_other = first != word && pool.width(first) == pool.width(word);
        is_other.then_some((word, Claim::Equals(first)))
    });
    let equal: Vec<(Term, Claim)> = equal.collect();
    let known = comparisons.into_iter().filter_map(|(term, value)| Some((term, Claim::Is(value?))));
    let (equations, orders): (Vec<_>, Vec<_>) = known.partition(|&(term, _)| pool.op(term) == Op::Eq);
    let latest = |claims: Vec<(Term, Claim)>| claims.into_iter().rev().take(MOST_CLAIMS);
    latest(equations).chain(latest(equal)).chain(latest(orders)).collect()
}

/// Sums, products and parts of them that are read by something else.
fn read_sums(pool: &Pool, below: &[Term]) -> Vec<Term> {
    let mut read = TermSet::new();
    for &term in below {
        let args = pool.args(term);
        let has_constant = args.iter().any(|&arg| pool.is_const(arg));
        match pool.op(term) {
            Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::Concat | Op::Extract => {}
            Op::ZeroExtend | Op::SignExtend => {}
            Op::BvAnd | Op::BvShl | Op::BvLshr if has_constant => {}
            _ => args.iter().for_each(|&arg| _ = read.insert(arg)),
        }
    }
    let is_word = |&term: &Term| {
        read.contains(term)
            && pool.width(term).is_some_and(|width| width >= LEAST_WIDTH)
            && is_sum(pool, term, LEVELS)
    };
    below.iter().copied().filter(is_word).collect()
}

/// Is a word a sum or product, or made of parts of one?
fn is_sum(pool: &Pool, word: Term, levels: u32) -> bool {
    let args = pool.args(word);
    match pool.op(word) {
        Op::BvAdd | Op::BvMul | Op::BvNeg => true,
        Op::BvAnd if !args.iter().any(|&arg| pool.is_const(arg)) => false,
        Op::Concat | Op::Extract | Op::ZeroExtend | Op::SignExtend | Op::BvNot | Op::BvAnd | Op::BvLshr => {
            levels > 0 && args.iter().any(|&arg| is_sum(pool, arg, levels - 1))
        }
        _ => false,
    }
}
