//! Reductions as people see them: what comes out for an input and an oracle.
//!
//! The oracles here are functions of the text: they look for words, or read the script and look at its terms.
//! Real solvers are asked in the tests of the command line.

use bivalve_delta::{Cancel, Mode, Options, Oracle, Reduction, Refusal, View, reduce};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions, print};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Op, Pool, Sort, Term, cone, eval};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn with(text: &str, jobs: usize, view: View, oracle: &dyn Oracle) -> Reduction {
    reduce(text, &Options { jobs, view }, oracle, &Cancel::new(), &mut |_| {}).expect("the input fails")
}

fn reduced(text: &str, oracle: &dyn Oracle) -> String {
    with(text, 1, View::Best, oracle).text
}

/// The assertions of a script that reads without error.
fn assertions(text: &str) -> Option<(Pool, Vec<Term>)> {
    let mut pool = Pool::new();
    let mut parser = Parser::new(text.as_bytes(), "it", ParserOptions::default());
    let mut found = vec![];
    while let Some(command) = parser.next_command(&mut pool).ok()? {
        if let Command::Assert { term, .. } = command {
            found.push(term);
        }
    }
    Some((pool, found))
}

/// Does a script have all of these operators, and are its assertions false when all symbols are zero?
fn fails_at_zero(text: &str, ops: &[Op]) -> bool {
    let Some((pool, found)) = assertions(text) else { return false };
    let present: BTreeSet<Op> = cone(&pool, &found).into_iter().map(|term| pool.op(term)).collect();
    let zero = Assignment::new();
    ops.iter().all(|op| present.contains(op))
        && found.iter().any(|&term| !eval(&pool, term, &zero).expect_bool())
}

/// A random script of many assertions, and operators that it has.
fn random_script(seed: u64) -> (String, Vec<Op>) {
    let mut random = TermGen::with_everything(seed);
    let mut pool = Pool::new();
    let terms: Vec<Term> = (0..12).map(|_| random.term(&mut pool, Sort::BOOL, 20)).collect();
    let text = print::script(&pool, &print::Script { assertions: &terms, ..print::Script::default() });
    let all = cone(&pool, &terms);
    let ops: Vec<Op> = all.iter().map(|&term| pool.op(term)).filter(|op| !op.name().is_empty()).collect();
    (text, vec![ops[ops.len() / 2], ops[ops.len() / 3]])
}

#[test]
fn scripts_with_floats_are_reduced_as_terms() {
    let text =
        "(set-logic QF_FP) (declare-const x Float32) (declare-const y Float32) (declare-const m RoundingMode)
        (declare-const z Float64) (define-fun half () Float32 ((_ to_fp 8 24) RNE 0.5))
        (assert (fp.lt (fp.mul RTZ x y) (fp.sqrt m (fp.abs y))))
        (assert (=> (fp.isNaN z) (fp.gt (fp.div RNE ((_ to_fp 8 24) RNE z) half) x)))
        (assert (= ((_ fp.to_ubv 8) m (fp.min x (fp.fma RNE x y half))) ((_ fp.to_ubv 8) m y))) (check-sat)";
    let read = |text: &str| {
        let (mut pool, mut terms) = (Pool::new(), vec![]);
        let mut parser = Parser::new(text.as_bytes(), "it", ParserOptions::default());
        while let Some(command) = parser.next_written_command(&mut pool, &mut |_| None).ok()? {
            if let Command::Assert { term, .. } = command {
                terms.push(term);
            }
        }
        Some((pool, terms))
    };
    for (op, most) in
        [(Op::FpSqrt, 95), (Op::FpFma, 120), (Op::FpMin, 100), (Op::FpToUbv, 110), (Op::FpDiv, 115)]
    {
        let has = |text: &str| {
            read(text)
                .is_some_and(|(pool, terms)| cone(&pool, &terms).iter().any(|&term| pool.op(term) == op))
        };
        let result = with(text, 1, View::Best, &has);
        assert_eq!(result.mode, Mode::Terms, "{op:?}: {}", result.text);
        let small = result.text;
        assert!(has(&small) && small.len() <= most, "{op:?}: {small}");
        assert!(
            !small.contains('@') && !small.contains("fp.mul") && !small.contains("=>"),
            "{op:?}: {small}"
        );
    }
}

