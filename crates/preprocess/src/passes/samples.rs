//! Samples: values of terms where symbols have some values, which say cheaply what terms are *not* equal.
//!
//! Laws of arithmetic hold under every assignment, so terms with one polynomial have one value in each
//! sample; only those are worth a look that have. Reads and applications count as symbols: nothing is said of
//! them. Cost: [`SAMPLES`] times the terms below.

use bivalve_limits::Deadline;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Term, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// So often symbols have values, in every second sample small ones or their complements.
const SAMPLES: u64 = 6;

/// Shows the values of each sample, as long as the answer is `true`; `size` is the number of terms that have
/// one. `false` if the deadline is over before.
pub(super) fn each(
    pool: &Pool,
    size: usize,
    deadline: &Deadline,
    mut look: impl FnMut(&mut Evaluator<'_>) -> bool,
) -> bool {
    let assignment = Assignment::new();
    for sample in 1..=SAMPLES {
        if !deadline.step(size as u64) {
            return false;
        }
        let mut leaves = |pool: &Pool, term: Term| leaf(pool, term, sample);
        if !look(&mut Evaluator::with_leaves(pool, &assignment, &mut leaves)) {
            break;
        }
    }
    true
}

/// Words, each with a hash of its width and its values so far, which another one has, too: two with one hash
/// may still differ in both.
pub(super) struct Alike(Vec<(Term, u64)>);

impl Alike {
    /// These words, before any sample.
    pub(super) fn new(pool: &Pool, words: Vec<Term>) -> Alike {
        let width = |word: Term| u64::from(pool.width(word).expect("a word has a width"));
        let mut alike = Alike(words.into_iter().map(|word| (word, width(word))).collect());
        alike.keep();
        alike
    }

    /// Is there none left?
    pub(super) fn is_settled(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps those with the values of another one in one more sample.
    pub(super) fn look(&mut self, evaluator: &mut Evaluator<'_>) {
        for (word, hash) in &mut self.0 {
            let mut hasher = FxHasher::default();
            (*hash, evaluator.eval(*word)).hash(&mut hasher);
            *hash = hasher.finish();
        }
        self.keep();
    }

    fn keep(&mut self) {
        let mut members: FxHashMap<u64, u32> = FxHashMap::default();
        self.0.iter().for_each(|(_, hash)| *members.entry(*hash).or_default() += 1);
        self.0.retain(|(_, hash)| members[hash] > 1);
    }

    /// Those that are left, in their order, with the hash of their values.
    pub(super) fn left(self) -> impl DoubleEndedIterator<Item = (Term, u64)> {
        self.0.into_iter()
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
