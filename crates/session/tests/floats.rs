//! Floating point in a session: every literal and form of `to_fp`, models and values as SMT-LIB writes them,
//! and refusals where there is no meaning yet.

use crate::support::{replies, texts};
use bivalve::CheckResult;
use bivalve_session::Reply;

#[test]
fn literals_and_conversions_have_their_values() {
    for (term, value) in [
        ("(_ NaN 3 4)", "(_ NaN 3 4)"),
        ("(_ +oo 5 11)", "(_ +oo 5 11)"),
        ("(_ -zero 5 11)", "(_ -zero 5 11)"),
        ("(fp #b1 #b011 #b000)", "(fp #b1 #b011 #b000)"),
        ("(fp (_ bv0 1) #x0 (_ bv7 3))", "(fp #b0 #b0000 #b111)"),
        ("(fp #b1 #b111 #b010)", "(_ NaN 3 4)"),
        ("roundTowardPositive", "RTP"),
        ("((_ to_fp 3 4) #b0011000)", "(fp #b0 #b011 #b000)"),
        ("((_ to_fp 5 11) RNE 0.1)", "(fp #b0 #b01011 #b1001100110)"),
        ("((_ to_fp 5 11) RTP (/ 1 3))", "(fp #b0 #b01101 #b0101010110)"),
        ("((_ to_fp 5 11) RTN (- (/ 1.0 3.0)))", "(fp #b1 #b01101 #b0101010110)"),
        ("((_ to_fp 5 11) RTZ (/ (- 1) 3))", "(fp #b1 #b01101 #b0101010101)"),
        ("((_ to_fp 5 11) RNE 3)", "(fp #b0 #b10000 #b1000000000)"),
        ("((_ to_fp 5 11) RNE 0.5 3)", "(fp #b0 #b10001 #b0000000000)"),
        ("((_ to_fp 5 11) RNE 0.5 (- 3))", "(fp #b0 #b01011 #b0000000000)"),
        ("((_ to_fp 5 11) RTZ -1.5 -3)", "(fp #b1 #b01100 #b1000000000)"),
        ("((_ to_fp 5 11) RNE (/ -1 2.0))", "(fp #b1 #b01110 #b0000000000)"),
        ("((_ to_fp 3 4) RNE ((_ to_fp 5 11) RNE 3))", "(fp #b0 #b100 #b100)"),
        ("((_ to_fp 3 4) RNE #b1101)", "(fp #b1 #b100 #b100)"),
        ("((_ to_fp_unsigned 3 4) RNE #b1101)", "(fp #b0 #b110 #b101)"),
        ("((_ to_fp 3 4) #b0 #b011 #b000)", "(fp #b0 #b011 #b000)"),
        ("((_ fp.to_ubv 4) RNE ((_ to_fp 5 11) RNE 2.5))", "#b0010"),
        ("((_ fp.to_sbv 4) RTN ((_ to_fp 5 11) RNE (- 2.5)))", "#b1101"),
        ("(fp.to_ieee_bv (_ NaN 3 4))", "#b0111100"),
        ("(to_ieee_bv (_ -zero 3 4))", "#b1000000"),
        ("(fp.isSubnormal (fp #b0 #b000 #b001))", "true"),
        ("(fp.lt (_ -oo 3 4) (fp #b0 #b000 #b001) (_ +oo 3 4))", "true"),
        ("(= (_ NaN 3 4) (fp #b0 #b111 #b111))", "true"),
        ("(fp.eq (_ -zero 3 4) (_ +zero 3 4))", "true"),
    ] {
        let text = texts(&format!("(set-logic QF_BVFP)(check-sat)(get-value ({term}))"));
        assert_eq!(text[0], "sat");
        assert!(text[1].ends_with(&format!(" {value}))")), "{term}: {}", text[1]);
    }
}

