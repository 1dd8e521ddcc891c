//! An example for each pass of simplification: `passes/NAME.smt2`.
//!
//! The examples tell what a pass does better than words, and hold three things: no row of the pipeline is
//! dead, since each pass changes its example with all others switched off; a pass can be switched off; and
//! the answer is the same with the pass alone, without it, with all of them and with none. A new pass is a
//! row and an example.

use bivalve::preprocess::PASSES;
use std::path::PathBuf;
use std::process::Command;
use workspace_tests::{bivalve, root};

/// Rewriting is on for small formulas, too, and nothing is guessed before it.
const ALL: [&str; 6] = ["--rewrite-from", "0", "--probe", "off", "--rewrite-level", "3"];

fn example(pass: &str) -> PathBuf {
    root().join("tests/passes").join(pass).with_extension("smt2")
}

/// The verdict, and how often each pass has changed something.
fn run(pass: &str, options: &[&str]) -> (String, Vec<(String, u64)>) {
    let mut command = Command::new(bivalve());
    command.arg("--stats=json").args(options).arg(example(pass));
    let output = command.output().expect("the binary runs");
    let verdict = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
    let statistics: serde_json::Value = serde_json::from_slice(&output.stderr).expect("statistics are JSON");
    let passes = statistics["passes"].as_array().expect("statistics have the passes");
    let changed = |pass: &serde_json::Value| {
        (pass["name"].as_str().expect("a name").to_owned(), pass["changed"].as_u64().expect("a count"))
    };
    (verdict, passes.iter().map(changed).collect())
}

#[test]
fn every_pass_changes_its_example_and_no_answer() {
    for pass in PASSES {
        let name = pass.name;
        let text = std::fs::read_to_string(example(name)).unwrap_or_else(|_| panic!("{name} has no example"));
        let expected = text.lines().find_map(|line| line.strip_prefix("; expect: ")).expect("a verdict");
        let others: Vec<&str> =
            PASSES.iter().map(|other| other.name).filter(|&other| other != name).collect();
        let (others, of_all) = (others.join(","), |more: &[&'static str]| [&ALL[..], more].concat());

        let alone = run(name, &[&ALL[..], &["--without-passes", &others]].concat());
        assert_eq!(alone.0, expected, "{name} alone");
        assert!(alone.1.iter().any(|(pass, changed)| pass == name && *changed > 0), "{name}: {:?}", alone.1);

        let without = run(name, &of_all(&["--without-passes", name]));
        assert_eq!(without.0, expected, "without {name}");
        assert!(without.1.iter().all(|(pass, changed)| pass != name || *changed == 0), "{name} is not off");

        for options in [of_all(&[]), vec![], vec!["--rewrite-level", "0", "--probe", "off"]] {
            assert_eq!(run(name, &options).0, expected, "{name} under {options:?}");
        }
    }
}

/// No example is left behind by a pass that is gone.
#[test]
fn every_example_has_its_pass() {
    for entry in std::fs::read_dir(root().join("tests/passes")).expect("a folder of examples") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert!(PASSES.iter().any(|pass| pass.name == name), "{name} is no pass");
    }
}
