//! Reset of assertions: levels and formulas go; settings, callbacks and handles stay.

use bivalve::{Bivalve, CheckResult, Context, Why};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let x = ctx.bv_symbol("x", 8);
    let mut solver = Bivalve::new(&ctx);
    let stop = solver.stop_handle();
    solver.push(1)?;
    solver.assert(&(x.ult(5) & x.ugt(7)))?;
    assert_eq!(solver.check()?, CheckResult::Unsat);
    solver.reset_assertions();
    assert_eq!(solver.check()?, CheckResult::Sat);
    stop.stop(Why::Interrupted);
    solver.assert(&x.ult(5))?;
    assert_eq!(solver.check()?, CheckResult::Unknown(Why::Interrupted));
    stop.reset();
    assert_eq!(solver.check()?, CheckResult::Sat);
    println!("x = {}", solver.model()?.value(&x)?);
    Ok(())
}
