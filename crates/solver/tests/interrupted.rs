//! A check may be stopped anywhere, and the next one is answered as if it had not been.
//!
//! The stop flag is asked at places that depend on steps alone, so a run can be stopped at each of them in
//! turn. The formulas need lemmas of all kinds about arithmetic, circuits among them: a lemma that a stopped
//! check made and did not add must come again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Op, Pool, Sort};
use bivalve::{Bivalve, CheckResult, Context, Expr, Settings, Solver, Why};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Formulas that no assignment satisfies, or only a few do, and what the answer is.
fn problems(ctx: &Context) -> Vec<(Vec<Expr>, CheckResult)> {
    let symbols = |names: [&str; 2], width| names.map(|name| ctx.bv_symbol(name, width));
    let [a, b] = symbols(["a", "b"], 16);
    // 251 is prime, and both factors are between 2 and 255.
    let small = |x: &Expr| x.ugt(1) & x.ult(256);
    let prime = vec![(&a * &b).equals(251), small(&a), small(&b)];
    let [c, d] = symbols(["c", "d"], 16);
    let composite = vec![(&c * &d).equals(253), small(&c), small(&d), c.ult(&d)];
    let [x, y] = symbols(["x", "y"], 12);
    let quotient = vec![x.udiv(&y).equals(7), x.urem(&y).equals(5), y.ugt(40), (&x * &y).equals(0x3a1)];
    vec![(prime, CheckResult::Unsat), (composite, CheckResult::Sat), (quotient, CheckResult::Unsat)]
}

/// A solver with these assertions whose stop flag is asked by a counter; it is raised at question `at`.
fn solver(ctx: &Context, settings: &Settings, assertions: &[Expr], at: u64) -> (Bivalve, Arc<AtomicU64>) {
    let mut solver = Bivalve::with_settings(ctx, settings.clone());
    assertions.iter().for_each(|assertion| solver.assert(assertion).unwrap());
    let questions = Arc::new(AtomicU64::new(0));
    let counter = questions.clone();
    solver.stop_handle().ask(move || counter.fetch_add(1, Ordering::Relaxed) == at);
    (solver, questions)
}

#[test]
fn a_check_after_a_stopped_one_is_answered_as_ever() {
    let mut stopped = 0;
    for settings in [
        Settings::builder().abstract_from(1).rewrite_from(0).build(),
        Settings::builder().abstract_from(1).rewrite_level(0).probe(false).build(),
    ] {
        let ctx = Context::new();
        for (assertions, expected) in problems(&ctx) {
            let (mut whole, questions) = solver(&ctx, &settings, &assertions, u64::MAX);
            assert_eq!(whole.check().unwrap(), expected);
            let questions = questions.load(Ordering::Relaxed);
            let stride = (questions / 150).max(1);
            for at in (0..questions).step_by(usize::try_from(stride).unwrap()) {
                let (mut solver, _) = solver(&ctx, &settings, &assertions, at);
                let first = solver.check().unwrap();
                stopped += u32::from(first != expected);
                assert!(first == expected || matches!(first, CheckResult::Unknown(_)), "at {at}: {first:?}");
                let second = solver.check().unwrap_or_else(|fault| panic!("at {at}: {fault}"));
                assert_eq!(second, expected, "at {at} of {questions}");
            }
        }
    }
    assert!(stopped > 100, "{stopped}");
}

/// A stop flag that is raised ends a check also where the model of the check before would do.
#[test]
fn a_stopped_check_takes_no_model_of_an_earlier_one() {
    let ctx = Context::new();
    let mut solver = Bivalve::new(&ctx);
    let x = ctx.bv_symbol("x", 8);
    solver.assert(&x.equals(7)).unwrap();
    assert_eq!(solver.check().unwrap(), CheckResult::Sat);
    solver.stop_handle().stop(Why::Interrupted);
    assert_eq!(solver.check().unwrap(), CheckResult::Unknown(Why::Interrupted));
    solver.stop_handle().reset();
    assert_eq!(solver.check().unwrap(), CheckResult::Sat);
}

