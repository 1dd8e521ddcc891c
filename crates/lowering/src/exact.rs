//! Conversions that lose nothing: to a format that has all numbers of another, and from words that are short.
//!
//! Comparisons of what was widened are comparisons of what it was made of. An operation in a wide format that
//! is rounded to a narrow one at once, as C computes with `float` by way of `double`, is the operation of the
//! narrow format, if the wide one has enough digits and room for exponents: then rounding twice in one mode
//! is rounding once (Figueroa, *When is double rounding innocuous?*, SIGNUM 1995).

use crate::constants;
use bivalve_terms::float::{Float, Format, RoundingMode};
use bivalve_terms::{Op, Pool, Term};

/// The least power of two, by its exponent, that a number of the format is a multiple of.
fn unit(format: Format) -> i64 {
    format.min_exponent() - i64::from(format.fraction_bits())
}

/// Has the second format all numbers of the first?
pub(crate) fn is_wider(narrow: Format, wide: Format) -> bool {
    narrow.significand_bits() <= wide.significand_bits()
        && unit(wide) <= unit(narrow)
        && narrow.max_exponent() <= wide.max_exponent()
}

/// Is rounding to the wide format before that to the narrow one of no effect on results of operations?
fn is_harmless(narrow: Format, wide: Format) -> bool {
    let digits = 2 * u64::from(narrow.significand_bits()) + 2;
    digits <= u64::from(wide.significand_bits())
        && wide.min_exponent() <= 2 * unit(narrow) - 2
        && 2 * narrow.max_exponent() + 2 <= wide.max_exponent()
        && narrow.max_exponent() - unit(narrow) + 2 <= wide.max_exponent()
}

/// What a term was widened from.
fn widened(pool: &Pool, term: Term) -> Option<(Term, Format)> {
    let &[_, inner] = pool.args(term) else { return None };
    if pool.op(term) != Op::FpFromFloat {
        return None;
    }
    let (narrow, wide) = (pool.float_format(inner)?, pool.float_format(term)?);
    is_wider(narrow, wide).then_some((inner, narrow))
}

/// The number as one of a format, if it is one.
fn in_format(pool: &mut Pool, value: &Float, format: Format) -> Option<Term> {
    use bivalve_floats::{Integers, Semantics};
    let narrow = Integers::convert(format, RoundingMode::TowardZero, value);
    let back = Integers::convert(value.format(), RoundingMode::TowardZero, &narrow);
    (back == *value).then(|| pool.float(&narrow))
}

/// The term in a format that has it: widened to it, or narrowed to what it is already.
fn fitted(pool: &mut Pool, term: Term, format: Format) -> Option<Term> {
    if let Some(value) = constants::float(pool, term) {
        return in_format(pool, &value, format);
    }
    let own = pool.float_format(term)?;
    let (inner, narrow) = widened(pool, term).unwrap_or((term, own));
    if narrow == format {
        return Some(inner);
    }
    if !is_wider(narrow, format) {
        return None;
    }
    let mode = pool.rounding_mode(RoundingMode::NearestEven);
    let indices = [format.exponent_bits(), format.significand_bits()];
    Some(pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, inner]))
}

/// A comparison in the least format that has both sides.
fn compared(pool: &mut Pool, op: Op, x: Term, y: Term) -> Option<Term> {
    let formats: Vec<Format> = [x, y].iter().filter_map(|&side| Some(widened(pool, side)?.1)).collect();
    let format = formats.into_iter().reduce(|a, b| if is_wider(a, b) { b } else { a })?;
    let sides = [fitted(pool, x, format)?, fitted(pool, y, format)?];
    Some(pool.mk(op, &sides))
}

/// An operation that is rounded twice.
fn rounded_once(pool: &mut Pool, term: Term) -> Option<Term> {
    let &[mode, inner] = pool.args(term) else { return None };
    let (narrow, wide) = (pool.float_format(term)?, pool.float_format(inner)?);
    let op = pool.op(inner);
    let is_rounded = matches!(op, Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpSqrt);
    if !is_rounded || pool.args(inner)[0] != mode || !is_harmless(narrow, wide) {
        return None;
    }
    let operands = pool.args(inner)[1..].to_vec();
    let mut args = vec![mode];
    for operand in operands {
        args.push(fitted(pool, operand, narrow)?);
    }
    Some(pool.mk(op, &args))
}

/// An integer of a float that was made of an integer that fits into it, and fits into the result.
fn integer(pool: &mut Pool, term: Term) -> Option<Term> {
    let from = pool.args(term)[1];
    let (op, to) = (pool.op(from), pool.width(term)?);
    let &[_, word] = pool.args(from) else { return None };
    let (width, format) = (pool.width(word)?, pool.float_format(from)?);
    let digits = if op == Op::FpFromSbv { width - 1 } else { width };
    if digits > format.significand_bits() || i64::from(digits) > format.max_exponent() {
        return None;
    }
    let (extend, needed) = match (op, pool.op(term)) {
        (Op::FpFromSbv, Op::FpToSbv) => (Op::SignExtend, width),
        (Op::FpFromUbv, Op::FpToUbv) => (Op::ZeroExtend, width),
        (Op::FpFromUbv, Op::FpToSbv) => (Op::ZeroExtend, width + 1),
        _ => return None,
    };
    if to < needed {
        return None;
    }
    Some(if to == width { word } else { pool.mk_indexed(extend, &[to - width], &[word]) })
}

/// What is equal to a term without a conversion that loses nothing.
pub(crate) fn simpler(pool: &mut Pool, term: Term) -> Option<Term> {
    match (pool.op(term), pool.args(term)) {
        (op @ (Op::FpLt | Op::FpLe | Op::FpGt | Op::FpGe | Op::FpEq | Op::Eq | Op::Distinct), &[x, y])
            if pool.float_format(x).is_some() =>
        {
            compared(pool, op, x, y)
        }
        (Op::FpFromFloat, &[_, inner]) => {
            let format = pool.float_format(term)?;
            if let Some((least, narrow)) = widened(pool, inner) {
                if narrow == format {
                    return Some(least);
                }
                let mode = pool.args(term)[0];
                let indices = [format.exponent_bits(), format.significand_bits()];
                return Some(pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, least]));
            }
            if pool.float_format(inner) == Some(format) {
                return Some(inner);
            }
            rounded_once(pool, term)
        }
        (Op::FpToSbv | Op::FpToUbv, _) => integer(pool, term),
        (op @ (Op::FpIsNegative | Op::FpIsPositive), &[x]) if pool.op(x) == Op::FpFromFloat => {
            let inner = pool.args(x)[1];
            Some(pool.mk(op, &[inner]))
        }
        (op @ (Op::FpIsZero | Op::FpIsInfinite), &[x]) => {
            let (inner, _) = widened(pool, x)?;
            Some(pool.mk(op, &[inner]))
        }
        _ => None,
    }
}