/// Values, models and functions are printed over the sorts that were declared, and what stands for open
/// results is not.
#[test]
fn models_are_printed() {
    let script = "(set-logic QF_AUFBVFP)(define-sort F () (_ FloatingPoint 3 4))(declare-sort U 0)
        (declare-const x F)(declare-const r RoundingMode)(declare-const a (Array F RoundingMode))
        (declare-fun f (F U) F)(declare-const u U)(declare-const w (_ BitVec 3))
        (assert (= x (fp.add r (_ -zero 3 4) (fp #b0 #b100 #b001))))(assert (= r RTZ))
        (assert (= (select a x) r))(assert (= (f x u) (_ NaN 3 4)))
        (assert (= w ((_ fp.to_sbv 3) r (f x u))))(assert (= w #b101))
        (assert (= (fp.min (_ -zero 3 4) (_ +zero 3 4)) (_ -zero 3 4)))
        (assert (= (fp.max (_ -zero 3 4) (_ +zero 3 4)) (_ -zero 3 4)))
        (check-sat)(get-model)(get-value (x (fp.neg x) (f x u) (select a x) ((_ fp.to_sbv 3) RTZ (_ NaN 3 4))))
        (get-assertions)(push)(assert (not (= w ((_ fp.to_sbv 3) RTZ (_ NaN 3 4)))))(check-sat)(pop)
        (check-sat-assuming ((fp.isNaN x)))(get-unsat-assumptions)";
    let found = texts(script);
    assert_eq!(found[0], "sat");
    for line in [
        "(define-fun x () (_ FloatingPoint 3 4) (fp #b0 #b100 #b001))",
        "(define-fun r () RoundingMode RTZ)",
        "(define-fun w () (_ BitVec 3) #b101)",
        "(define-fun f ((x!0 (_ FloatingPoint 3 4)) (x!1 U)) (_ FloatingPoint 3 4)",
        "(define-fun a () (Array (_ FloatingPoint 3 4) RoundingMode)",
    ] {
        assert!(found[1].contains(line), "{}", found[1]);
    }
    assert!(!found[1].contains("open") && found[1].matches("define-fun").count() == 6, "{}", found[1]);
    assert_eq!(
        found[2],
        "((x (fp #b0 #b100 #b001))\n ((fp.neg x) (fp #b1 #b100 #b001))\n ((f x u) (_ NaN 3 4))\n \
         ((select a x) RTZ)\n (((_ fp.to_sbv 3) RTZ (_ NaN 3 4)) #b101))"
    );
    assert!(found[3].contains("(= w ((_ fp.to_sbv 3) r (f x u)))"), "{}", found[3]);
    assert_eq!(found[4..], ["unsat", "unsat", "((fp.isNaN x))"]);
}

/// Answers of what others have answered wrongly.
#[test]
fn unspecified_results_are_functions_of_their_arguments() {
    for (formula, answer) in [
        // Free, but the same for the same arguments, and the two pairs of zeros are free of each other.
        ("(distinct (fp.min (_ -zero 2 3) (_ +zero 2 3)) (fp.min (_ +zero 2 3) (_ -zero 2 3)))", "sat"),
        ("(not (fp.isZero (fp.max (_ -zero 2 3) (_ +zero 2 3))))", "unsat"),
        ("(= ((_ fp.to_ubv 2) RNE (_ NaN 2 3)) #b11)", "sat"),
        ("(distinct ((_ fp.to_ubv 2) RNE (_ NaN 2 3)) ((_ fp.to_sbv 2) RNE (_ NaN 2 3)))", "sat"),
        ("(distinct ((_ fp.to_ubv 2) RNE (_ NaN 2 3)) ((_ fp.to_ubv 2) RTZ (_ NaN 2 3)))", "sat"),
        ("(distinct ((_ fp.to_ubv 2) r (_ NaN 2 3)) ((_ fp.to_ubv 2) r (fp #b1 #b11 #b01)))", "unsat"),
        ("(and (fp.isNaN x) (distinct ((_ fp.to_sbv 2) r x) ((_ fp.to_sbv 2) r (_ NaN 2 3))))", "unsat"),
        ("(and (fp.isZero x) (distinct ((_ fp.to_sbv 2) r x) #b00))", "unsat"),
        ("(distinct r RNE RNA RTP RTN RTZ)", "unsat"),
    ] {
        let script = format!(
            "(set-logic QF_BVFP)(declare-const x (_ FloatingPoint 2 3))(declare-const r RoundingMode)
             (assert {formula})(check-sat)"
        );
        assert_eq!(texts(&script), [answer], "{formula}");
    }
}

#[test]
fn what_has_floats_has_certificates() {
    let script = "(set-option :produce-proofs true)(declare-const x Float16)
        (assert (fp.lt x x))(check-sat)(get-proof)";
    let found = replies(script);
    assert!(matches!(&found[3], Reply::Checked(CheckResult::Unsat)), "{found:?}");
    assert!(matches!(&found[4], Reply::Evidence(..)), "{:?}", found[4]);
}

/// Comparisons of reals with what is open: of NaN and each infinity one real for each format, any.
#[test]
fn reals_are_compared() {
    let declared = "(set-logic QF_FPLRA)(declare-const x (_ FloatingPoint 3 4))(declare-const y Float32)";
    let number = "(assert (not (fp.isNaN x)))(assert (not (fp.isInfinite x)))";
    for (script, expected) in [
        ("(assert (= (fp.to_real x) (/ 1 3)))", "sat"),
        ("(assert (= (fp.to_real x) (/ 1 3)))(assert NUMBER)", "unsat"),
        ("(assert (< 0.5 (fp.to_real y) (fp.to_real x) 0.6))(assert NUMBER)", "sat"),
        ("(assert (< 0.5 (fp.to_real x) 0.53))(assert NUMBER)", "unsat"),
        ("(assert (<= (fp.to_real x) 15))(assert (> (fp.to_real x) 14))(assert NUMBER)", "sat"),
        ("(assert (> (fp.to_real x) 15))(assert NUMBER)", "unsat"),
        ("(assert (fp.isNaN x))(assert (< (/ 1 3) (fp.to_real x) 0.33334))", "sat"),
        ("(assert (fp.isNaN x))(assert (distinct (fp.to_real x) (fp.to_real (_ NaN 3 4))))", "unsat"),
        ("(assert (fp.isInfinite x))(assert (distinct (fp.to_real x) (fp.to_real (_ -oo 3 4))))", "sat"),
        ("(assert (distinct (fp.to_real (_ NaN 3 4)) (fp.to_real (_ NaN 8 24))))", "sat"),
        ("(assert (= (fp.to_real (_ -zero 3 4)) 0))(assert (>= (fp.to_real (_ +zero 8 24)) (- 0.0)))", "sat"),
        (
            "(assert (= y ((_ to_fp 8 24) RTP (fp.to_real x))))(assert (not (= (fp.to_real x) (fp.to_real y))))",
            "sat",
        ),
        (
            "(assert (= y ((_ to_fp 8 24) RTP (fp.to_real x))))(assert NUMBER)
             (assert (not (= (fp.to_real x) (fp.to_real y))))",
            "unsat",
        ),
        ("(assert (= ((_ to_fp 3 4) RNE (ite (fp.isNaN x) 0.1 2)) ((_ to_fp 3 4) RNE 2.0)))", "sat"),
        ("(assert (distinct (ite (fp.lt x x) 0.1 (fp.to_real y)) (fp.to_real y)))", "unsat"),
    ] {
        let script = script.replace("(assert NUMBER)", number);
        let found = texts(&format!("{declared}{script}(check-sat)"));
        assert_eq!(found, [expected], "{script}");
    }
    let found = texts("(declare-const x Float32)(assert (= (fp.to_real x) (- (/ 1 4))))(assert (not (fp.isNaN x)))
        (assert (not (fp.isInfinite x)))(check-sat)(get-value ((fp.to_real x) (< (fp.to_real x) 0)))(get-model)");
    assert_eq!(found[1], "(((fp.to_real x) (- (/ 1.0 4.0)))\n ((< (fp.to_real x) 0) true))");
    assert!(!found[2].contains("open"), "{}", found[2]);
}
