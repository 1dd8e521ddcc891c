//! Bivalve in this process, asked about scripts and terms.

use bivalve::Settings;
use bivalve_harness::{Cancel, Ending, Oracle, Verdict};
use bivalve_judge::{Certified, Inside, Reference, Shown};
use bivalve_session::Form;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn inside() -> Inside {
    Inside::new("bivalve", Settings::default(), 10 * SECOND)
}

#[test]
fn bivalve_answers_inside_of_this_process() {
    let script = "(set-option :produce-unsat-cores true)(set-logic QF_BV)(declare-const x (_ BitVec 4))
        (assert (! (bvult x #x3) :named low))(check-sat)(get-model)(get-value (x (bvnot x)))(get-unsat-core)
        (push)(assert (! (bvugt x #x3) :named high))(check-sat)(get-unsat-core)(get-model)(pop)
        (check-sat-assuming ((bvult #x7 x)))(get-unsat-assumptions)(check-sat)(assert (frob x))(check-sat)";
    let reply = inside().ask(script, &Cancel::new());
    use Verdict::{Sat, Unknown, Unsat};
    // Without the assertion that was refused `sat` would answer another question.
    assert_eq!(reply.verdicts(), [Sat, Unsat, Unsat, Sat, Unknown]);
    assert!(
        reply.checks[0]
            .model
            .as_ref()
            .is_some_and(|model| model.contains("(define-fun x () (_ BitVec 4) #b"))
    );
    assert!(reply.checks[0].values[0].contains("((bvnot x) #b"), "{reply:?}");
    assert_eq!(reply.checks[1].core.as_deref(), Some("(low high)"));
    assert_eq!((&reply.checks[0].core, &reply.checks[1].model), (&None, &None));
    assert_eq!(reply.checks[2].failed.as_deref(), Some("((bvult #x7 x))"));
    assert_eq!(reply.errors.len(), 1, "{:?}", reply.errors);
    assert_eq!(reply.ending, Ending::Exited(1));
}

#[test]
fn bivalve_is_stopped_by_steps_by_the_clock_and_by_the_caller() {
    let hard = "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))
        (assert (= (bvmul x y) #xfedcba9876543211))(assert (bvult #x0000000000000001 x))(assert (bvult x #x00000000ffffffff))
        (assert (bvult #x0000000000000001 y))(assert (bvult y #x00000000ffffffff))
        (assert (not (= ((_ extract 63 32) (bvmul x y)) ((_ extract 31 0) (bvmul y x)))))(check-sat)";
    let mut settings = Settings::default();
    settings.set("conflict-limit", "10").unwrap();
    let steps = Inside::new("bivalve", settings, 60 * SECOND).ask(hard, &Cancel::new());
    assert_eq!((steps.verdict(), steps.ending), (Some(Verdict::Unknown), Ending::Exited(0)));
    let clock = Inside::new("bivalve", Settings::default(), SECOND / 20).ask(hard, &Cancel::new());
    assert_eq!(clock.ending, Ending::TimedOut);
    let cancel = Cancel::new();
    cancel.raise();
    assert_eq!(inside().ask(hard, &cancel).ending, Ending::Cancelled);
}

#[test]
fn terms_are_decided_without_text() {
    use bivalve_terms::{Op, Pool, Sort};
    let mut pool = Pool::new();
    let p = pool.symbol("p", Sort::BOOL);
    let not_p = pool.mk(Op::Not, &[p]);
    let said = |pool: &mut Pool, terms: &[_]| inside().decide(pool, terms, &Cancel::new()).verdict();
    assert_eq!(said(&mut pool, &[p]), Some(Verdict::Sat));
    assert_eq!(said(&mut pool, &[p, not_p]), Some(Verdict::Unsat));
    let byte = pool.bv_u64(1, 8);
    let refused = inside().decide(&mut pool, &[byte], &Cancel::new());
    assert_eq!((refused.verdict(), refused.errors.len()), (None, 1));
}

/// Definitions that use each other, and stand for 2^40 terms: they were expanded as long as there was memory.
#[test]
fn definitions_are_not_expanded_without_end() {
    let step = |n: u32| {
        let below = format!("f{}", n - 1);
        format!("(define-fun f{n} ((a Bool)) Bool ({below} (and a ({below} (not ({below} a))))))\n")
    };
    let script = format!(
        "(declare-const p Bool)(define-fun f0 ((a Bool)) Bool (xor a p))\n{}(assert (f40 p))(check-sat)",
        (1..=40).map(step).collect::<String>()
    );
    let oracles: [&dyn Oracle; 2] = [&inside(), &Reference::new("reference", inside())];
    for oracle in oracles {
        let errors = oracle.ask(&script, &Cancel::new()).errors;
        assert!(errors.iter().any(|error| error.contains("within the limits")), "{errors:?}");
    }
}

/// The checker reads a `match` as the choice that it stands for, or the certificate would not be one of it.
#[test]
fn a_match_is_certified_as_a_choice() {
    let declared = "(declare-datatypes ((C 0) (D 0))
            (((red) (mix (l Bool) (r (_ BitVec 4))) (tint (h (_ BitVec 3)))) ((d (of C)))))
        (declare-const c C) (declare-const e D) (declare-const p Bool)";
    for (matched, choice) in [
        ("(match c (((mix a _) a) ((tint h) p) (red p)))", "(ite ((_ is mix) c) (l c) p)"),
        ("(match c (((tint x) p) (other (= other c))))", "(ite ((_ is tint) c) p (= c c))"),
        ("(match c (((mix a b) a) ((mix b a) b) (_ p) ((tint _) (not p))))", "(ite ((_ is mix) c) (l c) p)"),
        ("(match e (((d x) (match x (((mix x y) x) (x p))))))", "(ite ((_ is mix) (of e)) (l (of e)) p)"),
        // What a variable hides is a constructor in a pattern all the same; it was a variable there.
        (
            "(let ((red (not p)) (mix p)) (match c ((|red| red) ((mix a _) a) (x mix))))",
            "(match c ((red (not p)) ((mix a _) a) (_ p)))",
        ),
        (
            "(match c (((mix red y) (match c ((red p) (x red)))) (_ p)))",
            "(ite ((_ is mix) c) (ite ((_ is red) c) p (l c)) p)",
        ),
        (
            "(match (mix p #x1) (((mix p q) (= p (= q #x1))) ((tint p) (= p #b000)) (red p)))",
            "(let ((m (mix p #x1))) (ite ((_ is mix) m) (= (l m) (= (r m) #x1)) (= (h m) #b000)))",
        ),
    ] {
        let script = format!("{declared} (assert (not (= {matched} {choice}))) (check-sat)");
        let certified = Certified::at_leisure(&script, Form::Binary);
        let shown = Shown::of(&script, &certified.certificate);
        assert_eq!((shown.verified, shown.wrong), (vec![0], None), "{matched}: {:?}", certified.missing);
    }
}
