//! The library as a whole: version, errors, managers, options by name, scripts.

use crate::fault::{self, Fault, Status, answer, status, text};
use crate::handles::{bivalve_manager, bivalve_solver};
use crate::{manager, pointers};
use bivalve::OPTIONS;
use std::ffi::c_char;

/// The version of the library, such as "0.1.0". The text lives forever.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The message of the last call on this thread that failed; empty if there was none. The text lives until the
/// next call on this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_error() -> *const c_char {
    fault::last_message()
}

/// The code of the last call on this thread that failed; `BIVALVE_STATUS_OK` if there was none. Calls that
/// succeed leave it as it is.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_error_code() -> Status {
    fault::last_status()
}

/// Forgets the last error of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_clear_error() {
    fault::forget();
}

/// A new manager. It belongs to this thread: other threads get `BIVALVE_STATUS_THREAD` from whatever they do
/// with it, with its terms and with its solvers, but for `bivalve_interrupt`. It is freed by
/// `bivalve_manager_free`, or when the thread ends.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_manager_new() -> bivalve_manager {
    answer(manager::make)
}

/// Frees a manager with its sorts, terms and solvers. Their handles are refused from then on.
///
/// Errors: `HANDLE` if it was freed, `STATE` in a callback of one of its solvers.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_manager_free(manager: bivalve_manager) -> Status {
    status(|| manager::free(manager))
}

/// The number of options.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_option_count() -> usize {
    OPTIONS.len()
}

/// The name of an option by its position from 0. The text lives until the next call on this thread that
/// returns a text, as do all texts but those whose comment says otherwise.
///
/// Errors: null and `ARGUMENT` if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_option_name(position: usize) -> *const c_char {
    text(|| Ok(option(position)?.name.to_owned()))
}

/// What an option does.
///
/// Errors: null and `ARGUMENT` if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_option_help(position: usize) -> *const c_char {
    text(|| Ok(option(position)?.help.to_owned()))
}

/// The values of an option, as a manual writes them: `on|off`, `N`.
///
/// Errors: null and `ARGUMENT` if there are not so many.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_option_values(position: usize) -> *const c_char {
    text(|| Ok(option(position)?.placeholder.to_owned()))
}

fn option(position: usize) -> Result<&'static bivalve::OptionRow, Fault> {
    let missing =
        || Fault::argument(format!("there are {} options, found position {position}", OPTIONS.len()));
    OPTIONS.get(position).ok_or_else(missing)
}

/// Sets an option of a solver, by the name and the value that the command line takes; in force from the next
/// check on.
///
/// Errors: `ARGUMENT` if there is no such option, or if it does not accept the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_set_option(
    solver: bivalve_solver,
    name: *const c_char,
    value: *const c_char,
) -> Status {
    let (name, value) = unsafe { (pointers::text(name), pointers::text(value)) };
    status(|| manager::with_solver(solver, |checker, _| checker.set(name?, value?)))
}

/// The value of an option of a solver.
///
/// Errors: null and `ARGUMENT` if there is no such option.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_option(solver: bivalve_solver, name: *const c_char) -> *const c_char {
    let name = unsafe { pointers::text(name) };
    text(|| manager::with_solver(solver, |checker, _| Ok(checker.solver().settings().get(name?)?)))
}

/// Carries an SMT-LIB 2 script out, in a session of its own, and returns its replies, one a line. What is
/// wrong with a command is a reply as well: `(error "...")`. `(set-option :timeout N)` limits each command.
///
/// Errors: null and `ARGUMENT` if `script` is null or not in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_run_script(script: *const c_char) -> *const c_char {
    let script = unsafe { pointers::text(script) };
    text(|| crate::text::run_script(script?))
}
