//! Unsigned and signed comparison; `<=` is a complement of `<`, so only `<` occurs.
//!
//! Comparisons with extreme constants become equalities; with powers of two, tests of a few bits; of
//! quotients by constants, comparisons of the dividend. Common prefixes and suffixes of concatenations are
//! dropped.

use super::known;
use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Term};

const NARROW: &str = "a comparison becomes one of a few bits";

pub(super) const ROWS: &[Row] = &[
    equation("ult_same", "(bvult x x)", "false"),
    equation("slt_same", "(bvslt x x)", "false"),
    equation("ult_bits", "(bvult x y)", "(and (not (= #b1 x)) (= #b1 y))").when("(bit x)").grows(NARROW),
    equation("slt_bits", "(bvslt x y)", "(and (= #b1 x) (not (= #b1 y)))").when("(bit x)").grows(NARROW),
    // Quotients by constants.
    equation("udiv_ult", "(bvult (bvudiv x k) m)", "(bvult x (bvmul m k))")
        .when("(and (distinct k 0) (not (bvumulo m k)))"),
    equation("udiv_ult_always", "(bvult (bvudiv x k) m)", "true").when("(and (distinct k 0) (bvumulo m k))"),
    equation("ult_udiv", "(bvult m (bvudiv x k))", "(not (bvult x (bvmul (bvadd m 1) k)))")
        .when("(and (distinct k 0) (distinct m ones) (not (bvumulo (bvadd m 1) k)))"),
    equation("ult_udiv_never", "(bvult m (bvudiv x k))", "false")
        .when("(and (distinct k 0) (distinct m ones) (bvumulo (bvadd m 1) k))"),
    // Choices between constants.
    equation("ult_ite_constants", "(bvult n (ite c k m))", "(ite c (bvult n k) (bvult n m))"),
    equation("ite_constants_ult", "(bvult (ite c k m) n)", "(ite c (bvult k n) (bvult m n))"),
    equation("slt_ite_constants", "(bvslt n (ite c k m))", "(ite c (bvslt n k) (bvslt n m))"),
    equation("ite_constants_slt", "(bvslt (ite c k m) n)", "(ite c (bvslt k n) (bvslt m n))"),
    // Extreme constants.
    equation("ult_zero", "(bvult x 0)", "false"),
    equation("ones_ult", "(bvult ones x)", "false"),
    equation("zero_ult", "(bvult 0 x)", "(not (= 0 x))"),
    equation("ult_one", "(bvult x 1)", "(= 0 x)"),
    equation("ult_ones", "(bvult x ones)", "(not (= ones x))"),
    equation("almost_ones_ult", "(bvult k x)", "(= ones x)").when("(= ones (bvadd k 1))"),
    equation("slt_min", "(bvslt x min)", "false"),
    equation("max_slt", "(bvslt max x)", "false"),
    equation("min_slt", "(bvslt min x)", "(not (= min x))"),
    equation("slt_max", "(bvslt x max)", "(not (= max x))"),
    equation("slt_almost_min", "(bvslt x k)", "(= min x)").when("(= k (bvadd min 1))"),
    equation("almost_max_slt", "(bvslt k x)", "(= max x)").when("(= max (bvadd k 1))"),
    function("slt_zero", "(bvslt x 0)", "(= #b1 sign of x)", |pool, m| {
        Some(sign_is(pool, m.head.args[0], true))
    }),
    function("minus_one_slt", "(bvslt ones x)", "(not (= #b1 sign of x))", |pool, m| {
        Some(sign_is(pool, m.head.args[1], false))
    }),
    function("ult_power_of_two", "(bvult x k)", "(= 0 ((_ extract w-1 j) x)), k = 2^j", |pool, m| {
        let bits = m.constant(pool, 'k')?.log2_exact()?;
        Some(top_is(pool, m.head.args[0], bits, false))
    }),
    function("mask_ult", "(bvult k x)", "(not (= 0 ((_ extract w-1 j) x))), k = 2^j - 1", |pool, m| {
        let bits = successor(pool, m)?.log2_exact()?;
        let top = top_is(pool, m.head.args[1], bits, false);
        Some(make::not(pool, top))
    }),
    function(
        "ult_negated_power_of_two",
        "(bvult x k)",
        "(not (= ones ((_ extract w-1 j) x))), k = -2^j",
        |pool, m| {
            let bits = m.constant(pool, 'k')?.neg().log2_exact()?;
            let top = top_is(pool, m.head.args[0], bits, true);
            Some(make::not(pool, top))
        },
    ),
    function(
        "below_negated_power_of_two_ult",
        "(bvult k x)",
        "(= ones ((_ extract w-1 j) x)), k = -2^j - 1",
        |pool, m| {
            let bits = successor(pool, m)?.neg().log2_exact()?;
            Some(top_is(pool, m.head.args[1], bits, true))
        },
    ),
    // Complements.
    equation("ult_nots", "(bvult (bvnot x) (bvnot y))", "(bvult y x)"),
    equation("slt_nots", "(bvslt (bvnot x) (bvnot y))", "(bvslt y x)"),
    equation("ult_constant_not", "(bvult k (bvnot x))", "(bvult x (bvnot k))"),
    equation("ult_not_constant", "(bvult (bvnot x) k)", "(bvult (bvnot k) x)"),
    equation("slt_constant_not", "(bvslt k (bvnot x))", "(bvslt x (bvnot k))"),
    equation("slt_not_constant", "(bvslt (bvnot x) k)", "(bvslt (bvnot k) x)"),
    equation("ult_own_complement", "(bvult x (bvnot x))", "(not (bvslt x 0))"),
    equation("ult_own_neg", "(bvult x (bvneg x))", "(and (not (= 0 x)) (not (bvslt x 0)))")
        .grows("two tests are less than a negation and a comparison"),
    // Wiring.
    equation("ult_common_high", "(bvult (concat x y) (concat x z))", "(bvult y z)").when("(same_sort y z)"),
    equation("ult_common_low", "(bvult (concat x y) (concat z y))", "(bvult x z)").when("(same_sort x z)"),
    equation("slt_common_high", "(bvslt (concat x y) (concat x z))", "(bvult y z)").when("(same_sort y z)"),
    equation("slt_common_low", "(bvslt (concat x y) (concat z y))", "(bvslt x z)").when("(same_sort x z)"),
    function(
        "ult_prefixes",
        "(bvult (concat k x) (concat m y))",
        "decided by the constants, or without their common prefix",
        prefixes,
    ),
    function(
        "ult_constant_prefix",
        "(bvult k (concat m x))",
        "decided by the constants, or without their common prefix",
        prefixes,
    ),
    function(
        "ult_prefix_constant",
        "(bvult (concat m x) k)",
        "decided by the constants, or without their common prefix",
        prefixes,
    ),
    function(
        "ult_suffix_constant",
        "(bvult (concat x m) k)",
        "(bvult x k') or (bvule x k'), k = k' k'', by m < k''",
        suffix_constant,
    ),
    function(
        "ult_constant_suffix",
        "(bvult k (concat x m))",
        "(bvult k' x) or (bvule k' x), k = k' k'', by k'' < m",
        constant_suffix,
    ),
    equation("ult_sign_extend", "(bvult ((_ sign_extend i) x) ((_ sign_extend j) y))", "(bvult x y)")
        .when("(same_sort x y)"),
    equation("slt_sign_extend", "(bvslt ((_ sign_extend i) x) ((_ sign_extend j) y))", "(bvslt x y)")
        .when("(same_sort x y)"),
    function(
        "slt_sign_extend_constant",
        "(bvslt ((_ sign_extend i) x) k)",
        "(bvslt x k'), or decided if k is not an extension",
        |pool, m| extended(pool, m, m.head.args[0], m.head.args[1]),
    ),
    function(
        "slt_constant_sign_extend",
        "(bvslt k ((_ sign_extend i) x))",
        "(bvslt k' x), or decided if k is not an extension",
        |pool, m| extended(pool, m, m.head.args[1], m.head.args[0]),
    ),
    function(
        "slt_known_signs",
        "(bvslt x y)",
        "decided by the signs, or (bvult x y), if both are seen",
        known_signs,
    ),
    // Sums.
    equation("ult_sum", "(bvult x (bvadd k x))", "(bvult x (bvneg k))").when("(distinct k 0)"),
    equation("sum_ult", "(bvult (bvadd k x) x)", "(not (bvult x (bvneg k)))").when("(distinct k 0)"),
    equation("sum_of_zero_extended_ult", "(bvult (bvadd (concat k x) (concat m y)) (concat k x))", "false")
        .when("(and (= k 0) (= m 0))"),
    // Bitwise.
    equation("ult_or", "(bvult x (bvor x y))", "(not (= 0 (bvand (bvnot x) y)))"),
    equation("and_ult", "(bvult (bvand x y) x)", "(not (= 0 (bvand x (bvnot y))))"),
    equation("ult_and", "(bvult x (bvand x y))", "false"),
    equation("or_ult", "(bvult (bvor x y) x)", "false"),
    // Division and shifts.
    equation("ult_urem", "(bvult x (bvurem x y))", "false"),
    equation("urem_ult", "(bvult (bvurem x y) y)", "(not (= 0 y))"),
    equation("ult_urem_by_itself", "(bvult y (bvurem x y))", "(and (= 0 y) (not (= 0 x)))")
        .grows("two tests are no divider"),
    equation("ult_udiv_same", "(bvult x (bvudiv x y))", "(and (= 0 y) (not (= ones x)))")
        .grows("two tests are no divider"),
    equation("ult_lshr", "(bvult x (bvlshr x y))", "false"),
    equation("complement_ult_shl", "(bvult (bvnot y) (bvshl x y))", "false"),
    equation("complement_ult_lshr", "(bvult (bvnot y) (bvlshr x y))", "false"),
    equation("urem_complement_slt", "(bvslt (bvurem ones (bvnot x)) x)", "false"),
    // Conjunctions of comparisons.
    equation("ult_antisymmetric", "(and (bvult x y) (bvult y x))", "false"),
    equation("slt_antisymmetric", "(and (bvslt x y) (bvslt y x))", "false"),
    equation("ult_total", "(and (not (bvult x y)) (not (bvult y x)))", "(= x y)"),
    equation("slt_total", "(and (not (bvslt x y)) (not (bvslt y x)))", "(= x y)"),
    equation("ult_and_eq", "(and (bvult x y) (= x y))", "false"),
    equation("slt_and_eq", "(and (bvslt x y) (= x y))", "false"),
    equation("ult_and_not_eq", "(and (bvult x y) (not (= x y)))", "(bvult x y)"),
    equation("slt_and_not_eq", "(and (bvslt x y) (not (= x y)))", "(bvslt x y)"),
    equation("uge_and_not_eq", "(and (not (bvult x y)) (not (= x y)))", "(bvult y x)"),
    equation("sge_and_not_eq", "(and (not (bvslt x y)) (not (= x y)))", "(bvslt y x)"),
    equation("uge_and_eq", "(and (not (bvult x y)) (= x y))", "(= x y)"),
    equation("sge_and_eq", "(and (not (bvslt x y)) (= x y))", "(= x y)"),
    equation("uge_and_ugt", "(and (not (bvult x y)) (bvult y x))", "(bvult y x)"),
    equation("sge_and_sgt", "(and (not (bvslt x y)) (bvslt y x))", "(bvslt y x)"),
    equation("ult_two_bounds", "(and (bvult x k) (bvult x m))", "(bvult x (ite (bvult k m) k m))"),
    equation("ugt_two_bounds", "(and (bvult k x) (bvult m x))", "(bvult (ite (bvult k m) m k) x)"),
    equation("slt_two_bounds", "(and (bvslt x k) (bvslt x m))", "(bvslt x (ite (bvslt k m) k m))"),
    equation("sgt_two_bounds", "(and (bvslt k x) (bvslt m x))", "(bvslt (ite (bvslt k m) m k) x)"),
    equation("ult_empty_range", "(and (bvult k x) (bvult x m))", "false")
        .when("(or (bvule m k) (= m (bvadd k 1)))"),
    equation("slt_empty_range", "(and (bvslt k x) (bvslt x m))", "false")
        .when("(or (bvsle m k) (= m (bvadd k 1)))"),
    equation("uge_empty_range", "(and (not (bvult x k)) (bvult x m))", "false").when("(bvule m k)"),
    equation("sge_empty_range", "(and (not (bvslt x k)) (bvslt x m))", "false").when("(bvsle m k)"),
    equation("eq_and_ult_constant", "(and (= k x) (bvult x m))", "(and (bvult k m) (= k x))"),
    equation("eq_and_constant_ult", "(and (= k x) (bvult m x))", "(and (bvult m k) (= k x))"),
    equation("eq_and_slt_constant", "(and (= k x) (bvslt x m))", "(and (bvslt k m) (= k x))"),
    equation("eq_and_constant_slt", "(and (= k x) (bvslt m x))", "(and (bvslt m k) (= k x))"),
];

