//! Campaigns and experiments in parts: killed at any point and gone on with, split into shards, run by
//! engines; the table is always that of one machine.
//!
//! `BIVALVE_CASES` and `BIVALVE_KILLS` make the campaign longer that is killed, `BIVALVE_ENGINE_CASES`,
//! `BIVALVE_ENGINE_SHARDS` and `BIVALVE_ENGINE_KILLS` those that engines run.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test says what it has seen, and how much is set by the environment"
)]

use crate::slurm::Slurm;
use crate::support::{BIVALVE, bivalve, number, text};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A solver that is wrong at every third case, slow enough to be killed, and counts how often it is asked.
const SOLVER: &str = r##"it=sh -c 'echo x >> "$COUNT"; sleep 0.01; if grep -q "#x[369c]" "$0"; then echo unsat; else echo sat; fi' {}"##;

/// So many cases: numbers below a bound, all satisfiable; what the solver says of some is wrong.
fn cases(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("cases")).expect("a folder");
    for number in 0..count {
        let text = format!(
            "(set-info :status sat)\n(declare-const x (_ BitVec 16))\n(assert (bvuge x #x{:x}{:03x}))\n(check-sat)\n",
            number % 16,
            number
        );
        fs::write(folder.path().join(format!("cases/{number:04}.smt2")), text).expect("a file");
    }
    folder
}

