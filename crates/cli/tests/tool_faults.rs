//! Wrong use of the tools, and machines that fail: an error that says what is wrong and exit code 2, never a
//! panic and never a result that is none.

use bivalve_harness::{Cancel, Ending};
use bivalve_harness::{Limits, process};
use std::fs::{self, File};
use std::io::Write as _;
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

/// What each command prints to standard output; `""` is the solver. Manual pages go to a folder.
const TALKERS: &[(&str, &[&[&str]])] = &[
    ("", &[&["open.smt2"], &["--sat", "list"], &["--print-formula", "open.smt2"], &["--help", "research"]]),
    ("check-model", &[&["counter.btor2", "-k", "5"]]),
    (
        "sim",
        &[&["counter.btor2"], &["counter.btor2", "--witness", "w", "--all"], &["-o", "-", "counter.btor2"]],
    ),
    ("fuzz", &[&["-n", "3"], &["-n", "3", "--json"]]),
    (
        "construct",
        &[&["--theory", "bv", "--kind", "single"], &["--theory", "bv", "--kind", "single", "-n", "3"]],
    ),
    ("identities", &[&[]]),
    ("campaign", &[&["open.smt2", "-q"], &["open.smt2", "-q", "--json"]]),
    ("certificates", &[&["-n", "20", "-q"]]),
    ("simplify", &[&["open.smt2"]]),
    ("convert", &[&["open.smt2", "--to", "btor2"]]),
    ("experiment", &[&["open.smt2", "-q"]]),
    ("cubes", &[&["open.smt2", "-q"], &["open.smt2", "-q", "--json"], &["open.smt2", "-q", "--verbose"]]),
    ("reduce", &[&["open.smt2", "-q", "--", "grep", "-c", "bvult", "{}"]]),
    ("lsp", &[&[]]),
    ("btormc", &[&["-kmax", "5", "counter.btor2"]]),
    ("btorsim", &[&["counter.btor2", "w"]]),
    ("completions", &[&["bash"], &["zsh"]]),
    ("man", &[]),
];

/// Command lines of all commands, of each the help, and of the checker.
fn talking(folder: &Path) -> Vec<Command> {
    let script = folder.join("unsat.smt2");
    fs::write(&script, "(declare-const p Bool)(assert (and p (not p)))(check-sat)").expect("a file");
    fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/counter.btor2"),
        folder.join("counter.btor2"),
    )
    .expect("a system");
    run(folder, &["--certificate", "unsat.bvc", "unsat.smt2"]);
    run(folder, &["check-model", "counter.btor2", "-w", "w"]);
    let listed = text(&run(folder, &["-h"]).stdout);
    let listed =
        listed.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help");
    let mut known: Vec<&str> = TALKERS.iter().map(|row| row.0).filter(|name| !name.is_empty()).collect();
    let mut names: Vec<&str> = names.collect();
    known.sort_unstable();
    names.sort_unstable();
    assert_eq!(known, names, "each command has a row");
    let mut commands = vec![];
    for (name, lines) in TALKERS {
        for words in lines.iter().copied().chain([&["--help"][..]]) {
            let mut command = Command::new(BIVALVE);
            command.args(Some(name).filter(|name| !name.is_empty())).args(words);
            commands.push(command);
        }
    }
    for words in [&["--version"][..], &["sim", "--version"]] {
        commands.push(Command::new(BIVALVE));
        commands.last_mut().expect("one").args(words);
    }
    for words in [&["--version"][..], &["--help"], &["unsat.smt2", "unsat.bvc"], &["open.smt2", "unsat.bvc"]]
    {
        commands.push(Command::new(env!("CARGO_BIN_EXE_bivalve-check")));
        commands.last_mut().expect("one").args(words);
    }
    commands.iter_mut().for_each(|command| {
        command.current_dir(folder);
    });
    commands
}

/// What an editor says that comes and goes.
const EDITOR: [&str; 4] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
    r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
    r#"{"jsonrpc":"2.0","method":"exit"}"#,
];

/// How a command ends whose output goes there; it has an editor's messages to read.
fn ended(command: &mut Command, out: Stdio) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(out).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut to = child.stdin.take().expect("a pipe");
    for body in EDITOR {
        // Most commands read nothing.
        let _ = write!(to, "Content-Length: {}\r\n\r\n{body}", body.len());
    }
    drop(to);
    child.wait_with_output().expect("it ends")
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = place();
    for mut command in talking(folder.path()) {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = ended(&mut command, full.into());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
        assert!(said.contains("standard output: No space left"), "{command:?}: {said}");
        assert!(!said.contains("panicked"), "{command:?}: {said}");
    }
}

#[test]
fn output_that_is_closed_is_no_panic() {
    let folder = place();
    for mut command in talking(folder.path()) {
        let read = ended(&mut command, Stdio::piped());
        assert!(!read.stdout.is_empty(), "{command:?}: {}", text(&read.stderr));
        // The end that reads is closed before the command begins.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = ended(&mut command, writer.into());
        let said = text(&output.stderr);
        // The checker has not said that anything is right.
        let is_checker = command.get_program() != BIVALVE;
        let code = if is_checker { Some(2) } else { read.status.code() };
        assert_eq!(output.status.code(), code, "{command:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("pipe"), "{command:?}: {said}");
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
