//! Lemmas about two terms, of the same operands or of operands in order.
//!
//! Facts about one term cannot say that quotients by the same divisor are in the order of their dividends, or
//! that a product divided by one factor is the other. Each row looks at the values of two terms and gives a
//! lemma that they break, under conditions on the operands; it holds for all operands. Where a product must
//! not overflow, that is plain to see, or the symbol of the overflow says so, or the operands are below
//! bounds.
//!
//! Rewriting and intervals make operators as narrow as their operands allow, so two that belong together may
//! have different widths: the narrow one is extended, where that is the same ([`Side::extended`]).
//!
//! Cost: comparisons of values; a lemma for each pair of terms and each row, and a few more where bounds
//! stand in the conditions.

use crate::abstraction::{Entry, Violation};
use crate::guided::length;
use crate::maker::Maker;
use bivalve_terms::{BitVec, Op, Pool, Term};

/// Conditions under which a product of two factors of some values does not overflow, by what is known of it
/// or of a greater product.
pub(crate) type Overflow<'a> = dyn Fn(&mut Pool, [Term; 2], [&BitVec; 2]) -> Option<Vec<Term>> + 'a;

/// A term by its operands and its symbol, and the values of these.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) op: Op,
    pub(crate) terms: [Term; 3],
    pub(crate) values: [BitVec; 3],
}

impl Side {
    /// The same of more bits, which are zeros, if that is the same: a product must not overflow, and a
    /// quotient by zero is another number, which the rows of [`ROWS`] allow that say so.
    fn extended(&self, pool: &mut Pool, width: u32) -> Option<Side> {
        let own = self.values[0].width();
        let fits = match self.op {
            _ if own == width => true,
            Op::BvMul => zeros(pool, self.terms[0]) + zeros(pool, self.terms[1]) >= own,
            op => matches!(op, Op::BvUdiv | Op::BvUrem),
        };
        let more = width.checked_sub(own).filter(|_| fits)?;
        let terms = self.terms.map(|term| match more {
            0 => term,
            _ => {
                let zeros = pool.bitvec(&BitVec::zero(more));
                pool.mk(Op::Concat, &[zeros, term])
            }
        });
        Some(Side { op: self.op, terms, values: self.values.each_ref().map(|value| value.zero_extend(more)) })
    }

    /// With the operands exchanged.
    fn swapped(&self) -> Side {
        let (mut terms, mut values) = (self.terms, self.values.clone());
        terms.swap(0, 1);
        values.swap(0, 1);
        Side { op: self.op, terms, values }
    }
}

/// A lemma about these two that their values break.
type Row = fn(&mut Pool, &Side, &Side, &Overflow<'_>) -> Option<Term>;

/// Name, operators, whether it holds of operators of different widths, too ([`Side::extended`]), and the
/// lemma.
const ROWS: &[(&str, [Op; 2], bool, Row)] = &[
    ("quotients_grow", [Op::BvUdiv, Op::BvUdiv], false, quotients_grow),
    ("products_grow", [Op::BvMul, Op::BvMul], true, products_grow),
    ("quotients_apart", [Op::BvUdiv, Op::BvUdiv], false, quotients_apart),
    ("quotients_near", [Op::BvUdiv, Op::BvUdiv], false, quotients_near),
    ("products_apart", [Op::BvMul, Op::BvMul], true, products_apart),
    ("overflows_grow", [Op::BvUmulo, Op::BvUmulo], false, overflows_grow),
    ("product_not_less", [Op::BvUmulo, Op::BvMul], false, product_not_less),
    ("product_of_less", [Op::BvUdiv, Op::BvMul], true, product_of_less),
    ("product_of_more", [Op::BvUdiv, Op::BvMul], true, product_of_more),
    ("product_fits", [Op::BvUdiv, Op::BvUmulo], false, product_fits),
    ("product_near", [Op::BvUdiv, Op::BvMul], true, product_near),
    ("quotient_between", [Op::BvUdiv, Op::BvMul], true, quotient_between),
    ("remainder_between", [Op::BvUrem, Op::BvMul], true, remainder_between),
    ("quotient_of_less", [Op::BvUdiv, Op::BvMul], true, quotient_of_less),
    ("quotient_of_more", [Op::BvUdiv, Op::BvMul], false, quotient_of_more),
];

/// A lemma about the violation and one of the others, with the name of its row.
pub(crate) fn lemma<'a>(
    pool: &mut Pool,
    entry: &dyn Fn(usize) -> &'a Entry,
    violation: &Violation,
    partners: &[&Violation],
    overflow: &Overflow<'_>,
) -> Option<(&'static str, Term)> {
    let side = |pool: &Pool, (number, values): &Violation| {
        let Entry { term, symbol, .. } = *entry(*number);
        let &[x, s] = pool.args(term) else { return None };
        Some(Side { op: pool.op(term), terms: [x, s, symbol], values: values.clone() })
    };
    let one = side(pool, violation)?;
    for partner in partners.iter().filter(|partner| partner.0 != violation.0) {
        let other = side(pool, partner)?;
        let found = about(pool, &one, &other, overflow);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// A lemma about two terms, whichever comes first.
pub(crate) fn about(
    pool: &mut Pool,
    one: &Side,
    other: &Side,
    overflow: &Overflow<'_>,
) -> Option<(&'static str, Term)> {
    let [width, other_width] = [one, other].map(|side| side.values[0].width());
    let is_mixed = width != other_width;
    let extended = is_mixed.then(|| {
        let width = width.max(other_width);
        Some((one.extended(pool, width)?, other.extended(pool, width)?))
    });
    let (one, other) = match &extended {
        None => (one, other),
        Some(sides) => sides.as_ref().map(|(one, other)| (one, other))?,
    };
    for &(name, ops, holds_of_mixed, row) in ROWS {
        for (first, second) in [(one, other), (other, one)] {
            if [first.op, second.op] != ops || is_mixed && !holds_of_mixed {
                continue;
            }
            let commutes = matches!(second.op, Op::BvMul | Op::BvUmulo);
            let found = row(pool, first, second, overflow)
                .or_else(|| commutes.then(|| row(pool, first, &second.swapped(), overflow))?);
            if let Some(found) = found {
                return Some((name, found));
            }
        }
    }
    None
}

/// A vocabulary for terms of the width of the operands.
fn maker<'a>(pool: &'a mut Pool, side: &Side) -> Maker<'a> {
    let [x, s, t] = side.terms;
    Maker { pool, x, s, t }
}

