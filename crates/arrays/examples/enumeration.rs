//! Arrays for a solver that has none: here one that tries all values of words of two bits.
//! `cargo run -p bivalve-arrays --example enumeration`

#![allow(clippy::print_stdout, reason = "an example that speaks")]

use bivalve_arrays::ArrayRefiner;
use bivalve_limits::Deadline;
use bivalve_refine::{ModelView, Refinement, Refiners};
use bivalve_terms::{BitVec, Context, ExprError, Op, Pool, Term, Value, cone};
use std::collections::BTreeMap;

/// Values of the leaves that make the clauses true. A read is a leaf, too: this solver knows no arrays.
fn model(pool: &mut Pool, clauses: &[Vec<(Term, bool)>]) -> Option<BTreeMap<Term, Value>> {
    let roots: Vec<Term> = clauses.iter().flatten().map(|literal| literal.0).collect();
    let mut leaves = cone(pool, &roots);
    leaves.retain(|&term| pool.width(term).is_some() && matches!(pool.op(term), Op::Symbol | Op::Select));
    let word = |number: u64, at: usize| BitVec::from_u64(number >> (2 * at) & 3, 2).into();
    let model = |number| leaves.iter().enumerate().map(|(at, &leaf)| (leaf, word(number, at))).collect();
    (0..1 << (2 * leaves.len())).map(model).find(|model: &BTreeMap<Term, Value>| {
        ModelView::new(&mut |_: &Pool, term| model.get(&term).cloned()).read(pool, |values| {
            let mut holds = |&(term, sign): &(Term, bool)| values.eval(term).as_bool() == Some(sign);
            clauses.iter().all(|clause| clause.iter().any(&mut holds))
        })
    })
}

fn decide(pool: &mut Pool, formula: Term) -> String {
    let mut refiners = Refiners::new(vec![Box::new(ArrayRefiner::default())]);
    let formula = refiners.abstracted(pool, formula, &Deadline::unlimited()).expect("no limit");
    refiners.take_in(pool, formula);
    let mut clauses = vec![vec![(formula, true)]];
    while let Some(model) = model(pool, &clauses) {
        let mut leaves = |_: &Pool, term| model.get(&term).cloned();
        match refiners.check(pool, &mut leaves, &Deadline::unlimited()) {
            Refinement::Lemmas(lemmas) => clauses.extend(lemmas.into_iter().map(|lemma| lemma.literals)),
            _ => return format!("sat, lemmas: {}", clauses.len() - 1),
        }
    }
    format!("unsat, lemmas: {}", clauses.len() - 1)
}

fn report() -> Result<String, ExprError> {
    let ctx = Context::new();
    let (a, [i, j, x]) = (ctx.array_symbol("a", 2, 2), ["i", "j", "x"].map(|name| ctx.bv_symbol(name, 2)));
    let changed = a.store(&i, &x).select(&j).distinct(a.select(&j));
    let elsewhere = &changed & i.distinct(&j);
    let answers = [changed.term()?, elsewhere.term()?].map(|term| ctx.with_pool(|pool| decide(pool, term)));
    Ok(format!("{changed}: {}\n{elsewhere}: {}\n", answers[0], answers[1]))
}

fn main() -> Result<(), ExprError> {
    print!("{}", report()?);
    Ok(())
}

#[test]
fn it_prints_what_the_page_shows() {
    assert!(include_str!("../README.md").contains(&report().unwrap()), "{}", report().unwrap());
}
