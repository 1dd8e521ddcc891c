//! Short campaigns by the binary's own presets: everything that makes cases, everything that judges.

use std::collections::BTreeSet;
use std::process::Command;
use workspace_tests::bivalve;

/// The records of a campaign without its times; it ends without a finding.
fn run(preset: &str, words: &[&str]) -> Vec<serde_json::Value> {
    let mut command = Command::new(bivalve());
    command.args(["campaign", "--preset", preset, "--json", "--quiet", "--seed", "2026"]).args(words);
    let output = command.output().expect("the binary runs");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let findings: Vec<&str> =
        text.lines().filter(|line| line.contains("Wrong") || line.contains("crash")).collect();
    assert_eq!(output.status.code(), Some(0), "{findings:#?}{errors}");
    let mut records: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    for result in records.iter_mut().flat_map(|record| record["results"].as_array_mut().expect("a list")) {
        result["us"] = 0.into();
    }
    records
}

/// How many results of a solver are of a kind.
fn count(records: &[serde_json::Value], solver: &str, kind: &str) -> usize {
    let results = records.iter().flat_map(|record| record["results"].as_array().expect("a list"));
    results.filter(|result| result["solver"] == solver && result["kind"] == kind).count()
}

fn expected(records: &[serde_json::Value], status: &str) -> usize {
    records.iter().filter(|record| record["expected"] == status).count()
}

#[test]
fn bivalve_stands_a_short_torture() {
    let records = run("torture", &["--count", "280", "-j", "2"]);
    // Nobody passes by saying nothing, and the cases are of both kinds.
    for solver in ["first", "second", "plain"] {
        assert!(count(&records, solver, "Passed") + 14 >= records.len(), "{solver}");
        assert_eq!(count(&records, solver, "Error"), 0);
    }
    assert!(expected(&records, "sat") > 70 && expected(&records, "unsat") > 70);
    let groups: BTreeSet<String> = records.iter().map(|record| record["group"].to_string()).collect();
    assert!(groups.len() >= 15, "all generators have their turn: {groups:?}");
    // Options are drawn, and differ.
    let results = records.iter().flat_map(|record| record["results"].as_array().expect("a list"));
    let options: BTreeSet<String> = results.map(|result| result["options"].to_string()).collect();
    assert!(options.len() > 280, "{}", options.len());
}

/// All follows from the seed, but for the times, however many threads there are.
#[test]
fn the_same_seed_is_the_same_torture() {
    let [one, two] = ["1", "2"].map(|jobs| run("torture", &["--count", "56", "-j", jobs]));
    assert_eq!(one, two);
    let part = run("torture", &["--count", "16", "--from", "40"]);
    let cases = |records: &[serde_json::Value]| {
        records.iter().map(|record| record["expected"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(cases(&part), cases(&one[40..]), "a case is made again by its number");
}

/// Formulas over all theories, also by the reference semantics, and without arrays and functions.
#[test]
fn formulas_have_one_answer() {
    let records = run("differential", &["--count", "300"]);
    assert!(count(&records, "reference", "Passed") > 100, "{}", count(&records, "reference", "Passed"));
    assert!(expected(&records, "sat") > 60 && expected(&records, "unsat") > 60);
}

#[test]
fn sessions_are_answered_check_by_check() {
    let records = run("sessions", &["--count", "40"]);
    let results = records.iter().flat_map(|record| record["results"].as_array().expect("a list"));
    let verdicts: Vec<&str> = results
        .filter(|result| result["solver"] == "plain")
        .flat_map(|result| result["verdicts"].as_array().expect("a list"))
        .filter_map(|verdict| verdict.as_str())
        .collect();
    let of = |word: &str| verdicts.iter().filter(|verdict| **verdict == word).count();
    assert!(of("sat") > 100 && of("unsat") > 100, "{} checks: {verdicts:?}", verdicts.len());
}

/// Answers of both levels of simplification agree, and nothing crashes.
#[test]
fn broken_scripts_are_answered_or_refused() {
    let records = run("broken", &["--count", "600"]);
    assert!(count(&records, "simplified", "Error") > 200, "many are refused");
    assert!(expected(&records, "sat") + expected(&records, "unsat") > 10, "some are answered");
}
