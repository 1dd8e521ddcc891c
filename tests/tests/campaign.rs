//! Broken scripts against reader and solver, and lies against the judges; the long campaigns are presets of
//! `bivalve campaign`.

use bivalve_fuzz::formula::{Kind, Recipe};
use bivalve_fuzz::mutation::mutate;
use bivalve_fuzz::theory::Theory;
use bivalve_fuzz::{nasty, seed_of, seeds};
use bivalve_harness::{Cancel, Oracle, Reply};
use bivalve_judge::{Case, Inside, Judge, Reference, USUAL_PERCENT, Wanted};
use bivalve_terms::Op;
use fastrand::Rng;
use std::collections::BTreeSet;
use std::time::Duration;

/// Bivalve with budgets that keep broken input from being expensive input. Without simplification nothing is
/// probed either, so that circuits are built.
fn small_budget(sat: &str, level: u8) -> Inside {
    let mut settings = bivalve::Settings::default();
    let probe = if level > 0 { "on" } else { "off" };
    for (name, value) in [
        ("sat", sat),
        ("rewrite-level", &level.to_string()),
        ("rewrite-from", "0"),
        ("probe", probe),
        ("conflict-limit", "2000"),
        ("gate-limit", "2000000"),
    ] {
        settings.set(name, value).expect("an option of the table");
    }
    Inside::new("bivalve", settings, Duration::from_secs(10))
}

/// What is said to a script; a panic or a refusal without a place fails the test.
fn ask(solver: &Inside, name: &str, text: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(text);
    let reply = solver.ask(&text, &Cancel::new());
    assert_eq!(reply.crash(), None, "{name}: {text}");
    for error in &reply.errors {
        let numbers: Vec<Option<u64>> =
            error.split(':').skip(1).take(2).map(|part| part.parse().ok()).collect();
        let is_located =
            error.starts_with("script:") && numbers.iter().all(|number| number.is_some_and(|n| n > 0));
        let is_refused_by_the_solver = !error.starts_with("script:");
        assert!(is_located || is_refused_by_the_solver, "{name}: no place: {error}");
    }
    reply
}

#[test]
fn broken_scripts_get_located_refusals_or_the_same_answers_at_all_levels() {
    let scripts = seeds::of_own_making(60);
    let (with, without) = (small_budget("cadical", 1), small_budget("batsat", 0));
    let (mut refusals, mut located, mut answers) = (0, 0, 0);
    for number in 0..600 {
        let text = mutate(&mut Rng::with_seed(seed_of(5, number)), &scripts);
        let name = format!("mutant {number}");
        let [one, two] = [ask(&with, &name, &text), ask(&without, &name, &text)];
        refusals += one.errors.len();
        located += one.errors.iter().filter(|error| error.starts_with("script:")).count();
        assert_eq!(one.errors.len(), two.errors.len(), "{name}");
        for (a, b) in one.verdicts().into_iter().zip(two.verdicts()) {
            assert!(a == b || !a.is_definite() || !b.is_definite(), "{name}: {a} and {b}");
            answers += usize::from(a.is_definite());
        }
    }
    assert!(refusals > 400 && located > 400 && answers > 80, "{refusals} {located} {answers}");
}

#[test]
fn nasty_inputs_are_answered_or_refused() {
    let solver = small_budget("batsat", 0);
    for (name, text) in nasty::inputs() {
        let reply = ask(&solver, name, &text);
        let silent =
            ["nothing", "blanks", "deep attribute", "million digits as an info", "deep foreign command"];
        let said = !reply.errors.is_empty() || !reply.checks.is_empty() || !reply.output.is_empty();
        assert!(said || silent.contains(&name), "{name}: neither an answer nor a refusal");
    }
}

/// Random formulas have every operator, and a lie about what is known of them is a finding.
#[test]
fn a_lie_is_a_finding() {
    let bits = small_budget("cadical", 1);
    let (plain, reference) =
        (small_budget("batsat", 0), Reference::new("reference", small_budget("cadical", 1)));
    let judge = Judge { trusted: &bits, percent: USUAL_PERCENT };
    let (mut operators, mut facts, mut known, mut found) = (BTreeSet::new(), 0, 0, 0);
    for (theory, number) in
        [Theory::Bits, Theory::All].into_iter().flat_map(|theory| (0..100).map(move |n| (theory, n)))
    {
        let formula = Recipe { seed: 2024, max_width: 70, size: 25, theory }.formula(number);
        operators.extend(formula.operators());
        let Some(expected) = formula.expected else { continue };
        facts += u64::from(formula.kind == Kind::Axiom && !expected);
        let findings = |claim: bool| {
            let status = if claim { "sat" } else { "unsat" };
            let case = Case::new("formula", "", format!("(set-info :status {status})\n{}", formula.script()));
            let script = case.script(Wanted { models: true, cores: true }, false);
            let replies = [plain.ask(&script, &Cancel::new()), reference.ask(&script, &Cancel::new())];
            let verdicts = judge.judge(&case, &replies.iter().collect::<Vec<_>>());
            let is_finding = verdicts.judgements.iter().any(|judgement| judgement.is_finding());
            (is_finding || verdicts.remark.is_some(), verdicts)
        };
        let (is_finding, verdicts) = findings(expected);
        assert!(!is_finding, "{theory:?} {number}: {verdicts:?}\n{}", formula.script());
        known += 1;
        found += u64::from(findings(!expected).0);
    }
    assert!(facts >= 5 && known >= 80 && found + 8 >= known, "{facts} facts; {found} of {known}");
    let missing: Vec<Op> = Op::native().filter(|op| !operators.contains(op)).collect();
    assert_eq!(missing, [], "every operator is met");
}
