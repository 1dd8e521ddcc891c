//! Lemmas about two terms, of the same operands or of operands in order.
//!
//! Facts about one term cannot say that quotients by the same divisor are in the order of their dividends, or
//! that a product divided by one factor is the other. Each row is a lemma over the operands and results of
//! two terms that holds for all operands; it is given where the values of a model break it. Where a product
//! must not overflow, that is plain to see, or the symbol of the overflow says so, or the operands are below
//! bounds: these are further conditions of the lemma.
//!
//! Rewriting and intervals make operators as narrow as their operands allow, so two that belong together may
//! have different widths: the narrow one is extended, where that is the same ([`Side::extended`]).
//!
//! Cost: comparisons of values; a lemma for each pair of terms and each row, and a few more where bounds
//! stand in the conditions.

use crate::abstraction::{Entry, Violation};
use crate::guided::{greatest_factor, length, low};
use crate::schema::{self, Schema, TWO_TERMS};
use bivalve_terms::{BitVec, Op, Pool, Term};
use std::sync::LazyLock;

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

    /// With its operands in all orders that are the same.
    fn orders(&self) -> impl Iterator<Item = Side> {
        let swapped = matches!(self.op, Op::BvMul | Op::BvUmulo).then(|| {
            let mut swapped = self.clone();
            swapped.terms.swap(0, 1);
            swapped.values.swap(0, 1);
            swapped
        });
        [self.clone()].into_iter().chain(swapped)
    }
}

/// A lemma about two terms.
struct Row {
    name: &'static str,
    ops: [Op; 2],
    /// Whether the lemma holds where the narrow term is extended, see [`Side::extended`].
    holds_of_mixed: bool,
    /// Whether the second product must not overflow.
    needs_fit: bool,
    text: &'static str,
}

const fn row(name: &'static str, ops: [Op; 2], text: &'static str) -> Row {
    Row { name, ops, holds_of_mixed: false, needs_fit: false, text }
}

impl Row {
    const fn of_mixed(self) -> Row {
        Row { holds_of_mixed: true, ..self }
    }

    const fn if_it_fits(self) -> Row {
        Row { needs_fit: true, ..self }
    }
}

/// The rows, over `t = x op s` and `p = a op b`; commutative operators are tried with both orders of
/// operands.
const ROWS: &[Row] = &[
    // By zero too, where a quotient is the greatest number.
    row("quotients_grow", [Op::BvUdiv, Op::BvUdiv], "(=> (bvule x a) (bvule b s) (bvule t p))"),
    row("products_grow", [Op::BvMul, Op::BvMul], "(=> (bvule x a) (bvule s b) (bvule t p))")
        .of_mixed()
        .if_it_fits(),
    // Dividends that are apart by no less than the divisor have different quotients, ...
    row(
        "quotients_apart",
        [Op::BvUdiv, Op::BvUdiv],
        "(=> (= s b) (not (= s 0)) (bvule x a) (bvule s (bvsub a x)) (bvult t p))",
    ),
    // ... and by no more than the divisor, quotients that are apart by no more than one.
    row(
        "quotients_near",
        [Op::BvUdiv, Op::BvUdiv],
        "(=> (= s b) (bvule x a) (bvule (bvsub a x) s) (bvule (bvsub p t) 1))",
    ),
    // Rows of a table do not overlap.
    row("products_apart", [Op::BvMul, Op::BvMul], "(=> (bvult x a) (bvule s b) (bvule s (bvsub p t)))")
        .of_mixed()
        .if_it_fits(),
    row("overflows_grow", [Op::BvUmulo, Op::BvUmulo], "(=> t (bvule x a) (bvule s b) p)"),
    // A product that does not overflow is no less than a factor whose other factor is not zero.
    row(
        "product_not_less",
        [Op::BvUmulo, Op::BvMul],
        "(=> (bvule a x) (bvule b s) (not t) (not (= b 0)) (bvule a p))",
    ),
    // A factor that is no more than a quotient, times one that is no more than the divisor, is no more than
    // the dividend, and does not overflow; one above the quotient, times no less than the divisor, is more.
    row("product_of_less", [Op::BvUdiv, Op::BvMul], "(=> (bvule a t) (bvule b s) (bvule p x))").of_mixed(),
    row("product_of_more", [Op::BvUdiv, Op::BvMul], "(=> (bvult t a) (bvule s b) (not (= s 0)) (bvult x p))")
        .of_mixed()
        .if_it_fits(),
    row("product_fits", [Op::BvUdiv, Op::BvUmulo], "(=> (bvule a t) (bvule b s) (not p))"),
    // A quotient times its divisor leaves less than the divisor of the dividend.
    row("product_near", [Op::BvUdiv, Op::BvMul], "(=> (= a t) (= b s) (not (= s 0)) (bvult (bvsub x p) s))")
        .of_mixed(),
    // A product and a rest below one factor, divided by that factor, is the other factor, and leaves the
    // rest.
    row(
        "quotient_between",
        [Op::BvUdiv, Op::BvMul],
        "(=> (= s b) (bvule p x) (bvult (bvsub x p) s) (= t a))",
    )
    .of_mixed()
    .if_it_fits(),
    row(
        "remainder_between",
        [Op::BvUrem, Op::BvMul],
        "(=> (= s b) (bvule p x) (bvult (bvsub x p) s) (= t (bvsub x p)))",
    )
    .of_mixed()
    .if_it_fits(),
    // What is no more than a product, divided by no less than a factor and not by zero, is no more than the
    // other factor; what is no less, divided by no more, is no less.
    row(
        "quotient_of_less",
        [Op::BvUdiv, Op::BvMul],
        "(=> (bvule x p) (bvule b s) (not (= s 0)) (bvule t a))",
    )
    .of_mixed()
    .if_it_fits(),
    row("quotient_of_more", [Op::BvUdiv, Op::BvMul], "(=> (bvule p x) (bvule s b) (bvule a t))").if_it_fits(),
];

