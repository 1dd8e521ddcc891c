//! Broken inputs: whatever the binary is given, it answers, or prints what is wrong and where, within its
//! limits.
//!
//! Each input is a script of the repository, broken by `bivalve_fuzz::damage` and drawn from its number, so a
//! finding is repeated by its number alone. It runs in an empty folder with a gigabyte of address space, as a
//! file or through a pipe. Then there is no panic and no signal, the exit code is the one that `--help` has
//! for what was printed, every error has a place inside of the input, and the folder is empty still.
//!
//! `BIVALVE_BROKEN` is the number of inputs and `BIVALVE_BROKEN_FROM` the number of the first one;
//! `BIVALVE_BROKEN_SCRIPTS` is a folder of further scripts to break, of any language. Inputs of findings are
//! kept.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test says what it has seen, and how much is set by the environment"
)]

use crate::support::number;
use bivalve_fuzz::damage::damaged;
use bivalve_fuzz::{nasty, seed_of, seeds};
use bivalve_harness::Limits;
use bivalve_harness::process::{self, Outcome};
use bivalve_harness::{Cancel, Ending, walk, work};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Everything is drawn from this, and from the number of the input.
const SEED: u64 = 14;

/// Inputs in an ordinary run.
const INPUTS: u64 = 240;

/// Checks end after this time. What is read and printed besides is not limited, and must not take long.
const CHECKS: &str = "2";

/// No input takes longer, on a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(60);

/// A gigabyte, in the kilobytes of `ulimit`.
const ADDRESS_SPACE: &str = "1048576";

/// What is broken: scripts of the repository, those of the generators, and those that are named.
fn scripts() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<PathBuf> = ["crates/cli/tests/transcripts", "tests", "examples"]
        .iter()
        .map(|folder| root.join(folder))
        .collect();
    folders.extend(std::env::var_os("BIVALVE_BROKEN_SCRIPTS").map(PathBuf::from));
    let files = walk::files(&folders, &["smt2", "btor", "btor2", "smt", "cvc"]).unwrap();
    let texts = files.iter().map(|file| fs::read(file).unwrap()).filter(|text| text.len() < 100_000);
    texts.chain(seeds::of_own_making(50)).collect()
}

/// An input with the name of what broke it.
fn input(scripts: &[Vec<u8>], number: u64) -> (&'static str, Vec<u8>) {
    damaged(&mut Rng::with_seed(seed_of(SEED, number)), scripts)
}

