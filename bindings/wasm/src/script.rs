//! A script that is carried out, one command at a time, with what a reader of the answer may want to know.
//!
//! After `sat` the model is asked for, and after `unsat` the core if the script has cores produced, as
//! commands of their own would; they change nothing. A limit of time that the script sets
//! (`(set-option :timeout 1000)`) is kept by asking the clock whenever the solver asks whether to go on.

use crate::reading::Fault;
use bivalve::terms::float::Float;
use bivalve::{CheckResult, Clock, Progress, Stop, Why};
use bivalve_explain::{Budget, Event, Report};
use bivalve_formats::sexpr;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_session::{Config, Evidence, Monitor, Reply, Session};
use serde::Serialize;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Where a command is, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Place {
    /// What was read between two positions, without the blanks and comments before it.
    pub(crate) fn between(text: &str, from: usize, to: u64) -> Place {
        let end = (to as usize).clamp(from, text.len());
        let first = sexpr::tokens(&text.as_bytes()[from..end]).next();
        Place { start: first.map_or(end, |token| from + token.start), end }
    }
}

/// What came of a command.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The first byte of the command.
    pub start: usize,
    /// The byte behind the command.
    pub end: usize,
    /// `done`, `success`, `sat`, `unsat`, `unknown`, `evidence`, `info`, `unsupported` or `error`.
    pub kind: &'static str,
    /// The reply as the binary prints it; none for a command that was carried out in silence.
    pub text: Option<String>,
    /// What is wrong with the command.
    pub fault: Option<Fault>,
    /// After `unknown`: why.
    pub why: Option<String>,
    /// After `sat`: the model, as `get-model` gives it; behind the bits of a floating-point number a comment
    /// says what it is in decimal and in hexadecimal.
    pub model: Option<String>,
    /// After `unsat`, if cores are produced: as `get-unsat-core` gives it.
    pub core: Option<String>,
    /// The time that it took.
    pub milliseconds: f64,
    /// The phases of the check and the lemmas that it learned.
    pub timeline: Vec<Event>,
    /// Events that were too many to be kept.
    pub left_out: u64,
}

