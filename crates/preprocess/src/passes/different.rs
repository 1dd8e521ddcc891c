//! Words that are all different, although there are too few values for that.
//!
//! Pigeons in holes are the example: a search needs exponentially many steps, counting none. Words are all
//! different below a `distinct`, or where each pair is said to be different; such cliques are looked for from
//! the words that differ from most. If more of them have their values within some bounds than there are
//! values there (Hall's condition, for intervals), there is no model.
//!
//! Cost: [`STARTS`] walks over the words and what they differ from; quadratic in the words of a clique.

use bivalve_domains::Analysis;
use bivalve_limits::Deadline;
use bivalve_terms::{Op, Pool, Term, TermMap};
use rustc_hash::FxHashSet;

/// More words are not looked at.
const MOST_WORDS: usize = 1 << 10;

/// Nor are the words of more pairs.
const MOST_PAIRS: usize = 1 << 16;

/// So many cliques are looked for.
const STARTS: usize = 16;

/// Are there more words among these than values within some of their bounds?
pub(super) fn are_too_many(pool: &Pool, known: &Analysis, words: &[Term]) -> bool {
    let bounds = |&word: &Term| {
        let domain = known.domain(word).filter(|_| pool.sort(word).is_bitvec())?;
        Some((domain.greatest().to_u64()?, domain.least().to_u64()?))
    };
    let mut bounds: Vec<(u64, u64)> = words.iter().take(MOST_WORDS).filter_map(bounds).collect();
    bounds.sort_unstable();
    bounds.iter().any(|&(_, from)| {
        let above = bounds.iter().filter(|&&(_, least)| least >= from);
        above.zip(0..).any(|(&(most, _), before)| most - from < before)
    })
}

/// Do the conjuncts say of such words that they are different, pair by pair?
pub(super) fn are_contradictory(
    pool: &Pool,
    known: &Analysis,
    conjuncts: &[Term],
    deadline: &Deadline,
) -> bool {
    let mut pairs: FxHashSet<(Term, Term)> = FxHashSet::default();
    let mut degrees: TermMap<u32> = TermMap::new();
    for &conjunct in conjuncts {
        if let (Op::Not, &[equation]) = (pool.op(conjunct), pool.args(conjunct))
            && let (Op::Eq, &[a, b]) = (pool.op(equation), pool.args(equation))
            && pool.sort(a).is_bitvec()
        {
            if pairs.len() >= MOST_PAIRS || !deadline.step(1) {
                return false;
            }
            pairs.insert((a.min(b), a.max(b)));
            for word in [a, b] {
                let degree = degrees.get(word).copied().unwrap_or_default();
                degrees.insert(word, degree + 1);
            }
        }
    }
    let mut words: Vec<(std::cmp::Reverse<u32>, Term)> =
        degrees.iter().map(|(word, &degree)| (std::cmp::Reverse(degree), word)).collect();
    if words.len() > MOST_WORDS {
        return false;
    }
    words.sort_unstable();
    (0..words.len().min(STARTS)).any(|start| {
        let (mut clique, mut steps) = (vec![words[start].1], 0);
        for &(_, word) in &words {
            steps += clique.len() as u64;
            if clique.iter().all(|&member| pairs.contains(&(word.min(member), word.max(member)))) {
                clique.push(word);
            }
        }
        deadline.step(steps) && clique.len() > 2 && are_too_many(pool, known, &clique)
    })
}
