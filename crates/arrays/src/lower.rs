//! Equalities between arrays, two at a time.
//!
//! SMT-LIB's `=` and `distinct` take any number of arguments. The array graph wants one atom for each pair: a chain
//! of equalities is the conjunction of its links, and `distinct` the conjunction of all pairs' disequalities, be it
//! over arrays or, for elements of declared sorts, what has no circuit of its own.
//!
//! Cost: a walk over what is new; quadratic in the arguments of a `distinct` over arrays.

use crate::lemma::equality;
use bivalve_terms::{Op, Pool, Substitution, Term, cone};

/// `root` with binary equalities between arrays only.
pub fn binary_equalities(pool: &mut Pool, root: Term) -> Term {
    let below = cone(pool, &[root]);
    let is_wide = |&term: &Term| {
        let args = pool.args(term);
        let over_arrays = args.first().is_some_and(|&a| pool.sorts().array_parts(pool.sort(a)).is_some());
        over_arrays && (pool.op(term) == Op::Distinct || (pool.op(term) == Op::Eq && args.len() > 2))
    };
    let wide: Vec<Term> = below.into_iter().filter(is_wide).collect();
    // Innermost first: what is replaced may lie below what is replaced later.
    let mut root = root;
    let mut done = Substitution::new();
    for term in wide {
        let here = done.apply(pool, term);
        let image = pairs(pool, here);
        done.insert(pool, term, image);
    }
    root = done.apply(pool, root);
    root
}

fn pairs(pool: &mut Pool, term: Term) -> Term {
    let args = pool.args(term).to_vec();
    let links: Vec<Term> = match pool.op(term) {
        Op::Eq => args.windows(2).map(|pair| equality(pool, pair[0], pair[1])).collect(),
        _ => {
            let mut links = vec![];
            for (i, &a) in args.iter().enumerate() {
                for &b in &args[i + 1..] {
                    let equal = equality(pool, a, b);
                    links.push(pool.mk(Op::Not, &[equal]));
                }
            }
            links
        }
    };
    pool.and_all(&links)
}
