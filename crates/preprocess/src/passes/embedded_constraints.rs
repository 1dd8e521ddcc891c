//! Embedded-constraint propagation: what is asserted is true wherever else it occurs.
//!
//! A conjunct `c` makes every other occurrence of `c` true, `not c` makes `c` false, and `s = t` makes every
//! other occurrence of the greater side the lesser one, in an order in which constants come first, then
//! symbols, then all else by age. Conjuncts keep stating their facts: in `c` itself, and in the greater side
//! `t` of `s = t`, only what is strictly below is replaced.
//!
//! Why it is right: terms are greater than what is below them, so all that is replaced inside a fact is less
//! than the term that the fact replaces. The fact about it is still asserted, with replacements of its own
//! that are less still; so by induction all facts follow from what is left, and under all of them every
//! replacement keeps the value.
//!
//! For constants this is found in Boolector and Bitwuzla under this name, and for reads, `select(a, i) = t`,
//! it is the array substitution of STP (Ganesh and Dill, CAV 2007, section 4.1). For other terms it is
//! congruence: what is computed from equal terms becomes one term. Cost: one walk over the DAG below the
//! conjuncts.

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_terms::{Op, Pool, Term, TermSet};

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let uses = problem.uses(pool);
    // The first fact about a term counts, and the other ones are conjuncts like all.
    let (mut changes, mut known) = (vec![], TermSet::new());
    for &conjunct in problem.conjuncts {
        let (term, value) = fact(pool, conjunct);
        let is_elsewhere = uses.count(term) > 1 || uses.count(conjunct) > 1;
        if is_elsewhere && !pool.is_const(term) && known.insert(term) {
            changes.push(Change::new(term, value, Reason::Stated(conjunct)));
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// The term that a conjunct gives a value to, and this value.
fn fact(pool: &mut Pool, conjunct: Term) -> (Term, Term) {
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Not, &[below]) => (below, pool.bool(false)),
        (Op::Eq, &[a, b]) if rank(pool, a) < rank(pool, b) => (b, a),
        (Op::Eq, &[a, b]) if a != b => (a, b),
        _ => (conjunct, pool.bool(true)),
    }
}

/// Terms have a higher rank than all that is below them.
fn rank(pool: &Pool, term: Term) -> (u8, Term) {
    let kind = match pool.op(term) {
        _ if pool.is_const(term) => 0,
        Op::Symbol => 1,
        _ => 2,
    };
    (kind, term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use crate::passes::tests::{Trial, check};

    /// Facts that occur in other conjuncts, in several layers.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial: &mut Trial| {
            let mut conjuncts = vec![];
            for _ in 0..3 {
                let mut fact = trial.comparison(pool);
                if trial.chance(3) {
                    let [a, b] = [trial.sum(pool, 2), trial.sum(pool, 1)];
                    fact = pool.mk(Op::Eq, &[a, b]);
                }
                if let Some(&other) = conjuncts.last()
                    && trial.chance(2)
                {
                    let both = if trial.chance(2) { Op::Or } else { Op::Xor };
                    let more = trial.comparison(pool);
                    fact = pool.mk(both, &[other, fact]);
                    fact = pool.mk(Op::Ite, &[fact, more, other]);
                }
                conjuncts.push(fact);
            }
            conjuncts
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// `f = x` and `g = f` make one of a read at `f` and a read at `g`; the facts stay.
    #[test]
    fn equal_terms_become_one() {
        let mut pool = Pool::new();
        let byte = bivalve_terms::Sort::bitvec(8).expect("a legal width");
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, byte));
        let (f, g) = (pool.mk(Op::BvMul, &[x, y]), pool.mk(Op::BvMul, &[x, z]));
        let facts = [pool.mk(Op::Eq, &[g, f]), pool.mk(Op::Eq, &[f, x])];
        let [at_f, at_g] = [f, g].map(|term| pool.mk(Op::BvUdiv, &[y, term]));
        let user = pool.mk(Op::BvUlt, &[at_f, at_g]);
        let found = alone(run, &mut pool, &[facts[0], facts[1], user]).expect("both occur in the last");
        let at_x = pool.mk(Op::BvUdiv, &[y, x]);
        assert_eq!(found[2], pool.mk(Op::BvUlt, &[at_x, at_x]));
        assert_eq!(found[..2], [pool.mk(Op::Eq, &[g, x]), facts[1]]);
    }

    #[test]
    fn a_fact_does_not_erase_itself() {
        let mut pool = Pool::new();
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, bivalve_terms::Sort::BOOL));
        let both = pool.mk(Op::Xor, &[a, b]);
        let outer = pool.mk(Op::Implies, &[both, a]);
        let found = alone(run, &mut pool, &[both, outer]).expect("the first occurs in the second");
        assert_eq!(found[0], both);
        assert_ne!(found[1], outer);
        assert_eq!(alone(run, &mut pool, &[both, a]).map(|found| found[1]), Some(a));
        assert_eq!(alone(run, &mut pool, &[both]), None);
    }
}
