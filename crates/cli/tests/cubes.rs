//! Cubes: one answer, one tree and one certificate, for any number of workers, by any engine, and however
//! often the run was killed.
//!
//! `BIVALVE_CUBE_KILLS` says how often.
#![cfg(unix)]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test says what it has seen, and how much is set by the environment"
)]

use crate::support::{BIVALVE, bivalve, number, text};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A prime number without factors of half as many bits, and one with two.
const PRIME: (u64, u32) = (67_108_859, 26);
const COMPOSITE: (u64, u32) = (4093 * 4099, 26);

/// A folder with a script about the factors of a number.
fn script((product, width): (u64, u32)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let half = width / 2 + 1;
    let text = format!(
        "(declare-const x (_ BitVec {half}))\n(declare-const y (_ BitVec {half}))\n(assert (bvule x y))\n\
         (assert (bvugt x (_ bv1 {half})))\n(assert (= (bvmul ((_ zero_extend {half}) x) \
         ((_ zero_extend {half}) y)) (_ bv{product} {})))\n(check-sat)\n",
        2 * half
    );
    fs::write(folder.path().join("hard.smt2"), text).expect("a file");
    folder
}

fn cubes(folder: &Path, words: &[&str]) -> Command {
    let mut command = bivalve();
    command.args(["cubes", "hard.smt2", "--quiet", "--budget", "50"]).args(words).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a run prints that ends well.
fn printed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the binary runs");
    assert_eq!(status.code(), Some(0), "{}{}", text(&stdout), text(&stderr));
    text(&stdout)
}

/// What the checker says of the certificate in a folder.
fn verified(folder: &Path) -> bool {
    let checker = Path::new(BIVALVE).with_file_name("bivalve-check");
    let said = Command::new(checker).args(["hard.smt2", "out.bvc"]).current_dir(folder).output();
    text(&said.expect("the checker runs").stdout).starts_with("check 0: verified\n")
}

#[test]
fn the_tree_is_the_same_for_any_number_of_workers() {
    for (formula, answer) in [(PRIME, "unsat"), (COMPOSITE, "sat")] {
        let folder = script(formula);
        let trees: Vec<String> = ["1", "2", "4"]
            .into_iter()
            .map(|jobs| printed(&mut cubes(folder.path(), &["--json", "-j", jobs])))
            .collect();
        assert!(trees[0].starts_with(&format!("{{\"answer\":\"{answer}\"")), "{}", trees[0]);
        let least = if answer == "sat" { 1 } else { 7 };
        assert!(trees[0].matches("\"cube\"").count() > least, "{}", trees[0]);
        assert!(trees.iter().all(|tree| *tree == trees[0]), "{trees:?}");
        let said = printed(&mut cubes(folder.path(), &["--model"]));
        match answer {
            "sat" => assert!(said.starts_with("sat\n(\n  (define-fun x () (_ BitVec 14) #b"), "{said}"),
            _ => assert_eq!(said, "unsat\n"),
        }
    }
}

