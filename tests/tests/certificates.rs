//! Certificates: every `unsat` of random scripts has one, it checks, and no altered one shows anything wrong.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve::terms::{Evaluator, Pool};
use bivalve::{CheckResult, Stop};
use bivalve_certificate::{Certifier, NoCertificate};
use bivalve_checker::check::{Checker, Verified};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_fuzz::mixture::Mixture;
use bivalve_fuzz::systems::small;
use bivalve_judge::Certified;
use bivalve_model_check::{Engine, Obligation, Options, Verdict};
use bivalve_session::{Certificate, Certification, Config, Evidence, Form, NoMonitor, Reply, Session};
use std::collections::BTreeSet;
use std::process;
use workspace_tests::{bivalve, root};

#[path = "../../crates/checker/tests/opinion/mod.rs"]
mod opinion;

fn run(script: &str, form: Form) -> Certified {
    Certified::at_leisure(script, form)
}

fn unsatisfiable(run: &Certified) -> Vec<u64> {
    run.checks(CheckResult::Unsat)
}

/// What the checker says of a certificate. Whatever it verifies has a clausal part that is LRAT.
fn verified(script: &str, certificate: &[u8]) -> Result<Verified, String> {
    let mut checker = Checker::new(script, certificate)?;
    checker.keep_refutations();
    while checker.next_verified()?.is_some() {
        for one in checker.take_refutations() {
            opinion::check(&one.cnf, &one.lrat).unwrap_or_else(|why| panic!("{}: {why}\n{script}", one.name));
        }
    }
    Ok(checker.verified())
}

