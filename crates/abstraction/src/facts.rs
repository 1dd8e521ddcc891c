//! Facts: what holds of `t = x op s` for all operands, one row each.
//!
//! The rows follow the lemmas of the CAV 2024 paper, the ones that rule out most wrong results first. For a
//! product, a row is tried for both orders of the operands. Every row is tested: it must hold for all
//! operands at widths 3 to 5 and for random ones above, and must fail for some wrong result.
//!
//! Facts need not hold below a width of 3.

use crate::schema::{ONE_TERM, Schema};
use bivalve_terms::Op;
use std::sync::LazyLock;

/// Name, operator, and what holds of it.
const ROWS: &[(&str, Op, &str)] = &[
    ("product_low_bit", Op::BvMul, "(= ((_ extract 0 0) t) (bvand ((_ extract 0 0) x) ((_ extract 0 0) s)))"),
    ("product_trailing_zeros", Op::BvMul, "(= (bvand t (bvor s (bvneg s))) t)"),
    ("overflow_of_few", Op::BvUmulo, "(=> (bvule x 1) (not t))"),
    ("quotient_by_zero", Op::BvUdiv, "(=> (= s 0) (= t ones))"),
    ("quotient_by_one", Op::BvUdiv, "(=> (= s 1) (= t x))"),
    ("quotient_of_smaller", Op::BvUdiv, "(=> (bvult x s) (= t 0))"),
    ("quotient_of_greater", Op::BvUdiv, "(=> (not (= s 0)) (not (bvult x s)) (not (= t 0)))"),
    ("quotient_by_itself", Op::BvUdiv, "(=> (not (= s 0)) (= s x) (= t 1))"),
    ("quotient_not_above", Op::BvUdiv, "(=> (not (= s 0)) (bvule t x))"),
    ("quotient_halves", Op::BvUdiv, "(=> (bvule 2 s) (bvule t (bvlshr x 1)))"),
    ("quotient_common_bits", Op::BvUdiv, "(bvule (bvneg (bvand (bvneg s) (bvneg t))) x)"),
    ("quotient_complement", Op::BvUdiv, "(bvule t (bvneg (bvor s 1)))"),
    ("quotient_masked", Op::BvUdiv, "(bvule (bvand s t) (bvand x (bvneg t)))"),
    ("quotient_shifted", Op::BvUdiv, "(bvule (bvxor t (bvlshr t (bvlshr s 1))) x)"),
    ("quotient_parity", Op::BvUdiv, "(bvule (bvxor t 1) (bvxor s (bvor x t)))"),
    ("remainder_by_zero", Op::BvUrem, "(=> (= s 0) (= t x))"),
    ("remainder_below_divisor", Op::BvUrem, "(=> (not (= s 0)) (bvult t s))"),
    ("remainder_of_smaller", Op::BvUrem, "(=> (bvult x s) (= t x))"),
    ("remainder_by_itself", Op::BvUrem, "(=> (= s x) (= t 0))"),
    ("remainder_not_above", Op::BvUrem, "(bvule t x)"),
    ("remainder_of_greater", Op::BvUrem, "(=> (bvule s x) (bvule t (bvsub x s)))"),
    ("remainder_by_one", Op::BvUrem, "(=> (= s 1) (= t 0))"),
    ("remainder_common_bits", Op::BvUrem, "(bvule (bvor t (bvand x s)) x)"),
    ("remainder_trailing_zeros", Op::BvUrem, "(= (bvand x (bvor (bvor s t) (bvor s (bvneg s)))) x)"),
];

/// A fact about an operator.
pub(crate) struct Fact {
    pub(crate) name: &'static str,
    pub(crate) op: Op,
    pub(crate) schema: Schema,
}

/// All facts, in the order in which they are tried.
pub(crate) static FACTS: LazyLock<Vec<Fact>> = LazyLock::new(|| {
    let fact = |&(name, op, text)| Fact { name, op, schema: Schema::new(text, ONE_TERM) };
    ROWS.iter().map(fact).collect()
});
