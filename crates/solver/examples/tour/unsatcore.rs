//! Unsat cores: which tracked assertions contradict each other.

use bivalve::{Bivalve, CheckResult, Context, Settings};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let (x, y, z) = (ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 8), ctx.bv_symbol("z", 8));
    let settings = Settings::builder().minimize_core(true).build();
    let mut solver = Bivalve::with_settings(&ctx, settings);
    let formulas = [x.ult(&y), y.ult(&z), z.ult(16), z.ugt(x.bvor(&y) | 0x0f), x.ugt(3)];
    for formula in &formulas {
        solver.assert_tracked(formula)?;
    }
    assert_eq!(solver.check()?, CheckResult::Unsat);
    let core = solver.unsat_core()?;
    println!("{} of {} assertions are contradictory:", core.len(), formulas.len());
    core.iter().for_each(|formula| println!("  {formula}"));
    assert_eq!(core, [formulas[2].clone(), formulas[3].clone()]);
    Ok(())
}
