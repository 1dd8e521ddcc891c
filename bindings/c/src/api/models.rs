//! All models: the values that terms have in them, one after the other, and their number.

use crate::fault::{Status, answer, status, text};
use crate::handles::{bivalve_solver, bivalve_term};
use crate::manager::{with_solver_and, within};
use crate::pointers;
use std::ffi::c_char;

use super::Answer;

/// Begins to list the values that some terms, bit-vectors and Booleans, have together in models of the
/// assertions, each once; `bivalve_next_model` has them. A listing that was begun before ends.
///
/// Errors: `SORT` if a term has another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_list_models(
    solver: bivalve_solver,
    count: usize,
    terms: *const bivalve_term,
) -> Status {
    let terms = unsafe { pointers::members(terms, count) };
    status(|| with_solver_and(solver, terms?, |checker, pool, terms| checker.list_models(pool, terms)))
}

/// The next values, as constants in the order of the terms: as many as `capacity` into `values`. Sat: there
/// they are, in no particular order. Unsat: there are no others. Unknown: whether there are is not decided
/// under the limits of the solver, and the next call tries it again. What `bivalve_value` says is void then.
///
/// Errors: `STATE` if no listing was begun, or if something was asserted, pushed or popped since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_next_model(
    solver: bivalve_solver,
    values: *mut bivalve_term,
    capacity: usize,
) -> Answer {
    answer(|| {
        let found = within(solver, |manager, place| {
            let next = manager.with_checker(place, |checker, pool| checker.next_model(pool))?;
            Ok(next.map(|values| values.into_iter().map(|value| manager.handle(value)).collect::<Vec<_>>()))
        })?;
        match found {
            Ok(handles) => {
                unsafe { pointers::put_all(values, capacity, &handles)? };
                Ok(Answer::Sat)
            }
            Err(other) => Ok(other.into()),
        }
    })
}

/// How many values some terms, bit-vectors and Booleans, have together in models of the assertions, as
/// decimal digits. Whether it is that number is put into `is_exact`; if not, there are so many at least, and
/// the limits of the solver were reached.
///
/// Errors: null; `SORT` if a term has another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_count_models(
    solver: bivalve_solver,
    count: usize,
    terms: *const bivalve_term,
    is_exact: *mut bool,
) -> *const c_char {
    let terms = unsafe { pointers::members(terms, count) };
    text(|| {
        pointers::expect_place(is_exact)?;
        let counted =
            with_solver_and(solver, terms?, |checker, pool, terms| checker.count_models(pool, terms))?;
        unsafe { pointers::put(is_exact, counted.unknown.is_none())? };
        Ok(counted.at_least.to_string())
    })
}
