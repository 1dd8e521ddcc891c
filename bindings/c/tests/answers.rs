//! Answers of `bivalve.h`, and what is left of them after a call that fails.
#![allow(unsafe_code, reason = "it calls what C programs call")]

use bivalve_c::*;
use std::ffi::{CStr, c_int, c_void};

/// The assumptions of a refused check once took the place of those that the last answer was about: the wrong
/// ones were named as failed, or the call panicked.
#[test]
fn a_refused_check_leaves_the_last_answer() {
    let manager = bivalve_manager_new();
    let solver = bivalve_solver_new(manager);
    let boolean = bivalve_sort_bool(manager);
    let [p, q] = [c"p", c"q"].map(|name| unsafe { bivalve_mk_symbol(manager, name.as_ptr(), boolean) });
    let word = unsafe { bivalve_mk_symbol(manager, c"w".as_ptr(), bivalve_sort_bv(manager, 8)) };
    let both = bivalve_mk2(Kind::And as u32, p, q);
    assert_eq!(bivalve_assert(solver, bivalve_mk1(Kind::Not as u32, both)), Status::Ok);
    let check =
        |terms: &[bivalve_term]| unsafe { bivalve_check_assuming(solver, terms.len(), terms.as_ptr()) };
    assert_eq!(check(&[p, q]), Answer::Unsat);
    assert_eq!(check(&[word]), Answer::Error);
    let (mut failed, mut count) = ([p; 2], 0);
    let status = unsafe { bivalve_failed_assumptions(solver, failed.as_mut_ptr(), 2, &mut count) };
    assert_eq!((status, count, failed.map(|term| term.id)), (Status::Ok, 2, [p.id, q.id]));
    bivalve_manager_free(manager);
}

extern "C" fn end(_: *mut c_void) -> c_int {
    1
}

/// The reason is that of the last answer, and goes with it.
#[test]
fn a_callback_ends_checks_until_it_is_taken_away() {
    let manager = bivalve_manager_new();
    let solver = bivalve_solver_new(manager);
    let sort = bivalve_sort_bv(manager, 8);
    let x = unsafe { bivalve_mk_symbol(manager, c"x".as_ptr(), sort) };
    let square = bivalve_mk2(Kind::BvMul as u32, x, x);
    let is_it = bivalve_mk2(Kind::Eq as u32, square, bivalve_mk_bv(manager, 0x51, 8));
    assert_eq!(bivalve_assert(solver, is_it), Status::Ok);
    let reason = || unsafe { CStr::from_ptr(bivalve_reason_unknown(solver)) }.to_string_lossy().into_owned();
    assert_eq!(bivalve_set_terminate(solver, Some(end), std::ptr::null_mut()), Status::Ok);
    assert_eq!((bivalve_check(solver), reason().as_str()), (Answer::Unknown, "interrupted"));
    assert_eq!(bivalve_set_terminate(solver, None, std::ptr::null_mut()), Status::Ok);
    assert_eq!((bivalve_check(solver), reason().as_str()), (Answer::Sat, ""));
    bivalve_manager_free(manager);
}
