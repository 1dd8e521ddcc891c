//! Running a script for its editor, in a thread of its own: the answers, and the models of checks.
//!
//! The run is that of the binary: one session over the whole text. It can be cancelled at any time, and keeps
//! the limits of time that the script sets (`:timeout`).
#![expect(clippy::disallowed_methods, reason = "the limits of time of a script are kept here")]

use bivalve::{CheckResult, Progress, Stop, Why};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_session::{Config, Frontend, Monitor, Reply, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The reply to a command of a script.
pub(crate) struct Answer {
    /// Where the command ends, in bytes.
    pub(crate) end: usize,
    pub(crate) text: String,
    pub(crate) is_error: bool,
    /// After `sat`: the model, as `get-model` gives it.
    pub(crate) model: Option<String>,
}

/// Ends checks when the run is cancelled, or their time is over.
struct Cancelled(Arc<AtomicBool>);

impl Monitor for Cancelled {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        stop.reset();
        stop.listen_to(&self.0);
        let deadline = time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let is_late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        stop.ask_why(move || is_late().then_some(Why::TimeLimit));
    }

    fn ended(&mut self) {}

    fn exhausted(&self) -> Option<Why> {
        self.0.load(Ordering::Relaxed).then_some(Why::Interrupted)
    }
}

/// Runs a script, and returns what it replies to checks, queries and faulty commands.
pub(crate) fn run(text: &str, cancel: &Arc<AtomicBool>) -> Vec<Answer> {
    let mut session = Session::new(Config::default());
    let mut parser = Parser::new(text.as_bytes(), "", ParserOptions::default());
    let mut monitor = Cancelled(cancel.clone());
    let mut answers = vec![];
    while !cancel.load(Ordering::Relaxed)
        && let Some(reply) = session.step(&mut parser, &mut monitor)
    {
        let end = Frontend::position(&parser) as usize;
        let is_error = reply.error().is_some();
        // A client needs no success.
        let Some(text) = reply.text().filter(|_| reply != Reply::Success) else { continue };
        let text = text.into_owned();
        let model = match reply {
            Reply::Checked(CheckResult::Sat) => {
                let model = session.carry_out(Command::GetModel, &mut parser, &mut monitor);
                model.text().map(|text| text.into_owned())
            }
            _ => None,
        };
        answers.push(Answer { end, text, is_error, model });
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors of this number are not found in the time that a test may take.
    const HARD: &str = "(declare-const x (_ BitVec 256))(declare-const y (_ BitVec 256))
        (assert (= (bvmul x y) (_ bv115792089237316195423570985008687907853269984665640564039457584007913129639747 256)))
        (assert (bvult (_ bv1 256) x))(assert (bvult x y))(assert (not (bvumulo x y)))
        (check-sat)(echo \"after it\")";

    /// The limit of a script once was discarded, so that its check ran until the editor cancelled it.
    #[test]
    fn a_limit_of_the_script_ends_its_check() {
        let answers = run(&format!("(set-option :timeout 100){HARD}"), &Arc::default());
        let texts: Vec<&str> = answers.iter().map(|answer| &answer.text[..]).collect();
        assert_eq!(texts, ["unknown", "\"after it\""]);
    }

    #[test]
    fn a_run_ends_when_it_is_cancelled() {
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = cancel.clone();
        // One handle is here, one in the thread, one with its monitor, and one with the check once it runs.
        let thread = std::thread::spawn(move || run(HARD, &flag));
        while Arc::strong_count(&cancel) < 4 && !thread.is_finished() {
            std::thread::yield_now();
        }
        cancel.store(true, Ordering::Relaxed);
        let answers = thread.join().unwrap();
        assert!(answers.iter().all(|answer| answer.text == "unknown"), "{}", answers[0].text);
    }

    #[test]
    fn checks_have_models_and_errors_are_marked() {
        let text = "(declare-const x Bool)(assert x)(check-sat)(frob)(get-value (x))";
        let answers = run(text, &Arc::default());
        let shown: Vec<(&str, bool)> = answers
            .iter()
            .map(|answer| (answer.text.split_whitespace().next().unwrap(), answer.is_error))
            .collect();
        assert_eq!(shown, [("sat", false), ("(error", true), ("((x", false)]);
        assert!(answers[0].model.as_ref().unwrap().contains("(define-fun x () Bool true)"));
        assert_eq!(answers[0].end, text.find("(frob").unwrap());
    }
}
