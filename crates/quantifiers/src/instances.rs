//! Terms that have given values in a candidate.
//!
//! A counterexample gives each variable a value. The instance that is made of it says more if a term of the
//! formula stands in the place of the value: it rules out all candidates in which that term has the value
//! that is wrong. Of several terms the one that was used least is taken, and the oldest of these.
//!
//! Cost: linear in the terms that there are, once for each candidate.

use bivalve_terms::{Op, Pool, Sort, Term, TermMap, Value, cone};
use rustc_hash::FxHashMap;

/// Terms by their values in a candidate.
#[derive(Default)]
pub struct Terms {
    by_value: FxHashMap<(Sort, Value), Vec<Term>>,
    used: TermMap<u32>,
}

impl Terms {
    /// No terms.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// Another candidate: these are the terms of the sorts that are asked for below the formulas, which have
    /// no binders, with their values in it. How often terms were used is remembered.
    pub fn begin(
        &mut self,
        pool: &Pool,
        formulas: &[Term],
        sorts: &[Sort],
        mut value: impl FnMut(Term) -> Value,
    ) {
        self.by_value.clear();
        for term in cone(pool, formulas) {
            let sort = pool.sort(term);
            if sorts.contains(&sort) && pool.op(term) != Op::Forall {
                self.by_value.entry((sort, value(term))).or_default().push(term);
            }
        }
    }

    /// A term of this sort with this value, which is used once more now.
    pub fn choose(&mut self, sort: Sort, value: &Value) -> Option<Term> {
        let terms = self.by_value.get(&(sort, value.clone()))?;
        let used = |term: &Term| self.used.get(*term).copied().unwrap_or(0);
        let &chosen = terms.iter().min_by_key(|&term| (used(term), *term))?;
        let count = used(&chosen) + 1;
        self.used.insert(chosen, count);
        Some(chosen)
    }
}