/// `x <= x'` and `s' <= s` imply `x / s <= x' / s'`; by zero too, where a quotient is the greatest number.
fn quotients_grow(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [y, r, u]) = (&first.values, &second.values);
    if !x.ule(y) || !r.ule(s) || t.ule(u) {
        return None;
    }
    let [y, r, u] = second.terms;
    let mut m = maker(pool, first);
    let (dividends, divisors, result) = (m.ule(m.x, y), m.ule(r, m.s), m.ule(m.t, u));
    Some(m.implies(&[dividends, divisors], result))
}

/// `x <= x'` and `s <= s'` imply `x * s <= x' * s'` if the greater product does not overflow.
fn products_grow(pool: &mut Pool, first: &Side, second: &Side, overflow: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [y, r, u]) = (&first.values, &second.values);
    if !x.ule(y) || !s.ule(r) || t.ule(u) {
        return None;
    }
    let mut conditions = fits(pool, second, overflow)?;
    let [y, r, u] = second.terms;
    let mut m = maker(pool, first);
    conditions.extend([m.ule(m.x, y), m.ule(m.s, r)]);
    let result = m.ule(m.t, u);
    Some(m.implies(&conditions, result))
}

/// Dividends that are apart by no less than the divisor have different quotients.
fn quotients_apart(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [y, r, u]) = (&first.values, &second.values);
    if s != r || s.is_zero() || !x.ule(y) || !s.ule(&y.sub(x)) || t.ult(u) {
        return None;
    }
    let [y, r, u] = second.terms;
    let mut m = maker(pool, first);
    let (zero, apart) = (m.number(0), m.op(Op::BvSub, &[y, m.x]));
    let by_zero = m.eq(m.s, zero);
    let conditions = [m.eq(m.s, r), m.not(by_zero), m.ule(m.x, y), m.ule(m.s, apart)];
    let result = m.ult(m.t, u);
    Some(m.implies(&conditions, result))
}

/// Dividends that are apart by no more than the divisor have quotients that are apart by no more than one.
fn quotients_near(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [y, r, u]) = (&first.values, &second.values);
    if s != r || !x.ule(y) || !y.sub(x).ule(s) || u.sub(t).ule(&BitVec::one(t.width())) {
        return None;
    }
    let [y, r, u] = second.terms;
    let mut m = maker(pool, first);
    let (one, apart) = (m.number(1), m.op(Op::BvSub, &[y, m.x]));
    let conditions = [m.eq(m.s, r), m.ule(m.x, y), m.ule(apart, m.s)];
    let more = m.op(Op::BvSub, &[u, m.t]);
    let result = m.ule(more, one);
    Some(m.implies(&conditions, result))
}

