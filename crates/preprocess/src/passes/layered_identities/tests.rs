//! The same assignments are left, by brute force, and identities of many layers.

use super::run;
use crate::passes::tests::{Trial, alone, check};
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{Op, Pool, Sort, Term};

/// A random word of sums, products, choices and remainders.
fn word(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
    if depth == 0 {
        return if trial.chance(5) { trial.constant(pool) } else { trial.symbol() };
    }
    let (a, b) = (word(pool, trial, depth - 1), word(pool, trial, depth - 1));
    let ops = [Op::BvAdd, Op::BvMul, Op::BvSub, Op::BvUrem, Op::BvSrem, Op::BvUdiv, Op::BvSdiv];
    match trial.number(10) {
        0 => pool.mk(Op::BvNot, &[a]),
        1 | 2 => {
            let condition = condition(pool, trial, a);
            pool.mk(Op::Ite, &[condition, a, b])
        }
        n => pool.mk(ops[n as usize - 3], &[a, b]),
    }
}

fn condition(pool: &mut Pool, trial: &mut Trial, word: Term) -> Term {
    let constant = trial.constant(pool);
    let (bit, equation) = (trial.bit(pool), pool.mk(Op::Eq, &[word, constant]));
    match trial.number(3) {
        0 => bit,
        1 => equation,
        _ => pool.mk(Op::And, &[bit, equation]),
    }
}

/// Both sides of a law, in which choices and quotients stand.
fn law(pool: &mut Pool, trial: &mut Trial) -> [Term; 2] {
    let (a, b, c) = (word(pool, trial, 2), word(pool, trial, 1), word(pool, trial, 1));
    match trial.number(4) {
        // a = a / b * b + a % b
        0 => {
            let signed = trial.chance(2);
            let [division, rest] = if signed { [Op::BvSdiv, Op::BvSrem] } else { [Op::BvUdiv, Op::BvUrem] };
            let quotient = pool.mk(division, &[a, b]);
            let whole = pool.mk(Op::BvMul, &[quotient, b]);
            let rest = pool.mk(rest, &[a, b]);
            [pool.mk(Op::BvAdd, &[whole, rest]), a]
        }
        // (p ? a : b) * c = (p ? a * c : b * c)
        1 => {
            let condition = condition(pool, trial, c);
            let chosen = pool.mk(Op::Ite, &[condition, a, b]);
            let products = [a, b].map(|factor| pool.mk(Op::BvMul, &[c, factor]));
            let chosen_product = pool.mk(Op::Ite, &[condition, products[0], products[1]]);
            [pool.mk(Op::BvMul, &[chosen, c]), chosen_product]
        }
        // The branch of a choice whose condition is an equation.
        2 => {
            let constant = trial.constant(pool);
            let condition = pool.mk(Op::Eq, &[c, constant]);
            let [left, right] = [c, constant].map(|factor| pool.mk(Op::BvMul, &[a, factor]));
            [pool.mk(Op::Ite, &[condition, left, b]), pool.mk(Op::Ite, &[condition, right, b])]
        }
        _ => [a, word(pool, trial, 2)],
    }
}

#[test]
fn the_same_assignments_are_left() {
    let changed = check(run, 1200, |pool, trial| {
        let [left, right] = law(pool, trial);
        let candidate = pool.mk(Op::Eq, &[left, right]);
        let [a, b] = law(pool, trial);
        let asserted = pool.mk(Op::Eq, &[a, b]);
        let other = trial.comparison(pool);
        vec![pool.mk(Op::Xor, &[candidate, other]), if trial.chance(2) { asserted } else { candidate }]
    });
    assert!(changed > 25, "{changed} changed: too easy");
}

