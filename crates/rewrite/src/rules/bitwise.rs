//! Conjunction, exclusive-or and complement, of bit-vectors and, by their twins, of Booleans.
//!
//! Disjunction is not of the core, so a row about it reaches the engine as a statement about
//! conjunctions of complements; since metavariables match complements freely, each row stands for all its
//! duals. The ladder of two-level conjunctions is that of and-inverter graphs (R. Brummayer and A. Biere,
//! "Local two-level and-inverter graph minimization without blowup", MEMICS 2006), lifted to words:
//! contradiction, subsumption, idempotence, resolution, substitution.

use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};

/// Why a mask may become a choice.
const CONSTANTS: &str = "a choice between constants costs nothing";

pub(super) const ROWS: &[Row] = &[
    equation("not_not", "(bvnot (bvnot x))", "x").and_for_booleans(),
    equation("and_zero", "(bvand 0 x)", "0").and_for_booleans(),
    equation("and_ones", "(bvand ones x)", "x").and_for_booleans(),
    equation("and_same", "(bvand x x)", "x").and_for_booleans(),
    equation("and_complement", "(bvand x (bvnot x))", "0").and_for_booleans(),
    equation("and_constants", "(bvand k (bvand m x))", "(bvand (bvand k m) x)"),
    equation("and_twice", "(bvand x (bvand x y))", "(bvand x y)").and_for_booleans(),
    equation("and_contradiction", "(bvand x (bvand (bvnot x) y))", "0").and_for_booleans(),
    equation("and_absorbs_or", "(bvand x (bvor x y))", "x").and_for_booleans(),
    equation("and_substitution", "(bvand x (bvnot (bvand x y)))", "(bvand x (bvnot y))").and_for_booleans(),
    equation("and_and_twice", "(bvand (bvand x y) (bvand x z))", "(bvand (bvand x y) z)").and_for_booleans(),
    equation("and_and_contradiction", "(bvand (bvand x y) (bvand (bvnot x) z))", "0").and_for_booleans(),
    equation("and_not_and_subsumption", "(bvand (bvand x y) (bvnot (bvand (bvnot x) z)))", "(bvand x y)")
        .and_for_booleans(),
    equation(
        "and_and_substitution",
        "(bvand (bvand x y) (bvnot (bvand x z)))",
        "(bvand (bvand x y) (bvnot z))",
    )
    .and_for_booleans(),
    equation("or_resolution", "(bvor (bvand x y) (bvand x (bvnot y)))", "x").and_for_booleans(),
    equation("or_of_differences", "(bvor (bvand x (bvnot y)) (bvand (bvnot x) y))", "(bvxor x y)")
        .and_for_booleans(),
    // Not for Booleans: what may be clauses stays.
    equation("or_common_factor", "(bvor (bvand x y) (bvand x z))", "(bvand x (bvor y z))"),
    equation("and_disjoint_shift", "(bvand x (bvshl y x))", "0"),
    equation("neg_lowest_one", "(bvneg (bvand x (bvneg x)))", "(bvor x (bvneg x))"),
    // Exclusive-or. Complements move out of it, except into a constant.
    equation("xor_zero", "(bvxor 0 x)", "x"),
    equation("xor_ones", "(bvxor ones x)", "(bvnot x)"),
    equation("xor_same", "(bvxor x x)", "0"),
    equation("xor_constants", "(bvxor k (bvxor m x))", "(bvxor (bvxor k m) x)"),
    equation("xor_constant_not", "(bvxor k (bvnot x))", "(bvxor (bvnot k) x)"),
    equation("not_xor_constant", "(bvnot (bvxor k x))", "(bvxor (bvnot k) x)"),
    equation("xor_not", "(bvxor (bvnot x) y)", "(bvnot (bvxor x y))"),
    equation("xor_cancels", "(bvxor x (bvxor x y))", "y").and_for_booleans(),
    equation("xor_xor_cancels", "(bvxor (bvxor x y) (bvxor x z))", "(bvxor y z)").and_for_booleans(),
    equation("xor_and_same", "(bvxor (bvand x y) x)", "(bvand x (bvnot y))").and_for_booleans(),
    equation("xor_or_same", "(bvxor (bvor x y) x)", "(bvand y (bvnot x))").and_for_booleans(),
    equation("xor_or_and", "(bvxor (bvor x y) (bvand x y))", "(bvxor x y)").and_for_booleans(),
    equation("xor_common_factor", "(bvxor (bvand x z) (bvand y z))", "(bvand (bvxor x y) z)")
        .and_for_booleans(),
    function(
        "and_repeated_bit",
        "(bvand k ((_ sign_extend i) x))",
        "(ite (= #b1 x) k 0), if x is a bit",
        |pool, m| repeated_bit(pool, m, true),
    )
    .grows(CONSTANTS),
    function(
        "and_not_repeated_bit",
        "(bvand k (bvnot ((_ sign_extend i) x)))",
        "(ite (= #b1 x) 0 k), if x is a bit",
        |pool, m| repeated_bit(pool, m, false),
    )
    .grows(CONSTANTS),
    // Masks over concatenations: wiring, where a part of the mask is constant.
    function(
        "and_mask_concat",
        "(bvand k (concat x y))",
        "(concat (bvand k' x) (bvand k'' y)), k = k' k''",
        |pool, m| mask_concat(pool, m, Op::BvAnd),
    )
    .grows("it is wiring: a part of the mask is all zeros or all ones"),
    function(
        "xor_mask_concat",
        "(bvxor k (concat x y))",
        "(concat (bvxor k' x) (bvxor k'' y)), k = k' k''",
        |pool, m| mask_concat(pool, m, Op::BvXor),
    )
    .grows("it is wiring: a part of the mask is all zeros or all ones"),
    function(
        "and_concat",
        "(bvand (concat x y) (concat z t))",
        "(concat (bvand x z) (bvand y t)), cut where either is cut, if a constant meets something",
        |pool, m| concats(pool, m, Op::BvAnd),
    )
    .grows("the parts are narrower, and one of them dissolves"),
    function(
        "xor_concat",
        "(bvxor (concat x y) (concat z t))",
        "(concat (bvxor x z) (bvxor y t)), cut where either is cut, if a constant meets something",
        |pool, m| concats(pool, m, Op::BvXor),
    )
    .grows("the parts are narrower, and one of them dissolves"),
    equation("not_concat_high_constant", "(bvnot (concat k x))", "(concat (bvnot k) (bvnot x))"),
    equation("not_concat_low_constant", "(bvnot (concat x k))", "(concat (bvnot x) (bvnot k))"),
    equation("concat_nots", "(concat (bvnot x) (bvnot y))", "(bvnot (concat x y))"),
];

