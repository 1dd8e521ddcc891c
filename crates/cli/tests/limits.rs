//! Limits while an input is read: what a client has begun ends with them, and what it has not begun does not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{Client, bivalve, text};
use std::io::{BufWriter, Read, Write};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// How often a process is looked at, a hundred times a second; far more than what is waited for takes.
const LOOKS: usize = 3000;

/// How a process ends by itself, and what it prints.
fn ends(mut child: Child, mut from: impl Read) -> (ExitStatus, String) {
    let looked = (0..LOOKS).find_map(|_| {
        sleep(Duration::from_millis(10));
        child.try_wait().unwrap()
    });
    let status = looked.unwrap_or_else(|| {
        child.kill().unwrap();
        panic!("it waits");
    });
    let mut printed = String::new();
    from.read_to_string(&mut printed).unwrap();
    (status, printed)
}

/// A client that is silent in the middle of a command held the process for ever.
#[test]
fn a_time_limit_holds_while_a_command_is_waited_for() {
    let commands = [
        ("(assert (", "<stdin>:1:10: expected the end of the command within the limits"),
        ("(check-sat)(ass", "<stdin>:1:16: expected the end of the command within the limits"),
        ("(set-info :source |", "<stdin>:1:20: expected the end of the command within the limits"),
        ("(bench", "<stdin>:1:7: expected the end of the command within the limits"),
        ("1 sort bitvec 8\n2 inp", "<stdin>: expected the end of the input within the limits"),
        ("x : BITVECTOR(8);\nASSERT(x", "<stdin>: expected the end of the input within the limits"),
    ];
    for (begun, problem) in commands {
        for words in [&["-t", "300ms"][..], &["-t", "300ms", "--memory-limit", "1G"]] {
            let Client { child, mut to, from } = Client::start(words);
            to.write_all(begun.as_bytes()).unwrap();
            let (status, printed) = ends(child, from);
            let said = format!("{problem}, found that the time limit has passed");
            assert!(printed.contains(&said), "{begun}: {printed}");
            assert_eq!(status.code(), Some(1), "{begun}");
            assert_eq!(printed.contains("sat\n"), begun.contains("check-sat"), "{begun}: {printed}");
            drop(to);
        }
    }
    let mut printed = Client::start(&["-t", "300ms", "--print-formula"]);
    printed.send("(assert (");
    let Client { child, to, from } = printed;
    let (status, printed) = ends(child, from);
    assert!(printed.contains("within the limits") && status.code() == Some(1), "{printed}");
    drop(to);
}

#[test]
fn a_time_limit_holds_while_a_system_is_waited_for() {
    let mut child = bivalve()
        .args(["check-model", "-t", "300ms", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut to, from) = (child.stdin.take().unwrap(), child.stderr.take().unwrap());
    to.write_all(b"1 sort bitvec 8\n2 inp").unwrap();
    let (status, said) = ends(child, from);
    assert!(said.contains("-: expected the end of the input within the limits"), "{said}");
    assert_eq!(status.code(), Some(2));
    drop(to);
}

/// The same through a named pipe.
#[cfg(unix)]
#[test]
fn a_time_limit_holds_while_a_named_pipe_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe.smt2");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut child = bivalve()
        .args(["-t", "300ms"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let from = child.stdout.take().unwrap();
    let mut client = std::fs::File::options().write(true).open(&path).unwrap();
    client.write_all(b"(check-sat)(assert (or").unwrap();
    let (status, printed) = ends(child, from);
    assert!(printed.starts_with("sat\n(error ") && printed.contains("within the limits"), "{printed}");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn between_commands_a_client_may_be_silent() {
    let mut client = Client::start(&["-t", "300ms"]);
    client.send("(declare-const p Bool)(assert p)(check-sat)");
    assert_eq!(client.line(), "sat");
    sleep(Duration::from_millis(600));
    client.send("(get-value (p))\n");
    assert_eq!(client.line(), "((p true))");
    client.send("; nothing is begun\n");
    sleep(Duration::from_millis(100));
    client.send("(assert (not p))(check-sat)(get-info :reason-unknown)(echo \"alive\")");
    let answers = [client.line(), client.line(), client.line()];
    assert_eq!(answers, ["unknown", "(:reason-unknown timeout)", "\"alive\""]);
    assert_eq!(client.exit_code(), Some(0));
}

/// Time begins with the text, so that a client may start a solver before it has a question.
#[test]
fn a_client_may_be_silent_before_it_begins() {
    let mut client = Client::start(&["-t", "500ms"]);
    sleep(Duration::from_millis(900));
    client.send("(declare-const p Bool)(assert p)(check-sat)");
    assert_eq!(client.line(), "sat");
    assert_eq!(client.exit_code(), Some(0));
}

/// Terms were built without bound before the first check.
#[cfg(target_os = "linux")]
#[test]
fn a_memory_limit_holds_while_a_long_script_is_read() {
    let mut child = bivalve()
        .args(["--memory-limit", "60M", "--stats=json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = BufWriter::new(child.stdin.take().unwrap());
    let client = std::thread::spawn(move || {
        to.write_all(b"(declare-const x (_ BitVec 64))").unwrap();
        for i in 0..600_000 {
            writeln!(to, "(assert (distinct (bvmul x #x{i:016x}) (bvadd x #x{:016x})))", i * 7).unwrap();
        }
        to.write_all(b"(check-sat)(get-info :reason-unknown)").unwrap();
    });
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    client.join().unwrap();
    assert_eq!(text(&stdout), "unknown\n(:reason-unknown memout)\n");
    let statistics: serde_json::Value = serde_json::from_slice(&stderr).unwrap();
    let peak = statistics["peak_megabytes"].as_f64().unwrap_or_else(|| panic!("{statistics}"));
    assert!(peak < 120.0, "{peak}");
    assert_eq!(status.code(), Some(0));
}