/// Equations that follow from others which are asserted, and are not used to show themselves.
#[test]
fn asserted_equations_are_used_and_kept() {
    let changed = check(run, 1500, |pool, trial| {
        let (x, y, z) = (trial.symbol(), trial.symbol(), trial.symbol());
        let product = pool.mk(Op::BvMul, &[x, y]);
        let rest = trial.sum(pool, 1);
        let asserted = pool.mk(Op::Eq, &[product, rest]);
        let [left, right] = [product, rest].map(|word| pool.mk(Op::BvMul, &[word, z]));
        let condition = trial.bit(pool);
        let chosen = pool.mk(Op::Ite, &[condition, left, right]);
        let equation = pool.mk(Op::Eq, &[chosen, right]);
        let other = trial.comparison(pool);
        vec![asserted, pool.mk(Op::Xor, &[equation, other])]
    });
    assert!(changed > 200, "{changed} changed: too easy");
}

/// Euclid's algorithm with the coefficients of Bezout's identity, which is shown for so many steps.
fn bezout(pool: &mut Pool, steps: usize, is_wrong: bool) -> Term {
    let sort = Sort::bitvec(64).unwrap();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort));
    let (zero, one) = (pool.bv_u64(0, 64), pool.bv_u64(1, 64));
    let mut rows = [[a, one, zero], [b, zero, one]];
    let mut goes_on = pool.bool(true);
    for step in 0..steps {
        let [old, new] = rows;
        let quotient = pool.mk(Op::BvSdiv, &[old[0], new[0]]);
        let is_over = pool.mk(Op::Eq, &[new[0], zero]);
        let is_not_over = pool.mk(Op::Not, &[is_over]);
        goes_on = pool.mk(Op::And, &[goes_on, is_not_over]);
        let mut next = [pool.mk(Op::BvSrem, &[old[0], new[0]]); 3];
        for place in 1..3 {
            let product = pool.mk(Op::BvMul, &[quotient, new[place]]);
            let op = if is_wrong && step + 2 == steps { Op::BvAdd } else { Op::BvSub };
            next[place] = pool.mk(op, &[old[place], product]);
        }
        for place in 0..3 {
            rows[0][place] = pool.mk(Op::Ite, &[goes_on, new[place], old[place]]);
            rows[1][place] = pool.mk(Op::Ite, &[goes_on, next[place], new[place]]);
        }
    }
    let row = rows[0];
    let products = [(row[1], a), (row[2], b)].map(|(x, y)| pool.mk(Op::BvMul, &[x, y]));
    let sum = pool.mk(Op::BvAdd, &products);
    pool.mk(Op::Distinct, &[sum, row[0]])
}

#[test]
fn bezouts_identity_holds_after_any_number_of_steps() {
    for (steps, is_wrong) in [(2, false), (5, false), (60, false), (2, true), (60, true)] {
        let mut pool = Pool::new();
        let differ = bezout(&mut pool, steps, is_wrong);
        let mut rewriter = Rewriter::new(Level::Local);
        let differ = rewriter.rewrite(&mut pool, differ);
        let after = alone(run, &mut pool, &[differ]);
        let is_shown = after.is_some_and(|after| rewriter.rewrite(&mut pool, after[0]) == pool.bool(false));
        assert_eq!(is_shown, !is_wrong, "{steps} {is_wrong}");
    }
}

/// The same with unsigned division by steps that keep their state when `q` is zero, as rewriting leaves
/// them: a choice of `0` in the place of `q`. Decided up to four steps when `q` was forgotten for that.
#[test]
fn steps_that_keep_their_state_are_seen_through() {
    for (steps, is_wrong) in [(2, false), (6, false), (60, false), (60, true)] {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(32).unwrap();
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort));
        let (zero, one) = (pool.bv_u64(0, 32), pool.bv_u64(1, 32));
        let mut rows = [[a, one, zero], [b, zero, one]];
        for step in 0..steps {
            let [old, new] = rows;
            let is_over = pool.mk(Op::Eq, &[new[0], zero]);
            let quotient = pool.mk(Op::BvUdiv, &[old[0], new[0]]);
            let mut next = [pool.mk(Op::BvUrem, &[old[0], new[0]]); 3];
            for place in 1..3 {
                let product = pool.mk(Op::BvMul, &[quotient, new[place]]);
                let op = if is_wrong && step == 1 { Op::BvAdd } else { Op::BvSub };
                next[place] = pool.mk(op, &[old[place], product]);
            }
            rows = [0, 1].map(|row| {
                [0, 1, 2].map(|place| {
                    let [kept, gone] = [[old, new], [new, next]][row].map(|state| state[place]);
                    pool.mk(Op::Ite, &[is_over, kept, gone])
                })
            });
        }
        let row = rows[0];
        let products = [(row[1], a), (row[2], b)].map(|(x, y)| pool.mk(Op::BvMul, &[x, y]));
        let sum = pool.mk(Op::BvAdd, &products);
        let differ = pool.mk(Op::Distinct, &[sum, row[0]]);
        let mut rewriter = Rewriter::new(Level::Local);
        let differ = rewriter.rewrite(&mut pool, differ);
        let after = alone(run, &mut pool, &[differ]);
        let is_shown = after.is_some_and(|after| rewriter.rewrite(&mut pool, after[0]) == pool.bool(false));
        assert_eq!(is_shown, !is_wrong, "{steps} {is_wrong}");
    }
}

