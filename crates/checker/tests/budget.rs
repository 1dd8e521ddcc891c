//! A few bytes that ask for much are refused with their place, before they have taken it.

use bivalve_checker::check::{Checker, check};

/// What is said of a script, or of a certificate, that wants too much.
fn refusal(script: &str, steps: &str) -> String {
    check(script, format!("bvc 1\n{steps}").as_bytes()).expect_err("it is refused")
}

#[test]
fn repetitions_are_bounded() {
    let script = "(declare-const x (_ BitVec 1))\n(assert (= x ((_ extract 0 0) ((_ repeat 16777216) x)))) (check-sat)";
    let said = refusal(script, "check 0\n");
    assert!(
        said.starts_with("script: line 2: beyond the budget of") && said.ends_with("bytes of memory"),
        "{said}"
    );
}

#[test]
fn values_are_bounded() {
    let mut steps =
        String::from("check 0\nvalue 16777216 #0\nvalue 16777216 #1\nterm bvnot 1 0\nevaluate 2\n");
    for last in 2..1000 {
        steps += &format!("term bvadd 2 {last} 2\nevaluate {}\n", last + 1);
    }
    let said = refusal("(assert true) (check-sat)", &steps);
    assert!(said.starts_with("certificate, line ") && said.ends_with("bytes of memory"), "{said}");
}

#[test]
fn products_and_polynomials_are_bounded() {
    let wide =
        "check 0\nvalue 16777216 #3\nvalue 16777216 #1\nterm bvneg 1 0\nevaluate 2\nterm bvmul 2 2 2\n";
    let said = refusal("(assert true) (check-sat)", &format!("{wide}{}", "evaluate 3\n".repeat(200)));
    assert!(said.starts_with("certificate, line ") && said.ends_with("steps"), "{said}");
    let declared =
        "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64)) (declare-const z (_ BitVec 64))";
    let mut steps = String::from("check 0\nsymbol \"x\"\nsymbol \"y\"\nsymbol \"z\"\nvalue 64 #1\n");
    steps += "term bvadd 2 0 1\nterm bvadd 2 4 2\nterm bvadd 2 5 3\n";
    (6..40).for_each(|last| steps += &format!("term bvmul 2 {last} 6\n"));
    steps += &"polynomial 40 39\n".repeat(50);
    let said = refusal(&format!("{declared} (assert true) (check-sat)"), &steps);
    assert!(said.starts_with("certificate, line "), "{said}");
}

/// A budget that is larger by a factor lets the same through; what was spent does not depend on it.
#[test]
fn a_budget_has_a_factor() -> Result<(), String> {
    let script = "(declare-const x (_ BitVec 1)) (assert (= ((_ repeat 1000000) x) ((_ repeat 1000000) x)))
                  (assert false) (check-sat)";
    let steps = &b"bvc 1 check 0 assertion 1 end 0"[..];
    let said = check(script, steps);
    assert!(said.is_err_and(|why| why.contains("beyond the budget")));
    let mut checker = Checker::new(script, steps)?;
    checker.allow(3);
    assert_eq!(checker.next_verified()?, Some(0));
    Ok(())
}
