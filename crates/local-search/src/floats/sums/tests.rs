//! Forms against all values of small formats, and refuted formulas against all assignments.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use bivalve_limits::Stop;
use bivalve_terms::{Sort, TheorySort};
use fastrand::Rng;

fn format(exponent: u64, significand: u64) -> Format {
    Format::new(exponent, significand).unwrap()
}

fn values(format: Format) -> Vec<Float> {
    (0..1u128 << format.width()).map(|bits| Float::from_u128(format, bits).unwrap()).collect()
}

/// The forms of terms where these inputs lie between a number and its opposite.
fn forms<'a>(pool: &'a mut Pool, terms: &[Term], inputs: &[(Term, &Float)]) -> Sums<'a> {
    let mut formulas = vec![];
    for (input, most) in inputs {
        let most = pool.float(most);
        let least = pool.mk(Op::FpNeg, &[most]);
        let least = eval(pool, least, &Assignment::new());
        let least = pool.float(least.as_float().unwrap());
        formulas.push(pool.mk(Op::FpLe, &[least, *input, most]));
    }
    let comparisons = compared(pool, &formulas);
    let mut sums = Sums { pool, comparisons, bounds: TermMap::new(), forms: TermMap::new() };
    sums.bound();
    for term in cone(sums.pool, terms) {
        if let Some(form) = sums.pool.float_format(term).and_then(|format| sums.form(term, format)) {
            sums.forms.insert(term, form);
        }
    }
    sums
}

