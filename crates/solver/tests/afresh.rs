//! Checks of a session that take long, asked afresh: that models and cores are right, and that a limit of
//! conflicts is one of all searches together. What it decides that is not decided otherwise:
//! `crates/cli/tests/sessions/levels_of_a_cipher.smt2`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Op, Pool, Sort, Term, eval};
use bivalve::{CheckResult, Settings, Solver};

/// `x` and `y`, words of so many bits, and their product, of twice as many.
fn product(pool: &mut Pool, width: u32) -> [Term; 3] {
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(width).unwrap()));
    let zero = pool.bv_u64(0, width);
    let wide = [x, y].map(|word| pool.mk(Op::Concat, &[zero, word]));
    [x, y, pool.mk(Op::BvMul, &wide)]
}

/// A session whose first check is over, and in which later checks are asked afresh soon.
fn session(pool: &mut Pool, settings: Settings) -> (Solver, [Term; 3]) {
    let [x, y, product] = product(pool, 13);
    let mut solver = Solver::new(settings);
    let one = pool.bv_u64(1, 13);
    for factor in [x, y] {
        let above = pool.mk(Op::BvUlt, &[one, factor]);
        solver.assert(pool, above).unwrap();
    }
    assert_eq!(solver.check(pool), Ok(CheckResult::Sat));
    (solver, [x, y, product])
}

#[test]
fn models_and_cores_are_right() {
    let mut pool = Pool::new();
    let settings = Settings::builder().afresh_after(10).build();
    let (mut solver, [x, y, product]) = session(&mut pool, settings);
    let free = pool.symbol("free", Sort::BOOL);
    // Products of two primes, and primes that are products of no two words.
    let composite = [5003 * 7919, 6007 * 8089, 4099 * 5179, 8161 * 8167, 4261 * 7507];
    let prime = [39_916_801, 48_660_151, 21_233_753, 66_649_301, 31_987_987];
    for (position, value) in composite.into_iter().chain(prime).enumerate() {
        let is_prime = position >= composite.len();
        let value = pool.bv_u64(value, 26);
        let equation = pool.mk(Op::Eq, &[product, value]);
        let ordered = pool.mk(Op::BvUle, &[x, y]);
        solver.push(1).unwrap();
        if position % 2 == 0 {
            solver.assert_tracked(&pool, equation).unwrap();
        } else {
            solver.assert(&pool, equation).unwrap();
        }
        let result = solver.check_assuming(&mut pool, &[free, ordered]).unwrap();
        if is_prime {
            assert_eq!(result, CheckResult::Unsat);
            assert_eq!(solver.unsat_core().unwrap(), if position % 2 == 0 { &[0][..] } else { &[] });
            assert!(!solver.unsat_assumptions().unwrap().contains(&0), "it has nothing to do with it");
        } else {
            assert_eq!(result, CheckResult::Sat);
            let assignment = solver.model().unwrap().assignment();
            for formula in [equation, ordered, free] {
                assert!(eval(&pool, formula, assignment).expect_bool());
            }
        }
        solver.pop(1).unwrap();
        assert_eq!(solver.check(&mut pool), Ok(CheckResult::Sat), "what a level contradicts goes with it");
    }
    assert_eq!(solver.statistics(&pool).checks, 21);
}

#[test]
fn what_a_level_hides_is_seen_by_one_that_has_no_past() {
    let mut pool = Pool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::bitvec(16).unwrap()));
    let sum = pool.mk(Op::BvAdd, &[x, y]);
    let square = pool.mk(Op::BvMul, &[sum, sum]);
    let equal = pool.mk(Op::Eq, &[square, z]);
    let differs = pool.mk(Op::Not, &[equal]);
    let [xx, xy, yy] = [[x, x], [x, y], [y, y]].map(|factors| pool.mk(Op::BvMul, &factors));
    let multiplied_out = pool.mk(Op::BvAdd, &[xx, xy, xy, yy]);
    let is_square = pool.mk(Op::Eq, &[z, multiplied_out]);
    let free = pool.symbol("free", Sort::BOOL);
    let mut solver = Solver::new(Settings::builder().afresh_after(10).build());
    solver.assert(&pool, differs).unwrap();
    assert_eq!(solver.check(&mut pool), Ok(CheckResult::Sat));
    assert_eq!(solver.check_assuming(&mut pool, &[is_square]), Ok(CheckResult::Unsat));
    assert_eq!(solver.unsat_assumptions(), Some(&[0][..]));
    assert_eq!(solver.statistics(&pool).asked_afresh, 1);
    solver.push(1).unwrap();
    solver.assert(&pool, is_square).unwrap();
    assert_eq!(solver.check_assuming(&mut pool, &[free]), Ok(CheckResult::Unsat));
    assert_eq!(solver.unsat_assumptions(), Some(&[][..]));
    assert_eq!(solver.statistics(&pool).asked_afresh, 2);
    solver.pop(1).unwrap();
    assert_eq!(solver.check_assuming(&mut pool, &[free]), Ok(CheckResult::Sat));
}

#[test]
fn a_limit_of_conflicts_is_one_of_all_searches_together() {
    let mut pool = Pool::new();
    let settings = Settings::builder().afresh_after(10).conflict_limit(300).build();
    let (mut solver, [.., product]) = session(&mut pool, settings);
    let conflicts = |solver: &Solver, pool: &Pool| solver.statistics(pool).sat.and_then(|sat| sat.conflicts);
    let before = conflicts(&solver, &pool).unwrap_or(0);
    let prime = pool.bv_u64(39_916_801, 26);
    let equation = pool.mk(Op::Eq, &[product, prime]);
    solver.assert(&pool, equation).unwrap();
    assert!(matches!(solver.check(&mut pool), Ok(CheckResult::Unknown(_))));
    let spent = conflicts(&solver, &pool).unwrap() - before;
    assert!((300..330).contains(&spent), "{spent}");
}
