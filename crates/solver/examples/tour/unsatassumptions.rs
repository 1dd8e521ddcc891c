//! Failed assumptions: which of them contradict the assertions.

use bivalve::{Bivalve, CheckResult, Context};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let (x, y) = (ctx.bv_symbol("x", 32), ctx.bv_symbol("y", 32));
    let mut solver = Bivalve::new(&ctx);
    solver.assert(&(&x & &y).equals(0))?;
    let assumptions = [x.bit(3).equals(1), x.ugt(1000), y.bit(3).equals(1), y.slt(0)];
    assert_eq!(solver.check_assuming(&assumptions)?, CheckResult::Unsat);
    let failed = solver.unsat_assumptions()?;
    failed.iter().for_each(|formula| println!("failed: {formula}"));
    assert_eq!(failed, [assumptions[0].clone(), assumptions[2].clone()]);
    Ok(())
}