/// A constant where a bit is set, or is not, and zero otherwise.
fn repeated_bit(pool: &mut Pool, m: &Match<'_>, where_set: bool) -> Option<Term> {
    let (constant, bit) = (m.term(pool, 'k'), m.term(pool, 'x'));
    if pool.width(bit) != Some(1) {
        return None;
    }
    let (one, zero) = (pool.bv_u64(1, 1), make::zeros(pool, m.width()));
    let is_set = make::eq(pool, one, bit);
    let (then, other) = if where_set { (constant, zero) } else { (zero, constant) };
    Some(make::ite(pool, is_set, then, other))
}

/// A mask over a concatenation, part by part, where that makes at least one part trivial.
fn mask_concat(pool: &mut Pool, m: &Match<'_>, op: Op) -> Option<Term> {
    let (x, y) = (m.term(pool, 'x'), m.term(pool, 'y'));
    let mask = m.constant(pool, 'k')?;
    let cut = pool.width(y)?;
    let (high, low) = (mask.extract(m.width() - 1, cut), mask.extract(cut - 1, 0));
    if ![&high, &low].iter().any(|part| part.is_zero() || part.is_ones()) {
        return None;
    }
    let (high, low) = (pool.bitvec(&high), pool.bitvec(&low));
    let (high, low) = (make::app(pool, op, &[high, x]), make::app(pool, op, &[low, y]));
    Some(make::concat(pool, &[Some(high), Some(low)]))
}

/// A bitwise operator over two concatenations, upper and lower part by themselves. The upper part is as wide
/// as the narrower one of the upper parts; one of the two must be constant, or a lower part if they are
/// aligned.
fn concats(pool: &mut Pool, m: &Match<'_>, op: Op) -> Option<Term> {
    let &[a, b] = m.head.args else { return None };
    let (&[x, y], &[z, t]) = (pool.args(a), pool.args(b)) else { return None };
    let upper = pool.width(x)?.min(pool.width(z)?);
    let aligned = pool.width(x) == pool.width(z);
    if ![x, z].iter().chain([y, t].iter().filter(|_| aligned)).any(|&part| pool.is_const(part)) {
        return None;
    }
    let (top, cut) = (m.width() - 1, m.width() - upper);
    let [high, low] = [(top, cut), (cut - 1, 0)].map(|(high, low)| {
        let parts = [a, b].map(|term| make::slice_of_concat(pool, term, high, low));
        make::app(pool, op, &parts)
    });
    Some(make::concat(pool, &[Some(high), Some(low)]))
}
