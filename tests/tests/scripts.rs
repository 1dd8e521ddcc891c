//! Scripts as data: each file of `regressions` is run through the binary and must be answered as it expects.
//!
//! A script opens with comments that tell its story; lines `; expect: TEXT` give the lines of standard output, in
//! order. Every script is run under several options, because an answer must not depend on them, and twice under the
//! same, because a run must not depend on anything else. A line `; options: WORDS` adds the options under which something was
//! found; what torture leaves stands in a folder of that name. A new regression is a new file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use workspace_tests::{bivalve, root};

/// Options under which every script has the same answers; each line is a run.
const OPTIONS: &[&[&str]] = &[
    &[],
    &[],
    &["--rewrite-level", "0"],
    &["--probe", "off"],
    &["--sat", "batsat"],
    &["--sat", "splr", "--rewrite-level", "0"],
    &["--sat", "naive", "--rewrite-from", "0"],
    &["--rewrite-from", "0"],
    &["--probe", "off", "--array-lemmas", "one", "--abstract-from", "1"],
    &["--probe", "off", "--array-lemmas", "class", "--rewrite-level", "0", "--rebuild-from", "0"],
    &["--probe", "off", "--array-strategy", "eager", "--rewrite-level", "0"],
    &["--probe", "off", "--array-strategy", "reads"],
    &["--probe", "off", "--array-strategy", "writes"],
    &["--compact-from", "0", "--rebuild-from", "0"],
];

fn run(options: &[&str], script: &Path) -> Output {
    Command::new(bivalve()).args(options).arg(script).output().expect("the binary runs")
}

fn scripts() -> Vec<PathBuf> {
    let (mut scripts, mut folders) = (vec![], vec![root().join("tests/regressions")]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of regressions") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                scripts.push(path);
            }
        }
    }
    scripts.sort();
    scripts
}

/// The lines that a script expects.
fn expected(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("; expect: ")).collect()
}

#[test]
fn scripts_are_answered_as_they_expect_whatever_the_options() {
    assert!(!scripts().is_empty());
    for script in scripts() {
        let text = std::fs::read_to_string(&script).expect("a script is text");
        let expected = expected(&text);
        assert!(!expected.is_empty(), "{}: says nothing of its answers", script.display());
        assert!(text.starts_with("; "), "{}: tells no story", script.display());
        let own: Vec<&str> = text
            .lines()
            .find_map(|line| line.strip_prefix("; options: "))
            .unwrap_or("")
            .split(' ')
            .filter(|word| !word.is_empty())
            .collect();
        for options in OPTIONS.iter().copied().chain([&own[..]]) {
            let output = run(options, &script);
            let answers = String::from_utf8(output.stdout).expect("answers are text");
            let answers: Vec<&str> = answers.lines().collect();
            assert_eq!(answers, expected, "{} under {options:?}", script.display());
        }
    }
}

/// The whole output, models included, byte by byte.
#[test]
fn scripts_are_answered_the_same_twice() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for number in 0..12 {
        let recipe = campaign::formula::Recipe {
            seed: 3,
            max_width: 70,
            size: 25,
            theory: campaign::theory::Theory::Bits,
        };
        let script = recipe.formula(number).script() + "(get-model)\n(get-info :all-statistics)\n";
        let path = folder.join(format!("twice-{number}.smt2"));
        std::fs::write(&path, script).expect("a temporary file");
        let [first, second] = [(); 2].map(|()| run(&[], &path));
        let counts = |output: &Output| {
            let text = String::from_utf8(output.stdout.clone()).expect("answers are text");
            let is_count = |line: &&str| !line.contains("-s ") && !line.contains("memory");
            text.lines().filter(is_count).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(counts(&first), counts(&second), "formula {number}");
        assert!(counts(&first).len() > 8, "formula {number}: {:?}", counts(&first));
    }
}

/// Inputs that break readers and solvers end in an answer or an error, whatever they do to others.
#[test]
fn nasty_inputs_do_not_break_the_binary() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for (name, text) in campaign::nasty::inputs() {
        let path = folder.join("nasty.smt2");
        std::fs::write(&path, text).expect("a temporary file");
        let output = run(&["--time-limit", "10", "--gate-limit", "1000000"], &path);
        let end = &output.stderr[output.stderr.len().saturating_sub(2000)..];
        let end = String::from_utf8_lossy(end);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {}: {end}", output.status);
    }
}
