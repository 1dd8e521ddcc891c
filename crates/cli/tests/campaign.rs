//! `bivalve campaign` from the outside: tables, logs, findings and exit codes, with shell scripts in the
//! place of solvers.

use crate::support::{bivalve, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SAT: &str =
    "(set-info :status sat)\n(declare-const x (_ BitVec 4))\n(assert (bvult x #x3))\n(check-sat)\n";
const UNSAT: &str =
    "(set-info :status unsat)\n(declare-const p Bool)\n(assert (! (and p (not p)) :named a))\n(check-sat)\n";
const OPEN: &str = "(declare-const x (_ BitVec 4))\n(assert (bvult #x3 x))\n(check-sat)\n";

/// A folder with three cases.
fn cases() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("bits")).expect("a folder");
    for (name, text) in [("bits/sat.smt2", SAT), ("bits/unsat.smt2", UNSAT), ("bits/open.smt2", OPEN)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = bivalve();
    command.arg("campaign").args(words).current_dir(folder).output().expect("the binary runs")
}

#[test]
fn bivalve_passes_and_the_exit_code_says_so() {
    let folder = cases();
    let output = run(folder.path(), &["bits", "--all-must-pass"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let table = text(&output.stdout);
    let head = "Solver   Theory  Expected  #Tests  Passed  IS  IM  IC  U  T  E  crash  imprecise  time";
    assert_eq!(table.lines().next(), Some(head), "{table}");
    assert!(table.contains("bivalve  all                    3       3   0   0   0  0  0  0"), "{table}");
    assert!(table.contains("3 cases, 0 findings"), "{table}");
}

#[test]
fn liars_are_found_and_their_scripts_kept() {
    let folder = cases();
    let solver = "liar=sh -c 'echo sat; echo \"((define-fun x () (_ BitVec 4) #x3))\"'";
    let words = ["bits", "--inside", "bivalve", "--solver", solver, "--solver", "dead=sh -c 'kill -SEGV $$'"];
    let output = run(folder.path(), &[&words[..], &["--out", "found", "--log", "log.jsonl"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    // The open case is satisfiable by Bivalve's model, and 3 is not greater than 3.
    assert!(
        table.contains("liar     all                    3       0   1   2   0  0  0  0      0"),
        "{table}"
    );
    assert!(
        table.contains("dead     all                    3       0   0   0   0  0  0  3      3"),
        "{table}"
    );
    let found = fs::read_to_string(folder.path().join("found/bits-unsat.smt2")).expect("a finding");
    assert!(found.starts_with("; bits/unsat.smt2: liar IS check 1: sat instead of unsat\n"), "{found}");
    assert!(found.ends_with(UNSAT), "{found}");
    let log = fs::read_to_string(folder.path().join("log.jsonl")).expect("a log");
    assert_eq!(log.lines().count(), 3, "{log}");
}

/// The second run asks only about what the log does not have, a line cut off included.
#[test]
fn a_campaign_goes_on_where_it_stopped() {
    let folder = cases();
    let solver = "counting=sh -c 'echo x >> count; echo unsat'";
    let words = ["bits", "--solver", solver, "--verdicts-only", "--log", "log.jsonl", "-j", "1"];
    let first = run(folder.path(), &words);
    assert_eq!(first.status.code(), Some(1), "{}", text(&first.stderr));
    let path = folder.path().join("log.jsonl");
    let log = fs::read_to_string(&path).expect("a log");
    // The open one, the satisfiable one, and the other one, which was not reached.
    let log: String = log.split_inclusive('\n').take(2).collect();
    fs::write(&path, &log[..log.len() - 20]).expect("a file");
    fs::remove_file(folder.path().join("count")).expect("the solver counts its calls");
    let second = run(folder.path(), &words);
    assert_eq!(second.status.code(), Some(1), "{}", text(&second.stderr));
    assert!(text(&second.stdout).contains("3 cases, 1 findings"), "{}", text(&second.stdout));
    assert_eq!(
        fs::read_to_string(folder.path().join("count")).expect("the solver counts its calls").lines().count(),
        2
    );
    let third = run(folder.path(), &words);
    assert_eq!(third.stdout.len(), second.stdout.len(), "{}", text(&third.stdout));
    let count = || {
        fs::read_to_string(folder.path().join("count")).expect("the solver counts its calls").lines().count()
    };
    assert_eq!(count(), 2);
    // Another command of the same name is another solver.
    let other = "counting=sh -c 'echo x >> count; echo unsat; exit 0'";
    let fourth =
        run(folder.path(), &["bits", "--solver", other, "--verdicts-only", "--log", "log.jsonl", "-j", "1"]);
    assert_eq!((fourth.status.code(), count()), (Some(1), 5), "{}", text(&fourth.stderr));
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = cases();
    for (words, problem) in [
        (&["nowhere"][..], "nowhere"),
        (&[][..], "there are no cases"),
        (&["bits", "--inside", "a:frob=1"][..], "unknown option 'frob'"),
        (&["bits", "--solver", "z3"][..], "expected NAME=COMMAND"),
        (&["bits", "--without", "z3=models"][..], "there is no solver of the name 'z3'"),
        (&["bits", "--inside", "a", "--inside", "a"][..], "two solvers are called 'a'"),
    ] {
        let output = run(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(problem), "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn help_teaches_and_a_file_may_have_the_name_of_a_tool() {
    let folder = cases();
    let help = text(&run(folder.path(), &["--help"]).stdout);
    assert!(help.contains("Exit codes: 0") && help.contains("--random-options"), "{help}");
    fs::write(folder.path().join("campaign"), OPEN).expect("a file");
    let mut command = bivalve();
    let output = command.arg("./campaign").current_dir(folder.path()).output().expect("the binary runs");
    assert_eq!(text(&output.stdout), "sat\n");
    let mut command = bivalve();
    let help = text(&command.arg("--help").output().expect("the binary runs").stdout);
    assert!(help.contains("\n  campaign "), "{help}");
}

/// Cases that are made on the fly, under options that are drawn: all pass, and the log says which options.
#[test]
fn cases_are_made_and_options_drawn() {
    let folder = cases();
    let words =
        ["--fuzz", "--shape arrays --goal planted --count 12", "--construct", "--count 3 --width 3", "-q"];
    let more =
        ["--random-options=7", "--log", "log.jsonl", "--coarse", "--inside", "a", "--inside", "b:probe=off"];
    let output = run(folder.path(), &[&words[..], &more].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let log = fs::read_to_string(folder.path().join("log.jsonl")).expect("a log");
    // Twelve formulas, and three draws of each kind that a theory has.
    assert!(log.lines().count() > 12 + 3 * 20, "{}", log.lines().count());
    let options = log.matches("\"options\":\"--").count();
    assert!(options > log.lines().count(), "{options} of {}", log.lines().count());
    let table = text(&output.stdout);
    assert!(table.lines().any(|line| line.starts_with("a       bv       SAT")), "{table}");
    // The same again: everything is known.
    let again = run(folder.path(), &[&words[..], &more].concat());
    let times = |table: &str| {
        table.lines().map(|line| line.rsplit_once("  ").map_or("", |(l, _)| l).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(times(&text(&again.stdout)), times(&table));
    assert_eq!(fs::read_to_string(folder.path().join("log.jsonl")).expect("a log"), log);
}

/// A campaign that is ended takes its solvers along, and its log has only what was answered.
#[test]
#[cfg(unix)]
fn nothing_is_left_of_a_campaign_that_is_ended() {
    let folder = cases();
    for signal in ["-INT", "-TERM"] {
        let mut command = bivalve();
        let words = ["campaign", "bits", "--log", "log.jsonl", "--timeout", "60", "--solver"];
        command.args(words).arg("slow=sh -c 'echo x >> started; sleep 64.25'").current_dir(folder.path());
        let mut campaign = command.spawn().expect("the binary runs");
        while !folder.path().join("started").exists() {
            std::thread::yield_now();
        }
        let id = campaign.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("there is kill").success());
        assert_eq!(campaign.wait().expect("it ends").code(), Some(130), "{signal}");
        // What was killed may take a moment to go.
        let is_left = || {
            let all = Command::new("ps").args(["-eo", "args"]).output();
            all.is_ok_and(|all| text(&all.stdout).lines().any(|line| line.trim() == "sleep 64.25"))
        };
        assert!((0..100).any(|_| !is_left() || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            false
        }));
        assert_eq!(fs::read_to_string(folder.path().join("log.jsonl")).expect("a log"), "");
        fs::remove_file(folder.path().join("started")).expect("it was started");
    }
}

/// What a preset finds is made small, with its story in the head.
#[test]
fn findings_are_made_small() {
    let folder = cases();
    let solver = "liar=sh -c 'if grep -q bvmul {}; then echo unsat; else echo unknown; fi'";
    let words = [
        "--fuzz",
        "--goal planted --count 20 --operations 3..6",
        "--solver",
        solver,
        "--without",
        "liar=models,cores",
    ];
    let output =
        run(folder.path(), &[&words[..], &["--reduce", "small", "--stop-after", "1", "-j", "1"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let found =
        fs::read_dir(folder.path().join("small/default")).expect("a folder").next().expect("a script");
    let found = fs::read_to_string(found.expect("a script").path()).expect("a script");
    assert!(found.starts_with("; fuzz --goal planted") && found.contains("; expect: sat\n"), "{found}");
    let body: Vec<&str> = found.lines().filter(|line| !line.starts_with(';')).collect();
    assert!(body.join(" ").len() < 200 && found.contains("bvmul"), "{found}");
    let preset = run(folder.path(), &["--preset", "differential", "-n", "8", "--seed", "3", "-q"]);
    assert_eq!(preset.status.code(), Some(0), "{}{}", text(&preset.stdout), text(&preset.stderr));
    assert!(text(&preset.stdout).contains("8 cases, 0 findings"), "{}", text(&preset.stdout));
}

/// A campaign that came to the end of its time once exited with 130, as if Ctrl-C had ended it, and a limit
/// of time beyond what the clock can hold was a panic without a word.
#[test]
fn limits_of_time_are_no_interruptions_however_small_or_large() {
    let folder = cases();
    let short = run(folder.path(), &["--preset", "torture", "--total-time", "500ms", "--quiet"]);
    assert_eq!(short.status.code(), Some(0), "{}{}", text(&short.stdout), text(&short.stderr));
    let long = run(folder.path(), &["bits", "-t", "1e19", "--solver", "z=sh -c 'echo unknown'"]);
    assert_eq!(long.status.code(), Some(0), "{}{}", text(&long.stdout), text(&long.stderr));
}
