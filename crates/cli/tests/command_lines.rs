//! Bad command lines: whatever the words are, standard error has what is wrong with them, the exit code is 2,
//! and nothing is written.
//!
//! A right command line of the solver or of a tool is drawn from a table and made wrong in one way: a flag
//! that does not exist, a value out of its range, a flag without its value, a file that is missing, a
//! folder or unreadable, a flag of another solver, a command that is mistyped. Everything is drawn from
//! the number of the line, so a finding is repeated by its number. Lines that are wrong in no way are run
//! as well: they end with 0 or 1.
//!
//! `BIVALVE_COMMAND_LINES` is the number of lines.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test says what it has seen, and how much is set by the environment"
)]

use crate::support::bivalve;
use bivalve_fuzz::seed_of;
use bivalve_harness::Limits;
use bivalve_harness::process::{self, Outcome};
use bivalve_harness::{Cancel, Ending, work};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// Lines in an ordinary run.
const LINES: u64 = 300;

const SCRIPT: &str = "(declare-const x (_ BitVec 4))\n(assert (bvult #x3 x))\n(check-sat)\n";

/// Right command lines, which end soon and write nothing.
const RIGHT: &[&[&str]] = &[
    &["s.smt2"],
    &["--stats", "s.smt2"],
    &["--strict", "s.smt2"],
    &["--compat", "bitwuzla", "s.smt2", "-q", "-i"],
    &["simplify", "s.smt2"],
    &["fuzz", "-n", "2"],
    &["construct", "--theory", "bv", "--kind", "single", "-n", "2"],
    &["campaign", "s.smt2", "-q"],
    &["campaign", "--preset", "broken", "-n", "2", "-q"],
    &["experiment", "s.smt2", "-q", "--vary", "probe=on,off"],
    &["reduce", "s.smt2", "-q", "--", "grep", "-c", "bvult", "{}"],
    &["completions", "bash"],
];

