//! `bivalve simplify` through the real binary: what it prints is read again and answered as the script is,
//! whatever the options, with values for the symbols of the script; a small script stands beside its
//! simplified form.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::piped;
use std::path::Path;

fn printed(options: &[&str], text: &str) -> String {
    let output = piped(&[&["simplify"], options].concat(), text.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const SMALL: &str = "
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const p Bool)
(assert (= z (bvadd x #x01)))
(assert (bvult y #x10))
(assert (or p (bvult y #x20) (= x y)))
(assert (=> p (= (bvmul y z) #x2a)))
(check-sat)
(assert false)
";

#[test]
fn a_small_script_and_what_is_left() {
    let all = printed(&["--rewrite-from", "0"], SMALL);
    let none = printed(&["--rewrite-level", "0"], SMALL);
    insta::assert_snapshot!(format!("{all}\n; --rewrite-level 0\n{none}"));
    let answered =
        piped(&[], format!("{all}(get-value (x))(get-value (y))(get-value (z))(get-value (p))").as_bytes());
    let answers = String::from_utf8(answered.stdout).unwrap();
    // The values, put into the script, satisfy it.
    let pairs = answers.lines().filter_map(|line| line.strip_prefix("((")?.strip_suffix("))"));
    let equations: Vec<String> = pairs.map(|pair| format!("(assert (= {pair}))\n")).collect();
    assert_eq!(equations.len(), 4, "{answers}");
    let equations = equations.concat();
    let whole = SMALL.replace("(check-sat)\n(assert false)", &format!("{equations}(check-sat)"));
    assert_eq!(String::from_utf8(piped(&[], whole.as_bytes()).stdout).unwrap(), "sat\n", "{whole}");
}

#[test]
fn scripts_have_the_same_answer_when_simplified() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regressions");
    let mut scripts: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    scripts.sort();
    let mut checked = 0;
    for path in scripts {
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text.lines().find_map(|line| line.strip_prefix("; expect: "));
        let Some(expected) = expected.filter(|line| ["sat", "unsat"].contains(line)) else { continue };
        for options in
            [&[][..], &["--rewrite-from", "0"], &["--rewrite-level", "1"], &["--rewrite-level", "3"]]
        {
            let simplified = printed(options, &text);
            let answered = piped(&["--rewrite-level", "0"], simplified.as_bytes());
            let answer = String::from_utf8(answered.stdout).unwrap();
            assert_eq!(answer.trim(), expected, "{} {options:?}\n{simplified}", path.display());
        }
        checked += 1;
    }
    assert!(checked > 3, "{checked} scripts");
}

/// What a check assumes was left out, so that a simplified script had another answer.
#[test]
fn assumptions_of_the_first_check_are_asserted() {
    let script = "(declare-const p Bool)(declare-const q Bool)(assert p)(check-sat-assuming (q (not p)))";
    for level in ["0", "3"] {
        let simplified = printed(&["--rewrite-level", level], script);
        assert_eq!(piped(&[], simplified.as_bytes()).stdout, b"unsat\n", "{simplified}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let output = piped(&["simplify"], b"(assert (bvult x y))");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard input:1:"));
    assert_eq!(piped(&["simplify", "--rewrite-level", "9"], b"").status.code(), Some(2));
    assert_eq!(piped(&["simplify", "no such file"], b"").status.code(), Some(2));
}

/// Floats stay floats, simplified by the laws of their operators; what is printed says the same.
#[test]
fn floats_are_simplified_as_floats() {
    let script = "
(set-logic QF_BVFP)
(declare-const x Float32)
(declare-const y Float32)
(declare-const n (_ BitVec 16))
(declare-const r RoundingMode)
(declare-const p Bool)
(define-fun d ((z Float32)) Float64 ((_ to_fp 11 53) r z))
(define-fun one () Float32 ((_ to_fp 8 24) RNE 1.0))
(assert (fp.lt (fp.add RNE (fp.mul RNE x one) ((_ to_fp 8 24) RNE 0.5)) ((_ to_fp 8 24) RNE 8.0)))
(assert (and (= y ((_ to_fp 8 24) r (fp.div r (d x) (d one)))) (or p (fp.isNaN ((_ to_fp 5 11) r n)))))
(assert (= n ((_ fp.to_sbv 16) RTZ ((_ to_fp 8 24) RNE n))))
(assert (= #x0003 ((_ fp.to_sbv 16) RTZ (fp.mul r x y))))
(check-sat)
";
    let simplified = printed(&[], script);
    insta::assert_snapshot!(simplified);
    for simplified in [simplified, printed(&["--rewrite-level", "0"], script)] {
        let asked = format!(
            "{simplified}(get-value (x))(get-value (y))(get-value (n))(get-value (r))(get-value (p))"
        );
        let answers = String::from_utf8(piped(&[], asked.as_bytes()).stdout).unwrap();
        // The values, put into the script, satisfy it.
        let pairs = answers.lines().filter_map(|line| line.strip_prefix("((")?.strip_suffix("))"));
        let equations: Vec<String> = pairs.map(|pair| format!("(assert (= {pair}))\n")).collect();
        assert_eq!(equations.len(), 5, "{simplified}{answers}");
        let whole = script.replace("(check-sat)", &format!("{}(check-sat)", equations.concat()));
        assert_eq!(String::from_utf8(piped(&[], whole.as_bytes()).stdout).unwrap(), "sat\n", "{whole}");
    }
    let contradictory = script.replace("(assert (= n (", "(assert (distinct n (");
    assert!(printed(&[], &contradictory).ends_with("(assert false)\n(check-sat)\n"));
}
