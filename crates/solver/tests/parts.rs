//! Parts that the caller brings along are the ones that work, and the answers stay what they are.
//!
//! A maker here counts what it made, and a strategy what it was asked, so that a solver that quietly went on
//! with the parts of its tables would be noticed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve::arrays::{Known, Strategy};
use bivalve::refine::Lemma;
use bivalve::sat::{Incremental, SatSolver, backends::naive::Naive};
use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Settings under which every question reaches the SAT solver.
fn plain() -> Settings {
    Settings::builder().rewrite_level(0).probe(false).build()
}

fn naive() -> Box<dyn SatSolver> {
    Box::new(Incremental::new(Naive::default()))
}

/// `x * y = 143` with factors of five bits in eight, neither of them 1.
fn factors(pool: &mut Pool) -> Vec<Term> {
    let byte = Sort::bitvec(8).unwrap();
    let (x, y) = (pool.symbol("x", byte), pool.symbol("y", byte));
    let product = pool.mk(Op::BvMul, &[x, y]);
    let (target, most, one) = (pool.bv_u64(143, 8), pool.bv_u64(31, 8), pool.bv_u64(1, 8));
    let mut all = vec![pool.mk(Op::Eq, &[product, target])];
    for factor in [x, y] {
        all.push(pool.mk(Op::BvUle, &[factor, most]));
        all.push(pool.mk(Op::BvUgt, &[factor, one]));
    }
    all
}

#[test]
fn the_backend_handed_over_is_the_one_that_searches() {
    let mut pool = Pool::new();
    let made = Rc::new(Cell::new(0));
    let count = made.clone();
    let mut solver = Solver::with_backend(plain(), move || {
        count.set(count.get() + 1);
        naive()
    });
    for formula in factors(&mut pool) {
        solver.assert(&pool, formula).unwrap();
    }
    assert_eq!((solver.check(&mut pool).unwrap(), made.get()), (CheckResult::Sat, 1));
    // Another named backend changes nothing while there is one of the caller's, but gates and clauses are
    // built anew.
    solver.set_settings(plain().to_builder().sat("naive").unwrap().seed(3).build());
    assert_eq!((solver.check(&mut pool).unwrap(), made.get()), (CheckResult::Sat, 2));
    solver.use_backend(None);
    assert_eq!((solver.check(&mut pool).unwrap(), made.get()), (CheckResult::Sat, 2));
}

#[test]
fn a_seed_reaches_the_backend_before_the_first_clause() {
    for name in bivalve::sat::backends()
        .iter()
        .map(|row| row.name)
        .filter(|name| !["dimacs", "ipasir"].contains(name))
    {
        for seed in [0, 1, 12345] {
            let mut pool = Pool::new();
            let mut solver = Solver::new(plain().to_builder().sat(name).unwrap().seed(seed).build());
            for formula in factors(&mut pool) {
                solver.assert(&pool, formula).unwrap();
            }
            assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat, "{name} {seed}");
        }
    }
}

/// Says nothing, and counts how often it was asked.
struct Silent(Arc<AtomicU32>);

impl Strategy for Silent {
    fn ahead(&self, _: &mut Pool, _: &Known<'_>, _: Term) -> Vec<Lemma> {
        self.0.fetch_add(1, Ordering::Relaxed);
        vec![]
    }
}

#[test]
fn the_strategy_handed_over_is_the_one_that_is_asked() {
    let mut pool = Pool::new();
    let byte = Sort::bitvec(8).unwrap();
    let sort = pool.sorts_mut().array(byte, byte).unwrap();
    let (a, i, j) = (pool.symbol("a", sort), pool.symbol("i", byte), pool.symbol("j", byte));
    let (r, s) = (pool.mk(Op::Select, &[a, i]), pool.mk(Op::Select, &[a, j]));
    let (same, differ) = (pool.mk(Op::Eq, &[i, j]), pool.mk(Op::Distinct, &[r, s]));
    let asked = Arc::new(AtomicU32::new(0));
    let mut solver = Solver::new(plain());
    let counter = asked.clone();
    solver.use_array_strategy(Some(Box::new(move || Box::new(Silent(counter.clone())))));
    // Settings that change afterwards do not take it away.
    solver.set_settings(plain().to_builder().array_strategy("eager").unwrap().build());
    solver.assert(&pool, differ).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
    solver.assert(&pool, same).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Unsat);
    assert_eq!(asked.load(Ordering::Relaxed), 2, "two reads became known");
    assert_eq!(solver.statistics(&pool).refiners.get("arrays", "axiom"), 0);
}
