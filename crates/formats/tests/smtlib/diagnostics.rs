//! Faults, each with its rendered message. The snapshot is the specification; `INSTA_UPDATE=always` blesses a
//! new one.

use crate::smtlib::transcript::{LENIENT, STRICT, read};
use bivalve_formats::DiagnosticKind;
use bivalve_formats::smtlib::ParserOptions;

/// Declarations that all cases may use.
const PROLOGUE: &str = "(set-logic QF_AUFBV)
(declare-const p Bool)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const mem (Array (_ BitVec 4) (_ BitVec 8)))
(declare-sort U 0)
(declare-const u U)
(declare-fun f ((_ BitVec 8) Bool) (_ BitVec 8))
(define-fun twice ((n (_ BitVec 8))) (_ BitVec 8) (bvadd n n))
";

const FAULTY: &[&str] = &[
    // Tokens.
    "(assert é)",
    "(assert \u{1})",
    "(assert 12ab)",
    "(assert #b012)",
    "(assert #xfg)",
    "(assert #o17)",
    "(set-info : 1)",
    "(echo \"never closed)",
    "(assert |never closed)",
    // Grammar.
    ")",
    "assert",
    "(assert",
    "(assert (and p\n  (or p p)\n",
    "()",
    "(\"assert\" p)",
    "(assert p p)",
    "(assert ())",
    "(assert (()))",
    "(assert (let p))",
    "(assert (let ((q p) r) q))",
    "(assert (let ((q p) (q p)) q))",
    "(assert (! p named))",
    "(assert (! p :named))",
    "(assert (! p :named p))",
    "(push -1)",
    "(push 4294967296)",
    "(get-value ())",
    "(check-sat-assuming p)",
    "(echo unquoted)",
    // Names.
    "(asert p)",
    "(assert (bvadd x yy))",
    "(assert (bvaddd x y))",
    "(assert (= (select memm #x0) x))",
    "(declare-const x Bool)",
    "(declare-const let Bool)",
    "(declare-const bvadd Bool)",
    "(declare-const true Bool)",
    "(declare-sort U 0)",
    "(declare-const z Unknown)",
    "(define-fun g ((a Bool) (a Bool)) Bool a)",
    "(define-fun g ((a Bool)) Bool (! a :named b))",
    "(assert (as p U))",
    // Sorts.
    "(assert x)",
    "(assert (bvadd x p))",
    "(assert (= x y p))",
    "(assert (= x ((_ zero_extend 4) y)))",
    "(assert (ite x p p))",
    "(assert (= (select mem x) x))",
    "(assert (bvult x))",
    "(assert (bvult x y x))",
    "(assert (xor))",
    "(minimize p)",
    "(maximize x :weight 2)",
    "(assert-soft x)",
    "(assert-soft p :weight p)",
    "(assert-soft p :weight (/ 1 0))",
    "(get-all-models (x mem))",
    "(get-all-models (x) :limit p)",
    "(count-models ())",
    "(get-interpolant 5 p)",
    "(get-interpolant I p p)",
    "(get-interpolant (p z))",
    "(get-interpolants p (p))",
    "(assert (= ((_ extract 3 5) x) x))",
    "(assert (= ((_ extract 8 0) x) x))",
    "(assert (= ((_ extract 3) x) x))",
    "(assert (= (zero_extend x) x))",
    "(assert (= (extract 3 x) x))",
    "(assert (= ((_ repeat 0) x) x))",
    "(assert (= ((_ repeat 99999999) x) x))",
    "(assert (= (f x) x))",
    "(assert (= (f p x) x))",
    "(assert (= f f))",
    "(assert (= (twice p) x))",
    "(assert (= (twice x x) x))",
    "(assert (x p))",
    "(assert (= ((as const (_ BitVec 8)) x) x))",
    "(assert (= ((as const (Array Bool Bool)) x) mem))",
    "(define-fun g () Bool x)",
    "(declare-const a (Array Bool))",
    "(declare-const a Array)",
    "(declare-const a (_ BitVec 0))",
    "(declare-const a (_ BitVec 2147483648))",
    "(declare-const a (_ BitVec))",
    // Literals.
    "(assert (= x (_ bv256 8)))",
    "(assert (= x (_ bv1 99999999999)))",
    "(assert (= x (_ bv1 0)))",
    "(assert (= x (_ bvx 8)))",
    "(assert (= x ((_ extract 4294967296 0) x)))",
    // What is not here.
    "(assert (= 1 x))",
    "(assert (= 1.5 x))",
    "(assert (= \"a\" x))",
    "(assert (forall ((z Bool)) z))",
    "(assert (exists ((z Bool)) z))",
    "(assert (match u ((a p))))",
    "(assert (= (ubv_to_int x) x))",
    "(assert (= (div (ubv_to_int x) (- (ubv_to_int x) 255)) 1))",
    "(assert (< (ubv_to_int p) 1))",
    "(assert (= (bvadd x 1) x))",
    "(assert (= (int_to_bv (ubv_to_int x)) x))",
    "(assert (= ((_ int_to_bv 0) (ubv_to_int x)) x))",
    "(assert (= (ubv_to_int x) (+ (sbv_to_int x) p)))",
    "(assert (ite p 1 x))",
    "(assert (> (abs (ubv_to_int x) 1) 1))",
    "(assert (> (to_real (ubv_to_int x)) 1))",
    "(define-fun g ((n Int)) Int (+ n 1))",
    "(declare-fun g (Int) Bool)",
    "(declare-const a (Array Int Bool))",
    "(declare-datatype T ((a))) (declare-const t T)",
    "(declare-datatype L ((a) (b (l L)))) (declare-const t L)",
    "(assert (= ((_ int2bv 8) x) x))",
    "(assert (= (ubv_to_int x) x))",
    "(assert (str.< x y))",
    "(assert (fp.isNaN x))",
    "(declare-const a Int)",
    "(declare-const a (_ FloatingPoint 1 24))",
    "(declare-const a (_ FloatingPoint 8))",
    "(declare-const a Real)",
    "(assert (fp.lt ((_ to_fp 3 5) RNE x) ((_ to_fp 3 4) RNE x)))",
    "(assert (= ((_ to_fp 3 5) x) ((_ to_fp 3 6) x)))",
    "(assert (fp.isNaN (fp.add x x)))",
    "(assert (fp.isNaN (fp #b0 #b0 x)))",
    "(assert (fp.isNaN (_ NaN 3 99999999)))",
    "(assert (fp.isNaN (to_fp x)))",
    "(assert (fp.isNaN ((_ to_fp 3 5) RNE (/ 1 0))))",
    "(assert (fp.isNaN ((_ to_fp 3 5) RNE (/ 1 (bv2nat x)))))",
    "(assert (= 1.5 (+ 2 (/ 3 2))))",
    "(assert (= x ((_ fp.to_ubv 0) RNE (_ NaN 3 5))))",
    "(assert (< (fp.to_real x) 1.0))",
    "(declare-datatypes ((T 0) (T 0)) (((a)) ((b))))",
    "(declare-datatypes ((T 0)) (((a)))",
    "(define-fun-rec g ((a Bool)) Bool (g a))",
    "(assert (= u (as @U_0 U)))",
    "(assert (fp.isZero ((_ to_fp 3 5) RNE |-1.5|)))",
    "(assert (fp.isZero ((_ to_fp 3 5) RNE -1.)))",
    "(check-sat-using)",
];

