//! Every deliberate fault makes a difference: for each there is a script that Bivalve answers rightly, and
//! wrongly with the fault planted, as its judges say.
//!
//! The scripts are what `cargo xtask faults --out` leaves. A fault that no longer changes an answer would be
//! a hole that nobody sees in what torture is measured by: the spot it sits in may be dead, or the code
//! around it was changed.
#![cfg(feature = "faults")]

use bivalve::{CheckResult, Settings};
use bivalve_faults::{FAULTS, FaultRow};
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_harness::{Cancel, Oracle, Verdict};
use bivalve_judge::{Case, Inside, Judge, Judgement, USUAL_PERCENT, Wanted};
use bivalve_session::{Certification, Config, Form, NoMonitor, Reply, Session};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes that a script has at most, without the comments in its head.
const SMALL: usize = 300;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults")
}

/// The part of a line of the head behind this word.
fn lines<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.strip_prefix("; ")?.strip_prefix(word)?.strip_prefix(": "))
}

/// Bivalve with options as on a command line.
fn bivalve(words: &[&str]) -> Inside {
    let mut settings = Settings::default();
    for option in words.chunks(2) {
        let name = option[0].trim_start_matches("--");
        settings.set(name, option[1]).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
    Inside::new("bivalve", settings, Duration::from_secs(60))
}

/// What an answer to the script is worth.
fn judgement(text: &str, options: &[&str]) -> Judgement {
    let mut case = Case::new("fault", "", text);
    for (known, word) in case.known.iter_mut().zip(lines(text, "expect")) {
        known.status = Verdict::parse(word).filter(|verdict| verdict.is_definite());
    }
    let reply =
        bivalve(options).ask(&case.script(Wanted { models: true, cores: true }, false), &Cancel::new());
    assert!(reply.errors.is_empty(), "{:?}", reply.errors);
    let judge = Judge { trusted: &bivalve(&[]), percent: USUAL_PERCENT };
    judge.judge(&case, &[&reply]).judgements.remove(0)
}

fn script(row: &FaultRow) -> String {
    let path = folder().join(format!("{}.smt2", row.name));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_fault_makes_an_answer_wrong_and_without_it_the_answer_is_right() {
    let mut dead = vec![];
    for row in FAULTS {
        let text = script(row);
        let options: Vec<&str> = lines(&text, "options").flat_map(str::split_whitespace).collect();
        let at = options.iter().position(|&word| word == "--plant").expect("a fault is planted");
        assert_eq!(options[at + 1], row.name);
        let without = [&options[..at], &options[at + 2..]].concat();
        let (right, wrong) = (judgement(&text, &without), judgement(&text, &options));
        assert!(!right.is_finding(), "{}: {right:?}", row.name);
        if !wrong.is_finding() {
            dead.push(row.name);
        }
    }
    let words = dead.join(" ");
    // A script may have become too weak as the code around changed; then the campaign knows another one, or
    // the fault is dead.
    assert!(dead.is_empty(), "nothing is wrong: cargo xtask faults {words} --out crates/judge/tests/faults");
}

/// The answers to a script where `unsat` needs a certificate, with a fault in all that is done for it; none
/// for a check whose model was found to be wrong.
fn certified(row: &FaultRow, text: &str, options: &[&str]) -> Vec<Option<CheckResult>> {
    let _planted = bivalve_faults::plant(Some(row.fault));
    let mut config = Config::default();
    for option in options.chunks(2) {
        config
            .options
            .set_text(option[0].trim_start_matches("--"), option[1])
            .expect("an option of a script");
    }
    let mut session = Session::new(config);
    let certification = Certification::new(Box::new(std::io::sink()), Form::Binary, true);
    session.set_certification(certification.expect("the checker reads the script"));
    let mut parser = Parser::new(text.as_bytes(), row.name, ParserOptions::default());
    let replies = std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor));
    let answer = |reply| match reply {
        Reply::Checked(answer) => Some(Some(answer)),
        Reply::Fault(text) if text.starts_with("internal: ") => Some(None),
        _ => None,
    };
    replies.filter_map(answer).collect()
}

/// Whichever search goes first, and whatever rule, circuit or lemma is wrong, no certificate shows it.
#[test]
fn no_fault_has_a_certificate() {
    let mut withheld = 0;
    for row in FAULTS {
        let text = script(row);
        let options: Vec<&str> = lines(&text, "options").flat_map(str::split_whitespace).collect();
        let at = options.iter().position(|&word| word == "--plant").expect("a fault is planted");
        let without = [&options[..at], &options[at + 2..]].concat();
        let reply = bivalve(&without).ask(&text, &Cancel::new());
        let solver_first = [&options[..], &["minimal-unsat-cores", "true"]].concat();
        for options in [&options, &solver_first] {
            let answers = certified(row, &text, options);
            assert_eq!(answers.len(), reply.checks.len(), "{}", row.name);
            for (answer, right) in answers.iter().zip(reply.checks.iter().map(|check| check.verdict)) {
                let is_wrong = *answer == Some(CheckResult::Unsat) && right != Verdict::Unsat;
                assert!(!is_wrong, "{}: a certificate shows what is wrong", row.name);
                withheld += usize::from(matches!(answer, Some(CheckResult::Unknown(_))));
            }
        }
    }
    assert!(withheld > 0, "some faults make unsat what is not");
}

#[test]
fn every_script_is_small_and_belongs_to_a_fault() {
    for row in FAULTS {
        let body: usize =
            script(row).lines().filter(|line| !line.starts_with(';')).map(|line| line.len() + 1).sum();
        assert!((1..=SMALL).contains(&body), "{}: {body} bytes", row.name);
    }
    let files = std::fs::read_dir(folder()).expect("a folder of scripts").count();
    assert_eq!(files, FAULTS.len());
}

/// A campaign that has unsat answers certified sees each that is wrong, without knowing the right answer.
#[test]
fn what_is_wrongly_unsat_has_no_certificate_and_that_is_a_crash() {
    let mut seen = 0;
    for row in FAULTS {
        let text = script(row);
        let options: Vec<&str> = lines(&text, "options").flat_map(str::split_whitespace).collect();
        let at = options.iter().position(|&word| word == "--plant").expect("a fault is planted");
        let without = [&options[..at], &options[at + 2..]].concat();
        let right = bivalve(&without).certifying(true).ask(&text, &Cancel::new());
        assert_eq!(right.crash(), None, "{}: {:?}", row.name, right.ending);
        let wrong = bivalve(&options).certifying(true).ask(&text, &Cancel::new());
        let is_unsat = |verdicts: &[Verdict], at: usize| verdicts.get(at) == Some(&Verdict::Unsat);
        let (answers, truths) = (wrong.verdicts(), right.verdicts());
        if (0..answers.len()).any(|at| is_unsat(&answers, at) && !is_unsat(&truths, at)) {
            assert!(wrong.crash().is_some(), "{}: {answers:?} without a word", row.name);
            seen += 1;
        }
    }
    assert!(seen > 3, "{seen}: too few");
}
