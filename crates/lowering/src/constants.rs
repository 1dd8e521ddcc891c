//! Terms that are constants, however they are written: `(fp #b0 #b10 #b01)`, `((_ to_fp 5 11) RNE 0.1)`,
//! `(fp.neg ...)` of those.

use bivalve_floats::Class;
use bivalve_terms::float::{Float, RoundingMode};
use bivalve_terms::{Op, Pool, Term, Theory, Value, meaning};

/// Operators above constants that are looked through.
const DEEPEST: u32 = 3;

/// The value of a term that is made of few operators of floating point on constants.
pub(crate) fn value(pool: &Pool, term: Term) -> Option<Value> {
    within(pool, term, DEEPEST)
}

fn within(pool: &Pool, term: Term, depth: u32) -> Option<Value> {
    if pool.is_const(term) {
        return pool.as_value(term);
    }
    let op = pool.op(term);
    if depth == 0 || op.info().theory != Theory::Floats {
        return None;
    }
    let args = pool.args(term).iter().map(|&arg| within(pool, arg, depth - 1));
    let args: Vec<Value> = args.collect::<Option<_>>()?;
    Some(meaning(pool, term, args.len(), |at| &args[at]))
}

/// The number that a term is, if it is a constant.
pub(crate) fn float(pool: &Pool, term: Term) -> Option<Float> {
    pool.float_format(term)?;
    value(pool, term)?.as_float().cloned()
}

/// The rounding mode that a term is, if it is a constant.
pub(crate) fn mode(pool: &Pool, term: Term) -> Option<RoundingMode> {
    value(pool, term)?.as_rounding_mode()
}

/// A constant in the place of a term that is one, but is not written as one.
pub(crate) fn folded(pool: &mut Pool, term: Term) -> Option<Term> {
    let is_float = pool.float_format(term).is_some() && pool.op(term) != Op::Const;
    let value = if is_float { value(pool, term) } else { None };
    value.and_then(|value| pool.constant(&value))
}

/// Is it one of the zeros?
pub(crate) fn is_zero(value: &Float) -> bool {
    value.class() == Class::Zero
}

/// Is it neither NaN nor an infinity?
pub(crate) fn is_finite(value: &Float) -> bool {
    !matches!(value.class(), Class::Nan | Class::Infinite)
}
