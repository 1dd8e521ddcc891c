//! What clients on pipes rely on: an answer comes as soon as its command is complete, limits leave the
//! session alive, and neither Ctrl-C nor a reader that hangs up makes a mess.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::{Client, bivalve, piped, text};
use std::io::Write;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A formula that keeps the solver busy for hours: a product of two 64-bit factors of equal size that is a
/// prime.
const HARD: &str = "(set-logic QF_BV)(declare-const a (_ BitVec 128))(declare-const b (_ BitVec 128))
(assert (= (bvmul a b) #x0000000000000000ffffffffffffffc5))
(assert (bvult a #x00000000000000010000000000000000))(assert (bvult b #x00000000000000010000000000000000))
(assert (bvugt a #x00000000000000000000000000000001))(assert (bvugt b #x00000000000000000000000000000001))\n";

#[test]
fn answers_come_with_the_closing_parenthesis() {
    let mut client = Client::start(&[]);
    // No line feed anywhere: the next byte is sent only when the answer is here.
    client.send("(set-option :print-success true)");
    assert_eq!(client.line(), "success");
    client.send("(declare-const x (_ BitVec 8))");
    assert_eq!(client.line(), "success");
    client.send("(assert (= x #x2a))(check-");
    assert_eq!(client.line(), "success");
    client.send("sat)");
    assert_eq!(client.line(), "sat");
    client.send("\r\n(get-value (x))");
    assert_eq!(client.line(), "((x #b00101010))");
    client.send("(exit)");
    assert_eq!(client.line(), "success");
    assert_eq!(client.exit_code(), Some(0));
}

#[test]
fn a_time_limit_answers_unknown_and_leaves_the_session_alive() {
    let mut client = Client::start(&["--time-limit-per", "100ms"]);
    client.send(HARD);
    client.send("(check-sat)");
    assert_eq!(client.line(), "unknown");
    client.send("(get-info :reason-unknown)");
    assert_eq!(client.line(), "(:reason-unknown timeout)");
    client.send("(check-sat)");
    assert_eq!(client.line(), "unknown");
    client.send("(reset)(declare-const p Bool)(assert p)(check-sat)");
    assert_eq!(client.line(), "sat");
    assert_eq!(client.exit_code(), Some(0));
}

/// What was begun under a limit is neither lost nor half there: levels, cores and assumptions go on to mean
/// what they say.
#[test]
fn a_check_that_ran_out_of_time_leaves_the_levels_as_they_were() {
    let mut client =
        Client::start(&["--time-limit-per", "100ms", "--set-option", "produce-unsat-cores=true"]);
    client.send("(declare-const p Bool)(assert (! p :named says_p))(push 1)");
    client.send(HARD);
    client.send("(check-sat)(check-sat-assuming (p))");
    assert_eq!([client.line(), client.line()], ["unknown", "unknown"]);
    client.send("(check-sat-assuming ((not p)))(get-unsat-core)(get-unsat-assumptions)");
    let answers = [client.line(), client.line(), client.line()];
    assert_eq!(answers, ["unsat", "(says_p)", "((not p))"]);
    client.send("(push 1)(assert (bvult a #x00000000000000000000000000000002))(check-sat)(pop 1)(check-sat)");
    assert_eq!([client.line(), client.line()], ["unsat", "unknown"]);
    client.send("(pop 1)(check-sat)(get-value (p))(exit)");
    assert_eq!([client.line(), client.line()], ["sat", "((p true))"]);
    assert_eq!(client.exit_code(), Some(0));
}

#[test]
fn a_limit_for_the_whole_run_stays_in_force() {
    let mut client = Client::start(&["--time-limit", "100ms"]);
    client.send(HARD);
    client.send("(check-sat)(check-sat)(echo \"alive\")");
    let answers = [client.line(), client.line(), client.line()];
    assert_eq!(answers, ["unknown", "unknown", "\"alive\""]);
    assert_eq!(client.exit_code(), Some(0));
}

/// What certifies answers kept the handle of the solver before the reset, and ran on.
#[test]
fn a_time_limit_reaches_what_certifies_after_a_reset() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate").to_string_lossy().into_owned();
    let mut client = Client::start(&["--time-limit-per", "1s", "--certificate", &certificate]);
    client.send("(declare-const p Bool)(assert p)(assert (not p))(check-sat)(reset)");
    assert_eq!(client.line(), "unsat");
    client.send(HARD);
    client.send("(check-sat)(get-info :reason-unknown)");
    assert_eq!([client.line(), client.line()], ["unknown", "(:reason-unknown timeout)"]);
    assert_eq!(client.exit_code(), Some(0));
}

/// Thirty lines stand for a billion terms; they were built before anything looked at a clock.
#[test]
fn a_time_limit_holds_while_definitions_are_expanded() {
    let mut script = String::from("(define-fun f0 ((x (_ BitVec 8))) (_ BitVec 8) (bvadd (bvmul x x) #x01))");
    for i in 1..=30 {
        let last = i - 1;
        script += &format!("(define-fun f{i} ((x (_ BitVec 8))) (_ BitVec 8) (f{last} (f{last} x)))");
    }
    script += "(declare-const y (_ BitVec 8))(assert (= (f30 y) y))(check-sat)(exit)";
    for limit in [&["-t", "200ms"][..], &["--time-limit-per", "200ms"], &["--set-option", "timeout=200"]] {
        let answers = text(&piped(limit, script.as_bytes()).stdout);
        let refusal = "expected a term within the limits, found that the time limit has passed";
        assert!(answers.lines().next().is_some_and(|line| line.contains(refusal)), "{answers}");
        assert_eq!(answers.lines().last(), Some("unknown"), "{answers}");
    }
}

#[test]
fn sat_is_not_said_where_an_assertion_was_lost() {
    let mut client = Client::start(&[]);
    client.send("(declare-const x (_ BitVec 8))(push)(assert (= x #x0))");
    assert!(client.line().starts_with("(error \"<stdin>:1:50: "));
    client.send("(assert (= x #x00))(check-sat)(get-info :reason-unknown)");
    assert_eq!([client.line(), client.line()], ["unknown", "(:reason-unknown incomplete)"]);
    client.send("(push)(assert (= x #x01))(check-sat)(pop)");
    assert_eq!(client.line(), "unsat", "that needs no more assertions");
    client.send("(pop)(assert (= x #x00))(check-sat)(get-value (x))");
    assert_eq!(
        [client.line(), client.line()],
        ["sat", "((x #b00000000))"],
        "the lost one went with its level"
    );
}

#[test]
fn a_timeout_option_of_the_script_is_kept() {
    let mut client = Client::start(&[]);
    client.send("(set-option :timeout 100)");
    client.send(HARD);
    client.send("(check-sat)");
    assert_eq!(client.line(), "unknown");
    assert_eq!(client.exit_code(), Some(0));
}

#[test]
fn a_timeout_option_of_the_command_line_is_kept() {
    for options in [&["--set-option", "timeout=100"][..], &["--compat", "z3", "-in", "TIMEOUT=100"]] {
        let mut client = Client::start(options);
        client.send(HARD);
        client.send("(check-sat)(get-info :reason-unknown)(reset)");
        assert_eq!([client.line(), client.line()], ["unknown", "(:reason-unknown timeout)"]);
        // It is what the session began with, so it is in force after a reset, too.
        client.send(HARD);
        client.send("(check-sat)");
        assert_eq!(client.line(), "unknown");
        assert_eq!(client.exit_code(), Some(0));
    }
}

#[test]
fn an_option_of_the_command_line_that_cannot_be_set_is_refused() {
    for (option, problem) in [
        ("timeout=soon", "option ':timeout' expects a numeral, found 'soon'"),
        ("nonsense=1", "unknown option ':nonsense'"),
        ("produce-models=perhaps", "option ':produce-models' expects true or false, found 'perhaps'"),
    ] {
        let output = bivalve().args(["--set-option", option]).stdin(Stdio::null()).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains(problem), "{complaint}");
        assert_eq!(output.status.code(), Some(2));
    }
}

/// A script of which an answer is lost is not one that was answered.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("p.smt2");
    std::fs::write(&script, "(declare-const p Bool)(assert p)(check-sat)").unwrap();
    let missing = folder.path().join("missing.smt2");
    for words in [vec![script.as_path()], vec![missing.as_path(), &script], vec![Path::new("--sat=list")]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = bivalve().args(&words).stdout(full).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.starts_with("error: standard output: "), "{words:?}: {complaint}");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
    // Standard error that is full is no reason to panic.
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    std::fs::write(&script, "(frobnicate)(check-sat)").unwrap();
    let output = bivalve().args(["--stats".as_ref(), script.as_path()]).stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("sat\n"));
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs Linux")]
fn a_memory_limit_answers_unknown_and_leaves_the_session_alive() {
    uses_up_its_memory(Client::start(&[&["--memory-limit", "200M"], PLAIN].concat()));
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs Linux")]
fn an_address_space_that_ends_is_a_memory_limit() {
    let shell = ["-c", "ulimit -v 800000 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_bivalve")];
    uses_up_its_memory(Client::from(Command::new("sh").args(shell).args(PLAIN)));
}

/// All that is asked for gets gates.
const PLAIN: &[&str] = &["--rewrite-level", "0", "--probe", "off", "--abstract-from", "0"];

/// Asks for circuits that need more memory than there is, and whether the session is alive.
fn uses_up_its_memory(mut client: Client) {
    for number in 0..64 {
        let name = |letter| format!("{letter}{number}");
        let [a, b, c] = ["a", "b", "c"].map(name);
        for name in [&a, &b, &c] {
            client.send(&format!("(declare-const {name} (_ BitVec 512))"));
        }
        client.send(&format!("(assert (= (bvmul {a} {b}) (bvmul {c} (bvnot {a}))))"));
    }
    client.send("(check-sat)");
    assert_eq!(client.line(), "unknown");
    client.send("(get-info :reason-unknown)");
    assert_eq!(client.line(), "(:reason-unknown memout)");
    client.send("(echo \"alive\")");
    assert_eq!(client.line(), "\"alive\"");
    assert_eq!(client.exit_code(), Some(0));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_check_with_an_answer_and_then_the_process() {
    let mut client = Client::start(&[]);
    client.send(HARD);
    client.send("(echo \"ready\")(check-sat)(echo \"too late\")");
    assert_eq!(client.line(), "\"ready\"");
    std::thread::sleep(Duration::from_millis(300));
    let interrupt = Command::new("kill").args(["-INT", &client.child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(client.line(), "unknown");
    assert_eq!(client.line(), "", "nothing follows");
    assert_eq!(client.exit_code(), Some(130));
}

#[test]
fn a_reader_that_hangs_up_ends_the_session_quietly() {
    let mut command = bivalve();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    for _ in 0..1000 {
        if input.write_all(b"(echo \"is anybody there?\")\n").is_err() {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_missing_file_is_an_error_and_the_next_one_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.smt2");
    std::fs::write(&good, "(declare-const p Bool)(assert p)(check-sat)").unwrap();
    let missing = folder.path().join("missing.smt2");
    let mut command = bivalve();
    let output = command.args([&missing, &good]).output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = answers.lines().collect();
    assert!(
        lines[0].starts_with("(error \"") && lines[0].contains("missing.smt2: cannot be read"),
        "{answers}"
    );
    assert_eq!(lines[1..], ["sat"]);
    assert_eq!(output.status.code(), Some(1));
}

/// Delta debuggers compare the messages of two runs on two files.
#[test]
fn messages_to_clients_of_other_solvers_do_not_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = |options: &[&str], name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, "(assert (bvfrob x))(check-sat)").unwrap();
        bivalve().args(options).arg(path).output().unwrap()
    };
    let [one, two] = ["one.smt2", "two.smt2"].map(|name| output(&["--compat", "z3"], name));
    assert_eq!(one, two);
    let said = String::from_utf8(one.stdout).unwrap();
    assert!(said.starts_with("(error \"<input>:1:10: expected"), "{said}");
    assert_eq!(String::from_utf8_lossy(&one.stderr), "");
    let own = output(&[], "one.smt2");
    assert!(String::from_utf8_lossy(&own.stdout).contains("one.smt2:1:10"));
    assert!(String::from_utf8_lossy(&own.stderr).contains("one.smt2:1:10"));
}

#[test]
fn scripts_are_answered_the_same_twice() {
    let script = "(declare-const a (_ BitVec 12))(declare-const b (_ BitVec 12))
        (assert (= (bvurem a b) (bvmul b #x00d)))(assert (bvugt a b))(check-sat)(get-model)";
    let run = || {
        let mut client = Client::start(&["--stats=json"]);
        client.send(script);
        let Client { child, to, mut from } = client;
        drop(to);
        let mut all = String::new();
        std::io::Read::read_to_string(&mut from, &mut all).unwrap();
        drop(child);
        all
    };
    let first = run();
    assert!(first.starts_with("sat\n"), "{first}");
    assert!((0..3).all(|_| run() == first));
}
