//! `bivalve experiment` from the outside: tables, logs, plots and exit codes, with shell scripts in the place
//! of other solvers.
//!
//! Times differ from run to run, so they are masked in snapshots; everything else must be the same, however
//! many runs are made at a time and however often the experiment was cut off.

use crate::support::{bivalve, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Gates are built for it, so that a SAT solver is started.
const SAT: &str = "(set-info :status sat)\n(declare-const x (_ BitVec 16))\n(assert (= (bvmul x x) #x1ae9))\n\
                   (assert (bvult x #x0100))\n(assert (bvugt x #x0010))\n(check-sat)\n";
const UNSAT: &str = "(set-info :status unsat)\n(declare-const x (_ BitVec 4))\n(declare-const y (_ BitVec 4))\n\
                     (assert (distinct (bvmul x (bvadd y #x1)) (bvadd x (bvmul x y))))\n(check-sat)\n";
const OPEN: &str = "(declare-const a (Array (_ BitVec 4) (_ BitVec 4)))\n(declare-const i (_ BitVec 4))\n\
                    (declare-const j (_ BitVec 4))\n(assert (distinct (select a i) (select a j)))\n(check-sat)\n(assert (= i j))\n(check-sat)\n";

/// A folder with three scripts of two families.
fn cases() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("bits/sat.smt2", SAT), ("bits/unsat.smt2", UNSAT), ("arrays/open.smt2", OPEN)] {
        let path = folder.path().join("cases").join(name);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let mut command = bivalve();
    command.arg("experiment").args(words).current_dir(folder).output().expect("the binary runs")
}

/// Standard output, if the exit code is this.
fn ends(output: &Output, code: i32) -> String {
    let (said, complaints) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}{complaints}");
    said
}

/// The table without what differs from run to run: seconds, megabytes, and the width that they need.
fn masked(report: &str) -> String {
    let mut lines = vec![];
    for line in report.lines().filter(|line| !line.starts_with("|-")) {
        let Some(row) = line.strip_prefix('|').filter(|row| !row.contains("PAR-2")) else {
            lines.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
            continue;
        };
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        let cell = |(at, cell): (usize, &&str)| {
            if (12..17).contains(&at) { "_".to_owned() } else { (*cell).to_owned() }
        };
        lines.push(format!("| {} |", cells.iter().enumerate().map(cell).collect::<Vec<_>>().join(" | ")));
    }
    lines.join("\n")
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("experiment/run.jsonl")).expect("a log")
}

/// What is always the same in the lines of a log: column, file, status; sorted, for runs are logged as they
/// end.
fn essence(folder: &Path) -> Vec<String> {
    let fields = |line: &str| {
        let run: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        format!("{} {} {}", run["solver"], run["file"], run["status"])
    };
    let mut all: Vec<String> = log(folder).lines().map(fields).collect();
    all.sort();
    all
}

