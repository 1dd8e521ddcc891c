//! Interpolants in a session: the forms of other solvers, refusals.

use crate::support::texts;

const PROBLEM: &str =
    "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const z (_ BitVec 8))
(assert (! (= x (bvadd y y)) :named a)) (assert (! (= x (bvadd z z #x01)) :named b))\n";

#[test]
fn interpolants_come_in_the_forms_of_other_solvers() {
    let even = "(= ((_ extract 0 0) x) #b0)";
    let of = |command: &str| texts(&format!("{PROBLEM}{command}"));
    assert_eq!(of("(check-sat) (get-interpolant (a))"), ["unsat", even]);
    assert_eq!(of("(get-interpolants (a))"), [format!("({even})")]);
    assert_eq!(of("(get-interpolants a b)"), [format!("({even})")]);
    assert_eq!(of("(get-interpolants (and a) b)"), [format!("({even})")]);
    assert_eq!(
        of("(assert (! (bvugt y #x03) :named c)) (get-interpolants (a c) (b))"),
        [format!("({even}\n false)")]
    );
    // One after the other, or beside each other.
    let three = "(assert (! (bvugt y #x03) :named c)) ";
    assert_eq!(of(&format!("{three}(get-interpolants a c b)")), [format!("((= x (bvadd y y))\n {even})")]);
    assert_eq!(of(&format!("{three}(get-interpolants a (c) b)")), ["((= x (bvadd y y))\n true)"]);
    assert_eq!(of(&format!("{three}(get-interpolants c (a) (and b))")), [format!("(true\n {even})")]);
    let goal = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (assert (= x (bvadd y y)))
        (get-interpolant |the I| (distinct x #x03))";
    assert_eq!(texts(goal), ["(define-fun |the I| () Bool (distinct x #b00000011))"]);
}

/// MathSAT's groups: of several assertions, with a name beside them, until their level is popped.
#[test]
fn groups_stand_for_their_assertions() {
    let declared =
        "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const z (_ BitVec 8))
        (set-option :global-declarations true)
        (assert (! (= x (bvadd y y)) :interpolation-group g1))
        (assert (! (bvult x #xc8) :named small :interpolation-group |the second|))
        (assert (! (bvugt y #x03) :interpolation-group g1))\n";
    let even = "(= ((_ extract 0 0) x) #b0)";
    let of = |commands: &str| texts(&format!("{declared}{commands}"));
    let odd = "(assert (! (= x (bvadd z z #x01)) :interpolation-group g3))";
    assert_eq!(of(&format!("{odd} (check-sat) (get-interpolant (g3))"))[0], "unsat");
    let found = of(&format!("{odd} (get-interpolant (g1 |the second|)) (get-interpolant (g3))"));
    assert_eq!(found, [even, "(not (= ((_ extract 0 0) x) #b0))"]);
    assert_eq!(of(&format!("{odd} (get-interpolants (g1) (small))"))[0], format!("({even}\n {even})"));
    assert_eq!(of(&format!("{odd} (get-interpolants g1 small g3)"))[0], format!("({even}\n {even})"));
    // A group has the members of the levels that are there.
    let popped = of(&format!("(push 1) {odd} (pop 1) (get-interpolant (g3))"));
    assert_eq!(popped, ["(error \"script:6:96: expected the name of an assertion, found 'g3'\")"]);
    let level = "(push 1) (assert (! (= x #x01) :interpolation-group g1)) (pop 1)";
    assert_eq!(of(&format!("{level} {odd} (get-interpolant (g1))")), [even]);
    let (place, text) = ("6:51", "expected the name of a group, found the numeral 1");
    assert_eq!(
        of("(assert (! (= x (bvadd z z)) :interpolation-group 1))"),
        [format!("(error \"script:{place}: {text}\")")]
    );
}

#[test]
fn what_has_no_interpolant_is_told_with_its_place() {
    let cases = [
        ("(get-interpolant (a d))", "3:21: expected the name of an assertion, found 'd'"),
        ("(get-interpolant (a x))", "3:21: expected the name of an assertion, found 'x'"),
        ("(get-interpolant 5)", "3:18: expected a name, or '(' and names of assertions, found the numeral 5"),
        ("(get-interpolants)", "3:18: expected names of assertions, found ')'"),
        ("(get-interpolants a (b))", "3:24: expected the set that all before it belong to, found ')'"),
        ("(get-interpolants (a) b)", "3:23: expected sets in the form of the first one, found the symbol b"),
        ("(get-interpolants (a) (and b))", "3:24: expected the name of an assertion, found the symbol and"),
        ("(get-interpolants a ((b)) a)", "3:22: expected the name of an assertion, found '('"),
        ("(get-interpolants a a)", "3:1: expected all assertions in the list, found all but 1"),
        (
            "(define-fun d () Bool (= x y)) (get-interpolant (d))",
            "3:32: expected the name of an assertion, found 'd'",
        ),
        (
            "(push 1) (assert (bvult x y)) (pop 1) (get-interpolant I (bvult x y))",
            "3:39: no interpolant: the two sides have a model together",
        ),
    ];
    for (command, refusal) in cases {
        let problem = if command.contains(" I ") { PROBLEM.replace("#x01", "z") } else { PROBLEM.to_owned() };
        assert_eq!(
            texts(&format!("{problem}{command}")),
            [format!("(error \"script:{refusal}\")")],
            "{command}"
        );
    }
}