/// The model with comments on floating-point numbers.
fn explained(model: String) -> String {
    let number = |line: &str| -> Option<Float> {
        let value = &line[line.rfind("(fp #b")?..];
        value.strip_suffix(')')?.parse().ok()
    };
    let lines = model.lines().map(|line| match number(line) {
        Some(number) => format!("{line} ; {}, {}", number.to_decimal(), number.to_hexadecimal()),
        None => line.to_owned(),
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// A script and the session that carries it out.
pub struct Script {
    text: String,
    parser: Parser<Cursor<String>>,
    session: Session,
    guard: Guard,
    /// Where the last command ended, in bytes.
    at: usize,
    clock: Clock,
    /// The course of the last command.
    course: (Vec<Event>, u64),
}

impl Script {
    /// Begins to carry out a script; `clock` measures times and keeps limits of time.
    pub fn new(text: String, clock: Clock) -> Script {
        let parser = Parser::new(Cursor::new(text.clone()), "", ParserOptions::default());
        let session = Session::new(Config { clock, profile: true, explain: true, ..Config::default() });
        let guard = Guard { clock, deadline: Arc::new(NEVER.into()) };
        Script { text, parser, session, guard, at: 0, clock, course: Default::default() }
    }

    /// Carries out the next command; `None` at the end of the script and after `(exit)`.
    pub fn step(&mut self) -> Option<Answer> {
        let before = (self.clock)();
        let reply = self.session.step(&mut self.parser, &mut self.guard)?;
        let milliseconds = (self.clock)().saturating_sub(before).as_secs_f64() * 1e3;
        self.course = self.session.take_timeline();
        let (timeline, left_out) = self.course.clone();
        let place = Place::between(&self.text, self.at, self.parser.position());
        self.at = place.end;
        let (model, core) = match reply {
            Reply::Checked(CheckResult::Sat) => (self.evidence(Command::GetModel).map(explained), None),
            Reply::Checked(CheckResult::Unsat) => (None, self.evidence(Command::GetUnsatCore)),
            _ => (None, None),
        };
        Some(Answer {
            start: place.start,
            end: place.end,
            kind: kind(&reply),
            text: reply.text().map(String::from),
            fault: Fault::of(&reply, place, self.text.len()),
            why: self.why(&reply),
            model,
            core,
            milliseconds,
            timeline,
            left_out,
        })
    }

    /// Explains the answer of the last command, if that was a check and nothing was carried out since.
    ///
    /// # Errors
    ///
    /// The words of a self-check that failed.
    pub fn explain(&mut self) -> Result<Option<Report>, String> {
        let course = std::mem::take(&mut self.course);
        let report = self.session.explain(&Budget::default(), course, &mut self.guard);
        report.map_err(|reply| reply.error().map_or_else(String::new, String::from))
    }

    /// The statistics of the binary, as JSON.
    pub fn statistics(&self) -> String {
        self.session.report("", &self.guard).json()
    }

    /// What the last check left behind, if it did.
    fn evidence(&mut self, query: Command) -> Option<String> {
        match self.session.carry_out(query, &mut self.parser, &mut self.guard) {
            Reply::Evidence(Evidence::Model | Evidence::Core, text) => Some(text),
            _ => None,
        }
    }

    fn why(&self, reply: &Reply) -> Option<String> {
        let Reply::Checked(CheckResult::Unknown(why)) = reply else { return None };
        Some(match *why {
            Why::Backend(words) | Why::Incomplete(words) => words.to_owned(),
            why => why.to_string(),
        })
    }
}

fn kind(reply: &Reply) -> &'static str {
    match reply {
        Reply::Done => "done",
        Reply::Success => "success",
        Reply::Checked(CheckResult::Sat) => "sat",
        Reply::Checked(CheckResult::Unsat) => "unsat",
        Reply::Checked(CheckResult::Unknown(_)) => "unknown",
        Reply::Evidence(..) => "evidence",
        Reply::Info(_) => "info",
        Reply::Unsupported => "unsupported",
        Reply::NotAvailable(..) | Reply::Refused(_) | Reply::Error(_) | Reply::Fault(_) => "error",
    }
}

/// Keeps the limit of time of each check.
struct Guard {
    clock: Clock,
    /// When the running check is to end, in microseconds of the clock.
    deadline: Arc<AtomicU64>,
}

const NEVER: u64 = u64::MAX;

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(NEVER)
}

impl Monitor for Guard {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        stop.reset();
        let now = (self.clock)();
        let end = time_limit.map_or(NEVER, |limit| microseconds(now.saturating_add(limit)));
        self.deadline.store(end, Ordering::Relaxed);
        let (clock, deadline) = (self.clock, self.deadline.clone());
        stop.ask_why(move || {
            let end = deadline.load(Ordering::Relaxed);
            (end != NEVER && microseconds(clock()) >= end).then_some(Why::TimeLimit)
        });
    }

    fn ended(&mut self) {
        self.deadline.store(NEVER, Ordering::Relaxed);
    }

    /// Memory of WebAssembly does not shrink.
    #[cfg(target_arch = "wasm32")]
    fn peak_memory(&self) -> Option<u64> {
        const PAGE: u64 = 1 << 16;
        Some(core::arch::wasm32::memory_size(0) as u64 * PAGE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static READINGS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    /// A clock that goes on by a millisecond whenever it is read.
    fn ticking() -> Duration {
        READINGS.set(READINGS.get() + 1);
        Duration::from_millis(READINGS.get())
    }

    fn run(text: &str) -> (Vec<Answer>, serde_json::Value) {
        let mut script = Script::new(text.to_owned(), ticking);
        let answers = std::iter::from_fn(|| script.step()).collect();
        (answers, serde_json::from_str(&script.statistics()).unwrap())
    }

    #[test]
    fn each_command_has_an_answer_with_its_place() {
        let text = "; ä comment\n(declare-const x (_ BitVec 8))\n (assert (bvult x #x03)) (check-sat)(echo \"é\") \
            (get-info :name)(chek-sat)(push)(pop 7) (get-unsat-core)(exit)(check-sat)";
        let (answers, statistics) = run(text);
        let shown: Vec<(&str, &str)> = answers.iter().map(|a| (&text[a.start..a.end], a.kind)).collect();
        assert_eq!(
            shown,
            [
                ("(declare-const x (_ BitVec 8))", "done"),
                ("(assert (bvult x #x03))", "done"),
                ("(check-sat)", "sat"),
                ("(echo \"é\")", "info"),
                ("(get-info :name)", "info"),
                ("(chek-sat)", "error"),
                ("(push)", "done"),
                ("(pop 7)", "error"),
                ("(get-unsat-core)", "error"),
                ("(exit)", "done"),
            ]
        );
        assert!(answers[2].model.as_ref().unwrap().contains("(define-fun x () (_ BitVec 8)"));
        assert!(answers[2].milliseconds > 0.0 && answers.iter().all(|answer| answer.core.is_none()));
        let fault = answers[5].fault.as_ref().unwrap();
        assert_eq!(&text[fault.start..fault.end], "chek-sat");
        assert_eq!(statistics["checks"], 1);
        assert_eq!(statistics["bytes"], text.find("(exit)").unwrap() + 6);
        assert!(statistics["total_seconds"].as_f64().unwrap() > 0.0);
    }

    #[test]
    fn floats_are_shown_as_bits_decimal_and_hexadecimal() {
        let text =
            "(declare-const x Float16)(declare-const w (_ BitVec 4))(assert (= x ((_ to_fp 5 11) RNE 0.1)))
            (assert (= w #x5))(check-sat)";
        let (answers, _) = run(text);
        let model = answers.last().unwrap().model.as_ref().unwrap();
        assert!(model.contains("(fp #b0 #b01011 #b1001100110)) ; 0.1, 0x1.998p-4\n"), "{model}");
        assert!(model.ends_with("#b0101)\n)"), "{model}");
    }

    #[test]
    fn cores_are_there_if_they_are_produced() {
        let text = "(declare-const p Bool)(assert (! p :named yes))(assert (! (not p) :named no))(check-sat)";
        assert_eq!(run(text).0.last().unwrap().core, None);
        let (answers, _) = run(&format!("(set-option :produce-unsat-cores true){text}"));
        assert_eq!(answers.last().unwrap().core.as_deref(), Some("(yes no)"));
    }

    /// The factors of this number are not found in the time that anyone waits.
    #[test]
    fn a_limit_of_time_ends_the_check_that_it_was_set_for() {
        let number = "115792089237316195423570985008687907853269984665640564039457584007913129639747";
        let (answers, _) = run(&format!(
            "(declare-const x (_ BitVec 256))(declare-const y (_ BitVec 256))(set-option :timeout 20)(push 1)
            (assert (and (= (bvmul x y) (_ bv{number} 256)) (bvult (_ bv1 256) x) (bvult x y)))
            (assert (not (bvumulo x y)))(check-sat)(get-info :reason-unknown)(pop 1)
            (set-option :timeout 0)(assert (= x y))(check-sat)"
        ));
        let checks: Vec<_> =
            answers.iter().filter(|a| a.kind.contains('n') && !a.timeline.is_empty()).collect();
        assert_eq!(
            (checks[0].kind, checks[0].why.as_deref()),
            ("unknown", Some("the time limit has passed"))
        );
        assert!(answers.iter().any(|answer| answer.text.as_deref() == Some("(:reason-unknown timeout)")));
        assert_eq!(answers.last().unwrap().kind, "sat");
    }

    #[test]
    fn answers_are_explained_with_the_course_of_their_check() {
        let text = "(declare-const x (_ BitVec 8))(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
            (assert (= (f x) #x01))(assert (= (f #x00) #x02))(check-sat)(assert (= x #x00))(check-sat)";
        let mut script = Script::new(text.to_owned(), ticking);
        let mut explained = vec![];
        while let Some(answer) = script.step() {
            let report = script.explain().unwrap();
            assert_eq!(report.is_some(), ["sat", "unsat"].contains(&answer.kind), "{answer:?}");
            explained.extend(report.map(|report| {
                assert_eq!(report.timeline, answer.timeline);
                serde_json::from_str::<serde_json::Value>(&report.json()).unwrap()
            }));
        }
        let [sat, unsat] = &explained[..] else { panic!("{explained:?}") };
        assert_eq!((&sat["answer"], &sat["inputs"]["is_minimal"]), (&"sat".into(), &true.into()));
        let parts = sat["inputs"]["parts"].as_array().unwrap();
        assert!(parts.iter().any(|part| part["of"] == "f(#x00)" && part["pattern"] == "#x02"), "{parts:?}");
        assert_eq!(unsat["contradiction"]["conjuncts"][2]["place"], ":2:73");
        assert!(unsat["inputs"].is_null());
    }

    #[test]
    fn an_assertion_that_is_lost_is_said() {
        let (answers, _) = run("(assert x)(check-sat)");
        assert_eq!((answers[0].kind, answers[1].kind), ("error", "unknown"));
        assert_eq!(answers[1].why.as_deref(), Some("an assertion was refused"));
    }
}
