//! Scripts of other projects: all are read, and what is refused is known.

use crate::smtlib::transcript::{LENIENT, corpus, corpus_root, read};
use bivalve_formats::DiagnosticKind;
use serde_json::Value;
use std::collections::BTreeMap;

/// Regression scripts that are refused for another reason than a missing theory, by a part of their file
/// names.
const REFUSED: &[(&str, &str)] = &[
    ("declared-sort-reject-select", "an index of another sort, on purpose"),
    ("declared-sort-reject-ite", "branches of different sorts, on purpose"),
    ("declared-sort-reject-bvop", "an operand of a declared sort, on purpose"),
    ("global-declarations-false-pop-definition", "uses a definition after its scope, on purpose"),
    ("declare-sort-boundaries", "uses a sort after its scope, on purpose"),
    ("parser-numeral-too-large", "a width of 2^32 + 1, on purpose"),
    ("issue12514-sign-extend-overflow", "more than 2^32 bits, on purpose"),
    ("let-overload2", "one binding list binds a variable twice"),
    ("simplified", "applies a variable to an argument"),
    ("t141", "an old dialect: check-sat with assumptions"),
    ("ext-sat", "applies a function in part: higher order"),
    ("apply-collapse", "passes functions: higher order"),
    ("trans", "compares functions: higher order"),
    ("issue4850-force-card", "cardinality constraints"),
    ("issue4872-qf_ufc", "cardinality constraints"),
    ("fc-unsat-pent", "cardinality constraints"),
    ("fc-simple", "cardinality constraints"),
];

/// The index of the corpus by file.
fn index() -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(corpus_root().join("index.jsonl")).expect("an index");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row of JSON"));
    rows.map(|row| (row["file"].as_str().expect("a file").to_owned(), row)).collect()
}

/// Every script is read to its end. Of the regression scripts only those are refused that another solver
/// refused too, that are fragments found by fuzzing, that need a theory that is not here, or that are listed
/// above.
#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn scripts_of_other_projects_are_read() {
    let index = index();
    for path in corpus(&["parser", "regress", "perf"]) {
        let text = std::fs::read(&path).expect("a readable file");
        let transcript = read(&text[..], LENIENT);
        let Some(refusal) = transcript.refusals.first() else { continue };
        let name = path.strip_prefix(corpus_root()).expect("a file of the corpus").display().to_string();
        let row = index.get(&name).unwrap_or(&Value::Null);
        let refused_elsewhere = row["bitwuzla"] == "error";
        let fragment = row["source"].as_str().is_some_and(|source| source.contains("HistFuzz"));
        let known = refusal.kind == DiagnosticKind::Unsupported
            || REFUSED.iter().any(|(part, _)| name.contains(part));
        // Faults are what the parser tests are made of, and some others say so.
        let faulty =
            row["features"].as_array().is_some_and(|features| features.contains(&"error-expected".into()));
        let on_purpose = name.starts_with("parser") || faulty;
        assert!(refused_elsewhere || fragment || known || on_purpose, "{name}: {}", refusal.render());
    }
}

/// What the tests of another parser expect to be refused is refused, but for a family of sorts, which is
/// supported here.
#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn faults_in_tests_of_other_parsers_are_refused() {
    let expected = |name: &str| name.contains("smt2perr") && !name.contains("smt2perr190");
    for path in corpus(&["parser"]) {
        if expected(&path.display().to_string()) {
            let text = std::fs::read(&path).expect("a readable file");
            assert!(!read(&text[..], LENIENT).refusals.is_empty(), "{}", path.display());
        }
    }
}
