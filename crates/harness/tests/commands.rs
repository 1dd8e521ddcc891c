//! Commands and processes, with small programs of the system in the place of solvers.
#![allow(clippy::disallowed_methods, reason = "limits of time are tested with the clock")]

use bivalve_harness::process;
use bivalve_harness::{Cancel, Command, Ending, Limits, Oracle, Reply, Verdict};
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

fn limits(milliseconds: u64) -> Limits {
    Limits { time: Duration::from_millis(milliseconds), cpu: None, memory: None }
}

fn ask(command: &str, script: &str) -> Reply {
    Command::new("it", command, limits(20_000)).expect("a command").ask(script, &Cancel::new())
}

#[test]
fn a_command_reads_a_file_or_its_standard_input() {
    for command in ["sh -c 'cat {}'", "cat"] {
        let reply = ask(command, "unsat\n");
        assert_eq!((reply.verdict(), &reply.ending), (Some(Verdict::Unsat), &Ending::Exited(0)), "{command}");
    }
    let reply = ask("sh -c 'echo {} >&2; exit 3'", "sat");
    assert_eq!((reply.verdict(), &reply.ending), (None, &Ending::Exited(3)));
    let file = reply.stderr.trim().to_owned();
    assert!(file.ends_with(".smt2") && !std::path::Path::new(&file).exists(), "{file}");
    assert!(matches!(ask("no-such-program-anywhere", "").ending, Ending::NotStarted(_)));
}

#[test]
fn crashes_are_seen() {
    assert_eq!(ask("sh -c 'echo sat; kill -SEGV $$'", "").ending, Ending::Signal(11));
    let reply = ask("sh -c 'echo \"x.c:7: assertion failed: a is b\" >&2; exit 1'", "");
    assert!(reply.crash().is_some_and(|words| words.contains("x.c:7")), "{reply:?}");
    assert_eq!(
        ask("sh -c 'echo terminate called after std::bad_alloc >&2; kill -ABRT $$'", "").ending,
        Ending::OutOfMemory
    );
    assert_eq!(ask("false", "").crash(), None);
}

/// Who sleeps uses no CPU time; who counts does, and is stopped, and what its children used is on its bill.
#[test]
fn cpu_time_is_measured_and_limited() {
    let run = |script: &str, cpu: Duration| {
        let mut program = std::process::Command::new("sh");
        let limits = Limits { cpu: Some(cpu), ..limits(60_000) };
        process::run(program.args(["-c", script]), b"", limits, &Cancel::new())
    };
    let idle = run("sleep 0.3; echo sat", SECOND);
    assert_eq!((&idle.ending, idle.output.as_str()), (&Ending::Exited(0), "sat\n"));
    assert!(idle.cpu < SECOND / 5 && idle.time >= SECOND / 4, "{idle:?}");
    assert!(idle.peak > 100_000 && idle.peak < 1 << 30, "bytes, not pages or kilobytes: {idle:?}");
    let busy = run("while :; do :; done", SECOND);
    assert_eq!(busy.ending, Ending::TimedOut);
    assert!(busy.cpu > SECOND / 2 && busy.cpu < 3 * SECOND, "{busy:?}");
    // It ended by itself, but too late.
    let late = run("sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; echo sat", SECOND / 1000);
    assert_eq!((late.ending, late.output.as_str()), (Ending::TimedOut, "sat\n"));
}

/// A limit of time beyond what the clock can hold once was a panic.
#[test]
fn a_time_that_the_clock_cannot_hold_is_no_limit() {
    let limits = Limits { time: Duration::MAX, ..Limits::default() };
    let command = Command::new("it", "sh -c 'cat; echo sat'", limits).unwrap().with_batches(2);
    assert_eq!(command.ask("", &Cancel::new()).verdict(), Some(Verdict::Sat));
    assert_eq!(command.ask_all(&["", ""], &Cancel::new()).len(), 2);
}

/// A shell that starts others, which would live for a minute and hold the pipes open.
#[test]
fn a_group_of_processes_dies_at_its_limit() {
    let begin = Instant::now();
    let command = Command::new("it", "sh -c 'sleep 61 & sleep 61; echo sat'", limits(150)).unwrap();
    let reply = command.ask("", &Cancel::new());
    assert_eq!((reply.ending, reply.checks.len()), (Ending::TimedOut, 0));
    assert!(begin.elapsed() < 10 * SECOND);
    // One that ends while its child holds the pipe.
    let begin = Instant::now();
    let reply = ask("sh -c 'sleep 62 & echo sat'", "");
    assert_eq!((reply.verdict(), reply.ending), (Some(Verdict::Sat), Ending::Exited(0)));
    assert!(begin.elapsed() < 10 * SECOND);
    // One that is cancelled before it starts.
    let cancel = Cancel::new();
    cancel.raise();
    let command = Command::new("it", "sleep 63", limits(60_000)).unwrap();
    assert_eq!(command.ask("", &cancel).ending, Ending::Cancelled);
    // What was killed may take a moment to go.
    let is_left = || {
        let all = std::process::Command::new("ps").args(["-eo", "args"]).output();
        let all = all.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        all.lines().any(|line| ["sleep 61", "sleep 62", "sleep 63"].contains(&line.trim()))
    };
    while is_left() {
        assert!(begin.elapsed() < 30 * SECOND);
        std::thread::sleep(SECOND / 50);
    }
}

