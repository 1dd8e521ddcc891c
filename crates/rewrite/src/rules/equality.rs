//! Equality, of all sorts.
//!
//! The most valuable rules: an equation that ends as `variable = term`, or with a constant on one side, feeds
//! substitution. Constants are moved to the left over every operator that has an inverse; what both sides
//! share is cancelled; equalities of concatenations fall apart where the parts meet; equalities of choices
//! become conditions where the branches are seen to differ.

use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Term};

const PARTS: &str = "equalities of the parts are no larger as circuits, and can be used one by one";
const NO_DIVIDER: &str = "a comparison is no divider";

pub(super) const ROWS: &[Row] = &[
    equation("eq_same", "(= x x)", "true"),
    equation("eq_complement", "(= x (bvnot x))", "false").and_for_booleans(),
    equation("eq_true", "(= true x)", "x"),
    equation("eq_false", "(= false x)", "(not x)"),
    equation("eq_not", "(= (not x) y)", "(not (= x y))"),
    equation("eq_nots", "(= (bvnot x) (bvnot y))", "(= x y)"),
    equation("eq_bit_zero", "(= #b0 x)", "(not (= #b1 x))"),
    equation("eq_bit_not", "(= x (bvnot y))", "(not (= x y))").when("(bit x)"),
    // Constants to the left.
    equation("eq_constant_not", "(= k (bvnot x))", "(= (bvnot k) x)"),
    equation("eq_constant_neg", "(= k (bvneg x))", "(= (bvneg k) x)"),
    equation("eq_constant_add", "(= m (bvadd k x))", "(= (bvsub m k) x)"),
    equation("eq_constant_xor", "(= m (bvxor k x))", "(= (bvxor m k) x)"),
    equation("eq_not_xor_constant", "(= (bvnot x) (bvxor k y))", "(= x (bvxor (bvnot k) y))"),
    equation("eq_constant_mul_odd", "(= m (bvmul k x))", "(= (bvmul (inverse k) m) x)").when("(odd k)"),
    equation("eq_constant_mul_never", "(= m (bvmul k x))", "false").when("(bvult (ctz m) (ctz k))"),
    function("eq_constant_mul_even", "(= m (bvmul k x))", "(= m' ((_ extract w-1-j 0) x)), k = j zeros below an odd number", even_factor),
    function("eq_constant_low_sum", "(= k ((_ extract h l) (bvadd m x)))", "(= (bvsub k m') ((_ extract h 0) x)), if l = 0", low_part),
    function("eq_constant_low_product", "(= k ((_ extract h l) (bvmul m x)))", "(= k (bvmul m' ((_ extract h 0) x))), if l = 0", low_part),
    function("eq_constant_low_neg", "(= k ((_ extract h l) (bvneg x)))", "(= (bvneg k) ((_ extract h 0) x)), if l = 0", low_part),
    equation("eq_mul_odd", "(= (bvmul k x) (bvmul k y))", "(= x y)").when("(odd k)"),
    // Products are not normalised here; these are the orders in which the same factors are met most often.
    equation("eq_mul_rotated", "(= (bvmul x (bvmul y z)) (bvmul y (bvmul x z)))", "true"),
    equation(
        "eq_mul_shifted_sums",
        "(= (bvmul x (bvadd y (bvshl y z))) (bvmul y (bvadd x (bvshl x z))))",
        "true",
    ),
    // The same, where `y + (y << y)` has no carries and the condition requires that.
    equation(
        "eq_mul_shifted_or",
        "(= (bvmul x (bvor y (bvshl y y))) (bvmul y (bvadd x (bvshl x y))))",
        "true",
    ),
    // Cancellation.
    equation("eq_zero_difference", "(= 0 (bvsub x y))", "(= x y)"),
    equation("eq_add_same", "(= x (bvadd x y))", "(= 0 y)"),
    equation("eq_add_add", "(= (bvadd x y) (bvadd x z))", "(= y z)"),
    equation("eq_add_constants", "(= (bvadd k x) (bvadd m y))", "(= x (bvadd (bvsub m k) y))"),
    equation("eq_negs", "(= (bvneg x) (bvneg y))", "(= x y)"),
    equation("eq_own_neg", "(= x (bvneg x))", "(= 0 (bvshl x 1))"),
    equation("eq_zero_xor", "(= 0 (bvxor x y))", "(= x y)"),
    equation("eq_ones_xor", "(= ones (bvxor x y))", "(= x (bvnot y))"),
    equation("eq_xor_same", "(= x (bvxor x y))", "(= 0 y)"),
    equation("eq_xor_xor", "(= (bvxor x y) (bvxor x z))", "(= y z)"),
    // Bitwise.
    equation("eq_ones_and", "(= ones (bvand x y))", "(and (= ones x) (= ones y))").grows(PARTS),
    equation("eq_and_never", "(= n (bvand k x))", "false").when("(distinct 0 (bvand n (bvnot k)))"),
    function("eq_and_run", "(= n (bvand k x))", "(= n' ((_ extract h l) x)), k = one run of ones from h to l", masked),
    equation("eq_and_and_not", "(= (bvand x y) (bvand x (bvnot y)))", "(= 0 x)"),
    equation("eq_and_both_nots", "(= (bvand x y) (bvand (bvnot x) (bvnot y)))", "(= x (bvnot y))"),
    // Concatenations and extensions.
    function("eq_constant_concat", "(= k (concat x y))", "(and (= k' x) (= k'' y)), k = k' k''", |pool, m| {
        let [k, x, y] = ['k', 'x', 'y'].map(|name| m.term(pool, name));
        let whole = pool.width(k)?;
        let cut = pool.width(y)?;
        let (high, low) = (make::extract(pool, k, whole - 1, cut), make::extract(pool, k, cut - 1, 0));
        Some(equal_parts(pool, [high, x], [low, y]))
    })
    .grows(PARTS),
    equation("eq_concat_concat", "(= (concat x y) (concat z t))", "(and (= x z) (= y t))")
        .when("(and (same_sort x z) (same_sort y t))")
        .grows(PARTS),
    function("eq_concat_unaligned", "(= (concat x y) (concat z t))", "equalities of the parts, cut where either is cut", unaligned)
        .grows(PARTS),
    equation("eq_sign_extend", "(= ((_ sign_extend i) x) ((_ sign_extend j) y))", "(= x y)").when("(same_sort x y)"),
    function("eq_constant_sign_extend", "(= k ((_ sign_extend i) x))", "(= k' x), or false if k is not an extension", extended),
    // Choices.
    equation("eq_then", "(= x (ite c x y))", "(or c (= x y))"),
    equation("eq_else", "(= y (ite c x y))", "(or (not c) (= x y))"),
    equation("eq_never_then", "(= z (ite c x y))", "(and (not c) (= y z))")
        .when("(differ x z)"),
    equation("eq_never_else", "(= z (ite c x y))", "(and c (= x z))")
        .when("(differ y z)"),
    equation("eq_ites_same_branches", "(= (ite c x y) (ite d x y))", "(= c d)").when("(differ x y)"),
    equation("eq_ites_same_then", "(= (ite c x y) (ite c x z))", "(or c (= y z))"),
    equation("eq_ites_same_else", "(= (ite c x z) (ite c y z))", "(or (not c) (= x y))"),
    equation("eq_ites", "(= (ite c x y) (ite c z t))", "(ite c (= x z) (= y t))")
        .when("(or (differ x z) (differ y t))"),
    equation("eq_bit_ite", "(= #b1 (ite c x y))", "(ite c (= #b1 x) (= #b1 y))").grows("they are bits"),
    // Division.
    equation("eq_zero_udiv", "(= 0 (bvudiv x y))", "(bvult x y)"),
    equation("eq_udiv_never", "(= m (bvudiv x k))", "false").when("(and (distinct k 0) (bvult (bvudiv ones k) m))"),
    equation(
        "eq_udiv",
        "(= m (bvudiv x k))",
        "(bvult (bvsub x (bvmul m k)) (ite (= 0 (bvmul m k)) k (ite (bvult k (bvneg (bvmul m k))) k (bvneg (bvmul m k)))))",
    )
    .when("(and (distinct k 0) (bvule m (bvudiv ones k)))"),
    equation("eq_zero_udiv_mul", "(= 0 (bvmul y (bvudiv x y)))", "(or (= 0 y) (bvult x y))"),
    equation("eq_urem_never", "(= m (bvurem x k))", "false").when("(and (distinct k 0) (bvule k m))"),
    equation("eq_urem_same", "(= x (bvurem x y))", "(or (= 0 y) (bvult x y))").grows(NO_DIVIDER),
    equation("eq_and_urem", "(= x (bvand y (bvurem x z)))", "(and (= x (bvand x y)) (= x (bvurem x z)))")
        .grows(NO_DIVIDER),
    equation("eq_quotient_bounds", "(= (bvult (bvudiv x y) z) (bvult (bvudiv x z) y))", "true"),
    equation("eq_shl_complement", "(= x (bvshl (bvnot x) x))", "false"),
    equation("eq_sdiv_complement", "(= x (bvsdiv (bvnot x) x))", "false"),
    // Conjunctions of equalities.
    equation("and_eq_constants", "(and (= k x) (= m x))", "false").when("(distinct k m)"),
    equation("and_eq_not_eq_constants", "(and (= k x) (not (= m x)))", "(= k x)").when("(distinct k m)"),
];

