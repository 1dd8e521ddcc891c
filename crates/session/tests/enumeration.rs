//! All models and their number in a session.

use crate::support::{replies_with, texts};
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_session::{Certification, Config, Form, NoMonitor, Options, Session};

#[test]
fn all_models_are_listed_and_counted() {
    let script = "(declare-const x (_ BitVec 2)) (declare-const p Bool)
        (assert (or (and p (= x #b01)) (and (not p) (bvugt x #b01))))
        (get-all-models (p x)) (count-models (x p)) (get-all-models ((bvadd  x x)))
        (get-all-models (x p) :limit 1) (get-all-models (p x) :cubes true) (count-models ((bvadd x x)))
        (push 1) (assert (distinct x x)) (get-all-models (x)) (count-models (x)) (pop 1)
        (declare-const free (_ BitVec 100)) (count-models (free))";
    let found = texts(script);
    assert_eq!(found[0].lines().count(), 5, "{}", found[0]);
    for model in ["((p true) (x #b01))", "((p false) (x #b10))", "((p false) (x #b11))"] {
        assert!(found[0].contains(model), "{}", found[0]);
    }
    assert!(found[0].starts_with("(models\n ((p ") && found[0].ends_with(")\n :status complete)"));
    assert_eq!(found[1], "3");
    assert_eq!(found[2].lines().count(), 4, "{}", found[2]);
    assert!(found[2].contains("(((bvadd  x x) #b10))") && found[2].contains("(((bvadd  x x) #b00))"));
    assert!(found[3].ends_with("\n :status limit)") && found[3].lines().count() == 3);
    assert!(found[4].contains("((p false) (x #b1-))"), "{}", found[4]);
    assert_eq!(found[5..8], ["2", "(models\n :status complete)", "0"]);
    assert_eq!(found[8], (1u128 << 100).to_string());
}

#[test]
fn what_cannot_be_listed_is_refused_with_its_place() {
    let declared = "(declare-const x (_ BitVec 2)) (declare-fun a () (Array (_ BitVec 2) (_ BitVec 2)))\n";
    for (command, refusal) in [
        (
            "(count-models (x a))",
            "2:19: expected bit-vectors and Booleans, found 'a' of sort (Array (_ BitVec 2) (_ BitVec 2))",
        ),
        ("(get-all-models (x) :limit x)", "2:28: expected a numeral below 2^64, found the symbol x"),
        ("(get-all-models (x) :some 3)", "2:21: expected ':limit', ':cubes' or ')', found the keyword :some"),
        ("(get-all-models ())", "2:18: expected a term, found ')'"),
        ("(assert y)(count-models (x))", "2:9: expected a declared constant, found 'y'"),
    ] {
        let found = texts(&format!("{declared}{command}"));
        assert_eq!(found[0], format!("(error \"script:{refusal}\")"));
    }
    let found = texts("(declare-const x (_ BitVec 2)) (assert y)(count-models (x))");
    assert_eq!(
        found[1],
        "(error \"script:1:42: there are no models without the assertion at script:1:32, which was refused\")"
    );
}

const HARD: &str = "(declare-const x (_ BitVec 16)) (declare-const y (_ BitVec 16))
    (assert (or (= x #x0003) (= (bvmul ((_ zero_extend 16) x) ((_ zero_extend 16) y)) #xffe000ff)))";

#[test]
fn limits_leave_what_was_found() {
    let mut options = Options::default();
    options.set_text("conflict-limit", "3").unwrap();
    let config = Config { options, ..Config::default() };
    let script = format!("{HARD} (count-models (x)) (get-all-models (x))");
    let found: Vec<String> =
        replies_with(config, &script).iter().filter_map(|reply| reply.text().map(String::from)).collect();
    assert!(found[0].starts_with("(at-least ") && !found[0].starts_with("(at-least 0"), "{}", found[0]);
    assert!(found[1].contains("((x #b0000000000000011))"), "{}", found[1]);
    assert!(!found[1].contains("complete"), "{}", found[1]);
}

/// Nothing about integers has a certificate; what has one is among the tests of the workspace.
#[test]
fn without_a_certificate_nothing_is_complete() {
    let script = "(declare-const x (_ BitVec 4)) (assert (= (bv2nat x) 6))
        (count-models (x)) (get-all-models (x) :cubes true)";
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(Config::default());
    session.set_certification(Certification::new(Box::new(std::io::sink()), Form::Binary, true).unwrap());
    let replies: Vec<String> = std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor))
        .filter_map(|reply| reply.text().map(String::from))
        .collect();
    assert_eq!(replies, ["(at-least 1 incomplete)", "(models\n ((x #b0110))\n :status incomplete)"]);
}
