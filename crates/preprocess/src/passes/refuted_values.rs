//! Refuted values: a symbol does not have a value with which everything would be false.
//!
//! `(bvudiv s s)` is 1, unless `s` is zero; such an exception hides every law about the rest. Where the
//! exception alone makes the conjuncts false, by rewriting and multiplying out, it is out of the question,
//! and what it hides can be seen. Values are tried that a condition of a choice compares a symbol with, zero
//! for a divisor, and both truth values of a symbol that is a condition.
//!
//! Why it is correct: what is asserted follows from the conjuncts. It is a failed literal (Freeman 1995), of
//! words and with rewriting for propagation. Cost: the formula is rewritten for each value; only small
//! formulas, and [`MOST_VALUES`] values.

use super::identities;
use crate::change::{Change, Reason};
use crate::problem::{Problem, Tables};
use bivalve_rewrite::{Level, Rewriter, make};
use bivalve_terms::{Op, Pool, Term, TermSet};

/// Terms that the formula may have.
const MOST_TERMS: usize = 400;

/// Values that are tried.
const MOST_VALUES: usize = 16;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    if problem.cone(pool).len() > MOST_TERMS {
        return None;
    }
    let mut added = vec![];
    let mut rewriter = Rewriter::new(Level::Local);
    for (symbol, value) in candidates(pool, problem) {
        let equation = make::eq(pool, symbol, value);
        let negated = make::not(pool, equation);
        if !problem.conjuncts.contains(&negated) && is_refuted(pool, problem, &mut rewriter, (symbol, value))?
        {
            added.push(Change::added(negated, Reason::Unshown));
        }
    }
    (!added.is_empty()).then_some(added)
}

/// Symbols with values that matter: of conditions of choices, and of divisors.
fn candidates(pool: &mut Pool, problem: &Problem<'_>) -> Vec<(Term, Term)> {
    let mut found = vec![];
    for &term in problem.cone(pool) {
        match (pool.op(term), pool.args(term)) {
            (Op::Ite, &[condition, ..]) => match (pool.op(condition), pool.args(condition)) {
                (Op::Symbol, _) => found.extend([true, false].map(|value| (condition, pool.bool(value)))),
                (Op::Eq, &[a, b]) => found.extend([(a, b), (b, a)]),
                _ => {}
            },
            (Op::BvUdiv | Op::BvUrem, &[_, divisor]) => {
                let width = pool.width(divisor).expect("divisors are words");
                found.push((divisor, make::zeros(pool, width)));
            }
            _ => {}
        }
    }
    found.retain(|&(symbol, value)| pool.op(symbol) == Op::Symbol && pool.is_const(value));
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST_VALUES);
    found
}

/// Are the conjuncts false with this value of the symbol? `None` if there is no time to know.
fn is_refuted(
    pool: &mut Pool,
    problem: &Problem<'_>,
    rewriter: &mut Rewriter,
    case: (Term, Term),
) -> Option<bool> {
    let assumed = Change::unshown(case.0, case.1);
    let mut with = problem.changed(pool, &[assumed])?;
    with.iter_mut().for_each(|conjunct| *conjunct = rewriter.rewrite(pool, *conjunct));
    let (frozen, tables) = (TermSet::new(), Tables::default());
    let inner = Problem::new(&with, &frozen, &tables, problem.deadline);
    let decided = identities::run(pool, &inner).and_then(|changes| inner.changed(pool, &changes));
    if let Some(decided) = decided {
        with = decided.into_iter().map(|conjunct| rewriter.rewrite(pool, conjunct)).collect();
    }
    Some(with.contains(&pool.bool(false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{alone, check};
    use bivalve_terms::Sort;

    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial| {
            let (x, y) = (trial.symbol(), trial.symbol());
            let (constant, sum) = (trial.constant(pool), trial.sum(pool, 1));
            let quotient = pool.mk(Op::BvUdiv, &[sum, x]);
            let one = pool.mk(Op::Eq, &[x, constant]);
            let chosen = pool.mk(Op::Ite, &[one, quotient, y]);
            let other = trial.sum(pool, 1);
            let op = [Op::Eq, Op::BvUlt, Op::BvUle][trial.number(3) as usize];
            vec![pool.mk(op, &[chosen, other]), trial.comparison(pool)]
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    #[test]
    fn a_divisor_is_not_zero() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(64).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let quotient = pool.mk(Op::BvUdiv, &[y, x]);
        let less = pool.mk(Op::BvUlt, &[quotient, y]);
        let less_than_all = pool.mk(Op::BvUlt, &[quotient, x]);
        let found = alone(run, &mut pool, &[less, less_than_all]).expect("something follows");
        let zero = pool.bv_u64(0, 64);
        let is_zero = make::eq(&mut pool, x, zero);
        assert!(found.contains(&make::not(&mut pool, is_zero)));
    }
}
