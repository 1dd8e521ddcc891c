//! The solver inside of this process and the binary answer the same, command by command.
//!
//! Both are the same session, so what is compared is everything around it: how replies are printed and
//! collected, where a run ends, and what an error means for the rest. Scripts are those of the repository,
//! each also broken at random places; and a sample of the collection in `../shared/bench/dev/regress`, which
//! is not part of the repository: that test is ignored unless it is asked for.
//!
//! `BIVALVE_MUTANTS` is the number of broken scripts, and `BIVALVE_COLLECTION` a folder of scripts that are
//! all tried, large ones included, in place of the sample.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test says what it has seen, and how much is set by the environment"
)]

use crate::support::{bivalve, number};
use bivalve::Settings;
use bivalve_formats::Language;
use bivalve_harness::{Cancel, Ending, Oracle};
use bivalve_judge::Inside;
use fastrand::Rng;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Budgets in steps: they end a hard check at the same place in both.
const BUDGETS: [(&str, &str); 2] = [("conflict-limit", "300"), ("gate-limit", "200000")];

/// What the binary prints to a script on a pipe, and its exit code.
fn outside(script: &str) -> (String, Option<i32>) {
    let mut command = bivalve();
    BUDGETS.iter().for_each(|(name, value)| {
        command.arg(format!("--{name}={value}"));
    });
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let mut to = child.stdin.take().expect("piped");
    let text = script.to_owned();
    // After `(exit)` the rest is not read.
    let writer = std::thread::spawn(move || drop(to.write_all(text.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// The same inside of this process.
fn inside(script: &str) -> (String, Option<i32>) {
    let mut settings = Settings::default();
    BUDGETS.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
    let reply = Inside::new("bivalve", settings, Duration::from_secs(600)).ask(script, &Cancel::new());
    let code = match reply.ending {
        Ending::Exited(code) => Some(code),
        _ => None,
    };
    (reply.output.replace("\"script:", "\"<stdin>:").replace(" script:", " <stdin>:"), code)
}

/// An input in another language is refused by the binary as a whole, before a session begins; it is not
/// compared.
fn assert_agreement(script: &str, name: &str) {
    if Language::of_other(script.as_bytes(), true).flatten().is_some() {
        return;
    }
    assert_eq!(inside(script), outside(script), "{name}:\n{script}");
}

/// The scripts below a folder that have at most so many bytes, in order.
fn scripts(folder: &Path, most: usize) -> Vec<(String, String)> {
    let (mut folders, mut paths): (Vec<PathBuf>, Vec<PathBuf>) = (vec![folder.to_owned()], vec![]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && entry.file_name() != "target" {
                folders.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|e| e == "smt2") {
                paths.push(entry.path());
            }
        }
    }
    paths.sort();
    let text = |path: PathBuf| Some((path.display().to_string(), std::fs::read_to_string(path).ok()?));
    // Time decides what these answer: statistics have seconds.
    let is_timed =
        |text: &str| ["timeout", "tlimit", "all-statistics"].iter().any(|word| text.contains(word));
    paths.into_iter().filter_map(text).filter(|(_, text)| text.len() <= most && !is_timed(text)).collect()
}

fn of_the_repository() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    ["crates", "tests", "examples"].iter().flat_map(|folder| scripts(&root.join(folder), USUAL)).collect()
}

/// Larger scripts are tried only if all are.
const USUAL: usize = 20_000;

/// Parentheses, and what is between blanks and parentheses.
fn tokens(script: &str) -> Vec<&str> {
    script.split_inclusive(['(', ')', ' ', '\n']).collect()
}

/// Pieces that break a script, or turn it into another.
const PIECES: &[&str] = &[
    "(",
    ")",
    "|",
    "\"",
    ";",
    "\r\n",
    "\u{feff}",
    "\u{e9}",
    "#b",
    "#x12 ",
    "(_ bv7 3) ",
    "Int ",
    "(pop 2)",
    "(push)",
    "(reset)",
    "(reset-assertions)",
    "(check-sat)",
    "(get-model)",
    "(exit)",
    "(assert nonsense)",
    "(assert false)",
    "(set-option :print-success true)",
    "(set-option :global-declarations true)",
    "(set-option :produce-unsat-cores true)",
    "(check-sat-assuming (true (not true)))",
    "(get-unsat-assumptions)",
    "(get-value (true))",
    "(frobnicate)",
    "(declare-const x Int)",
    "(get-info :reason-unknown)",
    "(get-info :no-such-info)",
    "(get-consequences () (true))",
    "(simplify true)",
    "(get-unsat-core)",
    "(declare-datatype D ((d)))",
];

/// The script after a few random edits.
fn mutated(script: &str, rng: &mut Rng) -> String {
    let mut tokens: Vec<&str> = tokens(script);
    for _ in 0..rng.usize(1..6) {
        let (at, other) = (rng.usize(..=tokens.len()), rng.usize(..=tokens.len()));
        match rng.u8(..6) {
            0 if at < tokens.len() => drop(tokens.remove(at)),
            1 if at < tokens.len() && other < tokens.len() => tokens.swap(at, other),
            2 if at < tokens.len() => tokens.insert(other, tokens[at]),
            3 => drop(tokens.drain(at.min(other)..at.max(other).min(at.min(other) + 40))),
            4 if rng.u8(..8) == 0 => tokens.truncate(at),
            _ => tokens.insert(at, PIECES[rng.usize(..PIECES.len())]),
        }
    }
    tokens.concat()
}

#[test]
fn scripts_of_the_repository_are_answered_the_same() {
    let scripts = of_the_repository();
    assert!(scripts.len() > 80, "{} scripts", scripts.len());
    for (name, script) in scripts {
        assert_agreement(&script, &name);
    }
}

#[test]
fn broken_scripts_are_answered_the_same() {
    let (scripts, mut rng) = (of_the_repository(), Rng::with_seed(14));
    let (mut errors, mutants) = (0, number("BIVALVE_MUTANTS", MUTANTS));
    for _ in 0..mutants {
        let (name, script) = &scripts[rng.usize(..scripts.len())];
        let script = mutated(script, &mut rng);
        assert_agreement(&script, name);
        errors += usize::from(inside(&script).0.contains("(error "));
    }
    assert!(errors > mutants / 2 && errors < mutants, "{errors} of {mutants} have errors");
}

/// Broken scripts that are tried in an ordinary run.
const MUTANTS: usize = 1000;

#[test]
#[ignore = "needs the benchmark files beside the repository"]
fn the_collection_is_answered_the_same() {
    let all = std::env::var_os("BIVALVE_COLLECTION").map(PathBuf::from);
    let is_all = all.is_some();
    let sample = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/dev/regress");
    let folder = all.unwrap_or_else(sample);
    assert!(folder.is_dir(), "{} is absent", folder.display());
    let (scripts, mut rng) = (scripts(&folder, if is_all { usize::MAX } else { USUAL }), Rng::with_seed(15));
    let count = if is_all { scripts.len() } else { 200 };
    for number in 0..count {
        let (name, script) = &scripts[if is_all { number } else { rng.usize(..scripts.len()) }];
        assert_agreement(script, name);
        assert_agreement(&mutated(script, &mut rng), name);
    }
    println!("{count} scripts, each also broken");
}
