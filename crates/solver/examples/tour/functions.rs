//! Uninterpreted functions and sorts.

use bivalve::terms::Sort;
use bivalve::{Bivalve, CheckResult, Context};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let state = ctx.declare_sort("State");
    let next = ctx.function("next", &[state], state);
    let (s, is_final) = (ctx.symbol("s", state), ctx.function("final", &[state], Sort::BOOL));
    // After five steps and after three the state is the same: so it is after one.
    let after = |steps: u32| (0..steps).fold(s.clone(), |state, _| next.apply([&state]));
    let mut solver = Bivalve::new(&ctx);
    solver.assert(&(after(5).equals(&s) & after(3).equals(&s)))?;
    assert_eq!(solver.check_assuming([&after(1).distinct(&s)])?, CheckResult::Unsat);
    solver.assert(&is_final.apply([&after(4)]))?;
    assert_eq!(solver.check_assuming([&!is_final.apply([&s])])?, CheckResult::Unsat);
    assert_eq!(solver.check()?, CheckResult::Sat);
    print!("{}", solver.model()?);
    println!("next: {}", solver.model()?.value(&next)?);
    Ok(())
}
