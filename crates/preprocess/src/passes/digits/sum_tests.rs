//! Sums and products in words that grow, by brute force.

use super::run;
use crate::passes::tests::{Trial, alone, check};
use bivalve_terms::{Op, Pool, Sort, Term};

/// A word as it is or extended, by up to two bits.
fn extended(pool: &mut Pool, trial: &mut Trial, word: Term) -> Term {
    let amount = trial.number(3) as u32;
    match amount {
        0 => word,
        _ => pool.mk_indexed([Op::SignExtend, Op::ZeroExtend][trial.number(2) as usize], &[amount], &[word]),
    }
}

/// A word of so many bits: the low bits of one that has more, or one that is extended by sign.
fn fitted(pool: &mut Pool, word: Term, width: u32) -> Term {
    let has = pool.width(word).unwrap();
    match has.cmp(&width) {
        std::cmp::Ordering::Less => pool.mk_indexed(Op::SignExtend, &[width - has], &[word]),
        std::cmp::Ordering::Equal => word,
        std::cmp::Ordering::Greater => pool.mk_indexed(Op::Extract, &[width - 1, 0], &[word]),
    }
}

/// Some words added up, two at a time in any order, each sum as wide as it happens to be; at times by
/// a difference.
fn total(pool: &mut Pool, trial: &mut Trial, words: &[Term]) -> Term {
    let mut words = words.to_vec();
    while words.len() > 1 {
        let [a, b] = [(); 2].map(|()| words.swap_remove(trial.number(words.len() as u64) as usize));
        let (a, b) = (extended(pool, trial, a), extended(pool, trial, b));
        let width = pool.width(a).max(pool.width(b)).unwrap();
        let [a, b] = [a, b].map(|word| fitted(pool, word, width));
        // The sum as it is, or as `-(-a - b)`, or `!(!a - b)`, which take other ways at the bounds.
        let around = [None, None, None, Some(Op::BvNeg), Some(Op::BvNot)][trial.number(5) as usize];
        words.push(match around {
            None => pool.mk(Op::BvAdd, &[a, b]),
            Some(op) => {
                let opposite = pool.mk(op, &[a]);
                let difference = pool.mk(Op::BvSub, &[opposite, b]);
                pool.mk(op, &[difference])
            }
        });
    }
    words[0]
}

/// Sums of the same words in two orders: decided often, and never wrongly.
#[test]
fn sums_of_the_same_words_are_compared() {
    let changed = check(run, 800, |pool, trial| {
        let condition = trial.bit(pool);
        let (a, b) = (trial.symbol(), trial.constant(pool));
        let chosen = pool.mk(Op::Ite, &[condition, a, b]);
        let (one, zero) = (trial.symbol(), pool.bv_u64(0, 1));
        let shifted = pool.mk(Op::Concat, &[one, zero]);
        let words: Vec<Term> = [trial.symbol(), trial.symbol(), chosen, shifted]
            .into_iter()
            .take(2 + trial.number(3) as usize)
            .map(|word| extended(pool, trial, word))
            .collect();
        let [a, b] = [(); 2].map(|()| total(pool, trial, &words));
        let width = pool.width(a).max(pool.width(b)).unwrap() + trial.number(2) as u32;
        let [mut a, b] = [a, b].map(|word| fitted(pool, word, width));
        if trial.chance(4) {
            let constant = pool.bv_u64(trial.number(3), width);
            a = pool.mk(Op::BvAdd, &[a, constant]);
        }
        let op = [Op::Eq, Op::BvUlt, Op::BvSlt, Op::BvUle, Op::BvSle][trial.number(5) as usize];
        let compared = pool.mk(op, &[a, b]);
        let other = trial.comparison(pool);
        vec![pool.mk(Op::Xor, &[compared, other])]
    });
    assert!(changed > 50, "{changed} changed: too easy");
}

/// A sum times a word, and the sum of the products, each in a word that is wide enough, or one bit less.
#[test]
fn products_of_sums_that_grow_are_sums_of_products() {
    let changed = check(run, 300, |pool, trial| {
        let words = [trial.symbol(), trial.symbol()];
        let factor = trial.symbol();
        let op = [Op::SignExtend, Op::ZeroExtend][trial.number(2) as usize];
        let wide = |pool: &mut Pool, word: Term, by: u32| pool.mk_indexed(op, &[by], &[word]);
        let short = trial.number(2) as u32;
        let [a, b] = words.map(|word| wide(pool, word, 1 - short));
        let sum = pool.mk(Op::BvAdd, &[a, b]);
        let (sum, wide_factor) = (wide(pool, sum, 3 + short), wide(pool, factor, 4));
        let left = pool.mk(Op::BvMul, &[sum, wide_factor]);
        let products = words.map(|word| {
            let [word, factor] = [word, factor].map(|word| wide(pool, word, 3));
            let product = pool.mk(Op::BvMul, &[word, factor]);
            wide(pool, product, 1)
        });
        let right = pool.mk(Op::BvAdd, &products);
        let (equation, other) = (pool.mk(Op::Eq, &[left, right]), trial.comparison(pool));
        vec![pool.mk(Op::Xor, &[equation, other])]
    });
    assert!(changed > 100, "{changed} changed: too easy");
}

/// The words grow by a bit with each sum, so any order will do; where one does not grow, it may overflow.
#[test]
fn the_order_of_sums_that_grow_does_not_matter() {
    for (grows, is_decided) in [(1, true), (0, false)] {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(14).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
        let wide = |pool: &mut Pool, word, by| pool.mk_indexed(Op::SignExtend, &[by], &[word]);
        let sum = |pool: &mut Pool, [x, y]: [Term; 2], by| {
            let [x, y] = [x, y].map(|word| wide(pool, word, by));
            pool.mk(Op::BvAdd, &[x, y])
        };
        let left = sum(&mut pool, [a, b], grows);
        let (left, wide_c) = (wide(&mut pool, left, 2 - grows), wide(&mut pool, c, 2));
        let left = pool.mk(Op::BvAdd, &[left, wide_c]);
        let right = sum(&mut pool, [c, b], 1);
        let (right, wide_a) = (wide(&mut pool, right, 1), wide(&mut pool, a, 2));
        let right = pool.mk(Op::BvAdd, &[wide_a, right]);
        let equation = pool.mk(Op::Eq, &[left, right]);
        let found = alone(run, &mut pool, &[equation]);
        assert_eq!(found.is_some(), is_decided);
        assert!(!is_decided || found == Some(vec![pool.bool(true)]));
    }
}
