//! Unsigned and signed quotients and remainders.
//!
//! A divider is the most expensive circuit of all. Division by a constant power of two is wiring; by a
//! constant with the top bit set it is a comparison; of numbers with leading zeros it is done at the width of
//! the numbers. Division by zero is total (all ones; the dividend), and most rows need no side condition
//! because of it.
//!
//! Signed operators become unsigned where both signs are plain to see.

use super::known;
use crate::matcher::Match;
use crate::row::{Row, equation, function};
use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};

const NO_DIVIDER: &str = "comparisons are no divider";
const CHOICE_OUTSIDE: &str = "the choice moves out, for a comparison with zero";

pub(super) const ROWS: &[Row] = &[
    equation("udiv_bits", "(bvudiv x y)", "(bvor x (bvnot y))").when("(bit x)"),
    equation("udiv_by_zero", "(bvudiv x 0)", "ones"),
    equation("udiv_by_one", "(bvudiv x 1)", "x"),
    equation("udiv_of_zero", "(bvudiv 0 x)", "(ite (= 0 x) ones 0)").grows("a choice is no divider"),
    equation("udiv_same", "(bvudiv x x)", "(ite (= 0 x) ones 1)").grows("a choice is no divider"),
    equation("udiv_power_of_two", "(bvudiv x k)", "(bvlshr x (ctz k))").when("(pow2 k)"),
    equation("udiv_by_large", "(bvudiv x k)", "(ite (bvult x k) 0 1)")
        .when("(bvslt k 0)")
        .grows("a comparison is no divider"),
    equation("udiv_udiv", "(bvudiv (bvudiv x k) m)", "(bvudiv x (bvmul k m))")
        .when("(and (distinct k 0) (distinct m 0) (not (bvumulo k m)))"),
    equation("udiv_udiv_overflow", "(bvudiv (bvudiv x k) m)", "0").when("(and (distinct k 0) (bvumulo k m))"),
    equation("udiv_urem", "(bvudiv (bvurem x y) y)", "(ite (= 0 y) ones 0)"),
    equation("udiv_urem_constants", "(bvudiv (bvurem x k) m)", "(bvurem (bvudiv x m) (bvudiv k m))")
        .when("(and (distinct k 0) (and (distinct m 0) (= (bvurem k m) 0)))"),
    equation("udiv_by_shifted_one", "(bvudiv x (bvshl 1 y))", "(ite (= 0 (bvshl 1 y)) ones (bvlshr x y))")
        .grows("two shifters are no divider"),
    function(
        "udiv_zero_extended",
        "(bvudiv (concat k x) (concat m y))",
        "(concat 0 (bvudiv x' y')), k = 0, m = 0, unless y is 0",
        narrow_udiv,
    )
    .grows("the divider has only as many bits as the numbers"),
    function(
        "udiv_zero_extended_constant",
        "(bvudiv (concat k x) n)",
        "(concat 0 (bvudiv x' n')), k = 0",
        narrow_udiv,
    )
    .grows("the divider has only as many bits as the numbers"),
    equation("urem_bits", "(bvurem x y)", "(bvand x (bvnot y))").when("(bit x)"),
    equation("urem_by_zero", "(bvurem x 0)", "x"),
    equation("urem_by_one", "(bvurem x 1)", "0"),
    equation("urem_of_zero", "(bvurem 0 x)", "0"),
    equation("urem_same", "(bvurem x x)", "0"),
    function("urem_power_of_two", "(bvurem x k)", "(concat 0 ((_ extract j-1 0) x)), k = 2^j", low_bits),
    equation("urem_by_large", "(bvurem x k)", "(ite (bvult x k) x (bvsub x k))")
        .when("(bvslt k 0)")
        .grows("a comparison and a difference are no divider"),
    equation("urem_urem", "(bvurem (bvurem x y) y)", "(bvurem x y)"),
    equation("urem_urem_constants", "(bvurem (bvurem x k) m)", "(bvurem x m)")
        .when("(and (distinct k 0) (and (distinct m 0) (= (bvurem k m) 0)))"),
    equation("urem_by_shifted_one", "(bvurem x (bvshl 1 y))", "(bvand x (bvadd ones (bvshl 1 y)))")
        .grows("a shifter is no divider"),
    equation("urem_by_complement", "(bvurem x (bvnot x))", "(bvurem ones (bvnot x))"),
    function(
        "urem_zero_extended",
        "(bvurem (concat k x) (concat m y))",
        "(concat 0 (bvurem x' y')), k = 0, m = 0",
        narrow_urem,
    ),
    function(
        "urem_zero_extended_constant",
        "(bvurem (concat k x) n)",
        "(concat 0 (bvurem x' n')), k = 0",
        narrow_urem,
    ),
    // A number that is not greater than the divisor.
    equation("udiv_and_operand", "(bvudiv (bvand x y) y)", "(ite (= 0 y) ones (ite (= y (bvand x y)) 1 0))")
        .grows(NO_DIVIDER),
    equation("urem_and_operand", "(bvurem (bvand x y) y)", "(ite (= y (bvand x y)) 0 (bvand x y))")
        .grows(NO_DIVIDER),
    equation(
        "udiv_and_urem",
        "(bvudiv (bvand x (bvurem y z)) y)",
        "(ite (= 0 y) ones (ite (= y (bvand x (bvurem y z))) 1 0))",
    )
    .grows(NO_DIVIDER),
    // Both operands of one division once more.
    equation("urem_urem_crossed", "(bvurem (bvurem x (bvurem y x)) y)", "(bvurem (bvurem x y) (bvurem y x))"),
    equation(
        "urem_by_own_urem",
        "(bvurem (bvurem x (bvurem x y)) x)",
        "(ite (= 0 (bvurem x y)) 0 (bvurem x (bvurem x y)))",
    )
    .grows(NO_DIVIDER),
    equation(
        "urem_by_own_urem_divisor",
        "(bvurem (bvurem x (bvurem x y)) y)",
        "(ite (= 0 (bvurem x y)) 0 (bvurem x (bvurem x y)))",
    )
    .grows(NO_DIVIDER),
    equation(
        "urem_of_udiv_dividend",
        "(bvurem (bvurem (bvudiv x y) x) y)",
        "(ite (= 0 y) (bvurem ones x) (bvurem (bvudiv x y) y))",
    )
    .grows(NO_DIVIDER),
    equation(
        "urem_of_udiv_divisor",
        "(bvurem (bvurem (bvudiv x y) y) x)",
        "(ite (= 0 y) (bvurem ones x) (bvurem (bvudiv x y) y))",
    )
    .grows(NO_DIVIDER),
    equation("urem_udiv_crossed", "(bvurem (bvurem x (bvudiv y x)) y)", "(bvurem (bvurem x y) (bvudiv y x))"),
    equation("urem_not_urem", "(bvurem (bvnot (bvurem x y)) y)", "(bvurem (bvnot x) y)"),
    equation(
        "udiv_udiv_dividend",
        "(bvudiv (bvudiv x y) x)",
        "(bvudiv (ite (= 0 y) ones (ite (= 1 y) x 0)) x)",
    )
    .grows(NO_DIVIDER),
    // Choices.
    equation("udiv_zero_or", "(bvudiv (ite c 0 x) y)", "(ite (or (not c) (= 0 y)) (bvudiv x y) 0)")
        .grows(CHOICE_OUTSIDE),
    equation("udiv_or_zero", "(bvudiv (ite c x 0) y)", "(ite (or c (= 0 y)) (bvudiv x y) 0)")
        .grows(CHOICE_OUTSIDE),
    equation("urem_zero_or", "(bvurem (ite c 0 x) y)", "(ite c 0 (bvurem x y))"),
    equation("urem_or_zero", "(bvurem (ite c x 0) y)", "(ite c (bvurem x y) 0)"),
    equation("udiv_by_easy_choice", "(bvudiv x (ite c k m))", "(ite c (bvudiv x k) (bvudiv x m))")
        .when("(and (or (= 0 k) (or (pow2 k) (bvslt k 0))) (or (= 0 m) (or (pow2 m) (bvslt m 0))))")
        .grows("these quotients are shifts and comparisons"),
    equation("urem_by_easy_choice", "(bvurem x (ite c k m))", "(ite c (bvurem x k) (bvurem x m))")
        .when("(and (or (= 0 k) (or (pow2 k) (bvslt k 0))) (or (= 0 m) (or (pow2 m) (bvslt m 0))))")
        .grows("these remainders are slices and comparisons"),
    equation(
        "udiv_by_choice_at_zero",
        "(bvudiv x (ite (= 0 x) y z))",
        "(ite (= 0 x) (bvudiv 0 y) (bvudiv x z))",
    )
    .grows("quotients of zero are choices"),
    equation("urem_by_choice_at_zero", "(bvurem x (ite (= 0 x) y z))", "(bvurem x z)"),
    equation("ite_udiv_by_zero", "(ite (= 0 y) ones (bvudiv x y))", "(bvudiv x y)"),
    equation("ite_urem_by_zero", "(ite (= 0 y) x (bvurem x y))", "(bvurem x y)"),
    // Signed.
    equation("sdiv_bits", "(bvsdiv x y)", "(bvor x (bvnot y))").when("(bit x)"),
    equation("sdiv_by_zero", "(bvsdiv x 0)", "(ite (bvslt x 0) 1 ones)").grows("a choice is no divider"),
    equation("sdiv_by_one", "(bvsdiv x 1)", "x"),
    equation("sdiv_by_minus_one", "(bvsdiv x ones)", "(bvneg x)"),
    equation("sdiv_by_least", "(bvsdiv x min)", "(ite (= min x) 1 0)").grows("a choice is no divider"),
    equation("sdiv_of_zero", "(bvsdiv 0 x)", "(ite (= 0 x) ones 0)").grows("a choice is no divider"),
    equation("sdiv_same", "(bvsdiv x x)", "(ite (= 0 x) ones 1)").grows("a choice is no divider"),
    equation("sdiv_by_negative", "(bvsdiv x k)", "(bvneg (bvsdiv x (bvneg k)))")
        .when("(and (bvslt k 0) (distinct k min))")
        .grows("two divisions by opposite constants become one"),
    equation(
        "sdiv_by_shifted_one",
        "(bvsdiv x (bvshl 1 y))",
        "(ite (= (bvslt x 0) (bvslt (bvshl 1 y) 0)) \
           (bvudiv (ite (bvslt x 0) (bvneg x) x) (bvshl 1 y)) \
           (bvneg (bvudiv (ite (bvslt x 0) (bvneg x) x) (bvshl 1 y))))",
    )
    .grows("shifters and negations are no divider"),
    equation("srem_bits", "(bvsrem x y)", "(bvand x (bvnot y))").when("(bit x)"),
    equation("srem_by_zero", "(bvsrem x 0)", "x"),
    equation("srem_by_one", "(bvsrem x 1)", "0"),
    equation("srem_by_minus_one", "(bvsrem x ones)", "0"),
    equation("srem_by_least", "(bvsrem x min)", "(ite (= min x) 0 x)").grows("a choice is no divider"),
    equation("srem_of_zero", "(bvsrem 0 x)", "0"),
    equation("srem_same", "(bvsrem x x)", "0"),
    equation("srem_by_negative", "(bvsrem x k)", "(bvsrem x (bvneg k))")
        .when("(and (bvslt k 0) (distinct k min))"),
    equation("srem_by_neg", "(bvsrem x (bvneg y))", "(bvsrem x y)"),
    equation(
        "srem_by_shifted_one",
        "(bvsrem x (bvshl 1 y))",
        "(ite (bvslt x 0) (bvneg (bvurem (bvneg x) (bvshl 1 y))) (bvurem x (bvshl 1 y)))",
    )
    .grows("a shifter and negations are no divider"),
    equation("smod_bits", "(bvsmod x y)", "(bvand x (bvnot y))").when("(bit x)"),
    equation("smod_by_zero", "(bvsmod x 0)", "x"),
    equation("smod_by_one", "(bvsmod x 1)", "0"),
    equation("smod_by_minus_one", "(bvsmod x ones)", "0"),
    equation("smod_of_zero", "(bvsmod 0 x)", "0"),
    equation("smod_same", "(bvsmod x x)", "0"),
    function("smod_power_of_two", "(bvsmod x k)", "(concat 0 ((_ extract j-1 0) x)), k = 2^j > 0", low_bits),
    function(
        "sdiv_of_known_signs",
        "(bvsdiv x y)",
        "bvudiv of the absolute values, if both signs are seen",
        sdiv_known,
    )
    .grows("signs that are known need no choices"),
    function(
        "srem_of_known_signs",
        "(bvsrem x y)",
        "bvurem of the absolute values, if both signs are seen",
        srem_known,
    )
    .grows("signs that are known need no choices"),
    function(
        "smod_of_known_signs",
        "(bvsmod x y)",
        "(bvurem x y), if neither is seen to be negative",
        smod_known,
    ),
];