/// `x < x'` and `s <= s'` imply that `x' * s'` is by `s` or more above `x * s`, if it does not overflow: rows
/// of a table do not overlap.
fn products_apart(pool: &mut Pool, first: &Side, second: &Side, overflow: &Overflow<'_>) -> Option<Term> {
    [(first.clone(), second.clone()), (first.swapped(), second.swapped())].into_iter().find_map(
        |(first, second)| {
            let ([x, s, t], [y, r, u]) = (&first.values, &second.values);
            if !x.ult(y) || !s.ule(r) || s.ule(&u.sub(t)) {
                return None;
            }
            let mut conditions = fits(pool, &second, overflow)?;
            let [y, r, u] = second.terms;
            let mut m = maker(pool, &first);
            conditions.extend([m.ult(m.x, y), m.ule(m.s, r)]);
            let apart = m.op(Op::BvSub, &[u, m.t]);
            let result = m.ule(m.s, apart);
            Some(m.implies(&conditions, result))
        },
    )
}

/// A product overflows if one of smaller factors does.
fn overflows_grow(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [y, r, u]) = (&first.values, &second.values);
    if !x.ule(y) || !s.ule(r) || t.is_zero() || !u.is_zero() {
        return None;
    }
    let [y, r, u] = second.terms;
    let mut m = maker(pool, first);
    let (left, right) = (m.ule(m.x, y), m.ule(m.s, r));
    Some(m.implies(&[m.t, left, right], u))
}

/// A product that does not overflow is no less than a factor whose other factor is not zero.
fn product_not_less(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([x, s, overflows], [a, b, p]) = (&first.values, &second.values);
    if !a.ule(x) || !b.ule(s) || !overflows.is_zero() || b.is_zero() || a.ule(p) {
        return None;
    }
    let [a, b, p] = second.terms;
    let mut m = maker(pool, first);
    let zero = m.number(0);
    let by_zero = m.eq(b, zero);
    let conditions = [m.ule(a, m.x), m.ule(b, m.s), m.not(m.t), m.not(by_zero)];
    let result = m.ule(a, p);
    Some(m.implies(&conditions, result))
}

/// What is no more than a product, divided by no less than a factor and not by zero, is no more than the
/// other factor.
fn quotient_of_less(pool: &mut Pool, first: &Side, second: &Side, overflow: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [a, b, p]) = (&first.values, &second.values);
    if !x.ule(p) || !b.ule(s) || s.is_zero() || t.ule(a) {
        return None;
    }
    let mut conditions = fits(pool, second, overflow)?;
    let [a, b, p] = second.terms;
    let mut m = maker(pool, first);
    let zero = m.number(0);
    let by_zero = m.eq(m.s, zero);
    conditions.extend([m.ule(m.x, p), m.ule(b, m.s), m.not(by_zero)]);
    let result = m.ule(m.t, a);
    Some(m.implies(&conditions, result))
}

/// What is no less than a product, divided by no more than a factor, is no less than the other factor.
fn quotient_of_more(pool: &mut Pool, first: &Side, second: &Side, overflow: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [a, b, p]) = (&first.values, &second.values);
    if !p.ule(x) || !s.ule(b) || a.ule(t) {
        return None;
    }
    let mut conditions = fits(pool, second, overflow)?;
    let [a, b, p] = second.terms;
    let mut m = maker(pool, first);
    conditions.extend([m.ule(p, m.x), m.ule(m.s, b)]);
    let result = m.ule(a, m.t);
    Some(m.implies(&conditions, result))
}

/// A factor that is no more than a quotient, times one that is no more than the divisor, is no more than the
/// dividend, and does not overflow.
fn product_of_less(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [a, b, p]) = (&first.values, &second.values);
    if !a.ule(t) || !b.ule(s) || p.ule(x) {
        return None;
    }
    let [a, b, p] = second.terms;
    let mut m = maker(pool, first);
    let (left, right, result) = (m.ule(a, m.t), m.ule(b, m.s), m.ule(p, m.x));
    Some(m.implies(&[left, right], result))
}

/// The same, for the symbol that says whether it overflows.
fn product_fits(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([_, s, t], [a, b, overflows]) = (&first.values, &second.values);
    if !a.ule(t) || !b.ule(s) || overflows.is_zero() {
        return None;
    }
    let [a, b, overflows] = second.terms;
    let mut m = maker(pool, first);
    let (left, right, result) = (m.ule(a, m.t), m.ule(b, m.s), m.not(overflows));
    Some(m.implies(&[left, right], result))
}

/// A factor above a quotient, times no less than the divisor, is above the dividend if it does not overflow.
fn product_of_more(pool: &mut Pool, first: &Side, second: &Side, overflow: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [a, b, p]) = (&first.values, &second.values);
    if !t.ult(a) || !s.ule(b) || s.is_zero() || x.ult(p) {
        return None;
    }
    let mut conditions = fits(pool, second, overflow)?;
    let [a, b, p] = second.terms;
    let mut m = maker(pool, first);
    let zero = m.number(0);
    let by_zero = m.eq(m.s, zero);
    conditions.extend([m.ult(m.t, a), m.ule(m.s, b), m.not(by_zero)]);
    let result = m.ult(m.x, p);
    Some(m.implies(&conditions, result))
}

