//! The same assignments are left, by brute force, and what only polynomials modulo 2 show.

use super::run;
use crate::passes::tests::{Trial, alone, check};
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{Op, Pool, Sort, Term, cone};

/// A random bitwise word over symbols, constants and at times a sum.
fn word(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
    if depth == 0 {
        return match trial.number(6) {
            0 => trial.constant(pool),
            1 => trial.sum(pool, 1),
            _ => trial.symbol(),
        };
    }
    let a = word(pool, trial, depth - 1);
    let b = word(pool, trial, depth - 1);
    match trial.number(10) {
        0 => pool.mk(Op::BvAnd, &[a, b]),
        1 => pool.mk(Op::BvOr, &[a, b]),
        2 => pool.mk(Op::BvNot, &[a]),
        3 => {
            let bit = trial.bit(pool);
            pool.mk(Op::Ite, &[bit, a, b])
        }
        4 => {
            let (high, low) =
                (pool.mk_indexed(Op::Extract, &[0, 0], &[a]), pool.mk_indexed(Op::Extract, &[2, 1], &[a]));
            pool.mk(Op::Concat, &[high, low])
        }
        5 => {
            let low = pool.mk_indexed(Op::Extract, &[1, 0], &[a]);
            let op = [Op::ZeroExtend, Op::SignExtend][trial.number(2) as usize];
            pool.mk_indexed(op, &[1], &[low])
        }
        6 => pool.mk(Op::BvSub, &[a, b]),
        _ => pool.mk(Op::BvXor, &[a, b]),
    }
}

#[test]
fn the_same_assignments_are_left() {
    let changed = check(run, 600, |pool, trial| {
        let parts = [(); 3].map(|()| word(pool, trial, 2));
        let a = pool.mk(Op::BvXor, &parts);
        let mut b = pool.mk(Op::BvXor, &[parts[1], parts[2]]);
        b = pool.mk(Op::BvXor, &[b, parts[0]]);
        if trial.chance(2) {
            let other = word(pool, trial, 1);
            b = pool.mk(Op::BvAdd, &[b, other]);
        }
        let op = [Op::Eq, Op::BvUlt, Op::Distinct][trial.number(3) as usize];
        let [p, q] = [(); 2].map(|()| trial.bit(pool));
        let parity = pool.mk(Op::Xor, &[p, q]);
        let with_parity = pool.mk(Op::Eq, &[parity, p]);
        vec![pool.mk(op, &[a, b]), if trial.chance(2) { with_parity } else { parity }]
    });
    assert!(changed > 120, "{changed} changed: too easy");
}

/// Doubling in the field of AES.
fn doubled(pool: &mut Pool, x: Term) -> Term {
    let low = pool.mk_indexed(Op::Extract, &[6, 0], &[x]);
    let zero = pool.bv_u64(0, 1);
    let shifted = pool.mk(Op::Concat, &[low, zero]);
    let top = pool.mk_indexed(Op::Extract, &[7, 7], &[x]);
    let one = pool.bv_u64(1, 1);
    let is_set = pool.mk(Op::Eq, &[top, one]);
    let (mask, none) = (pool.bv_u64(0x1b, 8), pool.bv_u64(0, 8));
    let reduced = pool.mk(Op::Ite, &[is_set, mask, none]);
    pool.mk(Op::BvXor, &[shifted, reduced])
}

/// The product in that field.
fn product(pool: &mut Pool, x: Term, y: Term) -> Term {
    let none = pool.bv_u64(0, 8);
    let one = pool.bv_u64(1, 1);
    let (mut sum, mut power) = (none, x);
    for place in 0..8 {
        let bit = pool.mk_indexed(Op::Extract, &[place, place], &[y]);
        let is_set = pool.mk(Op::Eq, &[bit, one]);
        let row = pool.mk(Op::Ite, &[is_set, power, none]);
        sum = pool.mk(Op::BvXor, &[sum, row]);
        power = doubled(pool, power);
    }
    sum
}

#[test]
fn products_in_a_field_associate_and_commute() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(8).unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let (xy, yz, yx) = (product(&mut pool, x, y), product(&mut pool, y, z), product(&mut pool, y, x));
    let (left, right) = (product(&mut pool, xy, z), product(&mut pool, x, yz));
    for (a, b, holds) in [(left, right, true), (xy, yx, true), (xy, yz, false)] {
        let differ = pool.mk(Op::Distinct, &[a, b]);
        let equal = pool.mk(Op::Eq, &[a, b]);
        let not_equal = pool.mk(Op::Not, &[equal]);
        let after = alone(run, &mut pool, &[not_equal, differ]);
        let is_false = after.is_some_and(|after| after.contains(&pool.bool(false)));
        assert_eq!(is_false, holds);
    }
}

