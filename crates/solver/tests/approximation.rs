//! Under-approximation through the whole solver: it changes how a model is found, and never whether there is
//! one.
//!
//! Random formulas over bit-vectors, arrays and functions are decided with each encoding and policy, and
//! without; models are validated by the solver itself, and small ones are held against the plain ones. That
//! it is at work is seen by its statistics. Sessions with approximations are held against truth tables in
//! `incremental.rs`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::approx::encodings::ENCODINGS;
use bivalve::approx::policies::POLICIES;
use bivalve::approx::{Encoding, Policy, Restriction, Vector};
use bivalve::terms::testing::TermGen;
use bivalve::terms::{Op, Pool, Sort, Term, Value, cone};
use bivalve::{CheckResult, Model, Settings, Solver, Why};

/// Settings under which every question reaches the SAT solver.
fn plain() -> Settings {
    Settings::builder().probe(false).build()
}

fn decide(pool: &mut Pool, settings: Settings, formulas: &[Term]) -> (CheckResult, Solver) {
    let mut solver = Solver::new(settings);
    formulas.iter().for_each(|&formula| solver.assert(pool, formula).unwrap());
    (solver.check(pool).unwrap(), solver)
}

/// A few random formulas that together are often contradictory.
fn formulas(pool: &mut Pool, seed: u64) -> Vec<Term> {
    let mut random = TermGen::new(seed);
    random.max_width = 12;
    random.arrays = !seed.is_multiple_of(3);
    random.functions = seed.is_multiple_of(3) || seed.is_multiple_of(4);
    if random.arrays {
        random.ops.extend([Op::Select, Op::Store, Op::Eq].iter().cycle().take(30));
    }
    (0..1 + seed % 5).map(|_| random.term(pool, Sort::BOOL, 10)).collect()
}

#[test]
fn every_encoding_and_policy_decides_as_none_does() {
    let (mut answers, mut eased, mut early, mut sat) = ([0; 2], 0, 0, 0);
    for seed in 0..160 {
        let mut pool = Pool::new();
        let formulas = formulas(&mut pool, seed);
        let rewrite_level = (seed / 2 % 2) as u8;
        let base = plain().to_builder().rewrite_level(rewrite_level).rewrite_from(0).build();
        let (expected, _) = decide(&mut pool, base.clone(), &formulas);
        answers[usize::from(expected == CheckResult::Unsat)] += 1;
        for encoding in ENCODINGS {
            for policy in POLICIES {
                let settings = base
                    .to_builder()
                    .approx(encoding.name)
                    .unwrap()
                    .approx_refine(policy.name)
                    .unwrap()
                    .approx_width(1 + (seed % 4 / 3) as u32)
                    .approx_limit(Some(3).filter(|_| seed % 7 == 0))
                    .abstract_from((seed % 3) as u32 * 2)
                    .build();
                let (answer, solver) = decide(&mut pool, settings, &formulas);
                assert_eq!(answer, expected, "seed {seed}, {} {}", encoding.name, policy.name);
                let statistics = solver.statistics(&pool).approx;
                eased += statistics.refinements;
                early += statistics.early;
                sat += statistics.sat;
                assert!((0.0..=1.0).contains(&statistics.ratio));
            }
        }
    }
    assert!(answers.into_iter().all(|count| count > 25), "{answers:?} sat and unsat: too easy");
    assert!(eased > 60 && early > 12 && sat > 60, "{eased} eased, {early} early, {sat} sat");
}

/// `x * y = 4087` over 32 bits, with factors above 1 that must not wrap round.
fn factors(pool: &mut Pool, product: u64) -> ([Term; 2], Vec<Term>) {
    let word = Sort::bitvec(32).unwrap();
    let factors = ["x", "y"].map(|name| pool.symbol(name, word));
    let (target, one) = (pool.bv_u64(product, 32), pool.bv_u64(1, 32));
    let found = pool.mk(Op::BvMul, &factors);
    let mut all = vec![pool.mk(Op::Eq, &[found, target])];
    all.extend(factors.map(|factor| pool.mk(Op::BvUgt, &[factor, one])));
    let overflows = pool.mk(Op::BvUmulo, &factors);
    all.push(pool.mk(Op::Not, &[overflows]));
    (factors, all)
}

