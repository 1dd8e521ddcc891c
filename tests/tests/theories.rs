//! Short campaigns over arrays, functions and sessions; the long ones are `cargo xtask differential --theory`
//! and `cargo xtask sessions`.
//!
//! As everywhere, the judges are judged too: formulas must be of both kinds, lemmas and cores must occur, and
//! output that was tampered with must be a finding.

use bivalve_judge::Watch;
use bivalve_terms::Op;
use campaign::formula::{Kind, Recipe};
use campaign::judge::judge;
use campaign::session::Session;
use campaign::session_judge::{Outcome, make_and_run, options_of};
use campaign::session_output::judge_output;
use campaign::theory::Theory;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use workspace_tests::bivalve;

fn recipe(theory: Theory) -> Recipe {
    Recipe { seed: 2025, max_width: 70, size: 20, theory }
}

fn watch() -> Watch {
    Watch::new(Duration::from_secs(10))
}

/// Formulas of one theory have one answer each, and the operators of interest occur in many.
fn formulas_have_one_answer(theory: Theory, count: u64, of_interest: &[Op]) {
    let watch = watch();
    let (mut answers, mut uses) = ([0u64; 3], vec![0u64; of_interest.len()]);
    for number in 0..count {
        let mut formula = recipe(theory).formula(number);
        let operators: BTreeSet<Op> = formula.operators().collect();
        of_interest.iter().zip(&mut uses).for_each(|(op, uses)| *uses += u64::from(operators.contains(op)));
        let case = judge(&mut formula, number, &watch);
        assert_eq!(case.findings(), Vec::<String>::new(), "formula {number}\n{}", formula.script());
        answers[case.answer().map_or(2, usize::from)] += 1;
    }
    let [unsat, sat, unknown] = answers;
    assert!(sat >= count / 5 && unsat >= count / 5 && unknown <= count / 10, "{answers:?}");
    assert!(uses.iter().all(|&uses| uses >= count / 6), "{of_interest:?}: {uses:?}");
}

#[test]
fn formulas_over_arrays_have_one_answer() {
    formulas_have_one_answer(Theory::Arrays, 200, &[Op::Select, Op::Store, Op::ConstArray, Op::Ite]);
}

#[test]
fn formulas_over_functions_have_one_answer() {
    formulas_have_one_answer(Theory::Functions, 150, &[Op::Apply, Op::Distinct]);
}

#[test]
fn formulas_over_everything_have_one_answer() {
    formulas_have_one_answer(Theory::All, 150, &[Op::Select, Op::Store, Op::ConstArray, Op::Apply]);
}

/// What is known of a formula's answer is held against it: facts of the theories are refuted, and a lie is a
/// finding.
#[test]
fn a_lie_about_arrays_is_a_finding() {
    let watch = watch();
    let (mut known, mut found, mut facts) = (0, 0, 0);
    for number in 0..60 {
        let mut formula = recipe(Theory::All).formula(number);
        let Some(expected) = formula.expected else { continue };
        facts += u64::from(formula.kind == Kind::Axiom && !expected);
        formula.expected = Some(!expected);
        known += 1;
        found += u64::from(!judge(&mut formula, number, &watch).findings().is_empty());
    }
    assert!(facts >= 10 && known >= 30 && found + 2 >= known, "{facts} facts; {found} of {known}");
}

/// A few sessions, and what they came to together.
fn sessions(
    theory: Theory,
    count: u64,
    steps: usize,
    see: &mut dyn FnMut(u64, &Session, &Outcome),
) -> Outcome {
    let watch = watch();
    let recipe = Recipe { size: 8, max_width: 33, ..recipe(theory) };
    let mut total = Outcome::default();
    for number in 0..count {
        let (session, done) = make_and_run(&recipe, number, steps, &watch);
        let outcome =
            done.unwrap_or_else(|fault| panic!("{theory:?} {number}: {fault}\n{}", session.script(&[])));
        see(number, &session, &outcome);
        total.answers.extend(&outcome.answers);
        total.blamed += outcome.blamed;
        total.values += outcome.values;
        total.lemmas += outcome.lemmas;
        total.rebuilds += outcome.rebuilds;
    }
    total
}

#[test]
fn sessions_are_answered_as_by_solvers_made_for_each_check() {
    for (theory, count) in
        [(Theory::Bits, 6), (Theory::Functions, 10), (Theory::Arrays, 10), (Theory::All, 10)]
    {
        let total = sessions(theory, count, 50, &mut |_, _, _| {});
        let of = |answer| total.answers.iter().filter(|&&other| other == Some(answer)).count() as u64;
        assert!(of(true) > 2 * count && of(false) > count, "{theory:?}: {total:?}");
        assert!(total.values > 20 * count && total.rebuilds > 0, "{theory:?}: {total:?}");
        assert!(total.blamed > 0 || theory == Theory::Bits, "{theory:?}: {total:?}");
        assert!(total.lemmas > count || theory == Theory::Bits, "{theory:?}: {total:?}");
    }
}

/// The binary's output as text, and the same tampered with.
#[test]
fn sessions_through_the_binary_are_the_same() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (mut compared, mut noticed, mut tampered) = (0, 0, 0);
    for theory in [Theory::Bits, Theory::All] {
        sessions(theory, 6, 40, &mut |number, session, outcome| {
            let path = folder.join(format!("session-{theory:?}-{number}.smt2"));
            std::fs::write(&path, session.script(&outcome.answers)).expect("a temporary file");
            let output = Command::new(bivalve())
                .args(options_of(number))
                .arg(&path)
                .output()
                .expect("the binary runs");
            let text = String::from_utf8(output.stdout).expect("answers are text");
            let judged = judge_output(session, &outcome.answers, &text);
            compared += judged.unwrap_or_else(|fault| panic!("{}: {fault}\n{text}", path.display()));
            for (from, to) in
                [("unsat\n", "sat\n"), ("(n", "(never n"), (" #b0", " #b1"), ("true)", "false)")]
            {
                if text.contains(from) {
                    tampered += 1;
                    noticed += u64::from(
                        judge_output(session, &outcome.answers, &text.replacen(from, to, 1)).is_err(),
                    );
                }
            }
        });
    }
    // A value that nothing depends on may be another one.
    assert!(
        compared > 500 && tampered > 20 && noticed * 3 > tampered * 2,
        "{compared}, {noticed} of {tampered}"
    );
}