/// A cluster asks all processes of a task to end. A solver that had crashed by that once was in the table.
#[test]
#[cfg(unix)]
fn what_others_have_ended_did_not_crash() {
    for signal in ["TERM", "INT", "HUP"] {
        let ending = ask(&format!("sh -c 'kill -{signal} $$'"), "").ending;
        // In the background, and without a terminal, a process ignores the others.
        let is_ignored = signal != "TERM" && ending == Ending::Exited(0);
        assert!(is_ignored || ending == Ending::Cancelled, "{signal}: {ending:?}");
    }
    assert_eq!(ask("sh -c 'kill -ABRT $$'", "").ending, Ending::Signal(6));
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_limited() {
    // A shell that needs more and more of it; the limit comes after the start, so it begins a little later.
    let program = "sh -c 'sleep 0.2; x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done'";
    let limits = Limits { memory: Some(64 << 20), ..limits(20_000) };
    let begin = Instant::now();
    let reply = Command::new("it", program, limits).unwrap().ask("", &Cancel::new());
    assert!(!matches!(reply.ending, Ending::TimedOut | Ending::Exited(0)), "{reply:?}");
    assert!(begin.elapsed() < 15 * SECOND);
}

/// A program that answers as a solver would, but stops at `die` and is silent at `dumb`, and notes each of
/// its starts.
const ANSWERS: &str = r#"echo x >> "$1"
while read -r line; do
  case $line in
    *die*) exit 1 ;;
    *dumb*) ;;
    "(check-sat)"*) echo "${line##*; }" ;;
    "(echo"*) line=${line#*\"}; echo "${line%%\"*}" ;;
  esac
done
"#;

#[test]
fn one_bad_script_among_many_costs_the_others_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [program, starts] = ["answers.sh", "starts"].map(|name| folder.path().join(name));
    std::fs::write(&program, ANSWERS).unwrap();
    let text = format!("sh {} {}", program.display(), starts.display());
    let command = Command::new("it", &text, limits(5_000)).unwrap().with_batches(10);
    let mut words = vec!["sat", "dumb", "unsat", "sat", "sat", "die", "sat"];
    let asked = |words: &[&str]| {
        let scripts: Vec<String> = words.iter().map(|word| format!("(check-sat) ; {word}\n")).collect();
        let texts: Vec<&str> = scripts.iter().map(String::as_str).collect();
        let replies = command.ask_all(&texts, &Cancel::new());
        let count = std::fs::read_to_string(&starts).unwrap().lines().count();
        std::fs::write(&starts, "").unwrap();
        (replies.iter().map(Reply::verdict).collect::<Vec<_>>(), count)
    };
    use Verdict::{Sat, Unsat};
    // The silent one is asked again, and so is the deadly one; behind that another process goes on.
    let expected = vec![Some(Sat), None, Some(Unsat), Some(Sat), Some(Sat), None, Some(Sat)];
    assert_eq!(asked(&words), (expected, 4));
    let mut more = words.clone();
    more.push("unsat");
    assert_eq!(asked(&more).1, 4);
    words.retain(|word| word.ends_with("sat"));
    assert_eq!(asked(&words), (vec![Some(Sat), Some(Unsat), Some(Sat), Some(Sat), Some(Sat)], 1));
}

/// A command is what its program does: another program of the same name has another identity.
#[test]
#[cfg(unix)]
fn the_identity_of_a_command_follows_its_program_and_its_options() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("solver");
    let identity = |text: &str, options: &str| {
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let command = format!("{} {options} {{}}", program.display());
        Command::new("it", &command, limits(1_000)).unwrap().identity()
    };
    let first = identity("#!/bin/sh\necho sat\n", "-a");
    assert_eq!(first, identity("#!/bin/sh\necho sat\n", "-a"));
    assert_ne!(first, identity("#!/bin/sh\necho unsat\n", "-a"));
    assert_ne!(first, identity("#!/bin/sh\necho sat\n", "-b"));
    std::fs::remove_file(&program).unwrap();
    let command = Command::new("it", &program.to_string_lossy(), limits(1_000)).unwrap();
    assert!(
        command.program().unwrap_err().starts_with("it: cannot be started: '"),
        "{:?}",
        command.program()
    );
}
