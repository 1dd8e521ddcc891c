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
    // Queries and objectives are passed over, but what they give a name to would be missed behind them.
    for query in ["(minimize x)", "(get-all-models (x) :limit 2)"] {
        read(&format!("{declared} {query}"))?;
        let said = read(&format!("{declared} {}", query.replacen('x', "(! x :named n)", 1)));
        assert!(said.is_err_and(|why| why.contains("a name in a query")), "{query}");
    }
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

/// Scripts that have a model, and that a lax reader takes for contradictions: each is refused, or has no
/// contradiction in one step.
#[test]
fn what_is_not_asserted_is_not_read() {
    let declared = "(declare-const p Bool)";
    for script in [
        "(declare-fun |let| (Bool Bool) Bool) (assert (|let| p false)) (check-sat)",
        "(declare-fun |!| (Bool Bool) Bool) (assert (|!| false p)) (check-sat)",
        "(assert false) ; a remark\r(reset-assertions)\n(check-sat)",
        "(define-fun true () Bool false) (assert true) (check-sat)",
        "(define-fun bvult ((x (_ BitVec 4)) (y (_ BitVec 4))) Bool false) (assert (bvult #x1 #x2)) (check-sat)",
        "(assert (let p false)) (check-sat)",
        "(assert (let ((x true) (x false)) x)) (check-sat)",
        "(define-fun f ((x Bool) (x Bool)) Bool x) (assert (f true false)) (check-sat)",
        "(assert (let ((x #b1_0)) false)) (check-sat)",
        "(assert (= (_ bv+1 4) #x2)) (check-sat)",
        "(assert (= (_ bv 4) #x2)) (check-sat)",
        "(assert (! false named n)) (check-sat)",
        "(|assert| false) (check-sat)",
        "(check-sat false) (assert false)",
        "(declare-sort S 0) (declare-sort S 0) (assert false) (check-sat)",
        "(assert (and #b1)) (assert false) (check-sat)",
        "(assert ((_ and) false p)) (check-sat)",
        "(set-info :a b c) (assert false) (check-sat)",
    ] {
        let said = check(&format!("{declared} {script}"), &b"bvc 1 check 0 assertion 0 end 0"[..]);
        assert!(said.is_err(), "{script}");
    }
}

/// What the solver takes beside the standard is taken here, too.
#[test]
fn what_the_solver_reads_is_read() -> Result<(), String> {
    for script in [
        "(assert (and (false) false))",
        "(assert (not (! true :named a))) (get-value ((! a :named b))) (assert b)",
        "(assert (= (extract 0 0 #b10) #b1))",
        "(declare-const x Bool) (assert (and (as x Bool) false))",
        "(declare-fun f (Bool) Bool) (assert (and ((as f Bool) true) false))",
        "(declare-fun |_| (Bool) Bool) (assert (and (|_| true) false))",
        "(set-logic QF_UF) (declare-fun bvadd (Bool Bool) Bool) (assert (and (bvadd true true) false))",
    ] {
        read(&format!("{script} (check-sat)"))?;
    }
    Ok(())
}

/// Levels cost nothing, however many are opened at once.
#[test]
fn levels_are_counted() -> Result<(), String> {
    are_opposites(
        "(push 4294967295) (declare-const x Bool) (pop 4294967290) (push 3) (declare-const x Bool) (assert x)
         (pop 1) (declare-const x Bool) (assert (not x)) (assert x) (check-sat)",
    )?;
    let said = read("(push 4) (pop 2) (pop 3)");
    assert!(said.is_err_and(|why| why.contains("there is no level to pop")));
    Ok(())
}

/// What it stands for is in the tests of `bivalve-judge`, where scripts with it are certified.
#[test]
fn a_match_is_read() -> Result<(), String> {
    let declared = "(declare-datatypes ((C 0) (D 0))
            (((mix (l Bool) (r (_ BitVec 4))) (tint (h (_ BitVec 5)))) ((d (of C)))))
        (declare-const c C) (declare-const e D) (declare-const p Bool)";
    for matched in [
        "(match c (((mix a _) a) ((tint h) p)))",
        "(match c (((tint x) p) (other (= other c))))",
        "(match c (((mix a b) a) ((mix b a) b) (_ p) ((tint _) (not p))))",
        "(match e (((d x) (match x (((mix x y) x) (x p))))))",
    ] {
        read(&format!("{declared} (assert {matched})")).map_err(|why| format!("{matched}: {why}"))?;
    }
    for (matched, why) in [
        ("(match c (((mix a _) p)))", "without a case"),
        ("(match c (((mix a a) p) (b p)))", "'a' twice"),
        ("(match c (((mix a) p) (b p)))", "another number of fields"),
        ("(match c (((tint _) p) (b #b1)))", "the sorts"),
        ("(match c ((b p) ((tint _) #b1)))", "different sorts"),
        ("(match c (((d x) p) (b p)))", "a constructor of what is matched"),
        ("(match p ((x p)))", "no record"),
        ("(match c ())", "without a case"),
        ("(let ((y (match c (((mix a _) a) (_ p))))) a)", "'a' is not declared"),
    ] {
        let said = read(&format!("{declared} (assert {matched})"));
        assert!(said.as_ref().is_err_and(|said| said.contains(why)), "{matched}: {:?}", said.err());
    }
    Ok(())
}