/// With an objective the answer is the optimum, by one tree for each question.
#[test]
fn an_optimum_is_the_same_for_any_number_of_workers() {
    let folder = script(COMPOSITE);
    let file = folder.path().join("hard.smt2");
    let read = fs::read_to_string(&file).expect("a script");
    let more = read.replace("(check-sat)", "(minimize (bvadd x y) :id sum) (maximize x :signed) (check-sat)");
    fs::write(&file, more).expect("a file");
    let trees: Vec<String> =
        ["1", "3"].map(|jobs| printed(&mut cubes(folder.path(), &["--json", "-j", jobs]))).into();
    assert_eq!(trees[0], trees[1]);
    assert!(trees[0].contains(r#""objectives":[{"name":"sum","value":"8192"},{"name":"x","value":"4093"}]"#));
    let log = printed(&mut cubes(folder.path(), &["--log", "log.jsonl"]));
    assert_eq!(log, "sat\n(objectives\n (sum 8192)\n (x 4093)\n)\n");
    assert_eq!(printed(&mut cubes(folder.path(), &["--log", "log.jsonl", "--json"])), trees[0]);
    let refused = cubes(folder.path(), &["--certificate", "out.bvc"]).output().expect("the binary runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--certificate: expected a script without objectives"));
}

#[test]
fn a_search_that_is_killed_goes_on() {
    let folder = script(PRIME);
    let words = ["--json", "-j", "2", "--certificate", "out.bvc"];
    let whole = printed(&mut cubes(folder.path(), &words));
    assert!(verified(folder.path()));
    let certificate = fs::read(folder.path().join("out.bvc")).expect("a certificate");
    assert!(!folder.path().join("out.bvc.leaves").exists(), "without a log nothing is left");
    let words = [&words[..], &["--log", "log.jsonl"]].concat();
    let (kills, mut random) = (number("BIVALVE_CUBE_KILLS", 10_u32), fastrand::Rng::with_seed(59));
    let (mut killed, mut ended) = (0, 0);
    while killed < kills {
        let mut running = cubes(folder.path(), &words).spawn().expect("the binary runs");
        std::thread::sleep(Duration::from_millis(random.u64(5..400)));
        match running.try_wait().expect("it runs") {
            None => {
                running.kill().expect("it runs");
                running.wait().expect("it ends");
                killed += 1;
            }
            Some(_) => {
                // It is done; the next one begins anew.
                let done = running.wait_with_output().expect("it ends");
                assert_eq!(text(&done.stdout), whole, "{}", text(&done.stderr));
                assert_eq!(fs::read(folder.path().join("out.bvc")).expect("a certificate"), certificate);
                fs::remove_file(folder.path().join("log.jsonl")).expect("a log");
                fs::remove_dir_all(folder.path().join("out.bvc.leaves")).expect("a folder");
                ended += 1;
            }
        }
    }
    assert_eq!(printed(&mut cubes(folder.path(), &words)), whole);
    assert_eq!(fs::read(folder.path().join("out.bvc")).expect("a certificate"), certificate);
    assert!(verified(folder.path()));
    println!("killed {killed} times, {ended} runs came to their end between");
    // Leaves whose certificates are lost or altered are looked at again.
    let leaves = fs::read_dir(folder.path().join("out.bvc.leaves")).expect("a folder");
    for (number, leaf) in leaves.enumerate() {
        let path = leaf.expect("an entry").path();
        match number % 3 {
            0 => fs::remove_file(path).expect("it is there"),
            1 => fs::write(path, "altered").expect("it can be written"),
            _ => {}
        }
    }
    assert_eq!(printed(&mut cubes(folder.path(), &words)), whole);
    assert_eq!(fs::read(folder.path().join("out.bvc")).expect("a certificate"), certificate);
}

/// On a node of Slurm, tasks are killed at random points, and in turns the process that has submitted them,
/// whose tasks run on: the tree and the certificate are those of one process.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs Slurm and munge, started as root"]
fn kills_on_slurm_change_nothing() {
    let slurm = crate::slurm::Slurm::start().expect("a node of Slurm");
    let folder = script(PRIME);
    let whole = printed(&mut cubes(folder.path(), &["--json", "--certificate", "out.bvc"]));
    let certificate = fs::read(folder.path().join("out.bvc")).expect("a certificate");
    let (kills, mut random) = (number("BIVALVE_CUBE_KILLS", 10_u32), fastrand::Rng::with_seed(60));
    let (mut tasks, mut submitters, mut runs) = (0, 0, 0);
    while tasks + submitters < kills {
        let log = format!("log-{runs}.jsonl");
        let words =
            ["--json", "--certificate", "out.bvc", "--log", &log, "--engine", "slurm", "--shards", "2"];
        fs::remove_file(folder.path().join("out.bvc")).expect("a certificate");
        loop {
            let mut command = cubes(folder.path(), &words);
            let mut running = command.env("SLURM_CONF", slurm.conf()).spawn().expect("the binary runs");
            let mut is_killed = false;
            while running.try_wait().expect("it runs").is_none() {
                std::thread::sleep(Duration::from_millis(random.u64(20..600)));
                if tasks + submitters < kills && random.u8(..12) == 0 {
                    running.kill().expect("it runs, or has ended");
                    (submitters, is_killed) = (submitters + 1, true);
                    break;
                }
                if let Some(task) = random.choice(slurm.running()).filter(|_| tasks + submitters < kills) {
                    tasks += u32::from(slurm.kill(&task));
                }
            }
            let done = running.wait_with_output().expect("it ends");
            if done.status.code() == Some(0) {
                assert_eq!(text(&done.stdout), whole, "{}", text(&done.stderr));
                break;
            }
            // What was lost three times is said, and the same command goes on.
            let said = text(&done.stderr);
            assert!(is_killed || said.contains("submissions"), "{said}");
        }
        assert_eq!(fs::read(folder.path().join("out.bvc")).expect("a certificate"), certificate);
        runs += 1;
    }
    assert!(verified(folder.path()));
    println!("{runs} runs, {tasks} tasks and {submitters} submitting processes killed");
}

/// Puts a stand-in for the program of an engine on the path, which loses its second shard the first time.
fn stand_in(folder: &Path, program: &str, script: &str) -> String {
    let (bin, file) = (folder.join("bin"), folder.join("bin").join(program));
    fs::create_dir_all(&bin).expect("a folder");
    fs::write(&file, script).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default())
}

const LOSES_ONE: &str = "lost() { test \"$1\" = 2 && test ! -e lost && touch lost; }\n";

/// Words of `parallel` up to `-I MARK COMMAND :::`, then the numbers of shards.
const PARALLEL: &str = "while [ \"$1\" != -I ]; do shift; done\nmark=$2\ncommand=$3\nshift 4\n\
    for n; do lost $n || sh -c \"$(printf %s \"$command\" | sed \"s/$mark/$n/g\")\"; done\n";

/// `--array=1-N` and `--wrap=COMMAND` among others.
const SBATCH: &str = "for word; do case $word in\n--array=1-*) last=${word#*-*-*-};;\n--wrap=*) command=${word#*=};;\n\
    esac; done\necho 17\nfor n in $(seq \"$last\"); do lost $n || SLURM_ARRAY_TASK_ID=$n sh -c \"$command\"; done\n";

