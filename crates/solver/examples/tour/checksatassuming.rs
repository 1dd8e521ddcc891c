//! Assumptions: formulas that hold for one check only.

use bivalve::{Bivalve, CheckResult, Context};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let (o0, s0, s1) = (ctx.bv_symbol("o0", 1), ctx.bv_symbol("s0", 2), ctx.bv_symbol("s1", 2));
    let mut solver = Bivalve::new(&ctx);
    // A counter that begins at 0, steps by one, and raises o0 when it was at 3.
    solver.assert(&s0.equals(0))?;
    solver.assert(&s1.equals(&s0 + 1))?;
    solver.assert(&o0.equals(s1.equals(3).ite(&ctx.bv(1, 1), 0)))?;

    let raised = o0.equals(1);
    assert_eq!(solver.check_assuming([&raised])?, CheckResult::Unsat);
    assert_eq!(solver.check_assuming([&!&raised, &s1.equals(1)])?, CheckResult::Sat);
    assert_eq!(solver.check()?, CheckResult::Sat);
    println!("o0 cannot be raised after one step");
    Ok(())
}
