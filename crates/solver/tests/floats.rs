//! Floating point in the solver: random formulas over small formats against every choice of values, with the
//! results that the standard leaves open among them, in sessions that push, pop, assume and compact.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::sessions::{self, Theory};
use bivalve::terms::float::{Float, Format, RoundingMode};
use bivalve::terms::{ArrayValue, Assignment, BitVec, Op, Pool, Sort, Term, TheorySort, Value, cone, eval};
use bivalve::{CheckResult, Settings, Solver};
use fastrand::Rng;

/// What formulas are made of.
struct Material {
    pool: Pool,
    format: Format,
    modes: Vec<Term>,
    floats: Vec<Term>,
    /// Two symbols of the format, and one of rounding modes.
    symbols: Vec<Term>,
}

fn material(eb: u64, sb: u64) -> Material {
    let mut pool = Pool::new();
    let format = Format::new(eb, sb).unwrap();
    let modes = pool.sorts_mut().theory(TheorySort::RoundingMode);
    let sort = pool.float_sort(format);
    let symbols = vec![pool.symbol("x", sort), pool.symbol("y", sort), pool.symbol("r", modes)];
    let mut floats = symbols[..2].to_vec();
    let constants = [Float::nan(format), Float::infinity(format, true), Float::zero(format, true)];
    floats.extend(constants.iter().map(|value| pool.float(value)));
    floats.push(pool.float(&Float::one(format, false)));
    let mut modes = vec![symbols[2]];
    modes.extend(RoundingMode::ALL.map(|mode| pool.rounding_mode(mode)));
    Material { pool, format, modes, floats, symbols }
}

impl Material {
    fn mode(&self, rng: &mut Rng) -> Term {
        self.modes[if rng.bool() { 0 } else { rng.usize(..self.modes.len()) }]
    }

    fn float(&mut self, rng: &mut Rng, size: u32) -> Term {
        if size == 0 {
            return self.floats[if rng.bool() { rng.usize(..2) } else { rng.usize(..self.floats.len()) }];
        }
        let [x, y] = [0; 2].map(|_| self.float(rng, size - 1));
        let r = self.mode(rng);
        let indices = [self.format.exponent_bits(), self.format.significand_bits()];
        let pool = &mut self.pool;
        match rng.u8(..14) {
            0 => pool.mk(Op::FpAdd, &[r, x, y]),
            1 => pool.mk(Op::FpSub, &[r, x, y]),
            2 => pool.mk(Op::FpMul, &[r, x, y]),
            3 => pool.mk(Op::FpDiv, &[r, x, y]),
            4 => pool.mk(Op::FpFma, &[r, x, y, x]),
            5 => pool.mk(Op::FpSqrt, &[r, x]),
            6 => pool.mk(Op::FpRem, &[x, y]),
            7 => pool.mk(Op::FpRoundToIntegral, &[r, x]),
            8 => pool.mk(Op::FpMin, &[x, y]),
            9 => pool.mk(Op::FpMax, &[x, y]),
            10 => pool.mk(if rng.bool() { Op::FpNeg } else { Op::FpAbs }, &[x]),
            11 => {
                let wide = pool.mk_indexed(Op::FpFromFloat, &[4, 2 + rng.u32(..3)], &[r, x]);
                pool.mk_indexed(Op::FpFromFloat, &indices, &[r, wide])
            }
            12 => {
                let word = pool.mk_indexed(Op::FpToSbv, &[3], &[r, x]);
                pool.mk_indexed(Op::FpFromUbv, &indices, &[r, word])
            }
            _ => {
                let condition = pool.mk(Op::FpLe, &[x, y]);
                pool.mk(Op::Ite, &[condition, y, x])
            }
        }
    }

