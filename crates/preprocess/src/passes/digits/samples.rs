//! What may be decided: equations that hold where symbols have some values, orders that are always the same
//! there, and words that have one value each time.

use bivalve_limits::Deadline;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Term, TermSet, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// So often symbols have values, in every second sample small ones or their complements.
const SAMPLES: u64 = 6;

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
    // Words with a hash of their values.
    let mut words: Vec<(Term, u64)> = read_sums(pool, below).into_iter().map(|term| (term, 0)).collect();
    let assignment = Assignment::new();
    for sample in 1..=SAMPLES {
        let is_over = comparisons.is_empty() && words.len() < 2;
        if is_over || below.len() > MOST_TERMS || !deadline.step(below.len() as u64) {
            return vec![];
        }
        let mut leaves = |pool: &Pool, term: Term| leaf(pool, term, sample);
        let mut evaluator = Evaluator::with_leaves(pool, &assignment, &mut leaves);
        comparisons.retain_mut(|(term, before)| {
            let holds = *evaluator.eval(*term) == Value::Bool(true);
            let expected = *before.get_or_insert(holds || pool.op(*term) == Op::Eq);
            holds == expected
        });
        let mut members: FxHashMap<u64, u32> = FxHashMap::default();
        for (word, hash) in &mut words {
            let mut hasher = FxHasher::default();
            (*hash, evaluator.eval(*word)).hash(&mut hasher);
            *hash = hasher.finish();
            *members.entry(*hash).or_default() += 1;
        }
        words.retain(|(_, hash)| members[hash] > 1);
    }
    let mut earliest: FxHashMap<u64, Term> = FxHashMap::default();
    let equal = words.into_iter().filter_map(|(word, hash)| {
        let first = *earliest.entry(hash).or_insert(word);
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

/// The value of what is no operator on words and truth values.
fn leaf(pool: &Pool, term: Term, sample: u64) -> Option<Value> {
    let is_word = |term: Term| pool.width(term).is_some() || pool.sort(term).is_bool();
    let is_leaf = matches!(pool.op(term), Op::Symbol | Op::Select | Op::Apply)
        || !pool.args(term).iter().all(|&arg| is_word(arg));
    let word = |number: u64| mixed(mixed(term.index() as u64) ^ mixed(sample) ^ mixed(!number));
    is_leaf.then(|| match pool.width(term) {
        Some(width) => {
            let words: Vec<u64> = (0..u64::from(width.div_ceil(u64::BITS))).map(word).collect();
            let value = BitVec::from_words(&words, width);
            let small = BitVec::from_u64(words[0] & 3, width);
            Value::BitVec(match (sample % 2, words[0] >> 62) {
                (0, 0) => small.not(),
                (0, 1 | 2) => small,
                _ => value,
            })
        }
        None => Value::Bool(word(0) & 1 == 1),
    })
}

/// A number that looks like no other one (the last steps of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