const ONLY_LENIENT: &[&str] = &[
    "(declare-datatypes ((T 0)) (((a)))) (assert (= (a) (a)))",
    "(declare-datatypes () ((T a b)))",
    "(assert (and p))",
    "(assert (implies p p))",
    "(assert (= x (bvsub x x x)))",
    "(assert (= #b1 (bvredor x)))",
    "(assert (= x (rotate_left x y)))",
    "(assert (= x (zero_extend 0 x)))",
    "(assert (p))",
    "(assert (! p))",
    "(assert (let () p))",
    "(assert (= mem ((as const (Array (_ BitVec 4) (_ BitVec 8))) x)))",
    "(push)",
    "(declare-sort V)",
    "(declare-const @z Bool)",
    "(declare-const assert Bool)",
    "(check-sat-assuming ((and p p)))",
    "(simplify p)",
    "(push 007)",
    "(assert (= (bv2nat x) 1))",
    "(assert (= ((_ int2bv 8) 1) x))",
    "(get-consequences () (p))",
    "(minimize x)",
    "(assert-soft p)",
    "(get-all-models (x))",
    "(count-models (x))",
    "(get-interpolant I p)",
    "(get-interpolants (p))",
    "(assert and)",
    "(get-value (f))",
    "(declare-const |a\\b| Bool)",
    "(declare-const z (U))",
    "(assert (fp.isZero ((_ to_fp 3 5) RNE -1.5)))",
    "(assert (= p (< -1 2)))",
    "(assert (= #b1000 (to_ieee_bv (_ -zero 2 2))))",
    "(check-sat-using (then simplify smt))",
];

