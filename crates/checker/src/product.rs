//! What holds of products that do not overflow, whatever their factors are.
//!
//! A product does not overflow if its factors have so few bits together, because zeros are written before
//! them. Such a term may have free bits instead of a circuit, and these facts. Each is tested for all factors
//! of small widths.

use crate::division::implications;
use crate::term::{Op, Term, Terms};

/// So many of the low bits of a term can be 1.
fn significant(terms: &Terms, mut term: Term) -> Option<u64> {
    while let (Op::Concat, &[high, low]) = (terms.op(term), terms.args(term)) {
        if terms.as_value(high).is_none_or(|value| value.bits() > 0) {
            break;
        }
        term = low;
    }
    terms.as_value(term).map(|value| value.bits()).or_else(|| terms.width(term).map(u64::from))
}

/// The factors of a product that does not overflow, and how many of its low bits can be 1.
fn factors(terms: &Terms, term: Term) -> Result<([Term; 2], u32), String> {
    let (Op::BvMul, &[p, q]) = (terms.op(term), terms.args(term)) else { return Err("not a product".into()) };
    let bits = significant(terms, p).zip(significant(terms, q)).map(|(p, q)| p + q);
    match bits.zip(terms.width(term)) {
        Some((bits, width)) if bits <= u64::from(width) => Ok(([p, q], bits as u32)),
        _ => Err("the product may overflow".into()),
    }
}

/// The conjunction of the facts about a product that does not overflow: `0 q = 0`, `1 q = q`, `p q >= q`
/// unless p is 0, and the same for the other factor; and its high bits are 0 beyond those of both factors.
pub fn facts(terms: &mut Terms, term: Term) -> Result<Term, String> {
    let ([p, q], bits) = factors(terms, term)?;
    let width = terms.width(term).ok_or("not a product")?;
    let (zero, one) = (terms.value(width, 0u8.into())?, terms.value(width, 1u8.into())?);
    let mut all = vec![];
    for (p, q) in [(p, q), (q, p)] {
        let (is_zero, is_one) = (terms.mk(Op::Eq, &[p, zero])?, terms.mk(Op::Eq, &[p, one])?);
        let (no_product, same) = (terms.mk(Op::Eq, &[term, zero])?, terms.mk(Op::Eq, &[term, q])?);
        let (is_some, less) = (terms.mk(Op::Not, &[is_zero])?, terms.mk(Op::BvUlt, &[term, q])?);
        let not_less = terms.mk(Op::Not, &[less])?;
        all.extend([(is_zero, no_product), (is_one, same), (is_some, not_less)]);
    }
    if bits < width {
        let high = terms.mk(Op::Extract(width - 1, bits), &[term])?;
        let zeros = terms.value(width - bits, 0u8.into())?;
        all.push((terms.truth(true), terms.mk(Op::Eq, &[high, zeros])?));
    }
    implications(terms, &all)
}

/// The conjunction of the facts about products `p q` and `r q` that do not overflow: if p = r they are equal,
/// if p < r then p q + q <= r q, and the other way round.
pub fn pair(terms: &mut Terms, a: Term, b: Term) -> Result<Term, String> {
    let ((left, _), (right, _)) = (factors(terms, a)?, factors(terms, b)?);
    let shared = left.iter().position(|factor| right.contains(factor)).ok_or("no factor is shared")?;
    let (q, p) = (left[shared], left[1 - shared]);
    let r = right[usize::from(right[0] == q)];
    let (same, equal) = (terms.mk(Op::Eq, &[p, r])?, terms.mk(Op::Eq, &[a, b])?);
    let mut all = vec![(same, equal)];
    for (p, r, a, b) in [(p, r, a, b), (r, p, b, a)] {
        let below = terms.mk(Op::BvUlt, &[p, r])?;
        let next = terms.mk(Op::BvAdd, &[a, q])?;
        let greater = terms.mk(Op::BvUlt, &[b, next])?;
        all.push((below, terms.mk(Op::Not, &[greater])?));
        let less = terms.mk(Op::BvUlt, &[b, a])?;
        all.push((below, terms.mk(Op::Not, &[less])?));
    }
    implications(terms, &all)
}