/// A quotient times its divisor leaves less than the divisor of the dividend.
fn product_near(pool: &mut Pool, first: &Side, second: &Side, _: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [a, b, p]) = (&first.values, &second.values);
    if a != t || b != s || s.is_zero() || x.sub(p).ult(s) {
        return None;
    }
    let [a, b, p] = second.terms;
    let mut m = maker(pool, first);
    let (zero, rest) = (m.number(0), m.op(Op::BvSub, &[m.x, p]));
    let by_zero = m.eq(m.s, zero);
    let conditions = [m.eq(a, m.t), m.eq(b, m.s), m.not(by_zero)];
    let result = m.ult(rest, m.s);
    Some(m.implies(&conditions, result))
}

/// A product and a rest below one factor leave this rest, divided by that factor.
fn remainder_between(pool: &mut Pool, first: &Side, second: &Side, overflow: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [_, b, p]) = (&first.values, &second.values);
    if s != b || !p.ule(x) || !x.sub(p).ult(s) || *t == x.sub(p) {
        return None;
    }
    let mut conditions = fits(pool, second, overflow)?;
    let [_, b, p] = second.terms;
    let mut m = maker(pool, first);
    let rest = m.op(Op::BvSub, &[m.x, p]);
    conditions.extend([m.eq(m.s, b), m.ule(p, m.x), m.ult(rest, m.s)]);
    let result = m.eq(m.t, rest);
    Some(m.implies(&conditions, result))
}

/// A product and a rest below one factor, divided by that factor, is the other factor.
fn quotient_between(pool: &mut Pool, first: &Side, second: &Side, overflow: &Overflow<'_>) -> Option<Term> {
    let ([x, s, t], [a, b, p]) = (&first.values, &second.values);
    if s != b || !p.ule(x) || !x.sub(p).ult(s) || t == a {
        return None;
    }
    let mut conditions = fits(pool, second, overflow)?;
    let [a, b, p] = second.terms;
    let mut m = maker(pool, first);
    let rest = m.op(Op::BvSub, &[m.x, p]);
    conditions.extend([m.eq(m.s, b), m.ule(p, m.x), m.ult(rest, m.s)]);
    let result = m.eq(m.t, a);
    Some(m.implies(&conditions, result))
}

/// Conditions under which the product does not overflow, which hold of the values; `None` if it may.
pub(crate) fn fits(pool: &mut Pool, product: &Side, overflow: &Overflow<'_>) -> Option<Vec<Term>> {
    let [a, b, _] = product.terms;
    let width = product.values[0].width();
    let known = [a, b].map(|term| zeros(pool, term));
    if known[0] + known[1] >= width {
        return Some(vec![]);
    }
    let [a_value, b_value, _] = &product.values;
    if a_value.umul_overflows(b_value) {
        return None;
    }
    // As many bits as the zeros of the other factor leave.
    for (factor, value, zeros) in [(a, a_value, known[1]), (b, b_value, known[0])] {
        if zeros > 0 && length(value) <= zeros {
            return Some(vec![maker(pool, product).zero_from(factor, zeros)]);
        }
    }
    if let Some(conditions) = overflow(pool, [a, b], [a_value, b_value]) {
        return Some(conditions);
    }
    let bits = length(a_value);
    let constants = [a, b].map(|term| pool.as_bitvec(term).is_some());
    let mut m = maker(pool, product);
    if !constants[0] && !constants[1] && bits + length(b_value) <= width {
        return Some(vec![m.zero_from(a, bits), m.zero_from(b, width - bits)]);
    }
    // By a bound for each; a constant factor is one itself.
    let (value, [a, b]) = if constants[0] { (a_value, [b, a]) } else { (b_value, [a, b]) };
    if value.is_zero() {
        return None;
    }
    let (most, value) = (m.constant(&BitVec::ones(width).udiv(value)), m.constant(value));
    Some(vec![m.ule(a, most), m.ule(b, value)])
}

/// Leading zeros that are plain to see.
fn zeros(pool: &Pool, term: Term) -> u32 {
    match (pool.op(term), pool.args(term)) {
        (Op::Const, _) => pool.as_bitvec(term).map_or(0, |value| value.leading_zeros()),
        (Op::Concat, &[high, _]) => pool.as_bitvec(high).map_or(0, |value| value.leading_zeros()),
        _ => 0,
    }
}
