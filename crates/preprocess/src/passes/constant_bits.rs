//! Constant bits: what follows for single terms from all conjuncts together.
//!
//! All conjuncts are assumed to be true, and domains (`bivalve-domains`) are propagated down and up until
//! nothing changes: unit propagation on words, with backward propagation of constant bits. The results are
//! asserted: a term with one value left becomes an equation, a Boolean a conjunct, and a symbol with some
//! known bits the concatenation of constants and of fresh symbols for the rest. Substitution and embedded
//! constraints make use of what is asserted, and local rules fold what has become superfluous.
//!
//! Why it is correct: what is asserted follows from the conjuncts, and a symbol with known bits is such a
//! concatenation in each of their models, for one value of the fresh symbols, which occur nowhere else.
//!
//! Only what does not follow from the domains of the arguments is asserted. Cost: a few walks over the cone.

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_domains::{Analysis, Domain, width};
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term, TermSet};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let (terms, conjuncts) = (problem.cone(pool), problem.conjuncts);
    let Some(known) = Analysis::under(pool, terms, conjuncts, problem.deadline) else {
        return Some(Change::refutation(pool, Reason::Implied(Rc::from(conjuncts))));
    };
    if problem.deadline.is_over() {
        return None;
    }
    let asserted: FxHashSet<Term> = conjuncts.iter().copied().collect();
    // A symbol that is on one side of an equation has its pieces, or is eliminated by and by.
    let mut sides = TermSet::new();
    for &conjunct in conjuncts.iter().filter(|&&conjunct| pool.op(conjunct) == Op::Eq) {
        for &side in pool.args(conjunct) {
            sides.insert(side);
        }
    }
    let because = Reason::Implied(Rc::from(conjuncts));
    let mut new = vec![];
    for &term in terms {
        let Some(domain) = known.domain(term).filter(|_| !pool.is_const(term)) else { continue };
        let fact = match domain.value() {
            Some(value) => follows(pool, &known, term).then(|| (stated(pool, term, value), because.clone())),
            None if pool.op(term) == Op::Symbol && !problem.is_frozen(term) && !sides.contains(term) => {
                pieces(pool, term, domain).map(|pieces| (pieces, Reason::Fresh))
            }
            None => None,
        };
        let fact = fact.filter(|(fact, _)| !asserted.contains(fact));
        new.extend(fact.map(|(fact, because)| Change::added(fact, because)));
    }
    (!new.is_empty()).then_some(new)
}

/// Does the value follow from the conjuncts, and not from the arguments alone?
fn follows(pool: &Pool, known: &Analysis, term: Term) -> bool {
    let Some(width) = width(pool, term) else { return false };
    // The value of a complement follows from that of its operand.
    !matches!(pool.op(term), Op::Not | Op::BvNot)
        && known.transfer(pool, term, width).is_none_or(|domain| domain.value().is_none())
}

/// The conjunct that gives a term its value.
fn stated(pool: &mut Pool, term: Term, value: &BitVec) -> Term {
    if !pool.sort(term).is_bool() {
        let value = pool.bitvec(value);
        return make::eq(pool, value, term);
    }
    if value.lsb() { term } else { make::not(pool, term) }
}

/// The equation of a symbol with its known bits and fresh symbols for the rest, if some are known.
fn pieces(pool: &mut Pool, symbol: Term, domain: &Domain) -> Option<Term> {
    let (parts, _) = bivalve_domains::pieces(pool, symbol, domain)?;
    let parts: Vec<Option<Term>> = parts.into_iter().rev().map(Some).collect();
    let whole = make::concat(pool, &parts);
    Some(make::eq(pool, symbol, whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use crate::passes::tests::check_with_fresh;
    use bivalve_terms::Sort;

    /// What is asserted follows, whatever the fresh symbols, and excludes nothing.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check_with_fresh(run, 800, 1, |pool, trial| {
            let mut conjuncts = vec![];
            for _ in 0..2 + trial.number(3) {
                let (term, bound) = (trial.sum(pool, 1), trial.constant(pool));
                let op = [Op::BvUlt, Op::BvUgt, Op::Eq, Op::BvUle, Op::BvSlt][trial.number(5) as usize];
                let compared = pool.mk(op, &[term, bound]);
                let other = if trial.chance(2) { trial.bit(pool) } else { trial.comparison(pool) };
                let op = [Op::Or, Op::Implies, Op::And][trial.number(3) as usize];
                conjuncts.push(pool.mk(op, &[compared, other]));
            }
            conjuncts
        });
        assert!(changed > 200, "{changed} changed: too easy");
    }

    #[test]
    fn a_bounded_symbol_is_narrow() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::bitvec(16).expect("a legal width"));
        let bound = pool.bv_u64(40, 16);
        let small = pool.mk(Op::BvUlt, &[x, bound]);
        let found = alone(run, &mut pool, &[small]).expect("leading zeros are known");
        assert_eq!((found.len(), found[0]), (2, small));
        let whole = pool.args(found[1])[1];
        assert_eq!(pool.width(pool.args(whole)[1]), Some(6));
        // A symbol that is in use elsewhere keeps its bits.
        assert_eq!(crate::passes::tests::alone_frozen(run, &mut pool, &[small], &[x]), None);
    }
}
