//! Remainders of what is congruent, put together in several ways, and of what nearly is.

use super::*;
use crate::passes::tests::{Trial, alone, check};
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{BitVec, Sort};

/// A word of eight bits from the symbols: widened, added, multiplied, reduced, cut or chosen.
fn number(pool: &mut Pool, trial: &mut Trial, divisor: Term, depth: u64) -> Term {
    let widened = |pool: &mut Pool, word: Term| {
        let more = 8 - pool.width(word).expect("a word");
        pool.mk_indexed(Op::ZeroExtend, &[more], &[word])
    };
    if depth == 0 {
        return match trial.number(4) {
            0 => pool.bv_u64(trial.number(8), 8),
            1 => {
                let low = trial.number(3) as u32;
                let symbol = trial.symbol();
                let slice = pool.mk_indexed(Op::Extract, &[2, low], &[symbol]);
                widened(pool, slice)
            }
            _ => {
                let symbol = trial.symbol();
                widened(pool, symbol)
            }
        };
    }
    let (a, b) = (number(pool, trial, divisor, depth - 1), number(pool, trial, divisor, depth - 1));
    match trial.number(8) {
        0 => pool.mk(Op::BvMul, &[a, b]),
        1 => {
            let by = pool.bv_u64(trial.number(8), 8);
            pool.mk(Op::BvUrem, &[a, by])
        }
        2 => pool.mk(Op::BvUrem, &[a, divisor]),
        3 => reduced(pool, trial, a, b, divisor),
        4 => {
            let three = pool.bv_u64(trial.number(4), 8);
            pool.mk(Op::BvLshr, &[a, three])
        }
        5 => pool.mk(Op::BvNot, &[a]),
        _ => pool.mk(Op::BvAdd, &[a, b]),
    }
}

/// A number less another one, where a comparison says that it is no less, or nearly so.
fn reduced(pool: &mut Pool, trial: &mut Trial, a: Term, b: Term, divisor: Term) -> Term {
    let by = if trial.chance(2) { divisor } else { b };
    let less = pool.mk(Op::BvSub, &[a, by]);
    let op = [Op::BvUlt, Op::BvUle, Op::BvUge, Op::BvUgt][trial.number(4) as usize];
    let (x, y) = if trial.chance(2) { (a, by) } else { (by, a) };
    let condition = pool.mk(op, &[x, y]);
    let (then, other) = if trial.chance(2) { (less, a) } else { (a, less) };
    pool.mk(Op::Ite, &[condition, then, other])
}

/// The same number, or nearly: reduced on the way, with its summands in another order.
fn other_way(pool: &mut Pool, trial: &mut Trial, of: Term, divisor: Term) -> Term {
    let args = pool.args(of).to_vec();
    match (pool.op(of), &args[..]) {
        (op @ (Op::BvAdd | Op::BvMul), &[a, b]) => {
            let (a, b) = (other_way(pool, trial, a, divisor), other_way(pool, trial, b, divisor));
            pool.mk(op, &[b, a])
        }
        _ if trial.chance(3) => pool.mk(Op::BvUrem, &[of, divisor]),
        _ if trial.chance(3) => pool.mk(Op::BvAdd, &[of, divisor]),
        _ if trial.chance(3) => {
            let less = pool.mk(Op::BvSub, &[of, divisor]);
            let condition = pool.mk(Op::BvUlt, &[of, divisor]);
            pool.mk(Op::Ite, &[condition, of, less])
        }
        _ => of,
    }
}

