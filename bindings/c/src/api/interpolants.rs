//! Interpolants between assertions.

use crate::fault::{Fault, Outcome, Status, answer, status};
use crate::handles::{bivalve_solver, bivalve_term};
use crate::manager::{with_solver_and, within};
use crate::pointers;

/// An interpolant between `count` assertions and all others: a formula that follows from these, contradicts
/// the others, and has no symbols but those that both have. No check has to come before it; that it is one
/// was checked.
///
/// Errors: `ARGUMENT` if a formula is not asserted, `STATE` if both sides have a model together or a limit of
/// the solver was reached, `UNSUPPORTED` if there is none that is made of formulas that are there and of
/// bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_interpolant(
    solver: bivalve_solver,
    count: usize,
    formulas: *const bivalve_term,
) -> bivalve_term {
    let formulas = unsafe { pointers::members(formulas, count) };
    answer(|| {
        let found = with_solver_and(solver, formulas?, |checker, pool, formulas| {
            checker.interpolants(pool, &[formulas.len()], None, formulas)
        })?;
        within(solver, |manager, _| Ok(manager.handle(found[0])))
    })
}

/// Interpolants over a tree whose nodes are sets of assertions, all of them together: `sizes` has the numbers
/// of formulas in each of the `count` sets, which stand one behind the other in `formulas`, children before
/// their parents. `starts` has the position of the first node of the subtree of each; null makes a sequence,
/// in which each set is the parent of the one before. For each node but the last, the root, `interpolants`
/// gets a formula that follows from the set and the interpolants of its children; with those of its children,
/// the root is a contradiction. There have to be `count - 1` places.
///
/// Errors: as `bivalve_interpolant`; `ARGUMENT` if assertions are missing, or there is no such tree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_interpolants(
    solver: bivalve_solver,
    count: usize,
    sizes: *const usize,
    starts: *const usize,
    formulas: *const bivalve_term,
    interpolants: *mut bivalve_term,
) -> Status {
    status(|| {
        let sizes = unsafe { pointers::members(sizes, count)? };
        let starts = match starts.is_null() {
            true => vec![0; count],
            false => unsafe { pointers::members(starts, count)? }.to_vec(),
        };
        let formulas = unsafe { pointers::members(formulas, total(sizes)?)? };
        let found = with_solver_and(solver, formulas, |checker, pool, formulas| {
            checker.interpolants(pool, sizes, Some(starts), formulas)
        })?;
        let found = within(solver, |manager, _| {
            Ok(found.into_iter().map(|term| manager.handle(term)).collect::<Vec<_>>())
        })?;
        unsafe { pointers::put_all(interpolants, found.len(), &found) }
    })
}

/// How many formulas there are in all sets.
fn total(sizes: &[usize]) -> Outcome<usize> {
    let sum = sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size));
    sum.ok_or_else(|| Fault::argument("expected the sizes of sets, found numbers that are too large"))
}
