//! What simplification leaves: it has a model exactly if the assertions have one, and its models are models
//! of them.
//!
//! Random formulas at all levels of rewriting, judged by solvers that rewrite nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::preprocess::PassSet;
use bivalve::terms::testing::TermGen;
use bivalve::terms::{Evaluator, Op, Pool, Sort, Term, cone};
use bivalve::{CheckResult, Settings, Simplification, Solver};

fn plain(pool: &mut Pool, assertions: &[Term]) -> (CheckResult, Solver) {
    let settings = Settings::builder().rewrite_level(0).probe(false).build();
    let mut solver = Solver::new(settings);
    assertions.iter().for_each(|&assertion| solver.assert(pool, assertion).unwrap());
    (solver.check(pool).unwrap(), solver)
}

/// Conjunctions of equations and comparisons, on two levels.
fn assertions(pool: &mut Pool, seed: u64) -> Vec<Term> {
    let mut random = TermGen::new(seed);
    random.max_width = 8;
    let mut conjuncts = vec![];
    for _ in 0..3 {
        let width = random.rng().u32(2..=8);
        let sort = Sort::bitvec(width).unwrap();
        let (a, b) = (random.term(pool, sort, 6), random.term(pool, sort, 3));
        let ops = [Op::Eq, Op::BvUlt, Op::BvSle, Op::Distinct];
        let op = ops[random.rng().usize(..ops.len())];
        conjuncts.push(pool.mk(op, &[a, b]));
    }
    conjuncts
}

/// The terms of definitions, and the conjuncts.
fn roots(left: &Simplification) -> Vec<Term> {
    left.conjuncts.iter().copied().chain(left.definitions.iter().map(|&(_, term)| term)).collect()
}

/// Whether no symbol that was eliminated is mentioned in what is left.
fn are_eliminated(pool: &Pool, left: &Simplification) -> bool {
    let below = cone(pool, &roots(left));
    left.definitions.iter().all(|(symbol, _)| !below.contains(symbol))
}

/// Whether the model of a solver that has what is left, with the definitions, is one of the assertions.
fn is_model_of(pool: &Pool, left: &Simplification, solver: &Solver, asserted: &[Term]) -> bool {
    let (model, mut assignment) = (solver.model().unwrap(), bivalve::terms::Assignment::new());
    for symbol in cone(pool, &roots(left)).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
        assignment.set(symbol, model.value(pool, symbol));
    }
    let value =
        |&(symbol, term): &(Term, Term)| (symbol, Evaluator::new(pool, &assignment).eval(term).clone());
    let values: Vec<_> = left.definitions.iter().map(value).collect();
    values.into_iter().for_each(|(symbol, value)| assignment.set(symbol, value));
    let mut evaluator = Evaluator::new(pool, &assignment);
    asserted.iter().all(|&assertion| evaluator.eval(assertion).expect_bool())
}

#[test]
fn what_is_left_has_the_models_of_the_assertions() {
    let (mut sat, mut unsat, mut eliminated) = (0, 0, 0);
    for seed in 0..250 {
        let mut pool = Pool::new();
        let asserted = assertions(&mut pool, seed);
        let (expected, _) = plain(&mut pool, &asserted);
        let without_passes =
            PassSet::parse(if seed % 3 == 0 { "embedded-constraints,intervals" } else { "none" }).unwrap();
        let rewrite_level = (seed % 4) as u8;
        let mut solver = Solver::new(
            Settings::builder()
                .rewrite_level(rewrite_level)
                .without_passes(without_passes)
                .rewrite_from(0)
                .build(),
        );
        for (number, &assertion) in asserted.iter().enumerate() {
            if number == 2 {
                solver.push(1).unwrap();
            }
            solver.assert(&pool, assertion).unwrap();
        }
        let left = solver.simplified(&mut pool).unwrap();
        let (answer, plain) = plain(&mut pool, &left.conjuncts);
        assert_eq!(answer, expected, "seed {seed}");
        if answer != CheckResult::Sat {
            unsat += 1;
            continue;
        }
        sat += 1;
        eliminated += left.definitions.len();
        assert!(are_eliminated(&pool, &left), "seed {seed}");
        assert!(is_model_of(&pool, &left, &plain, &asserted), "seed {seed}");
    }
    assert!(sat > 40 && unsat > 10 && eliminated > 15, "{sat} sat, {unsat} unsat, {eliminated} eliminated");
}

