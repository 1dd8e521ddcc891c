//! Formulas of other projects in BTOR, BTOR2, SMT-LIB 1.2 and CVC: every answer agrees with the status that
//! the index of the collection has.
//!
//! The collection lies beside the workspace, in `../shared/bench/dev`, or in the folder that `BIVALVE_BENCH`
//! names. It is not part of the repository, so the test is ignored unless it is asked for. Files that are
//! refused, and transition systems, have no answer; the tests of the readers look at those.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop, and says what it has seen")]

use crate::support::bivalve;
use std::path::PathBuf;

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn answers_agree_with_the_index() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/bench/dev");
    let root = std::env::var_os("BIVALVE_BENCH").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let index = std::fs::read_to_string(root.join("index.jsonl")).expect("the index of the collection");
    let (mut right, mut wrong) = (0, vec![]);
    for row in index.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let (Some(file), Some(status)) = (row["file"].as_str(), row["status"].as_str()) else { continue };
        let is_other = [".btor", ".btor2", ".smt", ".cvc"].iter().any(|suffix| file.ends_with(suffix));
        if !is_other || !status.split(',').all(|word| matches!(word, "sat" | "unsat")) {
            continue;
        }
        let mut command = bivalve();
        let output = command.args(["--time-limit", "5"]).arg(root.join(file)).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if ["(error", "Error: ", "unknown", "Unknown."].iter().any(|word| text.contains(word)) {
            continue;
        }
        let answers = text.lines().filter_map(|line| match line {
            "sat" | "Invalid." => Some("sat"),
            "unsat" | "Valid." => Some("unsat"),
            _ => None,
        });
        let answers: Vec<&str> = answers.collect();
        // One status stands for all questions of a file.
        let expected: Vec<&str> = status.split(',').collect();
        let agrees = answers == expected
            || (expected.len() == 1 && answers.iter().all(|answer| *answer == expected[0]));
        if agrees && !answers.is_empty() {
            right += 1;
        } else {
            wrong.push(format!("{file}: {status}, found {answers:?}"));
        }
    }
    println!("{right} files");
    assert!(wrong.is_empty() && right > 50, "{right} right; {}", wrong.join("\n"));
}
