//! Depth is never a stack: everything here runs in a thread with 256 KiB.

use crate::smtlib::transcript::{LENIENT, difference, read, read_well};
use bivalve_formats::smtlib::print::{Script, script};

const MILLION: usize = 1_000_000;

fn with_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(test).expect("a thread");
    thread.join().expect("no overflow and no panic");
}

#[test]
fn a_million_operators_are_nested() {
    with_a_small_stack(|| {
        let text = format!(
            "(declare-const x (_ BitVec 8))(assert (= x {}x{}))",
            "(bvneg ".repeat(MILLION),
            ")".repeat(MILLION)
        );
        let transcript = read_well(&text);
        assert_eq!(transcript.pool.len(), MILLION + 2);
        let printed =
            script(&transcript.pool, &Script { assertions: &transcript.assertions(), ..Script::default() });
        let again = read_well(&printed);
        let pair = [&transcript, &again].map(|t| (&t.pool, t.assertions()));
        assert_eq!(difference((pair[0].0, &pair[0].1), (pair[1].0, &pair[1].1)), None);
    });
}

#[test]
fn a_million_lets_are_nested_in_bodies_and_in_bindings() {
    with_a_small_stack(|| {
        let bodies = format!(
            "(declare-const x (_ BitVec 8))(assert {}(= x #x00){})",
            "(let ((x (bvnot x))) ".repeat(MILLION),
            ")".repeat(MILLION)
        );
        let transcript = read_well(&bodies);
        assert_eq!(transcript.assertions().len(), 1);
        let bindings = format!(
            "(declare-const x Bool)(assert {}x{})",
            "(let ((y ".repeat(MILLION),
            ")) (not y))".repeat(MILLION)
        );
        assert_eq!(read_well(&bindings).pool.len(), MILLION + 1);
    });
}

#[test]
fn a_million_labels_and_annotations_are_nested() {
    with_a_small_stack(|| {
        let text = format!("(assert {}true{})", "(! ".repeat(MILLION), " :weight 1)".repeat(MILLION));
        assert_eq!(read_well(&text).assertions().len(), 1);
    });
}

#[test]
fn a_million_parentheses_of_nonsense_are_refused_and_skipped() {
    with_a_small_stack(|| {
        for opening in
            ["(", "(f ", "(- ", "(and (", "(let ((x ", "(! ", "(_ ", "((as ", "((_ extract ", "(Array "]
        {
            for context in ["(assert ", "(declare-const y ", "(get-value (", "(set-info :x ", "(frob "] {
                let text = format!("{context}{}", opening.repeat(MILLION));
                let transcript = read(text.as_bytes(), LENIENT);
                assert_eq!(transcript.refusals.len(), 1, "{context}{opening}");
            }
        }
        let closed = format!("(assert {}{})(check-sat)", "(".repeat(MILLION), ")".repeat(MILLION));
        let transcript = read(closed.as_bytes(), LENIENT);
        assert_eq!((transcript.refusals.len(), transcript.commands.len()), (1, 1));
    });
}

#[test]
fn sorts_are_nested_as_deep_as_values_can_be() {
    with_a_small_stack(|| {
        let nested = |depth| {
            let sort = format!("{}Bool{}", "(Array Bool ".repeat(depth), ")".repeat(depth));
            read(format!("(declare-const a {sort})").as_bytes(), LENIENT)
        };
        assert_eq!(nested(256).refusals.len(), 0);
        assert_eq!(nested(257).refusals.len(), 1);
        assert_eq!(nested(MILLION).refusals.len(), 1);
    });
}

/// Definitions that double at each step, for sorts: 2^200 characters if written out.
#[test]
fn sorts_that_double_are_refused_when_they_become_long() {
    let mut text = String::from("(declare-sort P 2)(define-sort S0 () Bool)(define-sort T0 (X) X)");
    for i in 1..200 {
        text.push_str(&format!("(define-sort S{i} () (Array S{} S{}))", i - 1, i - 1));
        text.push_str(&format!("(define-sort T{i} (X) (P (T{} X) (T{} X)))", i - 1, i - 1));
    }
    text.push_str("(declare-const x (T40 Bool))(assert (= x true))");
    let transcript = read(text.as_bytes(), LENIENT);
    assert!(transcript.refusals.iter().all(|refusal| refusal.to_string().len() < 1000));
    assert!(!transcript.refusals.is_empty());
}

/// A chain of definitions whose bodies share their parameter is linear.
#[test]
fn definitions_are_expanded_with_their_sharing() {
    with_a_small_stack(|| {
        let mut text =
            String::from("(declare-const x (_ BitVec 8))(define-fun f0 ((y (_ BitVec 8))) (_ BitVec 8) y)");
        for i in 1..300 {
            let last = format!("(f{} y)", i - 1);
            text.push_str(&format!(
                "(define-fun f{i} ((y (_ BitVec 8))) (_ BitVec 8) (bvadd {last} (bvmul {last} y)))"
            ));
        }
        text.push_str("(assert (= x (f299 x)))");
        assert!(read_well(&text).pool.len() < 100_000);
    });
}
