//! The same assignments are left, by brute force, and long numbers are computed digit by digit.

use super::{Digits, run};
use crate::passes::tests::{Trial, alone, check};

use bivalve_rewrite::{Level, Rewriter, make};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, cone};

/// A word of so many bits: the low bits of one that has more, or one that is extended.
fn fitted(pool: &mut Pool, trial: &mut Trial, word: Term, width: u32) -> Term {
    let has = pool.width(word).unwrap();
    let extension = if trial.chance(3) { Op::SignExtend } else { Op::ZeroExtend };
    match has.cmp(&width) {
        std::cmp::Ordering::Less => pool.mk_indexed(extension, &[width - has], &[word]),
        std::cmp::Ordering::Equal => word,
        std::cmp::Ordering::Greater => pool.mk_indexed(Op::Extract, &[width - 1, 0], &[word]),
    }
}

/// A random word of at most eight bits.
fn word(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
    if depth == 0 {
        return if trial.chance(6) { trial.constant(pool) } else { trial.symbol() };
    }
    let (a, b) = (word(pool, trial, depth - 1), word(pool, trial, depth - 1));
    let wider = pool.width(a).max(pool.width(b)).unwrap() + trial.number(3) as u32;
    let width = wider.min(8);
    let pair = [a, b].map(|word| fitted(pool, trial, word, width));
    match trial.number(14) {
        0..=2 => pool.mk(Op::BvAdd, &pair),
        3 | 4 => pool.mk(Op::BvMul, &pair),
        5 => pool.mk(Op::BvSub, &pair),
        6 => pool.mk([Op::BvAnd, Op::BvOr, Op::BvXor][trial.number(3) as usize], &pair),
        7 => {
            let mask = pool.bv_u64(trial.number(1 << width), width);
            pool.mk(Op::BvAnd, &[pair[0], mask])
        }
        8 => {
            let by = pool.bv_u64(trial.number(u64::from(width) + 1), width);
            pool.mk([Op::BvShl, Op::BvLshr][trial.number(2) as usize], &[pair[0], by])
        }
        9 => pool.mk([Op::BvNot, Op::BvNeg][trial.number(2) as usize], &[pair[0]]),
        10 => {
            let op = [Op::BvUlt, Op::BvUle, Op::Eq][trial.number(3) as usize];
            let condition = if trial.chance(2) { trial.bit(pool) } else { pool.mk(op, &pair) };
            pool.mk(Op::Ite, &[condition, pair[0], pair[1]])
        }
        11 => {
            let both = pool.mk(Op::Concat, &[a, b]);
            fitted(pool, trial, both, width)
        }
        _ => {
            let low = trial.number(u64::from(width)) as u32;
            let high = low + trial.number(u64::from(width - low)) as u32;
            pool.mk_indexed(Op::Extract, &[high, low], &[pair[0]])
        }
    }
}

/// A word taken to pieces at some place, and put together again in one of three ways.
fn again(pool: &mut Pool, trial: &mut Trial, word: Term) -> Term {
    let width = pool.width(word).unwrap();
    if width < 2 {
        return word;
    }
    let at = 1 + trial.number(u64::from(width) - 1) as u32;
    let high = pool.mk_indexed(Op::Extract, &[width - 1, at], &[word]);
    let low = pool.mk_indexed(Op::Extract, &[at - 1, 0], &[word]);
    let op = [Op::BvAdd, Op::BvXor, Op::Concat][trial.number(3) as usize];
    if op == Op::Concat {
        return pool.mk(op, &[high, low]);
    }
    let low = pool.mk_indexed(Op::ZeroExtend, &[width - at], &[low]);
    let zeros = pool.bv_u64(0, at);
    let high = pool.mk(Op::Concat, &[high, zeros]);
    pool.mk(op, &[low, high])
}

#[test]
fn the_same_assignments_are_left() {
    let changed = check(run, 4000, |pool, trial| {
        let a = word(pool, trial, 3);
        let b = if trial.chance(6) { word(pool, trial, 3) } else { again(pool, trial, a) };
        let width = pool.width(a).unwrap();
        let b = fitted(pool, trial, b, width);
        let compared = pool.mk(Op::Eq, &[a, b]);
        let other = trial.comparison(pool);
        vec![pool.mk(Op::Xor, &[compared, other])]
    });
    assert!(changed > 200, "{changed} changed: too easy");
}