/// A search that went on after a limit of 300 conflicts took 169,474 more to a model that a fresh one finds
/// after 1,020, before certificates took their short check back.
#[test]
fn a_first_check_that_is_taken_back_leaves_no_trace() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(20).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, word));
    let (product, target) = (pool.bvmul(x, y).unwrap(), pool.bv_u64(1009 * 1013, 20));
    let (high, low) = (pool.bv_u64(1, 20), pool.bv_u64(1024, 20));
    let assertions = [
        pool.eq(product, target).unwrap(),
        pool.bvult(high, x).unwrap(),
        pool.bvult(x, y).unwrap(),
        pool.bvult(y, low).unwrap(),
    ];
    let settings = Settings::builder().probe(false).lemmas_first(0).rewrite_level(0).build();
    let fresh = |pool: &mut Pool, settings: &Settings| {
        let mut solver = Solver::new(settings.clone());
        assertions.iter().for_each(|&assertion| solver.assert(pool, assertion).unwrap());
        solver
    };
    let count = |solver: &Solver, pool: &Pool| {
        let statistics = solver.statistics(pool);
        (statistics.checks, statistics.sat.and_then(|sat| sat.conflicts).unwrap())
    };
    let mut whole = fresh(&mut pool, &settings);
    assert_eq!(whole.check(&mut pool).unwrap(), CheckResult::Sat);
    let (checks, conflicts) = count(&whole, &pool);
    let limited = settings.to_builder().conflict_limit(5).build();
    let mut solver = fresh(&mut pool, &limited);
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Unknown(Why::Budget));
    let (_, before) = count(&solver, &pool);
    solver.take_back_first_check();
    solver.set_settings(settings);
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
    assert_eq!(count(&solver, &pool), (checks, before + conflicts), "{conflicts}");
    for symbol in [x, y] {
        let [one, other] =
            [&mut whole, &mut solver].map(|solver| solver.model().unwrap().value(&pool, symbol).clone());
        assert_eq!(one, other);
    }
    // A later check has others before it, which it must not lose.
    solver.check(&mut pool).unwrap();
    solver.take_back_first_check();
    assert_eq!(count(&solver, &pool).0, 2);
}

/// Pigeons and holes for them; that each pigeon has a hole is tracked.
fn pigeons(pool: &mut Pool, solver: &mut Solver, pigeons: usize, holes: usize) {
    let place = |pool: &mut Pool, pigeon, hole| pool.symbol(&format!("p{pigeon}-{hole}"), Sort::BOOL);
    let places: Vec<Vec<_>> =
        (0..pigeons).map(|pigeon| (0..holes).map(|hole| place(pool, pigeon, hole)).collect()).collect();
    for (number, row) in places.iter().enumerate() {
        let somewhere = pool.mk(Op::Or, row);
        solver.assert_tracked(pool, somewhere).unwrap();
        for other in &places[..number] {
            for (&one, &two) in row.iter().zip(other) {
                let both = pool.and(one, two).unwrap();
                let not_both = pool.not(both).unwrap();
                solver.assert(pool, not_both).unwrap();
            }
        }
    }
}

/// Each search for a smaller core once had the limit of the whole check: of ten pigeons in six holes, 2,000
/// conflicts were 4,136.
#[test]
fn a_limit_of_conflicts_is_one_of_all_searches_of_a_check() {
    let run = |limit| {
        let settings = Settings::builder().minimize_core(true).conflict_limit(limit).build();
        let (mut pool, mut solver) = (Pool::new(), Solver::new(settings));
        pigeons(&mut pool, &mut solver, 10, 6);
        let answer = solver.check(&mut pool).unwrap();
        let conflicts = solver.statistics(&pool).sat.and_then(|sat| sat.conflicts).unwrap();
        (answer, conflicts, solver.unsat_core().map_or(0, <[usize]>::len))
    };
    let (answer, all, least) = run(None);
    assert_eq!((answer, least), (CheckResult::Unsat, 7));
    let mut larger = 0;
    for limit in (1..10).map(|tenths| all * tenths / 10) {
        let (answer, conflicts, core) = run(Some(limit));
        // Limits are kept to within a few steps.
        assert!(conflicts <= limit + 10, "{conflicts} of {limit}, without a limit {all}");
        larger += u32::from(answer == CheckResult::Unsat && core > least);
    }
    assert!(larger > 0, "a core is known before it is minimal");
}

/// A check without assumptions once was another one than a check with an empty list of them: only the second
/// prepared the SAT solver for a session.
#[test]
fn an_empty_list_of_assumptions_is_none() {
    let run = |check: fn(&mut Solver, &mut Pool) -> CheckResult| {
        let (mut pool, mut solver) = (Pool::new(), Solver::new(Settings::default()));
        solver.push(1).unwrap();
        pigeons(&mut pool, &mut solver, 7, 6);
        assert_eq!(check(&mut solver, &mut pool), CheckResult::Unsat);
        format!("{:?}", solver.statistics(&pool))
    };
    let plain = run(|solver, pool| solver.check(pool).unwrap());
    assert_eq!(plain, run(|solver, pool| solver.check_assuming(pool, &[]).unwrap()));
}
