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

/// A sort of sorts that are as deep as the lines before it are many.
#[test]
fn deep_sorts_are_bounded() {
    let mut script = String::from("(define-sort D0 (X) (Array X X))\n");
    (1..6000).for_each(|n| script += &format!("(define-sort D{n} (X) (Array X (D{} X)))\n", n - 1));
    let said = refusal(&(script + "(assert false) (check-sat)"), "check 0\nassertion 0\nend 0");
    assert!(said.starts_with("script: line ") && said.contains("beyond the budget"), "{said}");
    // Each theorem has sorts of its own.
    let sorts: String = (0..3000).map(|n| format!("sort 2 {n} {n}\n")).collect();
    let steps = format!("check 0\nsort 0\n{sorts}{}", "theorem 1 3000\nproved 0 0\n".repeat(3000));
    let said = refusal("(assert false) (check-sat)", &steps);
    assert!(said.starts_with("certificate, line ") && said.ends_with("bytes of memory"), "{said}");
}

/// Values stay when a check ends.
#[test]
fn values_of_earlier_checks_are_counted() {
    let script = format!("(assert false){}", "(check-sat)".repeat(60));
    let values = |check: u32| -> String {
        let shift = |n: u32| {
            format!(
                "value 16777216 #{:x}\nterm bvshl 2 2 {}\nevaluate {}\n",
                check * 8 + n + 2,
                3 + 2 * n,
                4 + 2 * n
            )
        };
        (0..8).map(shift).collect()
    };
    let begin = "assertion 0\nvalue 16777216 #1\nterm bvneg 1 1\nevaluate 2\n";
    let steps: String =
        (0..60).map(|check| format!("check {check}\n{begin}{}end 0\n", values(check))).collect();
    let said = refusal(&script, &steps);
    assert!(said.starts_with("certificate, line ") && said.ends_with("bytes of memory"), "{said}");
}

/// Two sums of wide words that are the same, again and again: nothing is left to be added.
#[test]
fn sums_that_cancel_are_bounded() {
    let script = "(declare-const x (_ BitVec 16777216)) (declare-const y (_ BitVec 16777216))
                  (assert false) (check-sat)";
    let steps = "check 0\nsymbol \"x\"\nsymbol \"y\"\nterm bvneg 1 0\nterm bvneg 1 1\nterm bvadd 2 2 3
                 term bvadd 2 3 2\n";
    let said = refusal(script, &format!("{steps}{}", "polynomial 4 5\n".repeat(1000)));
    assert!(said.starts_with("certificate, line ") && said.ends_with("steps"), "{said}");
}

#[test]
fn long_decimal_numbers_are_bounded() {
    let script = format!("(assert (= (_ bv1{0} 16777216) (_ bv2{0} 16777216)))", "0".repeat(5_000_000));
    let said = refusal(&script, "");
    assert!(said.contains("beyond the budget"), "{said}");
}
