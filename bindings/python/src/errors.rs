//! What is raised: one family of exceptions, and the gate at which panics become one of them.
//!
//! Whatever Bivalve refuses is a `BivalveError`; its kinds say whose business it is: a term that is
//! ill-sorted or of another context, an action in the wrong state, a text that cannot be read, a defect of
//! this program. Integers, names and values of options that are out of range are `ValueError`, as in Python's
//! own library, and arguments of other Python types are `TypeError`.

use bivalve::{AssertError, CheckError, LevelError, terms::SortError};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

pyo3::create_exception!(bivalve, BivalveError, PyException, "Something that Bivalve has refused.");
pyo3::create_exception!(
    bivalve,
    IllSorted,
    BivalveError,
    "A term that cannot be built or used here: sorts or widths do not fit, or contexts differ."
);
pyo3::create_exception!(
    bivalve,
    StateError,
    BivalveError,
    "An action that the state does not allow: no model, no core, too few levels, a check is running."
);
pyo3::create_exception!(bivalve, ParseError, BivalveError, "A text that cannot be read, with its place.");
pyo3::create_exception!(
    bivalve,
    InternalError,
    BivalveError,
    "A failed self-check: a defect of Bivalve, never a property of the input."
);

/// A refusal of the pool.
pub(crate) fn ill_sorted(refusal: &SortError) -> PyErr {
    IllSorted::new_err(refusal.to_string())
}

/// A refusal to take an assertion.
pub(crate) fn not_asserted(refusal: &AssertError) -> PyErr {
    IllSorted::new_err(refusal.to_string())
}

/// A check that was not carried out.
pub(crate) fn not_checked(refusal: &CheckError) -> PyErr {
    match refusal {
        CheckError::Assumption { .. } => IllSorted::new_err(refusal.to_string()),
        CheckError::Internal(fault) => InternalError::new_err(fault.to_string()),
    }
}

/// Refuses to pickle what belongs to this process.
pub(crate) fn not_pickled(what: &str, advice: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} belongs to this process and cannot be pickled; {advice}"))
}

/// A level that is not there.
pub(crate) fn no_level(refusal: LevelError, asked: u64) -> PyErr {
    StateError::new_err(format!("expected at most {} levels to pop, found {asked}", refusal.depth))
}

/// The result of `work`; `None` if it has panicked, whatever it worked on is not to be used any more then.
pub(crate) fn unless_it_panics<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| bivalve::panic_message(&*payload).to_owned())
}