fn messages(cases: &[&str], options: ParserOptions) -> String {
    let mut text = String::new();
    for case in cases {
        let transcript = read(format!("{PROLOGUE}{case}").as_bytes(), options);
        assert!(!transcript.refusals.is_empty(), "nothing is wrong with {case}");
        for refusal in transcript.refusals {
            text.push_str(&format!("{:?} {}\n", refusal.kind, refusal.render()));
        }
    }
    text
}

#[test]
fn faults_are_told_and_shown() {
    insta::assert_snapshot!("faults", messages(FAULTY, LENIENT));
}

#[test]
fn habits_are_refused_where_the_standard_is_kept() {
    for case in ONLY_LENIENT {
        let transcript = read(format!("{PROLOGUE}{case}").as_bytes(), LENIENT);
        assert_eq!(transcript.refusals, vec![], "{case}");
    }
    insta::assert_snapshot!("strict", messages(ONLY_LENIENT, STRICT));
}

#[test]
fn a_logic_must_be_set_first_where_the_standard_is_kept() {
    let text = "(declare-const x Bool)(set-logic QF_BV)(declare-const x Bool)(reset)(assert true)";
    let transcript = read(text.as_bytes(), STRICT);
    assert_eq!(transcript.refusals.len(), 2);
    assert!(transcript.refusals.iter().all(|refusal| refusal.kind == DiagnosticKind::Strict));
    assert_eq!(read(text.as_bytes(), LENIENT).refusals.len(), 1);
}

/// These were accepted: a logic and options when it is too late, and what a logic does not have.
#[test]
fn modes_and_logics_are_those_of_the_standard_where_it_is_kept() {
    for (text, count) in [
        ("(set-logic QF_BV)(set-logic QF_ABV)", 1),
        ("(set-logic QF_BV)(reset)(set-logic QF_ABV)", 0),
        ("(set-option :global-declarations true)(set-logic QF_BV)(set-option :global-declarations true)", 1),
        ("(set-logic QF_BV)(set-option :random-seed 1)(set-option :produce-unsat-cores true)", 2),
        ("(set-logic QF_BV)(set-option :print-success true)(set-option :verbosity 1)", 0),
        ("(set-logic QF_BV)(declare-sort S 0)", 1),
        ("(set-logic QF_BV)(declare-fun f ((_ BitVec 8)) Bool)(declare-fun x () (_ BitVec 8))", 1),
        ("(set-logic QF_BV)(declare-const a (Array (_ BitVec 8) Bool))(define-fun g ((x Bool)) Bool x)", 1),
        ("(set-logic QF_ABV)(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-sort S 0)", 1),
        ("(set-logic QF_UFBV)(declare-fun f ((_ BitVec 8)) Bool)(declare-sort S 0)", 0),
        ("(set-logic QF_UF)(declare-sort S 0)(assert (= #b0 #b1))(declare-const x (_ BitVec 8))", 2),
        ("(set-logic QF_AX)(declare-sort S 0)(declare-const a (Array S S))(declare-fun f (S) S)", 1),
        ("(set-logic ALL)(declare-sort S 0)(declare-const a (Array S (_ BitVec 8)))", 0),
    ] {
        let refusals = read(text.as_bytes(), STRICT).refusals;
        assert_eq!(refusals.len(), count, "{text}: {refusals:?}");
        assert!(refusals.iter().all(|refusal| refusal.kind == DiagnosticKind::Strict), "{refusals:?}");
        assert_eq!(read(text.as_bytes(), LENIENT).refusals, vec![], "{text}");
    }
}

