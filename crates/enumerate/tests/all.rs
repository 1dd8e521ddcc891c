//! Models compared with brute force.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "the number of rounds is set by the environment")]

use bivalve::terms::{Op, Pool, Sort, Term, Value, cone, eval};
use bivalve::{CheckResult, Settings, Solver, Why};
use bivalve_enumerate::{Models, Next, NotFinite, count, count_stating_claims};
use bivalve_terms::testing::{TermGen, bits, every_assignment};
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// Terms, and what they have to be.
struct Problem {
    pool: Pool,
    formulas: Vec<Term>,
    assumptions: Vec<Term>,
    terms: Vec<Term>,
}

/// A problem over few bits, in words of at most this width.
fn problem(seed: u64, max_width: u32) -> Option<Problem> {
    let mut random = TermGen::new(seed);
    random.max_width = max_width;
    let mut pool = Pool::new();
    let size = random.rng().usize(4..24);
    let formulas: Vec<Term> =
        (0..random.rng().usize(1..4)).map(|_| random.term(&mut pool, Sort::BOOL, size)).collect();
    let assumed = random.rng().usize(..2);
    let assumptions = (0..assumed).map(|_| random.term(&mut pool, Sort::BOOL, 4)).collect();
    let terms = (0..random.rng().usize(1..5))
        .map(|_| {
            let width = random.rng().u32(..=max_width);
            let sort = Sort::bitvec(width).unwrap_or(Sort::BOOL);
            let size = if random.rng().bool() { 1 } else { 5 };
            random.term(&mut pool, sort, size)
        })
        .collect();
    let problem = Problem { pool, formulas, assumptions, terms };
    (bits(&problem.pool, &problem.symbols()) <= 10).then_some(problem)
}

impl Problem {
    fn symbols(&self) -> Vec<Term> {
        let all = [&self.formulas[..], &self.assumptions, &self.terms].concat();
        let below = cone(&self.pool, &all);
        below.into_iter().filter(|&term| self.pool.op(term) == Op::Symbol).collect()
    }

    /// All values of the terms, by brute force.
    fn values(&self) -> BTreeSet<Vec<Value>> {
        let symbols = self.symbols();
        let mut found = BTreeSet::new();
        for assignment in every_assignment(&self.pool, &symbols) {
            let value = |&term: &Term| eval(&self.pool, term, &assignment);
            if self.formulas.iter().chain(&self.assumptions).all(|formula| value(formula).expect_bool()) {
                found.insert(self.terms.iter().map(value).collect());
            }
        }
        found
    }
}

/// One formula, and the number of its cubes; `None` if it has too many bits for brute force.
fn round(seed: u64, max_width: u32) -> Option<usize> {
    let mut problem = problem(seed, max_width)?;
    let expected = problem.values();
    let Problem { pool, formulas, assumptions, terms } = &mut problem;
    let mut solver = Solver::new(Settings::default());
    solver.assert_all(pool, formulas).unwrap();
    let mut models = Models::new(pool, terms, assumptions).unwrap();
    let (mut seen, mut outside) = (BTreeSet::new(), vec![]);
    loop {
        match models.next(&mut solver, pool).unwrap() {
            Next::Complete => break,
            Next::Unknown(why) => panic!("seed {seed}: {why:?}"),
            Next::Cube(cube) => {
                let before = seen.len();
                seen.extend(cube.points());
                assert_eq!(cube.size(), BigUint::from(seen.len() - before), "seed {seed}: cubes overlap");
                outside.push(models.outside(pool, &cube));
            }
        }
    }
    assert_eq!(seen, expected, "seed {seed}");
    let complement = [models.assumptions(), &outside].concat();
    assert_eq!(solver.check_assuming(pool, &complement).unwrap(), CheckResult::Unsat, "seed {seed}");
    let number = count_stating_claims(&mut solver, pool, terms, assumptions).unwrap();
    assert_eq!(number.exact(), Some(&BigUint::from(expected.len())), "seed {seed}");
    for claim in &number.claims {
        let mut other = Solver::new(Settings::default());
        other.assert_all(pool, claim).unwrap();
        assert_eq!(other.check(pool).unwrap(), CheckResult::Unsat, "seed {seed}");
    }
    Some(outside.len())
}

/// `BIVALVE_MODELS` sets the number of formulas.
#[test]
fn models_are_those_of_brute_force() {
    let rounds = std::env::var("BIVALVE_MODELS").map_or(300, |count| count.parse().expect("a number"));
    let done = (0..).filter_map(|seed| round(seed, 3)).take(rounds).count();
    assert_eq!(done, rounds);
}

