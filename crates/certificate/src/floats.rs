//! Floating-point terms of the solver as terms of the checker's parser.
//!
//! What is asserted is about their images, which are the checker's own ([`crate::images`]).

use bivalve_checker::floats::{FloatOp, Format, read};
use bivalve_checker::term as to;
use bivalve_terms::float::Format as From;
use bivalve_terms::{Pool, Term, Theory, TheorySort, Value};

pub(crate) fn format(format: From) -> Result<Format, String> {
    Format::new(format.exponent_bits(), format.significand_bits())
}

pub(crate) const NO_INTEGERS: &str =
    "integers are not known in certificates; `bivalve convert` writes the script with words in their place";

/// The sort of a theory.
pub(crate) fn sort(sort: TheorySort) -> Result<to::SortKind, String> {
    match sort {
        TheorySort::Float(of) => format(of).map(to::SortKind::Float),
        TheorySort::RoundingMode => Ok(to::SortKind::Mode),
        TheorySort::Real => Ok(to::SortKind::Real),
        TheorySort::Int => Err(NO_INTEGERS.into()),
        TheorySort::Record(_) => Err("a record is no sort of floating point".into()),
    }
}

/// A constant of such a sort, if it is one.
pub(crate) fn constant(pool: &Pool, term: Term, terms: &mut to::Terms) -> Option<Result<to::Term, String>> {
    let value = pool.as_value(term)?;
    if let Some(real) = pool.as_real(term) {
        let (above, below) = (real.numerator().magnitude().clone(), real.denominator().clone());
        return Some(read::real(terms, real.is_negative(), above, below));
    }
    self::value(&value, terms)
}

/// A number, or a rounding mode.
pub(crate) fn value(value: &Value, terms: &mut to::Terms) -> Option<Result<to::Term, String>> {
    let made = |terms: &mut to::Terms, op, args: &[to::Term]| terms.mk(to::Op::Float(op), args);
    if let Some(mode) = value.as_rounding_mode() {
        return Some(made(terms, FloatOp::Mode(mode.code()), &[]));
    }
    let float = value.as_float()?;
    let word = terms.value(float.format().width(), float.to_bits());
    let of = format(float.format());
    Some(word.and_then(|word| made(terms, FloatOp::FromBits(of?), &[word])))
}

/// An operator that is one of floating point.
pub(crate) fn operator(
    pool: &Pool,
    term: Term,
    args: &[to::Term],
    terms: &mut to::Terms,
) -> Option<Result<to::Term, String>> {
    let is_of_reals = |&arg: &Term| pool.sorts().as_theory(pool.sort(arg)) == Some(TheorySort::Real);
    let is_comparison =
        pool.op(term).info().theory == Theory::Integers && pool.args(term).iter().all(is_of_reals);
    if pool.op(term).info().theory != Theory::Floats && !is_comparison {
        return None;
    }
    let name = pool.op(term).name();
    let unknown = || format!("'{name}' is not known to the checker");
    Some(read::apply(terms, name, &pool.indices(term), args).and_then(|made| made.ok_or_else(unknown)))
}
