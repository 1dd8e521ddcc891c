//! Text: terms, sorts, values and models in SMT-LIB syntax.

use bivalve::{Bivalve, CheckResult, Context};
use bivalve_formats::smtlib::print::{Script, script};

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let (x, a) = (ctx.bv_symbol("x", 8), ctx.array_symbol("|a b|", 8, 8));
    let square = &x * &x;
    let formula = a.store(&square, 1).select(&square + 1).ugt(&square);
    println!("{formula}");
    assert_eq!(square.to_string(), "(bvmul x x)");
    println!("sort of the array: {}", ctx.sort_text(a.sort()?));

    let mut solver = Bivalve::new(&ctx);
    solver.assert(&formula)?;
    solver.assert(&x.equals(3))?;
    assert_eq!(solver.check()?, CheckResult::Sat);
    let nine = solver.model()?.value(&square)?;
    println!("{nine} is {nine:#x} in hexadecimal and {:?} as a number", nine.to_u64());
    assert_eq!(format!("{nine} {nine:x}"), "#b00001001 09");
    print!("{}", solver.model()?);

    // A whole script, to be read by any solver.
    let assertions: Vec<_> =
        solver.assertions().iter().map(|formula| formula.term()).collect::<Result<_, _>>()?;
    print!(
        "{}",
        ctx.with_pool(|pool| script(pool, &Script { assertions: &assertions, ..Script::default() }))
    );
    Ok(())
}
