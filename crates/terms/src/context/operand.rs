//! What stands on the right of an operator: an expression, or an integer, a Boolean or a value that becomes a
//! constant of the sort that is expected there.
//!
//! An integer fits into `w` bits if it is at least -2^(w-1) and below 2^w, so both readings of a bit-vector
//! can be written. What does not fit is an error, not cut off.

use super::{Context, Expr, ExprError, Problem};
use crate::pool::Pool;
use crate::sort::{Sort, SortKind};
use crate::term::Term;
use crate::{BitVec, Value};
use std::rc::Rc;

/// An argument of an operator: an expression by value or reference, an integer of any type, a Boolean, a
/// bit-vector or a value. The trait is sealed.
pub trait Operand: Build {}

/// How an operand becomes a term.
pub trait Build {
    /// The term; a constant is of the sort that is expected, if one is.
    fn to_term(&self, context: &Context, sort: Option<Sort>) -> Built<Term>;
}

/// A term, or the error of a part or of the whole.
pub(super) type Built<T> = Result<T, Fault>;

/// An error on its way up: one that a part carries already, or a new one without its place.
pub enum Fault {
    Carried(Rc<ExprError>),
    New(Problem),
}

impl<T: Into<Problem>> From<T> for Fault {
    fn from(problem: T) -> Fault {
        Fault::New(problem.into())
    }
}

impl Operand for Expr {}
impl Build for Expr {
    fn to_term(&self, context: &Context, _: Option<Sort>) -> Built<Term> {
        let term = self.term.clone().map_err(Fault::Carried)?;
        if self.context.is(context) { Ok(term) } else { Err(Problem::OtherContext.into()) }
    }
}

impl<T: Operand + ?Sized> Operand for &T {}
impl<T: Build + ?Sized> Build for &T {
    fn to_term(&self, context: &Context, sort: Option<Sort>) -> Built<Term> {
        (**self).to_term(context, sort)
    }
}

macro_rules! constants {
    ($($type:ty),*) => {
        $(impl Operand for $type {}
        impl Build for $type {
            fn to_term(&self, context: &Context, sort: Option<Sort>) -> Built<Term> {
                let sort = sort.ok_or_else(|| misplaced("an expression", self))?;
                let value = integer(i128::from(*self), sort)?;
                Ok(context.with_pool(|pool| pool.bitvec(&value)))
            }
        })*
    };
}

constants!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl Operand for bool {}
impl Build for bool {
    fn to_term(&self, context: &Context, _: Option<Sort>) -> Built<Term> {
        Ok(context.with_pool(|pool| pool.bool(*self)))
    }
}

impl Operand for BitVec {}
impl Build for BitVec {
    fn to_term(&self, context: &Context, _: Option<Sort>) -> Built<Term> {
        Ok(context.with_pool(|pool| pool.bitvec(self)))
    }
}

impl Operand for Value {}
impl Build for Value {
    fn to_term(&self, context: &Context, sort: Option<Sort>) -> Built<Term> {
        let sort = sort.ok_or_else(|| misplaced("an expression", self))?;
        Ok(context.with_pool(|pool| value(pool, sort, self))?)
    }
}

/// The bit-vector of a sort that an integer stands for.
pub(super) fn integer(value: i128, sort: Sort) -> Result<BitVec, Problem> {
    let width = sort.width().ok_or_else(|| misplaced("an argument that is no bit-vector", &value))?;
    let fits = width >= 128 || (-1 << (width - 1) <= value && (width == 127 || value < 1 << width));
    if !fits {
        return Err(Problem::OutOfRange { value, width });
    }
    let low = BitVec::from_words(&[value as u64, (value >> 64) as u64], width.min(128));
    Ok(match width.saturating_sub(128) {
        0 => low,
        more if value < 0 => low.sign_extend(more),
        more => low.zero_extend(more),
    })
}

/// The constant of a value. Recursive: arrays are nested at most [`MAX_NESTING`](crate::MAX_NESTING) deep.
pub(super) fn value(pool: &mut Pool, sort: Sort, of: &Value) -> Result<Term, Problem> {
    match (pool.sorts().kind(sort), of) {
        (SortKind::Bool, Value::Bool(of)) => Ok(pool.bool(*of)),
        (SortKind::BitVec(width), Value::BitVec(of)) if of.width() == width => Ok(pool.bitvec(of)),
        (SortKind::Array { index, element }, Value::Array(array)) => {
            let default = value(pool, element, array.default())?;
            let mut term = pool.const_array(sort, default)?;
            for (at, what) in array.entries() {
                let (at, what) = (value(pool, index, at)?, value(pool, element, what)?);
                term = pool.store(term, at, what)?;
            }
            Ok(term)
        }
        (SortKind::Theory(_), value) if value.is_of(pool.sorts(), sort) => {
            Ok(pool.constant(value).expect("a value of a theory has a constant"))
        }
        _ => Err(misplaced(&format!("a constant of sort {}", pool.sorts().display(sort)), of)),
    }
}

fn misplaced(expected: &str, found: &impl ToString) -> Problem {
    Problem::Value { expected: expected.to_owned(), found: found.to_string() }
}
