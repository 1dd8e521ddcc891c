//! Reset: a solver begins again; terms live in the context and stay.

use bivalve::{Bivalve, CheckResult, Context, Settings};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let x = ctx.bv_symbol("x", 8);
    let mut solver = Bivalve::with_settings(&ctx, Settings::builder().small_models(true).build());
    solver.push(2)?;
    solver.assert(&x.ult(&x))?;
    assert_eq!(solver.check()?, CheckResult::Unsat);
    solver.reset();
    assert!(solver.assertions().is_empty() && solver.pop(1).is_err());
    solver.assert(&x.ugt(200))?;
    assert_eq!(solver.check()?, CheckResult::Sat);
    println!("x = {}", solver.model()?.value(&x)?);
    Ok(())
}