fn value(pool: &Pool, model: &Model, term: Term) -> u64 {
    model.value(pool, term).expect_bitvec().low_u64()
}

#[test]
fn a_refutation_that_uses_no_approximation_ends_the_search_early() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(32).unwrap();
    let (x, y) = (pool.symbol("x", word), pool.symbol("y", word));
    // Odd and even at once, which three low bits contradict whatever the others are.
    let two = pool.bv_u64(2, 32);
    let (double, square) = (pool.mk(Op::BvMul, &[two, x]), pool.mk(Op::BvMul, &[y, y]));
    let sum = pool.mk(Op::BvAdd, &[double, square]);
    let same = pool.mk(Op::Eq, &[sum, double]);
    let low = pool.mk_indexed(Op::Extract, &[0, 0], &[y]);
    let odd = pool.bv_u64(1, 1);
    let is_odd = pool.mk(Op::Eq, &[low, odd]);
    for policy in POLICIES {
        let settings = plain()
            .to_builder()
            .approx("zero")
            .unwrap()
            .approx_refine(policy.name)
            .unwrap()
            .rewrite_level(0)
            .build();
        let (answer, solver) = decide(&mut pool, settings, &[same, is_odd]);
        let statistics = solver.statistics(&pool).approx;
        assert_eq!((answer, statistics.early), (CheckResult::Unsat, 1), "{statistics:?}");
        assert!(statistics.ratio < 0.5, "{statistics:?}");
    }
}

#[test]
fn a_budget_ends_approximation_and_not_the_search() {
    let mut pool = Pool::new();
    let (_, all) = factors(&mut pool, 4087);
    let limited = |approx_limit, conflict_limit| {
        plain()
            .to_builder()
            .approx("one")
            .unwrap()
            .approx_limit(approx_limit)
            .conflict_limit(conflict_limit)
            .rewrite_level(0)
            .build()
    };
    let (answer, solver) = decide(&mut pool, limited(Some(1), None), &all);
    let statistics = solver.statistics(&pool).approx;
    assert_eq!((answer, statistics.given_up, statistics.ratio), (CheckResult::Sat, 1, 1.0), "{statistics:?}");
    let (answer, _) = decide(&mut pool, limited(None, Some(1)), &all);
    assert_eq!(answer, CheckResult::Unknown(Why::Budget), "the limit of the check is over all searches");
}

/// Everything but the two lowest bits is zero, and what fails is free at once.
struct Nibble;

impl Encoding for Nibble {
    fn name(&self) -> &str {
        "nibble"
    }

    fn restriction(&self, _: u32, _: u32, bit: u32) -> Restriction {
        if bit < 4 { Restriction::Free } else { Restriction::Constant(false) }
    }
}

struct AtOnce;

impl Policy for AtOnce {
    fn name(&self) -> &str {
        "at once"
    }

    fn group(&self, vector: &Vector) -> u32 {
        vector.width
    }

    fn refine(&self, vector: &Vector) -> u32 {
        vector.width
    }
}

#[test]
fn an_approximation_handed_over_is_the_one_that_is_asked() {
    for (product, refinements) in [(13 * 11, 0), (13 * 17, 1)] {
        let mut pool = Pool::new();
        let (_, all) = factors(&mut pool, product);
        let mut solver = Solver::new(plain().to_builder().rewrite_level(0).build());
        solver.use_approximation(Some((Box::new(Nibble), Box::new(AtOnce))));
        all.iter().for_each(|&formula| solver.assert(&pool, formula).unwrap());
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
        let statistics = solver.statistics(&pool).approx;
        assert_eq!((statistics.vectors, statistics.refinements), (2, refinements), "{statistics:?}");
        solver.use_approximation(None);
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
        assert_eq!(solver.statistics(&pool).approx.checks, 1, "none the second time");
    }
}

