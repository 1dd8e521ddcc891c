//! Lemmas that the values at hand suggest.
//!
//! A fact speaks of all operands; these speak of all operands that look like the ones at hand: powers of two,
//! so many trailing zeros, so many bits in length, these low bits. A row has a text with constants, and a
//! function that computes the constants from the values, or says that they suggest nothing. Each lemma holds
//! for all operands, whatever its constants were computed from; the caller keeps it if the values break it.
//! The windows of trailing zeros and of lengths rule out far more wrong results than any fact (measured at
//! small widths: 80 % for products, 94 % for quotients).
//!
//! Last come values: one operand is exactly this, so the result is a product by a constant, or both are.

use crate::schema::{ONE_TERM, Schema};
use bivalve_terms::{BitVec, Op, Value};
use std::sync::LazyLock;

/// The constants `k`, `m`, ... of a row for values of `x`, `s` and `t`, of which `t` may be wrong; `None` if
/// they suggest nothing.
type Constants = fn(&BitVec, &BitVec, &BitVec) -> Option<Vec<BitVec>>;

/// Name, operator, lemma and constants, in the order in which they are tried.
const ROWS: &[(&str, Op, &str, Constants)] = &[
    ("product_by_power", Op::BvMul, "(=> (= s k) (= t (bvshl x m)))", |_, s, _| {
        Some(vec![s.clone(), number(s, s.log2_exact()?)])
    }),
    ("product_by_minus_power", Op::BvMul, "(=> (= s k) (= t (bvshl (bvneg x) m)))", |_, s, _| {
        Some(vec![s.clone(), number(s, s.neg().log2_exact()?)])
    }),
    // The trailing zeros of a product are those of the factors together: all of them, ...
    ("product_vanishes", Op::BvMul, "(=> (= (bvand x k) 0) (= (bvand s m) 0) (= t 0))", |x, s, _| {
        let (width, i, j) = (x.width(), x.trailing_zeros(), s.trailing_zeros());
        (i + j >= width).then(|| vec![low(x, i), low(x, j.min(width - i))])
    }),
    // ... or these many, below the lowest one.
    (
        "product_zeros",
        Op::BvMul,
        "(=> (= (bvand x (bvor k (bvsub k 1))) k) (= (bvand s (bvor m (bvsub m 1))) m)
             (= (bvand t (bvor (bvmul k m) (bvsub (bvmul k m) 1))) (bvmul k m)))",
        |x, s, _| {
            let (i, j) = (x.trailing_zeros(), s.trailing_zeros());
            (i + j < x.width()).then(|| vec![bit(x, i), bit(x, j)])
        },
    ),
    // The length of a product that does not overflow is that of the factors together, or one less.
    (
        "product_length",
        Op::BvMul,
        "(=> (= (bvlshr x k) 1) (= (bvlshr s m) 1)
             (and (bvult 0 (bvlshr t (bvadd k m))) (bvult (bvlshr t (bvadd k m)) 4)))",
        |x, s, _| {
            let (p, q) = (length(x), length(s));
            (p + q <= x.width() && p > 0 && q > 0).then(|| vec![number(x, p - 1), number(x, q - 1)])
        },
    ),
    (
        "product_low_byte",
        Op::BvMul,
        "(= ((_ extract 7 0) t) (bvmul ((_ extract 7 0) x) ((_ extract 7 0) s)))",
        |x, _, _| (x.width() > 8).then(Vec::new),
    ),
    // Factors up to these have a product up to this, the least bound that rules the result out.
    ("product_at_most", Op::BvMul, "(=> (bvule x k) (bvule s m) (bvule t (bvmul k m)))", |x, s, t| {
        if s.is_zero() || x.umul_overflows(s) || t.ule(&x.mul(s)) {
            return None;
        }
        Some(vec![t.sub(&BitVec::one(t.width())).udiv(s), s.clone()])
    }),
    // Factors from these on have a product from this on, if they are short enough not to overflow, or if one
    // is this and the other not too great for it.
    (
        "product_at_least",
        Op::BvMul,
        "(=> (bvule x n) (bvule s h) (bvule k x) (bvule m s) (bvule (bvmul k m) t))",
        |x, s, t| {
            let (width, p) = (x.width(), length(x));
            if s.is_zero() || x.umul_overflows(s) || x.mul(s).ule(t) {
                return None;
            }
            let [x_most, s_most] = match p + length(s) <= width {
                true => [low(x, p), low(x, width - p)],
                false => [BitVec::ones(width).udiv(s), s.clone()],
            };
            Some(vec![t.udiv(s).add(&BitVec::one(width)), s.clone(), x_most, s_most])
        },
    ),
    // Numbers of so many bits have a product that fits, ...
    ("product_fits_by_length", Op::BvUmulo, "(=> (bvule x k) (bvule s m) (not t))", |x, s, _| {
        let (width, p, q) = (x.width(), length(x), length(s));
        (p > 0 && q > 0 && p + q <= width).then(|| vec![low(x, p), low(x, width - p)])
    }),
    // ... or one that does not.
    ("overflow_by_length", Op::BvUmulo, "(=> (bvule k x) (bvule m s) t)", |x, s, _| {
        let (width, p, q) = (x.width(), length(x), length(s));
        (p > 0 && q > 0 && p + q > width + 1).then(|| vec![bit(x, p - 1), bit(x, width + 1 - p)])
    }),
    // A product overflows from a factor on, and does not below.
    ("product_fits_below", Op::BvUmulo, "(=> (bvule x k) (bvule s m) (not t))", |x, s, _| {
        let bound = greatest_factor(x)?;
        s.ule(&bound).then(|| vec![x.clone(), bound])
    }),
    ("overflow_above", Op::BvUmulo, "(=> (bvule k x) (bvult m s) t)", |x, s, _| {
        let bound = greatest_factor(x)?;
        bound.ult(s).then(|| vec![x.clone(), bound])
    }),
    ("quotient_by_power", Op::BvUdiv, "(=> (= s k) (= t (bvlshr x m)))", |_, s, _| {
        Some(vec![s.clone(), number(s, s.log2_exact()?)])
    }),
    // The length of a quotient is the difference of the lengths, or one more.
    ("quotient_is_a_bit", Op::BvUdiv, "(=> (bvule x k) (= (bvand s m) m) (bvule t 1))", |x, s, _| {
        let (p, q) = (length(x), length(s));
        (q > 0 && p == q).then(|| vec![low(x, p), bit(x, p - 1)])
    }),
    (
        "quotient_length",
        Op::BvUdiv,
        "(=> (= (bvlshr x k) 1) (= (bvlshr s m) 1)
             (and (bvult 0 (bvlshr t (bvsub (bvsub k m) 1))) (bvult (bvlshr t (bvsub (bvsub k m) 1)) 4)))",
        |x, s, _| {
            let (p, q) = (length(x), length(s));
            (q > 0 && p > q).then(|| vec![number(x, p - 1), number(x, q - 1)])
        },
    ),
    // A divisor that goes in once.
    ("quotient_once", Op::BvUdiv, "(=> (bvule s x) (bvult (bvsub x s) s) (= t 1))", |_, _, _| Some(vec![])),
    ("remainder_by_power", Op::BvUrem, "(=> (= s k) (= t (bvand x m)))", |_, s, _| {
        Some(vec![s.clone(), low(s, s.log2_exact()?)])
    }),
    // A divisor with trailing zeros leaves as many bits as they are.
    ("remainder_low_bits", Op::BvUrem, "(=> (= (bvand s k) 0) (= (bvand t k) (bvand x k)))", |_, s, _| {
        let i = s.trailing_zeros();
        (i > 0 && i < s.width()).then(|| vec![low(s, i)])
    }),
    ("remainder_once", Op::BvUrem, "(=> (bvule s x) (bvult (bvsub x s) s) (= t (bvsub x s)))", |_, _, _| {
        Some(vec![])
    }),
];