/// The remainder by a positive power of two.
fn low_bits(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let k = pool.as_bitvec(m.head.args[1])?;
    let bits = k.log2_exact().filter(|&bits| bits > 0)?;
    if m.head.op == Op::BvSmod && k.msb() {
        return None;
    }
    let low = make::extract(pool, m.head.args[0], bits - 1, 0);
    Some(known::zero_extend_to(pool, low, m.width()))
}

/// Dividend and divisor with leading zeros at the width of the wider one.
fn narrowed(pool: &mut Pool, m: &Match<'_>) -> Option<([Term; 2], u32)> {
    let &[a, b] = m.head.args else { return None };
    let ((_, a), (_, b)) = (known::leading_zeros(pool, a)?, known::leading_zeros(pool, b)?);
    let width = pool.width(a)?.max(pool.width(b)?);
    (width < m.width()).then(|| ([a, b].map(|arg| known::zero_extend_to(pool, arg, width)), width))
}

fn narrow_udiv(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let (args, _) = narrowed(pool, m)?;
    let quotient = make::app(pool, Op::BvUdiv, &args);
    let quotient = known::zero_extend_to(pool, quotient, m.width());
    let ones = pool.bitvec(&bivalve_terms::BitVec::ones(m.width()));
    let zero = make::zeros(pool, pool.width(args[1])?);
    let by_zero = make::eq(pool, zero, args[1]);
    Some(make::ite(pool, by_zero, ones, quotient))
}

