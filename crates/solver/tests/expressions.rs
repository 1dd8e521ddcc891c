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