/// Low bits of a product, which get a circuit of their own before the whole does, one after the other.
const LOW_ROWS: &[(&str, Op, &str, Constants)] = &[
    (
        "low_bits",
        Op::BvMul,
        "(= ((_ extract 15 0) t) (bvmul ((_ extract 15 0) x) ((_ extract 15 0) s)))",
        |x, _, _| (x.width() > 16).then(Vec::new),
    ),
    (
        "low_bits",
        Op::BvMul,
        "(= ((_ extract 31 0) t) (bvmul ((_ extract 31 0) x) ((_ extract 31 0) s)))",
        |x, _, _| (x.width() > 32).then(Vec::new),
    ),
];

/// A product by a constant has a circuit of one sum for each one in it; up to so many it is the lemma, rather
/// than the product of two constants.
const FEW_ONES: u32 = 8;

/// One operand is a constant of few digits, or both are what they are. The first row that suggests something
/// is the lemma.
const VALUE_ROWS: &[(&str, Op, &str, Constants)] = &[
    ("value", Op::BvMul, "(=> (= s k) (= t (bvmul x k)))", |_, s, _| {
        (s.count_ones() <= FEW_ONES).then(|| vec![s.clone()])
    }),
    ("value", Op::BvMul, "(=> (= x k) (= t (bvmul k s)))", |x, _, _| {
        (x.count_ones() <= FEW_ONES).then(|| vec![x.clone()])
    }),
    ("value", Op::BvMul, "(=> (= x k) (= s m) (= t (bvmul k m)))", both),
    ("value", Op::BvUdiv, "(=> (= x k) (= s m) (= t (bvudiv k m)))", both),
    ("value", Op::BvUrem, "(=> (= x k) (= s m) (= t (bvurem k m)))", both),
    ("value", Op::BvUmulo, "(=> (= x k) (= s m) (= t (bvumulo k m)))", both),
];

