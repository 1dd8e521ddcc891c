//! Case splitting: a product or quotient of choices is related to the results of its cases, where those
//! exist.
//!
//! `bvudiv(ite(c, -s, s), t)` beside `bvudiv(-s, t)` and `bvudiv(s, t)` is a third divider that computes what
//! one of the two others has computed, and to find that out a solver has to prove dividers equal. This pass
//! asserts it: if `c`, the first result is the second one, otherwise the third one. A choice of choices has
//! more cases, over both operands. (Replacing the operation by the choice of the two results would be undone
//! by local rules, which find a divider to be saved there, since they do not see the other uses of the
//! results.)
//!
//! Signed division is a division of absolute values, which are choices by sign. The operators `bvsdiv`,
//! `bvsrem` and `bvsmod` are expressed so where an unsigned division of the same operands, up to their signs,
//! exists, or another signed one of which the same quotient or remainder is the size, as `-x / y` beside `x /
//! y`, and stay as they are otherwise.
//!
//! Why it pays: code that spells the four cases out and is compared with the operator (the axioms of these
//! operators, compilers' expansions) becomes a comparison of multiplexers over the same four quotients.
//! Without it, this takes Bitwuzla, Yices and Z3 more than 10 seconds from 16 bits on.
//!
//! Why it is correct: an operator over an if-then-else is the if-then-else of the operator; and the signed
//! operators are defined so (SMT-LIB, theory of fixed-size bit-vectors).
//!
//! Cost: a walk over the terms, and at most [`MOST_CHOICES`] cases of each operation.

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term, TermSet};
use rustc_hash::FxHashSet;

/// Operations on more choices than this, counted where they are met, are left alone.
const MOST_CHOICES: usize = 15;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let below = problem.cone(pool);
    let is_candidate = |&term: &Term| {
        !problem.is_frozen(term)
            && (is_signed(pool, term)
                || is_costly(pool, term) && pool.args(term).iter().any(|&arg| pool.op(arg) == Op::Ite))
    };
    if !below.iter().any(is_candidate) {
        return None;
    }
    let present = Present::of(pool, below);
    let mut clauses = vec![];
    for &term in below {
        if !problem.deadline.step(1) {
            return None;
        }
        if !problem.is_frozen(term) {
            clauses.extend(present.cases(pool, term));
        }
    }
    let mut changes = vec![];
    for &term in below.iter().filter(|&&term| !problem.is_frozen(term)) {
        changes.extend(present.unsigned(pool, term).map(|unsigned| Change::law(term, unsigned)));
    }
    changes.extend(clauses.into_iter().map(|clause| Change::added(clause, Reason::Law)));
    (!changes.is_empty()).then_some(changes)
}

/// Does it cost more than a few multiplexers?
fn is_costly(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvMul | Op::BvUdiv | Op::BvUrem) && pool.args(term).len() == 2
}

fn is_signed(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvSdiv | Op::BvSrem | Op::BvSmod)
}

/// The operations that are there.
struct Present {
    terms: TermSet,
    /// The operands, without their signs, of unsigned divisions, and of signed ones where two have the same
    /// quotient or remainder, but for its sign.
    divisions: FxHashSet<[Term; 2]>,
}

impl Present {
    fn of(pool: &Pool, below: &[Term]) -> Present {
        let mut present = Present { terms: TermSet::new(), divisions: FxHashSet::default() };
        for &term in below.iter().filter(|&&term| is_costly(pool, term)) {
            present.terms.insert(term);
            if pool.op(term) != Op::BvMul {
                present.divisions.insert(unsigned_operands(pool, term));
            }
        }
        let mut sizes = FxHashSet::default();
        for &term in below.iter().filter(|&&term| is_signed(pool, term)) {
            let operands = unsigned_operands(pool, term);
            if !sizes.insert((operands, pool.op(term) == Op::BvSdiv)) {
                present.divisions.insert(operands);
            }
        }
        present
    }

    /// A signed division as an unsigned one, if the like of it is there.
    fn unsigned(&self, pool: &mut Pool, term: Term) -> Option<Term> {
        let applies = is_signed(pool, term) && self.divisions.contains(&unsigned_operands(pool, term));
        applies.then(|| unsigned(pool, term))
    }

    /// What the results of an operation are in its cases, as clauses; none if one of the results is not
    /// there.
    fn cases(&self, pool: &mut Pool, term: Term) -> Vec<Term> {
        let op = pool.op(term);
        let &[a, b] = pool.args(term) else { return vec![] };
        if !is_costly(pool, term) || (pool.op(a) != Op::Ite && pool.op(b) != Op::Ite) {
            return vec![];
        }
        let mut choices = MOST_CHOICES;
        let mut todo = vec![(a, b, pool.bool(false))];
        let mut clauses = vec![];
        while let Some((a, b, unless)) = todo.pop() {
            let (condition, yes, no) = match (choice(pool, a), choice(pool, b)) {
                (Some((condition, yes, no)), _) => (condition, (yes, b), (no, b)),
                (None, Some((condition, yes, no))) => (condition, (a, yes), (a, no)),
                (None, None) => {
                    let result = make::app(pool, op, &[a, b]);
                    if !pool.is_const(result) && !self.terms.contains(result) {
                        return vec![];
                    }
                    let same = make::eq(pool, term, result);
                    clauses.push(make::app(pool, Op::Or, &[unless, same]));
                    continue;
                }
            };
            let Some(left) = usize::checked_sub(choices, 1) else { return vec![] };
            choices = left;
            let negated = make::not(pool, condition);
            todo.push((no.0, no.1, make::app(pool, Op::Or, &[unless, condition])));
            todo.push((yes.0, yes.1, make::app(pool, Op::Or, &[unless, negated])));
        }
        clauses
    }
}

