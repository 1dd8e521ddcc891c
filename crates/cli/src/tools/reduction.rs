//! Findings of a campaign made small: by delta debugging, under the options that showed them.
//!
//! For each solver that is to blame the case is reduced as long as the same is wrong with the same solver: a
//! crash, a verdict that plain Bivalve denies, a model that violates the assertions, a core that is
//! satisfiable. Options of Bivalve that do not matter are left out, the last ones first. The result is a
//! script in a folder named by the options, with what is wrong, the options and the right answers in its
//! head; in `tests/regressions` it is run by the tests from then on. A finding that cannot be confirmed is no
//! result.

use super::solvers::{CHECK_UNSAT, Subject, inside, settings};
use crate::outputs;
use bivalve::{Stop, Why};
use bivalve_delta::{Options, reduce};
use bivalve_harness::watch::watch;
use bivalve_harness::{Cancel, Key, Oracle, Verdict};
use bivalve_judge::{Case, Failure, Inside, Judgement, Kind, Suspect, Target, USUAL_PERCENT, Wanted};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A reduction takes no longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A solver in this process is stopped after this long.
const LONG: Duration = Duration::from_secs(10);

/// The options of plain Bivalve, which denies wrong verdicts: as few parts as possible.
const PLAIN: &str =
    "conflict-limit=2000,gate-limit=2000000,rewrite-level=0,probe=off,abstract-from=0,array-lemmas=each";

/// Options under which a failure may be shown by a smaller script: nothing is left undone because a script is
/// small.
const SHARP: [(&str, &str); 2] = [("rewrite-from", "0"), ("probe", "off")];

/// A small script.
pub(super) struct Small {
    /// Where it was written.
    pub(super) path: PathBuf,
    /// The bytes of the script before.
    pub(super) before: usize,
    /// The bytes of the small one, without its head.
    pub(super) after: usize,
}

/// Makes a finding small and writes it below the folder; `None` if it is not confirmed.
///
/// # Errors
/// A sentence, when the script cannot be written.
pub(super) fn small(
    folder: &Path,
    case: &Case,
    judgement: &Judgement,
    subject: &Subject,
) -> Result<Option<Small>, String> {
    let failure = match judgement.kind {
        Kind::WrongModel => Failure::WrongModel,
        Kind::WrongCore => Failure::WrongCore,
        _ if judgement.crash => Failure::Crash(Some(judgement.detail.clone())),
        _ => Failure::WrongVerdict,
    };
    let script = case.script(Wanted { models: true, cores: true }, false);
    let mut subject = subject.clone();
    for (name, value) in SHARP {
        let sharper = subject.with(name, value);
        if shows(&sharper, &failure, &script)? {
            subject = sharper;
        }
    }
    let target = target(&subject, &failure)?;
    let reduced = patiently(|cancel| reduce(&script, &Options::default(), &target, cancel, &mut |_| {}));
    let Ok(reduction) = reduced else { return Ok(None) };
    for at in (0..subject.choices().len()).rev() {
        let fewer = subject.without(at);
        if shows(&fewer, &failure, &reduction.text)? {
            subject = fewer;
        }
    }
    let text = head(case, judgement, &subject, &reduction.text)? + &reduction.text;
    let what = match failure {
        Failure::WrongModel => "wrong-model",
        Failure::WrongCore => "wrong-core",
        Failure::Crash(_) => "crash",
        _ => "wrong-verdict",
    };
    let options = words(&subject).trim_start_matches("--").replace(" --", "-").replace(' ', "-");
    let options = if options.is_empty() { "default" } else { &options };
    let name = format!("{what}-{}.smt2", &Key::of([&reduction.text]).as_str()[..8]);
    let path = folder.join(options).join(name);
    let problem = |error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(folder.join(options)).map_err(problem)?;
    outputs::write(&path, text)?;
    Ok(Some(Small { before: script.len(), after: reduction.text.len(), path }))
}

/// The head of a small script.
fn head(case: &Case, judgement: &Judgement, subject: &Subject, text: &str) -> Result<String, String> {
    let detail: String =
        judgement.detail.chars().take(200).map(|c| if c == '\n' { ' ' } else { c }).collect();
    let mut head =
        format!("; {}: {detail}.\n; Found by a campaign.\n; options: {}\n", case.name, words(subject));
    let answers: Vec<Verdict> = plain()?.ask(text, &Cancel::new()).verdicts();
    answers.iter().for_each(|verdict| head += &format!("; expect: {verdict}\n"));
    Ok(head)
}

/// The options of Bivalve in this process, as on a command line.
fn words(subject: &Subject) -> String {
    let word = |(name, value): &(&'static str, String)| match *name {
        CHECK_UNSAT => format!("--{name}"),
        _ => format!("--{name} {value}"),
    };
    subject.choices().iter().map(word).collect::<Vec<_>>().join(" ")
}

fn plain() -> Result<Inside, String> {
    Ok(Inside::new("plain", settings(PLAIN)?, LONG))
}

fn target(subject: &Subject, failure: &Failure) -> Result<Target, String> {
    let suspect = match subject {
        Subject::Program(command) => Suspect::Command(command.clone()),
        Subject::Inside(choices) => {
            let choices = choices.iter().map(|(name, value)| (*name, value.as_str()));
            Suspect::Inside(Box::new(inside("bivalve", choices, LONG)?))
        }
    };
    let (trusted, limit) = (vec![Box::new(plain()?) as Box<dyn Oracle>], LONG);
    let target = Target::new(suspect, vec![failure.clone()], trusted, USUAL_PERCENT, limit, None);
    Ok(target.with_referee(plain()?))
}

/// Whether the failure shows on a script.
fn shows(subject: &Subject, failure: &Failure, script: &str) -> Result<bool, String> {
    Ok(target(subject, failure)?.shows(script, &Cancel::new()))
}

/// Does something that can be ended early, and ends it when patience is over.
fn patiently<T>(act: impl FnOnce(&Cancel) -> T) -> T {
    let (cancel, deadline) = (Cancel::new(), Instant::now() + PATIENCE);
    let raised = cancel.clone();
    let _watched = watch(&Stop::new(), move || match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => {
            raised.raise();
            Err(Why::TimeLimit)
        }
        left => Ok(left),
    });
    act(&cancel)
}
