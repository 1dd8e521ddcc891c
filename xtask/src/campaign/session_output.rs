//! Sessions through the binary: what it prints is all that is known, and is judged as text.
//!
//! The answers must be those of the session inside this process; models and cores are judged by
//! `bivalve-judge`, as those of any other solver. What only the session knows is looked at here: that levels
//! which are not there are refused, that each answer to `get-value` is about the terms that were asked for,
//! and that `unknown` is no fault.

use crate::session::{Session, Step};
use crate::settings;
use bivalve_formats::sexpr;
use bivalve_formats::smtlib::print;
use bivalve_harness::{Reply, Verdict};
use bivalve_judge::{Case, Inside, Judge, Kind, USUAL_PERCENT};
use bivalve_terms::Term;
use std::time::Duration;

/// The solver that is asked about cores is stopped after this long.
const LONG: Duration = Duration::from_secs(10);

/// Judges the output of a session's script, whose checks end as `answers` say. Returns the texts compared.
///
/// # Errors
/// A sentence on what is wrong with the output.
pub fn judge_output(session: &Session, answers: &[Option<bool>], output: &str) -> Result<u64, String> {
    let script = session.script(answers);
    let mut reply = Reply::read(&script, output);
    let refused = over_popped(&session.steps);
    if reply.errors.len() != refused {
        return Err(format!("{refused} commands are to be refused, and {:?} were", reply.errors));
    }
    // These are in order; any other would have been one too many.
    reply.errors.clear();
    let mut case = Case::new("session", "", script);
    for (known, answer) in case.known.iter_mut().zip(answers) {
        known.status = answer.map(|sat| if sat { Verdict::Sat } else { Verdict::Unsat });
    }
    if reply.checks.len() != answers.len() {
        return Err(format!("{} checks, and {} answers", answers.len(), reply.checks.len()));
    }
    let compared = compared(session, &reply)?;
    let trusted =
        Inside::new("judge", settings(&[("conflict-limit", "2000"), ("gate-limit", "3000000")]), LONG);
    let judge = Judge { trusted: &trusted, percent: USUAL_PERCENT };
    let judgement = judge.judge(&case, &[&reply]).judgements.remove(0);
    match judgement.kind {
        Kind::Unknown => Ok(compared),
        // The value of an array over a declared sort cannot be given to a solver.
        Kind::Passed if judgement.detail.is_empty() || judgement.detail.contains("not supported") => {
            Ok(compared)
        }
        kind => Err(format!("{}: {}", kind.word(), judgement.detail)),
    }
}

/// Commands that drop more levels than there are.
fn over_popped(steps: &[Step]) -> usize {
    let (mut depth, mut refused) = (0, 0);
    for step in steps {
        match step {
            Step::Push(levels) => depth += levels,
            Step::Pop(levels) if *levels > depth => refused += 1,
            Step::Pop(levels) => depth -= levels,
            Step::Reset => depth = 0,
            Step::Assert(..) | Step::Check(..) => {}
        }
    }
    refused
}

/// Values and names that were given; the values must be about what was asked for.
fn compared(session: &Session, reply: &Reply) -> Result<u64, String> {
    let mut compared = 0;
    let asked = session.steps.iter().filter_map(|step| match step {
        Step::Check(_, questions) => Some(questions),
        _ => None,
    });
    let count =
        |list: &Option<String>| list.as_deref().and_then(sexpr::list).map_or(0, Iterator::count) as u64;
    for (questions, check) in asked.zip(&reply.checks) {
        for values in &check.values {
            let pairs: Vec<&str> = sexpr::list(values).into_iter().flatten().collect();
            let is_about = |(pair, question): (&&str, &Term)| {
                let term = sexpr::list(pair).and_then(|mut parts| parts.next());
                term == Some(&print::term(&session.pool, *question))
            };
            if pairs.len() != questions.len() || !pairs.iter().zip(questions).all(is_about) {
                return Err(format!("these are not the values that were asked for: {values}"));
            }
            compared += pairs.len() as u64;
        }
        compared += count(&check.core) + count(&check.failed);
        let missing = match check.verdict {
            Verdict::Sat => check.values.is_empty() && !questions.is_empty(),
            Verdict::Unsat => check.core.is_none() || check.failed.is_none(),
            Verdict::Unknown => false,
        };
        if missing {
            return Err(format!("{} and nothing behind it", check.verdict));
        }
    }
    Ok(compared)
}