    fn formula(&mut self, rng: &mut Rng) -> Term {
        let sizes = [rng.u32(..3), rng.u32(..2)];
        let [x, y] = sizes.map(|size| self.float(rng, size));
        let pool = &mut self.pool;
        match rng.u8(..5) {
            0 => {
                let tests =
                    [Op::FpIsNan, Op::FpIsZero, Op::FpIsSubnormal, Op::FpIsNegative, Op::FpIsInfinite];
                let test = pool.mk(tests[rng.usize(..tests.len())], &[x]);
                if rng.bool() { test } else { pool.mk(Op::Not, &[test]) }
            }
            1 => pool.mk(if rng.bool() { Op::FpEq } else { Op::Distinct }, &[x, y]),
            2 => pool.mk(if rng.bool() { Op::FpLt } else { Op::FpGe }, &[x, y]),
            _ => pool.mk(Op::Eq, &[x, y]),
        }
    }
}

/// All values of a sort of few.
fn values(pool: &Pool, sort: Sort) -> Vec<Value> {
    if sort.is_bool() {
        return vec![false.into(), true.into()];
    }
    if let Some(width) = sort.width() {
        return (0..1 << width).map(|bits| BitVec::from_u64(bits, width).into()).collect();
    }
    if let Some((index, element)) = pool.sorts().array_parts(sort) {
        let elements = values(pool, element);
        let start = ArrayValue::constant(pool.sorts(), sort, elements[0].clone());
        return values(pool, index).iter().fold(vec![start.into()], |arrays: Vec<Value>, at| {
            let written = |array: &Value| {
                let array = array.clone();
                elements.iter().map(move |what| array.expect_array().store(at, what).into())
            };
            arrays.iter().flat_map(|array| written(array).collect::<Vec<Value>>()).collect()
        });
    }
    match pool.sorts().float_format(sort) {
        None => RoundingMode::ALL.map(Value::from).to_vec(),
        Some(format) => {
            let all = (0..1u128 << format.width()).map(|bits| Float::from_u128(format, bits).unwrap());
            let is_first = |x: &Float| !x.is_nan() || *x == Float::nan(format);
            let mut all: Vec<Float> = all.filter(is_first).collect();
            all.sort();
            all.dedup();
            all.into_iter().map(Value::from).collect()
        }
    }
}

/// Whether some values of the symbols make all formulas true, and whether that is all there is to be tried:
/// functions are left as they are.
fn has_model(pool: &Pool, formulas: &[Term]) -> (bool, bool) {
    let symbols: Vec<Term> =
        cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
    let (functions, symbols): (Vec<Term>, Vec<Term>) =
        symbols.iter().partition(|&&symbol| pool.sorts().is_function(pool.sort(symbol)));
    let domains: Vec<Vec<Value>> = symbols.iter().map(|&symbol| values(pool, pool.sort(symbol))).collect();
    let all: usize = domains.iter().map(Vec::len).product();
    let found = (0..all).any(|mut code| {
        let mut assignment = Assignment::new();
        for (&symbol, domain) in symbols.iter().zip(&domains) {
            assignment.set(symbol, domain[code % domain.len()].clone());
            code /= domain.len();
        }
        formulas.iter().all(|&formula| eval(pool, formula, &assignment).expect_bool())
    });
    (found, functions.is_empty())
}

/// The answer has to be that of all choices; a model is validated by the solver, and again here.
fn is_right(pool: &Pool, solver: &Solver, answer: CheckResult, formulas: &[Term]) -> bool {
    let (expected, is_all) = has_model(pool, formulas);
    if answer == CheckResult::Sat {
        let model = solver.model().unwrap();
        assert!(formulas.iter().all(|&formula| model.value(pool, formula).expect_bool()));
        return expected || !is_all;
    }
    answer == CheckResult::Unsat && !expected
}

impl Theory for Material {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn material(&mut self) -> Vec<&mut Term> {
        self.modes.iter_mut().chain(&mut self.floats).chain(&mut self.symbols).collect()
    }

    fn random_formula(&mut self, rng: &mut Rng) -> Term {
        self.formula(rng)
    }

    fn has_model(&self, formulas: &[Term]) -> Option<bool> {
        let (found, is_all) = has_model(&self.pool, formulas);
        (found || is_all).then_some(found)
    }
}