/// All results lie within the form, whatever the arguments between the bounds and the modes are.
#[test]
fn results_lie_within_their_forms() {
    let mut found = 0;
    for (of, to) in [((2, 2), (2, 3)), ((2, 3), (2, 2)), ((3, 3), (2, 3)), ((2, 3), (3, 2))] {
        let (of, to) = (format(of.0, of.1), format(to.0, to.1));
        let mut pool = Pool::new();
        let sort = pool.float_sort(of);
        let mode_sort = pool.sorts_mut().theory(TheorySort::RoundingMode);
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let unknown = pool.symbol("r", mode_sort);
        let numbers: Vec<Float> = values(of).into_iter().filter(|value| finite(value).is_some()).collect();
        let third = pool.float(&numbers[numbers.len() / 3]);
        let modes: Vec<Term> =
            RoundingMode::ALL.iter().map(|&mode| pool.rounding_mode(mode)).chain([unknown]).collect();
        for mode in modes {
            let sum = pool.mk(Op::FpAdd, &[mode, x, y]);
            let indices = [to.exponent_bits(), to.significand_bits()];
            let terms = [
                sum,
                pool.mk(Op::FpSub, &[mode, x, y]),
                pool.mk(Op::FpMul, &[mode, third, x]),
                pool.mk(Op::FpMul, &[mode, x, y]),
                pool.mk(Op::FpMul, &[mode, sum, y]),
                pool.mk(Op::FpMul, &[mode, sum, sum]),
                pool.mk(Op::FpNeg, &[x]),
                pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, x]),
                pool.mk(Op::FpSub, &[mode, sum, x]),
            ];
            for (at, most) in numbers.iter().enumerate().filter(|(_, most)| !most.sign()) {
                let other = numbers[at / 2].clone();
                let inputs = [(x, most), (y, &other)];
                let given = pool.as_value(mode).and_then(|mode| mode.as_rounding_mode());
                let modes = given.map_or(RoundingMode::ALL.to_vec(), |mode| vec![mode]);
                let sums = forms(&mut pool, &terms, &inputs);
                let is_within = |value: &&Float, most: &Float| {
                    finite(value).unwrap().magnitude() <= finite(most).unwrap()
                };
                for a in numbers.iter().filter(|a| is_within(a, most)) {
                    for b in numbers.iter().filter(|b| is_within(b, &other)) {
                        for &mode in &modes {
                            let mut assignment = Assignment::new();
                            assignment.set(x, a.clone());
                            assignment.set(y, b.clone());
                            assignment.set(unknown, mode);
                            for &term in &terms {
                                let Some(form) = sums.forms.get(term) else { continue };
                                let result = eval(sums.pool, term, &assignment);
                                let result = finite(result.as_float().unwrap()).expect("a finite number");
                                let mut linear = form.constant.clone();
                                for (product, factor) in &form.terms {
                                    let mut part = factor.clone();
                                    for &input in product {
                                        let value = if input == x { a } else { b };
                                        part = &part * &finite(value).unwrap();
                                    }
                                    linear = &linear + &part;
                                }
                                assert!((&result - &linear).magnitude() <= form.error);
                                found += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(found > 100_000, "{found}");
}

/// A comparison, a bound or a negation of one, over terms of different formats.
fn formula(pool: &mut Pool, rng: &mut Rng, symbols: &[Term], modes: &[Term]) -> Term {
    let small = pool.float_format(symbols[0]).unwrap();
    let is_bound = rng.u8(..3) > 0;
    let mut sides = [0; 2].map(|_| {
        let mut term = symbols[rng.usize(..symbols.len())];
        for _ in 0..if is_bound { 0 } else { rng.usize(..4) } {
            let constants = values(small);
            let constant = pool.float(&constants[rng.usize(..constants.len())]);
            let other = symbols[rng.usize(..symbols.len())];
            let mode = modes[rng.usize(..modes.len())];
            term = match rng.u8(..6) {
                0 | 1 => pool.mk(Op::FpAdd, &[mode, term, other]),
                2 => pool.mk(Op::FpSub, &[mode, other, term]),
                3 if rng.bool() => pool.mk(Op::FpMul, &[mode, other, term]),
                3 => pool.mk(Op::FpMul, &[mode, constant, term]),
                4 => pool.mk(Op::FpNeg, &[term]),
                _ => {
                    let wide = pool.mk_indexed(Op::FpFromFloat, &[3, 2 + rng.u32(..2)], &[mode, term]);
                    let indices = [small.exponent_bits(), small.significand_bits()];
                    pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, wide])
                }
            };
        }
        term
    });
    if is_bound || rng.bool() {
        let constants = values(small);
        sides[1] = pool.float(&constants[rng.usize(..constants.len())]);
    }
    if rng.bool() {
        sides.swap(0, 1);
    }
    let op = [Op::FpLt, Op::FpLe, Op::FpGt, Op::FpGe, Op::FpEq][rng.usize(..5)];
    let compared = pool.mk(op, &sides);
    if rng.u8(..4) == 0 { pool.mk(Op::Not, &[compared]) } else { compared }
}

/// No assignment makes what is refuted true.
#[test]
fn what_is_refuted_has_no_model() {
    let mut rng = Rng::with_seed(7);
    let mut refuted_ones = 0;
    for number in 0..1_500 {
        let small = format(2 + number % 2, 2 + number / 2 % 2);
        let mut pool = Pool::new();
        let sort: Sort = pool.float_sort(small);
        let mode_sort = pool.sorts_mut().theory(TheorySort::RoundingMode);
        let symbols = ["x", "y"].map(|name| pool.symbol(name, sort));
        let unknown = pool.symbol("r", mode_sort);
        let mut modes = vec![unknown];
        modes.extend(RoundingMode::ALL.iter().map(|&mode| pool.rounding_mode(mode)));
        let count = 3 + rng.usize(..8);
        let formulas: Vec<Term> =
            (0..count).map(|_| formula(&mut pool, &mut rng, &symbols, &modes)).collect();
        let deadline = Deadline::new(&Stop::new(), 10_000_000);
        let Some(used) = refuted(&pool, &formulas, &deadline) else { continue };
        refuted_ones += 1;
        for a in values(small) {
            for b in values(small) {
                for mode in RoundingMode::ALL {
                    let mut assignment = Assignment::new();
                    assignment.set(symbols[0], a.clone());
                    assignment.set(symbols[1], b.clone());
                    assignment.set(unknown, mode);
                    let holds = |&at: &usize| eval(&pool, formulas[at], &assignment).expect_bool();
                    assert!(!used.iter().all(holds), "{number}: {a} {b} {mode}");
                }
            }
        }
    }
    assert!((80..1_400).contains(&refuted_ones), "{refuted_ones}");
}

/// The sums of 200 inputs, one after the other, have some 20,000 numbers in their forms.
#[test]
fn long_sums_are_left_when_the_deadline_is_over() {
    let mut pool = Pool::new();
    let sort = pool.float_sort(Format::FLOAT32);
    let even = pool.rounding_mode(RoundingMode::NearestEven);
    let one = Float::from_number(Format::FLOAT32, RoundingMode::NearestEven, "1").unwrap();
    let inputs: Vec<Term> = (0..200).map(|number| pool.symbol(&format!("x{number}"), sort)).collect();
    let mut terms = inputs.clone();
    for at in 1..inputs.len() {
        terms[at] = pool.mk(Op::FpAdd, &[even, terms[at - 1], inputs[at]]);
    }
    let one = pool.float(&one);
    let least = pool.float(&Float::from_number(Format::FLOAT32, RoundingMode::NearestEven, "-1").unwrap());
    let mut formulas: Vec<Term> =
        inputs.iter().map(|&input| pool.mk(Op::FpLe, &[least, input, one])).collect();
    formulas.push(pool.mk(Op::FpLe, &[terms[199], one]));
    let is_done = |steps| {
        let comparisons = compared(&pool, &formulas);
        let mut sums = Sums { pool: &pool, comparisons, bounds: TermMap::new(), forms: TermMap::new() };
        sums.bound();
        sums.make_forms(&Deadline::new(&Stop::new(), steps)).is_some()
    };
    assert!(is_done(10_000_000) && !is_done(1_000_000));
}
