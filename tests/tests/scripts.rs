//! Scripts as data: each file of `regressions` is run through the binary and must be answered as it expects.
//!
//! A script opens with comments that tell its story; lines `; expect: TEXT` give the lines of standard
//! output, in order. Every script is run under several options, because an answer must not depend on them,
//! and twice under the same, because a run must not depend on anything else. A new regression is a new file.
//!
//! What torture leaves stands in folders below, each named by the options it takes, which the line `;
//! options: WORDS` repeats. There the expected lines are verdicts; models and cores are judged, not compared.

use bivalve_harness::{Reply, Verdict};
use bivalve_judge::{Case, Inside, Judge, Kind, USUAL_PERCENT};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use workspace_tests::{bivalve, root};

/// Options under which every script has the same answers; each line is a run.
const OPTIONS: &[&[&str]] = &[
    &[],
    &[],
    &["--rewrite-level", "0"],
    &["--rewrite-level", "1"],
    &["--rewrite-level", "3", "--probe", "off", "--rewrite-from", "0"],
    &["--without-passes", "substitution,conditional-substitution,embedded-constraints", "--probe", "off"],
    &["--probe", "off"],
    &["--sat", "batsat"],
    &["--threads", "2"],
    &["--sat", "splr", "--rewrite-level", "0"],
    &["--sat", "naive", "--rewrite-from", "0"],
    &["--rewrite-from", "0"],
    &["--probe", "off", "--array-lemmas", "one", "--abstract-from", "1"],
    &["--probe", "off", "--orders-from", "1", "--rewrite-from", "0"],
    &["--probe", "off", "--distinct-from", "1", "--rewrite-level", "0"],
    &["--probe", "off", "--array-lemmas", "class", "--rewrite-level", "0", "--rebuild-from", "0"],
    &["--probe", "off", "--array-strategy", "eager", "--rewrite-level", "0"],
    &["--probe", "off", "--array-strategy", "reads"],
    &["--probe", "off", "--array-strategy", "writes"],
    &["--compact-from", "0", "--rebuild-from", "0"],
    &["--probe", "off", "--words-after", "1", "--rewrite-from", "0", "--rewrite-level", "0"],
    &["--probe", "off", "--words-after", "1"],
    &["--probe", "off", "--approx", "sign", "--approx-refine", "local"],
    &["--probe", "off", "--approx", "zero", "--sat", "batsat", "--rewrite-level", "0"],
    &["--probe", "off", "--approx", "one", "--approx-width", "3", "--approx-limit", "5"],
    &["--probe", "off", "--approx", "classes", "--rewrite-level", "0", "--rebuild-from", "0"],
];

fn run(options: &[&str], script: &Path) -> Output {
    Command::new(bivalve()).args(options).arg(script).output().expect("the binary runs")
}

/// The scripts of a folder, and the folders in it.
fn entries(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of regressions");
    let (mut folders, mut scripts): (Vec<PathBuf>, Vec<PathBuf>) =
        entries.map(|entry| entry.expect("an entry").path()).partition(|path| path.is_dir());
    scripts.retain(|path| path.extension().is_some_and(|e| e == "smt2"));
    scripts.sort();
    folders.sort();
    (scripts, folders)
}

fn scripts() -> Vec<PathBuf> {
    entries(&root().join("tests/regressions")).0
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
        for options in OPTIONS {
            let output = run(options, &script);
            let answers = String::from_utf8(output.stdout).expect("answers are text");
            // Scripts lie in different folders on different machines.
            let answers = answers.replace(&format!("{}:", script.display()), "");
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
        let recipe = bivalve_fuzz::formula::Recipe {
            seed: 3,
            max_width: 70,
            size: 25,
            theory: bivalve_fuzz::theory::Theory::Bits,
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

/// Is the output of a script that torture left what it shall be?
fn judge(text: &str, output: &str) -> Result<(), String> {
    let (mut case, reply) = (Case::new("finding", "", text), Reply::read(text, output));
    let words = expected(text);
    if reply.checks.len() != words.len() {
        return Err(format!("{} checks instead of {}: {output}", reply.checks.len(), words.len()));
    }
    for (known, word) in case.known.iter_mut().zip(words) {
        known.status = Verdict::parse(word).filter(|verdict| verdict.is_definite());
    }
    let mut settings = bivalve::Settings::default();
    settings.set("rewrite-level", "0").expect("an option of the table");
    let trusted = Inside::new("plain", settings, Duration::from_secs(10));
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let judgement = judge.judge(&case, &[&reply]).judgements.remove(0);
    match judgement.kind {
        Kind::Passed | Kind::Unknown => Ok(()),
        kind => Err(format!("{}: {}", kind.word(), judgement.detail)),
    }
}

/// Scripts that a campaign left, in folders by their options, and all others: each under its own options and
/// under none, with models and cores judged.
#[test]
fn what_campaigns_found_stays_mended() {
    let (mut scripts, folders) = entries(&root().join("tests/regressions"));
    scripts.extend(folders.iter().flat_map(|folder| entries(folder).0));
    let mut judged = 0;
    for script in scripts {
        let text = std::fs::read_to_string(&script).expect("a script is text");
        // Others expect more than verdicts, or errors; they are compared line by line.
        if !expected(&text).iter().all(|word| Verdict::parse(word).is_some()) {
            continue;
        }
        judged += 1;
        let own = text.lines().find_map(|line| line.strip_prefix("; options: ")).unwrap_or_default();
        let own: Vec<&str> = own.split_whitespace().collect();
        for options in [&own[..], &[]] {
            let output = run(options, &script);
            let outcome = judge(&text, &String::from_utf8_lossy(&output.stdout));
            assert_eq!(outcome, Ok(()), "{} under {options:?}", script.display());
        }
    }
    assert!(judged >= 5, "{judged} regressions");
}

#[test]
fn a_finding_that_is_not_mended_fails() {
    let text = "; expect: sat\n(declare-const x (_ BitVec 4))(assert (bvult x #x2))(check-sat)(get-model)";
    let model = |x: &str| format!("sat\n((define-fun x () (_ BitVec 4) {x}))\n");
    assert_eq!(judge(text, &model("#x1")), Ok(()));
    for output in [&*model("#x2"), "unsat\n", "(error \"internal: wrong\")\n", ""] {
        assert!(judge(text, output).is_err(), "{output}");
    }
}