/// What is shown without a look at samples is true, also where only some values tell sides apart.
#[test]
fn what_is_shown_is_true() {
    let shown = |pool: &mut Pool, problem: &crate::problem::Problem<'_>| {
        let equation = cone(pool, problem.conjuncts).into_iter().rfind(|&term| {
            pool.op(term) == Op::Eq && pool.width(pool.args(term)[0]).is_some_and(|width| width > 1)
        })?;
        let mut digits = Digits::new(pool, problem.cone(pool), problem.deadline)?;
        let truth = (digits.decided(pool, equation) == Some(true)).then(|| pool.bool(true))?;
        Some(vec![crate::Change::law(equation, truth)])
    };
    let changed = check(shown, 6000, |pool, trial| {
        let a = word(pool, trial, 3);
        let mut b = if trial.chance(2) { again(pool, trial, a) } else { word(pool, trial, 3) };
        let width = pool.width(a).unwrap();
        b = fitted(pool, trial, b, width);
        if trial.chance(3) {
            // The same but where two words are equal.
            let (x, y) = (trial.symbol(), trial.symbol());
            let same = pool.mk(Op::Eq, &[x, y]);
            let other = word(pool, trial, 1);
            let other = fitted(pool, trial, other, width);
            b = pool.mk(Op::Ite, &[same, other, b]);
        }
        vec![make::app(pool, Op::Eq, &[a, b])]
    });
    assert!(changed > 350, "{changed} changed: too easy");
}

/// The slice of a word from its bit `low` on.
fn slice(pool: &mut Pool, word: Term, low: u32, width: u32) -> Term {
    pool.mk_indexed(Op::Extract, &[low + width - 1, low], &[word])
}

fn wide(pool: &mut Pool, word: Term, by: u32) -> Term {
    pool.mk_indexed(Op::ZeroExtend, &[by], &[word])
}

/// The product of two numbers of so many digits, one row after the other; wrong if a carry is left out.
fn long_product(pool: &mut Pool, [a, b]: [Term; 2], (count, width): (u32, u32), is_wrong: bool) -> Term {
    let mut digits = vec![pool.bv_u64(0, width); 2 * count as usize];
    for i in 0..count {
        let mut carry = pool.bv_u64(0, width);
        for j in 0..count {
            let [x, y] = [(a, i), (b, j)].map(|(word, at)| {
                let digit = slice(pool, word, at * width, width);
                wide(pool, digit, width)
            });
            let at = (i + j) as usize;
            let [digit, more] = [digits[at], carry].map(|word| wide(pool, word, width));
            let product = pool.mk(Op::BvMul, &[x, y]);
            let sum = pool.mk(Op::BvAdd, &[digit, more]);
            let sum = pool.mk(Op::BvAdd, &[product, sum]);
            digits[at] = slice(pool, sum, 0, width);
            carry = slice(pool, sum, width, width);
            if is_wrong && (i, j) == (1, 0) {
                carry = pool.bv_u64(0, width);
            }
        }
        digits[(i + count) as usize] = carry;
    }
    digits.reverse();
    pool.mk(Op::Concat, &digits)
}

/// Bits counted in fields that grow, and one by one.
fn count(pool: &mut Pool, word: Term, is_wrong: bool) -> [Term; 2] {
    let mut sum = word;
    for step in 0..5 {
        let field = 1u32 << step;
        let mask = pool.bitvec(&BitVec::from_fn(32, |place| (place / field).is_multiple_of(2)));
        let by = pool.bv_u64(u64::from(field), 32);
        let upper = pool.mk(Op::BvLshr, &[sum, by]);
        let pair = [sum, upper].map(|word| pool.mk(Op::BvAnd, &[word, mask]));
        sum = pool.mk(if is_wrong && step == 3 { Op::BvSub } else { Op::BvAdd }, &pair);
    }
    let bits: Vec<Term> = (0..32)
        .map(|place| {
            let bit = slice(pool, word, place, 1);
            wide(pool, bit, 31)
        })
        .collect();
    let one_by_one = bits.into_iter().reduce(|sum, bit| pool.mk(Op::BvAdd, &[sum, bit])).unwrap();
    [sum, one_by_one]
}

