//! Terms with a mark for their complement, and heads of terms that are not in the pool.
//!
//! An [`Edge`] is what a metavariable of a rule is bound to, as in an and-inverter graph, so that one rule
//! covers all negated forms of what it says. A [`Head`] is an operator over children, from which a rule can
//! start before the term is built.

use bivalve_terms::{Op, Pool, Sort, Term};

/// A term or its complement. The term itself is not a negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The term.
    pub term: Term,
    /// Whether the complement of the term is meant.
    pub negated: bool,
}

impl Edge {
    /// The edge that means `term`. Terms in normal form have no double negations.
    #[inline]
    pub fn of(pool: &Pool, term: Term) -> Edge {
        match pool.op(term) {
            Op::Not | Op::BvNot => Edge { term: pool.args(term)[0], negated: true },
            _ => Edge { term, negated: false },
        }
    }

    /// The other one of the same term.
    #[inline]
    pub fn complement(self) -> Edge {
        Edge { term: self.term, negated: !self.negated }
    }

    /// Whether the edges mean the same. A constant and the complement of another one may.
    #[inline]
    pub fn equals(self, other: Edge, pool: &Pool) -> bool {
        if self.term == other.term || self.negated == other.negated {
            return self == other;
        }
        pool.is_const(self.term) && pool.is_const(other.term) && complementary(pool, self.term, other.term)
    }
}

/// Whether one of two different constants is the complement of the other.
fn complementary(pool: &Pool, a: Term, b: Term) -> bool {
    match (pool.as_bitvec(a), pool.as_bitvec(b)) {
        (Some(a), Some(b)) => a.not() == b,
        _ => true,
    }
}

/// The head of a term that may not be in the pool: an operator over children.
#[derive(Clone, Copy)]
pub struct Head<'a> {
    /// The operator.
    pub op: Op,
    /// Its stored index, 0 if it has none.
    pub index: u32,
    /// The sort of the term.
    pub sort: Sort,
    /// The children.
    pub args: &'a [Term],
}

/// Whether two terms of one sort differ under every assignment, as far as a look at them tells. They do if
/// they are complements, different constants, or one base with different constant offsets.
pub fn always_different(pool: &Pool, a: Edge, b: Edge) -> bool {
    if a.term == b.term {
        return a.negated != b.negated;
    }
    if pool.is_const(a.term) && pool.is_const(b.term) {
        return !a.equals(b, pool);
    }
    if a.negated || b.negated || !pool.sort(a.term).is_bitvec() {
        return false;
    }
    let ((a_base, a_offset), (b_base, b_offset)) = (offset(pool, a.term), offset(pool, b.term));
    a_base == b_base && a_offset != b_offset
}

/// A term as base and constant offset; no offset is `None`, and so is an offset of zero.
fn offset(pool: &Pool, term: Term) -> (Term, Option<Term>) {
    match *pool.args(term) {
        [k, base] if pool.op(term) == Op::BvAdd && pool.is_const(k) => {
            let zero = pool.as_bitvec(k).is_none_or(|value| value.is_zero());
            (base, (!zero).then_some(k))
        }
        _ => (term, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_of_one_base_differ() {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(8).unwrap()));
        let [k, m] = [3, 5].map(|value| pool.bv_u64(value, 8));
        let mut add = |k, x| pool.mk(Op::BvAdd, &[k, x]);
        let (xk, xm, yk) = (add(k, x), add(m, x), add(k, y));
        let not_x = pool.mk(Op::BvNot, &[x]);
        let differ = |a, b| always_different(&pool, Edge::of(&pool, a), Edge::of(&pool, b));
        assert!(differ(xk, xm) && differ(xk, x) && differ(x, xm) && differ(k, m) && differ(x, not_x));
        assert!(!differ(xk, yk) && !differ(xk, xk) && !differ(x, y) && !differ(k, k) && !differ(x, k));
    }
}
