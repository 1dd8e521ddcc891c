//! Lemmas before circuits: what they decide, that models and cores are right, and that later checks go
//! without.

use bivalve::terms::{Op, Pool, Sort, Term, eval};
use bivalve::{CheckResult, Settings, Solver};

/// `x <= a` and `y <= b`, that `a * b` does not overflow, and that it is not less than `x * y`.
struct Products {
    fits: Term,
    bounds: [Term; 2],
    order: Term,
}

fn products(pool: &mut Pool) -> Products {
    let sort = Sort::bitvec(24).expect("a legal width");
    let [x, y, a, b] = ["x", "y", "a", "b"].map(|name| pool.symbol(name, sort));
    let overflows = pool.mk(Op::BvUmulo, &[a, b]);
    let [small, large] = [[x, y], [a, b]].map(|factors| pool.mk(Op::BvMul, &factors));
    Products {
        fits: pool.mk(Op::Not, &[overflows]),
        bounds: [[x, a], [y, b]].map(|pair| pool.mk(Op::BvUle, &pair)),
        order: pool.mk(Op::BvUle, &[small, large]),
    }
}

fn solver(pool: &Pool, formulas: &[Term]) -> Solver {
    let mut solver = Solver::new(Settings::builder().probe(false).build());
    formulas.iter().for_each(|&formula| solver.assert(pool, formula).expect("a formula"));
    solver
}

#[test]
fn products_grow_with_their_factors() {
    let mut pool = Pool::new();
    let Products { fits, bounds: [one, two], order } = products(&mut pool);
    let disorder = pool.mk(Op::Not, &[order]);
    let mut solver = solver(&pool, &[fits, one, two, disorder]);
    assert_eq!(solver.check(&mut pool), Ok(CheckResult::Unsat));
    let statistics = solver.statistics(&pool);
    assert_eq!(statistics.lemmas_first, 1);
    // The search by lemmas once was in no statistic.
    assert!(statistics.gates > 0 && statistics.sat.is_some());
}

#[test]
fn cores_have_the_assumptions_that_matter() {
    let mut pool = Pool::new();
    let Products { fits, bounds: [one, two], order } = products(&mut pool);
    let disorder = pool.mk(Op::Not, &[order]);
    let mut solver = solver(&pool, &[fits]);
    let result = solver.check_assuming(&mut pool, &[one, two, disorder]);
    assert_eq!(result, Ok(CheckResult::Unsat));
    assert_eq!(solver.statistics(&pool).lemmas_first, 1);
    assert_eq!(solver.unsat_assumptions(), Some(&[0, 1, 2][..]));
    // Later checks go on with circuits.
    assert_eq!(solver.check_assuming(&mut pool, &[one, two]), Ok(CheckResult::Sat));
    assert_eq!(solver.statistics(&pool).lemmas_first, 1);
}

#[test]
fn models_are_those_of_the_assertions() {
    let mut pool = Pool::new();
    let Products { fits, bounds: [one, two], order } = products(&mut pool);
    let disorder = pool.mk(Op::Not, &[order]);
    let formulas = [fits, one, disorder];
    let mut solver = solver(&pool, &formulas);
    assert_eq!(solver.check(&mut pool), Ok(CheckResult::Sat));
    let model = solver.model().expect("sat").assignment().clone();
    assert!(formulas.iter().all(|&formula| eval(&pool, formula, &model).expect_bool()));
    assert!(!eval(&pool, two, &model).expect_bool());
}