/// Set bits of symbols that are bit-vectors, and entries of arrays.
fn size(pool: &Pool, model: &Model, formulas: &[Term]) -> [u64; 2] {
    let mut size = [0, 0];
    for symbol in cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
        match model.value(pool, symbol) {
            Value::BitVec(value) => size[0] += u64::from(value.count_ones()),
            Value::Array(array) => size[1] += array.entries().count() as u64,
            _ => {}
        }
    }
    size
}

#[test]
fn the_least_model_is_found_where_the_budget_allows() {
    let mut pool = Pool::new();
    let ([x, y], all) = factors(&mut pool, 61 * 67);
    for small_models in [false, true] {
        let (answer, mut solver) =
            decide(&mut pool, plain().to_builder().small_models(small_models).build(), &all);
        assert_eq!(answer, CheckResult::Sat);
        solver.minimize_model(&mut pool).unwrap();
        let model = solver.model().unwrap();
        assert_eq!([x, y].map(|factor| value(&pool, model, factor)), [61, 67]);
    }
}

#[test]
fn indices_that_may_be_equal_are_one_entry() {
    let mut pool = Pool::new();
    let byte = Sort::bitvec(8).unwrap();
    let sort = pool.sorts_mut().array(byte, byte).unwrap();
    let array = pool.symbol("a", sort);
    let indices = ["i", "j", "k"].map(|name| pool.symbol(name, byte));
    let reads = indices.map(|index| pool.mk(Op::Select, &[array, index]));
    let (sum, target) = (pool.mk(Op::BvAdd, &reads), pool.bv_u64(30, 8));
    let formula = pool.mk(Op::Eq, &[sum, target]);
    let (_, mut solver) = decide(&mut pool, plain(), &[formula]);
    solver.minimize_model(&mut pool).unwrap();
    assert_eq!(size(&pool, solver.model().unwrap(), &[formula]), [0, 1]);
    assert_eq!(value(&pool, solver.model().unwrap(), reads[1]), 10, "three times");
}