fn both(x: &BitVec, s: &BitVec, _: &BitVec) -> Option<Vec<BitVec>> {
    Some(vec![x.clone(), s.clone()])
}

/// A lemma for operands like those at hand.
pub(crate) struct Guided {
    pub(crate) name: &'static str,
    pub(crate) op: Op,
    pub(crate) schema: Schema,
    constants: Constants,
}

impl Guided {
    /// The constants of the lemma for these values; `None` if they suggest nothing.
    pub(crate) fn constants(&self, [x, s, t]: &[BitVec; 3]) -> Option<Vec<Value>> {
        Some((self.constants)(x, s, t)?.into_iter().map(Value::from).collect())
    }
}

fn read(rows: &'static [(&'static str, Op, &'static str, Constants)]) -> Vec<Guided> {
    let row =
        |&(name, op, text, constants)| Guided { name, op, schema: Schema::new(text, ONE_TERM), constants };
    rows.iter().map(row).collect()
}

/// All guided lemmas, in the order in which they are tried.
pub(crate) static GUIDED: LazyLock<Vec<Guided>> = LazyLock::new(|| read(ROWS));

/// Low bits of products, shortest first.
pub(crate) static LOW_BITS: LazyLock<Vec<Guided>> = LazyLock::new(|| read(LOW_ROWS));

/// Lemmas about single values.
pub(crate) static VALUES: LazyLock<Vec<Guided>> = LazyLock::new(|| read(VALUE_ROWS));

/// The number of bits up to the highest one.
pub(crate) fn length(value: &BitVec) -> u32 {
    value.width() - value.leading_zeros()
}

/// A number in the width of `like`.
fn number(like: &BitVec, value: u32) -> BitVec {
    BitVec::from_u64(u64::from(value), like.width())
}

/// The power of two with this exponent, which is less than the width.
fn bit(like: &BitVec, exponent: u32) -> BitVec {
    BitVec::one(like.width()).shl_by(exponent)
}

/// The lowest `count` bits.
pub(crate) fn low(like: &BitVec, count: u32) -> BitVec {
    BitVec::ones(like.width()).lshr_by(like.width() - count)
}

/// The greatest number whose product with this one does not overflow; `None` for 0.
pub(crate) fn greatest_factor(x: &BitVec) -> Option<BitVec> {
    (!x.is_zero()).then(|| BitVec::ones(x.width()).udiv(x))
}
