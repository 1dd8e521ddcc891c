//! Solvers: assertions, checks, cores, limits, text in and out.

use crate::checker::{Checker, Limits, Terminate};
use crate::fault::{Failed, Outcome, Status, answer, status, text};
use crate::handles::{bivalve_manager, bivalve_solver, bivalve_term};
use crate::manager::{self, with_solver, with_solver_and, within};
use crate::pointers;
use crate::text::{Language, print, statistics, verified};
use bivalve::terms::Term;
use bivalve::{CheckResult, Why};
use std::ffi::{c_char, c_int, c_void};

/// The answer to a check.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Not decided; `bivalve_reason_unknown` says why.
    Unknown = 0,
    /// There is a model, and it was validated.
    Sat = 10,
    /// There is none.
    Unsat = 20,
    /// The check was refused; `bivalve_error` says why.
    Error = -1,
}

impl Failed for Answer {
    const FAILED: Answer = Answer::Error;
}

impl From<CheckResult> for Answer {
    fn from(result: CheckResult) -> Answer {
        match result {
            CheckResult::Sat => Answer::Sat,
            CheckResult::Unsat => Answer::Unsat,
            CheckResult::Unknown(_) => Answer::Unknown,
        }
    }
}

/// A new solver with the default options, without assertions. It takes terms of its manager. It is freed by
/// `bivalve_solver_free`, or with the manager.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_solver_new(manager: bivalve_manager) -> bivalve_solver {
    answer(|| within(manager, |manager, _| manager.add_solver()))
}

/// Frees a solver; its terms stay.
///
/// Errors: `HANDLE` if it was freed.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_solver_free(solver: bivalve_solver) -> Status {
    status(|| within(solver, |manager, place| manager.free_solver(place)))
}

/// Asserts a formula on the topmost level.
///
/// Errors: `SORT` if it is not Boolean, `UNSUPPORTED` if it has a constant array over a declared sort.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_assert(solver: bivalve_solver, formula: bivalve_term) -> Status {
    status(|| {
        with_solver_and(solver, &[formula], |checker, pool, terms| checker.assert(pool, terms[0], false))
    })
}

/// Asserts a formula that may be part of unsat cores.
///
/// Errors: as `bivalve_assert`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_assert_tracked(solver: bivalve_solver, formula: bivalve_term) -> Status {
    status(|| {
        with_solver_and(solver, &[formula], |checker, pool, terms| checker.assert(pool, terms[0], true))
    })
}

/// Opens levels on the assertion stack.
///
/// Errors: `STATE` if there would be more than 2^64 - 1.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_push(solver: bivalve_solver, levels: u64) -> Status {
    status(|| with_solver(solver, |checker, _| checker.push(levels)))
}

/// Drops the topmost levels with all that was asserted on them.
///
/// Errors: `STATE` if there are fewer; nothing changes then.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_pop(solver: bivalve_solver, levels: u64) -> Status {
    status(|| with_solver(solver, |checker, _| checker.pop(levels)))
}

/// Puts the number of levels above the lowest into `levels`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_levels(solver: bivalve_solver, levels: *mut u64) -> Status {
    status(|| {
        let found = with_solver(solver, |checker, _| Ok(checker.solver().levels()))?;
        unsafe { pointers::put(levels, found) }
    })
}

/// Drops all assertions and levels; options, limits and callback stay.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_reset_assertions(solver: bivalve_solver) -> Status {
    status(|| {
        with_solver(solver, |checker, _| {
            checker.reset_assertions();
            Ok(())
        })
    })
}

/// Is the conjunction of the assertions satisfiable?
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_check(solver: bivalve_solver) -> Answer {
    answer(|| Ok(with_solver(solver, |checker, pool| checker.check(pool, &[]))?.into()))
}

/// Is the conjunction of the assertions and of `count` formulas satisfiable? They are assumed for this check
/// only.
///
/// Errors: `SORT` if one is not Boolean; nothing was checked then, and the answer of the last check stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_check_assuming(
    solver: bivalve_solver,
    count: usize,
    assumptions: *const bivalve_term,
) -> Answer {
    let assumptions = unsafe { pointers::members(assumptions, count) };
    answer(|| {
        let checked =
            with_solver_and(solver, assumptions?, |checker, pool, terms| checker.check(pool, terms));
        Ok(checked?.into())
    })
}