const SCRIPTS: [&str; 27] = [
    // Sums with conditional summands, each under a condition and its opposite, and truth values by what they
    // are not.
    "(declare-const w0 (_ BitVec 10)) (declare-const w1 (_ BitVec 10)) (declare-const w2 (_ BitVec 10))
    (declare-const w3 (_ BitVec 10)) (declare-const a Bool) (declare-const b Bool) (declare-const c Bool)
    (declare-const d Bool) (assert (= w0 #b0000000000)) (assert (=> a (= (bvsub w1 w0) #b0000000011)))
    (assert (=> (not a) (= w1 w0))) (assert (=> (not b) (= w2 w1))) (assert (=> b (= #b0000000101 (bvsub w2
    w1)))) (assert (=> c (= (bvmul w3 #b0000000111) (bvadd w2 #b0000000111)))) (assert (=> (not c) (= (bvnot
    w2) (bvnot w3)))) (assert (not (= d (and a b)))) (assert (bvugt w1 w0)) (assert (=> d (bvugt w3
    #b0000000101))) (assert (=> (not d) (bvult w3 w2))) (assert (bvult w2 #b0000001001)) (assert (not c))
    (check-sat)",
    // Symbols of which bits are constant, by bounds, parities and each other, and parts that have bounds.
    "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64)) (declare-const z (_ BitVec 64))
    (declare-const p Bool) (assert (bvult x #x0000000000000800)) (assert (= ((_ extract 2 0) x) #b000))
    (assert (bvule y x)) (assert (=> p (bvult z #x0000000000000010))) (push)
    (assert (bvugt (bvadd (bvmul x y) y) #x0000000000800000)) (check-sat) (pop) (push)
    (assert (distinct (bvlshr (bvshl (bvadd x y) #x0000000000000020) #x0000000000000020) (bvadd y x)))
    (check-sat) (pop) (check-sat-assuming (p (bvult (bvshl z x) x) (bvugt z x) (distinct (bvlshr x z) y)
    (bvult #x0000000000000010 y))) (assert (bvult x #x0000000000000008)) (assert (distinct x y)) (check-sat)",
    // A lemma that is shown by more elements of a declared sort than there was room for.
    "(declare-sort A 0) (declare-fun a ((Array Bool A)) A) (declare-const b (Array Bool A)) (declare-const c
    (Array Bool A)) (declare-fun d (Bool) (Array Bool A)) (declare-const e Bool) (declare-fun f (A (_ BitVec
    1) Bool) (Array Bool A)) (declare-const g A) (assert (let ((_0 (f g #b0 false)) (_1 (a (d true)))) (and
    (= (store ((as const (Array Bool A)) _1) e (a (ite e c ((as const (Array Bool A)) (a b))))) _0) (= _0
    ((as const (Array Bool A)) (a (d e)))) (not (= _1 (a (d e))))))) (check-sat)",
    // Words too wide for circuits: products grow with their factors,
    "(declare-const x (_ BitVec 90)) (declare-const y (_ BitVec 90)) (declare-const z (_ BitVec 90))
    (define-fun wide ((w (_ BitVec 90))) (_ BitVec 200) ((_ zero_extend 110) w)) (assert (bvule x y))
    (assert (bvult (bvmul (wide y) (wide z)) (bvmul (wide z) (wide x)))) (check-sat)",
    // a product overflows where one factor is more than the quotient by the other,
    "(declare-const a (_ BitVec 100)) (declare-const b (_ BitVec 100))
    (define-fun overflows () Bool (distinct ((_ extract 199 100) (bvmul ((_ zero_extend 100) a)
    ((_ zero_extend 100) b))) (_ bv0 100))) (push) (assert overflows)
    (assert (bvuge (bvudiv (bvnot (_ bv0 100)) a) b)) (check-sat) (pop) (assert (distinct a (_ bv0 100)))
    (assert (= overflows (= (bvudiv (bvmul a b) a) b))) (check-sat)",
    // quotient and remainder give the dividend,
    "(declare-const a (_ BitVec 300)) (declare-const b (_ BitVec 300))
    (assert (distinct (bvadd (bvurem a b) (bvmul b (bvudiv a b))) a)) (check-sat)",
    // and bounds by quotients change sides.
    "(declare-const s (_ BitVec 40)) (declare-const t (_ BitVec 40))
    (assert (distinct (bvule (bvmul s s) (bvudiv s t)) (bvule t (bvudiv s (bvmul s s))))) (check-sat)",
    // Choices that say on all branches what a symbol is, one of them of one bit, nested and with more to say.
    "(declare-const c Bool) (declare-const d Bool) (declare-const p Bool) (declare-const b (_ BitVec 1))
    (declare-const x (_ BitVec 40)) (declare-const s (_ BitVec 40)) (declare-const t (_ BitVec 40))
    (assert (ite c (and (= x s) p) (ite d (= x t) (and (= x (bvadd s t)) (bvult s t)))))
    (assert (not (= (= b #b1) (bvult s t)))) (assert (distinct x s)) (assert (distinct x t)) (push)
    (assert (= b #b1)) (check-sat) (pop) (assert c) (check-sat)",
    // A conjunct, and one that is negated, below others.
    "(declare-const p Bool) (declare-const q Bool) (declare-const s (_ BitVec 9)) (declare-const t (_ BitVec 9))
    (assert (bvult s t)) (assert (not (bvult (bvmul s t) s))) (assert (or (not (bvult s t)) p q))
    (assert (or p (bvult (bvmul s t) s) (not q))) (assert (not (and p (bvult s t)))) (check-sat)",
    // Arrays over declared sorts, of which there are no terms before the first lemma.
    "(declare-sort S 0) (declare-sort T 0) (declare-const a (Array S T)) (declare-const b (Array S T))
    (declare-const x S) (push) (assert (distinct a b)) (check-sat) (pop)
    (assert (= (store a x (select b x)) b)) (assert (distinct a b)) (check-sat)
    (assert (= (select a x) (select b x))) (check-sat)",
    // Constant arrays differ where nothing is written, with few indices and with many.
    "(assert (= (store ((as const (Array (_ BitVec 1) (_ BitVec 2))) #b01) #b0 #b00)
        ((as const (Array (_ BitVec 1) (_ BitVec 2))) #b00))) (check-sat) (reset)
    (declare-const i (_ BitVec 8)) (declare-const j (_ BitVec 8)) (declare-const x (_ BitVec 4))
    (assert (= (store (store ((as const (Array (_ BitVec 8) (_ BitVec 4))) x) i #x1) j #x2)
        ((as const (Array (_ BitVec 8) (_ BitVec 4))) (bvnot x)))) (check-sat)",
    // An equation whose sides are found in the other order.
    "(declare-const a (Array (_ BitVec 1) (_ BitVec 3)))
    (assert (let ((c ((as const (Array (_ BitVec 1) (_ BitVec 3))) #b000)))
    (let ((d (store c (ite (distinct a a c) #b1 #b0) #b000)))
    (let ((e (store a #b0 (select d ((_ extract 0 0) (select d (ite (bvsdivo #b1 #b1) #b1 #b0)))))))
    (distinct (store e #b0 ((_ zero_extend 2) #b0)) e))))) (check-sat)",
    // Constant arrays of arrays: equations of elements, each with an index of its own, made others for ever.
    "(declare-const a (Array (_ BitVec 1) (Array (_ BitVec 1) (_ BitVec 1))))
    (declare-const b (Array (_ BitVec 1) (Array (_ BitVec 1) (_ BitVec 1))))
    (declare-const c (Array (_ BitVec 1) (_ BitVec 1)))
    (assert (let ((e (select b #b0)))
    (and (= (store ((as const (Array (_ BitVec 1) (Array (_ BitVec 1) (_ BitVec 1)))) c) #b0 e) a)
        (= a ((as const (Array (_ BitVec 1) (Array (_ BitVec 1) (_ BitVec 1)))) e)) (not (= c e))))) (check-sat)",
    // Constant arrays whose indices are truth values or arrays: there is one where nothing is written. And a
    // rule for arrays of arrays.
    "(declare-const a (Array Bool (_ BitVec 1))) (declare-const b Bool)
    (assert (= (store ((as const (Array Bool (_ BitVec 1))) #b1) b #b0) a))
    (assert (= a ((as const (Array Bool (_ BitVec 1))) #b0))) (check-sat) (reset)
    (declare-const a (Array (Array (_ BitVec 1) (_ BitVec 1)) Bool))
    (declare-const b (Array (_ BitVec 1) (_ BitVec 1)))
    (assert (= (store ((as const (Array (Array (_ BitVec 1) (_ BitVec 1)) Bool)) true) b false) a))
    (assert (= a ((as const (Array (Array (_ BitVec 1) (_ BitVec 1)) Bool)) false))) (check-sat) (reset)
    (declare-const a (Array (_ BitVec 1) (Array (_ BitVec 1) (_ BitVec 1)))) (assert (distinct a a a)) (check-sat)",
    // Equations that are two to the solver, and one to the checker: their arrays differ at one index.
    "(declare-const a (_ BitVec 6)) (declare-const b (Array (_ BitVec 3) (_ BitVec 2)))
    (assert (let ((e ((_ extract 1 0) a))) (let ((c ((as const (Array (_ BitVec 3) (_ BitVec 2))) e)))
    (and (=> (= c (store c #b000 e))
            (= (store b ((_ extract 5 3) ((_ zero_extend 5) (bvredxor a))) #b00) c))
        (not (= (store b ((_ extract 5 3) ((_ zero_extend 5)
            (bvxor ((_ extract 0 0) a) ((_ extract 1 1) a) ((_ extract 2 2) a) ((_ extract 3 3) a)
                ((_ extract 4 4) a) ((_ extract 5 5) a)))) #b00) c))))))
    (check-sat)",
    // Concatenations of parts of different widths, as indices.
    "(declare-const a (_ BitVec 2)) (declare-const b (Array (_ BitVec 3) (_ BitVec 2)))
    (assert (let ((i ((_ zero_extend 1) a))) (let ((c (store b i #b00))) (let ((d (store c #b000 #b00)))
    (and (= (store d #b001 #b00) c)
        (not (= (store d ((_ zero_extend 2) (ite (distinct i #b000) #b1 #b0)) #b00) c)))))))
    (check-sat)",
    // A choice between arrays, beside products that are too wide for a circuit: arrays have no bits.
    "(declare-const a (Array (_ BitVec 64) (_ BitVec 64))) (declare-const p Bool) (declare-const x (_ BitVec 64))
    (declare-const y (_ BitVec 64))
    (assert (not (= (ite (not p) (store a x (bvmul x y)) a) (ite p a (store a x (bvmul y x)))))) (check-sat)
    (assert (= (select (ite p a (store a y (bvmul y x))) x) y)) (check-sat)",
    // Facts about remainders, without circuits.
    "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64)) (declare-const z (_ BitVec 64))
    (assert (or (= (bvurem x y) z) (= z y))) (check-sat-assuming ((not (= z y))))
    (assert (not (or (= (bvurem z y) z) (= z y)))) (check-sat)
    (assert (= (bvudiv x y) (bvudiv y x))) (check-sat)",
    // What multiplying out decides: an equation that is true, one that is false, two sums that are the same.
    "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64)) (declare-const z (_ BitVec 64))
    (define-fun sum () (_ BitVec 64) (bvadd x y))
    (define-fun square () (_ BitVec 64) (bvadd (bvmul x x) (bvmul #x0000000000000002 x y) (bvmul y y)))
    (assert (or (distinct (bvmul z sum) (bvadd (bvmul z x) (bvmul y z)))
        (= (bvmul sum sum) (bvadd square #x0000000000000001))
        (bvult (bvlshr (bvmul sum sum) z) (bvlshr square z)))) (check-sat)",
    // Linear equations that add up to a contradiction, by multiples and by parity.
    "(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32)) (declare-const z (_ BitVec 32))
    (define-fun sum ((a (_ BitVec 32)) (b (_ BitVec 32))) (_ BitVec 32) (bvadd (bvmul a x) (bvmul b (bvmul y z))))
    (push) (assert (and (= (sum #x00000006 #x0000000a) (bvsub #x00000004 z))
        (= (sum #x00000003 #x00000005) #x00000001) (= (bvadd z y) (bvadd y #x00000003)))) (check-sat) (pop)
    (assert (= (sum #x00000002 #x00000004) #x00000007)) (check-sat)",
    // Signed remainders as what is left of a multiple of a quotient.
    "(declare-const x (_ BitVec 64)) (declare-const s (_ BitVec 64))
    (define-fun rest () (_ BitVec 64) (bvsub x (bvmul (bvsdiv x #x0000000000000065) #x0000000000000065)))
    (push) (assert (distinct rest (bvsrem x #x0000000000000065))) (check-sat) (pop)
    (push) (assert (distinct #x0000000000000000 (bvsdiv rest #x0000000000000065))) (check-sat) (pop)
    (assert (distinct (bvsub x (bvmul (bvsdiv x s) s)) (bvsrem x s))) (check-sat)",
    // Sums that are solved for symbols.
    "(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32)) (declare-const z (_ BitVec 32))
    (assert (= (bvadd x y) (bvmul z z))) (assert (= (bvsub y z) x))
    (assert (not (= (bvmul y #x00000002) (bvadd z (bvmul z z))))) (check-sat)",
    // Arithmetic, and an assumption.
    "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)
    (assert (= (bvadd x y) #x05)) (assert (=> p (= (bvmul x y) #x07))) (check-sat) (check-sat-assuming (p))
    (push) (assert p) (check-sat) (pop) (check-sat)",
    // Arrays that differ, and a chain of writes.
    "(declare-const a (Array (_ BitVec 4) (_ BitVec 8))) (declare-const b (Array (_ BitVec 4) (_ BitVec 8)))
    (declare-const i (_ BitVec 4)) (declare-const j (_ BitVec 4))
    (assert (= (store a i #x01) (store b i #x01))) (assert (= (select a i) (select b i)))
    (assert (distinct a b)) (check-sat)
    (push) (assert (= (store (store a i #x01) j #x02) a)) (assert (distinct (select a j) #x02)) (check-sat) (pop)",
    // Functions and declared sorts.
    "(declare-sort S 0) (declare-fun f (S) S) (declare-const a S)
    (assert (= (f (f (f a))) a)) (assert (= (f (f (f (f (f a))))) a)) (assert (distinct (f a) a)) (check-sat)",
    // Rules about choices and writes of declared sorts.
    "(declare-sort S 0) (declare-const a (Array S S)) (declare-const i S) (declare-const x S) (declare-const y S)
    (assert (= a (store a i x))) (assert (distinct x (ite (not (= i y)) (select a i) (ite (= i y) x y))))
    (check-sat)",
    // What rules do with products, quotients and shifts.
    "(declare-const x (_ BitVec 32)) (declare-const y (_ BitVec 32))
    (assert (or (distinct (bvmul x (bvadd y y)) (bvmul #x00000002 (bvmul y x)))
        (distinct (bvudiv x #x00000010) (bvlshr x #x00000004)) (bvult (bvor x y) x))) (check-sat)",
];

#[test]
fn scripts_are_certified_in_both_forms() {
    for script in SCRIPTS {
        for form in [Form::Binary, Form::Text] {
            let run = run(script, form);
            assert!(run.missing.is_empty() && run.errors.is_empty(), "{:?} {:?}", run.missing, run.errors);
            let verified = verified(script, &run.certificate).unwrap();
            assert_eq!(verified.unsatisfiable, unsatisfiable(&run), "{script}");
            assert!(!verified.unsatisfiable.is_empty());
        }
    }
}

/// Sums of signed words, extended on the way: the last bit of each is what a carry leaves of the bits that it
/// is made of, so relations between them need to know that. The first had "the relation does not hold" for a
/// certificate.
#[test]
fn sums_of_extended_words_are_certified() {
    let difference =
        |a: &str, b: &str| format!("((_ sign_extend 1) (bvadd {} (bvneg {})))", longer(1, a), longer(1, b));
    let sum = |a: String, b: String| format!("(bvadd {a} {b})");
    let one = sum(difference("a", "b"), difference("c", "d"));
    let other = sum(difference("a", "d"), difference("c", "b"));
    let left = sum(
        longer(
            2,
            &sum(longer(3, "a"), longer(1, &sum(longer(2, "b"), format!("(bvneg {})", longer(2, "c"))))),
        ),
        longer(4, &sum(longer(1, "d"), longer(1, "e"))),
    );
    let right = sum(
        longer(3, &sum(longer(2, "d"), longer(1, &sum(longer(1, "b"), longer(1, "a"))))),
        longer(4, &sum(longer(1, "e"), format!("(bvneg {})", longer(1, "c")))),
    );
    for (left, right) in [(one, other), (left, right)] {
        let names: String =
            ["a", "b", "c", "d", "e"].map(|name| format!("(declare-const {name} (_ BitVec 10))")).concat();
        let script = format!("{names} (assert (distinct {left} {right})) (check-sat)");
        let run = run(&script, Form::Binary);
        assert!(run.missing.is_empty() && run.errors.is_empty(), "{:?} {:?}", run.missing, run.errors);
        assert_eq!(verified(&script, &run.certificate).unwrap().unsatisfiable, [0]);
    }
}

/// A signed word of so many bits more.
fn longer(more: u32, word: &str) -> String {
    format!("((_ sign_extend {more}) {word})")
}

/// A product beside the sum of its rows by compressors: too hard for a search over clauses, and a few hundred
/// relations of bits.
fn compressed_product(width: usize) -> String {
    use std::fmt::Write;
    let mut script = format!("(declare-const x (_ BitVec {width})) (declare-const y (_ BitVec {width}))\n");
    let mut columns: Vec<Vec<String>> = vec![vec![]; width];
    let mut define = |bit: String| {
        let name = format!("n{}", script.lines().count());
        writeln!(script, "(define-fun {name} () (_ BitVec 1) {bit})").unwrap();
        name
    };
    for i in 0..width {
        for j in 0..width - i {
            let bit = format!("(bvand ((_ extract {i} {i}) x) ((_ extract {j} {j}) y))");
            columns[i + j].push(define(bit));
        }
    }
    for place in 0..width {
        while columns[place].len() > 1 {
            let [a, b] = [columns[place].remove(0), columns[place].remove(0)];
            let c = if columns[place].is_empty() { "#b0".to_string() } else { columns[place].remove(0) };
            let half = define(format!("(bvxor {a} {b})"));
            columns[place].push(define(format!("(bvxor {half} {c})")));
            let carry = define(format!("(bvor (bvand {a} {b}) (bvand {half} {c}))"));
            if place + 1 < width {
                columns[place + 1].push(carry);
            }
        }
    }
    let bits: Vec<&str> = columns.iter().rev().map(|column| column[0].as_str()).collect();
    writeln!(script, "(assert (distinct (bvmul x y) (concat {})))\n(check-sat)", bits.join(" ")).unwrap();
    script
}

#[test]
fn words_that_are_equal_as_sums_are_certified() {
    let script = compressed_product(8);
    let run = run(&script, Form::Text);
    assert!(run.missing.is_empty() && run.errors.is_empty(), "{:?} {:?}", run.missing, run.errors);
    let text = String::from_utf8(run.certificate.clone()).unwrap();
    assert!(text.contains("\nrelation ") && text.contains("\ncancel\n"), "words were compared");
    assert_eq!(verified(&script, &run.certificate).unwrap().unsatisfiable, [0]);
    // A compressor whose carry lacks a reason makes another word.
    let wrong = script.replacen("(bvor (bvand", "(bvand (bvand", 1);
    assert!(verified(&wrong, &run.certificate).is_err());
    // Whatever relations and gates are altered, nothing is shown of it.
    let mut random = fastrand::Rng::with_seed(5);
    let lines: Vec<&str> = text.lines().collect();
    let steps = ["gate ", "relation ", "subtract ", "cancel"];
    let places: Vec<usize> = (0..lines.len())
        .filter(|&at| steps.iter().any(|step| lines[at].trim_start().starts_with(step)))
        .collect();
    let mut noticed = 0;
    for _ in 0..200 {
        let at = places[random.usize(..places.len())];
        let mut words: Vec<String> = lines[at].split(' ').map(str::to_string).collect();
        let mut altered: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        if words.len() == 1 || random.u8(..5) == 0 {
            altered.remove(at);
        } else {
            let word = random.usize(1..words.len());
            let number = random.u32(..40);
            words[word] =
                if words[word].starts_with('#') { format!("#{number:x}") } else { number.to_string() };
            altered[at] = words.join(" ");
        }
        let said = verified(&wrong, altered.join("\n").as_bytes()).expect_err(&altered[at]);
        noticed +=
            usize::from(["relation", "difference", "no values"].iter().any(|word| said.contains(word)));
    }
    assert!(noticed > 60, "{noticed}: most of what is altered is noticed where it is");
}

/// A sum that grows by 3 or by 5, and an array of where it went next. Each step has four questions, on levels
/// and by assumptions: what is new at one is dropped at the next, and searches are kept over that.
#[test]
fn checks_of_a_walk_are_certified() {
    let mut script = "(declare-const a0 (Array (_ BitVec 12) (_ BitVec 12))) (declare-const s0 (_ BitVec 12))
        (declare-const at (_ BitVec 12)) (assert (= s0 #x000))"
        .to_string();
    for next in 1..=18 {
        let now = next - 1;
        let end = format!("#x{:03x}", 5 * next);
        script += &format!(
            "(declare-const b{now} Bool) (declare-const s{next} (_ BitVec 12))
            (declare-const a{next} (Array (_ BitVec 12) (_ BitVec 12)))
            (assert (= s{next} (bvadd s{now} (ite b{now} #x003 #x005))))
            (assert (= a{next} (store a{now} s{now} s{next})))
            (declare-const q{next} Bool) (assert (= q{next} (bvult {end} s{next})))
            (check-sat-assuming (q{next})) (check-sat-assuming ((not q{next}) b{now}))
            (push 1) (assert (bvult at s{next})) (assert (= at s{now}))
            (assert (bvult (bvadd at #x005) (select a{next} at))) (check-sat) (pop 1)
            (push 1) (assert (= (select a{next} at) {end})) (assert (bvult at {end})) (assert b0)
            (assert (= at s{now})) (check-sat) (pop 1)\n"
        );
    }
    for form in [Form::Binary, Form::Text] {
        let run = run(&script, form);
        assert!(run.missing.is_empty() && run.errors.is_empty(), "{:?} {:?}", run.missing, run.errors);
        assert_eq!(unsatisfiable(&run), (0..72).filter(|check| check % 4 != 1).collect::<Vec<_>>());
        assert_eq!(verified(&script, &run.certificate).unwrap().unsatisfiable, unsatisfiable(&run));
    }
}

#[test]
fn proofs_are_certificates_of_one_check() {
    let questions = "(declare-const x (_ BitVec 8)) (check-sat) (get-proof)
        (check-sat-assuming ((= x #x01) (= x #x02))) (get-proof)";
    let script = format!("(set-option :produce-proofs true) {questions}");
    for (text, count) in [(questions, 0), (&script[..], 1)] {
        let mut session = Session::new(Config::default());
        let mut parser = Parser::new(text.as_bytes(), "script", ParserOptions::default());
        let replies = std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor));
        let proofs: Vec<String> = replies
            .filter_map(|reply| match reply {
                Reply::Evidence(Evidence::Proof, text) => Some(text),
                _ => None,
            })
            .collect();
        assert_eq!(proofs.len(), count);
        for proof in proofs {
            let steps = proof.strip_prefix('(').and_then(|proof| proof.strip_suffix(')')).unwrap();
            let verified = verified(text, steps.trim_start().as_bytes()).unwrap();
            assert_eq!((verified.checks, verified.unsatisfiable), (2, vec![1]));
        }
    }
}

#[test]
fn random_scripts_are_certified() {
    let mixture = Mixture::new(17);
    let (mut certified, mut missing) = (0, vec![]);
    for (generator, script) in (0..200).filter_map(|number| mixture.case(number)) {
        let run = run(&script, Form::Binary);
        missing.extend(run.missing.iter().map(|why| format!("{generator}: {why}")));
        let verified =
            verified(&script, &run.certificate).unwrap_or_else(|why| panic!("{generator}: {why}\n{script}"));
        certified += verified.unsatisfiable.len();
        if run.missing.is_empty() {
            assert_eq!(verified.unsatisfiable, unsatisfiable(&run), "{generator}\n{script}");
        }
    }
    assert!(certified > 60, "{certified}: too few");
    assert!(missing.is_empty(), "{missing:#?}");
}

/// What the search for a certificate finds is a model of the assertions: symbols that were replaced have the
/// values of what replaced them, also where that is a symbol of the same round (there `p` was made of bits of
/// `x` before `x` was known, and the solver had to search again).
#[test]
fn models_of_the_search_are_models() {
    let round = "(declare-const x (_ BitVec 8)) (declare-const a (_ BitVec 4)) (declare-const p Bool)
        (assert (= p (= ((_ extract 7 7) x) #b1))) (assert (= x (concat a #x5))) (assert (bvult #xa a))
        (check-sat)";
    let mixture = Mixture::new(23);
    let random = (0..400).filter_map(|number| mixture.case(number)).map(|(_, script)| script);
    let mut models = 0;
    for script in std::iter::once(round.to_string()).chain(random) {
        let mut pool = Pool::new();
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let mut assertions = vec![];
        loop {
            match parser.next_command(&mut pool) {
                Ok(Some(Command::Assert { term, .. })) => assertions.push(term),
                Ok(Some(Command::CheckSat)) | Ok(None) | Err(_) => break,
                Ok(Some(_)) => {}
            }
        }
        let mut certifier = Certifier::new(Form::Binary, &Stop::new());
        let ended = certifier.certify(&mut pool, 0, &assertions, None);
        let model = certifier.take_model();
        assert_eq!(ended == Err(NoCertificate::Satisfiable), model.is_some(), "{ended:?}\n{script}");
        if let Some(model) = &model {
            let mut evaluator = Evaluator::new(&pool, model);
            let violated = assertions.iter().position(|&term| !evaluator.eval(term).expect_bool());
            assert_eq!(violated, None, "{script}");
            models += 1;
        }
    }
    assert!(models > 100, "{models}: too few");
}

/// Altered certificates show what the solver found or nothing, and nothing of a twin that has a model; the
/// checker neither panics nor hangs.
#[test]
fn altered_certificates_show_nothing_wrong() {
    let words = ["certificates", "--count", "1500", "--each", "100", "--seed", "3", "--json", "--quiet"];
    let made = |jobs: &str| {
        // What is made must not hang on the load of the machine.
        let more = ["--time-limit", "1h", "-j", jobs];
        let output = process::Command::new(bivalve()).args(words).args(more).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = made("2");
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(made("1").1, text, "all follows from the seed");
    let counts: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(counts["twins"].as_u64() > Some(5), "{text}");
    for kind in ["bytes", "dropped", "foreign", "forged", "number", "repeated", "swapped", "word"] {
        assert!(counts["kinds"][kind]["rejected"].as_u64() > Some(10), "{kind}: {text}");
    }
}

/// What proofs of the model checker come down to is certified, by whatever engine they were found; a property
/// that does not hold has nothing of the kind.
#[test]
fn proofs_of_the_model_checker_are_certified() {
    let (mut proofs, mut certified) = (BTreeSet::new(), 0);
    let engines = [Engine::Induction, Engine::Ic3, Engine::Interpolation];
    for (number, engine) in (0..40).flat_map(|number| engines.map(|engine| (number, engine))) {
        let (mut pool, system) = small(31, number);
        let memory_bits = if number % 2 == 0 { 0 } else { 64 };
        let most_frames = (engine == Engine::Induction).then_some(12);
        let options = Options { engine, memory_bits, most_frames, obligations: true, ..Options::default() };
        let verdicts =
            bivalve_model_check::check(&mut pool, &system, &options, &Stop::new(), &mut |_| {}).unwrap();
        for (verdict, shown) in verdicts.bads.iter().chain(&verdicts.justices).zip(&verdicts.obligations) {
            assert_eq!(matches!(verdict, Verdict::Holds(_)), !shown.is_empty(), "{number}: {verdict:?}");
            for obligation in shown {
                let Obligation { name, conditions, .. } = obligation;
                let made = Certificate::of(&pool, conditions, Form::Binary, &Stop::new());
                let made = made.unwrap_or_else(|why| panic!("{number} {engine:?} {name}: {why}"));
                assert_eq!(
                    verified(&made.script, &made.steps).unwrap().unsatisfiable,
                    [0],
                    "{number} {name}"
                );
                certified += 1;
            }
            proofs.extend(shown.iter().map(|obligation| obligation.name.clone()));
        }
    }
    assert!(certified > 60, "{certified}: too few");
    assert!(["base", "step", "property", "base-0"].iter().all(|name| proofs.contains(*name)), "{proofs:?}");
}

/// The same as files.
#[test]
fn certificates_of_the_model_checker_are_files() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("model-certificates");
    let mut command = process::Command::new(bivalve());
    command.args(["check-model", "--quiet", "--certificate"]).arg(&folder);
    let output = command.arg(root().join("examples/shadow.btor2")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("b0: 3 certificates, verified in "), "{text}");
    for name in ["base", "step", "property"] {
        let script = std::fs::read_to_string(folder.join(format!("b0-{name}.smt2"))).unwrap();
        let steps = std::fs::read(folder.join(format!("b0-{name}.bvc"))).unwrap();
        assert_eq!(verified(&script, &steps).unwrap().unsatisfiable, [0]);
    }
}

/// A certificate of other assertions is none: with each assertion left out in turn, what was shown is shown
/// only as long as it is true.
#[test]
fn certificates_do_not_fit_satisfiable_scripts() {
    let mixture = Mixture::new(29);
    let mut rejected = 0;
    for (_, script) in (0..120).filter_map(|number| mixture.case(number)) {
        let whole = run(&script, Form::Binary);
        if unsatisfiable(&whole).is_empty() {
            continue;
        }
        let lines: Vec<&str> = script.lines().collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("(assert")).take(8) {
            let rest: Vec<&str> =
                lines.iter().enumerate().filter(|row| row.0 != at).map(|row| *row.1).collect();
            let weaker = rest.join("\n");
            let answers = run(&weaker, Form::Binary);
            if !answers.errors.is_empty() {
                continue;
            }
            match verified(&weaker, &whole.certificate) {
                Err(_) => rejected += 1,
                Ok(shown) => {
                    let unsatisfiable = unsatisfiable(&answers);
                    assert!(
                        shown.unsatisfiable.iter().all(|check| unsatisfiable.contains(check)),
                        "{weaker}"
                    );
                }
            }
        }
    }
    assert!(rejected > 50, "{rejected}: too few");
}

/// Under certificates that are required: that nothing is better than an optimum, and nothing outside of a
/// list of models, has one that the checker carries out from the text of the claim.
#[test]
fn optima_and_complete_lists_are_certified() {
    let script = "(set-logic QF_BV) (declare-const x (_ BitVec 6)) (declare-const y (_ BitVec 6))
        (assert (= (bvmul x y) #b001101)) (assert (bvult x y))
        (maximize (bvxor x y)) (minimize x :signed) (assert-soft (bvult y #b001000) :weight 0.5)
        (assert-soft (= ((_ extract 0 0) x) #b0) :weight 2) (check-sat) (get-objectives)
        (count-models (x y)) (get-all-models (x) :limit 1000)";
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(Config::default());
    let certification = Certification::new(Box::new(std::io::sink()), Form::Binary, true).unwrap();
    session.set_certification(certification);
    let replies: Vec<String> = std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor))
        .filter_map(|reply| reply.text().map(String::from))
        .collect();
    // By brute force.
    let signed = |x: u64| if x < 32 { x as i64 } else { x as i64 - 64 };
    let models: Vec<(u64, u64)> = (0..64)
        .flat_map(|x| (x + 1..64).map(move |y| (x, y)))
        .filter(|(x, y)| x * y % 64 == 0b1101)
        .collect();
    let best = models.iter().max_by_key(|&&(x, y)| (x ^ y, -signed(x), u64::from(y < 8))).unwrap();
    let number = match signed(best.0) {
        least if least < 0 => format!("(- {})", -least),
        least => least.to_string(),
    };
    let price = if best.1 < 8 { "2" } else { "(/ 5.0 2.0)" };
    let objectives =
        format!("(objectives\n ((bvxor x y) {})\n (x {number})\n ( {price})\n)", best.0 ^ best.1);
    assert_eq!(replies[..3], ["sat".to_owned(), objectives, models.len().to_string()]);
    assert!(replies[3].ends_with(" :status complete)"), "{}", replies[3]);
    assert_eq!(replies[3].lines().count(), 2 + models.iter().map(|(x, _)| x).collect::<BTreeSet<_>>().len());
}
