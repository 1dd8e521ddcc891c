//! A check may be stopped anywhere, and the next one is answered as if it had not been.
//!
//! The stop flag is asked at places that depend on steps alone, so a run can be stopped at each of them in
//! turn. The formulas need lemmas of all kinds about arithmetic, circuits among them: a lemma that a stopped
//! check made and did not add must come again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::{Bivalve, CheckResult, Context, Expr, Settings};
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