fn narrow_urem(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let (args, _) = narrowed(pool, m)?;
    let remainder = make::app(pool, Op::BvUrem, &args);
    Some(known::zero_extend_to(pool, remainder, m.width()))
}

/// The absolute value of a term whose sign is seen, and that sign.
fn absolute(pool: &mut Pool, term: Term) -> Option<(Term, bool)> {
    let negative = known::sign(pool, term)?;
    Some((if negative { make::app(pool, Op::BvNeg, &[term]) } else { term }, negative))
}

fn sdiv_known(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let ((x, x_negative), (y, y_negative)) =
        (absolute(pool, m.head.args[0])?, absolute(pool, m.head.args[1])?);
    let quotient = make::app(pool, Op::BvUdiv, &[x, y]);
    Some(if x_negative == y_negative { quotient } else { make::app(pool, Op::BvNeg, &[quotient]) })
}

fn srem_known(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let ((x, x_negative), (y, _)) = (absolute(pool, m.head.args[0])?, absolute(pool, m.head.args[1])?);
    let remainder = make::app(pool, Op::BvUrem, &[x, y]);
    Some(if x_negative { make::app(pool, Op::BvNeg, &[remainder]) } else { remainder })
}

fn smod_known(pool: &mut Pool, m: &Match<'_>) -> Option<Term> {
    let &[x, y] = m.head.args else { return None };
    let negative = known::sign(pool, x)? || known::sign(pool, y)?;
    (!negative).then(|| make::app(pool, Op::BvUrem, &[x, y]))
}
