//! Small formulas whose search takes long are rewritten after all: answers, cores and limits stay right. What
//! it decides that a search does not: `tests/regressions/transfers_keep_the_sum.smt2`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Op, Pool, Sort, Term, eval};
use bivalve::{CheckResult, Settings, Solver, Why};

/// That a product of two words of twelve bits each, above one, is this number: hundreds of conflicts where
/// the number is prime.
fn factors(pool: &mut Pool, number: u64) -> [Term; 3] {
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(12).unwrap()));
    let [zero, one] = [0, 1].map(|number| pool.bv_u64(number, 12));
    let wide = [x, y].map(|word| pool.mk(Op::Concat, &[zero, word]));
    let product = pool.mk(Op::BvMul, &wide);
    let number = pool.bv_u64(number, 24);
    let [more, most] = [x, y].map(|factor| pool.mk(Op::BvUlt, &[one, factor]));
    [pool.mk(Op::Eq, &[product, number]), more, most]
}

fn solver(pool: &Pool, settings: Settings, formulas: &[Term]) -> Solver {
    let mut solver = Solver::new(settings);
    for &formula in formulas {
        solver.assert_tracked(pool, formula).unwrap();
    }
    solver
}

#[test]
fn answers_stay_right_when_everything_is_rewritten() {
    let settings = || Settings::builder().lemmas_first(0).probe(false).local_search(0);
    let mut rewritten = 0;
    for (number, expected) in
        [(16_744_463, CheckResult::Sat), (15_485_863, CheckResult::Unsat), (16_613_767, CheckResult::Sat)]
    {
        let mut pool = Pool::new();
        let formulas = factors(&mut pool, number);
        let free = pool.symbol("free", Sort::BOOL);
        let mut solver = solver(&pool, settings().rewrite_from(1 << 30).build(), &formulas);
        for _ in 0..2 {
            assert_eq!(solver.check_assuming(&mut pool, &[free]), Ok(expected), "{number}");
            if expected == CheckResult::Sat {
                let assignment = solver.model().unwrap().assignment();
                assert!(formulas.iter().all(|&formula| eval(&pool, formula, assignment).expect_bool()));
            } else {
                assert!(solver.unsat_core().unwrap().contains(&0) && solver.unsat_assumptions() == Some(&[]));
            }
            // Later checks have levels, and what was rewritten.
            solver.push(1).unwrap();
            solver.assert(&pool, free).unwrap();
        }
        rewritten += usize::from(solver.statistics(&pool).restarts == 1);
        assert!(solver.statistics(&pool).restarts <= 1, "once is enough");
    }
    assert!(rewritten > 0, "none took long");
}

#[test]
fn limits_hold_across_both_searches() {
    let mut pool = Pool::new();
    let formulas = factors(&mut pool, 15_485_863);
    for limit in [50, 200, 250] {
        let settings =
            Settings::builder().lemmas_first(0).rewrite_from(1 << 30).conflict_limit(limit).build();
        let mut solver = solver(&pool, settings, &formulas);
        let result = solver.check(&mut pool).unwrap();
        assert!(matches!(result, CheckResult::Unsat | CheckResult::Unknown(Why::Budget)), "{result:?}");
        // Some backends do not count, or look at the limit a few conflicts later.
        let conflicts = solver.statistics(&pool).sat.and_then(|sat| sat.conflicts);
        assert!(conflicts <= Some(limit + 20), "{limit}: {conflicts:?}");
    }
}
