//! One bit, as a Boolean or as a bit-vector.
//!
//! BTOR, BTOR2 and CVC's bit-vectors have no Booleans: a comparison is a bit-vector of one bit. Terms have
//! both sorts, so a reader has to go from one to the other. [`truth`] and [`bits`] do, and undo each other;
//! a reader keeps what [`plain`] returns, which is never a mere conversion. So a printer can leave
//! conversions out, and what it prints is read again as the same terms.

use bivalve_terms::{Op, Pool, Term};

/// A bit as a Boolean: `x` of one bit is `(= x #b1)`; `(ite p #b1 #b0)` is `p`, and constants are constants.
pub(crate) fn truth(pool: &mut Pool, term: Term) -> Term {
    if pool.sort(term).is_bool() {
        return term;
    }
    if let Some(value) = pool.as_u64(term) {
        return pool.bool(value == 1);
    }
    if let Some(condition) = converted_condition(pool, term) {
        return condition;
    }
    let one = pool.bv_u64(1, 1);
    pool.mk(Op::Eq, &[term, one])
}

/// A Boolean as a bit: `p` is `(ite p #b1 #b0)`; `(= x #b1)` is `x`, and constants are constants. Other terms
/// stay as they are.
pub(crate) fn bits(pool: &mut Pool, term: Term) -> Term {
    if !pool.sort(term).is_bool() {
        return term;
    }
    if let Some(value) = pool.as_bool(term) {
        return pool.bv_u64(u64::from(value), 1);
    }
    if let Some(bit) = converted_bit(pool, term) {
        return bit;
    }
    let (one, zero) = (pool.bv_u64(1, 1), pool.bv_u64(0, 1));
    pool.mk(Op::Ite, &[term, one, zero])
}

/// The term without conversions: `x` for `(= x #b1)`, `p` for `(ite p #b1 #b0)`, a bit for a Boolean
/// constant.
pub(crate) fn plain(pool: &mut Pool, term: Term) -> Term {
    let mut term = term;
    while let Some(below) = converted_bit(pool, term).or_else(|| converted_condition(pool, term)) {
        term = below;
    }
    match pool.as_bool(term) {
        Some(value) => pool.bv_u64(u64::from(value), 1),
        None => term,
    }
}

/// `x` for `(= x #b1)`.
pub(crate) fn converted_bit(pool: &Pool, term: Term) -> Option<Term> {
    match (pool.op(term), pool.args(term)) {
        (Op::Eq, &[x, one]) if pool.width(one) == Some(1) && pool.as_u64(one) == Some(1) => Some(x),
        _ => None,
    }
}

/// `p` for `(ite p #b1 #b0)`.
pub(crate) fn converted_condition(pool: &Pool, term: Term) -> Option<Term> {
    match (pool.op(term), pool.args(term)) {
        (Op::Ite, &[p, one, zero])
            if pool.width(term) == Some(1) && pool.as_u64(one) == Some(1) && pool.as_u64(zero) == Some(0) =>
        {
            Some(p)
        }
        _ => None,
    }
}

/// The width of a term as these formats count it: a Boolean has one bit, an array none.
pub(crate) fn width(pool: &Pool, term: Term) -> Option<u32> {
    if pool.sort(term).is_bool() { Some(1) } else { pool.width(term) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    #[test]
    fn conversions_undo_each_other() {
        let mut pool = Pool::new();
        let p = pool.symbol("p", Sort::BOOL);
        let x = pool.symbol("x", Sort::bitvec(1).unwrap());
        let (as_bit, as_truth) = (bits(&mut pool, p), truth(&mut pool, x));
        assert_eq!(pool.display(as_bit).to_string(), "(ite p #b1 #b0)");
        assert_eq!(pool.display(as_truth).to_string(), "(= x #b1)");
        assert_eq!((truth(&mut pool, as_bit), bits(&mut pool, as_truth)), (p, x));
        assert_eq!((plain(&mut pool, as_bit), plain(&mut pool, as_truth)), (p, x));
        let (truth, zero) = (pool.bool(false), pool.bv_u64(0, 1));
        assert_eq!((bits(&mut pool, truth), plain(&mut pool, truth)), (zero, zero));
    }
}