/// Both pairs are equal.
fn equal_parts(pool: &mut Pool, high: [Term; 2], low: [Term; 2]) -> Term {
    let (high, low) = (make::eq(pool, high[0], high[1]), make::eq(pool, low[0], low[1]));
    make::and(pool, high, low)
}

/// `m = k · x`, where `k` is an odd number above `j` zeros, and `m` has `j` zeros too: the odd number is
/// inverted, and the upper `j` bits of `x` do not matter.
fn even_factor(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [product, factor, x] = ['m', 'k', 'x'].map(|name| m.term(pool, name));
    let (product, factor) = (pool.as_bitvec(product)?, pool.as_bitvec(factor)?);
    let (width, zeros) = (factor.width(), factor.trailing_zeros());
    if factor.is_zero() || zeros == 0 || product.trailing_zeros() < zeros {
        return None;
    }
    let shifted = |value: &BitVec| value.extract(width - 1, zeros);
    let solution = shifted(&factor).odd_inverse()?.mul(&shifted(&product));
    let (solution, low) = (pool.bitvec(&solution), make::extract(pool, x, width - 1 - zeros, 0));
    Some(make::eq(pool, solution, low))
}

/// A constant equals the low bits of an operator over a constant: those can be solved for.
fn low_part(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[k, slice] = m.head.args else { return None };
    let (inner, high) = (pool.args(slice)[0], pool.width(slice)? - 1);
    if pool.index(slice) != 0 {
        return None;
    }
    let low = make::inward(pool, inner, high, 0, 0);
    Some(make::eq(pool, k, low))
}

