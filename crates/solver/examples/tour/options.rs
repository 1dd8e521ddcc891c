//! Settings by builder, by the names of the command line, and what is refused.

use bivalve::{Bivalve, CheckResult, Context, OPTIONS, Settings};

pub(crate) fn run() -> crate::Outcome {
    let settings = Settings::builder()
        .sat("batsat")?
        .rewrite_level(1)
        .small_models(true)
        .conflict_limit(100_000)
        .set("array-lemmas", "each")?
        .build();
    for row in OPTIONS {
        println!("--{} {}: {}", row.name, settings.get(row.name)?, row.help);
    }
    // A wrong name or value is an error where it is set, not where it is used.
    for refusal in [Settings::builder().sat("minisat").err(), Settings::builder().set("seed", "x").err()] {
        println!("{}", refusal.ok_or("it is refused")?);
    }

    let ctx = Context::new();
    let x = ctx.bv_symbol("x", 8);
    let mut solver = Bivalve::with_settings(&ctx, settings);
    solver.assert(&(&x * &x).equals(0x51))?;
    assert_eq!(solver.check()?, CheckResult::Sat);
    println!("a small root: {}", solver.model()?.value(&x)?);
    Ok(())
}
