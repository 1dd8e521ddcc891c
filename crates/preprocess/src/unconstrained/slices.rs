//! Slice elimination: symbols that occur below slices only, none of which overlap, are cut into the slices.
//!
//! `x` is defined as the concatenation of fresh symbols, one for each slice and one for each gap between
//! them. That is a change of variable, so the definition is one like any other. Afterwards the slices can be
//! defined, or can occur once, each for itself. Slices that overlap would have to be cut further, which
//! spreads wiring over the formula and gains nothing.
//!
//! This is *slice elimination* as Boolector has it, for the case in which it is free. Cost: one walk.

use super::{Defined, Elimination};
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Sort, Term, TermMap};

/// Cuts symbols of which only slices are used.
pub(crate) fn run(
    pool: &mut Pool,
    problem: &Problem<'_>,
    used: &dyn Fn(Term) -> bool,
    left: &mut Elimination,
) {
    let mut slices: TermMap<Vec<Term>> = TermMap::new();
    for &term in problem.cone(pool) {
        if let (Op::Extract, &[symbol]) = (pool.op(term), pool.args(term))
            && pool.op(symbol) == Op::Symbol
            && !used(symbol)
        {
            let mut known = slices.remove(symbol).unwrap_or_default();
            known.push(term);
            slices.insert(symbol, known);
        }
    }
    let (mut defined, mut changes) = (vec![], vec![]);
    for (symbol, mut slices) in slices.iter().map(|(symbol, slices)| (symbol, slices.clone())) {
        if !problem.deadline.step(slices.len() as u64) {
            return;
        }
        slices.sort_unstable_by_key(|&slice| pool.index(slice));
        let overlap = slices.windows(2).any(|pair| end(pool, pair[0]) > pool.index(pair[1]));
        if problem.uses(pool).count(symbol) == slices.len() && !overlap {
            let term = cut(pool, symbol, &slices, &mut changes);
            defined.push(Defined { symbol, term, restricts: false });
        }
    }
    if !defined.is_empty()
        && let Some(conjuncts) = problem.changed(pool, &changes)
    {
        left.conjuncts = conjuncts;
        left.defined.extend(defined);
    }
}

/// The bit above a slice.
fn end(pool: &Pool, slice: Term) -> u32 {
    pool.index(slice) + pool.width(slice).expect("a slice is a bit-vector")
}

/// The concatenation of new symbols that a symbol is, given its slices in increasing order, which are mapped
/// to theirs.
fn cut(pool: &mut Pool, symbol: Term, slices: &[Term], changes: &mut Vec<Change>) -> Term {
    let part = |pool: &mut Pool, from: u32, to: u32| {
        let sort = Sort::bitvec(to - from).expect("a part of a bit-vector that is not empty");
        pool.symbol("part", sort)
    };
    let mut parts = vec![];
    let mut place = 0;
    for &slice in slices {
        let (low, above) = (pool.index(slice), end(pool, slice));
        if place < low {
            parts.push(Some(part(pool, place, low)));
        }
        let image = part(pool, low, above);
        changes.push(Change::new(slice, image, Reason::Fresh));
        parts.push(Some(image));
        place = above;
    }
    let width = pool.width(symbol).expect("a sliced symbol is a bit-vector");
    if place < width {
        parts.push(Some(part(pool, place, width)));
    }
    parts.reverse();
    make::concat(pool, &parts)
}
