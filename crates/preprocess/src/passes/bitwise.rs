//! Bitwise operators as sums: what a word made by conjunction, disjunction and exclusive or of a few others
//! is as a linear combination of their conjunctions.
//!
//! A bitwise function of `k` words has the same truth table at each position, and over the integers a truth
//! table is a sum of products of bits ([`bivalve_rewrite::truth_tables`]): `x | y` is `x + y - (x & y)`,
//! `x ^ y` is `x + y - 2 (x & y)`. The sum holds for the words as well, where the conjunction of no words is
//! -1, all ones. So `(x ^ y) + 2 (x & y)` and `x + y` are one sum, as is anything else that obfuscators of
//! programs make of it.
//!
//! After Zhou, Main, Gu and Johnson, *Information hiding in software with mixed Boolean-arithmetic
//! transforms* (2007), and Liu et al., *MBA-Blast* (2021). Cost: `k 2^k` for each maximal bitwise term, of at
//! most six leaves.

use bivalve_rewrite::make;
use bivalve_rewrite::truth_tables::{coefficients, is_bitwise, table};
use bivalve_terms::{Op, Pool, Term};

/// The summands of a bitwise term with their coefficients: leaves, and conjunctions of leaves in order. The
/// coefficient of the constant is last. `None` if there are too many leaves or operators.
pub(super) fn summands(pool: &mut Pool, term: Term) -> Option<(Vec<(Term, i64)>, i64)> {
    let mut leaves = vec![];
    let table = table(pool, term, is_bitwise, &mut leaves)?;
    let rows: Vec<i64> = (0..1 << leaves.len()).map(|row| (table >> row & 1) as i64).collect();
    let coefficients = coefficients(rows);
    let mut summands = vec![];
    for (set, &coefficient) in coefficients.iter().enumerate().skip(1).filter(|&(_, &c)| c != 0) {
        let members: Vec<Term> =
            (0..leaves.len()).filter(|leaf| set >> leaf & 1 == 1).map(|leaf| leaves[leaf]).collect();
        summands.push((conjunction(pool, &members), coefficient));
    }
    Some((summands, -coefficients[0]))
}

fn conjunction(pool: &mut Pool, members: &[Term]) -> Term {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.into_iter().reduce(|a, b| make::app(pool, Op::BvAnd, &[a, b])).expect("at least one")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::identities::run;
    use crate::passes::tests::{Trial, alone, check};
    use bivalve_terms::Sort;

    /// A random bitwise word over symbols and constants.
    fn word(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return if trial.chance(4) { trial.constant(pool) } else { trial.symbol() };
        }
        let a = word(pool, trial, depth - 1);
        let op = [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvNot][trial.number(4) as usize];
        if op == Op::BvNot {
            return pool.mk(op, &[a]);
        }
        let b = word(pool, trial, depth - 1);
        pool.mk(op, &[a, b])
    }

    /// The sum of the summands.
    fn total(pool: &mut Pool, word: Term) -> Term {
        let width = pool.width(word).unwrap();
        let (summands, constant) = summands(pool, word).expect("it is small");
        let number = |pool: &mut Pool, number: i64| pool.bv_u64(number.rem_euclid(1 << width) as u64, width);
        let mut sum = number(pool, constant);
        for (summand, coefficient) in summands {
            let coefficient = number(pool, coefficient);
            let product = pool.mk(Op::BvMul, &[coefficient, summand]);
            sum = pool.mk(Op::BvAdd, &[sum, product]);
        }
        sum
    }

    /// Bitwise words beside their sums, and beside something else: all of the first are equal.
    #[test]
    fn sums_are_the_words() {
        let changed = check(run, 600, |pool, trial| {
            let word = word(pool, trial, 3);
            let sum = total(pool, word);
            let other = trial.sum(pool, 1);
            let [left, right] = [word, sum].map(|side| pool.mk(Op::BvAdd, &[side, other]));
            let equation = pool.mk(Op::Eq, &[left, right]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 120, "{changed} changed: too easy");
    }

    #[test]
    fn obfuscated_sums_are_sums() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(64).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let two = pool.bv_u64(2, 64);
        let (xor, and) = (pool.mk(Op::BvXor, &[x, y]), pool.mk(Op::BvAnd, &[x, y]));
        let carries = pool.mk(Op::BvMul, &[two, and]);
        let [obfuscated, plain] = [[xor, carries], [x, y]].map(|args| pool.mk(Op::BvAdd, &args));
        let equation = pool.mk(Op::Eq, &[obfuscated, plain]);
        assert_eq!(alone(run, &mut pool, &[equation]), Some(vec![pool.bool(true)]));
    }
}