#[test]
fn results_are_small_and_fail_and_stay_as_they_are() {
    let mut tried = 0;
    for seed in 0..40 {
        let (text, ops) = random_script(seed);
        let fails = |script: &str| fails_at_zero(script, &ops);
        if !fails(&text) {
            continue;
        }
        tried += 1;
        let small = reduced(&text, &fails);
        assert!(fails(&small), "{small}");
        assert!(small.len() < 300, "{} to {}: {small}", text.len(), small.len());
        assert_eq!(reduced(&small, &fails), small, "a result is reduced again");
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn the_number_of_workers_changes_nothing() {
    for seed in 0..12 {
        let (text, ops) = random_script(seed);
        // Verdicts arrive in another order than they were asked for.
        let fails = |script: &str| {
            std::thread::sleep(std::time::Duration::from_micros(script.len() as u64 % 7 * 40));
            fails_at_zero(script, &ops)
        };
        if !fails(&text) {
            continue;
        }
        let one = with(&text, 1, View::Best, &fails);
        for jobs in [1, 2, 5] {
            let other = with(&text, jobs, View::Best, &fails);
            assert_eq!(other.text, one.text);
            assert_eq!((other.tests.used, other.tests.successes), (one.tests.used, one.tests.successes));
        }
    }
}

#[test]
fn nothing_is_asked_twice() {
    let (text, ops) = random_script(3);
    let asked: Mutex<Vec<String>> = Mutex::new(vec![]);
    let fails = |script: &str| {
        asked.lock().expect("no thread panics").push(script.to_owned());
        fails_at_zero(script, &ops)
    };
    let small = with(&text, 1, View::Best, &fails);
    let mut asked = asked.into_inner().expect("no thread panics");
    // The result is judged once more at the end.
    let last = asked.pop().expect("something was asked");
    assert_eq!(last, small.text);
    let distinct: BTreeSet<&String> = asked.iter().collect();
    assert_eq!(distinct.len(), asked.len());
    assert!(small.tests.duplicates > 0);
}

#[test]
fn sessions_lose_what_they_do_not_need() {
    let text = "
        (set-option :produce-models true) (set-logic QF_BV) (set-info :status sat)
        (declare-const x (_ BitVec 8)) (declare-const p Bool) (push 2)
        (assert (! (bvult x #x10) :named small)) (check-sat) (get-value (x (bvmul x x) p)) (pop 1)
        (push 1) (declare-const y (_ BitVec 8)) (assert (= y (bvadd x #x01)))
        (check-sat-assuming (p (not (= y x)))) (get-model) (pop 1) (pop 1) (check-sat) (exit)";
    let check = |needs: &'static [&'static str], result: &str| {
        let fails = |script: &str| needs.iter().all(|word| script.contains(word));
        assert_eq!(reduced(text, &fails), result, "{needs:?}");
    };
    check(&["check-sat-assuming"], "(check-sat-assuming (false))\n");
    check(&["(push 1)", "(pop 1)"], "(push 1)\n(pop 1)\n");
    check(&[":named small"], "(assert (! false :named small))\n");
    check(&["get-value", "bvmul"], "(get-value ((bvmul #b0 #b0)))\n");
    check(&["(get-model)"], "(get-model)\n");
    check(&["produce-models"], "(set-option :produce-models true)\n");
}

#[test]
fn indices_and_elements_get_narrow() {
    let text = "(declare-const m (Array (_ BitVec 32) (_ BitVec 8))) (declare-const i (_ BitVec 32))
        (declare-const j (_ BitVec 32))
        (assert (not (= (select (store m i #x2a) j) ((_ extract 7 0) (bvadd i j)))))
        (check-sat)";
    let fails = |script: &str| {
        let Some((pool, found)) = assertions(script) else { return false };
        let all = cone(&pool, &found);
        all.iter().any(|&term| {
            pool.op(term) == Op::Select
                && pool.op(pool.args(term)[0]) == Op::Store
                && pool.op(pool.args(term)[1]) == Op::Symbol
        })
    };
    let small = reduced(text, &fails);
    assert!(small.contains("(Array (_ BitVec 1) (_ BitVec 1))"), "{small}");
}

#[test]
fn a_contradiction_is_no_longer_than_what_it_must_mention() {
    let text = "(declare-const m (Array (_ BitVec 32) (_ BitVec 8))) (declare-const i (_ BitVec 32))
        (declare-const b Bool)
        (assert (not (= (ite b (select m i) (bvadd (select m i) #x00)) (bvor (select m i) (select m i)))))
        (check-sat)";
    let fails = |script: &str| {
        let Some((pool, found)) = assertions(script) else { return false };
        let mut random = TermGen::with_everything(7);
        let mut holds = || {
            let values = random.assignment(&pool, &found);
            found.iter().all(|&term| eval(&pool, term, &values).expect_bool())
        };
        cone(&pool, &found).iter().any(|&term| pool.op(term) == Op::Select) && !(0..64).any(|_| holds())
    };
    let small = reduced(text, &fails);
    assert!(small.contains("(assert (and (= (select a #b0) #b0) false))"), "{small}");
}

#[test]
fn chains_of_writes_are_skipped_at_once() {
    let mut text = "(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))(declare-const n (Array (_ BitVec 8) (_ BitVec 8)))".to_owned();
    let writes: String = (0..100).map(|_| "(store ").collect();
    let values: String = (0..100).map(|i| format!(" #x{i:02x} (select n #x{i:02x}))")).collect();
    text += &format!("(assert (= n {writes} m {values}))(check-sat)");
    let tests = AtomicU64::new(0);
    let fails = |script: &str| {
        tests.fetch_add(1, Ordering::Relaxed);
        script.contains("Array")
    };
    let small = reduced(&text, &fails);
    assert!(small.len() < 80, "{small}");
    assert!(tests.load(Ordering::Relaxed) < 120, "{tests:?}");
}

#[test]
fn other_theories_are_reduced_as_text() {
    let text = "(set-logic QF_LIA) ; a comment
        (declare-fun x () Int) (declare-fun |a b| () Int)
        (assert (let ((y (+ x 1))) (and (> y 3) (< (* 2 y) 9))))
        (assert (or (= x 2) (= |a b| 7)))
        (check-sat)";
    let fails = |script: &str| script.contains("(* 2") && script.contains("check-sat");
    let reduction = with(text, 2, View::Best, &fails);
    assert_eq!(reduction.mode, Mode::Text);
    assert_eq!(reduction.text, "(* 2)\n(check-sat)\n");
    assert_eq!(with(&reduction.text, 1, View::Best, &fails).text, reduction.text);
    // What can be read at last goes on as terms, and never grows.
    let text = "(declare-fun x () Int)(assert (> x 1))(assert (and true (bvult #x00000001 #x00000002)))(pop)";
    let fails = |script: &str| {
        let words = ["(assert", "(bvult", "(pop"];
        words.iter().all(|word| script.contains(word)) && script.matches('#').count() == 2
    };
    assert_eq!(reduced(text, &fails), "(assert (bvult #b1 #b0))\n(pop 1)\n");
    assert_eq!(reduced("(pop)", &|script: &str| script.contains("(pop")), "(pop)");
    // Where a comment is what matters there are still lines.
    let text = "; a\n(check-sat)\n; b\n(exit)\n";
    assert_eq!(reduced(text, &|script: &str| script.contains("; b")), "; b\n");
    // What is no tree of parentheses is reduced by lines.
    let broken = "(assert true)\n(assert \"\n(check-sat)\n";
    assert_eq!(reduced(broken, &|script: &str| script.contains('"')), "(assert \"\n");
}

#[test]
fn names_that_matter_are_kept() {
    let text = "(set-logic QF_BV)(declare-fun counter () (_ BitVec 8))(declare-fun other () (_ BitVec 8))
        (assert (bvult counter (bvmul other other)))(check-sat)";
    let fails = |script: &str| script.contains("counter ()") && script.contains("(assert");
    let reduction = with(text, 1, View::Best, &fails);
    assert_eq!(reduction.mode, Mode::NamedTerms);
    assert_eq!(reduction.text, "(declare-fun counter () (_ BitVec 1))\n(assert (bvult counter #b0))\n");
}

#[test]
fn what_does_not_fail_is_refused() {
    let none = |_: &str| false;
    let refusal = reduce("(check-sat)", &Options::default(), &none, &Cancel::new(), &mut |_| {});
    assert_eq!(refusal.err(), Some(Refusal::DoesNotFail));
    // It fails twice and never again.
    let left = AtomicU64::new(2);
    let moody =
        |_: &str| left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok();
    let refusal =
        reduce("(check-sat) (exit) ; and more", &Options::default(), &moody, &Cancel::new(), &mut |_| {});
    assert_eq!(refusal.err(), Some(Refusal::Unstable));
}

#[test]
fn a_raised_flag_ends_it_with_what_was_reached() {
    let (text, ops) = random_script(3);
    let stop = Cancel::new();
    let asked = AtomicU64::new(0);
    let fails = |script: &str| {
        if asked.fetch_add(1, Ordering::Relaxed) == 20 {
            stop.raise();
        }
        fails_at_zero(script, &ops)
    };
    for jobs in [1, 3] {
        let reduction = reduce(&text, &Options { jobs, view: View::Best }, &fails, &stop, &mut |_| {});
        if let Ok(reduction) = reduction {
            assert!(!reduction.complete && fails_at_zero(&reduction.text, &ops));
        }
    }
    assert!(asked.load(Ordering::Relaxed) < 40);
}

#[test]
fn depth_needs_no_stack() {
    let deep = 20_000;
    let text = format!(
        "(declare-const p Bool)(declare-const q Bool)(assert {}p{})(check-sat)",
        "(not (and q ".repeat(deep),
        "))".repeat(deep)
    );
    let run = move || reduced(&text, &|script: &str| script.contains("(and"));
    let small = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread").join();
    assert!(small.expect("no overflow").len() < 60);
}

/// Definitions that use each other, and stand for 2^40 terms: the reader ran until memory was used up.
#[test]
fn definitions_are_not_expanded_without_end() {
    let step = |n: u32| {
        let below = format!("f{}", n - 1);
        format!("(define-fun f{n} ((a Bool)) Bool ({below} (and a ({below} (not ({below} a))))))\n")
    };
    let steps: String = (1..=40).map(step).collect();
    let text = format!(
        "(declare-const p Bool)(define-fun f0 ((a Bool)) Bool (xor a p))\n{steps}(assert (f40 p))(check-sat)"
    );
    let left = reduced(&text, &|text: &str| text.contains("check-sat"));
    assert_eq!(left.trim(), "(check-sat)");
}
