//! What stands beside a term: another term, or a Python integer or Boolean that becomes a constant of the
//! sort that is expected there.
//!
//! An integer stands for a bit-vector, a Boolean for a Boolean, and never one for the other: in Python `True`
//! is an integer, too, and `x + True` is more often a mistake than meant. Beside a floating-point number any
//! Python number becomes the nearest one of its format, and beside a real the same real.

use crate::errors::IllSorted;
use crate::floats::{exact_number, format_of, is_real, of_number};
use crate::numbers::to_bits;
use crate::store::Store;
use crate::term::PyTerm;
use bivalve::terms::float::{Float, Rational, RoundingMode};
use bivalve::terms::{BitVec, Pool, Sort, Term};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
use std::sync::Arc;

/// An argument, read, but without a pool so far: no Python code runs where it becomes a term.
pub(crate) enum Operand {
    Term(Term),
    Bool(bool),
    Bits(BitVec),
    Float(Float),
    Real(Rational),
    Mode(RoundingMode),
}

impl Operand {
    /// Reads an argument; `sort` is what is expected there, if something is.
    pub(crate) fn read(store: &Arc<Store>, of: &Bound<'_, PyAny>, sort: Option<Sort>) -> PyResult<Operand> {
        if let Ok(term) = of.cast::<PyTerm>() {
            return Ok(Operand::Term(term.get().of(store)?));
        }
        if let Ok(value) = of.cast::<PyBool>() {
            return match sort {
                Some(sort) if !sort.is_bool() => Err(misplaced(store, of, sort)),
                _ => Ok(Operand::Bool(value.is_true())),
            };
        }
        if let Some(sort) = sort
            && let Some(format) = format_of(store, of.py(), sort)?
            && let Some(number) = of_number(of, format, RoundingMode::NearestEven)?
        {
            return Ok(Operand::Float(number));
        }
        if let Some(sort) = sort
            && is_real(store, of.py(), sort)?
            && let Some(number) = exact_number(of)?
        {
            return Ok(Operand::Real(number));
        }
        let is_integer = of.is_instance_of::<PyInt>() || of.hasattr("__index__")?;
        match sort {
            Some(sort) if is_integer => {
                let width = sort.width().ok_or_else(|| misplaced(store, of, sort))?;
                let number =
                    if of.is_instance_of::<PyInt>() { of.clone() } else { of.call_method0("__index__")? };
                Ok(Operand::Bits(to_bits(&number, width)?))
            }
            None if is_integer => Err(PyTypeError::new_err(
                "expected a term, found an integer; its width is not known here: use bv(value, width)",
            )),
            _ => {
                let found = of.get_type().name()?;
                Err(PyTypeError::new_err(format!(
                    "expected a term, an integer or a Boolean, found '{found}'"
                )))
            }
        }
    }

    /// The term.
    pub(crate) fn term(self, pool: &mut Pool) -> Term {
        match self {
            Operand::Term(term) => term,
            Operand::Bool(value) => pool.bool(value),
            Operand::Bits(bits) => pool.bitvec(&bits),
            Operand::Float(value) => pool.float(&value),
            Operand::Real(value) => pool.real(&value),
            Operand::Mode(mode) => pool.rounding_mode(mode),
        }
    }
}

/// The sort of an argument that is a term; `None` for others. A sort of another context must not be looked at
/// in this one, so its terms are refused here.
pub(crate) fn sort_of(store: &Arc<Store>, of: &Bound<'_, PyAny>) -> PyResult<Option<Sort>> {
    let Ok(term) = of.cast::<PyTerm>() else { return Ok(None) };
    term.get().of(store)?;
    Ok(Some(term.get().sort))
}

/// A Python value where a term of another sort is expected.
fn misplaced(store: &Arc<Store>, found: &Bound<'_, PyAny>, sort: Sort) -> PyErr {
    let expected = store.with(found.py(), |pool| Ok(pool.sorts().display(sort)));
    let found = found.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
    match expected {
        Ok(expected) => IllSorted::new_err(format!("expected a term of sort {expected}, found {found}")),
        Err(refusal) => refusal,
    }
}
