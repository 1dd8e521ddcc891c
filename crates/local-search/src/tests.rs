//! What is found is judged by the reference semantics, and every operator can be led to a result it has.

use crate::{Found, search};
use bivalve_limits::{Deadline, Stop};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, eval};

const STEPS: u64 = 200_000;

fn searched(pool: &Pool, conjuncts: &[Term], steps: u64) -> Found {
    search(pool, conjuncts, 0, &Deadline::new(&Stop::new(), steps))
}

/// The values that a search has in the end are those that the reference semantics gives, whatever the terms.
#[test]
fn the_conjuncts_that_are_violated_are_those_that_are_false() {
    let (mut models, mut others) = (0, 0);
    for seed in 0..400 {
        let mut pool = Pool::new();
        let mut random = TermGen::with_everything(seed);
        let bool = pool.bool(true);
        let sort = pool.sort(bool);
        let conjuncts: Vec<Term> = (0..4).map(|_| random.term(&mut pool, sort, 12)).collect();
        let found = searched(&pool, &conjuncts, 20_000);
        let holds = |&&term: &&Term| eval(&pool, term, &found.assignment).expect_bool();
        let mut distinct = conjuncts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if found.assignment.symbols().is_empty() {
            continue;
        }
        assert_eq!(found.violated, distinct.len() - distinct.iter().filter(holds).count(), "seed {seed}");
        if found.violated == 0 { models += 1 } else { others += 1 }
    }
    assert!(models > 50 && others > 50, "{models} models, {others} without");
}

/// `op(x, y) = v` for a `v` that is the result of some operands.
#[test]
fn every_operator_of_the_normal_form_is_led_to_a_result() {
    use Op::*;
    let words = [BvAnd, BvXor, BvAdd, BvMul, BvUdiv, BvUrem, BvShl, BvLshr, BvAshr];
    for width in [3, 8, 64, 200] {
        let sort = Sort::bitvec(width).unwrap();
        let mut random = TermGen::new(u64::from(width));
        for op in words {
            for _ in 0..20 {
                let mut pool = Pool::new();
                let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
                let term = pool.mk(op, &[x, y]);
                let assignment = random.assignment(&pool, &[term]);
                let value = eval(&pool, term, &assignment).expect_bitvec().clone();
                let constant = pool.bitvec(&value);
                // The result, and one of the operands, so that the other one follows.
                let wanted = pool.mk(Eq, &[term, constant]);
                let fixed = random.rng().choice([x, y]).unwrap();
                let given = assignment.get(fixed).unwrap().expect_bitvec().clone();
                let given = pool.bitvec(&given);
                let given = pool.mk(Eq, &[fixed, given]);
                for conjuncts in [&[wanted][..], &[wanted, given]] {
                    let found = searched(&pool, conjuncts, STEPS);
                    assert_eq!(found.violated, 0, "{op:?} {width} {value:?} {assignment:?}");
                }
            }
        }
        for op in [BvUlt, BvSlt, Eq] {
            for holds in [true, false] {
                let mut pool = Pool::new();
                let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
                let differ = pool.mk(Distinct, &[x, y]);
                let term = pool.mk(op, &[x, y]);
                let conjunct = if holds { term } else { pool.mk(Not, &[term]) };
                let conjuncts = if op == Eq { vec![conjunct] } else { vec![conjunct, differ] };
                assert_eq!(searched(&pool, &conjuncts, STEPS).violated, 0, "{op:?} {holds} {width}");
            }
        }
    }
}

/// Reads over writes, and functions: elements are set where reads look.
#[test]
fn elements_are_set_where_they_are_read() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(32).unwrap();
    let memory = pool.sorts_mut().array(word, word).unwrap();
    let function = pool.sorts_mut().function(&[word, word], word).unwrap();
    let [i, j, v] = ["i", "j", "v"].map(|name| pool.symbol(name, word));
    let (a, f) = (pool.symbol("a", memory), pool.symbol("f", function));
    let written = pool.mk(Op::Store, &[a, i, v]);
    let numbers: Vec<Term> = [7, 9, 12].map(|number| pool.bv_u64(number, 32)).into();
    let read = pool.mk(Op::Select, &[written, j]);
    let applied = pool.mk(Op::Apply, &[f, read, i]);
    let sum = pool.mk(Op::BvAdd, &[applied, read]);
    let conjuncts = [
        pool.mk(Op::Eq, &[read, numbers[0]]),
        pool.mk(Op::Eq, &[sum, numbers[1]]),
        pool.mk(Op::BvUlt, &[numbers[2], j]),
        pool.mk(Op::Distinct, &[i, j]),
    ];
    let found = searched(&pool, &conjuncts, STEPS);
    assert!(conjuncts.iter().all(|&term| eval(&pool, term, &found.assignment).expect_bool()), "{found:?}");
}

/// A search ends with its budget, does the same again, and says of what has no model that something is false.
#[test]
fn searches_end_and_are_repeatable() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(16).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let square = pool.mk(Op::BvMul, &[x, x]);
    // Squares are 0, 1, 4 or 9 modulo 16 and more, but never 2 modulo 4.
    let two = pool.bv_u64(2, 16);
    let four = pool.bv_u64(4, 16);
    let rest = pool.mk(Op::BvUrem, &[square, four]);
    let never = pool.mk(Op::Eq, &[rest, two]);
    let less = pool.mk(Op::BvUlt, &[y, x]);
    let [first, second] = [(); 2].map(|()| searched(&pool, &[never, less], 50_000));
    assert!(first.violated > 0 && first.moves > 100, "{first:?}");
    assert_eq!((first.moves, first.violated), (second.moves, second.violated));
    for symbol in [x, y] {
        assert_eq!(first.assignment.get(symbol), second.assignment.get(symbol));
    }
    assert_eq!(searched(&pool, &[never, less], 0).moves, 0);
}

/// A formula of the size of a product: one move along the inverse value.
#[test]
fn wide_products_take_a_move() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(512).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let number = pool.bitvec(&BitVec::from_fn(512, |bit| bit % 3 == 1));
    let product = pool.mk(Op::BvMul, &[x, y]);
    let wanted = pool.mk(Op::Eq, &[product, number]);
    let found = searched(&pool, &[wanted], 100_000);
    assert_eq!(found.violated, 0);
    assert!(found.moves < 100, "{} moves", found.moves);
}