fn campaign(folder: &Path, words: &[&str]) -> Command {
    let mut command = bivalve();
    command.args(["campaign", "cases", "--solver", SOLVER, "--verdicts-only", "--quiet", "-j", "2"]);
    command.args(words).current_dir(folder).env("COUNT", folder.join("count"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the binary runs")
}

/// A table without its last column, the time.
fn table(output: &Output) -> Vec<String> {
    assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
    let line = |line: &str| match line.rsplit_once("  ") {
        Some((rest, time)) if time.ends_with('s') || time == "time" => rest.trim_end().to_owned(),
        _ => line.to_owned(),
    };
    text(&output.stdout).lines().map(line).collect()
}

fn asked(folder: &Path) -> usize {
    fs::read_to_string(folder.join("count")).map_or(0, |count| count.lines().count())
}

fn kill(child: &mut Child) {
    // SIGKILL, which no program can catch.
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

/// Killed by SIGKILL at many points, a campaign comes to the same table, and no answer that was logged is
/// asked for again.
#[test]
fn a_campaign_that_is_killed_at_any_point_comes_to_the_same_table() {
    let (count, kills) = (number("BIVALVE_CASES", 300), number("BIVALVE_KILLS", 20));
    let folder = cases(count);
    let whole = table(&output(&mut campaign(folder.path(), &[])));
    assert!(whole.iter().any(|line| line.starts_with(&format!("{count} cases, "))), "{whole:?}");
    fs::remove_file(folder.path().join("count")).expect("it was asked");
    let mut random = fastrand::Rng::with_seed(7);
    let log = folder.path().join("log.jsonl");
    let lines = || fs::read_to_string(&log).map_or(0, |log| log.lines().count());
    let mut last = 0;
    for _ in 0..kills {
        let mut child = campaign(folder.path(), &["--log", "log.jsonl"]).spawn().expect("the binary runs");
        // So many cases later; the last point is before the end.
        let point = last + random.usize(0..count / kills);
        while lines() < point && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        kill(&mut child);
        assert!(lines() >= last, "nothing is lost");
        last = lines();
        // What a machine does that is switched off in the middle of a line.
        if random.bool() && last > 0 {
            let text = fs::read(&log).expect("a log");
            fs::write(&log, &text[..text.len() - random.usize(1..40)]).expect("a log");
            last = lines() - 1;
        }
    }
    println!("{count} cases, killed {kills} times; {last} were in the log then");
    assert!(last > 0 && last < count, "{last} of {count}: the points are somewhere in the middle");
    let resumed = output(&mut campaign(folder.path(), &["--log", "log.jsonl"]));
    assert_eq!(table(&resumed), whole);
    let before = asked(folder.path());
    assert_eq!(table(&output(&mut campaign(folder.path(), &["--log", "log.jsonl"]))), whole);
    assert_eq!(asked(folder.path()), before, "everything is in the log");
    let keys: std::collections::BTreeSet<String> = fs::read_to_string(&log)
        .expect("a log")
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            line["key"].as_str().expect("a key").to_owned()
        })
        .collect();
    assert_eq!(keys.len(), count);
}

/// Shards and single tasks, some of them done twice, merged: the table of one machine.
#[test]
fn shards_merge_to_the_table_of_one_machine() {
    const CASES: usize = 50;
    let folder = cases(CASES);
    let whole = table(&output(&mut campaign(folder.path(), &[])));
    for (shard, log) in [("1/3", "1"), ("2/3", "2"), ("2/3", "again")] {
        let part = output(&mut campaign(folder.path(), &["--shard", shard, "--log", log]));
        assert!(part.stdout.is_empty(), "{}", text(&part.stdout));
    }
    // What is missing is said, and nothing is run.
    let before = asked(folder.path());
    let report = output(&mut campaign(folder.path(), &["--report", "--merge", "1", "2", "again"]));
    assert!(text(&report.stdout).contains("cases have no result yet"), "{}", text(&report.stdout));
    assert_eq!(asked(folder.path()), before);
    // The list of tasks has a command for each; those of the third shard are run by a shell.
    let planned = output(&mut campaign(folder.path(), &["--plan", "tasks.jsonl"]));
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned.stderr));
    let tasks = fs::read_to_string(folder.path().join("tasks.jsonl")).expect("a list of tasks");
    let tasks: Vec<serde_json::Value> =
        tasks.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let names: usize = tasks.iter().map(|task| task["names"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(names, CASES);
    for task in tasks.iter().skip(2).step_by(3) {
        let number = task["task"].as_u64().expect("a number");
        let command = format!("{} --log task-{number}", task["command"].as_str().expect("a command"));
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(folder.path()).env("COUNT", folder.path().join("count"));
        let done = shell.output().expect("there is a shell");
        assert!(matches!(done.status.code(), Some(0 | 1)), "{}", text(&done.stderr));
    }
    let logs: Vec<String> =
        tasks.iter().skip(2).step_by(3).map(|task| format!("task-{}", task["task"])).collect();
    let mut words = vec!["--merge", "1", "2", "again"];
    words.extend(logs.iter().map(String::as_str));
    let before = asked(folder.path());
    assert_eq!(table(&output(&mut campaign(folder.path(), &words))), whole);
    assert_eq!(asked(folder.path()), before, "all results are there");
}

/// Runs a campaign by an engine while `kill_one` kills one of its shards, if it finds one; says whether it
/// did. The table is that of one machine.
fn by_engine(folder: &Path, engine: &str, conf: &Path, kill_one: &dyn Fn() -> bool) {
    let whole = table(&output(&mut campaign(folder, &[])));
    let (shards, kills) = (number("BIVALVE_ENGINE_SHARDS", 5).to_string(), number("BIVALVE_ENGINE_KILLS", 2));
    let words = ["--log", "all.jsonl", "--engine", engine, "--shards", &shards];
    let mut command = campaign(folder, &words);
    let mut running = command.env("SLURM_CONF", conf).spawn().expect("the binary runs");
    let mut killed = 0;
    while running.try_wait().expect("it runs").is_none() {
        killed += usize::from(killed < kills && kill_one());
        std::thread::sleep(Duration::from_millis(100));
    }
    let done = running.wait_with_output().expect("it ends");
    assert_eq!(table(&done), whole);
    assert_eq!(killed, kills, "shards were killed");
    assert!(!folder.join("all.jsonl.parts").exists(), "the logs of the shards are merged");
    // All that is known is in the log.
    let before = asked(folder);
    let again = output(&mut campaign(folder, &["--log", "all.jsonl"]));
    assert_eq!((table(&again), asked(folder)), (whole, before));
}

#[test]
#[ignore = "needs GNU parallel and pgrep"]
fn gnu_parallel_runs_the_shards() {
    let folder = cases(number("BIVALVE_ENGINE_CASES", 120));
    let name = folder.path().file_name().expect("it has a name").to_string_lossy().into_owned();
    by_engine(folder.path(), "parallel", Path::new(""), &|| {
        // A shard by the name of its log, not the shell around it.
        let pattern = format!("^{BIVALVE} .*{name}.*--shard [0-9]");
        let found = Command::new("pgrep").args(["-f", &pattern]).output().expect("there is pgrep");
        let found = text(&found.stdout);
        let Some(id) = found.lines().next() else { return false };
        Command::new("kill").args(["-KILL", id]).output().is_ok_and(|done| done.status.success())
    });
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs Slurm and munge, started as root"]
fn slurm_runs_the_shards() {
    let slurm = Slurm::start().expect("a node of Slurm");
    let folder = cases(number("BIVALVE_ENGINE_CASES", 120));
    by_engine(folder.path(), "slurm", &slurm.conf(), &|| {
        slurm.running().first().is_some_and(|task| slurm.kill(task))
    });
}
