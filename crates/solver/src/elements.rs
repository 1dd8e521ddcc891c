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
//! Counted is what is below conjuncts, assumptions and lemmas, but choices, which have the value of a branch.
//! Cost: a look at each of these terms, once; none where no sort is declared.

use bivalve_terms::{Op, Pool, Term, TermSet};

/// The terms of declared sorts below what was encoded.
#[derive(Default)]
pub(crate) struct Elements {
    /// The terms that were looked at.
    seen: TermSet,
    /// So many of them are of declared sorts.
    terms: u64,
}

impl Elements {
    /// Counts what is new at and below a formula.
    pub(crate) fn take_in(&mut self, pool: &Pool, formula: Term) {
        if !pool.sorts().has_uninterpreted() {
            return;
        }
        let mut todo = vec![formula];
        while let Some(term) = todo.pop() {
            if self.seen.insert(term) {
                self.terms += u64::from(is_source(pool, term));
                todo.extend(pool.args(term).iter().filter(|&&arg| !self.seen.contains(arg)));
            }
        }
    }

    /// The bits that suffice for the terms that were taken in.
    pub(crate) fn bits(&self) -> u32 {
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

    #[test]
    fn there_is_a_number_for_each_term() {
        let mut pool = Pool::new();
        let mut elements = Elements::default();
        let sort = pool.sorts_mut().declare("S");
        pool.symbol("one that nothing mentions", sort);
        let mut formula = pool.bool(true);
        for number in 1..=40u64 {
            let x = pool.symbol(&format!("x{number}"), sort);
            let holds = pool.mk(Op::Eq, &[x, x]);
            formula = pool.mk(Op::And, &[formula, holds]);
            elements.take_in(&pool, formula);
            assert_eq!(elements.terms, number);
            assert!(1 << elements.bits() >= number, "{number}");
        }
        assert_eq!([0, 1, 2, 3, 4, 5].map(bits_for), [1, 1, 1, 2, 2, 3]);
    }
}