/// `n = k ∧ x`, where the ones of `k` are one run and cover those of `n`.
fn masked(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [value, mask, x] = ['n', 'k', 'x'].map(|name| m.term(pool, name));
    let bits = pool.as_bitvec(mask)?;
    let (low, high) = (bits.trailing_zeros(), bits.width().checked_sub(bits.leading_zeros() + 1)?);
    if bits.count_ones() != high - low + 1 {
        return None;
    }
    let covered = pool.as_bitvec(value)?.and(&bits.not()).is_zero();
    let (value, slice) = (make::extract(pool, value, high, low), make::extract(pool, x, high, low));
    covered.then(|| make::eq(pool, value, slice))
}

/// Concatenations that are cut at different places: the shorter upper part against as much of the longer one.
fn unaligned(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let upper = |pool: &Pool, term: Term| pool.width(pool.args(term)[0]);
    let (long, short) = if upper(pool, a)? > upper(pool, b)? { (a, b) } else { (b, a) };
    let (&[x, y], &[z, t]) = (pool.args(long), pool.args(short)) else { return None };
    let (x_width, z_width) = (pool.width(x)?, pool.width(z)?);
    if x_width == z_width {
        return None;
    }
    let cut = x_width - z_width;
    let (high, low) = (make::extract(pool, x, x_width - 1, cut), make::extract(pool, x, cut - 1, 0));
    let rest = make::app(pool, Op::Concat, &[low, y]);
    Some(equal_parts(pool, [high, z], [rest, t]))
}

fn extended(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [k, x] = ['k', 'x'].map(|name| m.term(pool, name));
    let (value, width) = (pool.as_bitvec(k)?, pool.width(x)?);
    let low = value.extract(width - 1, 0);
    if low.sign_extend(value.width() - width) != value {
        return Some(pool.bool(false));
    }
    let low = pool.bitvec(&low);
    Some(make::eq(pool, low, x))
}
