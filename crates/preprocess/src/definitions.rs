//! Conjuncts read as definitions of symbols.
//!
//! A conjunct `x = t`, `b` or `not b`, an equation that can be solved for `x` ([`crate::solve`]), and two
//! conjuncts that say what `x` is under opposite conditions ([`crate::conditional`]) are *candidates*: the
//! conjunct is true in exactly those assignments in which `x` has the value of the term. Whether the term
//! leads back to `x` is found out by [`crate::substitution`].
//!
//! Equations between symbols, and with constants, come first: they make one term of what is computed from
//! equal symbols, and what else defines these is left as an equation.
//!
//! Cost: linear in the conjuncts and their [`Solutions`].

use crate::conditional::{self, Pair};
use crate::problem::Problem;
use crate::solve::Solutions;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashSet;

/// A symbol that could be eliminated.
pub(crate) struct Candidate {
    pub(crate) symbol: Term,
    pub(crate) term: Term,
    /// The numbers of the conjuncts that say so; twice the same one, or a pair under opposite conditions.
    pub(crate) places: [usize; 2],
}

/// Definitions that closed a cycle: (the first) conjunct, and the symbol.
pub(crate) type Refused = FxHashSet<(Term, Term)>;

/// What is read as a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// Equations with a symbol alone on its side.
    Plain,
    /// Pairs of equations under opposite conditions.
    Conditional,
    /// Whatever can be solved for a symbol.
    Solved,
}

/// New definitions among the conjuncts, one for each conjunct and symbol at most; the first one counts.
/// `None` when the deadline is over.
pub(crate) fn candidates(
    pool: &mut Pool,
    problem: &Problem<'_>,
    refused: &Refused,
    reading: Reading,
) -> Option<Vec<Candidate>> {
    let is_eligible =
        |conjunct: Term, symbol: Term| !problem.is_frozen(symbol) && !refused.contains(&(conjunct, symbol));
    if reading == Reading::Conditional {
        let pairs = conditional::pairs(pool, problem.conjuncts, &is_eligible, problem.deadline)?;
        let candidate = |pair: Pair| Candidate {
            symbol: pair.symbol,
            term: pair.term(pool),
            places: pair.halves.map(|(place, _)| place),
        };
        return Some(pairs.into_iter().map(candidate).collect());
    }
    let conjuncts = problem.conjuncts;
    let mut defined = FxHashSet::default();
    let mut found = vec![];
    let (aliases, others): (Vec<usize>, Vec<usize>) =
        (0..conjuncts.len()).partition(|&place| is_alias(pool, conjuncts[place]));
    for place in aliases.into_iter().chain(others) {
        if !problem.deadline.step(1) {
            return None;
        }
        let conjunct = conjuncts[place];
        let solutions = Solutions::new(pool, conjunct);
        let chosen = solutions.symbols(pool).into_iter().find(|&(symbol, position)| {
            (reading == Reading::Solved || solutions.is_plain(pool, position))
                && is_eligible(conjunct, symbol)
                && defined.insert(symbol)
        });
        if let Some((symbol, position)) = chosen {
            let term = solutions.term(pool, position);
            found.push(Candidate { symbol, term, places: [place; 2] });
        }
    }
    Some(found)
}

/// Does the conjunct say that two symbols are equal, or give a value to one?
fn is_alias(pool: &Pool, conjunct: Term) -> bool {
    let is_leaf = |&term: &Term| matches!(pool.op(term), Op::Symbol | Op::Const);
    match pool.op(conjunct) {
        Op::Eq => pool.args(conjunct).iter().all(is_leaf),
        Op::Not => is_leaf(&pool.args(conjunct)[0]),
        _ => is_leaf(&conjunct),
    }
}
