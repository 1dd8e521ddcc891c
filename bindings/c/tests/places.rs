//! What the fuzzers in C have found in the headers in the place of Boolector's and STP's.
//!
//! Numbers of nodes at the end of their range, and calls whose places for results are null in part: nothing
//! is put anywhere then, since the program would not know that it has to free it.
#![cfg(target_pointer_width = "64")]
#![allow(unsafe_code, reason = "it calls what C programs call")]

use bivalve_c::*;
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut, without_provenance_mut};

thread_local! {
    static TOLD: RefCell<Vec<String>> = const { RefCell::new(vec![]) };
}

extern "C-unwind" fn told(message: *const c_char) {
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    TOLD.with_borrow_mut(|list| list.push(message));
}

/// What was told since the last time.
fn heard() -> Vec<String> {
    TOLD.with_borrow_mut(std::mem::take)
}

#[test]
fn numbers_of_nodes_are_looked_up_to_the_end_of_their_range() {
    boolector_set_abort(Some(told));
    let btor = boolector_new();
    for id in [i32::MIN, i32::MIN + 1, -1, 0, 1, 2, i32::MAX] {
        assert!(boolector_match_node_by_id(btor, id).is_null());
        let message = heard().concat();
        assert!(message.contains(&format!("there is no node with the id {id}")), "{message}");
    }
    boolector_delete(btor);
}

#[test]
fn a_text_is_put_where_there_is_a_place_for_its_length_too() {
    vc_registerErrorHandler(Some(told));
    let vc = vc_createValidityChecker();
    let truth = vc_trueExpr(vc);
    let (mut buffer, mut length) = (null_mut(), 7);
    unsafe { vc_printExprToBuffer(vc, truth, &mut buffer, null_mut()) };
    unsafe { vc_printExprToBuffer(vc, truth, null_mut(), &mut length) };
    assert!(buffer.is_null() && length == 7);
    assert_eq!(heard().len(), 2);
    vc_Destroy(vc);
}

#[test]
fn lists_are_put_where_there_are_places_for_all_of_them() {
    vc_registerErrorHandler(Some(told));
    let vc = vc_createValidityChecker();
    let byte = vc_bvType(vc, 8);
    let sort = vc_arrayType(vc, byte, byte);
    let array = unsafe { vc_varExpr(vc, c"a".as_ptr(), sort) };
    let three = vc_bvConstExprFromInt(vc, 8, 3);
    vc_assertFormula(vc, vc_eqExpr(vc, vc_readExpr(vc, array, three), three));
    assert_eq!(vc_query(vc, vc_falseExpr(vc)), 0);
    let untouched = without_provenance_mut(1);
    let (mut indices, mut size) = (untouched, 7);
    unsafe { vc_getCounterExampleArray(vc, array, &mut indices, null_mut(), &mut size) };
    assert_eq!((indices, size), (untouched, 7));
    assert_eq!(heard().len(), 1);
    vc_Destroy(vc);
}

#[test]
fn entries_are_kept_for_a_program_that_knows_of_them() {
    boolector_set_abort(Some(told));
    let btor = boolector_new();
    boolector_set_opt(btor, 0, 1);
    let byte = boolector_bitvec_sort(btor, 8);
    let array = unsafe { boolector_array(btor, boolector_array_sort(btor, byte, byte), null()) };
    let one = boolector_one(btor, byte);
    boolector_assert(btor, boolector_eq(btor, boolector_read(btor, array, one), one));
    assert_eq!(boolector_sat(btor), 10);
    let untouched = without_provenance_mut::<*mut c_char>(1);
    let mut lists = (untouched, untouched, 7);
    unsafe { boolector_array_assignment(btor, array, null_mut(), &mut lists.1, &mut lists.2) };
    unsafe { boolector_array_assignment(btor, array, &mut lists.0, &mut lists.1, null_mut()) };
    assert_eq!(lists, (untouched, untouched, 7));
    assert_eq!(heard().len(), 2);
    boolector_delete(btor);
}
