//! Arrays that are only read: each read is as good as a symbol.
//!
//! If the elements of such an array are only compared, so are its reads, and they become narrow symbols like
//! others; two of them whose indices agree are equal, which is stated for each pair that may agree
//! (Ackermann). The array is defined by what is read: these values, stored at their indices.
//!
//! Few pairs are stated; arrays with more are left to lemmas on demand. Cost: all pairs of at most
//! [`MOST_READS`] reads are looked at.

use super::Defined;
use crate::problem::Problem;
use bivalve_rewrite::{Edge, always_different, make};
use bivalve_terms::{Op, Pool, Rebuild, Term, TermMap};

/// Arrays with more reads stay as they are.
const MOST_READS: usize = 128;

/// So many pairs of reads of one array that may agree are stated.
const MOST_PAIRS: usize = 128;

/// The arrays that are only read.
pub(super) struct Reads {
    arrays: TermMap<Vec<Term>>,
}

impl Reads {
    /// The arrays that only reads mention, and few of them.
    pub(super) fn new(pool: &Pool, problem: &Problem<'_>, used: &dyn Fn(Term) -> bool) -> Reads {
        let mut arrays: TermMap<Vec<Term>> = TermMap::new();
        if !pool.sorts().has_arrays() {
            return Reads { arrays };
        }
        for &term in problem.cone(pool) {
            if let (Op::Select, &[array, index]) = (pool.op(term), pool.args(term))
                && pool.op(array) == Op::Symbol
                && pool.sort(term).is_bitvec()
                && pool.sort(index).is_bitvec()
                && !problem.is_frozen(term)
                && !used(array)
            {
                let mut known = arrays.remove(array).unwrap_or_default();
                known.push(term);
                arrays.insert(array, known);
            }
        }
        let is_few = |array: Term, reads: &[Term]| {
            let index = |read: Term| Edge::of(pool, pool.args(read)[1]);
            let mut pairs = 0;
            reads.len() <= MOST_READS
                && problem.uses(pool).count(array) == reads.len()
                && reads.iter().enumerate().all(|(place, &read)| {
                    let agree = |&&other: &&Term| !always_different(pool, index(read), index(other));
                    pairs += reads[..place].iter().filter(agree).count();
                    pairs <= MOST_PAIRS
                })
        };
        let mut few = TermMap::new();
        for (array, reads) in arrays.iter().filter(|&(array, reads)| is_few(array, reads)) {
            few.insert(array, reads.clone());
        }
        Reads { arrays: few }
    }

    /// Is it a read of such an array?
    pub(super) fn contains(&self, pool: &Pool, term: Term) -> bool {
        pool.op(term) == Op::Select && self.arrays.contains(pool.args(term)[0])
    }

    /// The first read of the same array.
    pub(super) fn first(&self, pool: &Pool, read: Term) -> Term {
        self.arrays.get(pool.args(read)[0]).map_or(read, |reads| reads[0])
    }

    /// The definitions of the arrays whose reads were found: each with its number and its value. States which
    /// of them agree.
    pub(super) fn arrays(
        &self,
        pool: &mut Pool,
        found: &TermMap<(Term, Term)>,
        images: &Rebuild,
        stated: &mut Vec<Term>,
    ) -> Vec<Defined> {
        let mut defined = vec![];
        for (symbol, reads) in self.arrays.iter().filter(|(_, reads)| found.contains(reads[0])) {
            let mut array = pool.symbol("rest", pool.sort(symbol));
            for (place, &read) in reads.iter().enumerate() {
                let index =
                    |read: Term| images.image(pool.args(read)[1]).expect("an index is below its read");
                let &(number, value) = found.get(read).expect("the reads of an array are in one class");
                let at = index(read);
                let others: Vec<(Term, Term)> = reads[..place]
                    .iter()
                    .map(|&other| (index(other), found.get(other).expect("found").0))
                    .collect();
                for (other, of_other) in others {
                    if !always_different(pool, Edge::of(pool, at), Edge::of(pool, other)) {
                        let agree = make::eq(pool, at, other);
                        let differ = make::not(pool, agree);
                        let same = make::eq(pool, number, of_other);
                        stated.push(make::app(pool, Op::Or, &[differ, same]));
                    }
                }
                array = make::app(pool, Op::Store, &[array, at, value]);
            }
            defined.push(Defined { symbol, term: array, restricts: true });
        }
        defined
    }
}
