//! `bivalve fuzz` and `bivalve construct` from the outside: what they print is read, decided as it says, and
//! made again.

use crate::support::piped;
use std::fs;
use std::path::{Path, PathBuf};

fn text(words: &[&str], input: &str) -> String {
    let output = piped(words, input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("scripts are text")
}

/// The statuses that a stream of scripts claims, where each claims one.
fn claims(stream: &str) -> Vec<&str> {
    let claim = |line: &'static str| move |text: &str| text.contains(line);
    let (sat, unsat) = (claim("(set-info :status sat)"), claim("(set-info :status unsat)"));
    stream
        .lines()
        .filter_map(|line| if sat(line) { Some("sat") } else { unsat(line).then_some("unsat") })
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn constructed_cases_are_decided_as_they_say() {
    let stream =
        text(&["construct", "--count", "4", "--width", "5", "--operators", "all", "--depth", "8"], "");
    let answers = text(&[], &stream);
    assert_eq!(answers.lines().collect::<Vec<_>>(), claims(&stream), "{stream}");
    assert!(answers.lines().count() > 80 && answers.contains("\nsat") && answers.contains("\nunsat"));
    assert_eq!(
        stream,
        text(&["construct", "--count", "4", "--width", "5", "--operators", "all", "--depth", "8"], "")
    );
}

#[test]
fn planted_and_refuted_formulas_and_sessions_are_decided_as_they_say() {
    for words in [
        &["fuzz", "--shape", "everything", "--goal", "planted", "--count", "20"][..],
        &[
            "fuzz",
            "--shape",
            "guarded-division",
            "--goal",
            "refuted",
            "--count",
            "20",
            "--operations",
            "3..9",
        ],
        &["fuzz", "--style", "session", "--shape", "bits", "--count", "3", "--widths", "1..6"],
    ] {
        let stream = text(words, "");
        let answers = text(&[], &stream);
        let said: Vec<&str> = answers.lines().filter(|line| matches!(*line, "sat" | "unsat")).collect();
        assert_eq!(said, claims(&stream), "{words:?}");
        assert!(said.len() >= 20, "{words:?}");
    }
}

#[test]
fn files_are_made_again_by_their_numbers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (cases, integers) = (folder.path().join("cases"), folder.path().join("integers"));
    let names = [&cases, &integers].map(|path| path.to_str().expect("a plain path"));
    let table = text(
        &[
            "construct",
            "--theory",
            "bv",
            "--kind",
            "contradiction,wrong",
            "--all",
            "--out",
            names[0],
            "--integers",
            names[1],
        ],
        "",
    );
    assert!(table.contains("bv      unsat   wrong") && table.contains("bv      unsat   all"), "{table}");
    let (made, over_integers) = (files(&cases), files(&integers));
    assert_eq!(made.len(), 572);
    let is_with_integers = |path: &PathBuf| fs::read_to_string(path).expect("a script").contains("bv2nat");
    assert!(over_integers.len() >= 15 && over_integers.iter().all(is_with_integers));
    let wrong = cases.join("bv-4/wrong/00000001.smt2");
    let again = text(&["construct", "--theory", "bv", "--kind", "wrong", "--number", "1"], "");
    assert_eq!(fs::read_to_string(wrong).expect("it was made"), again);

    let fuzzed = folder.path().join("fuzz");
    text(&["fuzz", "--count", "5", "--number", "10", "--out", fuzzed.to_str().expect("a plain path")], "");
    assert_eq!(files(&fuzzed).len(), 5);
    let twelve = fs::read_to_string(fuzzed.join("00000012.smt2")).expect("it was made");
    assert_eq!(twelve, text(&["fuzz", "--number", "12"], ""));
    assert_ne!(twelve, text(&["fuzz", "--number", "12", "--seed", "2"], ""));
}

#[test]
fn what_cannot_be_done_is_said() {
    for (words, expected) in [
        (&["fuzz", "--widths", "8..2"][..], "expected a number or two"),
        (&["fuzz", "--shape", "odd"], "invalid value 'odd'"),
        (&["construct", "--width", "0"], "1 to 1024 bits wide"),
        (
            &["construct", "--kind", "wrong", "--theory", "bv", "--number", "99999999"],
            "no case of this number",
        ),
        (&["construct", "--breadth", "0"], "at least one operation"),
        (&["construct", "--theory", "ints"], "invalid value 'ints'"),
        (&["fuzz", "--out", "/dev/null/folder"], "/dev/null/folder"),
    ] {
        let output = piped(words, b"");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
        assert!(errors.contains(expected), "{words:?}: {errors}");
    }
}

#[test]
fn help_teaches_by_examples() {
    for tool in ["fuzz", "construct"] {
        let help = text(&[tool, "--help"], "");
        assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{help}");
    }
}