#[test]
fn the_matrix_is_run_and_one_table_printed() {
    let folder = cases();
    let matrix = ["--vary", "sat=batsat,naive", "--vary", "rewrite-level=0,1", "--set", "probe=off"];
    let more = ["--by-family", "--show", "checks,arrays.congruence"];
    let output = run(folder.path(), &[&["cases"], &matrix[..], &more[..]].concat());
    insta::assert_snapshot!(masked(&ends(&output, 0)), @r"
    # Experiment

    - request: `bivalve experiment cases --vary sat=batsat,naive --vary rewrite-level=0,1 --set probe=off --by-family --show checks,arrays.congruence`
    - version: bivalve 0.1.0
    - limits: 10 s of CPU time, 4096 MB of address space
    - 4 columns, 3 files

    No wrong answers, no disagreements.

    ## All files

    | column | runs | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | DISPUTED | PAR-2 s | common CPU s | CPU ratio | median MB | max MB | mean checks | mean arrays.congruence |
    | sat=batsat rewrite-level=0 | 3 | 3 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.333 | 0.333 |
    | sat=batsat rewrite-level=1 | 3 | 3 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.333 | 0.333 |
    | sat=naive rewrite-level=0 | 3 | 3 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.333 | 0.333 |
    | sat=naive rewrite-level=1 | 3 | 3 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.333 | 0.333 |

    PAR-2: CPU seconds, twice the limit where unsolved. Common CPU: on the 3 runs that every column solved; its ratio is to the first column.
    Multi: scripts with several checks, all answered. WRONG: against `:status`; DISPUTED: against other columns.
    Means are over the runs that recorded the number.

    ## arrays (1 files)

    | column | runs | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | DISPUTED | PAR-2 s | common CPU s | CPU ratio | median MB | max MB | mean checks | mean arrays.congruence |
    | sat=batsat rewrite-level=0 | 1 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 2.000 | 1.000 |
    | sat=batsat rewrite-level=1 | 1 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 2.000 | 1.000 |
    | sat=naive rewrite-level=0 | 1 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 2.000 | 1.000 |
    | sat=naive rewrite-level=1 | 1 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 2.000 | 1.000 |

    ## bits (2 files)

    | column | runs | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | DISPUTED | PAR-2 s | common CPU s | CPU ratio | median MB | max MB | mean checks | mean arrays.congruence |
    | sat=batsat rewrite-level=0 | 2 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.000 | 0.000 |
    | sat=batsat rewrite-level=1 | 2 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.000 | 0.000 |
    | sat=naive rewrite-level=0 | 2 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.000 | 0.000 |
    | sat=naive rewrite-level=1 | 2 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ | 1.000 | 0.000 |

    In experiment: table.md
    ");
    assert_eq!(
        fs::read_to_string(folder.path().join("experiment/table.md")).unwrap().lines().count(),
        text(&output.stdout).lines().count() - 2
    );
    // The same two at a time: the same log, but for times.
    let one = essence(folder.path());
    let output = run(folder.path(), &[&["cases", "-j", "2", "--out", "other"], &matrix[..]].concat());
    ends(&output, 0);
    fs::rename(folder.path().join("other"), folder.path().join("experiment")).unwrap_err();
    fs::remove_dir_all(folder.path().join("experiment")).unwrap();
    fs::rename(folder.path().join("other"), folder.path().join("experiment")).unwrap();
    assert_eq!(essence(folder.path()), one);
    assert_eq!(one.len(), 12);
}

/// A SAT solver for what is made of clauses over two variables (the third one is true): all four are
/// contradictory, and both variables may be true in three of them.
const TWO_VARIABLES: &str = r#"if grep -q '^p cnf 3 5$' "$1"; then echo 's UNSATISFIABLE'; exit 20; fi
echo 's SATISFIABLE'; echo 'v 1 2 3 0'; exit 10
"#;

#[test]
fn any_sat_solver_may_be_a_column() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = |clauses: &[&str], status: &str| {
        let asserted: String = clauses.iter().map(|clause| format!("(assert (or {clause}))\n")).collect();
        format!(
            "(set-info :status {status})\n(declare-const a Bool)\n(declare-const b Bool)\n{asserted}(check-sat)\n"
        )
    };
    let all = ["a b", "a (not b)", "(not a) b", "(not a) (not b)"];
    for (name, text) in [
        ("sat.smt2", script(&all[..3], "sat")),
        ("unsat.smt2", script(&all, "unsat")),
        ("two.sh", TWO_VARIABLES.to_owned()),
        ("liar.sh", "echo 's UNSATISFIABLE'; exit 20\n".to_owned()),
        ("guesser.sh", "echo 's SATISFIABLE'; echo 'v -1 -2 0'; exit 10\n".to_owned()),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let columns = "sat=batsat,dimacs:sh two.sh,dimacs:sh liar.sh,dimacs:sh guesser.sh";
    let plain = ["--set", "rewrite-level=0", "--set", "probe=off"];
    let output = run(folder.path(), &[&["sat.smt2", "unsat.smt2", "--vary", columns], &plain[..]].concat());
    ends(&output, 1);
    let found: Vec<String> = essence(folder.path()).iter().map(|line| line.replace('"', "")).collect();
    assert_eq!(
        found,
        [
            "sat=batsat sat.smt2 sat",
            "sat=batsat unsat.smt2 unsat",
            "sat=dimacs:sh guesser.sh sat.smt2 unknown",
            "sat=dimacs:sh guesser.sh unsat.smt2 unknown",
            "sat=dimacs:sh liar.sh sat.smt2 wrong",
            "sat=dimacs:sh liar.sh unsat.smt2 unsat",
            "sat=dimacs:sh two.sh sat.smt2 sat",
            "sat=dimacs:sh two.sh unsat.smt2 unsat",
        ]
    );
}

/// Only what the log does not have is run: after an interruption, with a new column, on a changed file.
#[test]
fn an_experiment_goes_on_where_it_stopped() {
    let folder = cases();
    let counted = || {
        let marks = fs::read_to_string(folder.path().join("count")).unwrap_or_default();
        fs::remove_file(folder.path().join("count")).ok();
        marks.lines().count()
    };
    let solver = "counting=sh -c 'echo x >> count; echo unknown; echo unknown'";
    let words = ["cases", "--solver", solver];
    ends(&run(folder.path(), &words), 0);
    assert_eq!(counted(), 3);
    ends(&run(folder.path(), &words), 0);
    assert_eq!(counted(), 0, "all is there");
    // The last line was being written when the machine stopped.
    let path = folder.path().join("experiment/run.jsonl");
    let whole = log(folder.path());
    fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    let output = run(folder.path(), &words);
    ends(&output, 0);
    assert_eq!(counted(), 1);
    assert!(text(&output.stderr).contains("2 of 3 runs are in the log already"), "{}", text(&output.stderr));
    assert_eq!(log(folder.path()).lines().count(), 3);
    // Another column, and a seed that this one does not know.
    let output = run(
        folder.path(),
        &[&words[..], &["--solver", "more=sh -c 'echo sat' {seed}", "--seeds", "2"]].concat(),
    );
    assert!(
        ends(&output, 1)
            .contains("- WRONG more: answers sat, stated unsat (the file): cases/bits/unsat.smt2")
    );
    assert_eq!((counted(), log(folder.path()).lines().count()), (0, 3 + 6));
    fs::write(folder.path().join("cases/bits/sat.smt2"), SAT.replace("#x0100", "#x0101")).unwrap();
    ends(&run(folder.path(), &words), 0);
    assert_eq!(counted(), 1, "the file has changed");
    // Other limits, other runs.
    ends(&run(folder.path(), &[&words[..], &["--time-limit", "9"]].concat()), 0);
    assert_eq!(counted(), 3);
}

#[test]
fn a_crash_and_a_lie_harm_no_other_column() {
    let folder = cases();
    let dead = "dead=sh -c 'echo sat; kill -SEGV $$'";
    let liar = "liar=sh -c 'case $0 in *open*) echo unsat; echo unsat;; *) echo sat;; esac' {}";
    let spin = "spin=sh -c 'while :; do :; done' {}";
    let words = [
        "cases",
        "--set",
        "sat=batsat",
        "--solver",
        dead,
        "--solver",
        liar,
        "--solver",
        spin,
        "-t",
        "600ms",
        "-j",
        "2",
    ];
    let output = run(folder.path(), &words);
    insta::assert_snapshot!(masked(&ends(&output, 1)), @r"
    # Experiment

    - request: `bivalve experiment cases --set sat=batsat --solver 'dead=sh -c '\''echo sat; kill -SEGV $$'\''' --solver 'liar=sh -c '\''case $0 in *open*) echo unsat; echo unsat;; *) echo sat;; esac'\'' {}' --solver 'spin=sh -c '\''while :; do :; done'\'' {}' -t 600ms -j 2`
    - version: bivalve 0.1.0
    - limits: 0.6 s of CPU time, 4096 MB of address space
    - 4 columns, 3 files

    ## WRONG ANSWERS: 2, DISAGREEMENTS: 2

    - WRONG dead: answers sat, stated unsat (the file): cases/bits/unsat.smt2
    - WRONG liar: answers sat, stated unsat (the file): cases/bits/unsat.smt2
    - DISAGREE on check 1 (sat: bivalve, dead; unsat: liar): cases/arrays/open.smt2
    - DISAGREE on check 1 (sat: dead, liar; unsat: bivalve): cases/bits/unsat.smt2

    ## All files

    | column | runs | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | DISPUTED | PAR-2 s | common CPU s | CPU ratio | median MB | max MB |
    | bivalve | 3 | 3 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 2 | _ | _ | _ | _ | _ |
    | dead | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 1 | 2 | _ | _ | _ | _ | _ |
    | liar | 3 | 2 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 1 | 2 | _ | _ | _ | _ | _ |
    | spin | 3 | 0 | 0 | 0 | 0 | 0 | 3 | 0 | 0 | 0 | 0 | _ | _ | _ | _ | _ |

    PAR-2: CPU seconds, twice the limit where unsolved. Common CPU: on the 0 runs that every column solved; its ratio is to the first column.
    Multi: scripts with several checks, all answered. WRONG: against `:status`; DISPUTED: against other columns.

    In experiment: table.md
    ");
    assert!(
        text(&output.stderr).contains("WRONG liar: sat: cases/bits/unsat.smt2"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn plots_are_drawn_again_from_the_log() {
    let folder = cases();
    let words = ["cases", "--vary", "sat=batsat,naive", "--vary", "array-lemmas=one,each"];
    ends(&run(folder.path(), &[&words[..], &["--cactus"]].concat()), 0);
    let read = |name: &str| fs::read_to_string(folder.path().join("experiment").join(name)).expect(name);
    assert!(read("cactus.svg").contains("sat=naive array-lemmas=each (3)"));
    let report = ["--report", "--split", "--cactus", "--scatter", "sat=naive,sat=batsat"];
    let said = ends(&run(folder.path(), &report), 0);
    assert!(said.contains("cactus-sat.svg") && said.contains("cactus-unsat.svg"), "{said}");
    assert!(read("cactus-sat.svg").contains("sat=naive array-lemmas=each (1)"));
    for lemmas in ["one", "each"] {
        let name =
            format!("scatter-sat=naive-array-lemmas={lemmas}-sat=batsat-array-lemmas={lemmas}-unsat.svg");
        assert!(
            read(&name).contains(&format!("sat=naive array-lemmas={lemmas} against sat=batsat")),
            "{name}"
        );
    }
    // A report makes no run, and says what is missing.
    let log = folder.path().join("experiment/run.jsonl");
    let two: String =
        fs::read_to_string(&log).unwrap().lines().take(2).map(|line| format!("{line}\n")).collect();
    fs::write(&log, &two).unwrap();
    assert!(ends(&run(folder.path(), &["--report"]), 0).contains("3 files; 10 runs are missing"));
    assert_eq!(fs::read_to_string(&log).unwrap(), two);
}

#[test]
fn seeds_that_change_an_answer_are_found() {
    let folder = cases();
    let solver = "dice=sh -c 'case {seed} in 2) echo unsat;; *) echo sat;; esac' {}";
    fs::remove_dir_all(folder.path().join("cases/arrays")).unwrap();
    fs::write(folder.path().join("cases/bits/unsat.smt2"), UNSAT.replace("unsat", "unknown")).unwrap();
    let output = run(folder.path(), &["cases/bits/unsat.smt2", "--solver", solver, "--seeds", "3"]);
    assert!(
        ends(&output, 1).contains("- DISAGREE on check 1 (sat: dice; unsat: dice): cases/bits/unsat.smt2")
    );
    assert_eq!(log(folder.path()).lines().count(), 3);
}

#[test]
fn more_seeds_keep_the_runs_of_fewer() {
    let folder = cases();
    let words = ["cases", "--vary", "sat=batsat,naive"];
    ends(&run(folder.path(), &words), 0);
    let output = run(folder.path(), &[&words[..], &["--seeds", "3"]].concat());
    assert!(ends(&output, 0).contains("- 2 columns, 3 files, 3 seeds\n"));
    assert!(text(&output.stderr).contains("6 of 18 runs are in the log already"), "{}", text(&output.stderr));
    // Whose seed is said has no others.
    let output = run(folder.path(), &["cases", "--vary", "seed=1,2", "--set", "sat=batsat", "--seeds", "3"]);
    assert!(ends(&output, 0).contains("| seed=2 |    3 |"), "{}", text(&output.stdout));
}

/// Ctrl-C ends what runs, keeps what had ended, and leaves no process behind.
#[test]
fn an_interrupted_experiment_ends_at_once_and_keeps_its_runs() {
    let folder = cases();
    let solver = "slow=sh -c 'case $0 in *bits/sat*) echo $$ > pid; sleep 300;; *) echo unknown; echo unknown;; esac' {}";
    let mut command = bivalve();
    command
        .args(["experiment", "cases", "--solver", solver])
        .current_dir(folder.path())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    let pid = folder.path().join("pid");
    let started = || fs::read_to_string(&pid).unwrap_or_default().trim().parse::<u32>();
    while started().is_err() {
        assert!(child.try_wait().expect("a child").is_none(), "it waits for the slow one");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = |signal: &str, process: u32| {
        let done = Command::new("kill").args([signal, &process.to_string()]).stderr(Stdio::null()).status();
        done.expect("there is a kill").success()
    };
    assert!(kill("-INT", child.id()));
    let output = child.wait_with_output().expect("it ends");
    assert!(ends(&output, 130).contains("2 runs are missing"));
    assert_eq!(log(folder.path()).lines().count(), 1);
    assert!(!kill("-0", started().expect("a number")), "the slow one is gone");
}

#[test]
fn what_cannot_be_is_said_before_anything_runs() {
    let folder = cases();
    for (words, reason) in [
        (
            &["cases", "--solver", "none=no-such-program {}"][..],
            "none: cannot be started: 'no-such-program': ",
        ),
        (&["cases", "--vary", "frob=1"], "unknown option 'frob'; options are sat, "),
        (
            &["cases", "--vary", "sat=batsat", "--scatter", "sat=splr,sat=batsat"],
            "no column is called 'sat=splr'",
        ),
        (&["cases", "--solver", "a=true {}", "--solver", "a=false {}"], "two columns are called 'a'"),
        (
            &["cases", "--set", "sat=batsat", "--show", "rounds"],
            "no run has a number 'rounds'; recorded is: ",
        ),
        (&["no-such-folder"], "no-such-folder"),
        (&[], "there are no files"),
        (&["--report", "--out", "empty"], "empty/setup.json"),
    ] {
        let output = run(folder.path(), words);
        ends(&output, 2);
        assert!(text(&output.stderr).contains(reason), "{words:?}: {}", text(&output.stderr));
    }
}

/// An experiment with two columns.
const TWO: [&str; 6] = ["cases", "--set", "probe=off", "--solver", "other=sh -c 'echo unsat' {}", "-q"];

/// The rows of the tables of an experiment, and what was wrong.
fn rows(output: &Output) -> Vec<String> {
    let text = masked(&ends(output, 1));
    let rows = text.lines().filter(|line| line.starts_with("| ") || line.starts_with("- WRONG"));
    rows.map(str::to_owned).collect()
}

#[test]
#[ignore = "needs GNU parallel"]
fn gnu_parallel_runs_an_experiment() {
    let folder = cases();
    let plain = rows(&run(folder.path(), &[&TWO[..], &["-o", "whole"]].concat()));
    let engine = ["--engine", "parallel", "--shards", "3", "-o", "engine"];
    assert_eq!(rows(&run(folder.path(), &[&TWO[..], &engine].concat())), plain);
}

/// Shards by hand, the first column against another, and all values of an option.
#[test]
fn parts_of_an_experiment_are_one_experiment() {
    let folder = cases();
    let words = TWO;
    let whole =
        run(folder.path(), &[&words[..], &["--against", "other", "--by", "family", "-o", "whole"]].concat());
    let whole = masked(&ends(&whole, 1));
    assert!(whole.contains("## bivalve by family") && whole.contains("PAR-2 ratio: to other"), "{whole}");
    for (shard, log) in [("1/2", "one"), ("2/2", "two"), ("2/2", "again")] {
        let part =
            run(folder.path(), &[&words[..], &["--shard", shard, "--log", log, "-o", "part"]].concat());
        assert_eq!(ends(&part, 0), "");
    }
    let plain = rows(&run(folder.path(), &[&words[..], &["-o", "whole"]].concat()));
    let merged =
        run(folder.path(), &[&words[..], &["--merge", "one", "two", "again", "-o", "merged"]].concat());
    assert_eq!(rows(&merged), plain);
    assert_eq!(
        fs::read_to_string(folder.path().join("merged/run.jsonl")).expect("a log"),
        "",
        "nothing was run"
    );
    let plan = run(folder.path(), &[&words[..], &["--plan", "tasks.jsonl"]].concat());
    assert_eq!(ends(&plan, 0), "");
    let tasks = fs::read_to_string(folder.path().join("tasks.jsonl")).expect("a list of tasks");
    assert_eq!(tasks.lines().count(), 6, "{tasks}");
    let levels =
        ends(&run(folder.path(), &["cases/bits/sat.smt2", "--vary", "rewrite-level", "-q", "-o", "l"]), 0);
    assert!((0..4).all(|level| levels.contains(&format!("| rewrite-level={level} "))), "{levels}");
    let output = run(folder.path(), &["cases", "--against", "missing"]);
    ends(&output, 2);
    assert!(text(&output.stderr).contains("no column is called 'missing'"), "{}", text(&output.stderr));
    // Without a second column there is nothing to compare, which is said before anything is run.
    for (words, why) in [
        (&["--solver", "it=true {}", "--against", "it"][..], "another column than the first, which is 'it'"),
        (&["--against", "bivalve"], "another column than the first, which is 'bivalve'"),
        (&["--by", "family"], "--by family: expected two columns or more, found bivalve"),
    ] {
        let output = run(folder.path(), &[&["cases"], words].concat());
        ends(&output, 2);
        assert!(text(&output.stderr).contains(why), "{words:?}: {}", text(&output.stderr));
    }
}
