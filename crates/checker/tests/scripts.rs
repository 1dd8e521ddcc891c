//! What the checker reads of scripts: names that annotations give, sorts with parameters, dialects.

use bivalve_checker::check::{Verified, check};

/// Reads a script to its end.
fn read(script: &str) -> Result<Verified, String> {
    check(script, &b"bvc 1\n"[..])
}

/// Are the first two things that are asserted opposites, as they are read?
fn are_opposites(script: &str) -> Result<(), String> {
    let steps = "bvc 1 check 0 assertion 0 assertion 1 split 0 end 0";
    check(script, steps.as_bytes()).map(drop)
}

#[test]
fn terms_within_terms_have_names() -> Result<(), String> {
    let declared = "(declare-const x Bool) (declare-const y Bool)";
    are_opposites(&format!(
        "{declared} (assert (not (! (or x (! y :named b)) :named a))) (assert a) (check-sat)"
    ))?;
    let script = "(assert (not (! (or (! y :named b) b) :named a))) (assert a) (check-sat)";
    are_opposites(&format!("{declared} {script}"))?;
    let said = read(&format!("{declared} (assert (let ((b x)) (! y :named b)))"));
    assert!(said.is_err_and(|why| why.contains("'b' is declared already")));
    read(&format!("{declared} (assert (or (! y :named b) (let ((b x)) b))) (assert b)"))?;
    let said = read(&format!("{declared} (assert (or b (! y :named b)))"));
    assert!(said.is_err_and(|why| why.contains("'b' is not declared")), "names follow their terms");
    let said = read("(define-fun f () Bool (! true :named f))");
    assert!(said.is_err_and(|why| why.contains("'f' is declared already")));
    are_opposites(&format!(
        "{declared} (define-fun f () Bool (or x (! y :named b))) (assert (not b)) (assert y) (check-sat)"
    ))?;
    // A name ends with its level, and there is one of a kind.
    read(&format!("{declared} (push) (assert (or x (! y :named b))) (assert b) (pop)"))?;
    let said = read(&format!("{declared} (push) (assert (or x (! y :named b))) (pop) (assert b)"));
    assert!(said.is_err_and(|why| why.contains("'b' is not declared")));
    let said = read(&format!("{declared} (assert (or x (! y :named x)))"));
    assert!(said.is_err_and(|why| why.contains("'x' is declared already")));
    // What has a name in a definition with parameters is not about them.
    let said = read(&format!("{declared} (define-fun f ((p Bool)) Bool (or x (! p :named b)))"));
    assert!(said.is_err_and(|why| why.contains("'b' is a name of what is about parameters")));
    read(&format!("{declared} (define-fun f ((p Bool)) Bool (or p (! x :named b))) (assert b)"))?;
    Ok(())
}

#[test]
fn dialects_are_read() -> Result<(), String> {
    let declared = "(declare-const x (_ BitVec 3)) (declare-const y (_ BitVec 3)) (declare-const p Bool)";
    for (dialect, standard) in [
        ("(distinct x)", "true"),
        ("(= x)", "true"),
        ("(iff p)", "true"),
        ("(p)", "p"),
        ("(= (rotate_left x y) y)", "(= (ext_rotate_left x y) y)"),
        ("(= (rotate_right x y) y)", "(= (ext_rotate_right x y) y)"),
        ("(bvsmul_noovfl x y)", "(not (and (bvsmulo x y) (= ((_ extract 2 2) x) ((_ extract 2 2) y))))"),
        (
            "(bvsmul_noudfl x y)",
            "(not (and (bvsmulo x y) (distinct ((_ extract 2 2) x) ((_ extract 2 2) y))))",
        ),
    ] {
        are_opposites(&format!("{declared} (assert (not {dialect})) (assert {standard}) (check-sat)"))
            .map_err(|why| format!("{dialect}: {why}"))?;
    }
    Ok(())
}

#[test]
fn defined_sorts_have_parameters() -> Result<(), String> {
    let defined = "(define-sort Word () (_ BitVec 2)) (define-sort Twice (X Y) (Array X (Array Y X)))
        (define-sort Both (Y) (Twice Y (Twice Word Y))) (declare-sort X 0) (declare-const a (Both X))
        (declare-const b (Array X (Array (Array (_ BitVec 2) (Array X (_ BitVec 2))) X)))";
    are_opposites(&format!("{defined} (assert (not (= a b))) (assert (= a b)) (check-sat)"))?;
    for (script, why) in [
        ("(declare-const c (Twice X))", "another number of arguments"),
        ("(declare-const c Twice)", "another number of arguments"),
        ("(declare-const c (Word X))", "another number of arguments"),
        ("(declare-const c Y)", "the sort 'Y' is not declared"),
        ("(declare-const c (Thrice X))", "the sort 'Thrice' is not declared"),
        ("(push) (define-sort P (Z) Z) (pop) (declare-const c (P X))", "the sort 'P' is not declared"),
        ("(declare-const c (Array X))", "the sort 'Array' is not declared"),
        ("(declare-const c (_ BitVec X))", "a width was expected"),
        ("(declare-sort List 1)", "declared sorts with parameters"),
        ("(declare-const c (Both Word)) (assert (= a c))", "cannot be applied"),
    ] {
        let said = read(&format!("{defined} {script}")).expect_err(script);
        assert!(said.contains(why), "{script}: {said}");
    }
    // Sorts that double thirty times are read in no time.
    let doubled: String =
        (1..=30).map(|n| format!("(define-sort D{n} (X) (Twice (D{} X) X))", n - 1)).collect();
    read(&format!("{defined} (define-sort D0 (X) X) {doubled} (declare-const c (D30 Word))"))?;
    Ok(())
}
