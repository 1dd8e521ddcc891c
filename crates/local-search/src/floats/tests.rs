//! What is found is a model by the meaning of the terms.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::search;
use bivalve_limits::{Deadline, Stop};
use bivalve_terms::float::{Format, RoundingMode};
use bivalve_terms::{Op, Pool, Term, eval};

/// Symbols of a format, a mode, and a way to write a constant.
fn symbols(pool: &mut Pool, format: Format, count: usize) -> (Term, Vec<Term>) {
    let sort = pool.float_sort(format);
    let mode = pool.rounding_mode(RoundingMode::NearestEven);
    (mode, (0..count).map(|at| pool.symbol(&format!("x{at}"), sort)).collect())
}

fn number(pool: &mut Pool, format: Format, text: &str) -> Term {
    let value = bivalve_terms::float::Float::from_number(format, RoundingMode::NearestEven, text).unwrap();
    pool.float(&value)
}

fn found(pool: &Pool, formulas: &[Term]) -> bool {
    let deadline = Deadline::new(&Stop::new(), 30_000_000);
    let model = search(pool, formulas, 0, &deadline);
    model.is_some_and(|model| formulas.iter().all(|&formula| eval(pool, formula, &model).expect_bool()))
}

#[test]
fn equations_within_bounds_are_solved() {
    for format in [Format::FLOAT32, Format::FLOAT64] {
        let mut pool = Pool::new();
        let (mode, x) = symbols(&mut pool, format, 4);
        let [low, high, seven] = ["-10.0", "10.0", "7.3"].map(|text| number(&mut pool, format, text));
        let mut formulas = vec![];
        for &x in &x {
            formulas.push(pool.mk(Op::FpLe, &[low, x, high]));
        }
        let product = pool.mk(Op::FpMul, &[mode, x[0], x[1]]);
        let quotient = pool.mk(Op::FpDiv, &[mode, x[2], x[3]]);
        let sum = pool.mk(Op::FpAdd, &[mode, product, quotient]);
        formulas.push(pool.mk(Op::FpEq, &[sum, seven]));
        formulas.push(pool.mk(Op::FpLt, &[x[3], x[2], x[1]]));
        let single = pool.mk_indexed(Op::FpFromFloat, &[8, 24], &[mode, x[0]]);
        let zero = number(&mut pool, Format::FLOAT32, "0.0");
        let positive = pool.mk(Op::FpLt, &[zero, single]);
        let either = pool.mk(Op::FpIsZero, &[x[1]]);
        formulas.push(pool.mk(Op::Or, &[either, positive]));
        assert!(found(&pool, &formulas), "{format}");
    }
}

#[test]
fn what_has_no_model_and_what_is_not_known_is_left() {
    let mut pool = Pool::new();
    let (mode, x) = symbols(&mut pool, Format::FLOAT64, 2);
    let less = pool.mk(Op::FpLt, &[x[0], x[1]]);
    let more = pool.mk(Op::FpLt, &[x[1], x[0]]);
    assert!(!found(&pool, &[less, more]));
    let up = pool.rounding_mode(RoundingMode::TowardPositive);
    for mode in [mode, up] {
        let sum = pool.mk(Op::FpAdd, &[mode, x[0], x[1]]);
        let less = pool.mk(Op::FpLt, &[x[0], sum]);
        assert_eq!(found(&pool, &[less]), mode != up);
    }
    let (_, half) = symbols(&mut pool, Format::FLOAT16, 2);
    let less = pool.mk(Op::FpLt, &half);
    assert!(!found(&pool, &[less]));
}

/// Inequalities that leave little room, in many directions at once: steps of one symbol do not get there.
#[test]
fn the_middle_of_linear_inequalities_is_found() {
    let mut pool = Pool::new();
    let (mode, x) = symbols(&mut pool, Format::FLOAT64, 8);
    let mut rng = fastrand::Rng::with_seed(5);
    let constant = |pool: &mut Pool, value: f64| number(pool, Format::FLOAT64, &format!("{value:.20}"));
    // Around a point that is far away.
    let point: Vec<f64> = x.iter().map(|_| 1e6 * (rng.f64() - 0.5)).collect();
    let mut formulas = vec![];
    for _ in 0..12 {
        let factors: Vec<f64> = x.iter().map(|_| 100.0 * (rng.f64() - 0.5)).collect();
        let middle: f64 = factors.iter().zip(&point).map(|(factor, at)| factor * at).sum();
        let mut sum = constant(&mut pool, 0.0);
        for (&x, &factor) in x.iter().zip(&factors) {
            let factor = constant(&mut pool, factor);
            let product = pool.mk(Op::FpMul, &[mode, factor, x]);
            sum = pool.mk(Op::FpAdd, &[mode, sum, product]);
        }
        let [low, high] = [middle - 1e-3, middle + 1e-3].map(|bound| constant(&mut pool, bound));
        formulas.push(pool.mk(Op::FpLe, &[low, sum, high]));
    }
    assert!(found(&pool, &formulas));
}

/// A program as equations, in any order, some of which go in circles: its symbols are computed.
#[test]
fn defined_symbols_are_what_they_are_defined_as() {
    let mut pool = Pool::new();
    let (mode, x) = symbols(&mut pool, Format::FLOAT32, 24);
    let p = pool.symbol("p", bivalve_terms::Sort::BOOL);
    let third = number(&mut pool, Format::FLOAT32, "0.3333");
    // Each is a polynomial of the one before; the first two are of each other, and of themselves.
    let mut formulas = vec![];
    let difference = pool.mk(Op::FpSub, &[mode, x[0], x[1]]);
    for (left, right) in [(x[1], x[0]), (x[0], x[1]), (difference, x[0])] {
        let sum = pool.mk(Op::FpAdd, &[mode, right, difference]);
        formulas.push(pool.mk(Op::FpEq, &[left, sum]));
    }
    for at in 2..x.len() {
        let square = pool.mk(Op::FpMul, &[mode, x[at - 1], third]);
        let sum = pool.mk(Op::FpAdd, &[mode, square, x[at - 2]]);
        formulas.push(pool.mk(if at % 2 == 0 { Op::Eq } else { Op::FpEq }, &[sum, x[at]]));
    }
    formulas.reverse();
    let less = pool.mk(Op::FpLe, &[x[4], x[23]]);
    formulas.push(pool.mk(Op::Eq, &[p, less]));
    assert!(found(&pool, &formulas));
    let all = pool.mk(Op::And, &formulas);
    formulas = vec![p, all];
    assert!(found(&pool, &formulas));
    // Nothing is itself and one more.
    let one = number(&mut pool, Format::FLOAT32, "1.0");
    let sum = pool.mk(Op::FpAdd, &[mode, x[5], one]);
    let same = pool.mk(Op::Eq, &[x[5], sum]);
    let small = pool.mk(Op::FpLe, &[one, x[5], one]);
    formulas.extend([same, small]);
    assert!(!found(&pool, &formulas));
}
