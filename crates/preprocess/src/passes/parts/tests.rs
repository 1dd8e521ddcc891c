//! Polynomials over parts have the values of the words, and those of products by halves and digits are one.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::passes::tests::alone;
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Sort, cone, eval};

/// A random term of six bits, made of words that are cut, extended, chosen from, added and multiplied.
fn word(pool: &mut Pool, generator: &mut TermGen, depth: usize) -> Term {
    let sort = Sort::bitvec(6).unwrap();
    if depth == 0 {
        return generator.symbol(pool, sort);
    }
    let a = word(pool, generator, depth - 1);
    match generator.rng().u8(..13) {
        0 => pool.mk(Op::BvNot, &[a]),
        1 => {
            let low = pool.mk_indexed(Op::Extract, &[2, 0], &[a]);
            pool.mk_indexed(Op::SignExtend, &[3], &[low])
        }
        2 => {
            let high = pool.mk_indexed(Op::Extract, &[5, 4], &[a]);
            pool.mk_indexed(Op::ZeroExtend, &[4], &[high])
        }
        3 => {
            let low = pool.mk_indexed(Op::Extract, &[3, 0], &[a]);
            let zero = pool.bv_u64(0, 2);
            pool.mk(Op::Concat, &[low, zero])
        }
        4 => {
            // A product of few bits, whether it overflows or not.
            let low = pool.mk_indexed(Op::Extract, &[2, 0], &[a]);
            let wide = pool.mk_indexed(Op::ZeroExtend, &[generator.rng().u32(..3)], &[low]);
            let square = pool.mk([Op::BvMul, Op::BvAdd][generator.rng().usize(..2)], &[wide, wide]);
            pool.mk_indexed(Op::ZeroExtend, &[6 - pool.width(square).unwrap()], &[square])
        }
        5 | 6 => {
            let bits = pool.mk_indexed(Op::Extract, &[3, 2], &[a]);
            let value = pool.bv_u64(generator.rng().u64(..4), 2);
            let (is_it, c) = (pool.mk(Op::Eq, &[bits, value]), generator.symbol(pool, Sort::BOOL));
            let condition = pool.mk(Op::And, &[is_it, c]);
            let b = word(pool, generator, depth - 1);
            pool.mk(Op::Ite, &[condition, a, b])
        }
        7 => pool.mk(Op::BvNeg, &[a]),
        9 | 10 => {
            let op = [Op::BvUrem, Op::BvUdiv][generator.rng().usize(..2)];
            let by = match generator.rng().u8(..3) {
                0 => word(pool, generator, depth - 1),
                _ => pool.bv_u64(generator.rng().u64(..6), 6),
            };
            let low = pool.mk(op, &[a, by]);
            let narrow = pool.mk_indexed(Op::Extract, &[generator.rng().u32(2..6), 0], &[low]);
            let more = 6 - pool.width(narrow).unwrap();
            pool.mk_indexed(Op::ZeroExtend, &[more], &[narrow])
        }
        8 => {
            let b = word(pool, generator, depth - 1);
            pool.mk(Op::BvMul, &[a, b])
        }
        _ => {
            let b = word(pool, generator, depth - 1);
            pool.mk(Op::BvAdd, &[a, b])
        }
    }
}

#[test]
fn polynomials_have_the_values_of_words() {
    let mut opened = 0;
    for seed in 0..1200 {
        let mut pool = Pool::new();
        let mut generator = TermGen::new(seed);
        let pair = [(); 2].map(|()| word(&mut pool, &mut generator, 4));
        let mut rewriter = Rewriter::new(Level::Local);
        let [a, b] = match seed % 2 {
            0 => pair,
            _ => pair.map(|term| rewriter.rewrite(&mut pool, term)),
        };
        let cuts = Cuts::new(&pool, &cone(&pool, &[a, b]));
        let found = difference(&mut pool, [a, b], (&cuts, None), &mut 1_000_000, &Deadline::unlimited());
        let Some(found) = found else { continue };
        opened += usize::from(found.monomials().count() > 4);
        let (minus, term) = (pool.mk(Op::BvSub, &[a, b]), found.term(&mut pool));
        for _ in 0..20 {
            let assignment: Assignment = generator.assignment(&pool, &[minus, term]);
            assert_eq!(eval(&pool, minus, &assignment), eval(&pool, term, &assignment), "{seed}");
        }
    }
    assert!(opened > 500, "{opened} opened: too few");
}

