//! Identities that hold are shown and certified, others are not.

use super::*;
use crate::{Certifier, Form};
use bivalve_limits::Stop;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Sort, Term, Value};
use fastrand::Rng;

/// How a loop unrolled goes on when it is over.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Loop {
    /// No later step is taken.
    Left,
    /// Each step keeps the state if `q` is zero, where `0` is in the place of `q`.
    Kept,
}

/// Euclid's algorithm with the coefficients of Bezout's identity: the equation after so many steps.
fn bezout(pool: &mut Pool, steps: usize, form: Loop, is_wrong: bool) -> Term {
    let width = 64;
    let sort = Sort::bitvec(width).unwrap();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort));
    let (zero, one) = (pool.bv_u64(0, width), pool.bv_u64(1, width));
    let mut rows = [[a, one, zero], [b, zero, one]];
    let mut goes_on = pool.bool(true);
    for step in 0..steps {
        let [old, new] = rows;
        let ops = if form == Loop::Left { [Op::BvSdiv, Op::BvSrem] } else { [Op::BvUdiv, Op::BvUrem] };
        let [quotient, rest] = ops.map(|op| pool.mk(op, &[old[0], new[0]]));
        let is_over = pool.mk(Op::Eq, &[new[0], zero]);
        let is_not_over = pool.mk(Op::Not, &[is_over]);
        goes_on = if form == Loop::Left { pool.mk(Op::And, &[goes_on, is_not_over]) } else { is_not_over };
        let mut next = [rest; 3];
        for place in 1..3 {
            let product = pool.mk(Op::BvMul, &[quotient, new[place]]);
            let op = if is_wrong && step + 2 == steps { Op::BvAdd } else { Op::BvSub };
            next[place] = pool.mk(op, &[old[place], product]);
        }
        for place in 0..3 {
            rows[0][place] = pool.mk(Op::Ite, &[goes_on, new[place], old[place]]);
            let kept = if form == Loop::Kept && place == 0 { zero } else { new[place] };
            rows[1][place] = pool.mk(Op::Ite, &[goes_on, next[place], kept]);
        }
    }
    let row = rows[0];
    let products = [(row[1], a), (row[2], b)].map(|(x, y)| pool.mk(Op::BvMul, &[x, y]));
    let sum = pool.mk(Op::BvAdd, &products);
    pool.mk(Op::Eq, &[sum, row[0]])
}

/// Is it found below its negation?
fn is_identity(pool: &mut Pool, equation: Term) -> bool {
    let differ = pool.mk(Op::Not, &[equation]);
    identities(pool, &[differ], &mut TermSet::default(), &mut BUDGET.clone()) == [equation]
}

#[test]
fn bezouts_identity_is_certified_after_any_number_of_steps() {
    for form in [Loop::Left, Loop::Kept] {
        for (steps, is_wrong) in [(2, false), (5, false), (40, false), (2, true), (40, true)] {
            let mut pool = Pool::new();
            let equation = bezout(&mut pool, steps, form, is_wrong);
            assert_eq!(is_identity(&mut pool, equation), !is_wrong, "{form:?} {steps} {is_wrong}");
            if !is_wrong {
                let differ = pool.mk(Op::Not, &[equation]);
                let stop = Stop::new();
                let certified = Certifier::new(Form::Binary, &stop).certify(&mut pool, 0, &[differ], Some(0));
                assert_eq!(certified.map(|refutation| refutation.used), Ok(vec![0]), "{form:?} {steps}");
            }
        }
    }
}

