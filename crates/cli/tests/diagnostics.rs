//! Errors of an input, as people see them: with their lines, the first twenty, in colour, once.

use crate::support::{bivalve, text};
use std::fs;
use std::process::{Output, Stdio};

/// So many assertions of names that are not declared.
fn faulty(count: usize) -> String {
    (0..count).map(|number| format!("(assert n{number})\n")).collect()
}

/// The output of a run on a file with this text.
fn run(text: &str, words: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("the binary runs on a file");
    fs::write(folder.path().join("it.smt2"), text).expect("the binary runs on a file");
    let mut bivalve = bivalve();
    bivalve.args(words).arg("it.smt2").current_dir(&folder).env_remove("NO_COLOR");
    bivalve.stdin(Stdio::null()).output().expect("the binary runs on a file")
}

#[test]
fn twenty_errors_are_shown_and_the_others_counted() {
    let last = |count: usize| {
        let output = run(&faulty(count), &[]);
        assert_eq!(output.status.code(), Some(1));
        let (replies, shown) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(replies.lines().filter(|line| line.starts_with("(error ")).count(), count);
        assert_eq!(shown.matches("error: it.smt2:").count(), count.min(20));
        shown.lines().last().unwrap().to_owned()
    };
    assert_eq!(last(3001), "... and 2,981 more errors");
    assert_eq!(last(21), "... and 1 more error");
    assert_eq!(last(20), "   |         ^^^");
    // Each input has its own twenty.
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.smt2", "two.smt2"] {
        fs::write(folder.path().join(name), faulty(30)).unwrap();
    }
    let output = bivalve().args(["one.smt2", "two.smt2"]).current_dir(&folder).output().unwrap();
    assert_eq!(text(&output.stderr).matches("... and 10 more errors\n").count(), 2);
}

#[test]
fn colours_follow_the_option() {
    let is_coloured = |words: &[&str]| text(&run("(assert n)", words).stderr).contains("\u{1b}[");
    assert!(is_coloured(&["--color", "always"]));
    assert!(!is_coloured(&["--color", "never"]) && !is_coloured(&[]));
}

#[test]
fn an_open_parenthesis_is_shown() {
    let output = run("(check-sat)\n(assert (or true\n  (and true\n", &[]);
    assert_eq!(
        text(&output.stdout),
        "sat\n(error \"it.smt2:4:1: expected a term, found end of input; the '(' at 3:3 is not closed\")\n"
    );
    assert!(
        text(&output.stderr)
            .ends_with("note: it.smt2:3:3: this '(' is not closed\n  |\n3 |   (and true\n  |   ^\n"),
        "{}",
        text(&output.stderr)
    );
}

/// A terminal shows both streams: an error of a file is on it once.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_an_error_once() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("it.smt2"), faulty(25)).unwrap();
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, vec![]).unwrap().into_string().unwrap();
    let terminal = || fs::File::options().read(true).write(true).open(&name).unwrap();
    let mut bivalve = bivalve();
    bivalve.args(["it.smt2", "--color", "never"]).current_dir(&folder).stdin(Stdio::null());
    let status = bivalve.stdout(terminal()).stderr(terminal()).status().unwrap();
    // The terminal is closed with the last of its files; what was written is still there.
    drop(bivalve);
    let mut shown = vec![];
    // Linux ends the output of a closed terminal with an error.
    let _ = fs::File::from(controller).read_to_end(&mut shown);
    let shown = text(&shown);
    assert_eq!(status.code(), Some(1));
    assert_eq!((shown.matches("it.smt2:1:9").count(), shown.matches("(error ").count()), (1, 0), "{shown}");
    assert!(shown.trim_end().ends_with("... and 5 more errors"), "{shown}");
}

/// `unknown` was said without a word about why.
#[test]
fn an_assertion_that_was_refused_is_named_where_it_is_missed() {
    let script =
        "(declare-const x Bool)\n (assert (forall ((y Int)) x))\n(assert frob)\n(check-sat)\n(check-sat)
(push)(assert (and x (not x)))(check-sat)(pop)(reset-assertions)(check-sat)\n";
    let output = run(script, &[]);
    assert!(text(&output.stdout).ends_with("unknown\nunknown\nunsat\nsat\n"), "{}", text(&output.stdout));
    let shown = text(&output.stderr);
    let note = "it.smt2:2:2: note: without this assertion, which was refused, the answer is unknown\n";
    assert_eq!((shown.matches(note).count(), shown.matches("note:").count()), (1, 1), "{shown}");
}

/// A spinner said nothing of conflicts and memory, and nothing at all in a log.
#[test]
fn a_long_check_has_rows_of_progress() {
    let script = "(declare-const x (_ BitVec 256))(declare-const y (_ BitVec 256))
(assert (= (bvmul x y) (_ bv115792089237316195423570985008687907853269984665640564039457584007913129639747 256)))
(assert (bvult (_ bv1 256) x))(assert (bvult x y))(assert (not (bvumulo x y)))(check-sat)";
    for (backend, has_restarts) in [("cadical", false), ("batsat", true)] {
        let words = ["-v", "--time-limit-per", "4", "--afresh-after", "0", "--sat", backend];
        let output = run(script, &words);
        assert_eq!(text(&output.stdout), "unknown\n");
        let shown = text(&output.stderr);
        let rows: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["time", "phase", "gates", "clauses", "conflicts", "restarts", "MB"]);
        assert!((3..=7).contains(&rows.len()) && rows.iter().all(|row| row.len() == 7), "{shown}");
        let last = rows.last().unwrap();
        assert!(last[4].parse::<u64>().unwrap() > 0, "{shown}");
        assert_eq!(last[5].parse::<u64>().is_ok(), has_restarts, "{shown}");
    }
    assert_eq!(text(&run("(check-sat)", &["-v"]).stderr), "");
}

/// Clients read replies from a pipe: each command has its own, and nothing else is written.
#[test]
fn a_pipe_gets_every_reply() {
    use std::io::Write;
    for words in [&[][..], &["--compat", "z3", "-in"]] {
        let mut bivalve = bivalve();
        bivalve.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = bivalve.spawn().unwrap();
        child.stdin.take().unwrap().write_all(faulty(50).as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stdout).matches("(error ").count(), 50);
        assert_eq!(text(&output.stderr), "");
    }
}
