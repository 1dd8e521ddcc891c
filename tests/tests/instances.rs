//! Certificates of quantified formulas: they are verified, and show nothing of formulas that have models.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve::CheckResult;
use bivalve_judge::{Certified, Shown};
use bivalve_session::Form;

/// A script whose check is unsatisfiable, and another one that differs little and has a model.
const PAIRS: &[(&str, &str)] = &[
    // Something is not equal to everything.
    (
        "(declare-const a (_ BitVec 4)) (declare-const b (_ BitVec 4)) (assert (forall ((x (_ BitVec 4)))
        (= (bvand x a) x))) (assert (not (= b (bvand b a)))) (check-sat)",
        "(declare-const a (_ BitVec 4)) (declare-const b (_ BitVec 4)) (assert (forall ((x (_ BitVec 4)))
        (= (bvand x a) x))) (assert (not (= a (bvand b a)))) (check-sat)",
    ),
    // For all there is one; a function of it there is.
    (
        "(declare-fun f ((_ BitVec 3)) (_ BitVec 3)) (assert (forall ((x (_ BitVec 3))) (exists ((y (_ BitVec
        3))) (= (f y) x)))) (assert (forall ((x (_ BitVec 3))) (bvult (f x) #b111))) (check-sat)",
        "(declare-fun f ((_ BitVec 3)) (_ BitVec 3)) (assert (forall ((x (_ BitVec 3))) (exists ((y (_ BitVec
        3))) (= (f y) x)))) (assert (forall ((x (_ BitVec 3))) (bvule (f x) #b111))) (check-sat)",
    ),
    // Memories.
    (
        "(declare-const m (Array (_ BitVec 8) (_ BitVec 8))) (declare-const i (_ BitVec 8)) (assert (forall ((k
        (_ BitVec 8))) (bvult (select m k) #x10))) (assert (forall ((n (Array (_ BitVec 8) (_ BitVec 8)))) (or
        (not (= n (store m i #x05))) (bvugt (select n #x07) #x0f)))) (check-sat)",
        "(declare-const m (Array (_ BitVec 8) (_ BitVec 8))) (declare-const i (_ BitVec 8)) (assert (forall ((k
        (_ BitVec 8))) (bvult (select m k) #x10))) (assert (forall ((n (Array (_ BitVec 8) (_ BitVec 8)))) (or
        (not (= n (store m i #x15))) (bvugt (select n #x07) #x0f)))) (check-sat)",
    ),
    // Either of two, both ways, below other connectives and definitions.
    (
        "(declare-const p Bool) (declare-const c (_ BitVec 6)) (define-fun least ((x (_ BitVec 6))) Bool (forall
        ((y (_ BitVec 6))) (bvule x y))) (assert (= p (least c))) (assert (ite p (bvugt c #b000000) (= c
        #b000000))) (check-sat)",
        "(declare-const p Bool) (declare-const c (_ BitVec 6)) (define-fun least ((x (_ BitVec 6))) Bool (forall
        ((y (_ BitVec 6))) (bvule x y))) (assert (= p (least c))) (assert (ite p (bvuge c #b000000) (= c
        #b000000))) (check-sat)",
    ),
    // One NaN, two zeros.
    (
        "(assert (exists ((x (_ FloatingPoint 3 4)) (y (_ FloatingPoint 3 4))) (and (fp.isNaN x) (fp.isNaN y)
        (distinct x y)))) (check-sat)",
        "(assert (exists ((x (_ FloatingPoint 3 4)) (y (_ FloatingPoint 3 4))) (and (fp.isZero x) (fp.isZero y)
        (distinct x y)))) (check-sat)",
    ),
    // Five ways to round.
    (
        "(assert (exists ((m RoundingMode)) (distinct m RNE RNA RTP RTN RTZ))) (check-sat)",
        "(assert (exists ((m RoundingMode)) (distinct m RNE RNA RTP RTN))) (check-sat)",
    ),
    // The greatest number, which stands below a quantifier alone.
    (
        "(declare-const y (_ FloatingPoint 3 4)) (declare-const p Bool) (assert (= p (forall ((x
        (_ FloatingPoint 3 4))) (or (fp.isNaN x) (fp.leq x y))))) (assert p) (assert (not (fp.isInfinite y)))
        (check-sat)",
        "(declare-const y (_ FloatingPoint 3 4)) (declare-const p Bool) (assert (= p (forall ((x
        (_ FloatingPoint 3 4))) (or (fp.isNaN x) (fp.leq x y))))) (assert p) (assert (fp.isInfinite y))
        (check-sat)",
    ),
    // Numbers in a memory, each with a smaller one.
    (
        "(declare-const m (Array (_ BitVec 2) (_ FloatingPoint 2 3))) (assert (forall ((i (_ BitVec 2))) (exists
        ((x (_ FloatingPoint 2 3))) (fp.lt x (select m i))))) (assert (= (select m #b01) (_ -oo 2 3)))
        (check-sat)",
        "(declare-const m (Array (_ BitVec 2) (_ FloatingPoint 2 3))) (assert (forall ((i (_ BitVec 2))) (exists
        ((x (_ FloatingPoint 2 3))) (fp.lt x (select m i))))) (assert (= (select m #b01) (_ +oo 2 3)))
        (check-sat)",
    ),
    // Memories before a write, within memories: values of them would not end.
    (
        "(declare-const m (Array (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (declare-const i (_ BitVec
        64)) (assert (forall ((a (Array (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (v (_ BitVec 32)))
        (distinct m (store a i (store (select a i) i v))))) (check-sat)",
        "(declare-const m (Array (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (declare-const i (_ BitVec
        64)) (assert (forall ((a (Array (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (v (_ BitVec 32)))
        (or (= v #x00000000) (distinct m (store a i (store (select a i) i v)))))) (check-sat)",
    ),
    // An instance that is used as it is, because no theorem says what it was rewritten to.
    (
        "(declare-const m (Array (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (declare-const o (Array
        (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (declare-const n (_ BitVec 32)) (assert (= m o))
        (assert (= n #x00000001)) (assert (= (select (select m (_ bv5 64)) (_ bv4 64)) n)) (assert (not (exists
        ((k (_ BitVec 32)) (a (Array (_ BitVec 64) (_ BitVec 32)))) (= m (store (store o (_ bv4 64) a)
        (_ bv5 64) (store (select o (_ bv5 64)) (bvmul (_ bv4 64) ((_ sign_extend 32) k)) #x00000001))))))
        (check-sat)",
        "(declare-const m (Array (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (declare-const o (Array
        (_ BitVec 64) (Array (_ BitVec 64) (_ BitVec 32)))) (declare-const n (_ BitVec 32)) (assert (= m o))
        (assert (= n #x00000002)) (assert (= (select (select m (_ bv5 64)) (_ bv4 64)) n)) (assert (not (exists
        ((k (_ BitVec 32)) (a (Array (_ BitVec 64) (_ BitVec 32)))) (= m (store (store o (_ bv4 64) a)
        (_ bv5 64) (store (select o (_ bv5 64)) (bvmul (_ bv4 64) ((_ sign_extend 32) k)) #x00000001))))))
        (check-sat)",
    ),
];

#[test]
fn quantified_formulas_are_certified() {
    for &(unsat, sat) in PAIRS {
        for form in [Form::Binary, Form::Text] {
            let run = Certified::at_leisure(unsat, form);
            assert!(run.missing.is_empty() && run.errors.is_empty(), "{:?} {:?}", run.missing, run.errors);
            assert_eq!(run.checks(CheckResult::Unsat), [0], "{unsat}");
            let shown = Shown::of(unsat, &run.certificate);
            assert_eq!((shown.verified, shown.wrong), (vec![0], None), "{unsat}");
            let other = Shown::of(sat, &run.certificate);
            assert!(other.verified.is_empty() && other.panicked.is_none(), "{sat}");
        }
        assert_eq!(Certified::at_leisure(sat, Form::Binary).checks(CheckResult::Sat), [0], "{sat}");
    }
}

/// Each number of a certificate, changed, and each line, left out: nothing of that shows anything of what has
/// a model.
#[test]
fn altered_certificates_show_nothing_of_what_has_a_model() {
    let mut rejected = 0;
    for &(unsat, sat) in PAIRS {
        let run = Certified::at_leisure(unsat, Form::Text);
        let text = String::from_utf8(run.certificate).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let ends = lines.iter().take_while(|line| !line.starts_with("derive")).count();
        for at in 1..ends.min(400) {
            let words: Vec<&str> = lines[at].split(' ').collect();
            let mut others = vec![String::new()];
            for (place, word) in words.iter().enumerate() {
                let Ok(number) = word.parse::<u64>() else { continue };
                for changed in [number + 1, number.saturating_sub(1)] {
                    let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
                    words[place] = changed.to_string();
                    others.push(words.join(" "));
                }
            }
            for other in others {
                let mut altered = lines.clone();
                altered[at] = &other;
                let shown = Shown::of(sat, altered.join("\n").as_bytes());
                assert!(
                    shown.verified.is_empty() && shown.panicked.is_none(),
                    "{sat}\n{}",
                    altered.join("\n")
                );
                rejected += 1;
            }
        }
    }
    assert!(rejected > 500, "{rejected}");
}

/// For all, for some, one within the other, with arrays, functions, levels and assumptions.
#[test]
fn what_models_rest_on_is_certified() {
    let script = "(declare-const k (_ BitVec 8)) (declare-const m (Array (_ BitVec 4) (_ BitVec 8)))
        (declare-fun f ((_ BitVec 8)) (_ BitVec 8)) (declare-const p Bool)
        (assert (forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= (bvadd x y) k))))
        (assert (forall ((i (_ BitVec 4))) (bvuge (select m i) k)))
        (check-sat)
        (push) (assert (not (forall ((x (_ BitVec 8))) (= (f x) k)))) (assert (bvugt k #x10)) (check-sat) (pop)
        (assert (forall ((x (_ BitVec 8))) (= (f x) (bvxor x #x01))))
        (check-sat-assuming (p (exists ((a (Array (_ BitVec 1) Bool))) (select a (ite p #b1 #b0)))))
        (declare-const z Float16) (assert (forall ((w Float16)) (=> (fp.lt w z) (fp.isInfinite w))))
        (assert (not (fp.isNaN z)))
        (check-sat)";
    let Certified { answers, missing, .. } = Certified::at_leisure(script, Form::Binary);
    assert_eq!((answers, missing), (vec![CheckResult::Sat; 4], vec![]));
}