/// Sums, products, quotients, remainders and choices over two words of two bits and a truth value.
fn word(pool: &mut Pool, rng: &mut Rng, symbols: [Term; 3], depth: u32) -> Term {
    if depth == 0 {
        return if rng.u32(0..4) == 0 { pool.bv_u64(rng.u64(0..4), 2) } else { symbols[rng.usize(0..2)] };
    }
    let [a, b] = [(); 2].map(|()| word(pool, rng, symbols, depth - 1));
    let ops = [Op::BvAdd, Op::BvMul, Op::BvSub, Op::BvUrem, Op::BvSrem, Op::BvUdiv, Op::BvSdiv];
    match rng.usize(0..10) {
        0 => pool.mk(Op::BvNot, &[a]),
        1 | 2 => {
            let other = word(pool, rng, symbols, 0);
            let equation = pool.mk(Op::Eq, &[a, other]);
            let condition = match rng.u32(0..4) {
                0 => symbols[2],
                1 => equation,
                2 => pool.mk(Op::And, &[equation, symbols[2]]),
                _ => pool.mk(Op::Xor, &[equation, symbols[2]]),
            };
            pool.mk(Op::Ite, &[condition, a, b])
        }
        number => pool.mk(ops[number - 3], &[a, b]),
    }
}

/// A law in which such words stand, or two of them.
fn law(pool: &mut Pool, rng: &mut Rng, symbols: [Term; 3]) -> Term {
    let [a, b, c] = [2, 1, 1].map(|depth| word(pool, rng, symbols, depth));
    let sides = match rng.u32(0..4) {
        0 => {
            let ops = if rng.bool() { [Op::BvSdiv, Op::BvSrem] } else { [Op::BvUdiv, Op::BvUrem] };
            let [quotient, rest] = ops.map(|op| pool.mk(op, &[a, b]));
            let whole = pool.mk(Op::BvMul, &[quotient, b]);
            [pool.mk(Op::BvAdd, &[whole, rest]), a]
        }
        1 => {
            let chosen = pool.mk(Op::Ite, &[symbols[2], a, b]);
            let products = [a, b].map(|factor| pool.mk(Op::BvMul, &[c, factor]));
            let chosen_product = pool.mk(Op::Ite, &[symbols[2], products[0], products[1]]);
            [pool.mk(Op::BvMul, &[chosen, c]), chosen_product]
        }
        2 => {
            let other = word(pool, rng, symbols, 0);
            let condition = pool.mk(Op::Eq, &[c, other]);
            let [left, right] = [c, other].map(|factor| pool.mk(Op::BvMul, &[a, factor]));
            [pool.mk(Op::Ite, &[condition, left, b]), pool.mk(Op::Ite, &[condition, right, b])]
        }
        _ => [a, word(pool, rng, symbols, 2)],
    };
    pool.mk(Op::Eq, &sides)
}

/// Where a plan is found the kernel accepts all of its steps, and the equation is true of all words.
#[test]
fn identities_of_random_words_are_true_and_shown() {
    let mut shown = [0; 2];
    for seed in 0..2000 {
        let (mut pool, mut rng) = (Pool::new(), Rng::with_seed(seed));
        let sort = Sort::bitvec(2).unwrap();
        let symbols = [("x", sort), ("y", sort), ("p", Sort::BOOL)];
        let symbols = symbols.map(|(name, sort)| pool.symbol(name, sort));
        let equation = law(&mut pool, &mut rng, symbols);
        if pool.is_const(equation) || !is_identity(&mut pool, equation) {
            shown[0] += 1;
            continue;
        }
        shown[1] += 1;
        let (mut out, mut translation) = (Recorder::default(), Translation::default());
        let translated = translation.term(&pool, equation, &mut out).unwrap();
        let mut library = crate::theorem::Library::new(None, &Stop::new());
        assert_eq!(library.show_layers(&mut out, translated), Ok(()), "seed {seed}");
        for values in 0..32u64 {
            let mut assignment = Assignment::new();
            for (place, &symbol) in symbols[..2].iter().enumerate() {
                let value = BitVec::from_u64(values >> (2 * place) & 3, 2);
                assignment.set(symbol, Value::BitVec(value));
            }
            assignment.set(symbols[2], Value::Bool(values >> 4 == 1));
            let mut evaluator = Evaluator::new(&pool, &assignment);
            assert_eq!(evaluator.eval(equation), &Value::Bool(true), "seed {seed}");
        }
    }
    assert!(shown.iter().all(|&count| count > 200), "{shown:?}");
}
