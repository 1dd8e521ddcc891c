//! Certificates of what models of quantified formulas rest on.

use crate::support::texts;
use bivalve::{CheckResult, Why};
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_session::{Certification, Config, Form, NoCertificate, NoMonitor, Reply, Session};

/// The answers of a session that says nothing without a certificate, and why the last answer has none.
fn certified(script: &str) -> (Vec<CheckResult>, Option<NoCertificate>) {
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(Config::default());
    let mut certification =
        Certification::new(Box::new(std::io::sink()), Form::Binary, true).expect("a sink");
    certification.certify_models();
    session.set_certification(certification);
    let mut answers = vec![];
    while let Some(reply) = session.step(&mut parser, &mut NoMonitor) {
        match reply {
            Reply::Checked(answer) => answers.push(answer),
            reply => assert!(reply.error().is_none(), "{:?}", reply.error()),
        }
    }
    (answers, session.certification().and_then(Certification::missing).cloned())
}

/// Integers have no certificates, so nothing is said that rests on them.
#[test]
fn what_has_no_certificate_is_not_said() {
    let script = "(declare-const k (_ BitVec 4))
        (assert (forall ((x (_ BitVec 4))) (<= (bv2nat x) (bv2nat k)))) (check-sat)";
    let (answers, why) = certified(script);
    assert!(
        matches!(answers[..], [CheckResult::Unknown(Why::Incomplete(why))] if why.contains("sat answer"))
    );
    assert!(matches!(&why, Some(NoCertificate::Unsupported(why)) if why.contains("integers")), "{why:?}");
}

/// The instances that are needed, and no others: going up all the way round takes all eight.
#[test]
fn instances_refute() {
    let script = "(declare-const k (_ BitVec 3)) (declare-fun f ((_ BitVec 3)) (_ BitVec 3))
        (push) (assert (forall ((x (_ BitVec 3))) (bvult (f x) (f (bvadd x #b001)))))
        (check-sat) (get-info :instances) (pop) (get-info :instances)
        (assert (not (exists ((y (_ BitVec 3))) (= y k)))) (check-sat-assuming ((= k #b011))) (get-info :instances)
        (reset-assertions) (assert false) (check-sat) (get-info :instances)";
    let found = texts(script);
    assert_eq!((&found[0][..], &found[3][..], &found[5][..]), ("unsat", "unsat", "unsat"));
    let of = "(instance (forall ((x (_ BitVec 3))) (bvult (f x) (f (bvadd x #b001))))";
    assert_eq!(found[1].matches(of).count(), 8, "{}", found[1]);
    assert!(found[2].contains("the last answer was not unsat"), "{}", found[2]);
    assert_eq!(found[4].lines().count(), 2, "{}", found[4]);
    assert!(found[6].contains("nothing is quantified"), "{}", found[6]);
}

#[test]
fn few_instances_are_printed() {
    let script = "(declare-const k (_ BitVec 8)) (declare-fun p ((_ BitVec 8)) Bool)
        (assert (forall ((x (_ BitVec 8))) (=> (p x) (p (bvmul x #x03)))))
        (assert (p k)) (assert (not (p (bvmul (bvmul k #x03) #x03))))
        (assert (exists ((y (_ BitVec 8))) (p (bvnot y)))) (check-sat) (get-info :instances)";
    let found = texts(script);
    assert_eq!(found[0], "unsat");
    let of = "(instance (forall ((x (_ BitVec 8))) (=> (p x) (p (bvmul x #b00000011))))";
    assert_eq!(found[1].matches(of).count(), 2, "{}", found[1]);
    assert_eq!(found[1].lines().count(), 3, "{}", found[1]);
}

/// The printer names the logic of arrays with quantifiers so. A random script was refused by that once.
#[test]
fn arrays_with_quantifiers_are_a_logic() {
    let arrays = "(declare-const a (Array Bool Bool)) (assert (exists ((i Bool)) (select a i)))";
    let (answers, why) = certified(&format!("(set-logic AX) {arrays} (check-sat)"));
    assert_eq!((&answers[..], why), (&[CheckResult::Sat][..], None));
}