#[test]
fn what_is_computed_digit_by_digit_is_decided() {
    for (number, is_wrong) in (0..5).flat_map(|number| [(number, false), (number, true)]) {
        let mut pool = Pool::new();
        let symbols = |pool: &mut Pool, width: u32| {
            let sort = Sort::bitvec(width).unwrap();
            ["a", "b"].map(|name| pool.symbol(name, sort))
        };
        let sides = match number {
            // Long products.
            0..=2 => {
                let digits = [(2, 16), (3, 32), (4, 64)][number];
                let width = digits.0 * digits.1;
                let words = symbols(&mut pool, width);
                let long = long_product(&mut pool, words, digits, is_wrong);
                let whole = words.map(|word| wide(&mut pool, word, width));
                [pool.mk(Op::BvMul, &whole), long]
            }
            // The upper half of a product with sign, by that of one without.
            3 => {
                let words = symbols(&mut pool, 32);
                let [with, without] = [Op::SignExtend, Op::ZeroExtend].map(|op| {
                    let words = words.map(|word| pool.mk_indexed(op, &[32], &[word]));
                    let product = pool.mk(Op::BvMul, &words);
                    slice(&mut pool, product, 32, 32)
                });
                let mut upper = without;
                for (at, word) in words.into_iter().enumerate() {
                    let (zero, other) = (pool.bv_u64(0, 32), words[1 - at]);
                    let is_negative = pool.mk(Op::BvSlt, &[word, zero]);
                    let less = pool.mk(Op::Ite, &[is_negative, other, zero]);
                    let op = if is_wrong && at == 1 { Op::BvAdd } else { Op::BvSub };
                    upper = pool.mk(op, &[upper, less]);
                }
                [with, upper]
            }
            _ => {
                let [word, _] = symbols(&mut pool, 32);
                count(&mut pool, word, is_wrong)
            }
        };
        let equation = pool.mk(Op::Distinct, &sides);
        let mut rewriter = Rewriter::new(Level::Local);
        let differ = rewriter.rewrite(&mut pool, equation);
        let after = alone(run, &mut pool, &[differ]);
        let is_shown = after.is_some_and(|after| rewriter.rewrite(&mut pool, after[0]) == pool.bool(false));
        assert_eq!(is_shown, !is_wrong, "{number} {is_wrong}");
    }
}

/// Linear interpolation in two forms, as indices of one array and as operands of an order: only equations
/// were looked at, so a read over a write took more than 20 s.
#[test]
fn words_that_something_reads_become_one() {
    for is_wrong in [false, true] {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(6).unwrap();
        let [x, y, z] = ["x", "y", "z"].map(|name| {
            let symbol = pool.symbol(name, sort);
            wide(&mut pool, symbol, 8)
        });
        let (all, by) = (pool.bv_u64(64, 14), pool.bv_u64(if is_wrong { 5 } else { 6 }, 14));
        let rest = pool.mk(Op::BvSub, &[all, y]);
        let [one, other] = [[x, rest], [z, y]].map(|pair| pool.mk(Op::BvMul, &pair));
        let weighted = pool.mk(Op::BvAdd, &[one, other]);
        let distance = pool.mk(Op::BvSub, &[z, x]);
        let (start, way) = (pool.mk(Op::BvShl, &[x, by]), pool.mk(Op::BvMul, &[distance, y]));
        let moved = pool.mk(Op::BvAdd, &[start, way]);
        let places = [weighted, moved].map(|word| pool.mk(Op::BvLshr, &[word, by]));
        let byte = Sort::bitvec(8).unwrap();
        let memory = pool.sorts_mut().array(Sort::bitvec(14).unwrap(), byte).unwrap();
        let (memory, element) = (pool.symbol("m", memory), pool.symbol("e", byte));
        let written = pool.mk(Op::Store, &[memory, places[0], element]);
        let read = pool.mk(Op::Select, &[written, places[1]]);
        let differ = pool.mk(Op::Distinct, &[read, element]);
        let mut rewriter = Rewriter::new(Level::Local);
        let differ = rewriter.rewrite(&mut pool, differ);
        let after = alone(run, &mut pool, &[differ]);
        let is_shown = after.is_some_and(|after| rewriter.rewrite(&mut pool, after[0]) == pool.bool(false));
        assert_eq!(is_shown, !is_wrong);
    }
}
