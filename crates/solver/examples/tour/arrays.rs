//! Arrays: reads, writes, constant arrays, equality, and the lemmas that were learned.

use bivalve::{Bivalve, CheckResult, Context, Settings};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) fn run() -> crate::Outcome {
    let ctx = Context::new();
    let (a, i, j) = (ctx.array_symbol("a", 16, 8), ctx.bv_symbol("i", 16), ctx.bv_symbol("j", 16));
    let lemmas = Rc::new(RefCell::new(vec![]));
    let mut solver = Bivalve::with_settings(&ctx, Settings::builder().rewrite_level(0).probe(false).build());
    let log = lemmas.clone();
    solver.on_lemma(move |pool, lemma| {
        let literal = |&(atom, value)| format!("{}{}", if value { "" } else { "not " }, pool.display(atom));
        log.borrow_mut().push(lemma.literals.iter().map(literal).collect::<Vec<_>>().join(" or "));
    });

    // Writes at different places commute.
    let (left, right) = (a.store(&i, 1).store(&j, 2), a.store(&j, 2).store(&i, 1));
    let mut check = |formulas: &[&bivalve::Expr]| solver.check_assuming(formulas.iter().copied());
    let differ = left.distinct(&right);
    assert_eq!(check(&[&differ, &i.distinct(&j)])?, CheckResult::Unsat);
    assert_eq!(check(&[&differ])?, CheckResult::Sat);
    // An array that is zero everywhere but at one place.
    let zeros = ctx.const_array(a.sort()?, 0);
    assert_eq!(check(&[&a.equals(zeros.store(7, 1)), &a.select(&i).distinct(0)])?, CheckResult::Sat);
    let model = solver.model()?;
    println!("i = {}, a = {}", model.value(&i)?, model.value(&a)?);
    assert_eq!(
        (model.value(&i)?.to_u64(), model.constant(&a).to_string().matches("store").count()),
        (Some(7), 1)
    );
    lemmas.borrow().iter().for_each(|lemma| println!("lemma: {lemma}"));
    assert!(!lemmas.borrow().is_empty());
    Ok(())
}
