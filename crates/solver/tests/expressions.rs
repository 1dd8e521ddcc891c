//! The solver over expressions: every mistake comes back as an error, and changes nothing.

use bivalve::{AssertError, Bivalve, CheckLimits, CheckResult, Context, Error, Settings, Why};

#[test]
fn mistakes_are_errors_and_change_nothing() {
    let (ctx, other) = (Context::new(), Context::new());
    let (x, y) = (ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 9));
    let mut solver = Bivalve::new(&ctx);
    assert!(matches!(solver.assert(&x.ult(&y)), Err(Error::Expr(_))));
    assert!(matches!(solver.assert_tracked(&x.equals(256)), Err(Error::Expr(_))));
    assert_eq!(solver.assert(&x), Err(Error::Assert(AssertError::NotBoolean)));
    assert_eq!(solver.assert(&other.bool(true)), Err(Error::OtherContext));
    assert!(matches!(solver.check_assuming([&x]), Err(Error::Check(_))));
    assert!(matches!(solver.check_assuming([&x.ult(&y)]), Err(Error::Expr(_))));
    assert!(matches!(solver.pop(1), Err(Error::Level(_))));
    assert!(solver.assertions().is_empty());
    assert_eq!((solver.model().err(), solver.unsat_core()), (Some(Error::NoModel), Err(Error::NoCore)));
    assert_eq!(solver.check(), Ok(CheckResult::Sat));
    let model = solver.model().unwrap();
    assert_eq!(model.value(&other.bool(true)), Err(Error::OtherContext));
    assert!(matches!(model.value(&x.ult(&y)), Err(Error::Expr(_))));
    assert_eq!(solver.unsat_assumptions(), Err(Error::NoCore));
}

/// The assumptions of a refused check once took the place of those that the last answer was about, so that
/// the wrong ones were reported as failed, or the position of one was beyond their end.
#[test]
fn a_refused_check_leaves_the_last_answer() {
    let ctx = Context::new();
    let ([p, q], x) = (["p", "q"].map(|name| ctx.bool_symbol(name)), ctx.bv_symbol("x", 8));
    let mut solver = Bivalve::new(&ctx);
    solver.assert(&!(&p & &q)).unwrap();
    assert_eq!(solver.check_assuming([&p, &q]), Ok(CheckResult::Unsat));
    assert!(matches!(solver.check_assuming([&x]), Err(Error::Check(_))));
    assert_eq!(solver.unsat_assumptions(), Ok(vec![p, q]));
}

#[test]
fn all_of_some_formulas_are_asserted_or_none() {
    let ctx = Context::new();
    let (p, x) = (ctx.bool_symbol("p"), ctx.bv_symbol("x", 8));
    let mut solver = Bivalve::new(&ctx);
    assert_eq!(solver.assert_all([&p, &x]), Err(Error::Assert(AssertError::NotBoolean)));
    assert!(solver.assertions().is_empty());
    solver.assert_all([&p, &!&p]).unwrap();
    assert_eq!(solver.assertions(), [p.clone(), !p]);
}

/// A copy of the settings once went stale when the solver below got others, and replaced them after a check
/// with limits.
#[test]
fn settings_of_the_solver_below_stay_after_a_check_with_limits() {
    let mut solver = Bivalve::new(&Context::new());
    let settings = Settings::builder().seed(7).conflict_limit(5).build();
    solver.solver_mut().set_settings(settings.clone());
    solver.check_within(CheckLimits::new().conflicts(1).gates(10), []).unwrap();
    assert_eq!(solver.settings(), &settings);
}

/// The second callback once was ignored without a word.
#[test]
fn the_last_termination_callback_is_asked() {
    let ctx = Context::new();
    let mut solver = Bivalve::with_settings(&ctx, Settings::builder().probe(false).build());
    solver.assert(&ctx.bv_symbol("x", 8).ugt(1)).unwrap();
    solver.on_terminate(|| true);
    assert_eq!(solver.check(), Ok(CheckResult::Unknown(Why::Interrupted)));
    assert_eq!(solver.solver_mut().why_unknown(), Some(Why::Interrupted));
    solver.on_terminate(|| false);
    assert_eq!(solver.check(), Ok(CheckResult::Sat));
    assert_eq!(solver.solver_mut().why_unknown(), None);
}

#[test]
fn all_models_are_found_by_excluding_the_last() {
    let ctx = Context::new();
    let (x, a) = (ctx.bv_symbol("x", 4), ctx.array_symbol("a", 1, 1));
    let mut solver = Bivalve::new(&ctx);
    solver.assert(&x.ult(3)).unwrap();
    let mut seen = vec![];
    while solver.check() == Ok(CheckResult::Sat) {
        let model = solver.model().unwrap();
        let is_same = x.equals(model.constant(&x)) & a.equals(model.constant(&a));
        seen.push(is_same.to_string());
        solver.assert(&!is_same).unwrap();
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 3 * 4);
}

#[test]
fn a_limit_holds_for_one_check() {
    let ctx = Context::new();
    let [x, y] = ["x", "y"].map(|name| ctx.bv_symbol(name, 24));
    let settings = Settings::builder().rewrite_level(0).probe(false).build();
    let mut solver = Bivalve::with_settings(&ctx, settings);
    // A product of two primes of twelve bits.
    solver
        .assert(&((&x * &y).equals(3299 * 3691) & x.ult(4096) & y.ult(4096) & x.ugt(1) & x.ult(&y)))
        .unwrap();
    assert_eq!(solver.check_within(CheckLimits::new().gates(10), []), Ok(CheckResult::Unknown(Why::Budget)));
    assert_eq!(
        solver.check_within(CheckLimits::new().conflicts(1), []),
        Ok(CheckResult::Unknown(Why::Budget))
    );
    assert_eq!(solver.check(), Ok(CheckResult::Sat));
    let model = solver.model().unwrap();
    assert_eq!([&x, &y].map(|factor| model.value(factor).unwrap().to_u64()), [Some(3299), Some(3691)]);
}

#[test]
fn progress_is_reported_on_the_way() {
    let ctx = Context::new();
    let x = ctx.bv_symbol("x", 16);
    let settings = Settings::builder().rewrite_level(0).probe(false).build();
    let mut solver = Bivalve::with_settings(&ctx, settings);
    let lines = std::sync::Arc::new(std::sync::Mutex::new(vec![]));
    let log = lines.clone();
    solver.on_progress(move |progress| log.lock().unwrap().push(progress.to_string()));
    solver.assert(&(&x * &x).equals(0x1ae9)).unwrap();
    assert_eq!(solver.check(), Ok(CheckResult::Sat));
    let lines = lines.lock().unwrap();
    assert!(lines.iter().any(|line| line.starts_with("searching: ")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("idle"));
}