/// A flag, and values that it refuses.
type Refused = (&'static str, &'static [&'static str]);

/// Flags with values that they refuse, by the first word of the command line; the solver has none.
const VALUES: &[(&str, &[Refused])] = &[
    (
        "",
        &[
            ("--time-limit", &["x", "-1", "5 parsecs", "1e999", ""]),
            ("--time-limit-per", &["soon", "1.5.2", "-3s"]),
            ("--memory-limit", &["much", "-1", "5X", "99999999999999999999"]),
            ("--compact-from", &["-1", "x", "1.5", "99999999999999999999"]),
            (
                "--sat",
                &[
                    "zchaff",
                    "",
                    "cadical:nonsense=1",
                    "dimacs:no-such-program",
                    "dimacs:",
                    "ipasir:no-such.so",
                    "list2",
                ],
            ),
            ("--rewrite-level", &["4", "-1", "high"]),
            ("--rewrite-from", &["x", "-1"]),
            ("--without-passes", &["nonsense", "linear,nonsense", ","]),
            ("--abstract-from", &["-5", "x", "99999999999999999999"]),
            ("--array-lemmas", &["two", "EACH"]),
            ("--array-strategy", &["lazy", ""]),
            ("--approx", &["five"]),
            ("--probe", &["maybe"]),
            ("--seed", &["x", "-1"]),
            ("--gate-limit", &["0", "-1", "x"]),
            ("--conflict-limit", &["x", "-1"]),
            ("--threads", &["0", "257", "-1", "many", ""]),
            ("--lang", &["btor9", "latin"]),
            ("--bv-output-format", &["3", "hex"]),
            ("--compat", &["minisat", ""]),
            ("--set-option", &["nonsense", "nonsense=1", "produce-models=perhaps", "=", ""]),
        ],
    ),
    ("simplify", &[("--rewrite-level", &["9"]), ("--without-passes", &["nonsense"])]),
    (
        "fuzz",
        &[
            ("--count", &["-1", "x", "1.5"]),
            ("--style", &["nice"]),
            ("--shape", &["round"]),
            ("--seed", &["x"]),
            ("--max-width", &["x", "-1"]),
        ],
    ),
    (
        "construct",
        &[("--theory", &["reals"]), ("--kind", &["best"]), ("--width", &["0", "x", "99999999999"])],
    ),
    (
        "campaign",
        &[
            ("--time-limit", &["0", "x", "-1"]),
            ("--memory-limit", &["much"]),
            ("--jobs", &["-1", "x"]),
            ("--percent", &["101", "-1", "x"]),
            ("--preset", &["nice"]),
            ("--solver", &["nonsense", "x=", "=cat {}", "x=no-such-program {}", "x='cat"]),
            ("--inside", &["a:nonsense=1", "a:rewrite-level=9", "a:sat=dimacs:no-such-program"]),
            ("--without", &["nonsense", "bivalve=nonsense", "other=models"]),
            ("--batch", &["0", "x", "other=3"]),
            ("--shard", &["0/2", "3/2", "x", "1/0"]),
            ("--engine", &["steam"]),
            ("--color", &["red"]),
            ("--merge", &["no-such-log"]),
            ("--fuzz", &["--shape round", "--nonsense", "'"]),
            ("--stop-after", &["x"]),
            ("--total-time", &["0", "x"]),
        ],
    ),
    (
        "experiment",
        &[
            ("--vary", &["nonsense", "nonsense=1,2", "rewrite-level=9", "="]),
            ("--solver", &["nonsense", "x=no-such-program {}"]),
            ("--time-limit", &["0", "x"]),
            ("--jobs", &["-1", "x"]),
            ("--against", &["nobody"]),
            ("--color", &["red"]),
        ],
    ),
    ("reduce", &[("--time-limit", &["0", "x"]), ("--percent", &["101"]), ("--jobs", &["x"])]),
    ("completions", &[]),
];

/// Flags of other solvers, which are understood with `--compat` only, and words that are no flags at all.
const UNKNOWN: &[&str] = &[
    "--nonsense",
    "-Z",
    "--time-limt",
    "--memory_limit",
    "--rewrite-levle",
    "-T:10",
    "--tlimit-per",
    "--SMTLIB2",
    "--bv-div-zero-const",
    "-memory:100",
    "-input=smt2",
    "--produce-unsat-corse",
    "---",
    "--=",
    "-\u{e9}",
    "--\u{1f41a}",
];

/// A command line that is wrong, and in which way.
fn line(rng: &mut Rng) -> (&'static str, Vec<String>) {
    let right = RIGHT[rng.usize(..RIGHT.len())];
    let tool = if right[0].starts_with('-') || right[0].ends_with(".smt2") { "" } else { right[0] };
    let mut words: Vec<String> = right.iter().map(|word| (*word).to_owned()).collect();
    // Behind the name of the tool, and before a command that the tool runs.
    let at = usize::from(!tool.is_empty());
    let input = words.iter().position(|word| word == "s.smt2");
    let values = VALUES.iter().find(|(name, _)| *name == tool).map_or(&[][..], |(_, flags)| flags);
    match rng.u8(..10) {
        0..2 => {
            words.insert(at, UNKNOWN[rng.usize(..UNKNOWN.len())].to_owned());
            ("unknown flag", words)
        }
        2..6 if !values.is_empty() => {
            let (flag, bad) = values[rng.usize(..values.len())];
            let value = bad[rng.usize(..bad.len())];
            words.splice(at..at, [format!("{flag}={value}")]);
            ("bad value", words)
        }
        6 if !values.is_empty() => {
            let (flag, _) = values[rng.usize(..values.len())];
            words.truncate(at);
            words.push(flag.to_owned());
            ("no value", words)
        }
        7 if input.is_some() && !tool.is_empty() => {
            let bad = ["no/such/file.smt2", "empty", "link", "s.smt2/below", ""];
            words[input.unwrap()] = bad[rng.usize(..bad.len())].to_owned();
            ("bad file", words)
        }
        8 if !tool.is_empty() => {
            words.splice(0..1, ["help".to_owned(), format!("{tool}s")]);
            ("mistyped command", words)
        }
        9 => ("right", words),
        _ => {
            words.insert(at, "--no-such-flag".to_owned());
            ("unknown flag", words)
        }
    }
}

/// A folder with a script, an empty folder and a link that leads nowhere.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("s.smt2"), SCRIPT).unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.path().join("link")).unwrap();
    place
}

fn run(folder: &Path, words: &[String]) -> Outcome {
    let mut command = bivalve();
    command.args(words).current_dir(folder);
    let limits = Limits { time: Duration::from_secs(60), cpu: None, memory: None };
    process::run(&mut command, b"", limits, &Cancel::new())
}

/// The names below a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What is wrong with the way in which a command line is refused, if anything is.
fn problem(kind: &str, outcome: &Outcome, folder: &Path) -> Option<String> {
    let (code, said) = (outcome.cause(), outcome.stderr.trim());
    let written = names(folder);
    // A run of an experiment has a log.
    let is_log = kind == "right" && written == ["empty", "experiment", "link", "s.smt2"];
    if written != ["empty", "link", "s.smt2"] && !is_log {
        return Some(format!("files are written: {written:?}"));
    }
    let is_wrong = match kind {
        "right" => !matches!(code, Ending::Exited(0 | 1)),
        _ => code != Ending::Exited(2) || !said.starts_with("error: ") || !outcome.output.is_empty(),
    };
    let is_helpful = kind == "right" || said.len() > "error: ".len() + 10;
    (is_wrong || !is_helpful).then(|| format!("{code:?}: {said:?}, printed {:?}", outcome.output))
}

#[test]
fn bad_command_lines_are_refused_with_help_and_nothing_is_written() {
    let count =
        std::env::var("BIVALVE_COMMAND_LINES").map_or(LINES, |count| count.parse().expect("a number"));
    let one = |number: u64, _: &Cancel| {
        let (kind, words) = line(&mut Rng::with_seed(seed_of(15, number)));
        let folder = place();
        let outcome = run(folder.path(), &words);
        let problem = problem(kind, &outcome, folder.path());
        (kind, problem.map(|problem| format!("{number} ({kind}) {words:?}: {problem}")))
    };
    let (mut kinds, mut wrong) = (BTreeMap::<&str, u64>::new(), vec![]);
    let mut see = |(kind, problem): (&'static str, Option<String>)| {
        *kinds.entry(kind).or_default() += 1;
        wrong.extend(problem);
        ControlFlow::Continue(())
    };
    work::in_order(0..count, 2, &Cancel::new(), one, &mut see).unwrap();
    println!("{kinds:?}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(kinds.len() == 6, "{kinds:?}");
}

/// The solver goes on with the next file, so a file that cannot be read is an error among the answers.
#[test]
fn files_that_cannot_be_read_are_errors_and_the_next_is_solved() {
    let folder = place();
    fs::write(folder.path().join("secret"), SCRIPT).unwrap();
    fs::set_permissions(folder.path().join("secret"), fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read(folder.path().join("secret")).is_ok();
    for name in ["no/such/file", "empty", "link", "s.smt2/below", "secret", "/"] {
        if name == "secret" && is_root {
            println!("skipped: nothing is unreadable to this user");
            continue;
        }
        let outcome = run(folder.path(), &[name.to_owned(), "s.smt2".to_owned()]);
        assert_eq!(outcome.ending, Ending::Exited(1), "{name}");
        let (error, answer) = outcome.output.trim_end().split_once('\n').unwrap();
        assert!(error.starts_with(&format!("(error \"{name}")), "{name}: {error}");
        assert_eq!(answer, "sat", "{name}");
    }
}