/// A round of ChaCha and its inverse, written with shifts: what is subtracted was added, but rotated since.
#[test]
fn rounds_of_a_cipher_are_undone() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(32).unwrap();
    let state = ["a", "b", "c", "d"].map(|name| pool.symbol(name, sort));
    let rotated = |pool: &mut Pool, term: Term, by: u32| {
        let (high, low) = (
            pool.mk_indexed(Op::Extract, &[31 - by, 0], &[term]),
            pool.mk_indexed(Op::Extract, &[31, 32 - by], &[term]),
        );
        pool.mk(Op::Concat, &[high, low])
    };
    let [mut a, mut b, mut c, mut d] = state;
    for _ in 0..4 {
        a = pool.mk(Op::BvAdd, &[a, b]);
        let mixed = pool.mk(Op::BvXor, &[d, a]);
        d = rotated(&mut pool, mixed, 16);
        c = pool.mk(Op::BvAdd, &[c, d]);
        let mixed = pool.mk(Op::BvXor, &[b, c]);
        b = rotated(&mut pool, mixed, 12);
    }
    for _ in 0..4 {
        let mixed = rotated(&mut pool, b, 20);
        b = pool.mk(Op::BvXor, &[mixed, c]);
        c = pool.mk(Op::BvSub, &[c, d]);
        let mixed = rotated(&mut pool, d, 16);
        d = pool.mk(Op::BvXor, &[mixed, a]);
        a = pool.mk(Op::BvSub, &[a, b]);
    }
    let equations = [a, b, c, d].iter().zip(state).map(|(&x, y)| (x, y)).collect::<Vec<_>>();
    let equations: Vec<Term> = equations.into_iter().map(|(x, y)| pool.mk(Op::Eq, &[x, y])).collect();
    let all = pool.mk(Op::And, &equations);
    let not_all = pool.mk(Op::Not, &[all]);
    let not_all = Rewriter::new(Level::Local).rewrite(&mut pool, not_all);
    let after = alone(run, &mut pool, &[not_all]).expect("words are equal");
    assert_eq!(after, [pool.bool(false)]);
}

/// The parity of one word is that of a permutation of its bits, so it cannot differ.
#[test]
fn parities_of_the_same_bits_agree() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::bitvec(64).unwrap());
    let bits: Vec<Term> = (0..64).map(|place| pool.mk_indexed(Op::Extract, &[place, place], &[x])).collect();
    let forwards = pool.mk(Op::BvXor, &bits);
    let mixed: Vec<Term> = (0..64).map(|place| bits[place * 29 % 64]).collect();
    let backwards = mixed[1..].iter().fold(mixed[0], |sum, &bit| pool.mk(Op::BvXor, &[bit, sum]));
    let differ = pool.mk(Op::BvNot, &[backwards]);
    let equal = pool.mk(Op::Eq, &[forwards, differ]);
    let after = alone(run, &mut pool, &[equal]).expect("they never agree");
    assert_eq!(after, [pool.bool(false)]);
}

/// Exclusive ors of bits and words of a few symbols, in which much cancels.
#[test]
fn the_same_assignments_are_left_where_operands_cancel() {
    let changed = check(run, 800, |pool, trial| {
        let mut words: Vec<Term> = (0..3).map(|_| trial.symbol()).collect();
        words.push(trial.constant(pool));
        let low = pool.mk_indexed(Op::Extract, &[1, 0], &[words[0]]);
        words.push(pool.mk_indexed([Op::ZeroExtend, Op::SignExtend][trial.number(2) as usize], &[1], &[low]));
        let extract = |pool: &mut Pool, trial: &mut Trial, word: Term| {
            let place = trial.number(3) as u32;
            pool.mk_indexed(Op::Extract, &[place, place], &[word])
        };
        let mut bits: Vec<Term> = words.iter().map(|&word| extract(pool, trial, word)).collect();
        for terms in [&mut words, &mut bits] {
            for _ in 0..6 {
                let (a, b) = (terms[terms.len() - 1], terms[trial.number(terms.len() as u64) as usize]);
                let sum = pool.mk(Op::BvXor, &[a, b]);
                terms.push(if trial.chance(3) { pool.mk(Op::BvNot, &[sum]) } else { sum });
            }
        }
        let [.., x, y, z] = bits[..] else { return vec![] };
        let word = pool.mk(Op::Concat, &[x, y, z]);
        let [one, other] = [(); 2].map(|()| trial.symbol());
        vec![pool.mk(Op::BvUlt, &[word, one]), pool.mk(Op::BvUlt, &[words[words.len() - 1], other])]
    });
    assert!(changed > 80, "{changed} changed: too easy");
}

/// The syndrome of a code word with errors, below a sum, is one of the errors alone. Where what cancels is
/// needed elsewhere, and putting the rest in order costs more, it is left.
#[test]
fn operands_of_exclusive_ors_cancel_where_that_is_less() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(6).unwrap();
    let [data, errors, other] = ["d", "e", "o"].map(|name| pool.symbol(name, sort));
    let bit =
        |pool: &mut Pool, word: Term, place: u32| pool.mk_indexed(Op::Extract, &[place, place], &[word]);
    let mut parity = pool.bv_u64(1, 1);
    let mut received = pool.bv_u64(0, 1);
    for place in 0..5 {
        let [d, e] = [data, errors].map(|word| bit(&mut pool, word, place));
        parity = pool.mk(Op::BvXor, &[parity, d]);
        let with_error = pool.mk(Op::BvXor, &[e, d]);
        received = pool.mk(Op::BvXor, &[with_error, received]);
    }
    let last = bit(&mut pool, errors, 5);
    let sent = pool.mk(Op::BvXor, &[parity, last]);
    let syndrome = pool.mk(Op::BvXor, &[received, sent]);
    let wide = pool.mk_indexed(Op::ZeroExtend, &[5], &[syndrome]);
    let sum = pool.mk(Op::BvAdd, &[wide, other]);
    let less = pool.mk(Op::BvUlt, &[sum, errors]);
    let after = alone(run, &mut pool, &[less]).expect("the data cancel");
    assert!(!cone(&pool, &after).contains(&data));

    let first = bit(&mut pool, data, 0);
    let rest = pool.mk(Op::BvXor, &[parity, first]);
    let both = pool.mk(Op::Concat, &[rest, parity]);
    let low = pool.mk_indexed(Op::Extract, &[1, 0], &[other]);
    let less = pool.mk(Op::BvUlt, &[both, low]);
    assert_eq!(alone(run, &mut pool, &[less]), None);
}