/// An invariant of a loop over products, of which the greatest coefficients are even.
#[test]
fn sums_of_fifth_powers_have_a_closed_form() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(32).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let power = |pool: &mut Pool, word: Term, exponent: usize, by: u64| {
        let mut factors = vec![word; exponent];
        factors.push(pool.bv_u64(by, 32));
        pool.mk(Op::BvMul, &factors)
    };
    // 12 x = 2 y^6 + 6 y^5 + 5 y^4 - y^2
    let closed = |pool: &mut Pool, x: Term, y: Term| {
        let sum = [(6, 2), (5, 6), (4, 5)].map(|(exponent, by)| power(pool, y, exponent, by));
        let sum = pool.mk(Op::BvAdd, &sum);
        let right = [power(pool, y, 2, 1), power(pool, x, 1, 12)];
        let right = pool.mk(Op::BvAdd, &right);
        pool.mk(Op::Eq, &[sum, right])
    };
    let before = closed(&mut pool, x, y);
    let one = pool.bv_u64(1, 32);
    let next = pool.mk(Op::BvAdd, &[y, one]);
    let fifth = power(&mut pool, next, 5, 1);
    let sum = pool.mk(Op::BvAdd, &[x, fifth]);
    let after = closed(&mut pool, sum, next);
    let not_after = pool.mk(Op::Not, &[after]);
    let mut rewriter = Rewriter::new(Level::Local);
    let conjuncts = [before, not_after].map(|conjunct| rewriter.rewrite(&mut pool, conjunct));
    let mut found = alone(run, &mut pool, &conjuncts).expect("it is inductive");
    found.iter_mut().for_each(|conjunct| *conjunct = rewriter.rewrite(&mut pool, *conjunct));
    assert_eq!(found, [conjuncts[0], pool.bool(false)]);
}

/// A read of an array is opaque, although an array is no word: this was a panic, found by random formulas.
#[test]
fn what_is_read_is_not_opened() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(8).unwrap();
    let array = pool.sorts_mut().array(word, word).unwrap();
    let [memory, x] = [("m", array), ("x", word)].map(|(name, sort)| pool.symbol(name, sort));
    let read = pool.mk(Op::Select, &[memory, x]);
    let products = [[read, x], [x, x]].map(|factors| pool.mk(Op::BvMul, &factors));
    let equal = pool.mk(Op::Eq, &products);
    let differ = pool.mk(Op::Not, &[equal]);
    assert_eq!(alone(run, &mut pool, &[differ]), None);
}

/// Polynomials of repeated squares would have 2^40 factors.
#[test]
fn powers_are_not_written_out() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(32).expect("a legal width");
    let [mut x, mut y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    for _ in 0..40 {
        [x, y] = [x, y].map(|word| pool.mk(Op::BvMul, &[word, word]));
    }
    let (equal, other) = (pool.mk(Op::Eq, &[x, y]), pool.symbol("other", Sort::BOOL));
    let either = pool.mk(Op::Xor, &[equal, other]);
    assert_eq!(alone(run, &mut pool, &[either]), None);
}
