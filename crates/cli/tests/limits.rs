//! Limits while an input is read: what a client has begun ends with them, and what it has not begun does not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{Client, bivalve, piped, text};
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

/// Nested definitions that stand for 2^40 terms.
fn doubling() -> String {
    let step = |n: u32| {
        format!(
            "(define-fun f{n} ((a (_ BitVec 32))) (_ BitVec 32) (f{0} (bvadd (f{0} a) (f{0} (bvnot a)))))\n",
            n - 1
        )
    };
    format!(
        "(declare-const x (_ BitVec 32))\n(define-fun f0 ((a (_ BitVec 32))) (_ BitVec 32) (bvmul a a))\n{}\
         (assert (= (f40 x) #x00000007))\n(check-sat)\n",
        (1..=40).map(step).collect::<String>()
    )
}

/// Without a limit these ran until memory was used up.
#[test]
fn tools_that_write_a_text_end_at_their_limits() {
    let mut tools = vec![vec!["simplify"], vec!["convert", "-", "--to", "smt2"], vec!["--print-formula"]];
    let limits =
        [(["-t", "300ms"], "the time limit has passed"), (["-m", "100"], "the memory limit is reached")];
    for tool in &mut tools {
        for (limit, why) in limits.iter().take(if cfg!(target_os = "linux") { 2 } else { 1 }) {
            let output = piped(&[&tool[..], limit].concat(), doubling().as_bytes());
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(complaint.contains(why), "{tool:?} {limit:?}: {complaint}");
            assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]), "{tool:?} {limit:?}");
        }
        let output = piped(&[&tool[..], &["-t", "1h", "-m", "1T"]].concat(), b"(assert false)(check-sat)");
        assert!(output.status.success() && !output.stdout.is_empty(), "{tool:?}");
    }
}

/// Cubes had no limits: a script whose definitions stand for too much, and a search without end.
#[test]
fn cubes_end_at_their_limits() {
    let folder = tempfile::tempdir().unwrap();
    let hard = "(declare-const x (_ BitVec 256))(declare-const y (_ BitVec 256))(assert (bvult (_ bv1 256) x))
        (assert (= (bvmul x y) (_ bv115792089237316195423570985008687907853269984665640564039457584007913129639747 256)))
        (assert (bvult x y))(assert (not (bvumulo x y)))(check-sat)";
    for (name, script, said) in [("doubling", doubling().as_str(), ""), ("hard", hard, "unknown\n")] {
        std::fs::write(folder.path().join(name), script).unwrap();
        let limits =
            [(["-t", "300ms"], "the time limit has passed"), (["--memory-limit", "30"], "the memory limit")];
        for (limit, why) in limits.iter().take(if cfg!(target_os = "linux") { 2 } else { 1 }) {
            let output =
                bivalve().args(["cubes", name, "-q"]).args(limit).current_dir(&folder).output().unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(complaint.contains(why), "{name} {limit:?}: {complaint}");
            assert_eq!((output.status.code(), &*text(&output.stdout)), (Some(1), said), "{name} {limit:?}");
        }
    }
}

/// So had simulations, and the command lines of other tools.
#[test]
fn simulations_end_at_their_limits() {
    let folder = tempfile::tempdir().unwrap();
    let text = "1 sort bitvec 64\n2 state 1\n3 input 1\n4 mul 1 2 2\n5 add 1 4 3\n6 next 1 2 5\n\
                7 sort bitvec 1\n8 eq 7 2 -2\n9 bad 8\n";
    std::fs::write(folder.path().join("s.btor2"), text).unwrap();
    let sim = |limit: &[&str], why: &str| {
        let mut run = bivalve();
        run.args(["sim", "s.btor2", "-n", "1000000000", "-o", "out"]).args(limit);
        let output = run.current_dir(&folder).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains(why), "{limit:?}: {complaint}");
        assert_eq!(output.status.code(), Some(2), "{limit:?}");
        assert!(!folder.path().join("out").exists());
    };
    sim(&["-t", "300ms"], "the time limit has passed");
    if cfg!(target_os = "linux") {
        sim(&["-m", "100"], "the memory limit is reached");
    }
    // A few bytes that stand for two billions of inputs: reading heard of no limit.
    std::fs::write(folder.path().join("wide.aig"), "aig 2147483647 2147483647 0 1 0\n2\n").unwrap();
    for (tool, code) in [(&["check-model"][..], 2), (&["sim"], 2), (&["btormc", "--kmax=2"], 2), (&[], 1)] {
        let mut run = bivalve();
        run.args(tool).args(["wide.aig", "--time-limit", "300ms"]).current_dir(&folder);
        let output = run.output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("the time limit has passed"), "{tool:?}: {complaint}");
        assert_eq!(output.status.code(), Some(code), "{tool:?}");
    }
    let mut run = bivalve();
    run.args(["btormc", "s.btor2", "-kmax", "1000000000", "--time-limit", "300ms"]);
    let output = run.current_dir(&folder).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("s.btor2: the time limit has passed; "), "{complaint}");
    assert_eq!(output.status.code(), Some(2));
}

/// It died by a signal without a line: a list that grew found no room to be moved to.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs Linux")]
fn want_of_memory_is_an_answer() {
    let shell = ["-c", "ulimit -v 300000 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_bivalve")];
    let wide = "(declare-const x (_ BitVec 4000000))(declare-const y (_ BitVec 4000000))\n\
                (assert (= (bvmul x y) (bvadd (bvshl x y) (_ bv77 4000000))))(check-sat)\n";
    for (text, options) in [(wide.to_owned(), &[][..]), (doubling(), &["-m", "0"])] {
        let mut client = Client::from(Command::new("sh").args(shell).args(options));
        client.send(&text);
        let answer = client.line();
        assert!(
            ["unknown", "(error \"out of memory\")"].contains(&&*answer) || answer.contains("limit"),
            "{answer}"
        );
        assert!(client.exit_code().is_some(), "no signal has ended it");
    }
}
