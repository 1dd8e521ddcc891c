//! A run that is killed leaves no file behind that was not named as output.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "the test waits for files to come and go")]

use crate::support::bivalve;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const SCRIPT: &str = "(declare-const x (_ BitVec 8))\n(assert (= (bvmul x x) #x51))\n(check-sat)\n";

/// Starts the binary on a script; its folder for temporary files is `temporary`.
fn start(place: &Path, words: &[&str]) -> Child {
    fs::create_dir(place.join("temporary")).expect("a folder");
    fs::write(place.join("case.smt2"), SCRIPT).expect("a file");
    let mut bivalve = bivalve();
    bivalve.args(words).current_dir(place).env("TMPDIR", place.join("temporary"));
    bivalve.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    bivalve.spawn().expect("the binary runs")
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The paths of all files and folders below a folder.
fn below(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder).min_depth(1);
    entries.into_iter().filter_map(|entry| Some(entry.ok()?.path().display().to_string())).collect()
}

/// Runs the binary with a solver that notes the name of its file and sleeps; kills it; returns what was in
/// the folder for temporary files before.
fn kill(words: &[&str]) -> Vec<String> {
    let place = tempfile::tempdir().expect("a temporary folder");
    let (noted, temporary) = (place.path().join("noted"), place.path().join("temporary"));
    let mut run = start(place.path(), words);
    wait_until("the solver is started", || noted.exists());
    let before = below(&temporary);
    run.kill().expect("it runs");
    run.wait().expect("it ends");
    wait_until("no file is left", || below(&temporary).is_empty());
    before
}

/// The name of the file is what is left when the shell has its own words; the file is readable.
const SOLVER: &str = "test -s \"$0\" && echo \"$0\" > noting && mv noting noted && exec sleep 5";

#[test]
fn a_killed_campaign_leaves_no_script() {
    let solver = format!("it=sh -c '{SOLVER}' {{}}");
    let before = kill(&["campaign", "case.smt2", "--solver", &solver, "--verdicts-only"]);
    assert!(before.iter().any(|path| path.ends_with(".smt2")), "{before:?}");
}

#[test]
fn a_killed_run_leaves_no_clauses() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let program = place.path().join("solver.sh");
    fs::write(&program, SOLVER.replace("$0", "$1")).expect("a file");
    let sat = format!("dimacs:sh {}", program.display());
    kill(&["--sat", &sat, "--probe", "off", "case.smt2"]);
}
