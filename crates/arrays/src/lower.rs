//! Equalities between arrays, two at a time.
//!
//! SMT-LIB's `=` and `distinct` take any number of arguments. The array graph has one atom for each pair: a
//! chain of equalities is the conjunction of its links, and `distinct` the conjunction of all pairs'
//! disequalities, be it over arrays or, for elements of declared sorts, what has no circuit of its own.
//!
//! Cost: a walk over what is new; quadratic in the arguments of a `distinct` over arrays, a step a pair. What
//! is there twice differs from nothing, so the pairs differ.

use crate::lemma::equality;
use bivalve_faults::planted;
use bivalve_limits::Deadline;
use bivalve_terms::{Op, Pool, Term};

/// The same as `term`, an `=` or `distinct`, where it is over arrays by binary equalities only; `None` if the
/// deadline is over before.
pub fn binary_equality(pool: &mut Pool, term: Term, deadline: &Deadline) -> Option<Term> {
    let args = pool.args(term);
    let over_arrays = pool.sorts().array_parts(pool.sort(args[0])).is_some();
    let is_split = over_arrays && (pool.op(term) == Op::Distinct || args.len() > 2);
    if is_split { pairs(pool, term, deadline) } else { Some(term) }
}

fn pairs(pool: &mut Pool, term: Term, deadline: &Deadline) -> Option<Term> {
    let args = pool.args(term).to_vec();
    let links: Vec<Term> = match pool.op(term) {
        Op::Eq => args.windows(2).map(|pair| equality(pool, pair[0], pair[1])).collect(),
        _ => {
            let mut sorted = args.clone();
            sorted.sort_unstable();
            if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                return Some(pool.bool(false));
            }
            let mut links = vec![];
            for (i, &a) in args.iter().enumerate() {
                let last = if planted!(LowerNeighbours) { args.len().min(i + 2) } else { args.len() };
                for &b in &args[i + 1..last] {
                    if !deadline.step(1) {
                        return None;
                    }
                    let equal = equality(pool, a, b);
                    links.push(pool.mk(Op::Not, &[equal]));
                }
            }
            links
        }
    };
    Some(pool.and_all(&links))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_limits::{Stop, Why};
    use bivalve_terms::Sort;

    /// A `distinct` over so many arrays.
    fn distinct(pool: &mut Pool, count: u32) -> Term {
        let bit = Sort::bitvec(1).expect("a legal width");
        let sort = pool.sorts_mut().array(bit, bit).expect("not too deep");
        let arrays: Vec<Term> = (0..count).map(|number| pool.symbol(&format!("a{number}"), sort)).collect();
        pool.mk(Op::Distinct, &arrays)
    }

    #[test]
    fn what_is_there_twice_differs_from_nothing() {
        let mut pool = Pool::new();
        let wide = distinct(&mut pool, 200_000);
        let args = [pool.args(wide), &pool.args(wide)[..1]].concat();
        let twice = pool.mk(Op::Distinct, &args);
        let deadline = Deadline::new(&Stop::new(), 1_000);
        assert_eq!(binary_equality(&mut pool, twice, &deadline), Some(pool.bool(false)));
    }

    #[test]
    fn pairs_are_steps() {
        let mut pool = Pool::new();
        let (few, many) = (distinct(&mut pool, 5), distinct(&mut pool, 200_000));
        let terms = pool.len();
        let deadline = Deadline::new(&Stop::new(), 1_000);
        let pairs = binary_equality(&mut pool, few, &deadline).expect("ten pairs");
        assert_eq!(pool.args(pairs).len(), 10);
        assert_eq!(binary_equality(&mut pool, many, &deadline), None);
        assert_eq!(deadline.reason(), Some(Why::Budget));
        assert!(pool.len() < terms + 5_000, "{} more terms", pool.len() - terms);
    }
}
