//! Pseudo-Boolean constraints: comparisons of weighted sums of conditions with constants.
//!
//! A sum whose summands are choices between constants (`(ite b 5 0)`, nested ones too) takes few values, and
//! where it cannot overflow, a comparison with a constant bounds a number of points: a cardinality or
//! pseudo-Boolean constraint. Adders decide it, but unit propagation through their carries finds next to
//! nothing until all conditions are known. This pass makes a decision diagram of `ite`s instead: a node
//! stands for the points that the first `i` summands gave, ends where the range is missed or hit whatever
//! comes, and is shared among all ways to come by the same points. Its clauses propagate all that follows.
//!
//! Why it is correct: the diagram goes through the summands as the evaluation of the sum would, and no sum of
//! their values exceeds the width.
//!
//! After Een and Sorensson, *Translating pseudo-Boolean constraints into SAT* (JSAT 2006), section 5.3. Cost:
//! points times summands; a sum whose diagram would have many more nodes than summands stays a sum.

use crate::change::Change;
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Sums of fewer summands are as good as they are.
const FEWEST: usize = 3;

/// Sums of more summands are not looked at.
const MOST: usize = 512;

/// Nodes of the diagram for each summand, at most.
const NODES: usize = 24;

/// Choices nested deeper are not looked at.
const MOST_DEPTH: usize = 6;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let mut diagrams = vec![];
    for &term in problem.cone(pool) {
        if !problem.deadline.step(1) {
            return None;
        }
        let Some((sum, range)) = compared(pool, term) else { continue };
        let Some(summands) = summands(pool, sum) else { continue };
        problem.deadline.step(summands.len() as u64);
        if let Some(diagram) = diagram(pool, &summands, range, pool.width(sum)?) {
            diagrams.push(Change::law(term, diagram));
        }
    }
    (!diagrams.is_empty()).then_some(diagrams)
}

/// The least and the greatest number that satisfies a comparison.
type Range = (u64, u64);

/// A comparison of a sum with a constant: the sum and its range. Comparisons with powers of two are equations
/// of the upper bits in normal form.
fn compared(pool: &Pool, term: Term) -> Option<(Term, Range)> {
    let &[a, b] = pool.args(term) else { return None };
    let width = pool.width(a).filter(|&width| (2..63).contains(&width))?;
    let (sum, range) = match (pool.op(term), pool.as_u64(a), pool.as_u64(b)) {
        (Op::BvUlt, Some(k), None) => (b, (k + 1, (1 << width) - 1)),
        (Op::BvUlt, None, Some(k)) => (a, (0, k.checked_sub(1)?)),
        (Op::Eq, Some(k), None) if pool.op(b) == Op::Extract => {
            let (whole, low) = (pool.args(b)[0], pool.index(b));
            let top = pool.width(whole).filter(|&whole| whole == width + low && whole < 63)? - width;
            (whole, (k << top, (k << top) + (1 << top) - 1))
        }
        (Op::Eq, Some(k), None) => (b, (k, k)),
        _ => return None,
    };
    (pool.op(sum) == Op::BvAdd).then_some((sum, range))
}

/// The summands, if each is a choice between constants.
fn summands(pool: &Pool, sum: Term) -> Option<Vec<Term>> {
    let mut summands = vec![];
    let mut todo = vec![sum];
    while let Some(term) = todo.pop() {
        if pool.op(term) == Op::BvAdd {
            todo.extend(pool.args(term));
        } else {
            summands.push(term);
        }
        if summands.len() + todo.len() > MOST {
            return None;
        }
    }
    let choices = summands.iter().all(|&summand| constants(pool, summand, MOST_DEPTH).is_some());
    (choices && summands.len() >= FEWEST).then_some(summands)
}

/// The constants that a choice is between.
fn constants(pool: &Pool, choice: Term, depth: usize) -> Option<BTreeSet<u64>> {
    match *pool.args(choice) {
        [_, then, other] if pool.op(choice) == Op::Ite && depth > 0 => {
            let mut both = constants(pool, then, depth - 1)?;
            both.append(&mut constants(pool, other, depth - 1)?);
            Some(both)
        }
        _ => pool.as_u64(choice).map(|constant| BTreeSet::from([constant])),
    }
}

