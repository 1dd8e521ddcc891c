//! Local search before circuits: it answers where probing does not, in the first check only, and not if it is
//! off.

use bivalve::terms::{BitVec, Op, Pool, Sort, Term, eval};
use bivalve::{CheckResult, Settings, Solver};

/// A product of two words that is a number, neither of them less than 2^20: no guess, but a few moves.
fn factors(pool: &mut Pool) -> Vec<Term> {
    let sort = Sort::bitvec(48).expect("a legal width");
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let product = pool.mk(Op::BvMul, &[x, y]);
    let number = pool.bitvec(&BitVec::from_u64(0x1234_5678_9abd, 48));
    let bound = pool.bv_u64(1 << 20, 48);
    let wanted = pool.mk(Op::Eq, &[product, number]);
    vec![wanted, pool.mk(Op::BvUlt, &[bound, x]), pool.mk(Op::BvUlt, &[bound, y])]
}

#[test]
fn a_model_found_by_local_search_needs_no_gates() {
    for (steps, is_on) in [(8, true), (0, false)] {
        let mut pool = Pool::new();
        let formulas = factors(&mut pool);
        let mut solver = Solver::new(Settings::builder().local_search(steps).build());
        for &formula in &formulas {
            solver.assert(&pool, formula).expect("a formula");
        }
        assert_eq!(solver.check(&mut pool), Ok(CheckResult::Sat));
        let model = solver.model().expect("sat").assignment().clone();
        assert!(formulas.iter().all(|&formula| eval(&pool, formula, &model).expect_bool()));
        let statistics = solver.statistics(&pool);
        assert_eq!(statistics.local_search.moves > 0, is_on);
        assert_eq!(statistics.sat.is_none(), is_on, "{:?}", statistics.sat);
    }
}

#[test]
fn later_checks_do_not_search_again() {
    let mut pool = Pool::new();
    let formulas = factors(&mut pool);
    let mut solver = Solver::new(Settings::default());
    assert_eq!(solver.check(&mut pool), Ok(CheckResult::Sat));
    for &formula in &formulas {
        solver.assert(&pool, formula).expect("a formula");
    }
    assert_eq!(solver.check(&mut pool), Ok(CheckResult::Sat));
    assert_eq!(solver.statistics(&pool).local_search.moves, 0);
}
