//! Conjuncts built anew from the bottom: what most passes that replace terms have in common.
//!
//! Arguments come before the terms that have them, so one walk along the cone sees the images of all
//! arguments of a term first. Cost: one look at each term; only what has other arguments is made again.

use bivalve_terms::{Pool, Term, TermMap};

/// The images of conjuncts. `below` is their cone. `replace` is shown each term, and the same over the images
/// of its arguments, and says what stands in its place; the latter if it says nothing.
pub(super) fn images(
    pool: &mut Pool,
    below: &[Term],
    conjuncts: &[Term],
    mut replace: impl FnMut(&mut Pool, Term, Term) -> Option<Term>,
) -> Vec<Term> {
    let mut images: TermMap<Term> = TermMap::new();
    let mut args = vec![];
    for &term in below {
        args.clear();
        args.extend(pool.args(term).iter().map(|&arg| *images.get(arg).expect("arguments come first")));
        let rebuilt = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
        let image = replace(pool, term, rebuilt).unwrap_or(rebuilt);
        images.insert(term, image);
    }
    conjuncts.iter().map(|&conjunct| *images.get(conjunct).expect("conjuncts are in their cone")).collect()
}