#[test]
fn engines_and_shards_grow_the_same_tree() {
    let folder = script(PRIME);
    let whole = printed(&mut cubes(folder.path(), &["--json", "--certificate", "out.bvc"]));
    let certificate = fs::read(folder.path().join("out.bvc")).expect("a certificate");
    for (engine, program, script) in [("parallel", "parallel", PARALLEL), ("slurm", "sbatch", SBATCH)] {
        let path = stand_in(folder.path(), program, &format!("#!/bin/sh\n{LOSES_ONE}{script}"));
        let log = format!("{engine}.jsonl");
        let words =
            ["--json", "--certificate", "out.bvc", "--log", &log, "--engine", engine, "--shards", "3"];
        let said = printed(cubes(folder.path(), &words).env("PATH", path));
        assert_eq!(said, whole, "{engine}");
        assert!(folder.path().join("lost").exists(), "{engine} was asked and lost a shard");
        fs::remove_file(folder.path().join("lost")).expect("a file");
        assert_eq!(fs::read(folder.path().join("out.bvc")).expect("a certificate"), certificate);
    }
    // By hand: the list of tasks of a round, the commands of a shell, and merging.
    let words = ["--log", "own.jsonl", "--plan", "tasks.jsonl"];
    let mut rounds = 0;
    loop {
        printed(&mut cubes(folder.path(), &words));
        let tasks = fs::read_to_string(folder.path().join("tasks.jsonl")).expect("a list");
        if tasks.is_empty() {
            break;
        }
        for task in tasks.lines() {
            let task: serde_json::Value = serde_json::from_str(task).expect("a line of JSON");
            let command = task["command"].as_str().expect("a command");
            let done = Command::new("sh").args(["-c", command]).current_dir(folder.path()).output();
            assert_eq!(done.expect("a shell").status.code(), Some(0), "{command}");
        }
        rounds += 1;
    }
    assert!(rounds > 2, "{rounds} rounds");
    let plain = printed(&mut cubes(folder.path(), &["--json"]));
    assert_eq!(printed(&mut cubes(folder.path(), &["--json", "--log", "own.jsonl", "--report"])), plain);
}

#[test]
fn what_cannot_be_is_said() {
    let folder = script(PRIME);
    let fails = |words: &[&str], code: i32, why: &str| {
        let done = cubes(folder.path(), words).output().expect("the binary runs");
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{said}");
        assert!(said.contains(why), "{said}");
    };
    printed(&mut cubes(folder.path(), &["--log", "log.jsonl", "--certificate", "out.bvc"]));
    // Another formula, and another question, with the same log.
    fails(&["--log", "log.jsonl"], 2, "log.jsonl.job:1:1: expected a budget of 50 and no certificates");
    fails(&["--log", "log.jsonl", "--set", "seed=7"], 2, "expected the formula and options of hard.smt2 (");
    fails(&["--certificate", "hard.smt2"], 2, "expected a file that is no input");
    fails(&["--set", "frob=1"], 2, "unknown option 'frob'");
    fails(&["--engine", "mpi", "--log", "other.jsonl"], 2, "[possible values: threads, slurm, parallel]");
    fails(&["--engine", "slurm"], 2, "an engine needs a --log that all machines see");
    fails(&["--budget", "0"], 2, "0 is not in");
    fails(&["--simulate"], 2, "--log");
    fails(&["-o", "plot.svg"], 2, "--output: expected --simulate beside it");
    fails(&["--log", "new.jsonl", "--simulate"], 2, "expected leaves with times in the log, found none");
    fails(&["--log", "new.jsonl", "--report"], 2, "");
    fs::write(folder.path().join("log.jsonl.job"), "{\n\"file\": 3}").expect("a file");
    fails(
        &["--log", "log.jsonl"],
        2,
        "log.jsonl.job:2:9: expected a job: invalid type: integer `3`, expected a string\n",
    );
    fs::write(folder.path().join("hard.smt2"), "(declare-const x Bool)\n(assert (and x z))\n")
        .expect("a file");
    fails(&[], 1, "hard.smt2:2:16");
    fs::write(folder.path().join("hard.smt2"), "(declare-const x Bool)\n(assert x)\n").expect("a file");
    fails(&[], 1, "hard.smt2:3:1: expected a (check-sat), found the end of the script");
}

#[test]
fn many_workers_are_simulated() {
    let folder = script(PRIME);
    printed(&mut cubes(folder.path(), &["--log", "log.jsonl"]));
    let words = ["--log", "log.jsonl", "--simulate", "1000", "-o", "speed.svg"];
    let table = printed(&mut cubes(folder.path(), &words));
    assert!(table.starts_with("1000 leaves, times of "), "{table}");
    assert_eq!(table.lines().count(), 2 + 5 * 7, "{table}");
    assert!(table.contains("all of these"), "{table}");
    let plot = fs::read_to_string(folder.path().join("speed.svg")).expect("a plot");
    assert!(plot.starts_with("<svg") && plot.contains("speed-up over one worker"));
}
