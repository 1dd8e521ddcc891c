//! Equalities between arrays, two at a time.
//!
//! SMT-LIB's `=` and `distinct` take any number of arguments. The array graph has one atom for each pair: a
//! chain of equalities is the conjunction of its links, and `distinct` the conjunction of all pairs'
//! disequalities, be it over arrays or, for elements of declared sorts, what has no circuit of its own.
//!
//! Cost: a walk over what is new; quadratic in the arguments of a `distinct` over arrays.

use crate::lemma::equality;
use bivalve_faults::planted;
use bivalve_terms::{Op, Pool, Term};

/// The same as `term`, an `=` or `distinct`, where it is over arrays by binary equalities only.
pub fn binary_equality(pool: &mut Pool, term: Term) -> Term {
    let args = pool.args(term);
    let over_arrays = pool.sorts().array_parts(pool.sort(args[0])).is_some();
    if over_arrays && (pool.op(term) == Op::Distinct || args.len() > 2) { pairs(pool, term) } else { term }
}

fn pairs(pool: &mut Pool, term: Term) -> Term {
    let args = pool.args(term).to_vec();
    let links: Vec<Term> = match pool.op(term) {
        Op::Eq => args.windows(2).map(|pair| equality(pool, pair[0], pair[1])).collect(),
        _ => {
            let mut links = vec![];
            for (i, &a) in args.iter().enumerate() {
                let last = if planted!(LowerNeighbours) { args.len().min(i + 2) } else { args.len() };
                for &b in &args[i + 1..last] {
                    let equal = equality(pool, a, b);
                    links.push(pool.mk(Op::Not, &[equal]));
                }
            }
            links
        }
    };
    pool.and_all(&links)
}
