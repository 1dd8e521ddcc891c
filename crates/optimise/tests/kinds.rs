//! Kinds of objectives, one by one; limits; and what is wrong is found out.

use bivalve::terms::float::Rational;
use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver, Why};
use bivalve_optimise::{Found, Objective, Optimiser, Priority, Sense, Soft};

/// `x` of this width, with a formula about it, optimised.
fn optimised(width: u32, formula: impl Fn(&mut Pool, Term) -> Term, sense: Sense, is_signed: bool) -> String {
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::bitvec(width).unwrap());
    let mut solver = Solver::new(Settings::default());
    let formula = formula(&mut pool, x);
    solver.assert(&pool, formula).unwrap();
    let objective = Objective::of(&pool, x, sense, is_signed).unwrap();
    let optimiser = Optimiser::new(&mut solver, &mut pool);
    let found = optimiser.optimise(&[objective], Priority::default(), &[]).unwrap();
    assert_eq!(found.answer, CheckResult::Sat);
    found.ranges[0].to_string()
}

/// The same problem, read as unsigned and as signed, has other optima; and a claim about the one is refuted
/// by the other. So an optimiser that mixed them up would be found out by [`Optimiser`] itself.
#[test]
fn signed_and_unsigned_differ() {
    let below = |pool: &mut Pool, x: Term| {
        let limit = pool.bv_u64(0x90, 8);
        pool.mk(Op::BvUlt, &[x, limit])
    };
    let optimum = |sense, is_signed| optimised(8, below, sense, is_signed);
    assert_eq!(optimum(Sense::Maximise, false), "143");
    assert_eq!(optimum(Sense::Maximise, true), "127");
    assert_eq!(optimum(Sense::Minimise, false), "0");
    assert_eq!(optimum(Sense::Minimise, true), "(- 128)");
}

#[test]
fn a_wide_word_takes_few_checks() {
    let odd = |pool: &mut Pool, x: Term| {
        let pattern = pool.bv_u64(0x5555_5555_5555_5555, 64);
        let pattern = pool.mk_indexed(Op::ZeroExtend, &[192], &[pattern]);
        let masked = pool.mk(Op::BvAnd, &[x, pattern]);
        let zero = pool.bv_u64(0, 64);
        let zero = pool.mk_indexed(Op::ZeroExtend, &[192], &[zero]);
        pool.mk(Op::Eq, &[masked, zero])
    };
    let found = optimised(256, odd, Sense::Maximise, false);
    let mut expected = bivalve::terms::BigInt::from(1) << 256u32;
    expected -= 1 + 0x5555_5555_5555_5555i64;
    assert_eq!(found, expected.to_string());
}

#[test]
fn soft_constraints_have_exact_weights() {
    let mut pool = Pool::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| pool.symbol(name, Sort::BOOL));
    let some = pool.mk(Op::Or, &[p, q, r]);
    let mut solver = Solver::new(Settings::default());
    solver.assert(&pool, some).unwrap();
    let third = Rational::new(1, 3u32).unwrap();
    let tenth = Rational::new(1, 10u32).unwrap();
    let softs: Vec<Soft> = [(p, third.clone()), (q, tenth), (r, third)]
        .into_iter()
        .map(|(formula, weight)| Soft { formula: pool.mk(Op::Not, &[formula]), weight })
        .collect();
    let objective = Objective::soft(&mut pool, &softs);
    let optimiser = Optimiser::new(&mut solver, &mut pool).stating_claims();
    let found = optimiser.optimise(&[objective], Priority::default(), &[]).unwrap();
    assert_eq!(found.ranges[0].to_string(), "(/ 1.0 10.0)");
    let value = |term| solver.model().unwrap().value(&pool, term).expect_bool();
    assert_eq!([p, q, r].map(value), [false, true, false]);
}

/// Under so many conflicts for a check: `x` is 3, or a factor of a product of two primes.
fn hard(conflicts: u64) -> (Found, Option<u64>) {
    let mut pool = Pool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(16).unwrap()));
    let [wide, other] = [x, y].map(|word| pool.mk_indexed(Op::ZeroExtend, &[16], &[word]));
    let product = pool.mk(Op::BvMul, &[wide, other]);
    let primes = pool.bv_u64(65_521 * 65_519, 32);
    let is_factor = pool.mk(Op::Eq, &[product, primes]);
    let three = pool.bv_u64(3, 16);
    let is_three = pool.mk(Op::Eq, &[x, three]);
    let formula = pool.mk(Op::Or, &[is_three, is_factor]);
    let mut solver = Solver::new(Settings::builder().conflict_limit(conflicts).build());
    solver.assert(&pool, formula).unwrap();
    let objective = Objective::of(&pool, x, Sense::Maximise, false).unwrap();
    let optimiser = Optimiser::new(&mut solver, &mut pool);
    let found = optimiser.optimise(&[objective], Priority::default(), &[]).unwrap();
    let value = solver.model().and_then(|model| model.value(&pool, x).to_u64());
    (found, value)
}

#[test]
fn a_limit_leaves_the_best_value_and_a_bound() {
    let (found, model) = hard(10);
    assert_eq!(found.answer, CheckResult::Unknown(Why::Budget));
    assert_eq!(found.ranges[0].lower.to_string(), "3");
    assert_eq!(model, Some(3));
    assert_eq!(found.ranges[0].optimum(), None);
    assert_eq!(found.ranges[0].to_string(), " (interval 3 65535)");
    let (found, _) = hard(1_000_000);
    assert_eq!(found.ranges[0].to_string(), "65521");
}
