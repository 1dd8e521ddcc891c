//! Records from end to end: what is unsatisfiable has a certificate about the script as it is written, which
//! checks, and neither an altered certificate nor one beside an altered declaration shows anything else.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "the number of scripts is asked for by the environment")]

use bivalve::CheckResult;
use bivalve_fuzz::certificate::Certificate;
use bivalve_judge::{Certified, Shown};
use bivalve_session::Form;
use fastrand::Rng;
use std::collections::BTreeSet;

/// Types that mention each other in any order: enumerations, options, tuples, with all sorts of fields.
const TYPES: &str = "(declare-datatypes ((P 0) (O 0) (S 0) (One 0) (N 0)) (
  ((packet (id (_ BitVec 3)) (payload O) (state S) (ok Bool)))
  ((none) (some (value (_ BitVec 2)) (inner S)) (flagged (flag Bool) (one One)))
  ((sent) (lost) (received))
  ((unit))
  ((number (float (_ FloatingPoint 2 3)) (mode RoundingMode)) (nothing))))
(declare-const p P) (declare-const q P) (declare-const o O) (declare-const s S) (declare-const n N)
(declare-const x (_ BitVec 2)) (declare-const b Bool) (declare-fun f (O) S)
(declare-const a (Array (_ BitVec 2) O))\n";

/// What follows from the laws of records, each beside what contradicts it.
const LAWS: [&str; 16] = [
    "(distinct s sent lost received)",
    "(not (or ((_ is none) o) ((_ is some) o) ((_ is flagged) o)))",
    "(and ((_ is some) o) (is-none o))",
    "(and (= (some x s) (some (value o) sent)) (distinct s sent))",
    "(and ((_ is some) o) (distinct o (some (value o) (inner o))))",
    "(distinct p (packet (id p) (payload p) (state p) (ok p)))",
    "(and (= (payload p) (payload q)) (distinct (value (payload p)) (value (payload q))))",
    "(distinct (payload ((_ update payload) p o)) o)",
    "(and ((_ is none) o) (distinct ((_ update value) o x) o))",
    "(and ((_ is flagged) o) (distinct (one o) unit))",
    "(and (= o (select a x)) (= (f o) sent) (distinct (f (select a x)) sent))",
    "(distinct ((_ update ok) ((_ update id) p #b101) true) ((_ update id) ((_ update ok) p true) #b101))",
    "(and (= n (number (fp #b0 #b11 #b01) RNE)) (not (fp.isNaN (float n))))",
    "(and ((_ is number) n) (distinct (mode n) RNE RNA RTP RTN RTZ))",
    "(let ((y (ite b o none))) (and ((_ is some) y) (not b)))",
    "(forall ((z S)) (distinct z s))",
];

fn law(law: &str) -> String {
    format!("{TYPES}(assert {law})\n(check-sat)\n")
}

#[test]
fn laws_of_records_are_certified() {
    for text in LAWS {
        for form in [Form::Binary, Form::Text] {
            let script = law(text);
            let certified = Certified::at_leisure(&script, form);
            assert_eq!((&certified.errors[..], &certified.missing[..]), (&[][..], &[][..]), "{text}");
            assert_eq!(certified.answers, [CheckResult::Unsat], "{text}");
            let shown = Shown::of(&script, &certified.certificate);
            assert_eq!((shown.verified, shown.wrong), (vec![0], None), "{text}");
        }
    }
}