/// Symbols of floats that assertions define are eliminated, but where definitions go in circles; the models
/// of what is left are models of the assertions.
#[test]
fn defined_floats_are_eliminated() {
    use bivalve::terms::TheorySort;
    use bivalve::terms::float::{Float, Format, RoundingMode};
    let format = Format::new(3, 4).unwrap();
    let (mut eliminated, mut sat) = (0, 0);
    for seed in 0..120 {
        let (mut pool, mut random) = (Pool::new(), TermGen::new(seed));
        let sort = pool.float_sort(format);
        let modes = pool.sorts_mut().theory(TheorySort::RoundingMode);
        let mode = pool.symbol("mode", modes);
        let symbols: Vec<Term> = ["a", "b", "c", "d"].map(|name| pool.symbol(name, sort)).into();
        let truth = pool.symbol("truth", Sort::BOOL);
        let toward = pool.rounding_mode(RoundingMode::TowardZero);
        let is_toward = pool.mk(Op::Eq, &[mode, toward]);
        let mut asserted = vec![if seed % 2 == 0 { is_toward } else { pool.mk(Op::Not, &[truth]) }];
        let value = Float::from_u128(format, random.rng().u128(0..128)).unwrap();
        let constant = pool.float(&value);
        for _ in 0..4 {
            let [x, y, z] = [(); 3].map(|()| symbols[random.rng().usize(..4)]);
            let of = [
                pool.mk(Op::FpAdd, &[mode, y, z]),
                pool.mk(Op::FpMul, &[mode, y, constant]),
                pool.mk(Op::FpMin, &[y, z]),
                pool.mk(Op::Ite, &[truth, y, z]),
            ][random.rng().usize(..4)];
            let op = [Op::Eq, Op::Eq, Op::Eq, Op::FpLt][random.rng().usize(..4)];
            asserted.push(if random.rng().bool() { pool.mk(op, &[x, of]) } else { pool.mk(op, &[of, x]) });
        }
        let (expected, _) = plain(&mut pool, &asserted);
        let mut solver = Solver::new(Settings::default());
        asserted.iter().for_each(|&assertion| solver.assert(&pool, assertion).unwrap());
        let left = solver.simplified(&mut pool).unwrap();
        let (answer, plain) = plain(&mut pool, &left.conjuncts);
        assert_eq!(answer, expected, "seed {seed}");
        assert!(are_eliminated(&pool, &left), "seed {seed}");
        eliminated += left.definitions.len();
        if answer != CheckResult::Sat {
            continue;
        }
        sat += 1;
        assert!(is_model_of(&pool, &left, &plain, &asserted), "seed {seed}");
    }
    assert!(sat > 20 && eliminated > 150, "{sat} sat, {eliminated} eliminated");
}

/// To simplify floats ends when it is to.
#[test]
fn simplifying_floats_is_stopped() {
    use bivalve::terms::float::Format;
    let mut pool = Pool::new();
    let sort = pool.float_sort(Format::FLOAT32);
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let less = pool.mk(Op::FpLt, &[x, y]);
    let mut solver = Solver::new(Settings::default());
    solver.assert(&pool, less).unwrap();
    solver.stop_handle().stop(bivalve::Why::Interrupted);
    assert!(solver.simplified(&mut pool).is_err());
}

/// Programs check licences by linear equations over their bytes, which are extended first: as many as there
/// are bytes, or one or two fewer.
#[test]
fn bytes_that_solve_linear_equations_are_found() {
    for (missing, extension, seed) in
        [(0, Op::ZeroExtend, 1), (0, Op::SignExtend, 2), (1, Op::ZeroExtend, 3), (2, Op::ZeroExtend, 4)]
    {
        let (mut pool, mut random) = (Pool::new(), TermGen::new(seed));
        let byte = Sort::bitvec(8).unwrap();
        let bytes: Vec<Term> = (0..16).map(|i| pool.symbol(&format!("f{i}"), byte)).collect();
        let licence: Vec<u64> = bytes.iter().map(|_| random.rng().u64(0x21..0x7f)).collect();
        let settings = Settings::builder().conflict_limit(Some(20_000)).build();
        let mut solver = Solver::new(settings);
        for &byte in &bytes {
            let [low, high] = [0x21, 0x7e].map(|bound| pool.bv_u64(bound, 8));
            for (a, b) in [(low, byte), (byte, high)] {
                let bound = pool.mk(Op::BvUle, &[a, b]);
                solver.assert(&pool, bound).unwrap();
            }
        }
        for _ in missing..bytes.len() {
            let (mut sum, mut total) = (pool.bv_u64(0, 32), 0);
            for (&byte, value) in bytes.iter().zip(&licence) {
                let factor = random.rng().u64(1..256);
                total += factor * value;
                let extended = pool.mk_indexed(extension, &[24], &[byte]);
                let factor = pool.bv_u64(factor, 32);
                let summand = pool.mk(Op::BvMul, &[factor, extended]);
                sum = pool.mk(Op::BvAdd, &[sum, summand]);
            }
            let total = pool.bv_u64(total, 32);
            let equation = pool.mk(Op::Eq, &[sum, total]);
            solver.assert(&pool, equation).unwrap();
        }
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat, "seed {seed}");
        if missing == 0 {
            let model = solver.model().unwrap();
            let found: Vec<u64> =
                bytes.iter().map(|&byte| model.value(&pool, byte).expect_bitvec().low_u64()).collect();
            assert_eq!(found, licence);
        }
    }
}
