//! Which comparisons may be decided: equations that hold where symbols have some values, and orders that are
//! always the same there.

use bivalve_limits::Deadline;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Term, Value};

/// So often symbols have values, in every second sample small ones or their complements.
const SAMPLES: u64 = 6;

/// So far below its top a side of an equation is looked at for sums.
const LEVELS: u32 = 4;

/// Formulas with more terms are left alone.
const MOST_TERMS: usize = 100_000;

/// More comparisons are not looked at.
const MOST_COMPARISONS: usize = 64;

/// The equations of sums and products that hold in all samples, and the orders that hold in all or in none,
/// with whether they do.
pub(super) fn comparisons(pool: &Pool, below: &[Term], deadline: &Deadline) -> Vec<(Term, bool)> {
    let is_candidate = |&term: &Term| {
        let args = pool.args(term);
        matches!(pool.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
            && pool.width(args[0]).is_some_and(|width| width > 1)
            && args.iter().any(|&side| is_sum(pool, side, LEVELS))
    };
    let candidates = below.iter().copied().filter(is_candidate);
    let mut left: Vec<(Term, Option<bool>)> = candidates.map(|term| (term, None)).collect();
    let assignment = Assignment::new();
    for sample in 1..=SAMPLES {
        if left.is_empty() || below.len() > MOST_TERMS || !deadline.step(below.len() as u64) {
            return vec![];
        }
        let mut leaves = |pool: &Pool, term: Term| leaf(pool, term, sample);
        let mut evaluator = Evaluator::with_leaves(pool, &assignment, &mut leaves);
        left.retain_mut(|(term, before)| {
            let holds = *evaluator.eval(*term) == Value::Bool(true);
            let expected = *before.get_or_insert(holds || pool.op(*term) == Op::Eq);
            holds == expected
        });
    }
    let mut known: Vec<(Term, bool)> =
        left.into_iter().filter_map(|(term, value)| Some((term, value?))).collect();
    known.truncate(MOST_COMPARISONS);
    known
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