/// What the checker does not read has no certificate, and says why.
#[test]
fn other_data_types_are_refused() {
    let cases = [
        ("(declare-datatypes ((L 0)) (((nil) (cons (tl L)))))", "within themselves"),
        ("(declare-datatypes ((U 1)) ((par (X) ((u (v X))))))", "with parameters"),
        ("(declare-datatype U ((u (v V))))", "'V'"),
        ("(declare-datatype U ((u) (u)))", "declared already"),
        ("(declare-datatype U ((u (v Bool) (v Bool))))", "declared already"),
        ("(declare-datatype U ())", "without constructors"),
        ("(declare-datatype U ((u))) (declare-datatype U ((w)))", "declared already"),
        ("(declare-datatypes ((T 0) (Float16 0)) (((t (f Float16))) ((g))))", "names of other sorts"),
        ("(declare-datatype U ((u (v Bool)))) (assert (v true))", "cannot be applied"),
        ("(declare-datatype U ((u (v Bool)))) (assert (= u u))", "cannot be applied"),
        (
            "(declare-datatype U ((u) (w))) (assert (match u ((u true))))",
            "without a case for each constructor",
        ),
        (
            "(declare-datatype U ((u (v Bool)))) (assert (match (u true) (((u x y) x))))",
            "another number of fields",
        ),
        (
            "(declare-datatype U ((u (v Bool)))) (assert (match (u true) (((w x) x))))",
            "a constructor of what is",
        ),
        ("(declare-datatype U ((u))) (assert (match true ((u true))))", "is no record"),
    ];
    for (script, why) in cases {
        let shown = Shown::of(&format!("{script}\n(assert false)\n(check-sat)"), b"bvc 1\ncheck 0\nend 0\n");
        let wrong = shown.wrong.unwrap_or_default();
        assert!(shown.verified.is_empty() && wrong.contains(why), "{script}: {wrong}");
    }
    // A tuple with an array is decided by the solver, and refused by the checker.
    let tuple = "(declare-datatype U ((u (v (Array Bool Bool)) (w Bool)))) (declare-const x U)
        (assert (distinct x (u (v x) (w x)))) (check-sat)";
    let certified = Certified::at_leisure(tuple, Form::Binary);
    assert!(!certified.missing.is_empty(), "{:?}", certified.answers);
}

/// Another declaration is another script: a certificate shows of it only what is so.
#[test]
fn altered_declarations_show_nothing_wrong() {
    let alterations = [
        ("((sent) (lost) (received))", "((sent) (lost) (received) (late))"),
        ("((sent) (lost) (received))", "((received) (lost) (sent))"),
        ("((sent) (lost) (received))", "((sent) (lost (at Bool)) (received))"),
        ("(value (_ BitVec 2))", "(value (_ BitVec 3))"),
        ("(value (_ BitVec 2)) (inner S)", "(inner S) (value (_ BitVec 2))"),
        ("((none) (some", "((none) (other) (some"),
        ("((unit))", "((unit) (double))"),
        ("(flag Bool)", "(flag S)"),
        ("(ok Bool)", "(ok Bool) (more Bool)"),
        ("(_ FloatingPoint 2 3)", "(_ FloatingPoint 3 2)"),
        ("(nothing)", "(nothing (else Bool))"),
    ];
    let (mut refused, mut shown_again) = (0, 0);
    for text in LAWS {
        let script = law(text);
        let certificate = Certified::at_leisure(&script, Form::Binary).certificate;
        for (before, after) in alterations {
            let other = script.replace(before, after);
            assert_ne!(other, script);
            let certified = Certified::at_leisure(&other, Form::Binary);
            let shown = Shown::of(&other, &certificate);
            assert_eq!(shown.panicked, None);
            match shown.verified[..] {
                [] => refused += 1,
                _ => {
                    assert_eq!(certified.answers, [CheckResult::Unsat], "{other}");
                    shown_again += 1;
                }
            }
        }
    }
    assert!(refused > 40 && shown_again > 40, "{refused} refused, {shown_again} shown");
}

#[test]
fn altered_certificates_of_records_show_nothing_wrong() {
    let mut rng = Rng::with_seed(58);
    let (mut refused, mut altered) = (0, 0);
    for text in LAWS {
        let script = law(text);
        // What is said is so no more, where something else is compared or nothing is.
        let weaker = law(&text.replace("distinct", "=").replace("not ", "and true "));
        let answer = Certified::at_leisure(&weaker, Form::Text).answers;
        let made = Certified::at_leisure(&script, Form::Text).certificate;
        let certificate = Certificate::of(&String::from_utf8(made).unwrap());
        for _ in 0..40 {
            let other = certificate.altered(&certificate, &mut rng).certificate.to_string();
            let shown = Shown::of(&script, other.as_bytes());
            assert_eq!(shown.panicked, None, "{other}");
            let of_weaker = Shown::of(&weaker, other.as_bytes());
            assert!(of_weaker.verified.is_empty() || answer == [CheckResult::Unsat], "{weaker}\n{other}");
            altered += 1;
            refused += usize::from(shown.wrong.is_some());
        }
    }
    assert!(refused > altered / 2, "{refused} of {altered}");
}