/// Runs the binary on an input in an empty folder; every second one comes through a pipe.
fn run(text: &[u8], is_file: bool) -> (Outcome, Vec<String>) {
    let (place, here) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let line = format!("ulimit -v {ADDRESS_SPACE} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &line, env!("CARGO_BIN_EXE_bivalve"), "-t", CHECKS, "--gate-limit", "1000000"]);
    command.current_dir(here.path());
    let file = place.path().join("input");
    let given: &[u8] = if is_file {
        fs::write(&file, text).unwrap();
        command.arg(&file);
        b""
    } else {
        text
    };
    let limits = Limits { time: PATIENCE, cpu: None, memory: None };
    let outcome = process::run(&mut command, given, limits, &Cancel::new());
    let written = fs::read_dir(here.path()).unwrap().map(|entry| entry.unwrap().path().display().to_string());
    (outcome, written.collect())
}

/// The errors of an output, without `(error "`, or `Error: ` where the input is one of CVC.
fn errors(output: &str) -> impl Iterator<Item = &str> {
    output.lines().filter_map(|line| line.strip_prefix("(error \"").or_else(|| line.strip_prefix("Error: ")))
}

/// Is there `file:line:column: ` at the beginning of an error, and such a place in an input whose lines have
/// these lengths?
fn has_place(error: &str, lengths: &[usize]) -> bool {
    let after = error.split_once("/input:").filter(|(path, _)| !path.contains(' ')).map(|(_, after)| after);
    let Some(after) = after.or_else(|| error.strip_prefix("<stdin>:")) else { return false };
    let mut parts = after.splitn(3, ':');
    let mut number = || parts.next().and_then(|part| part.parse::<usize>().ok());
    let (Some(line), Some(column)) = (number(), number()) else { return false };
    let length = line.checked_sub(1).and_then(|before| lengths.get(before));
    // The end of a line is a place as well: there something is missing.
    column > 0 && length.is_some_and(|length| column <= length + 1)
}

/// What is wrong with a run, if anything is.
fn problem(text: &[u8], outcome: &Outcome, written: &[String]) -> Option<String> {
    let code = match outcome.cause() {
        Ending::Exited(code) => code,
        ending => return Some(format!("{ending:?}: {}", outcome.stderr)),
    };
    let count = errors(&outcome.output).count();
    let lengths: Vec<usize> = text.split(|&byte| byte == b'\n').map(<[u8]>::len).collect();
    let astray = errors(&outcome.output).find(|error| !has_place(error, &lengths));
    if code != i32::from(count > 0) {
        Some(format!("exit code {code} after {count} errors: {}", outcome.stderr))
    } else if let Some(error) = astray {
        Some(format!("no place in the input: {error}"))
    } else if !written.is_empty() {
        Some(format!("files are written: {written:?}"))
    } else {
        None
    }
}

/// What runs of one kind came to.
#[derive(Default)]
struct Tally {
    runs: u64,
    refused: u64,
    slowest: (Duration, String),
    largest: (u64, String),
}

/// Runs inputs by their names, prints a line for each kind, and fails with all that was wrong.
fn all(inputs: impl Iterator<Item = (String, &'static str, Vec<u8>)> + Send) {
    let (mut tallies, mut wrong) = (BTreeMap::<&str, Tally>::new(), vec![]);
    let one = |(number, (name, kind, text)): (usize, (String, &'static str, Vec<u8>)), _: &Cancel| {
        let (outcome, written) = run(&text, number.is_multiple_of(2));
        let problem = problem(&text, &outcome, &written).map(|problem| {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("broken-{name}"));
            fs::write(&kept, &text).unwrap();
            format!("{name} ({kind}), kept in {}: {problem}", kept.display())
        });
        (name, kind, outcome, problem)
    };
    let mut see = |(name, kind, outcome, problem): (String, &'static str, Outcome, Option<String>)| {
        let tally = tallies.entry(kind).or_default();
        tally.runs += 1;
        tally.refused += u64::from(outcome.ending == Ending::Exited(1));
        tally.slowest = (outcome.time, name.clone()).max(std::mem::take(&mut tally.slowest));
        tally.largest = (outcome.peak, name).max(std::mem::take(&mut tally.largest));
        if let Some(problem) = &problem {
            println!("{problem}");
        }
        wrong.extend(problem);
        ControlFlow::Continue(())
    };
    work::in_order(inputs.enumerate(), 2, &Cancel::new(), one, &mut see).unwrap();
    println!("kind                   runs  errors  slowest            largest");
    for (kind, Tally { runs, refused, slowest, largest }) in &tallies {
        println!(
            "{kind:20} {runs:6} {refused:7} {:6.2} s {:>8} {:5} MB {}",
            slowest.0.as_secs_f64(),
            slowest.1,
            largest.0 >> 20,
            largest.1
        );
    }
    assert!(wrong.is_empty(), "{} findings: {wrong:#?}", wrong.len());
    let refused: u64 = tallies.values().map(|tally| tally.refused).sum();
    let runs: u64 = tallies.values().map(|tally| tally.runs).sum();
    assert!(refused > runs / 4 && (refused < runs || runs < INPUTS / 10), "{refused} of {runs} have errors");
}

#[test]
fn broken_inputs_are_answered_or_refused_with_a_place() {
    let (from, count) = (number("BIVALVE_BROKEN_FROM", 0), number("BIVALVE_BROKEN", INPUTS));
    let scripts = scripts();
    all((from..from + count).map(|number| {
        let (kind, text) = input(&scripts, number);
        (number.to_string(), kind, text)
    }));
}

#[test]
fn inputs_that_break_readers_are_answered_or_refused_with_a_place() {
    all(nasty::inputs().into_iter().map(|(name, text)| (name.to_owned(), "nasty", text)));
}