/// The diagram, if the sum cannot overflow and there are not too many nodes.
fn diagram(pool: &mut Pool, summands: &[Term], range: Range, width: u32) -> Option<Term> {
    let mut layers: Vec<(Term, Vec<u64>)> = vec![];
    for &summand in summands {
        layers.push((summand, constants(pool, summand, MOST_DEPTH)?.into_iter().collect()));
    }
    // What weighs most decides first.
    layers.sort_by_key(|(_, points)| std::cmp::Reverse(points[points.len() - 1] - points[0]));
    let ends = ends(&layers, width)?;
    let decided = |layer: usize, points: u64| {
        let (least, greatest) = (points + ends[layer].0, points + ends[layer].1);
        if least > range.1 || greatest < range.0 {
            Some(false)
        } else {
            (range.0 <= least && greatest <= range.1).then_some(true)
        }
    };
    // The points that are open before each summand.
    let mut open: Vec<Vec<u64>> = vec![vec![0]];
    let mut nodes_left = NODES * layers.len();
    for (number, (_, choices)) in layers.iter().enumerate() {
        let before = open[number].iter().filter(|&&points| decided(number, points).is_none());
        let after: BTreeSet<u64> =
            before.flat_map(|points| choices.iter().map(move |choice| points + choice)).collect();
        nodes_left = nodes_left.checked_sub(after.len())?;
        open.push(after.into_iter().collect());
    }
    let mut next: FxHashMap<u64, Term> = FxHashMap::default();
    for layer in (0..open.len()).rev() {
        let mut nodes = FxHashMap::default();
        for &points in &open[layer] {
            let node = match decided(layer, points) {
                Some(value) => pool.bool(value),
                None => {
                    let (summand, _) = layers[layer];
                    node(pool, summand, &|choice| next[&(points + choice)])
                }
            };
            nodes.insert(points, node);
        }
        next = nodes;
    }
    next.get(&0).copied()
}

/// The least and the greatest points that the summands from each number on can give; `None` if they may
/// overflow.
fn ends(layers: &[(Term, Vec<u64>)], width: u32) -> Option<Vec<Range>> {
    let mut ends = vec![(0, 0)];
    for (_, points) in layers.iter().rev() {
        let (least, greatest): Range = ends[ends.len() - 1];
        let sum = (least + points[0], greatest.checked_add(points[points.len() - 1])?);
        ends.push(sum);
    }
    ends.reverse();
    (ends[0].1 < 1 << width).then_some(ends)
}

/// The choice with each constant replaced. As deep as [`constants`] went.
fn node(pool: &mut Pool, choice: Term, next: &dyn Fn(u64) -> Term) -> Term {
    match *pool.args(choice) {
        [condition, then, other] => {
            let (then, other) = (node(pool, then, next), node(pool, other, next));
            make::ite(pool, condition, then, other)
        }
        _ => next(pool.as_u64(choice).expect("choices are between constants")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use crate::passes::tests::check;

    /// Weighted bits of the symbols, compared with numbers at the borders of all ranges.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 300, |pool, trial| {
            let mut sum = None;
            for place in 0..trial.number(4) + 3 {
                let bit = trial.bit(pool);
                let [mut then, mut other] = [trial.number(8), trial.number(3)].map(|k| pool.bv_u64(k, 7));
                if place % 2 == 0 {
                    other = pool.bv_u64(0, 7);
                    let inner = trial.bit(pool);
                    then = pool.mk(Op::Ite, &[inner, then, other]);
                }
                let choice = pool.mk(Op::Ite, &[bit, then, other]);
                sum = Some(sum.map_or(choice, |sum| pool.mk(Op::BvAdd, &[sum, choice])));
            }
            let (sum, bound) = (sum.unwrap(), trial.number(40));
            let bound = pool.bv_u64(bound, 7);
            let op = [Op::BvUlt, Op::BvUgt, Op::Eq, Op::BvUle][trial.number(4) as usize];
            let compared = pool.mk(op, &[sum, bound]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[compared, other])]
        });
        assert!(changed > 150, "{changed} changed: too easy");
    }

    #[test]
    fn a_sum_that_may_overflow_stays() {
        let mut pool = Pool::new();
        let bits = ["a", "b", "c"].map(|name| pool.symbol(name, bivalve_terms::Sort::BOOL));
        let [six, zero] = [6, 0].map(|k| pool.bv_u64(k, 4));
        let choices = bits.map(|bit| pool.mk(Op::Ite, &[bit, six, zero]));
        let sum = choices.into_iter().reduce(|a, b| pool.mk(Op::BvAdd, &[a, b])).unwrap();
        let compared = pool.mk(Op::BvUlt, &[six, sum]);
        assert_eq!(alone(run, &mut pool, &[compared]), None);
    }
}