/// A random term of a sort over the symbols of [`TYPES`].
fn term(rng: &mut Rng, sort: &str, depth: u32) -> String {
    let leaf = depth == 0 || rng.u32(..5) == 0;
    let mut sub = |sort: &str| term(rng, sort, depth.saturating_sub(1));
    let leaves: &[&str] = match sort {
        "P" => &["p", "q"],
        "O" => &["o", "none", "(select a x)"],
        "S" => &["s", "sent", "lost", "received"],
        "N" => &["n", "nothing"],
        "W" => &["x", "#b10"],
        _ => &["b", "(ok p)", "(= s lost)"],
    };
    if leaf {
        return (*rng.choice(leaves).unwrap()).to_string();
    }
    let parts = ["P", "O", "S", "W", "B"].map(&mut sub);
    let other = sub(sort);
    let [p, o, s, w, b] = parts;
    let choices = match sort {
        "P" => vec![
            format!("((_ update payload) {p} {o})"),
            format!("((_ update ok) {p} {b})"),
            format!("(packet (concat #b0 {w}) {o} {s} {b})"),
        ],
        "O" => vec![
            format!("(some {w} {s})"),
            format!("(flagged {b} unit)"),
            format!("(payload {p})"),
            format!("((_ update inner) {o} {s})"),
        ],
        "S" => vec![format!("(inner {o})"), format!("(state {p})"), format!("(f {o})")],
        "W" => vec![format!("(value {o})"), format!("(bvadd {w} (value (payload {p})))")],
        "N" => vec![format!("((_ update mode) n RTZ)"), "(number (float n) RNA)".into()],
        _ => vec![
            format!("(= {o} {other_o})", other_o = term(rng, "O", depth - 1)),
            format!("(= {p} {other_p})", other_p = term(rng, "P", depth - 1)),
            format!("(distinct {s} {other_s})", other_s = term(rng, "S", depth - 1)),
            format!("(= {n} n)", n = term(rng, "N", depth - 1)),
            format!("((_ is some) {o})"),
            format!("(is-flagged {o})"),
            format!("(flag {o})"),
            format!("(and {b} {other})"),
            format!("(not {b})"),
            format!("(bvult {w} (value {o}))"),
        ],
    };
    let chosen = rng.choice(&choices).unwrap();
    if rng.u32(..6) == 0 { format!("(ite {b} {chosen} {other})") } else { chosen.clone() }
}

/// Each `unsat` has a certificate, and what the checker shows is what was answered. `BIVALVE_RECORDS` sets
/// the number.
#[test]
fn random_scripts_with_records_are_certified() {
    let count = std::env::var("BIVALVE_RECORDS").map_or(150, |count| count.parse().unwrap());
    let (mut unsatisfiable, mut lengths) = (0, BTreeSet::new());
    for seed in 0..count {
        let mut rng = Rng::with_seed(seed);
        let formulas: Vec<String> =
            (0..rng.u32(2..8)).map(|_| format!("(assert {})\n", term(&mut rng, "B", 3))).collect();
        let script = format!("{TYPES}{}(check-sat)\n", formulas.concat());
        let certified = Certified::at_leisure(&script, Form::Binary);
        assert_eq!((&certified.errors[..], &certified.missing[..]), (&[][..], &[][..]), "{seed}: {script}");
        if certified.answers == [CheckResult::Unsat] {
            let shown = Shown::of(&script, &certified.certificate);
            assert_eq!((shown.verified, shown.wrong), (vec![0], None), "{seed}: {script}");
            unsatisfiable += 1;
            lengths.insert(certified.certificate.len());
        }
    }
    assert!(unsatisfiable > count / 5 && lengths.len() > 10, "{unsatisfiable}, {}", lengths.len());
}