#[test]
fn the_same_assignments_are_left() {
    let mut changed = check(run, 1600, |pool, trial| {
        let divisor = match trial.number(3) {
            0 => {
                let symbol = trial.symbol();
                pool.mk_indexed(Op::ZeroExtend, &[5], &[symbol])
            }
            _ => pool.bv_u64(trial.number(12), 8),
        };
        let a = number(pool, trial, divisor, 2);
        let b = match trial.chance(4) {
            true => number(pool, trial, divisor, 2),
            false => other_way(pool, trial, a, divisor),
        };
        let [a, b] = [a, b].map(|word| pool.mk(Op::BvUrem, &[word, divisor]));
        let equation = pool.mk(Op::Eq, &[a, b]);
        let other = trial.comparison(pool);
        let mut conjuncts = vec![pool.mk(Op::Xor, &[equation, other])];
        if trial.chance(2) {
            let (symbol, bound) = (trial.symbol(), pool.bv_u64(1 + trial.number(7), 3));
            conjuncts.push(pool.mk(Op::BvUlt, &[symbol, bound]));
        }
        conjuncts
    });
    assert!(changed > 160, "{changed} changed: too easy");
    // Sums that may overflow are no sums over the integers.
    changed = check(run, 1500, |pool, trial| {
        let (divisor, a, b) = (trial.constant(pool), trial.sum(pool, 1), trial.symbol());
        let [p, q] = [a, b].map(|word| pool.mk(Op::BvUrem, &[word, divisor]));
        let (sum, whole) = (pool.mk(Op::BvAdd, &[p, q]), pool.mk(Op::BvAdd, &[a, b]));
        let [p, q] = [sum, whole].map(|word| pool.mk(Op::BvUrem, &[word, divisor]));
        let bound = pool.bv_u64(1 + trial.number(7), 3);
        let mut conjuncts = [a, b].map(|word| pool.mk(Op::BvUlt, &[word, bound])).to_vec();
        conjuncts.retain(|_| !trial.chance(3));
        conjuncts.push(pool.mk(Op::Distinct, &[p, q]));
        conjuncts
    });
    assert!(changed > 50, "{changed} changed: too easy");
}

/// A product of four factors modulo a word of 64 bits, in two orders.
#[test]
fn products_are_reduced_on_the_way_or_at_the_end() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(64).unwrap();
    let [a, b, c, n] = ["a", "b", "c", "n"].map(|name| {
        let symbol = pool.symbol(name, sort);
        pool.mk_indexed(Op::ZeroExtend, &[64], &[symbol])
    });
    let times = |pool: &mut Pool, x: Term, y: Term| {
        let product = pool.mk(Op::BvMul, &[x, y]);
        pool.mk(Op::BvUrem, &[product, n])
    };
    let (ab, bc) = (times(&mut pool, a, b), times(&mut pool, b, c));
    let (left, right) = (times(&mut pool, ab, c), times(&mut pool, a, bc));
    let zero = pool.bv_u64(0, 128);
    // By zero nothing would be reduced, and the products overflow.
    let conjuncts = [[left, right], [zero, n]].map(|pair| pool.mk(Op::Distinct, &pair));
    let mut rewriter = Rewriter::new(Level::Local);
    let conjuncts = conjuncts.map(|conjunct| rewriter.rewrite(&mut pool, conjunct));
    assert_eq!(alone(run, &mut pool, &conjuncts[..1]), None);
    let found = alone(run, &mut pool, &conjuncts).expect("they are the same");
    let &[equation] = pool.args(found[0]) else { panic!("an equation is denied") };
    let &[left, right] = pool.args(equation) else { panic!("an equation has sides") };
    assert_eq!(left, right);
}

/// `x^(2^50)` by repeated squares modulo a constant of so many bits, written in two ways.
fn powers(bits: u32, steps: usize) -> (Pool, Vec<Term>) {
    let (mut pool, wide) = (Pool::new(), 2 * bits);
    let x = pool.symbol("x", Sort::bitvec(bits).unwrap());
    let x = pool.mk_indexed(Op::ZeroExtend, &[bits], &[x]);
    let divisor = pool.bitvec(&BitVec::ones(bits).sub(&BitVec::from_u64(4, bits)).zero_extend(bits));
    let start = pool.mk(Op::BvUrem, &[x, divisor]);
    let sides = [false, true].map(|adds_more| {
        let mut power = start;
        for _ in 0..steps {
            let mut square = pool.mk(Op::BvMul, &[power, power]);
            if adds_more {
                // Once more the divisor less itself, so that it is another term.
                square = pool.mk(Op::BvUrem, &[square, divisor]);
            }
            power = pool.mk(Op::BvUrem, &[square, divisor]);
        }
        power
    });
    assert_eq!(pool.width(sides[0]), Some(wide));
    let equation = pool.mk(Op::Eq, &sides);
    (pool, vec![equation])
}

/// Monomials of powers would have 2^50 factors.
#[test]
fn powers_are_not_written_out() {
    let (mut pool, conjuncts) = powers(32, 50);
    alone(run, &mut pool, &conjuncts);
}

/// The divisor has more bits than a machine word.
#[test]
fn long_divisors_are_numbers() {
    let (mut pool, conjuncts) = powers(100, 3);
    let found = alone(run, &mut pool, &conjuncts).expect("the remainders are the same");
    let &[a, b] = pool.args(found[0]) else { unreachable!("an equation") };
    assert_eq!(a, b);
}
