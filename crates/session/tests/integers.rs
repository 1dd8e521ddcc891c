//! Integers in a session: shown as they were written, and refused where bit-vectors would stand for them.

use crate::support::{replies, texts};
use bivalve::CheckResult;
use bivalve_session::Reply;

/// Integers were bit-vectors by the time a session saw them: it showed `(sbv_to_int (bvadd ...))` where
/// `(+ ...)` was asserted.
#[test]
fn integers_are_shown_as_they_are_written() {
    let script =
        "(set-option :produce-assignments true)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
        (define-fun twice ((a (_ BitVec 8))) Int (* 2 (ubv_to_int a)))
        (assert (! (> (twice x) (+ (sbv_to_int y) 300)) :named large))(assert (= y #xfe))(check-sat)
        (get-assertions)(get-assignment)(push)(assert (= (ubv_to_int x) 200))(check-sat)
        (get-value ((twice x) (- (twice y) (twice x)) (mod (- (twice x)) 7) (< (twice x) 400)))
        (get-model)(pop)(check-sat-assuming ((< (twice x) 298)))(get-unsat-assumptions)";
    let found = texts(script);
    assert_eq!(found[1], "((> (* 2 (ubv_to_int x)) (+ (sbv_to_int y) 300))\n (= y #b11111110))");
    assert_eq!(found[2], "((large true))");
    let values = "(((twice x) 400)\n ((- (twice y) (twice x)) 108)\n ((mod (- (twice x)) 7) 6)\n ((< (twice x) 400) false))";
    assert_eq!(found[4], values);
    assert!(found[5].contains("(define-fun x () (_ BitVec 8) #b11001000)"), "{}", found[5]);
    assert_eq!(found[6..], ["unsat", "((< (twice x) 298))"]);
}

/// A certificate about the bit-vectors that stand for integers would show nothing of the script, which the
/// checker reads as it is written.
#[test]
fn what_has_integers_has_no_certificate() {
    let script = "(set-option :produce-proofs true)(declare-const x (_ BitVec 8))
        (assert (< (ubv_to_int x) 0))(check-sat)(get-proof)";
    let found = replies(script);
    assert!(matches!(&found[3], Reply::Checked(CheckResult::Unsat)), "{found:?}");
    match &found[4] {
        Reply::Error(text) => assert!(text.contains("integers are not known in certificates"), "{text}"),
        other => panic!("{other:?}"),
    }
}
