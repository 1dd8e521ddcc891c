//! Objectives in a session: the forms of Z3, levels, priorities, what is refused, certificates.

use crate::support::{replies, texts};
use bivalve::CheckResult;
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_session::{Certification, Config, Form, NoMonitor, Reply, Session};

const PROBLEM: &str = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8))
    (declare-const p Bool) (declare-const q Bool)
    (assert (bvult x #xf0)) (assert (bvugt y x))";

/// The same as Z3 says, but for attributes that it does not have.
#[test]
fn objectives_are_printed_as_by_z3() {
    let script = format!(
        "{PROBLEM} (maximize x) (minimize (bvadd  y #x01) :id foo) (maximize y :signed)
         (assert-soft p :weight 2 :id g) (assert-soft (not p) :weight 1.5 :id g)
         (assert-soft q :weight -3) (assert-soft (not (= x #x03)))
         (check-sat) (get-objectives) (get-value (x y q))
         (push 1) (assert (= x #x10)) (minimize y) (check-sat) (get-objectives) (pop 1)
         (check-sat) (get-objectives)"
    );
    let first = "(objectives\n (x 239)\n (foo 0)\n (y (- 1))\n (g (/ 3.0 2.0))\n ( (- 3))\n)";
    let pushed = "(objectives\n (x 16)\n (foo 0)\n (y (- 1))\n (g (/ 3.0 2.0))\n ( (- 3))\n (y 255)\n)";
    assert_eq!(
        texts(&script),
        ["sat", first, "((x #b11101111)\n (y #b11111111)\n (q false))", "sat", pushed, "sat", first]
    );
}

#[test]
fn priorities_are_those_of_z3() {
    let sum = "(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))
        (assert (bvule (bvadd ((_ zero_extend 2) x) ((_ zero_extend 2) y)) #b000101))
        (maximize x) (maximize y) (minimize (bvadd x y))";
    let check = "(check-sat) (get-objectives)";
    let of = |priority: &str| texts(&format!("(set-option :opt.priority {priority}){sum}{check}"));
    assert_eq!(of("lex")[1], "(objectives\n (x 5)\n (y 0)\n ((bvadd x y) 5)\n)");
    assert_eq!(of("box")[1], "(objectives\n (x 5)\n (y 5)\n ((bvadd x y) 0)\n)");
    let two = sum.replace("(minimize (bvadd x y))", "");
    let script = format!("(set-option :opt.priority pareto){two}{}", check.repeat(8));
    let all = replies(&script);
    let mut found: Vec<String> =
        all.iter().filter_map(|reply| reply.text()).map(|text| text.replace('\n', "")).collect();
    assert_eq!(found.len(), 16);
    assert_eq!(found[12], "unsat");
    assert!(found[13].starts_with("(error \"script:"), "{}", found[13]);
    // After the last one it begins again.
    assert_eq!(found[14], "sat");
    found.truncate(12);
    found.retain(|text| text != "sat");
    found.sort();
    let expected: Vec<String> = (0..6).map(|x| format!("(objectives (x {x}) (y {}))", 5 - x)).collect();
    assert_eq!(found, expected);
    let refused = texts("(set-option :opt.priority often)");
    assert_eq!(
        refused,
        ["(error \"script:1:1: option ':opt.priority' expects lex, box or pareto, found 'often'\")"]
    );
}

#[test]
fn assumptions_levels_and_changes_are_minded() {
    let script = "(declare-const x (_ BitVec 4)) (get-objectives) (minimize x) (get-objectives)
        (check-sat-assuming ((bvugt x #x3))) (get-objectives) (check-sat) (get-objectives)
        (assert (distinct x #x0)) (get-objectives) (check-sat-assuming ((= x #x0)))
        (get-unsat-assumptions) (get-objectives) (reset-assertions) (get-objectives) (check-sat)";
    let found = texts(script);
    let none =
        |place: &str, why: &str| format!("(error \"script:{place}: objectives are not available: {why}\")");
    let unasked = "there is no answer of check-sat at this point";
    assert_eq!(
        found,
        [
            "(objectives\n)",
            &none("1:62", unasked),
            "sat",
            "(objectives\n (x 4)\n)",
            "sat",
            "(objectives\n (x 0)\n)",
            &none("3:35", unasked),
            "unsat",
            "((= x #x0))",
            &none("4:33", "the last answer was unsat"),
            "(objectives\n)",
            "sat"
        ]
    );
}

/// Without an objective that was refused, the optimum would be one of another question.
#[test]
fn refusals_have_their_places_and_leave_no_answer() {
    for (command, refusal) in [
        ("(minimize p)", "2:11: expected a bit-vector or a floating-point number, found Bool"),
        ("(maximize x :weight 2)", "2:13: expected ':signed', ':id' or ')', found the keyword :weight"),
        ("(assert-soft x)", "2:14: expected a term of sort Bool, found sort (_ BitVec 4)"),
        (
            "(assert-soft p :weight x)",
            "2:24: expected a weight: a numeral, a decimal, '(- w)' or '(/ w w)', found the symbol x",
        ),
        (
            "(assert-soft p :weight (/ 1 0))",
            "2:24: expected a weight: a numeral, a decimal, '(- w)' or '(/ w w)', found a division by zero",
        ),
        ("(assert-soft p :signed)", "2:16: expected ':weight', ':id' or ')', found the keyword :signed"),
    ] {
        let found = texts(&format!(
            "(declare-const p Bool) (declare-const x (_ BitVec 4)) (maximize x)\n{command}\n(check-sat)"
        ));
        assert_eq!(found, [format!("(error \"script:{refusal}\")"), "unknown".into()], "{command}");
    }
    let weights = "(declare-const p Bool) (assert (not p)) (assert-soft p :weight (/ 2 6) :id a)
        (assert-soft p :weight (- 0.50) :id b) (assert-soft p :weight (/ -1 4.5) :id |c d|) (check-sat) (get-objectives)";
    assert_eq!(
        texts(weights)[1],
        "(objectives\n (a (/ 1.0 3.0))\n (b (- (/ 1.0 2.0)))\n (|c d| (- (/ 2.0 9.0)))\n)"
    );
}

/// `-oo` is the least number and `-0` is below `+0`; NaN is the worst in either direction.
#[test]
fn floats_have_a_stated_order() {
    let of = |formula: &str| {
        let declared =
            "(set-logic QF_BVFP) (declare-const f (_ FloatingPoint 3 4)) (set-option :opt.priority box)";
        texts(&format!(
            "{declared} (assert {formula}) (minimize f) (maximize f) (check-sat) (get-objectives)"
        ))
        .pop()
        .unwrap()
    };
    let range = |least: &str, greatest: &str| format!("(objectives\n (f {least})\n (f {greatest})\n)");
    assert_eq!(of("true"), range("(_ -oo 3 4)", "(_ +oo 3 4)"));
    assert_eq!(of("(fp.isZero f)"), range("(_ -zero 3 4)", "(_ +zero 3 4)"));
    assert_eq!(of("(not (fp.isInfinite f))"), range("(fp #b1 #b110 #b111)", "(fp #b0 #b110 #b111)"));
    let half = "(fp #b0 #b010 #b000)";
    assert_eq!(of(&format!("(or (fp.isNaN f) (= f {half}))")), range(half, half));
    assert_eq!(of("(fp.isNaN f)"), range("(_ NaN 3 4)", "(_ NaN 3 4)"));
}

/// angr writes an operator alone for no constraints, as Z3 reads it.
#[test]
fn an_operator_alone_has_no_arguments() {
    assert_eq!(texts("(declare-const x (_ BitVec 64)) (assert and) (maximize x) (check-sat)"), ["sat"]);
    assert_eq!(texts("(assert (and)) (check-sat) (assert (or)) (check-sat)"), ["sat", "unsat"]);
    assert_eq!(texts("(assert or) (check-sat)"), ["unsat"]);
}

/// With certificates that are required, each optimum has one, over words and over prices.
#[test]
fn optima_are_certified() {
    let script = format!(
        "(set-logic QF_BV) {PROBLEM} (maximize (bvmul x y)) (assert-soft (bvult x y) :weight 2) (assert-soft (= x y))
         (check-sat) (get-objectives) (assert (= x y)) (check-sat)"
    );
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(Config::default());
    session.set_certification(Certification::new(Box::new(std::io::sink()), Form::Binary, true).unwrap());
    let replies: Vec<Reply> = std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor))
        .filter(|reply| *reply != Reply::Done)
        .collect();
    assert_eq!(replies[0], Reply::Checked(CheckResult::Sat));
    assert!(replies[1].text().unwrap().ends_with("\n ( 1)\n)"), "{:?}", replies[1]);
    assert_eq!(replies[2], Reply::Checked(CheckResult::Unsat));
}