/// Why the last check was answered unknown: "timeout", "interrupted", "resourceout", "memout" or
/// "incomplete"; empty if it was not, or if something was asserted, pushed or popped since.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_reason_unknown(solver: bivalve_solver) -> *const c_char {
    let reason = |checker: &mut Checker| checker.solver().why_unknown().map_or("", Why::word).to_owned();
    text(|| with_solver(solver, |checker, _| Ok(reason(checker))))
}

/// What is put into an array of the caller: as many terms as there is place for; the number of all.
unsafe fn listed(
    solver: bivalve_solver,
    (terms, capacity, count): (*mut bivalve_term, usize, *mut usize),
    list: impl FnOnce(&Checker) -> Outcome<Vec<Term>>,
) -> Status {
    status(|| {
        let found = within(solver, |manager, _| {
            let found = manager.of_solver(solver, list)?;
            Ok(found.into_iter().map(|term| manager.handle(term)).collect::<Vec<_>>())
        })?;
        unsafe { pointers::put(count, found.len())? };
        unsafe { pointers::put_all(terms, capacity, &found) }
    })
}

/// The assumptions of the last check that are part of the contradiction: as many as `capacity` into `terms`,
/// their number into `count`. With `capacity` 0 only the number is asked for.
///
/// Errors: `STATE` unless the last check was answered unsat, and nothing was asserted, pushed or popped
/// since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_failed_assumptions(
    solver: bivalve_solver,
    terms: *mut bivalve_term,
    capacity: usize,
    count: *mut usize,
) -> Status {
    unsafe { listed(solver, (terms, capacity, count), Checker::failed) }
}

/// The tracked assertions that are part of the contradiction, as `bivalve_failed_assumptions`. It is minimal
/// if the option `minimize-core` is on.
///
/// Errors: as `bivalve_failed_assumptions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_unsat_core(
    solver: bivalve_solver,
    terms: *mut bivalve_term,
    capacity: usize,
    count: *mut usize,
) -> Status {
    unsafe { listed(solver, (terms, capacity, count), Checker::core) }
}

/// The script that `bivalve_certificate` is about: the assertions and assumptions of the last check, in
/// SMT-LIB 2.
///
/// Errors: null and `STATE` unless the last check was answered unsat, and nothing was asserted, pushed or
/// popped since.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_certificate_script(solver: bivalve_solver) -> *const c_char {
    text(|| with_solver(solver, |checker, pool| print(pool, &checker.refuted()?, Language::SmtLib2)))
}

/// A certificate, as text, that the last check was rightly answered unsat: `bivalve-check` and
/// `bivalve_check_certificate` read it, beside `bivalve_certificate_script`. It is searched for anew, under
/// the limit of time and the callback of the solver.
///
/// Errors: as `bivalve_certificate_script`; `UNSUPPORTED` if none was found, or not in time.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_certificate(solver: bivalve_solver) -> *const c_char {
    text(|| with_solver(solver, |checker, pool| checker.certificate(pool)))
}

/// Whether checks from now on record their phases, and the lemmas that they learn, for explanations. Each
/// lemma is printed then, which takes time.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_set_timeline(solver: bivalve_solver, is_recorded: bool) -> Status {
    status(|| {
        with_solver(solver, |checker, _| {
            checker.record(is_recorded);
            Ok(())
        })
    })
}

/// Why the last answer is what it is, in words. After sat: the part of the model that matters; whatever the
/// rest is replaced by, the assertions hold. After unsat: which assertions and assumptions are contradictory,
/// and by which bits. Before it, if they were recorded, the lemmas of the check; after unknown that is all.
/// Formulas are counted from 1, the assertions of the lowest level first, the assumptions last. It is found
/// out under the limit of time and the callback of the solver, and says where it may not be minimal.
///
/// Errors: null and `STATE` if nothing was checked, something was asserted, pushed or popped since, or the
/// answer was unknown and nothing was recorded.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_explanation(solver: bivalve_solver) -> *const c_char {
    text(|| with_solver(solver, |checker, pool| Ok(checker.explain(pool)?.to_string())))
}

/// The same as one line of JSON, as `bivalve --explain=json` prints it, with the phases of the check.
///
/// Errors: as `bivalve_explanation`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_explanation_json(solver: bivalve_solver) -> *const c_char {
    text(|| with_solver(solver, |checker, pool| Ok(checker.explain(pool)?.json())))
}

