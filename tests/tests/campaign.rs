//! Short campaigns: random formulas against the reference semantics, broken scripts against reader and
//! solver.
//!
//! The long ones are `cargo xtask differential` and `cargo xtask mutate`; what they run is the same library,
//! so a judge that sleeps here would sleep there. Hence the tests of the judges themselves: a lie must be a
//! finding.

use bivalve_formats::smtlib::ParserOptions;
use bivalve_judge::Watch;
use bivalve_terms::Op;
use campaign::drive::{Transcript, drive, small_budget};
use campaign::formula::Recipe;
use campaign::judge::{Case, judge};
use campaign::{mutation, nasty, seed_of, seeds};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::time::Duration;
use workspace_tests::root;

const FORMULAS: Recipe =
    Recipe { seed: 2024, max_width: 70, size: 25, theory: campaign::theory::Theory::Bits };

#[test]
fn random_formulas_have_one_answer() {
    let watch = Watch::new(Duration::from_secs(10));
    let mut operators = BTreeSet::new();
    let mut answers = [0; 3];
    for number in 0..200 {
        let mut formula = FORMULAS.formula(number);
        operators.extend(formula.operators());
        let case = judge(&mut formula, number, &watch);
        assert_eq!(case.findings(), Vec::<String>::new(), "formula {number}\n{}", formula.script());
        answers[case.answer().map_or(2, usize::from)] += 1;
    }
    let [unsat, sat, unknown] = answers;
    assert!(sat >= 50 && unsat >= 50 && unknown <= 20, "{answers:?}");
    let left_out = [Op::Apply, Op::Select, Op::Store, Op::ConstArray];
    let missing: Vec<Op> = Op::all().filter(|op| !operators.contains(op) && !left_out.contains(op)).collect();
    assert_eq!(missing, [], "every operator is met");
}

#[test]
fn a_lie_is_a_finding() {
    let watch = Watch::new(Duration::from_secs(10));
    let lies = (0..40).filter(|&number| {
        let mut formula = FORMULAS.formula(number);
        formula.expected = formula.expected.map(|sat| !sat);
        formula.expected.is_some() && !judge(&mut formula, number, &watch).findings().is_empty()
    });
    let known = (0..40).filter(|&number| FORMULAS.formula(number).expected.is_some()).count();
    let found = lies.count();
    assert!(known >= 15 && found + 3 >= known, "{found} of {known}");
    let mut case = Case::default();
    case.says("one", Some(true));
    case.says("two", None);
    assert_eq!(case.findings(), Vec::<String>::new());
    case.says("three", Some(false));
    assert_eq!(case.findings(), ["disagreement: sat say one; unsat say three"]);
}

/// What a script comes to. A fault is a panic, and panics are for the test to see.
fn run(text: &[u8], sat: &str, level: u8, strict: bool, watch: &Watch, name: &str) -> Transcript {
    let options = ParserOptions { strict };
    let done = drive(text, &small_budget(sat, level), options, &mut |stop| watch.begin(stop));
    watch.end();
    done.unwrap_or_else(|fault| panic!("{name}, level {level}: {fault}"))
}

/// The answers of both rewrite levels, which must agree.
fn both_levels(text: &[u8], strict: bool, watch: &Watch, name: &str) -> Transcript {
    let with = run(text, "cadical", 1, strict, watch, name);
    let without = run(text, "batsat", 0, strict, watch, name);
    let same = |(a, b): (&Option<bool>, &Option<bool>)| a.is_none() || b.is_none() || a == b;
    let agree =
        with.answers.len() == without.answers.len() && with.answers.iter().zip(&without.answers).all(same);
    assert!(agree, "{name}: {:?} and {:?}", with.answers, without.answers);
    with
}

#[test]
fn broken_scripts_are_answered_or_refused() {
    let mut scripts = seeds::of_own_making(60);
    let others = seeds::of_collection(&root().join("../shared"), &["parser", "regress"], 4_000);
    if others.is_empty() {
        println!("the collection of scripts is absent: printed formulas only");
    }
    scripts.extend(others);
    let watch = Watch::new(Duration::from_secs(5));
    let mut total = Transcript::default();
    for number in 0..1_200 {
        let text = mutation::mutate(&mut Rng::with_seed(seed_of(5, number)), &scripts);
        let done = both_levels(&text, number % 5 == 0, &watch, &format!("mutant {number}"));
        total.commands += done.commands;
        total.refusals += done.refusals;
        total.answers.extend(done.answers);
    }
    let answered = total.answers.iter().flatten().count();
    assert!(total.commands > 4_000 && total.refusals > 1_000 && answered > 200, "{total:?}");
}

/// At level 0, so that circuits are met; the binary meets the rules (see `scripts.rs`).
#[test]
fn nasty_inputs_are_answered_or_refused() {
    let watch = Watch::new(Duration::from_secs(5));
    for (name, text) in nasty::inputs() {
        let done = run(&text, "batsat", 0, false, &watch, name);
        let silent =
            ["nothing", "blanks", "deep attribute", "million digits as an info", "deep foreign command"];
        let said = done.refusals > 0 || !done.answers.is_empty();
        assert!(said || silent.contains(&name), "{name}: neither an answer nor a refusal");
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.map(|peak| peak.trim_end_matches("kB").trim().parse::<u64>().expect("a number"));
    assert!(kilobytes.is_none_or(|peak| peak < 1 << 20), "{kilobytes:?} kB of memory");
}
