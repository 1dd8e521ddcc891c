//! How many bits an element of a declared sort has.
//!
//! A declared sort may be of any size, and a formula without quantifiers cannot look further than its terms:
//! take a model, number the values that the terms of the sort have, and what the numbers say of equalities is
//! what the model says. So if there are at most 2^n terms of declared sorts, n bits are enough, and formulas
//! over elements are searched with a handful of bits where 32 would do no better (*small model property*;
//! range allocation of Pnueli, Rodeh, Shtrichman and Siegel, 1999, in its simplest form).
//!
//! Lemmas about arrays make new terms: witnesses, and reads of other arrays. Nothing may be called unsat
//! while there are more terms than numbers, so the terms are counted again after each round of lemmas; when
//! they have outgrown the bits, the circuits are built anew, with one bit more than needed, so that this is
//! rare.
//!
//! All terms of the pool are counted, whether they are in use or not, but choices, which have the value of a
//! branch. Cost: a look at each term of the pool, once.

use bivalve_terms::{Op, Pool, Term};

/// The terms of declared sorts in a pool.
#[derive(Default)]
pub(crate) struct Elements {
    /// So many terms of the pool were looked at.
    seen: usize,
    /// So many of them are of declared sorts.
    terms: u64,
}

impl Elements {
    /// The bits that suffice for the terms of this pool; the pool has only grown since the last time.
    pub(crate) fn bits(&mut self, pool: &Pool) -> u32 {
        let new = (self.seen..pool.len()).map(|number| pool.nth(number));
        self.terms += new.filter(|&term| is_source(pool, term)).count() as u64;
        self.seen = pool.len();
        bits_for(self.terms)
    }
}

/// Can the term have a value that no other term has? A choice cannot.
fn is_source(pool: &Pool, term: Term) -> bool {
    pool.sorts().is_uninterpreted(pool.sort(term)) && pool.op(term) != Op::Ite
}

/// The least number of bits, at least one, with that many values.
fn bits_for(values: u64) -> u32 {
    values.max(2).next_power_of_two().trailing_zeros().min(bivalve_bitblast::MOST_ELEMENT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    #[test]
    fn there_is_a_number_for_each_term() {
        let mut pool = Pool::new();
        let mut elements = Elements::default();
        let sort = pool.sorts_mut().declare("S");
        for number in 0..40u64 {
            assert!(1 << elements.bits(&pool) >= number, "{number}");
            pool.symbol(&format!("x{number}"), sort);
            pool.symbol(&format!("p{number}"), Sort::BOOL);
        }
        assert_eq!(elements.bits(&pool), 6);
        assert_eq!([0, 1, 2, 3, 4, 5].map(bits_for), [1, 1, 1, 2, 2, 3]);
    }
}
