//! What a look at a term tells of its value, and the extensions that follow from it.
//!
//! This is deliberately shallow: constants, and the constant parts of concatenations. Known bits and ranges
//! that need propagation are the business of a pass.

use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};

/// No look goes deeper than this.
const LOOK: usize = 8;

/// Is the term the constant zero?
pub(super) fn is_zero(pool: &Pool, term: Term) -> bool {
    match pool.as_u64(term) {
        Some(value) => value == 0,
        None => pool.as_bitvec(term).is_some_and(|value| value.is_zero()),
    }
}

/// The most significant bit, where the term shows it: in a constant, or in the first part of a concatenation
/// or of an extension, perhaps complemented.
pub(super) fn sign(pool: &Pool, term: Term) -> Option<bool> {
    let (mut term, mut complemented) = (term, false);
    for _ in 0..LOOK {
        match pool.op(term) {
            Op::BvNot => complemented = !complemented,
            Op::Concat | Op::SignExtend => {}
            _ => return Some(pool.as_bitvec(term)?.msb() != complemented),
        }
        term = pool.args(term)[0];
    }
    None
}

/// The number of most significant bits that are known to be equal to the first of them, that one included.
pub(super) fn sign_copies(pool: &Pool, term: Term) -> u32 {
    let Some(width) = pool.width(term) else { return 0 };
    if let Some(value) = pool.as_bitvec(term) {
        return value.leading_zeros().max(value.not().leading_zeros());
    }
    match *pool.args(term) {
        [_] if pool.op(term) == Op::SignExtend => (pool.index(term) + 1).min(width),
        _ => 1,
    }
}

/// The term with zeros in front, `width` bits in all, which is at least its own width.
pub(super) fn zero_extend_to(pool: &mut Pool, term: Term, width: u32) -> Term {
    let own = pool.width(term).expect("a bit-vector is extended");
    let zeros = make::zeros_or_none(pool, width - own);
    make::concat(pool, &[zeros, Some(term)])
}

/// The parts of a term that is a number with constant zeros in front: how many there are, and what follows
/// them. A constant gives its leading zeros, if a bit remains.
pub(super) fn leading_zeros(pool: &mut Pool, term: Term) -> Option<(u32, Term)> {
    if let Some(value) = pool.as_bitvec(term) {
        let zeros = value.leading_zeros().min(value.width() - 1);
        let rest = make::extract(pool, term, value.width() - zeros - 1, 0);
        return (zeros > 0).then_some((zeros, rest));
    }
    match *pool.args(term) {
        [k, rest] if pool.op(term) == Op::Concat && is_zero(pool, k) => Some((pool.width(k)?, rest)),
        _ => None,
    }
}