/// Is the most significant bit of `term` the given one?
fn sign_is(pool: &mut Pool, term: Term, one: bool) -> Term {
    let top = pool.width(term).expect("a bit-vector is compared") - 1;
    let (sign, bit) = (make::extract(pool, term, top, top), pool.bv_u64(1, 1));
    let is_one = make::eq(pool, bit, sign);
    if one { is_one } else { make::not(pool, is_one) }
}

/// Are all bits of `term` from number `low` on the given one?
fn top_is(pool: &mut Pool, term: Term, low: u32, one: bool) -> Term {
    let width = pool.width(term).expect("a bit-vector is compared");
    let bits = if one { BitVec::ones(width - low) } else { BitVec::zero(width - low) };
    let (bits, slice) = (pool.bitvec(&bits), make::extract(pool, term, width - 1, low));
    make::eq(pool, bits, slice)
}

/// The value of `k`, plus one.
fn successor(pool: &mut Pool, m: &Match<'_>) -> Option<BitVec> {
    let k = m.constant(pool, 'k')?;
    Some(k.add(&BitVec::one(k.width())))
}

/// The constant that a term begins with: itself, or the first part of a concatenation.
fn prefix(pool: &Pool, term: Term) -> Option<BitVec> {
    pool.as_bitvec(if pool.op(term) == Op::Concat { pool.args(term)[0] } else { term })
}

