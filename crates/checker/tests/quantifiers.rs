//! Quantified formulas: what follows from them, and what a hostile certificate would like to follow.

use bivalve_checker::check::check;

fn says(script: &str, steps: &str) -> Result<Vec<u64>, String> {
    let certificate = format!("bvc 1\ncheck 0\n{steps}\n");
    check(script, certificate.as_bytes()).map(|verified| verified.unsatisfiable)
}

fn refused(script: &str, steps: &str, why: &str) {
    let said = says(script, steps).expect_err("the certificate shows something wrong");
    assert!(said.contains(why), "{said}");
}

/// The only elements are `a`, and `b` is another one.
const ALL: &str = "(declare-const a (_ BitVec 4)) (declare-const b (_ BitVec 4))
    (assert (forall ((x (_ BitVec 4))) (= x a))) (assert (not (= b a))) (check-sat)";

#[test]
fn an_instance_follows() {
    // The terms: 0 and 1 the formula, 2 b, 3 the instance, 4 that b is not a, 5 that the formula is false.
    let steps = "assertion 0\nquantified 0\nsymbol \"b\"\ninstantiate 1 1 2\nassertion 1\nsplit 4
        term not 1 1\nevaluate 5\nevaluate 3\nend 0";
    assert_eq!(says(ALL, steps), Ok(vec![0]));
    // Of a itself nothing follows.
    refused(ALL, &steps.replace("\"b\"", "\"a\""), "no known value");
    // A formula that is not asserted says nothing.
    let other = "(declare-const a (_ BitVec 4)) (declare-const b (_ BitVec 4)) (declare-const p Bool)
        (assert (or p (forall ((x (_ BitVec 4))) (= x a)))) (assert (not (= b a))) (check-sat)";
    refused(other, &steps.replace("evaluate 5\n", ""), "no known value");
    refused(other, steps, "no known value");
}

#[test]
fn a_witness_follows() {
    // Some element is greater than all.
    let script = "(assert (exists ((x (_ BitVec 4))) (bvult #b1111 x))) (check-sat)";
    let steps = "assertion 0\nquantified 0\nskolem 1\nsplit 0\nvalue 4 #15\nterm bvult 2 4 2\nend 0";
    refused(script, steps, "no contradiction");
    let none = "(assert (not (forall ((x (_ BitVec 4))) (= x x)))) (check-sat)";
    let steps =
        "assertion 0\nquantified 0\nskolem 1\nsplit 0\nterm = 2 2 2\nequation 4\nterm not 1 4\nevaluate 5
        evaluate 3\nend 0";
    assert_eq!(says(none, steps), Ok(vec![0]));
}

#[test]
fn terms_fit_the_variables() {
    let start = "assertion 0\nquantified 0\nsymbol \"b\"\nvalue 3 #1\n";
    refused(ALL, &format!("{start}instantiate 1 0\nend 0"), "other sorts");
    refused(ALL, &format!("{start}instantiate 1 2 2 2\nend 0"), "other sorts");
    refused(ALL, &format!("{start}instantiate 1 1 3\nend 0"), "other sorts");
    refused(ALL, &format!("{start}instantiate 2 1 2\nend 0"), "not a formula for all values");
    refused(ALL, &format!("{start}skolem 2\nend 0"), "not a formula for all values");
}

#[test]
fn nothing_is_named_that_mentions_a_variable() {
    let script = "(declare-const p Bool) (assert (or p (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4)))
        (= x y))))) (check-sat)";
    refused(script, "symbol \"x\"\nend 0", "there is no constant");
    // Only the outer formula is there: the terms are the assertion and it.
    refused(script, "assertion 0\nquantified 0\nquantified 1\nskolem 3\nend 0", "there is no term 3");
    let named = "(assert (forall ((x (_ BitVec 4))) (! (= x x) :named n))) (check-sat)";
    refused(named, "assertion 0\nend 0", "a name within a quantifier");
    let formulas = "(assert (forall ((x (_ BitVec 4))) (= x x))) (assert (exists ((x Bool)) x)) (check-sat)";
    refused(formulas, "assertion 0\nterm forall 1 0\nend 0", "");
}

#[test]
fn witnesses_are_new() {
    // There are some that satisfy each, not one that satisfies both.
    let script = "(declare-fun p ((_ BitVec 4)) Bool) (assert (exists ((x (_ BitVec 4))) (p x)))
        (assert (exists ((x (_ BitVec 4))) (not (p x)))) (check-sat)";
    let steps = "assertion 0\nquantified 0\nskolem 1\nassertion 1\nquantified 4\nskolem 5\nterm = 2 2 6
        equation 8\nend 0";
    refused(script, steps, "it is not known whether the sides are equal");
    // Nor is a witness one of all formulas.
    refused(
        script,
        "assertion 0\nquantified 0\nskolem 1\nskolem 1\nterm = 2 2 4\nequation 6\nend 0",
        "not known",
    );
}

#[test]
fn formulas_about_equal_terms_are_not_equal() {
    // No rule looks into a formula, though what its variable stands for could be known of another symbol.
    let script = "(declare-const a (_ BitVec 4)) (declare-const b (_ BitVec 4)) (assert (= a b))
        (assert (forall ((x (_ BitVec 4))) (= x a))) (assert (not (forall ((x (_ BitVec 4))) (= x b))))
        (check-sat)";
    let steps = "assertion 0\nassertion 1\nquantified 1\nassertion 2\nquantified 3\ncongruence 2 4\nend 0";
    refused(script, steps, "not one operator on equal arguments");
    refused(script, "assertion 1\nquantified 0\nevaluate 1\nend 0", "no known value");
}

#[test]
fn quantifiers_are_read_with_care() {
    let steps = "end 0";
    for (formula, why) in [
        ("(forall () true)", "cannot be applied"),
        ("(let ((x true) (x true)) (forall ((y Bool)) x))", "twice"),
        ("(forall ((x Bool)) #b1)", "cannot be applied"),
        ("(forall ((x Bool)))", "two parts"),
        ("(exists ((x Frob)) true)", "not declared"),
        ("(forall ((m (Array Bool RoundingMode))) (= (select m true) RNE))", "no numbers or arrays of words"),
        ("(forall ((m (Array Float16 Bool))) (select m (_ +oo 5 11)))", "no numbers or arrays of words"),
        ("(forall ((r Real)) (= r r))", "not declared"),
    ] {
        refused(&format!("(assert {formula}) (check-sat)"), steps, why);
    }
    // A definition that is applied to itself would bind a symbol within its own scope.
    let nested =
        "(declare-fun p (Bool Bool) Bool) (define-fun all ((x Bool)) Bool (forall ((y Bool)) (p x y)))
        (assert (all (all true))) (check-sat)";
    refused(nested, steps, "bound within its body");
    // What is shadowed outside is not what is meant.
    let shadowed =
        "(declare-const x Bool) (assert x) (assert (forall ((x Bool)) (let ((y x)) y))) (check-sat)";
    refused(shadowed, "assertion 0\nassertion 1\nquantified 1\ninstantiate 2 1 0\nend 0", "no contradiction");
    // It is false of false, wherever that comes from.
    let is_refuted = "assertion 1\nquantified 0\nterm false 0\ninstantiate 1 1 2\nterm not 1 1\nevaluate 4
        evaluate 3\nend 0";
    assert_eq!(says(shadowed, is_refuted), Ok(vec![0]));
}
