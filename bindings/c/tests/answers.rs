//! Answers of `bivalve.h`, and what is left of them after a call that fails.
#![allow(unsafe_code, reason = "it calls what C programs call")]
#![allow(clippy::unwrap_used, reason = "tests")]

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

/// A manager and a solver that have read a text; the symbols of these names.
fn reading<const N: usize>(
    text: &CStr,
    names: [&CStr; N],
) -> (bivalve_manager, bivalve_solver, [bivalve_term; N]) {
    let manager = bivalve_manager_new();
    let solver = bivalve_solver_new(manager);
    let status = unsafe { bivalve_parse(solver, text.as_ptr()) };
    assert_eq!(status, Status::Ok, "{:?}", unsafe { CStr::from_ptr(bivalve_error()) });
    (manager, solver, names.map(|name| unsafe { bivalve_lookup(manager, name.as_ptr()) }))
}

fn text_of(text: *const std::ffi::c_char) -> String {
    assert!(!text.is_null(), "{:?}", unsafe { CStr::from_ptr(bivalve_error()) });
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

const SMALL: &CStr = c"(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)
    (assert (bvult x #xf0)) (assert (bvugt y x)) (assert (=> p (bvult y #x20)))";

/// The optima of one solver: as signed and unsigned numbers, prices, levels, priorities, what is void.
#[test]
fn objectives_are_optimised_together_and_by_themselves() {
    let (manager, solver, [x, y, p]) = reading(SMALL, [c"x", c"y", c"p"]);
    let optimize =
        |priority: Priority| unsafe { bivalve_optimize(solver, priority as u32, 0, std::ptr::null()) };
    let range = |position| {
        [
            text_of(bivalve_objective_lower(solver, position)),
            text_of(bivalve_objective_upper(solver, position)),
        ]
    };
    assert_eq!(bivalve_maximize(solver, x, false), Status::Ok);
    assert_eq!(unsafe { bivalve_assert_soft(solver, p, c"1.5".as_ptr(), std::ptr::null()) }, Status::Ok);
    assert_eq!(bivalve_minimize(solver, y, true), Status::Ok);
    let not_p = bivalve_mk1(Kind::Not as u32, p);
    assert_eq!(unsafe { bivalve_assert_soft(solver, not_p, c"1/3".as_ptr(), c"".as_ptr()) }, Status::Ok);
    let mut count = 0;
    assert_eq!(unsafe { bivalve_objective_count(solver, &mut count) }, Status::Ok);
    assert_eq!(count, 3);
    assert!(bivalve_objective_lower(solver, 0).is_null() && bivalve_error_code() == Status::State);
    assert_eq!(optimize(Priority::Lexicographic), Answer::Sat);
    assert_eq!([0, 1, 2].map(|position| range(position)[0].clone()), ["239", "(/ 3.0 2.0)", "(- 16)"]);
    let mut value = 0;
    assert_eq!(unsafe { bivalve_value_u64(solver, x, &mut value) }, Status::Ok);
    assert_eq!(value, 239);
    assert!(bivalve_objective_upper(solver, 3).is_null() && bivalve_error_code() == Status::Argument);
    assert_eq!(optimize(Priority::Box), Answer::Sat);
    assert_eq!([0, 1, 2].map(|position| range(position)[1].clone()), ["239", "(/ 1.0 3.0)", "(- 128)"]);
    // What is on a level goes with it; an assertion makes the optima void.
    assert_eq!(bivalve_push(solver, 1), Status::Ok);
    assert_eq!(bivalve_maximize(solver, y, false), Status::Ok);
    assert_eq!(bivalve_assert(solver, p), Status::Ok);
    assert!(bivalve_objective_lower(solver, 0).is_null() && bivalve_error_code() == Status::State);
    assert_eq!(optimize(Priority::Lexicographic), Answer::Sat);
    assert_eq!([0, 1, 2, 3].map(|at| range(at)[0].clone()), ["30", "(/ 1.0 3.0)", "31", "31"]);
    assert_eq!(bivalve_pop(solver, 1), Status::Ok);
    assert_eq!(unsafe { bivalve_objective_count(solver, &mut count) }, Status::Ok);
    assert_eq!(count, 3);
    // Refusals.
    assert_eq!(bivalve_minimize(solver, p, false), Status::Sort);
    assert_eq!(unsafe { bivalve_assert_soft(solver, x, c"1".as_ptr(), std::ptr::null()) }, Status::Sort);
    assert_eq!(
        unsafe { bivalve_assert_soft(solver, p, c"much".as_ptr(), std::ptr::null()) },
        Status::Argument
    );
    assert_eq!(unsafe { bivalve_optimize(solver, 3, 0, std::ptr::null()) }, Answer::Error);
    bivalve_manager_free(manager);
}

/// A conflict of goals has as many Pareto-optimal values as enumeration finds, then there are no others.
#[test]
fn pareto_optimal_values_come_one_after_the_other() {
    let text = c"(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))
        (assert (bvule (bvadd ((_ zero_extend 2) x) ((_ zero_extend 2) y)) #b000101))";
    let (manager, solver, [x, y]) = reading(text, [c"x", c"y"]);
    assert_eq!([bivalve_maximize(solver, x, false), bivalve_maximize(solver, y, false)], [Status::Ok; 2]);
    let optimize = || unsafe { bivalve_optimize(solver, Priority::Pareto as u32, 0, std::ptr::null()) };
    let mut found: Vec<[String; 2]> = vec![];
    while optimize() == Answer::Sat {
        found.push([0, 1].map(|position| text_of(bivalve_objective_lower(solver, position))));
    }
    found.sort();
    assert_eq!(found, [0, 1, 2, 3, 4, 5].map(|x| [x.to_string(), (5 - x).to_string()]));
    assert_eq!(optimize(), Answer::Sat);
    bivalve_manager_free(manager);
}

#[test]
fn models_are_listed_each_once_and_counted() {
    let text = c"(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)
        (assert (= (bvmul x y) #x18)) (assert (bvult x y)) (assert (bvult y #x10))";
    let (manager, solver, [x, y, p]) = reading(text, [c"x", c"y", c"p"]);
    let terms = [x, y];
    let mut values = [bivalve_term { id: 0 }; 2];
    let next = |values: &mut [bivalve_term; 2]| unsafe { bivalve_next_model(solver, values.as_mut_ptr(), 2) };
    assert_eq!((next(&mut values), bivalve_error_code()), (Answer::Error, Status::State));
    assert_eq!(unsafe { bivalve_list_models(solver, 2, terms.as_ptr()) }, Status::Ok);
    let mut found = vec![];
    while next(&mut values) == Answer::Sat {
        found.push(values.map(|value| {
            let mut number = 0;
            assert_eq!(unsafe { bivalve_constant_u64(value, &mut number) }, Status::Ok);
            number
        }));
    }
    found.sort();
    assert_eq!(found, [[2, 12], [3, 8], [4, 6]]);
    assert_eq!(next(&mut values), Answer::Unsat);
    let mut is_exact = false;
    let all = [x, y, p];
    let count = text_of(unsafe { bivalve_count_models(solver, 3, all.as_ptr(), &mut is_exact) });
    assert_eq!((count.as_str(), is_exact), ("6", true));
    assert_eq!(bivalve_assert(solver, p), Status::Ok);
    assert_eq!((next(&mut values), bivalve_error_code()), (Answer::Error, Status::State));
    assert_eq!(bivalve_interrupt(solver), Status::Ok);
    let count = text_of(unsafe { bivalve_count_models(solver, 3, all.as_ptr(), &mut is_exact) });
    assert_eq!((count.as_str(), is_exact), ("0", false));
    bivalve_manager_free(manager);
}

/// The two sides, sequences and trees; what is no side.
#[test]
fn interpolants_are_between_assertions() {
    let text = c"(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const z (_ BitVec 8))
        (assert (= x (bvadd y y))) (assert (bvugt y #x03)) (assert (= x (bvadd z z #x01)))";
    let (manager, solver, [x]) = reading(text, [c"x"]);
    let (mut all, mut count) = ([x; 3], 0);
    assert_eq!(unsafe { bivalve_assertions(solver, all.as_mut_ptr(), 3, &mut count) }, Status::Ok);
    let found = unsafe { bivalve_interpolant(solver, 2, all.as_ptr()) };
    assert_eq!(text_of(bivalve_term_text(found)), "(= ((_ extract 0 0) x) #b0)");
    let over = |sizes: &[usize], starts: &[usize]| {
        let mut found = [x; 2];
        let starts = if starts.is_empty() { std::ptr::null() } else { starts.as_ptr() };
        let (terms, place) = (all.as_ptr(), found.as_mut_ptr());
        let status =
            unsafe { bivalve_interpolants(solver, sizes.len(), sizes.as_ptr(), starts, terms, place) };
        (status == Status::Ok).then(|| found.map(|term| text_of(bivalve_term_text(term))))
    };
    let even = "(= ((_ extract 0 0) x) #b0)";
    assert_eq!(over(&[1, 1, 1], &[]).unwrap()[1], even);
    assert_eq!(over(&[1, 1, 1], &[0, 1, 0]).unwrap()[1], "true");
    assert_eq!(over(&[2, 1], &[]).unwrap()[0], even);
    for (sizes, starts, status) in [
        (&[1, 1][..], &[][..], Status::Argument),
        (&[1, 1, 1], &[0, 1, 1], Status::Argument),
        (&[1, usize::MAX, 1], &[], Status::Argument),
    ] {
        assert_eq!((over(sizes, starts), bivalve_error_code()), (None, status), "{sizes:?} {starts:?}");
    }
    let foreign = [all[0], x];
    assert_eq!(unsafe { bivalve_interpolant(solver, 2, foreign.as_ptr()) }.id, 0);
    assert_eq!(text_of(bivalve_error()), "formula 2 is not asserted");
    assert_eq!(bivalve_reset_assertions(solver), Status::Ok);
    assert_eq!(bivalve_assert(solver, all[0]), Status::Ok);
    assert_eq!(unsafe { bivalve_interpolant(solver, 1, all.as_ptr()) }.id, 0);
    assert_eq!(bivalve_error_code(), Status::State);
    bivalve_manager_free(manager);
}

/// Definitions that use each other, and stand for 2^40 terms.
fn doubling() -> std::ffi::CString {
    let step = |n: u32| {
        let below = format!("f{}", n - 1);
        format!(
            "(define-fun f{n} ((a (_ BitVec 32))) (_ BitVec 32) ({below} (bvadd ({below} a) ({below} (bvnot a)))))\n"
        )
    };
    let text = format!(
        "(declare-const x (_ BitVec 32))\n(define-fun f0 ((a (_ BitVec 32))) (_ BitVec 32) (bvmul a a))\n{}\
         (assert (= (f40 x) x))\n",
        (1..=40).map(step).collect::<String>()
    );
    std::ffi::CString::new(text).unwrap()
}

/// Reading ran until memory was used up, and asked for no limit.
#[test]
fn definitions_are_not_expanded_without_end() {
    let manager = bivalve_manager_new();
    let solver = bivalve_solver_new(manager);
    let refused = |why: &str| {
        assert_eq!(unsafe { bivalve_parse(solver, doubling().as_ptr()) }, Status::Parse);
        let error = text_of(bivalve_error());
        assert!(error.contains("within the limits") && error.contains(why), "{error}");
        let mut count = 1;
        assert_eq!(unsafe { bivalve_assertions(solver, std::ptr::null_mut(), 0, &mut count) }, Status::Ok);
        assert_eq!(count, 0);
    };
    refused("budget");
    assert_eq!(bivalve_set_limits(solver, 0, 0, 50), Status::Ok);
    refused("time limit");
    assert_eq!(bivalve_set_limits(solver, 0, 0, 0), Status::Ok);
    assert_eq!(bivalve_set_terminate(solver, Some(end), std::ptr::null_mut()), Status::Ok);
    refused("interrupted");
    assert_eq!(unsafe { bivalve_parse(solver, c"(declare-const p Bool)(assert p)".as_ptr()) }, Status::Ok);
    bivalve_manager_free(manager);
}

/// The limit of time that a script sets was not kept, neither in a check nor before it.
#[test]
fn a_script_keeps_its_own_limit() {
    let script = |text: &str| {
        let text = std::ffi::CString::new(format!("(set-option :timeout 100){text}")).unwrap();
        text_of(unsafe { bivalve_run_script(text.as_ptr()) })
    };
    let said = script(&doubling().to_string_lossy());
    assert!(said.contains("time limit"), "{said}");
    let hard = "(declare-const x (_ BitVec 256))(declare-const y (_ BitVec 256))(assert (bvult (_ bv1 256) x))
        (assert (= (bvmul x y) (_ bv115792089237316195423570985008687907853269984665640564039457584007913129639747 256)))
        (assert (bvult x y))(assert (not (bvumulo x y)))(check-sat)(get-info :reason-unknown)";
    assert_eq!(script(hard), "unknown\n(:reason-unknown timeout)\n");
}