/// A product by halves (Karatsuba), and one by digits from -2 to 2 (Booth).
#[test]
fn products_by_halves_and_by_digits_are_products() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(8).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let wide = |pool: &mut Pool, word: Term| {
        let more = 16 - pool.width(word).unwrap();
        pool.mk_indexed(Op::ZeroExtend, &[more], &[word])
    };
    let half = |pool: &mut Pool, word: Term, at: u32| {
        let half = pool.mk_indexed(Op::Extract, &[at + 3, at], &[word]);
        wide(pool, half)
    };
    let [a, b] = [x, y].map(|word| [half(&mut pool, word, 4), half(&mut pool, word, 0)]);
    let [high, low] = [0, 1].map(|at| pool.mk(Op::BvMul, &[a[at], b[at]]));
    let sums = [a, b].map(|halves| pool.mk(Op::BvAdd, &halves));
    let all = pool.mk(Op::BvMul, &sums);
    let less = pool.mk(Op::BvSub, &[all, high]);
    let middle = pool.mk(Op::BvSub, &[less, low]);
    let shifted = [(high, 8), (middle, 4)].map(|(word, by)| {
        let by = pool.bv_u64(by, 16);
        pool.mk(Op::BvShl, &[word, by])
    });
    let by_halves = pool.mk(Op::BvAdd, &[shifted[0], shifted[1], low]);
    let factors = [x, y].map(|word| wide(&mut pool, word));
    let product = pool.mk(Op::BvMul, &factors);

    let extended = [x, y].map(|word| pool.mk_indexed(Op::SignExtend, &[8], &[word]));
    let signed = pool.mk(Op::BvMul, &extended);
    let zero = pool.bv_u64(0, 16);
    let mut by_digits = zero;
    for row in (0..8).step_by(2) {
        let digit = match row {
            0 => {
                let (low, zero) = (pool.mk_indexed(Op::Extract, &[1, 0], &[y]), pool.bv_u64(0, 1));
                pool.mk(Op::Concat, &[low, zero])
            }
            _ => pool.mk_indexed(Op::Extract, &[row + 1, row - 1], &[y]),
        };
        let twice = pool.mk(Op::BvAdd, &[extended[0], extended[0]]);
        let [minus, minus_twice] = [extended[0], twice].map(|word| pool.mk(Op::BvNeg, &[word]));
        let once = extended[0];
        let mut multiple = zero;
        for (value, of) in (1..7).zip([once, once, twice, minus_twice, minus, minus]) {
            let value = pool.bv_u64(value, 3);
            let is_it = pool.mk(Op::Eq, &[digit, value]);
            multiple = pool.mk(Op::Ite, &[is_it, of, multiple]);
        }
        let by = pool.bv_u64(u64::from(row), 16);
        let summand = pool.mk(Op::BvShl, &[multiple, by]);
        by_digits = pool.mk(Op::BvAdd, &[by_digits, summand]);
    }
    let mut rewriter = Rewriter::new(Level::Local);
    for (a, b) in [(by_halves, product), (by_digits, signed)] {
        let [a, b] = [a, b].map(|term| rewriter.rewrite(&mut pool, term));
        let cuts = Cuts::new(&pool, &cone(&pool, &[a, b]));
        let found = difference(&mut pool, [a, b], (&cuts, None), &mut 1_000_000, &Deadline::unlimited());
        assert_eq!(found.map(|found| found.monomials().count()), Some(0));
    }
}

/// What is squared again and again has a power of too many factors, and sums of long sums many operands.
#[test]
fn powers_and_long_sums_end() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(64).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let (mut power, mut sum) = (x, y);
    for _ in 0..100 {
        power = pool.mk(Op::BvMul, &[power, power]);
        let low = pool.mk_indexed(Op::Extract, &[31, 0], &[sum]);
        let low = pool.mk_indexed(Op::ZeroExtend, &[32], &[low]);
        sum = pool.mk(Op::BvAdd, &[sum; 40]);
        sum = pool.mk(Op::BvAdd, &[sum, low]);
    }
    let cuts = Cuts::new(&pool, &cone(&pool, &[power, sum]));
    let found = difference(&mut pool, [power, sum], (&cuts, None), &mut 1_000_000, &Deadline::unlimited());
    assert!(found.is_none_or(|found| found.monomials().all(|(monomial, _)| monomial.len() <= 32)));
}

/// Transfers between four accounts: the total stays, wherever an amount comes from and goes to.
#[test]
fn transfers_keep_the_total() {
    let mut pool = Pool::new();
    let (sort, bits) = (Sort::bitvec(16).unwrap(), Sort::bitvec(2).unwrap());
    let mut accounts: Vec<Term> = (0..4).map(|at| pool.symbol(&format!("account{at}"), sort)).collect();
    let total = |pool: &mut Pool, accounts: &[Term]| {
        accounts.iter().copied().reduce(|a, b| pool.mk(Op::BvAdd, &[a, b])).unwrap()
    };
    let before = total(&mut pool, &accounts);
    for step in 0..32 {
        let amount = pool.symbol(&format!("amount{step}"), sort);
        for (who, change) in [("from", Op::BvSub), ("to", Op::BvAdd)] {
            let who = pool.symbol(&format!("{who}{step}"), bits);
            for (at, account) in (0..).zip(&mut accounts) {
                let number = pool.bv_u64(at, 2);
                let (is_it, changed) =
                    (pool.mk(Op::Eq, &[who, number]), pool.mk(change, &[*account, amount]));
                *account = pool.mk(Op::Ite, &[is_it, changed, *account]);
            }
        }
    }
    let after = total(&mut pool, &accounts);
    let mut rewriter = Rewriter::new(Level::Local);
    let equation = pool.mk(Op::Eq, &[before, after]);
    let equation = rewriter.rewrite(&mut pool, equation);
    let decided = alone(crate::passes::identities::run, &mut pool, &[equation]);
    assert_eq!(decided, Some(vec![pool.bool(true)]));
}