/// Both sides begin with constants: as far as both reach they decide, or can be dropped.
fn prefixes(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let (k, n) = (prefix(pool, a)?, prefix(pool, b)?);
    let common = k.width().min(n.width());
    let [k, n] = [&k, &n].map(|value| value.extract(value.width() - 1, value.width() - common));
    if k != n {
        return Some(pool.bool(k.ult(&n)));
    }
    let rest = pool.width(a)? - common - 1;
    let (a, b) = (make::extract(pool, a, rest, 0), make::extract(pool, b, rest, 0));
    Some(make::app(pool, Op::BvUlt, &[a, b]))
}

/// The upper part of a constant, and the lower one of `cut` bits.
fn halves(pool: &mut Pool, constant: Term, cut: u32) -> Option<(Term, BitVec)> {
    let value = pool.as_bitvec(constant)?;
    let high = pool.bitvec(&value.extract(value.width() - 1, cut));
    Some((high, value.extract(cut - 1, 0)))
}

fn suffix_constant(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [x, suffix, k] = ['x', 'm', 'k'].map(|name| m.term(pool, name));
    let suffix = pool.as_bitvec(suffix)?;
    let (high, low) = halves(pool, k, suffix.width())?;
    Some(if suffix.ult(&low) {
        let above = make::app(pool, Op::BvUlt, &[high, x]);
        make::not(pool, above)
    } else {
        make::app(pool, Op::BvUlt, &[x, high])
    })
}