#[test]
fn small_models_are_models_and_not_larger_and_leave_nothing_behind() {
    let (mut plain_size, mut small_size, mut sats) = ([0; 2], [0; 2], 0);
    for seed in 0..200 {
        let mut pool = Pool::new();
        let formulas = formulas(&mut pool, seed);
        let base = plain().to_builder().rewrite_level((seed / 2 % 2) as u8).probe(seed % 4 == 0).build();
        let (expected, solver) = decide(&mut pool, base.clone(), &formulas);
        let approx = if seed % 5 == 0 { "sign" } else { "none" };
        let settings = base.to_builder().small_models(true).approx(approx).unwrap().build();
        let (answer, mut small) = decide(&mut pool, settings, &formulas);
        assert_eq!(answer, expected, "seed {seed}");
        if answer != CheckResult::Sat {
            continue;
        }
        sats += 1;
        let sizes = [&solver, &small].map(|solver| size(&pool, solver.model().unwrap(), &formulas));
        for i in 0..2 {
            plain_size[i] += sizes[0][i];
            small_size[i] += sizes[1][i];
        }
        // What small models were looked for under is forgotten.
        let holds = small.model().unwrap().clone();
        let symbols = cone(&pool, &formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
        for symbol in symbols.filter(|&term| pool.sort(term).is_bitvec()).collect::<Vec<_>>() {
            let found = value(&pool, &holds, symbol);
            let least = pool.bitvec(holds.value(&pool, symbol).expect_bitvec());
            let larger = pool.mk(Op::BvUgt, &[symbol, least]);
            let answer = small.check_assuming(&mut pool, &[larger]).unwrap();
            let mut fresh = Solver::new(plain());
            formulas.iter().for_each(|&formula| fresh.assert(&pool, formula).unwrap());
            assert_eq!(answer, fresh.check_assuming(&mut pool, &[larger]).unwrap(), "seed {seed}, {found}");
        }
    }
    assert!(sats > 50, "{sats}");
    // Most bits that are left are forced.
    assert!(4 * small_size[0] < 3 * plain_size[0], "{small_size:?} {plain_size:?}");
    assert!(small_size[1] <= plain_size[1], "{small_size:?} {plain_size:?}");
}

/// Forty ascending words of 128 bits, the low halfwords of the first two of which have this product and are
/// no units.
fn ascending(pool: &mut Pool, product: u64) -> (Vec<Term>, Term) {
    let sort = Sort::bitvec(128).unwrap();
    let words: Vec<Term> = (0..40).map(|number| pool.symbol(&format!("w{number}"), sort)).collect();
    let mut all: Vec<Term> = words.windows(2).map(|pair| pool.mk(Op::BvUlt, pair)).collect();
    let one = pool.bv_u64(1, 32);
    let factors = [words[0], words[1]].map(|word| {
        let low = pool.mk_indexed(Op::Extract, &[15, 0], &[word]);
        pool.mk_indexed(Op::ZeroExtend, &[16], &[low])
    });
    all.extend(factors.map(|factor| pool.mk(Op::BvUgt, &[factor, one])));
    let (found, wanted) = (pool.mk(Op::BvMul, &factors), pool.bv_u64(product, 32));
    (all, pool.mk(Op::Eq, &[found, wanted]))
}

#[test]
fn auto_tries_many_wide_words_when_they_prove_hard_and_agrees_with_none() {
    let (mut tried, mut answers) = (0, vec![]);
    // The factors fit into eight bits; they do not; there are none.
    for product in [61 * 67, 32_749 * 32_719, 16_769_023] {
        let mut pool = Pool::new();
        let (all, equation) = ascending(&mut pool, product);
        let settings = plain().to_builder().approx("auto").unwrap().rewrite_level(0).build();
        let (plainly, _) = decide(
            &mut pool,
            settings.to_builder().approx("none").unwrap().build(),
            &[&all[..], &[equation]].concat(),
        );
        let mut solver = Solver::new(settings);
        all.iter().for_each(|&formula| assert!(solver.assert_tracked(&pool, formula).is_ok()));
        let assumed = solver.check_assuming(&mut pool, &[equation]).unwrap();
        assert_eq!(assumed, plainly, "{product}, assumed");
        solver.push(1).unwrap();
        let number = solver.assert_tracked(&pool, equation).unwrap();
        assert_eq!(solver.check(&mut pool).unwrap(), plainly, "{product}, on a level");
        if plainly == CheckResult::Unsat {
            let core = solver.unsat_core().unwrap();
            assert!(core.contains(&number), "the words alone have a model: {core:?}");
            let tracked: Vec<Term> = solver.tracked().collect();
            let members: Vec<Term> = core.iter().map(|&member| tracked[member]).collect();
            assert_eq!(decide(&mut pool, plain(), &members).0, CheckResult::Unsat, "a core is contradictory");
        }
        solver.pop(1).unwrap();
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat, "what was tried is forgotten");
        tried += solver.statistics(&pool).approx.searches;
        answers.push(plainly);
    }
    assert_eq!(answers, [CheckResult::Sat, CheckResult::Sat, CheckResult::Unsat]);
    assert!(tried > 3, "{tried} searches under approximations");
}

#[test]
fn auto_leaves_narrow_words_as_they_are() {
    let mut pool = Pool::new();
    let (_, all) = factors(&mut pool, 4087);
    let searched = |pool: &mut Pool, approx| {
        let (answer, solver) =
            decide(pool, plain().to_builder().approx(approx).unwrap().rewrite_level(0).build(), &all);
        let statistics = solver.statistics(pool);
        (answer, statistics.approx.searches, statistics.sat.unwrap().conflicts)
    };
    let none = searched(&mut pool, "none");
    assert!(
        none.2.is_some_and(|conflicts| conflicts > 100),
        "{none:?} is hard enough for auto to think of it"
    );
    assert_eq!(searched(&mut pool, "auto"), none);
}
