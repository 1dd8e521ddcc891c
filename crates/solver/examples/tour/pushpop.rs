//! Levels: what is asserted on one is gone when it is popped.

use bivalve::{Bivalve, CheckResult, Context};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let (s, b) = (ctx.bv_symbol("s", 32), ctx.bool_symbol("b"));
    let mut solver = Bivalve::new(&ctx);
    solver.assert(&b.implies(s.ult(5)))?;

    solver.push(1)?;
    solver.assert(&(&b & s.ugt(10)))?;
    assert_eq!(solver.check()?, CheckResult::Unsat);
    println!("b and s > 10: unsat");
    solver.pop(1)?;

    solver.push(1)?;
    solver.assert(&(&b & s.uge(4)))?;
    assert_eq!(solver.check()?, CheckResult::Sat);
    println!("b and s >= 4: sat, s = {}", solver.model()?.value(&s)?);
    solver.pop(1)?;
    println!("{}", solver.pop(1).err().ok_or("there is no level left")?);
    Ok(())
}
