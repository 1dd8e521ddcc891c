//! Pairs: members that several lists have in common, in order to compute them once.
//!
//! Sums and products in normal form are lists of numbered members. The pair of members that most lists have
//! becomes a member of its own, again and again, until no two lists share a pair: greedy extraction of common
//! subexpressions, as for multiple constants in filters (Hosangadi, Fallah and Kastner, ICCAD 2004). Each
//! extraction makes one operation and spares one in each of these lists, so there are fewer operations after
//! each.
//!
//! Cost: the pairs of each list of up to [`MOST_MEMBERS`], and at most [`MOST_PAIRS`] extractions.

use bivalve_limits::Deadline;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Longer lists are not searched for pairs.
pub(super) const MOST_MEMBERS: usize = 48;

/// Pairs that are made, at most.
const MOST_PAIRS: usize = 2_000;

/// Replaces the pair that most lists have, as long as two have one, by a member that stands for both,
/// which `join` makes. Returns `false` when the deadline is over; the lists are right at any time.
pub(super) fn share(
    lists: &mut [Vec<usize>],
    join: &mut dyn FnMut(usize, usize) -> usize,
    deadline: &Deadline,
) -> bool {
    let mut counts: FxHashMap<(usize, usize), u32> = FxHashMap::default();
    let mut with: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (number, list) in lists.iter().enumerate() {
        if !deadline.step((list.len() * list.len().min(MOST_MEMBERS)) as u64) {
            return false;
        }
        pairs(list).into_iter().for_each(|pair| *counts.entry(pair).or_default() += 1);
        list.iter().for_each(|&member| with.entry(member).or_default().push(number));
    }
    let mut queue: BinaryHeap<(u32, Reverse<(usize, usize)>)> = counts
        .iter()
        .filter(|(_, count)| **count > 1)
        .map(|(&pair, &count)| (count, Reverse(pair)))
        .collect();
    for _ in 0..MOST_PAIRS {
        let Some((count, Reverse(pair))) = queue.pop() else { return true };
        let now = counts.get(&pair).copied().unwrap_or(0);
        if now != count {
            // It has become rarer since it was queued.
            queue.extend((1 < now && now < count).then_some((now, Reverse(pair))));
            continue;
        }
        let number = join(pair.0, pair.1);
        let mut places = with.get(&pair.0).cloned().unwrap_or_default();
        places.dedup();
        for place in places {
            let list = &lists[place];
            if !deadline.step(list.len() as u64) {
                return false;
            }
            let before = pairs(list);
            if before.binary_search(&pair).is_err() {
                continue;
            }
            before.into_iter().for_each(|pair| *counts.entry(pair).or_default() -= 1);
            let mut left = list.clone();
            for member in [pair.0, pair.1] {
                let at = left.iter().position(|&other| other == member).expect("the pair is in the list");
                left.remove(at);
            }
            left.push(number);
            left.sort_unstable();
            for pair in pairs(&left) {
                let count = counts.entry(pair).or_default();
                *count += 1;
                queue.extend((*count > 1).then_some((*count, Reverse(pair))));
            }
            with.entry(number).or_default().push(place);
            lists[place] = left;
        }
    }
    true
}

/// The pairs of members at different places, each once, in order.
fn pairs(list: &[usize]) -> Vec<(usize, usize)> {
    if list.len() > MOST_MEMBERS {
        return vec![];
    }
    let places = list.iter().enumerate();
    let mut pairs: Vec<(usize, usize)> =
        places.flat_map(|(place, &a)| list[place + 1..].iter().map(move |&b| (a.min(b), a.max(b)))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pair may be of one member twice, and pairs may be of pairs.
    #[test]
    fn no_two_lists_share_a_pair() {
        let mut lists = vec![vec![7, 7, 7], vec![7, 7], vec![1, 2, 3, 4], vec![0, 1, 2, 3], vec![5]];
        let mut made = vec![];
        share(
            &mut lists,
            &mut |a, b| {
                made.push((a, b));
                7 + made.len()
            },
            &Deadline::unlimited(),
        );
        let mut found: Vec<(usize, usize)> = lists.iter().flat_map(|list| pairs(list)).collect();
        found.sort_unstable();
        assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "{lists:?}");
        assert_eq!((&lists[0], &lists[1], made.len()), (&vec![7, 10], &vec![10], 3));
    }
}