fn constant_suffix(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let [x, suffix, k] = ['x', 'm', 'k'].map(|name| m.term(pool, name));
    let suffix = pool.as_bitvec(suffix)?;
    let (high, low) = halves(pool, k, suffix.width())?;
    Some(if low.ult(&suffix) {
        let below = make::app(pool, Op::BvUlt, &[x, high]);
        make::not(pool, below)
    } else {
        make::app(pool, Op::BvUlt, &[high, x])
    })
}

/// Signed comparison of the extension `extension` with the constant `k`, on either side.
fn extended(pool: &mut Pool, m: &Match<'_>, extension: Term, k: Term) -> Option<Term> {
    let (x, value) = (pool.args(extension)[0], pool.as_bitvec(k)?);
    let width = pool.width(x)?;
    let low = value.extract(width - 1, 0);
    let extension_first = m.head.args[0] == extension;
    if low.sign_extend(value.width() - width) != value {
        // Out of range: all extensions are on the one side of it.
        return Some(pool.bool(value.msb() != extension_first));
    }
    let low = pool.bitvec(&low);
    let args = if extension_first { [x, low] } else { [low, x] };
    Some(make::app(pool, Op::BvSlt, &args))
}

fn known_signs(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let (a_negative, b_negative) = (known::sign(pool, a)?, known::sign(pool, b)?);
    Some(match a_negative == b_negative {
        true => make::app(pool, Op::BvUlt, &[a, b]),
        false => pool.bool(a_negative),
    })
}
