//! Symbols that occur below slices only, none of which overlap, are cut into the slices.
//!
//! `x` is defined as the concatenation of fresh symbols, one for each slice and one for each gap between
//! them. That is a change of variable, so the definition is one like any other. Afterwards the slices can be
//! defined, or can occur once, each for itself. Slices that overlap would have to be cut further, which
//! spreads wiring over the formula and gains nothing.
//!
//! This is *slice elimination* as Boolector has it, for the case in which it is free. Cost: one walk.

use super::{Defined, Loosened, Occurrences};
use crate::make;
use bivalve_terms::{Op, Pool, Sort, Substitution, Term, TermMap};

/// Cuts all such symbols.
pub(super) fn run(pool: &mut Pool, left: &mut Loosened, taken: &dyn Fn(Term) -> bool) {
    let occurrences = Occurrences::new(pool, &left.conjuncts);
    let mut slices: TermMap<Vec<Term>> = TermMap::new();
    for &term in &occurrences.below {
        if let (Op::Extract, &[symbol]) = (pool.op(term), pool.args(term))
            && pool.op(symbol) == Op::Symbol
        {
            let mut known = slices.remove(symbol).unwrap_or_default();
            known.push(term);
            slices.insert(symbol, known);
        }
    }
    let mut images = Substitution::new();
    let before = left.defined.len();
    for (symbol, mut slices) in slices.iter().map(|(symbol, slices)| (symbol, slices.clone())) {
        let everywhere = occurrences.counts.get(symbol).map(|&count| count as usize);
        slices.sort_unstable_by_key(|&slice| pool.index(slice));
        let overlap = slices.windows(2).any(|pair| end(pool, pair[0]) > pool.index(pair[1]));
        if everywhere == Some(slices.len()) && !overlap && !taken(symbol) {
            let term = cut(pool, symbol, &slices, &mut images);
            left.defined.push(Defined { symbol, term, loose: false });
        }
    }
    if left.defined.len() > before {
        for conjunct in &mut left.conjuncts {
            *conjunct = images.apply(pool, *conjunct);
        }
    }
}

/// The bit above a slice.
fn end(pool: &Pool, slice: Term) -> u32 {
    pool.index(slice) + pool.width(slice).expect("a slice is a bit-vector")
}

/// The concatenation of new symbols that a symbol is, given its slices in increasing order, which are mapped
/// to theirs.
fn cut(pool: &mut Pool, symbol: Term, slices: &[Term], images: &mut Substitution) -> Term {
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
        images.insert(pool, slice, image);
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
