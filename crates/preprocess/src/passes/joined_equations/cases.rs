//! Cases: what holds under which conditions, and the conditions that tell them apart.
//!
//! A disjunction of conjunctions is split by a literal that each of them has, or has the complement of, or
//! excludes as another value of the same term: where the literal is true one of those with it holds, else one
//! of the others. A conjunction of implications is split by any literal of a guard; implications that do not
//! mention it apply on both sides.
//!
//! Cost: each split looks at all literals once for each literal tried.

use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};

/// A Boolean term and the value that it has; the term is no complement.
pub(super) type Literal = (Term, bool);

/// More conjunctions of one disjunction are not told apart.
const MOST_DISJUNCTS: usize = 64;

/// Under the guard the claims are true.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) guard: Vec<Literal>,
    pub(super) claims: Vec<Literal>,
}

impl Case {
    /// The implication.
    pub(super) fn term(&self, pool: &mut Pool) -> Term {
        let mut conjunction = |literals: &[Literal]| {
            literals.iter().fold(pool.bool(true), |all, &literal| {
                let literal = term(pool, literal);
                make::and(pool, all, literal)
            })
        };
        let [guard, claims] = [&self.guard, &self.claims].map(|literals| conjunction(literals));
        let denied = make::not(pool, claims);
        let refuted = make::and(pool, guard, denied);
        make::not(pool, refuted)
    }
}

/// The term of a literal.
pub(super) fn term(pool: &mut Pool, (term, truth): Literal) -> Term {
    if truth { term } else { make::not(pool, term) }
}

/// The literals that a literal is the conjunction of.
pub(super) fn literals(pool: &Pool, literal: Literal) -> Vec<Literal> {
    let (mut todo, mut found) = (vec![literal], vec![]);
    while let Some((term, truth)) = todo.pop() {
        match (pool.op(term), pool.args(term)) {
            (Op::Not, &[inner]) => todo.push((inner, !truth)),
            (Op::And, members) if truth && found.len() + todo.len() < MOST_DISJUNCTS => {
                todo.extend(members.iter().rev().map(|&member| (member, true)));
            }
            _ => found.push((term, truth)),
        }
    }
    found
}

/// What is true where a conjunction is false: one of these conjunctions.
pub(super) fn disjuncts(pool: &Pool, conjunction: Term) -> Vec<Vec<Literal>> {
    let members = literals(pool, (conjunction, true));
    members.into_iter().map(|(term, truth)| literals(pool, (term, !truth))).collect()
}

/// The symbols that a conjunct states something of under a guard of literals.
pub(super) fn consequents(pool: &Pool, conjunct: Term, is_eligible: &dyn Fn(Term) -> bool) -> Vec<Term> {
    let Some(disjuncts) = guarded(pool, conjunct) else { return vec![] };
    let mut symbols: Vec<Term> = vec![];
    for &(term, truth) in disjuncts.iter().flatten() {
        if let (Op::Eq, true) = (pool.op(term), truth) {
            symbols.extend(
                pool.args(term).iter().filter(|&&arg| pool.op(arg) == Op::Symbol && is_eligible(arg)),
            );
        }
    }
    symbols.retain(|&symbol| implication(pool, conjunct, symbol).is_some());
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

/// A conjunct as an implication whose claims state what the symbol is.
pub(super) fn implication(pool: &Pool, conjunct: Term, symbol: Term) -> Option<Case> {
    let disjuncts = guarded(pool, conjunct)?;
    let states =
        |&(term, truth): &Literal| truth && pool.op(term) == Op::Eq && pool.args(term).contains(&symbol);
    let place = disjuncts.iter().position(|literals| literals.iter().any(states))?;
    let mut guard = vec![];
    for (_, literals) in disjuncts.iter().enumerate().filter(|&(other, _)| other != place) {
        let &[(term, truth)] = &literals[..] else { return None };
        guard.push((term, !truth));
    }
    Some(Case { guard, claims: disjuncts[place].clone() })
}

/// The disjuncts of a conjunct, if it has a few.
fn guarded(pool: &Pool, conjunct: Term) -> Option<Vec<Vec<Literal>>> {
    let &[inner] = pool.args(conjunct) else { return None };
    if pool.op(conjunct) != Op::Not || pool.op(inner) != Op::And {
        return None;
    }
    Some(disjuncts(pool, inner)).filter(|disjuncts| disjuncts.len() <= MOST_DISJUNCTS)
}

/// Can the second literal not be true where the first one is?
fn excludes(pool: &Pool, one: Literal, other: Literal) -> bool {
    if one.0 == other.0 {
        return one.1 != other.1;
    }
    let value = |(term, truth): Literal| match (pool.op(term), pool.args(term)) {
        (Op::Eq, &[constant, subject]) if truth && pool.is_const(constant) => Some((subject, constant)),
        (Op::Eq, &[subject, constant]) if truth && pool.is_const(constant) => Some((subject, constant)),
        _ => None,
    };
    matches!((value(one), value(other)), (Some((a, k)), Some((b, m))) if a == b && k != m)
}

/// A literal that tells the conjunctions of a disjunction apart: what is left of those with it, and of the
/// others.
#[expect(clippy::type_complexity, reason = "two parts of what is split, and what splits them")]
pub(super) fn split_disjunction(
    pool: &Pool,
    disjuncts: &[Vec<Literal>],
) -> Option<(Literal, Vec<Vec<Literal>>, Vec<Vec<Literal>>)> {
    disjuncts[0].iter().find_map(|&literal| {
        let (mut with, mut without) = (vec![], vec![]);
        for literals in disjuncts {
            let mut left = literals.clone();
            left.retain(|&other| other.0 != literal.0);
            let excluded = literals.iter().any(|&other| excludes(pool, literal, other));
            match (literals.contains(&literal), excluded) {
                (true, false) => with.push(left),
                (false, true) => without.push(left),
                _ => return None,
            }
        }
        (!without.is_empty()).then_some((literal, with, without))
    })
}

/// The implications that apply where the first literal of the first guard holds, and those that do where it
/// does not.
pub(super) fn split_implications(pool: &Pool, cases: &[Case]) -> Option<(Literal, Vec<Case>, Vec<Case>)> {
    let &literal = cases.first()?.guard.first()?;
    let (mut with, mut without) = (vec![], vec![]);
    for case in cases {
        let mut left = case.clone();
        left.guard.retain(|&other| other.0 != literal.0);
        let excluded = case.guard.iter().any(|&other| excludes(pool, literal, other));
        if !excluded {
            with.push(left.clone());
        }
        if !case.guard.contains(&literal) {
            without.push(left);
        }
    }
    Some((literal, with, without))
}