#[test]
fn sessions_with_floats_are_answered_by_their_meaning() {
    sessions::are_answered_by_their_meaning(70, 16, 50, |rng| {
        let (eb, sb) = [(2, 2), (2, 3), (3, 2), (2, 2)][rng.usize(..4)];
        material(eb, sb)
    });
}

/// Arrays over rounding modes and of floats, read, written and compared.
#[test]
fn arrays_of_floats_are_answered_by_their_meaning() {
    let mut answers = [0; 2];
    for seed in 0..120 {
        let rng = &mut Rng::with_seed(seed);
        let mut pool = Pool::new();
        let modes = pool.sorts_mut().theory(TheorySort::RoundingMode);
        let float = pool.float_sort(Format::new(2, 2).unwrap());
        let (index, element) = if seed % 2 == 0 { (modes, Sort::BOOL) } else { (Sort::BOOL, float) };
        let sort = pool.sorts_mut().array(index, element).unwrap();
        let mut arrays = ["a", "b"].map(|name| pool.symbol(name, sort)).to_vec();
        let mut elements = ["p"].map(|name| pool.symbol(name, element)).to_vec();
        let indices = ["i", "j"].map(|name| pool.symbol(name, index));
        if seed % 2 == 1 {
            elements.push(pool.float(&Float::nan(Format::new(2, 2).unwrap())));
            arrays.pop();
        }
        let first = arrays[0];
        let mut formulas = vec![];
        for _ in 0..3 {
            let at = |rng: &mut Rng| indices[rng.usize(..2)];
            let (i, v, a) =
                (at(rng), elements[rng.usize(..elements.len())], arrays[rng.usize(..arrays.len())]);
            let written = pool.mk(Op::Store, &[a, i, v]);
            arrays.push(if rng.bool() { written } else { pool.const_array(sort, v).unwrap() });
            let read = pool.mk(Op::Select, &[written, at(rng)]);
            elements.push(read);
            let [a, b] = [0; 2].map(|_| arrays[rng.usize(..arrays.len())]);
            let [v, w] = [0; 2].map(|_| elements[rng.usize(..elements.len())]);
            let op = [Op::Eq, Op::Distinct][rng.usize(..2)];
            let (a, b) = if a == b { (first, written) } else { (a, b) };
            formulas.push(pool.mk(op, &[a, b]));
            formulas.push(pool.mk([Op::Eq, Op::Distinct][rng.usize(..2)], &[v, w]));
        }
        let mut solver = Solver::new(Settings::default());
        formulas.iter().for_each(|&formula| solver.assert(&pool, formula).unwrap());
        let answer = solver.check(&mut pool).unwrap();
        assert!(is_right(&pool, &solver, answer, &formulas), "seed {seed}: {answer:?}");
        answers[usize::from(answer == CheckResult::Sat)] += 1;
    }
    assert!(answers.iter().all(|&count| count >= 10), "{answers:?}");
}

