//! SMT-LIB text into a solver, and on from there by hand.

use bivalve::{Bivalve, CheckResult, Context};
use bivalve_formats::smtlib::Formulas;

const TEXT: &str = "(set-logic QF_BV)
    (declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16))
    (assert (= (bvmul a b) #x1ae9)) (assert (bvugt a #x0001)) (assert (bvult a #x0100)) (assert (bvult b #x0100))";

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let formulas = Formulas::read(&ctx, TEXT)?;
    let mut solver = Bivalve::new(&ctx);
    formulas.assertions.iter().try_for_each(|formula| solver.assert(formula))?;
    assert_eq!(solver.check()?, CheckResult::Sat);

    let a = formulas.symbol("a").ok_or("the script declares a")?;
    println!("a = {}", solver.model()?.value(a)?);
    assert_eq!(solver.check_assuming([&a.ugt(83)])?, CheckResult::Unsat);
    let refusal = Formulas::read(&ctx, "(assert (bvult a b))").err();
    println!("{}", refusal.ok_or("a is not declared in this text")?);
    Ok(())
}
