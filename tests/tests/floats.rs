//! Floating point from end to end: what is unsatisfiable has a certificate about the script as it is written,
//! which checks, and no altered one shows anything else.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve::CheckResult;
use bivalve_checker::check::check;
use bivalve_fuzz::certificate::Certificate;
use bivalve_fuzz::formula::Recipe;
use bivalve_fuzz::theory::Theory;
use bivalve_judge::{Certified, Shown};
use bivalve_session::Form;
use fastrand::Rng;

/// Scripts with the answers of their checks, and the weakest formula that has a model in place of an
/// assertion: no certificate of the script fits that one.
const SCRIPTS: [(&str, &[CheckResult]); 11] = [
    // Sums are monotone, in the mode of both.
    (
        "(declare-const x (_ FloatingPoint 3 4)) (declare-const y (_ FloatingPoint 3 4))
        (declare-const r RoundingMode) (assert (fp.lt x y)) (push)
        (assert (fp.lt (fp.add r y ((_ to_fp 3 4) r 0.3)) (fp.add r x ((_ to_fp 3 4) r 0.3)))) (check-sat)
        (pop) (assert (fp.eq (fp.add r x y) (fp.add r y y))) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Sat],
    ),
    // A product with one, a quotient by itself, a root of a square; NaN is not among them.
    (
        "(declare-const x (_ FloatingPoint 2 4)) (declare-const r RoundingMode)
        (define-fun one () (_ FloatingPoint 2 4) ((_ to_fp 2 4) RNE 1.0)) (push)
        (assert (not (= x (fp.mul r x one)))) (check-sat) (pop) (push)
        (assert (not (fp.isNaN x))) (assert (not (fp.isInfinite x))) (assert (not (fp.isZero x)))
        (assert (not (= one (fp.div r x x)))) (check-sat) (pop) (assert (fp.leq (fp.sqrt r (fp.mul r x x)) (_ -oo 2 4)))
        (check-sat)",
        &[CheckResult::Unsat, CheckResult::Unsat, CheckResult::Unsat],
    ),
    // One NaN, two zeros.
    (
        "(declare-const x Float16) (declare-const y Float16) (assert (fp.isNaN x)) (push)
        (assert (fp.isNaN y)) (assert (distinct x y)) (check-sat) (pop) (assert (fp.isZero y))
        (assert (distinct y (_ +zero 5 11) (_ -zero 5 11))) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Unsat],
    ),
    // What is open is a function of its arguments.
    (
        "(declare-const x Float16) (declare-const y Float16) (declare-const r RoundingMode)
        (define-fun f ((z Float16)) (_ BitVec 4) ((_ fp.to_ubv 4) r z)) (assert (= (f x) #x1)) (assert (= (f y) #x2))
        (push) (assert (= x y)) (check-sat) (pop) (assert (= x (_ NaN 5 11))) (check-sat)
        (assert (distinct (fp.min (_ +zero 5 11) (_ -zero 5 11)) (fp.max (_ -zero 5 11) (_ +zero 5 11)))) (check-sat)
        (assert (distinct (fp.min x y) y)) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Sat, CheckResult::Sat, CheckResult::Unsat],
    ),
    // Arrays of numbers and by numbers, functions of numbers and of modes.
    (
        "(declare-const a (Array (_ BitVec 2) Float16)) (declare-const b (Array Float16 (_ BitVec 2)))
        (declare-fun f (Float16 RoundingMode) Float16) (declare-const x Float16) (declare-const i (_ BitVec 2))
        (declare-const r RoundingMode) (assert (fp.isNaN x)) (assert (fp.isNaN (select a i))) (push)
        (assert (distinct (f x r) (f (select a i) r))) (check-sat) (pop)
        (assert (distinct (select (store b x i) (select a i)) i)) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Unsat],
    ),
    // There are five modes.
    (
        "(declare-const r RoundingMode) (push) (assert (distinct r RNE RNA RTP RTN)) (check-sat) (pop)
        (assert (distinct r RNE RNA RTP RTN RTZ)) (check-sat)",
        &[CheckResult::Sat, CheckResult::Unsat],
    ),
    // To another format and back, to integers and back.
    (
        "(declare-const x (_ FloatingPoint 3 3)) (declare-const w (_ BitVec 4)) (declare-const r RoundingMode)
        (declare-const s RoundingMode) (push)
        (assert (distinct x ((_ to_fp 3 3) s ((_ to_fp 4 6) r x)))) (check-sat) (pop) (push)
        (assert (distinct w ((_ fp.to_sbv 4) s ((_ to_fp 4 6) r w)))) (check-sat) (pop)
        (assert (distinct w ((_ fp.to_ubv 4) s ((_ to_fp_unsigned 3 3) r w)))) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Unsat, CheckResult::Sat],
    ),
    // Fused, remainders, nearest integers.
    (
        "(declare-const x (_ FloatingPoint 3 2)) (declare-const y (_ FloatingPoint 3 2)) (declare-const r RoundingMode)
        (push) (assert (distinct (fp.fma r x y (_ -zero 3 2)) (fp.mul r x y))) (assert (distinct r RTN)) (check-sat)
        (pop) (push) (assert (fp.gt (fp.abs (fp.rem x y)) (fp.abs y))) (check-sat) (pop)
        (assert (distinct (fp.roundToIntegral r (fp.roundToIntegral RNE x)) (fp.roundToIntegral RNE x))) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Unsat, CheckResult::Unsat],
    ),
    // Sums of comparisons: levels, and an assumption without which there is a model.
    (
        "(declare-const x Float64) (declare-const y Float64) (declare-const r RoundingMode)
        (define-fun n () Float64 ((_ to_fp 11 53) RNE 9.5)) (define-fun s () Float64 (fp.add r x y))
        (assert (fp.leq (fp.neg n) x n)) (assert (fp.geq n y (fp.neg n)))
        (assert (fp.lt s ((_ to_fp 11 53) RNE 1.1))) (push)
        (assert (not (fp.leq (fp.mul r ((_ to_fp 11 53) RNE 3.3) s) ((_ to_fp 11 53) RNE 3.7)))) (check-sat) (pop)
        (check-sat-assuming ((fp.gt (fp.sub r s ((_ to_fp 11 53) RNE 1.1)) ((_ to_fp 11 53) RNE 0.1)))) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Unsat, CheckResult::Sat],
    ),
    // Boxes: a polynomial by the name of a symbol, in any mode.
    (
        "(declare-const x Float16) (declare-const y Float16) (declare-const r RoundingMode) (push)
        (assert (fp.leq (fp.abs x) ((_ to_fp 5 11) RNE 1.0)))
        (assert (= y (fp.sub r x (fp.div r (fp.mul r x (fp.mul r x x)) ((_ to_fp 5 11) RNE 6.0)))))
        (assert (fp.lt ((_ to_fp 5 11) RNE 0.9) y)) (check-sat) (pop) (assert (fp.isNormal y)) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Sat],
    ),
    // Bits.
    (
        "(declare-const w (_ BitVec 7)) (declare-const x (_ FloatingPoint 3 4))
        (assert (= x ((_ to_fp 3 4) w))) (assert (not (fp.isNaN x))) (push)
        (assert (distinct (fp.to_ieee_bv x) w)) (check-sat) (pop) (assert (fp.isNegative x))
        (assert (bvult w #b1000000)) (check-sat)",
        &[CheckResult::Unsat, CheckResult::Unsat],
    ),
];

#[test]
fn what_is_unsatisfiable_is_certified_and_checked() {
    for (script, answers) in SCRIPTS {
        let certified = Certified::at_leisure(script, Form::Binary);
        assert_eq!((&certified.answers[..], &certified.missing[..]), (answers, &[][..]), "{script}");
        let verified = check(script, certified.certificate.as_slice()).unwrap();
        assert_eq!(verified.unsatisfiable, certified.checks(CheckResult::Unsat), "{script}");
    }
}

/// The checks that have a model are never shown to be contradictory, nor are those of a script whose
/// assertions are `true`.
#[test]
fn altered_certificates_show_nothing_wrong() {
    let mut rng = Rng::with_seed(11);
    let (mut altered, mut refused) = (0, 0);
    for (script, answers) in SCRIPTS {
        let certified = Certified::at_leisure(script, Form::Text);
        let text = String::from_utf8(certified.certificate).unwrap();
        let certificate = Certificate::of(&text);
        let weaker = script.replace("distinct", "=").replace("fp.lt", "fp.leq");
        let of_weaker = Certified::at_leisure(&weaker, Form::Text).answers;
        for _ in 0..60 {
            let other = certificate.altered(&certificate, &mut rng).certificate.to_string();
            for (script, answers) in [(script, answers), (weaker.as_str(), of_weaker.as_slice())] {
                let shown = Shown::of(script, other.as_bytes());
                assert_eq!(shown.panicked, None);
                altered += 1;
                refused += usize::from(shown.wrong.is_some());
                for check in shown.verified {
                    assert_eq!(answers[check as usize], CheckResult::Unsat, "{script}\n{other}");
                }
            }
        }
    }
    assert!(refused > altered / 2, "{refused} of {altered}");
}

/// All operators over small formats, all modes, special values: answers are those that follow from how
/// formulas were made, and each `unsat` is certified. A model is evaluated before it is one.
#[test]
fn random_formulas_are_answered_as_they_were_made() {
    let (mut known, mut unsatisfiable) = (0, 0);
    for number in 0..150 {
        let recipe = Recipe { seed: 55, max_width: 7, size: 12, theory: Theory::Floats };
        let formula = recipe.formula(number);
        let script = formula.script();
        let certified = Certified::at_leisure(&script, Form::Binary);
        assert_eq!((&certified.errors[..], &certified.missing[..]), (&[][..], &[][..]), "{number}: {script}");
        let answer = certified.answers[0];
        if let Some(expected) = formula.expected {
            known += 1;
            assert_eq!(answer == CheckResult::Sat, expected, "{number}: {script}");
        }
        if answer == CheckResult::Unsat {
            unsatisfiable += 1;
            let verified = check(&script, certified.certificate.as_slice()).unwrap();
            assert_eq!(verified.unsatisfiable, [0], "{number}: {script}");
        }
    }
    assert!(known > 40 && unsatisfiable > 20, "{known} known, {unsatisfiable} unsatisfiable");
}

/// A number that is computed from x and y, as text.
fn polynomial(rng: &mut Rng, sort: &str, depth: u32) -> String {
    if depth == 0 || rng.u8(..5) == 0 {
        let constant = format!("((_ to_fp {sort}) RNE {}.{:06})", rng.u8(..3), rng.u32(..1_000_000));
        return [constant, "x".into(), "y".into(), "x".into()][rng.usize(..4)].clone();
    }
    let mode = ["RNE", "RTZ", "r"][rng.usize(..3)];
    let [a, b] = [(); 2].map(|()| polynomial(rng, sort, depth - 1));
    match rng.u8(..8) {
        0 | 1 => format!("(fp.add {mode} {a} {b})"),
        2 => format!("(fp.sub {mode} {a} {b})"),
        3 | 4 => format!("(fp.mul {mode} {a} {b})"),
        5 => format!("(fp.div {mode} {a} {b})"),
        6 => format!("(fp.neg (fp.abs {a}))"),
        _ => format!("(fp.max {a} (fp.min {b} y))"),
    }
}

/// Comparisons with decimals, in all spellings: boxes number what the search and the checker have read, one
/// of a pool and the other of text. They once numbered digits of reals, too, and disagreed.
#[test]
fn random_ranges_are_certified() {
    let (mut by_boxes, mut by_sums, mut sat) = (0, 0, 0);
    for number in 0..300 {
        let mut rng = Rng::with_seed(number);
        let sort = ["2 4", "3 5", "4 6"][rng.usize(..3)];
        let mut script = String::from("(declare-const r RoundingMode) (declare-const b Bool)");
        for name in ["x", "y", "z"] {
            script += &format!("(declare-const {name} (_ FloatingPoint {sort}))");
        }
        for count in 0..3 + rng.u8(..3) {
            let depth = u32::from(count % 3);
            let [a, c] = [depth, 0].map(|depth| polynomial(&mut rng, sort, depth));
            let op = ["fp.lt", "fp.leq", "fp.gt", "fp.geq"][rng.usize(..4)];
            let claim = format!("({op} {a} {c})");
            script += &match rng.u8(..6) {
                0 => format!("(assert (not {claim}))"),
                1 => format!("(assert (or false {claim}))"),
                2 => format!("(assert (or {claim} (and b {claim})))"),
                3 => format!("(assert (= z {a})) (assert ({op} z {c}))"),
                _ => format!("(assert {claim})"),
            };
        }
        script += "(check-sat)";
        let certified = Certified::at_leisure(&script, Form::Text);
        assert_eq!((&certified.errors[..], &certified.missing[..]), (&[][..], &[][..]), "{number}: {script}");
        let steps = String::from_utf8(certified.certificate).unwrap();
        by_boxes += u32::from(steps.contains("\nboxes "));
        by_sums += u32::from(steps.contains("\nsums "));
        match certified.answers[0] {
            CheckResult::Unsat => assert_eq!(check(&script, steps.as_bytes()).unwrap().unsatisfiable, [0]),
            _ => sat += 1,
        }
    }
    assert!(by_boxes > 40 && by_sums > 10 && sat > 40, "{by_boxes} by boxes, {by_sums} by sums, {sat} sat");
}