/// A sum of comparisons refutes what it is of: levels, tracked assertions and assumptions that it does not
/// need are not in the core, and what is left after a pop has a model.
#[test]
fn sums_of_comparisons_have_cores() {
    let mut pool = Pool::new();
    let sort = pool.float_sort(Format::FLOAT64);
    let even = pool.rounding_mode(RoundingMode::NearestEven);
    let x = ["x0", "x1", "x2"].map(|name| pool.symbol(name, sort));
    let number = |pool: &mut Pool, text: &str| {
        let value = Float::from_number(Format::FLOAT64, RoundingMode::NearestEven, text).unwrap();
        pool.float(&value)
    };
    let [low, high, most, least, by] =
        ["-1000.0", "1000.0", "7.1", "23.5", "3.3"].map(|text| number(&mut pool, text));
    let partial = pool.mk(Op::FpAdd, &[even, x[0], x[1]]);
    let sum = pool.mk(Op::FpAdd, &[even, partial, x[2]]);
    let product = pool.mk(Op::FpMul, &[even, by, sum]);
    let bounds = x.map(|x| pool.mk(Op::FpLe, &[low, x, high]));
    let (below, above) = (pool.mk(Op::FpLe, &[sum, most]), pool.mk(Op::FpGt, &[product, least]));
    let other = pool.mk(Op::FpLt, &[x[0], x[1]]);

    let mut solver = Solver::new(Settings::default());
    solver.assert_all(&pool, &bounds).unwrap();
    solver.push(1).unwrap();
    assert_eq!(solver.assert_tracked(&pool, other).unwrap(), 0);
    assert_eq!(solver.assert_tracked(&pool, below).unwrap(), 1);
    assert_eq!(solver.check_assuming(&mut pool, &[other, above]).unwrap(), CheckResult::Unsat);
    assert_eq!((solver.unsat_core(), solver.unsat_assumptions()), (Some(&[1][..]), Some(&[1][..])));
    assert_eq!(solver.effort().clauses, 0, "no circuit is needed");
    solver.pop(1).unwrap();
    assert_eq!(solver.check_assuming(&mut pool, &[other, above]).unwrap(), CheckResult::Sat);

    // So it is in later checks, where sums were tried in the first one alone: behind models and circuits.
    let before = solver.effort().clauses;
    for assumed in [&[other, above][..], &[above]] {
        solver.push(1).unwrap();
        assert_eq!(solver.assert_tracked(&pool, below).unwrap(), 0);
        assert_eq!(solver.check_assuming(&mut pool, assumed).unwrap(), CheckResult::Unsat);
        assert_eq!(solver.unsat_core(), Some(&[0][..]));
        assert_eq!(solver.unsat_assumptions(), Some(&[assumed.len() - 1][..]));
        solver.pop(1).unwrap();
    }
    assert_eq!(solver.effort().clauses, before, "no circuit is needed");
}

/// What boxes refute has a core, and a point where all holds is a model. What is defined is looked through.
#[test]
fn boxes_have_cores_and_points() {
    let mut pool = Pool::new();
    let sort = pool.float_sort(Format::FLOAT64);
    let mode_sort = pool.sorts_mut().theory(TheorySort::RoundingMode);
    let mode = pool.symbol("r", mode_sort);
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let number = |pool: &mut Pool, text: &str| {
        let value = Float::from_number(Format::FLOAT64, RoundingMode::NearestEven, text).unwrap();
        pool.float(&value)
    };
    let [low, high, six, most] = ["-1.0", "1.0", "6.0", "0.9"].map(|text| number(&mut pool, text));
    let square = pool.mk(Op::FpMul, &[mode, x, x]);
    let cube = pool.mk(Op::FpMul, &[mode, x, square]);
    let part = pool.mk(Op::FpDiv, &[mode, cube, six]);
    let sine = pool.mk(Op::FpSub, &[mode, x, part]);
    let bounds = pool.mk(Op::FpLe, &[low, x, high]);
    let defined = pool.mk(Op::Eq, &[y, sine]);
    let [above, other] = [pool.mk(Op::FpGt, &[y, most]), pool.mk(Op::FpLt, &[low, y])];

    let mut solver = Solver::new(Settings::default());
    solver.push(1).unwrap();
    for (number, formula) in [bounds, other, defined].into_iter().enumerate() {
        assert_eq!(solver.assert_tracked(&pool, formula).unwrap(), number);
    }
    assert_eq!(solver.check_assuming(&mut pool, &[above]).unwrap(), CheckResult::Unsat);
    assert_eq!((solver.unsat_core(), solver.unsat_assumptions()), (Some(&[0, 2][..]), Some(&[0][..])));
    assert_eq!(solver.effort().clauses, 0, "no circuit is needed");
    let mut solver = Solver::new(Settings::default());
    let half = number(&mut pool, "0.8");
    let above = pool.mk(Op::FpGt, &[y, half]);
    solver.assert_all(&pool, &[bounds, defined, above]).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
    assert_eq!(solver.effort().clauses, 0, "no circuit is needed");
}