/// Does a certificate show that the checks of a script are unsatisfiable? Gives the number of checks that are
/// shown to be; 0 if the certificate is right and says nothing, -1 for errors. The checker shares no code
/// with the solver.
///
/// Errors: `PARSE` with the first step that is wrong, or the place in the script that is not understood.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_check_certificate(
    script: *const c_char,
    certificate: *const c_char,
) -> c_int {
    let (script, certificate) = unsafe { (pointers::text(script), pointers::text(certificate)) };
    answer(|| verified(script?, certificate?))
}

/// All assertions, tracked or not, the lowest level first, as `bivalve_failed_assumptions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_assertions(
    solver: bivalve_solver,
    terms: *mut bivalve_term,
    capacity: usize,
    count: *mut usize,
) -> Status {
    unsafe { listed(solver, (terms, capacity, count), |checker| Ok(checker.solver().assertions().to_vec())) }
}

/// Whether an assumption of the last check is part of the contradiction: 1 or 0, -1 for errors.
///
/// Errors: as `bivalve_failed_assumptions`.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_is_failed(solver: bivalve_solver, assumption: bivalve_term) -> c_int {
    answer(|| {
        with_solver_and(solver, &[assumption], |checker, _, terms| {
            Ok(c_int::from(checker.failed()?.contains(&terms[0])))
        })
    })
}

/// Limits of each check from now on: conflicts of the search, gates that are built, and milliseconds; 0 for
/// no limit, of gates for that of the options. Where one is reached the answer is unknown, and the solver can
/// be used on. Limits of steps give the same answers on every machine.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_set_limits(
    solver: bivalve_solver,
    conflicts: u64,
    gates: u64,
    milliseconds: u64,
) -> Status {
    status(|| {
        with_solver(solver, |checker, _| {
            checker.limits = Limits { conflicts, gates, milliseconds };
            Ok(())
        })
    })
}

/// Asks `callback` with `data` every few thousand steps of a check, on the thread of the check; anything but
/// 0 ends it with unknown. Null asks nobody. The callback must return: no `longjmp`, no exception. It must
/// not use the manager of the solver, which refuses that; `data` must live as long as it may be asked.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_set_terminate(
    solver: bivalve_solver,
    callback: Option<extern "C" fn(*mut c_void) -> c_int>,
    data: *mut c_void,
) -> Status {
    let callback: Option<Terminate> = callback;
    status(|| {
        with_solver(solver, |checker, _| {
            checker.on_terminate(callback, data);
            Ok(())
        })
    })
}

/// Ends the running check of a solver, and every later one, with unknown, until `bivalve_clear_interrupt`.
/// May be called from any thread.
///
/// Errors: `HANDLE` if the solver was freed.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_interrupt(solver: bivalve_solver) -> Status {
    status(|| {
        manager::stop_of(solver)?.stop(Why::Interrupted);
        Ok(())
    })
}

/// Checks may run again after `bivalve_interrupt`. May be called from any thread.
///
/// Errors: `HANDLE` if the solver was freed.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_clear_interrupt(solver: bivalve_solver) -> Status {
    status(|| {
        manager::stop_of(solver)?.reset();
        Ok(())
    })
}

/// Reads SMT-LIB 2 text into a solver: declarations, definitions and assertions. It may mention the symbols
/// of the manager that were made so far, by name, and `bivalve_lookup` finds those that it declares.
/// Questions are skipped. Nothing is asserted if anything is refused. The limit of time of the solver, its
/// callback and `bivalve_interrupt` end what definitions stand for, which ends at some millions of terms
/// anyway.
///
/// Errors: `PARSE` with the place in the text; `UNSUPPORTED` if it opens or closes levels.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_parse(solver: bivalve_solver, input: *const c_char) -> Status {
    let input = unsafe { pointers::text(input) };
    status(|| {
        within(solver, |manager, place| {
            let assertions = manager.read(place, input?)?;
            manager.assert_all(place, &assertions)
        })
    })
}

/// The assertions in a language: "smt2", "btor" or "btor2".
///
/// Errors: null and `ARGUMENT` if there is no such language, `UNSUPPORTED` if it has no words for something.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bivalve_print(solver: bivalve_solver, language: *const c_char) -> *const c_char {
    let language = unsafe { pointers::text(language) };
    text(|| {
        let language = Language::of_name(language?)?;
        with_solver(solver, |checker, pool| print(pool, checker.solver().assertions(), language))
    })
}

/// What the checks of a solver cost so far, as an object of JSON.
#[unsafe(no_mangle)]
pub extern "C" fn bivalve_statistics(solver: bivalve_solver) -> *const c_char {
    text(|| with_solver(solver, |checker, pool| statistics(checker, pool)))
}
