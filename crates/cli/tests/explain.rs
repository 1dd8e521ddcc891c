//! Explanations through the real binary: on standard error, with places of the input, as text that stands
//! beside its script and as JSON; standard output is the same with them and without.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::bivalve;
use serde_json::Value;
use std::process::Output;

/// Levels, assumptions, names, a reset, functions, declared sorts, and an assertion that is refused.
const SCRIPT: &str = "\
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 32))
(declare-fun f ((_ BitVec 8)) (_ BitVec 4))
(assert (! (and (bvult x #x40) (= ((_ extract 3 0) y) #xa)) :named small))
(push 1)
(assert (= (f x) #x3))
(check-sat)
(assert (let ((z (f x))) (and (= z #x5) (bvult #x00000010 y))))
(check-sat)
(pop 1)
(assert (or (bvult y #x00000100) true))
(check-sat-assuming ((= x #x41) (= y #x0000000a)))
(assert (bvult x y))
(check-sat)
(reset)
(declare-sort S 0)
(declare-const s S)
(declare-const t S)
(declare-const m (Array S Bool))
(assert (select m s))
(assert (not (select m t)))
(check-sat)
(assert (= s t))
(check-sat)
";

fn run(options: &[&str], text: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("why.smt2"), text).unwrap();
    let mut command = bivalve();
    command.current_dir(folder.path()).args(options).arg("why.smt2").output().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_script_and_its_explanations() {
    let explained = run(&["--explain"], SCRIPT);
    insta::assert_snapshot!(text(explained.stderr));
    let plain = run(&[], SCRIPT);
    assert_eq!((text(explained.stdout), explained.status), (text(plain.stdout), plain.status));
}

#[test]
fn floats_are_read_in_decimal_and_hexadecimal() {
    let script = "(declare-const x Float32)(assert (= x ((_ to_fp 8 24) RNE 0.1)))(check-sat)";
    let explained = text(run(&["--explain"], script).stderr);
    let line = "x  (fp #b0 #b01111011 #b10011001100110011001101) ; 0.1, 0x1.99999ap-4\n";
    assert!(explained.contains(line), "{explained}");
    let explained = text(run(&["--explain=json"], script).stderr);
    assert!(explained.contains("; 0.1, 0x1.99999ap-4\""), "{explained}");
}

#[test]
fn json_has_a_line_for_each_check() {
    let explained = run(&["--explain=json"], SCRIPT);
    let errors = text(explained.stderr);
    let reports: Vec<Value> = errors
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let answers: Vec<&str> = reports.iter().map(|report| report["answer"].as_str().unwrap()).collect();
    assert_eq!(answers, ["sat", "unsat", "unsat", "unknown", "sat", "unsat"]);
    assert_eq!(reports[0]["place"], "why.smt2:7:1");
    assert_eq!(reports[0]["inputs"]["assertions"][0]["name"], "small");
    assert_eq!(reports[2]["contradiction"]["conjuncts"][1]["place"], "why.smt2:12:1");
    assert!(reports[3]["inputs"].is_null() && reports[3]["contradiction"].is_null());
    let phases =
        |report: &Value| report["timeline"].as_array().unwrap().iter().any(|e| e["event"] == "phase");
    assert!(reports.iter().any(phases));
}

/// Products are the same both ways round, which is seen at once; with other bits at each place it is not.
#[test]
fn limits_of_time_end_explanations() {
    let hard = "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))(declare-const p Bool)
        (assert (and (distinct (bvmul x y) (bvmul y x)) p))(check-sat)(push 1)(check-sat)";
    let explained = run(&["--explain", "--time-limit-per", "500ms"], hard);
    assert_eq!(text(explained.stdout), "unsat\nunsat\n");
    let words = text(explained.stderr);
    assert_eq!(words.matches("contradictory conjuncts: 1 of 2; none").count(), 2, "{words}");
    assert_eq!(words.matches("the budget ended before it was found which bits").count(), 2, "{words}");
}

#[test]
fn a_format_that_does_not_exist_is_refused() {
    let refused = run(&["--explain=yaml"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(refused.stderr).contains("text, json"));
}

/// Names of any length are explained: a column of 70,000 characters was a panic.
#[test]
fn long_names_are_explained() {
    let name = "n".repeat(70_000);
    let text = format!("(declare-const {name} (_ BitVec 8))(assert (bvult {name} #x03))(check-sat)");
    let output = run(&["--explain"], &text);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains(&name));
}
