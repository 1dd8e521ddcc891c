//! What a change gains: the one rule by which the changes of algebra are kept.
//!
//! Two terms that are equal by a law of arithmetic are not equally good for what follows. A conjunct that is
//! written in another way, without anything being decided by that, breaks up what the search could have
//! shared or learnt: an equal word read in one place of many made a subtraction of field elements eight times
//! slower. So what a pass of algebra makes of the conjuncts is taken if
//!
//! - something is *decided*: all is false, or a conjunct is new that gives a term its value,
//! - a symbol or an atom *goes*: symbols, reads, results of functions, and relations between words are counted,
//! - or *gates* become fewer by the cost model of terms.
//!
//! What is in use elsewhere costs nothing here, as it stays in any case. Conjuncts are compared after the
//! local rules, so that a pass need not know what these make of its terms.
//!
//! Cost: a walk over both cones.

use crate::problem::Cone;
use bivalve_terms::{Op, Pool, Term, TermSet};

/// About how many gates the operator of a term takes.
pub(crate) type TermCost = fn(&Pool, Term) -> u64;

/// Whether conjuncts gain by becoming others, as they are after the local rules. Without a cost model every
/// operator is one gate.
pub(crate) fn gains(
    pool: &Pool,
    frozen: &TermSet,
    cost: Option<TermCost>,
    [before, after]: [&[Term]; 2],
) -> bool {
    let mut known = TermSet::new();
    before.iter().for_each(|&conjunct| _ = known.insert(conjunct));
    if after.iter().any(|&conjunct| !known.contains(conjunct) && is_decision(pool, frozen, conjunct)) {
        return true;
    }
    let cones = [before, after].map(|conjuncts| {
        let mut own = TermSet::new();
        let terms = Cone::new(pool, conjuncts, frozen).terms;
        terms.into_iter().filter(|&term| !frozen.contains(term)).for_each(|term| _ = own.insert(term));
        own
    });
    // What both have in common need not be counted.
    let [lost, won] = [(0, 1), (1, 0)].map(|(one, other)| {
        let (mut atoms, mut gates) = (0, 0);
        for term in cones[one].iter().filter(|&term| !cones[other].contains(term)) {
            atoms += u64::from(is_atom(pool, term));
            gates += cost.map_or(1, |cost| cost(pool, term));
        }
        (atoms, gates)
    });
    won.0 < lost.0 || won.1 < lost.1
}

/// Does a conjunct give a term its value: a symbol, or what is no arithmetic a constant?
fn is_decision(pool: &Pool, frozen: &TermSet, conjunct: Term) -> bool {
    let is_free = |term: Term| pool.op(term) == Op::Symbol && !frozen.contains(term);
    let is_computed = |term: Term| matches!(pool.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg);
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Not, &[term]) => pool.args(term).is_empty(),
        (Op::Eq, &[a, b]) => {
            let gives = |term, value| is_free(term) || (pool.is_const(value) && !is_computed(term));
            gives(a, b) || gives(b, a)
        }
        (_, args) => args.is_empty(),
    }
}

/// Is it a symbol, an array's element, a function's result, or a relation between words?
fn is_atom(pool: &Pool, term: Term) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::Symbol | Op::Select | Op::Apply => true,
        _ => pool.sort(term).is_bool() && args.iter().any(|&arg| !pool.sort(arg).is_bool()),
    }
}