/// Long lists, most of which are found without checks. `BIVALVE_MODELS` sets a tenth of the number.
#[test]
fn long_lists_are_those_of_brute_force() {
    let rounds = std::env::var("BIVALVE_MODELS").map_or(300, |count| count.parse().expect("a number")) / 10;
    let long = (0..).filter_map(|seed| round(seed, 6)).filter(|&cubes| cubes > 40).take(rounds).count();
    assert_eq!(long, rounds);
}

/// The models of `x + y = c` share no bits, so each is a cube; few of them are found by checks.
#[test]
fn many_models_need_few_checks() {
    let mut pool = Pool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(32).unwrap()));
    let sum = pool.mk(Op::BvAdd, &[x, y]);
    let number = pool.bv_u64(0x1234_5678, 32);
    let formula = pool.mk(Op::Eq, &[sum, number]);
    let mut solver = Solver::new(Settings::default());
    solver.assert(&pool, formula).unwrap();
    let mut models = Models::new(&mut pool, &[x, y], &[]).unwrap();
    let mut seen = BTreeSet::new();
    for _ in 0..2000 {
        let Next::Cube(cube) = models.next(&mut solver, &mut pool).unwrap() else { panic!("2^32 models") };
        let point = cube.points().next().unwrap();
        let [x, y] = [0, 1].map(|term| point[term].to_u64().unwrap());
        assert_eq!((x + y) & 0xffff_ffff, 0x1234_5678);
        assert!(seen.insert(x));
    }
    assert!(solver.statistics(&pool).checks < 60);
    // What is raised is seen between models.
    solver.stop_handle().stop(Why::TimeLimit);
    assert_eq!(models.next(&mut solver, &mut pool).unwrap(), Next::Unknown(Why::TimeLimit));
}

/// Parts and bits that nothing is said of are not enumerated.
#[test]
fn wide_formulas_are_counted_by_parts() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(64).unwrap();
    let all: Vec<Term> = (0..10).map(|i| pool.symbol(&format!("x{i}"), word)).collect();
    let mut solver = Solver::new(Settings::default());
    for &x in &all[1..] {
        let limit = pool.bv_u64(1000, 64);
        let below = pool.mk(Op::BvUlt, &[x, limit]);
        solver.assert(&pool, below).unwrap();
    }
    let number = count(&mut solver, &mut pool, &all, &[]).unwrap();
    assert_eq!(number.exact(), Some(&(BigUint::from(1000u32).pow(9) << 64)));
    // A term twice is a value once.
    let number = count(&mut solver, &mut pool, &[all[1], all[1]], &[]).unwrap();
    assert_eq!(number.exact(), Some(&BigUint::from(1000u32)));
}

#[test]
fn a_limit_leaves_a_bound() {
    let mut pool = Pool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(16).unwrap()));
    let [wide, other] = [x, y].map(|word| pool.mk_indexed(Op::ZeroExtend, &[16], &[word]));
    let product = pool.mk(Op::BvMul, &[wide, other]);
    let primes = pool.bv_u64(65_521 * 65_519, 32);
    let is_factor = pool.mk(Op::Eq, &[product, primes]);
    let three = pool.bv_u64(3, 16);
    let is_three = pool.mk(Op::Eq, &[x, three]);
    let formula = pool.mk(Op::Or, &[is_three, is_factor]);
    let mut solver = Solver::new(Settings::builder().conflict_limit(10).build());
    solver.assert(&pool, formula).unwrap();
    let number = count(&mut solver, &mut pool, &[x], &[]).unwrap();
    assert_eq!((number.exact(), number.unknown), (None, Some(Why::Budget)));
    assert!(number.at_least >= BigUint::from(1u32));
    let mut models = Models::new(&mut pool, &[x], &[]).unwrap();
    while let Next::Cube(_) = models.next(&mut solver, &mut pool).unwrap() {}
    // With more conflicts it goes on where it was.
    solver.set_settings(Settings::default());
    let mut rest = 0;
    while let Next::Cube(_) = models.next(&mut solver, &mut pool).unwrap() {
        rest += 1;
    }
    assert!(rest > 0);
}

#[test]
fn other_sorts_are_refused() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(4).unwrap();
    let array = pool.sorts_mut().array(word, word).unwrap();
    let [x, a] = [pool.symbol("x", word), pool.symbol("a", array)];
    assert_eq!(Models::new(&mut pool, &[x, a], &[]).err(), Some(NotFinite { position: 1 }));
}
