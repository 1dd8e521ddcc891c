//! Checks of overflow, as compilers emit them: a product divided again, a bound divided by a factor, the
//! upper half of a wide product.
//!
//! All become the predicate of overflow, which has no divider and no upper half. So checks in different forms
//! are the same term, and the abstraction of arithmetic has one thing to refine.

use super::known;
use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Term};

const NO_DIVIDER: &str = "the predicate of overflow is no divider";

const NO_WIDE_PRODUCT: &str = "the predicate of overflow is no product of twice the width";

pub(super) const ROWS: &[Row] = &[
    equation(
        "eq_product_divided",
        "(= y (bvudiv (bvmul x y) x))",
        "(ite (= 0 x) (= ones y) (not (bvumulo x y)))",
    )
    .grows(NO_DIVIDER),
    equation(
        "eq_product_signed_divided",
        "(= y (bvsdiv (bvmul x y) x))",
        "(ite (= 0 x) (= ones y) (or (not (bvsmulo x y)) (and (= ones x) (= min y))))",
    )
    .when("(wide x)")
    .grows(NO_DIVIDER),
    equation("greatest_divided_ult", "(bvult (bvudiv ones x) y)", "(bvumulo x y)"),
    function(
        "eq_zero_high_product",
        "(= 0 ((_ extract h l) (bvmul (concat k x) (concat m y))))",
        "(not (bvumulo x' y')), k = 0, m = 0, if these are all bits from the width of x' and y' on",
        high_product,
    ),
    function(
        "eq_signed_product",
        "(= (bvmul ((_ sign_extend i) x) ((_ sign_extend j) y)) ((_ sign_extend n) (bvmul x y)))",
        "(not (bvsmulo x y)), if the width is doubled at least",
        |pool, m| {
            let [x, y] = ['x', 'y'].map(|name| m.term(pool, name));
            let (width, wide) = (pool.width(x)?, pool.width(m.head.args[0])?);
            (pool.width(y) == Some(width) && wide >= 2 * width).then(|| fits_signed(pool, x, y))
        },
    ),
    function(
        "eq_signed_product_high",
        "(= ((_ extract h l) (bvmul ((_ sign_extend i) x) ((_ sign_extend j) y))) ((_ sign_extend n) ((_ extract p q) (bvmul x y))))",
        "(not (bvsmulo x y)), if the upper half is compared with copies of the sign",
        signed_high,
    ),
    function(
        "eq_signed_product_top",
        "(= ((_ extract h l) (bvmul ((_ sign_extend i) x) ((_ sign_extend j) y))) ((_ sign_extend n) ((_ extract p q) (bvmul ((_ sign_extend i) x) ((_ sign_extend j) y)))))",
        "(not (bvsmulo x y)), if the upper half is compared with copies of the sign of the lower one",
        signed_high,
    ),
    function(
        "signed_product_slt_least",
        "(bvslt (bvmul ((_ sign_extend i) x) ((_ sign_extend j) y)) k)",
        "(and (bvsmulo x y) (not (= s t))), s and t the signs of x and y, if k is the least number of their width",
        |pool, m| beyond(pool, m, false),
    )
    .grows(NO_WIDE_PRODUCT),
    function(
        "greatest_slt_signed_product",
        "(bvslt k (bvmul ((_ sign_extend i) x) ((_ sign_extend j) y)))",
        "(and (bvsmulo x y) (= s t)), s and t the signs of x and y, if k is the greatest number of their width",
        |pool, m| beyond(pool, m, true),
    )
    .grows(NO_WIDE_PRODUCT),
];

/// The product of two numbers has no bits from a place on where both end at or before it.
fn high_product(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let slice = *m.head.args.iter().find(|&&arg| pool.op(arg) == Op::Extract)?;
    let product = pool.args(slice)[0];
    let (low, high) = (pool.index(slice), pool.index(slice) + pool.width(slice)? - 1);
    let &[a, b] = pool.args(product) else { return None };
    let ((_, a), (_, b)) = (known::leading_zeros(pool, a)?, known::leading_zeros(pool, b)?);
    let (a_width, b_width) = (pool.width(a)?, pool.width(b)?);
    let needed = a_width + b_width;
    if needed > pool.width(product)? || high + 1 < needed || a_width.max(b_width) > low {
        return None;
    }
    let args = [a, b].map(|arg| known::zero_extend_to(pool, arg, low));
    let overflows = make::app(pool, Op::BvUmulo, &args);
    Some(make::not(pool, overflows))
}

fn fits_signed(pool: &mut Pool, x: Term, y: Term) -> Term {
    let overflows = make::app(pool, Op::BvSmulo, &[x, y]);
    make::not(pool, overflows)
}

/// The bits from the width on are copies of the highest bit of the product.
fn signed_high(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [x, y] = ['x', 'y'].map(|name| m.term(pool, name));
    let width = pool.width(x)?;
    let slice = *m.head.args.iter().find(|&&arg| pool.op(arg) == Op::Extract)?;
    let signs = *m.head.args.iter().find(|&&arg| pool.op(arg) == Op::SignExtend)?;
    let sign = pool.args(signs)[0];
    let is_sign = pool.width(sign) == Some(1) && pool.index(sign) == width - 1;
    let is_upper = pool.index(slice) == width && pool.width(slice)? >= width;
    (is_sign && is_upper && pool.width(y) == Some(width)).then(|| fits_signed(pool, x, y))
}

/// A product that is beyond the numbers of its factors' width overflows to the side that the signs say.
fn beyond(pool: &mut Pool, m: &Match<'_>, is_above: bool) -> Option<Term> {
    let [x, y] = ['x', 'y'].map(|name| m.term(pool, name));
    let bound = m.term(pool, 'k');
    let (width, wide) = (pool.width(x)?, pool.width(bound)?);
    let least = BitVec::one(width).shl_by(width - 1);
    let end = if is_above { least.not() } else { least };
    let is_end = pool.as_bitvec(bound)? == end.sign_extend(wide.checked_sub(width)?);
    if pool.width(y) != Some(width) || wide < 2 * width || !is_end {
        return None;
    }
    let overflows = make::app(pool, Op::BvSmulo, &[x, y]);
    let signs = [x, y].map(|word| make::extract(pool, word, width - 1, width - 1));
    let agree = make::app(pool, Op::Eq, &signs);
    let side = if is_above { agree } else { make::not(pool, agree) };
    Some(make::app(pool, Op::And, &[overflows, side]))
}
