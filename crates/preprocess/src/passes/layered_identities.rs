//! Identities of many layers ([`bivalve_algebra::layers`]): equations below the conjuncts whose sides are
//! always the same, as those of a loop that chooses between two states and multiplies by a quotient.
//!
//! Asserted equations may be used for it, as long as they have no equation in them that is decided. Cost: a
//! budget of monomials.

#[cfg(test)]
mod tests;

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_algebra::expansion::{Opened, WordPolynomial};
use bivalve_algebra::layers::{BUDGET, Places, Planner, PoolTerms, Rule, candidates};
use bivalve_terms::{Op, Pool, Term, TermSet};

/// So many asserted equations are used.
const MOST_RULES: usize = 16;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let candidates = candidates(pool, problem.cone(pool), problem.conjuncts);
    if candidates.is_empty() {
        return None;
    }
    let rules = rules(pool, problem, &candidates);
    let (mut terms, mut steps, mut shown) = (PoolTerms(pool), BUDGET, vec![]);
    let mut places = Places::new(&terms, &candidates);
    for &candidate in candidates.iter().rev() {
        if !problem.deadline.step(1) || steps == 0 {
            break;
        }
        let &[a, b] = terms.0.args(candidate) else { continue };
        if Planner::new(&mut terms, &mut places, &rules, &mut steps).plan([a, b]).is_some() {
            shown.push(candidate);
        }
    }
    if shown.is_empty() {
        return None;
    }
    let because = if rules.is_empty() { Reason::Layers } else { Reason::Unshown };
    let decided = |equation| Change::new(equation, pool.bool(true), because.clone());
    Some(shown.into_iter().map(decided).collect())
}

/// What asserted equations say of monomials. Such an equation has no candidate in it, so that none is shown
/// by itself.
fn rules(pool: &mut Pool, problem: &Problem<'_>, candidates: &[Term]) -> Vec<Rule<Term>> {
    let mut rules = vec![];
    let mut has_candidate = TermSet::new();
    candidates.iter().for_each(|&candidate| {
        has_candidate.insert(candidate);
    });
    for &term in problem.cone(pool) {
        if pool.args(term).iter().any(|&arg| has_candidate.contains(arg)) {
            has_candidate.insert(term);
        }
    }
    for &conjunct in problem.conjuncts.iter().filter(|&&conjunct| !has_candidate.contains(conjunct)) {
        let (Op::Eq, &[a, b]) = (pool.op(conjunct), pool.args(conjunct)) else { continue };
        if pool.width(a).is_none() || rules.len() == MOST_RULES {
            continue;
        }
        let (sides, mut budget) = ([a, b], BUDGET);
        let difference =
            WordPolynomial::difference(pool, sides, Opened::Arithmetic, &mut budget, problem.deadline);
        rules.extend(difference.and_then(|difference| Rule::of(&difference)));
    }
    rules
}