/// The operands of a division without what only concerns their signs: a negation, or a choice between a term
/// and its negation.
fn unsigned_operands(pool: &Pool, term: Term) -> [Term; 2] {
    let positive = |term: Term| if pool.op(term) == Op::BvNeg { pool.args(term)[0] } else { term };
    let absolute = |term: Term| match choice(pool, term) {
        Some((_, yes, no)) if positive(yes) == positive(no) => positive(yes),
        _ => positive(term),
    };
    let args = pool.args(term);
    [absolute(args[0]), absolute(args[1])]
}

/// A signed quotient, remainder or modulus by the unsigned one of absolute values.
fn unsigned(pool: &mut Pool, term: Term) -> Term {
    let op = pool.op(term);
    let &[a, b] = pool.args(term) else { unreachable!("signed divisions are binary") };
    let zero = make::zeros(pool, pool.width(a).expect("divided are bit-vectors"));
    let [(a_sign, a_size), (b_sign, b_size)] = [a, b].map(|term| {
        let sign = make::app(pool, Op::BvSlt, &[term, zero]);
        // The size of `-x` is that of `x`, for the least number, too.
        let of = if pool.op(term) == Op::BvNeg { pool.args(term)[0] } else { term };
        let is_negative = make::app(pool, Op::BvSlt, &[of, zero]);
        let negated = make::app(pool, Op::BvNeg, &[of]);
        (sign, make::ite(pool, is_negative, negated, of))
    });
    let unsigned = if op == Op::BvSdiv { Op::BvUdiv } else { Op::BvUrem };
    let result = make::app(pool, unsigned, &[a_size, b_size]);
    let negated = make::app(pool, Op::BvNeg, &[result]);
    let differ = make::eq(pool, a_sign, b_sign);
    let differ = make::not(pool, differ);
    match op {
        Op::BvSdiv => make::ite(pool, differ, negated, result),
        Op::BvSrem => make::ite(pool, a_sign, negated, result),
        _ => {
            // The modulus has the sign of the divisor: a remainder of the other sign is moved by it.
            let signed = make::ite(pool, a_sign, negated, result);
            let moved = make::app(pool, Op::BvAdd, &[signed, b]);
            let is_zero = make::eq(pool, zero, result);
            let chosen = make::ite(pool, differ, moved, signed);
            make::ite(pool, is_zero, zero, chosen)
        }
    }
}

fn choice(pool: &Pool, term: Term) -> Option<(Term, Term, Term)> {
    match (pool.op(term), pool.args(term)) {
        (Op::Ite, &[condition, yes, no]) => Some((condition, yes, no)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use crate::passes::tests::check;

    /// Random operations on choices, beside all or some of their cases.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 400, |pool, trial| {
            let op = [Op::BvMul, Op::BvUdiv, Op::BvUrem][trial.number(3) as usize];
            let (condition, other) = (trial.bit(pool), trial.bit(pool));
            let [a, b, c] = [0, 0, 0].map(|depth| trial.sum(pool, depth));
            let choice = pool.mk(Op::Ite, &[condition, a, b]);
            let divisor = if trial.chance(2) { pool.mk(Op::Ite, &[other, b, c]) } else { c };
            let whole = pool.mk(op, &[choice, divisor]);
            let mut conjuncts = vec![];
            for pair in [[a, c], [b, c], [a, b], [b, b]] {
                if !trial.chance(6) {
                    let part = pool.mk(op, &pair);
                    conjuncts.push(pool.mk(Op::BvUle, &[part, whole]));
                }
            }
            let signed = [Op::BvSdiv, Op::BvSrem, Op::BvSmod];
            let [one, two] = [(); 2].map(|()| signed[trial.number(3) as usize]);
            let opposite = pool.mk(Op::BvNeg, &[a]);
            let signed = pool.mk(one, &[a, c]);
            let other = pool.mk(two, &[if trial.chance(2) { opposite } else { a }, c]);
            conjuncts.push(pool.mk(Op::BvUle, &[signed, whole]));
            conjuncts.push(pool.mk(Op::BvUle, &[other, signed]));
            conjuncts
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    #[test]
    fn cases_that_are_not_there_are_not_made() {
        let mut pool = Pool::new();
        let sort = bivalve_terms::Sort::bitvec(8).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
        let condition = pool.symbol("p", bivalve_terms::Sort::BOOL);
        let choice = pool.mk(Op::Ite, &[condition, a, b]);
        let [whole, part] = [choice, a].map(|dividend| pool.mk(Op::BvUdiv, &[dividend, c]));
        let conjunct = pool.mk(Op::BvUlt, &[whole, part]);
        assert_eq!(alone(run, &mut pool, &[conjunct]), None);
    }
}
