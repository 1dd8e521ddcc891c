//! Sorts, terms, assertions, a check, and the values of a model.

use bivalve::{Bivalve, CheckResult, Context};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let (x, y) = (ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 8));
    let f = ctx.function("f", &[ctx.bv_sort(8)?, ctx.bv_sort(4)?], ctx.bv_sort(8)?);
    let a = ctx.array_symbol("a", 8, 8);

    let mut solver = Bivalve::new(&ctx);
    // x + 2 is less than y, and the sum does not wrap around.
    solver.assert(&(&x + 2).ult(&y))?;
    solver.assert(&!x.uadd_overflows(2))?;
    // a[x] = f(y, the low half of x), and y is even.
    solver.assert(&a.select(&x).equals(f.apply([&y, &x.extract(3, 0)])))?;
    solver.assert(&y.bit(0).equals(0))?;

    assert_eq!(solver.check()?, CheckResult::Sat);
    let model = solver.model()?;
    let (vx, vy) = (model.value(&x)?, model.value(&y)?);
    println!("x = {vx}, y = {vy:#x}, a[x] = {}", model.value(&a.select(&x))?);
    assert!(vx.to_u64() < vy.to_u64());
    print!("{model}");
    Ok(())
}