/// The rows, read.
static SCHEMAS: LazyLock<Vec<(&Row, Schema)>> =
    LazyLock::new(|| ROWS.iter().map(|row| (row, Schema::new(row.text, TWO_TERMS))).collect());

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
    for (row, schema) in &*SCHEMAS {
        for (first, second) in [(one, other), (other, one)] {
            if [first.op, second.op] != row.ops || is_mixed && !row.holds_of_mixed {
                continue;
            }
            for first in first.orders() {
                let found =
                    second.orders().find_map(|second| row.lemma(schema, pool, &first, &second, overflow));
                if let Some(found) = found {
                    return Some((row.name, found));
                }
            }
        }
    }
    None
}

impl Row {
    /// The lemma about two terms, if their values break it.
    fn lemma(
        &self,
        schema: &Schema,
        pool: &mut Pool,
        first: &Side,
        second: &Side,
        overflow: &Overflow<'_>,
    ) -> Option<Term> {
        let values = [first, second].map(|side| schema::values(side.op, &side.values)).concat();
        if !schema.is_broken(&values) {
            return None;
        }
        let mut clause = if self.needs_fit { fits(pool, second, overflow)? } else { vec![] };
        clause.push(schema.lemma(pool, &[first.terms, second.terms].concat()));
        Some(if let [lemma] = clause[..] { lemma } else { pool.mk(Op::Implies, &clause) })
    }
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
    let at_most = |pool: &mut Pool, factor: Term, bound: &BitVec| {
        let bound = pool.bitvec(bound);
        pool.mk(Op::BvUle, &[factor, bound])
    };
    // As many bits as the zeros of the other factor leave.
    for (factor, value, zeros) in [(a, a_value, known[1]), (b, b_value, known[0])] {
        if zeros > 0 && length(value) <= zeros {
            return Some(vec![at_most(pool, factor, &low(value, zeros))]);
        }
    }
    if let Some(conditions) = overflow(pool, [a, b], [a_value, b_value]) {
        return Some(conditions);
    }
    let bits = length(a_value);
    let constants = [a, b].map(|term| pool.as_bitvec(term).is_some());
    let bounds = if !constants[0] && !constants[1] && bits + length(b_value) <= width {
        [low(a_value, bits), low(a_value, width - bits)]
    } else if constants[0] {
        // By a bound for each; a constant factor is one itself.
        [a_value.clone(), greatest_factor(a_value)?]
    } else {
        [greatest_factor(b_value)?, b_value.clone()]
    };
    Some(vec![at_most(pool, a, &bounds[0]), at_most(pool, b, &bounds[1])])
}

/// Leading zeros that are plain to see.
fn zeros(pool: &Pool, term: Term) -> u32 {
    match (pool.op(term), pool.args(term)) {
        (Op::Const, _) => pool.as_bitvec(term).map_or(0, |value| value.leading_zeros()),
        (Op::Concat, &[high, _]) => pool.as_bitvec(high).map_or(0, |value| value.leading_zeros()),
        _ => 0,
    }
}
