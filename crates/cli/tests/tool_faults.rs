//! Wrong use of the tools, and machines that fail: an error that says what is wrong and exit code 2, never a
//! panic and never a result that is none.

use bivalve_harness::{Cancel, Ending};
use bivalve_harness::{Limits, process};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const BIVALVE: &str = env!("CARGO_BIN_EXE_bivalve");

const OPEN: &str = "(declare-const x (_ BitVec 4))\n(assert (bvult #x3 x))\n(check-sat)\n";

/// A folder with a case and a file to reduce.
fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("open.smt2"), OPEN).expect("a file");
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    Command::new(BIVALVE)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Ends with exit code 2 and this message, and prints no table.
fn is_refused(folder: &Path, words: &[&str], message: &str) {
    let output = run(folder, words);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(said.contains(message), "{words:?}: {said}");
    assert!(output.stdout.is_empty(), "{words:?}: {}", text(&output.stdout));
}

#[test]
fn a_solver_that_does_not_exist_is_refused_at_the_start() {
    let folder = place();
    let solver = "nosuch=no-such-solver {}";
    is_refused(
        folder.path(),
        &["campaign", "open.smt2", "--solver", solver],
        "cannot be started: 'no-such-solver'",
    );
    is_refused(
        folder.path(),
        &["campaign", "open.smt2", "--solver", solver, "--batch", "9"],
        "'no-such-solver'",
    );
    is_refused(
        folder.path(),
        &["experiment", "open.smt2", "--solver", solver],
        "cannot be started: 'no-such-solver'",
    );
    is_refused(
        folder.path(),
        &["--sat", "dimacs:no-such-solver -q", "open.smt2"],
        "no program 'no-such-solver'",
    );
    is_refused(
        folder.path(),
        &["campaign", "open.smt2", "--inside", "a:sat=dimacs:no-such"],
        "no program 'no-such'",
    );
}

#[test]
fn values_are_checked() {
    let folder = place();
    for (words, message) in [
        (&["--percent", "500"][..], "percentage from 0 to 100"),
        (&["--without", "bivalve=nonsense"], "expected models or cores, found 'nonsense'"),
        (&["--without", "bivalve"], "found 'bivalve'"),
        (&["--without", "x=models"], "no solver of the name 'x'"),
        (&["--batch", "nope"], "expected [NAME=]N"),
        (&["--batch", "0"], "expected [NAME=]N"),
        (&["--batch", "x=3"], "no solver of the name 'x'"),
        (&["--pool", "x"], "found 'x'"),
        (&["--time-limit", "0"], "a time above zero"),
        (&["--shard", "3/2", "--log", "l"], "a shard such as 2/8"),
        (&["--shard", "1/2"], "--log"),
        (&["--engine", "slurm"], "needs a --log"),
    ] {
        let solver = ["campaign", "open.smt2", "--solver", "bivalve=cat {}"];
        is_refused(folder.path(), &[&solver, words].concat(), message);
    }
    is_refused(folder.path(), &["reduce", "open.smt2", "--percent", "101", "--", "cat"], "percentage");
}

/// What every script meets, the empty one included, is no target.
#[test]
fn a_target_that_everything_meets_is_refused() {
    let folder = place();
    for command in ["true", "false", "echo"] {
        let output = run(folder.path(), &["reduce", "open.smt2", "--", command]);
        assert_eq!(output.status.code(), Some(1), "{command}: {}", text(&output.stderr));
        assert!(
            text(&output.stderr).contains("an empty script fails in the same way"),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    }
}

/// Commands that print to standard output, each with something to say.
const TALKERS: &[&[&str]] = &[
    &["--sat", "list"],
    &["campaign", "open.smt2", "-q"],
    &["campaign", "open.smt2", "-q", "--json"],
    &["construct", "--theory", "bv", "--kind", "single"],
    &["construct", "--theory", "bv", "--kind", "single", "-n", "3"],
    &["fuzz", "-n", "3"],
    &["experiment", "open.smt2", "-q"],
    &["reduce", "open.smt2", "-q", "--", "grep", "-c", "bvult", "{}"],
];

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = place();
    for words in TALKERS {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut command = Command::new(BIVALVE);
        command.args(*words).current_dir(folder.path()).stdin(Stdio::null());
        let output = command.stdout(full).stderr(Stdio::piped()).output().expect("the binary runs");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("standard output: No space left"), "{words:?}: {said}");
    }
}

#[test]
fn output_that_is_closed_is_no_panic() {
    let folder = place();
    for words in TALKERS {
        let mut command = Command::new(BIVALVE);
        command.args(*words).current_dir(folder.path()).stdin(Stdio::null());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("panicked"), "{words:?}");
    }
}

/// Thousands of checks cost the judge no more memory than one.
#[test]
#[cfg(target_os = "linux")]
fn a_script_with_thousands_of_checks_takes_little_memory() {
    let folder = place();
    let mut script = String::from("(declare-const x (_ BitVec 32))\n");
    for number in 0..6_000 {
        script += &format!("(assert (distinct x (_ bv{number} 32)))\n(check-sat)\n");
    }
    fs::write(folder.path().join("many.smt2"), script).expect("a file");
    let answers = "sat\n".repeat(6_000);
    fs::write(folder.path().join("answers"), answers).expect("a file");
    let mut command = Command::new(BIVALVE);
    command.args(["campaign", "many.smt2", "--verdicts-only", "-q", "--all-must-pass"]);
    command.args(["--solver", "it=sh -c 'cat answers'"]).current_dir(folder.path());
    let limits = Limits { time: Duration::from_secs(60), cpu: None, memory: None };
    let outcome = process::run(&mut command, b"", limits, &Cancel::new());
    assert_eq!(outcome.ending, Ending::Exited(0), "{}{}", outcome.output, outcome.stderr);
    assert!(outcome.peak < 100 << 20, "{} bytes", outcome.peak);
}

/// One file, whatever links to its folder there are.
#[test]
#[cfg(unix)]
fn a_link_to_its_own_folder_gives_no_further_cases() {
    let folder = place();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).expect("a link");
    let output = run(folder.path(), &["campaign", "."]);
    assert!(text(&output.stdout).contains("\n1 cases, 0 findings"), "{}", text(&output.stdout));
}

/// Symbols that are called what broken programs print.
#[test]
fn a_symbol_named_like_a_crash_is_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = "(declare-const Aborted Bool)\n(declare-const |out of memory| Bool)\n\
                  (assert (and Aborted |out of memory|))\n(check-sat)\n";
    fs::write(folder.path().join("named.smt2"), script).expect("a file");
    let solver = format!("bivalve={BIVALVE} {{}}");
    let output = run(folder.path(), &["campaign", "named.smt2", "--solver", &solver, "--all-must-pass"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
}
