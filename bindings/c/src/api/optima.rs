//! Optima: objectives of a solver, and the search for their best values.

use crate::checker::Checker;
use crate::fault::{Fault, Outcome, Status, answer, status, text};
use crate::handles::{bivalve_solver, bivalve_term};
use crate::manager::{with_solver, with_solver_and};
use crate::pointers;
use bivalve::terms::float::Rational;
use bivalve_optimise::{Priority as Order, Range, Sense};
use std::ffi::c_char;

use super::Answer;

/// How several objectives are combined.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// Each among the optima of those before it.
    Lexicographic = 0,
    /// Each by itself, as if it were the only one; the model is that of the first.
    Box = 1,
    /// Values none of which can be better unless another one is worse. Each search finds others, until the
    /// answer is unsat; then it begins anew.
    Pareto = 2,
}

fn priority(code: u32) -> Outcome<Order> {
    match code {
        0 => Ok(Order::Lexicographic),
        1 => Ok(Order::Box),
        2 => Ok(Order::Pareto),
        _ => Err(Fault::argument(format!("expected a priority from 0 to 2, found {code}"))),
    }
}

fn state(solver: bivalve_solver, term: bivalve_term, sense: Sense, is_signed: bool) -> Status {
    status(|| {
        with_solver_and(solver, &[term], |checker, pool, terms| {
            checker.optimise(pool, terms[0], sense, is_signed)
        })
    })
}

/// The least value of a term is an objective of the topmost level: of a bit-vector, which is read as a signed
/// number if `is_signed`, or of a floating-point number, of which NaN is worse than every number. Objectives
/// are numbered from 0; they matter to `bivalve_optimize` alone.
///
/// Errors: `SORT` if the term has another sort.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_minimize(solver: bivalve_solver, term: bivalve_term, is_signed: bool) -> Status {
    state(solver, term, Sense::Minimise, is_signed)
}

/// The greatest value of a term is an objective, as `bivalve_minimize`.
///
/// Errors: as `bivalve_minimize`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_maximize(solver: bivalve_solver, term: bivalve_term, is_signed: bool) -> Status {
    state(solver, term, Sense::Maximise, is_signed)
}

/// A formula that should hold: if it does not, that costs `weight`, which is text: `"2"`, `"-1"`, `"0.5"` or
/// `"1/3"`. The price of all soft constraints of one name is one objective, the least price, numbered where
/// the first of them is. The name may be null; it belongs to the topmost level as the others do.
///
/// Errors: `SORT` if the formula is not Boolean, `ARGUMENT` if the weight is no number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_assert_soft(
    solver: bivalve_solver,
    formula: bivalve_term,
    weight: *const c_char,
    name: *const c_char,
) -> Status {
    let (weight, name) = unsafe { (pointers::text(weight), pointers::optional_text(name)) };
    status(|| {
        let (weight, name) = (weight?, name?.unwrap_or_default());
        let no_number =
            || Fault::argument(format!("expected a weight such as 2, -0.5 or 1/3, found '{weight}'"));
        let weight = weight.parse::<Rational>().map_err(|_| no_number())?;
        with_solver_and(solver, &[formula], |checker, pool, terms| {
            checker.soften(pool, name, terms[0], weight)
        })
    })
}

/// Puts the number of objectives into `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_objective_count(solver: bivalve_solver, count: *mut usize) -> Status {
    status(|| {
        let found = with_solver(solver, |checker, _| Ok(checker.objectives().names().count()))?;
        unsafe { pointers::put(count, found) }
    })
}

/// The best values of the objectives among the models of the assertions and of `count` formulas, which are
/// assumed; `priority` is a `bivalve_priority`. Sat: all optima were found, and the values of terms are those
/// of the optimum. Unknown: what is known is between `bivalve_objective_lower` and `_upper`, and the values
/// of terms are those of the best model so far, if there is one. Limits hold for each check of the search.
///
/// Errors: as `bivalve_check_assuming`; `ARGUMENT` if there is no such priority.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_optimize(
    solver: bivalve_solver,
    priority: u32,
    count: usize,
    assumptions: *const bivalve_term,
) -> Answer {
    let assumptions = unsafe { pointers::members(assumptions, count) };
    answer(|| {
        let priority = self::priority(priority)?;
        let found = with_solver_and(solver, assumptions?, |checker, pool, terms| {
            checker.optimize(pool, priority, terms)
        });
        Ok(found?.into())
    })
}

fn end(solver: bivalve_solver, position: usize, of: impl FnOnce(&Range) -> String) -> *const c_char {
    text(|| with_solver(solver, |checker: &mut Checker, _| checker.range(position).map(of)))
}

/// The least value that the optimum of an objective may have, as the last `bivalve_optimize` found it: `"5"`,
/// `"(- 5)"`, a price in lowest terms as `"(/ 1.0 3.0)"`, a floating-point number in SMT-LIB syntax. If it is
/// that of `bivalve_objective_upper`, it is the optimum.
///
/// Errors: null; `STATE` if there was no such search, or something was changed since, `ARGUMENT` if there is
/// no such objective.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_objective_lower(solver: bivalve_solver, position: usize) -> *const c_char {
    end(solver, position, |range| range.lower.to_string())
}

/// The greatest value that the optimum of an objective may have, as `bivalve_objective_lower`.
///
/// Errors: as `bivalve_objective_lower`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_objective_upper(solver: bivalve_solver, position: usize) -> *const c_char {
    end(solver, position, |range| range.upper.to_string())
}