/// A refused command leaves nothing behind: no label, no variable, no declaration.
#[test]
fn refusals_leave_no_trace() {
    let text = "(declare-const p Bool)(declare-const x (_ BitVec 8))
        (assert (and (! p :named n) (let ((p x)) (bvadd p p))))
        (assert (! p :named n))
        (define-fun g ((q Bool)) Bool (bvnot q))
        (define-fun g ((q Bool)) Bool (not q))
        (define-sort V (W) (Array W Unknown))
        (define-sort V (W) (Array W W))
        (declare-const a (V Bool))
        (assert (and n (g p) (select a p)))";
    let transcript = read(text.as_bytes(), LENIENT);
    let lines: Vec<u64> = transcript.refusals.iter().map(|refusal| refusal.line).collect();
    assert_eq!(lines, [2, 4, 6]);
}

/// Where the input ends inside of a command, the message has the place of a parenthesis that is open.
#[test]
fn what_is_not_closed_is_shown_where_it_was_opened() {
    for (text, expected) in [
        ("(assert true)\n(assert (and p\n  (or p", Some((3, 3))),
        // The reader stops at the next command, and all that follows is in the open one.
        ("(assert true\n(assert true)\n(check-sat)\n", Some((1, 1))),
        ("(assert true\n(assert (and true\n(check-sat))\n", Some((1, 1))),
        ("(assert (and true (or foo true)\n(check-sat)", Some((1, 1))),
        ("(check-sat\n", Some((1, 1))),
        ("(assert (and foo true))\n(check-sat)", None),
        ("(assert (= |a b\n", None),
        ("(echo \"a\n", None),
        (")", None),
    ] {
        let refusals = read(text.as_bytes(), LENIENT).refusals;
        let opening = refusals.last().expect(text).unclosed.as_deref();
        let found = opening.map(|opening| (opening.line, opening.column));
        assert_eq!(found, expected, "{text}");
        let message = refusals.last().expect(text).to_string();
        assert_eq!(message.ends_with(" is not closed"), expected.is_some(), "{message}");
    }
}

/// Wide characters and tabs before the fault, a line that is cut, and colours.
#[test]
fn carets_stand_below_the_fault() {
    let below = |text: &str| {
        let shown = read(text.as_bytes(), LENIENT).refusals[0].render();
        shown.lines().rev().take(2).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(below("(assert (= |ä漢|\ttru))\n"), "  |            ^^^^^\n1 | (assert (= |ä漢| tru))");
    let long = below(&format!("(assert (and {} tru true))", "true ".repeat(100)));
    assert!(long.starts_with("  | ") && long.lines().all(|line| line.chars().count() < 140), "{long}");
    let refusal = &read(&b"(assert tru)"[..], LENIENT).refusals[0];
    assert!(refusal.render_on(true, 80).contains("\u{1b}[") && !refusal.render().contains('\u{1b}'));
}

/// Whatever is wrong, reading goes on behind the command.
#[test]
fn reading_goes_on_behind_a_refused_command() {
    let text = "(assert (foo \")\" |)| ; )\n ((x)) #zz)) (check-sat) (assert) (check-sat) ) (check-sat) 5 (check-sat)";
    let transcript = read(text.as_bytes(), LENIENT);
    assert_eq!((transcript.refusals.len(), transcript.commands.len()), (4, 4));
}

/// Numbers beyond all bounds cost no more than their text.
#[test]
fn huge_numbers_are_refused_quickly() {
    let digits = "9".repeat(1_000_000);
    for case in [
        format!("(declare-const x (_ BitVec {digits}))"),
        format!("(assert (= (_ bv{digits} 32) #x00000000))"),
        format!("(assert (= (_ bv1 {digits}) #b1))"),
        format!("(push {digits})"),
        format!("(declare-sort S {digits})"),
        format!("(assert (= ((_ repeat {digits}) #b1) #b1))"),
        format!("(assert {digits})"),
        format!("(assert {digits}.5)"),
    ] {
        let transcript = read(case.as_bytes(), LENIENT);
        assert_eq!(transcript.refusals.len(), 1);
        assert!(transcript.refusals[0].render().len() < 1000);
    }
    let zeros = "0".repeat(1_000_000);
    assert_eq!(read(format!("(assert (= (_ bv{zeros}7 3) #b111))").as_bytes(), LENIENT).refusals, vec![]);
    let wide = "f".repeat(1 << 22);
    assert_eq!(read(format!("(assert (= #x{wide} #x{wide}))").as_bytes(), LENIENT).refusals, vec![]);
    assert_eq!(read(format!("(assert (= #x{wide}f #x{wide}f))").as_bytes(), LENIENT).refusals.len(), 1);
}
