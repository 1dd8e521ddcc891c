//! Incremental scripts of other projects: every answer agrees with the status before its check.
//!
//! The scripts lie beside the workspace, in `../shared/bench/dev/regress`, and are not part of it, so the
//! test is ignored unless it is asked for. Scripts that push, assume or ask for cores are run under two
//! settings, in parallel. A check is wrong if it answers sat where the script says unsat or the other way
//! round; unknown is no answer. Commands that are not supported are answered by errors, which must not make a
//! later answer wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::bivalve;
use std::path::{Path, PathBuf};

const LOGICS: &[&str] = &["QF_BV", "QF_BOOL", "QF_ABV", "QF_AUFBV", "QF_AX", "QF_UF", "QF_UFBV"];

/// Scripts whose statuses are wrong on purpose.
const LIARS: &[&str] = &["set-info-status.smt2"];

/// Words that make a script one of these.
const MARKS: &[&str] = &["(push", "(pop", "check-sat-assuming", "get-unsat", "reset-assertions"];

/// The status of each check, where the script has one, and whether the check is carried out at all cannot be
/// known.
fn expected(text: &str) -> Vec<Option<bool>> {
    let code: String =
        text.lines().map(|line| line.split(';').next().unwrap_or("").to_owned() + "\n").collect();
    let mut status = None;
    let mut checks = vec![];
    let mut words = code.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty());
    while let Some(word) = words.next() {
        match word {
            ":status" => status = words.next().filter(|&s| s != "unknown").map(|s| s == "sat"),
            "check-sat" | "check-sat-assuming" => checks.push(status),
            _ => {}
        }
    }
    checks
}

/// Answers of the binary, and what is wrong with them.
fn judge(path: &Path, options: &[&str]) -> (usize, Option<String>) {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let mut command = bivalve();
    let output = command.args(["--time-limit", "1"]).args(options).arg(path).output().unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    if !matches!(output.status.code(), Some(0 | 1)) {
        return (0, Some(format!("{name} {options:?}: {}", output.status)));
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<&str> = printed.lines().filter(|l| ["sat", "unsat", "unknown"].contains(l)).collect();
    let expected = expected(&text);
    // A check that was refused has no answer, so answers cannot be assigned to checks.
    if answers.len() != expected.len() || LIARS.iter().any(|liar| name.ends_with(liar)) {
        return (0, None);
    }
    let mut right = 0;
    for (number, (answer, status)) in answers.iter().zip(expected).enumerate() {
        match (*answer, status) {
            ("sat", Some(false)) | ("unsat", Some(true)) => {
                return (right, Some(format!("{name} {options:?}: check {}: {answer}", number + 1)));
            }
            ("sat" | "unsat", Some(_)) => right += 1,
            _ => {}
        }
    }
    (right, None)
}

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn statuses_of_incremental_scripts_are_met() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/dev/regress");
    let mut scripts: Vec<PathBuf> = vec![];
    for logic in LOGICS {
        let Ok(entries) = std::fs::read_dir(root.join(logic)) else { continue };
        scripts.extend(entries.map(|entry| entry.unwrap().path()));
    }
    scripts.retain(|path| {
        let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        text.is_ok_and(|text| MARKS.iter().any(|mark| text.contains(mark)))
    });
    scripts.sort();
    assert!(!scripts.is_empty(), "there are no scripts in {}", root.display());
    let (mut right, mut wrong) = (0, vec![]);
    let halves = scripts.chunks(scripts.len().div_ceil(2));
    std::thread::scope(|scope| {
        let workers: Vec<_> = halves
            .map(|half| {
                scope.spawn(|| {
                    let plain = half.iter().map(|path| judge(path, &[]));
                    let other =
                        half.iter().map(|path| judge(path, &["--rewrite-from", "0", "--probe", "off"]));
                    plain.chain(other).collect::<Vec<_>>()
                })
            })
            .collect();
        for (count, problem) in workers.into_iter().flat_map(|worker| worker.join().unwrap()) {
            right += count;
            wrong.extend(problem);
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        right > scripts.len() / 4,
        "{right} answers in {} scripts: too few to mean anything",
        scripts.len()
    );
}
