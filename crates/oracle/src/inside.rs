//! Bivalve, asked inside of this process.
//!
//! No process is started and no file is written, so a small script costs a fraction of a millisecond; that is
//! what makes campaigns over millions of formulas and delta debugging at thousands of candidates a second
//! possible. The script is carried out by a [`Session`], as the binary does it, and each reply becomes a part
//! of the [`Reply`] to the script. A panic is a crash, as far as it can be caught; so is a failed self-check.
//!
//! Limits are steps (conflicts and gates of the settings, the same everywhere), and a thread with a clock for
//! what has no steps ([`Watch`]).
#![expect(clippy::disallowed_methods, reason = "a reply has the time that it took")]

use crate::oracle::Oracle;
use crate::reply::{Check, Ending, Reply, Verdict};
use crate::watch::{AtWork, Watch};
use bivalve::{CheckError, CheckResult, Progress, Settings, Solver, Stop, Why};
use bivalve_delta::Cancel;
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_session::{Config, Evidence, Monitor, Options, Session};
use bivalve_terms::{Pool, Term};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bivalve in this process, with settings and a limit of time.
#[derive(Debug)]
pub struct Inside {
    name: String,
    settings: Settings,
    watch: Watch,
}

impl Inside {
    /// Bivalve with these settings, called by `name` in tables; it is stopped after `limit`.
    pub fn new(name: &str, settings: Settings, limit: Duration) -> Inside {
        Inside { name: name.to_owned(), settings, watch: Watch::new(limit) }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// From now on it is stopped after this long.
    pub fn set_limit(&self, limit: Duration) {
        self.watch.set_limit(limit);
    }

    /// Decides the conjunction of terms, without any text: a reply with one check, or with none after a
    /// crash. Terms that the solver makes are left behind in the pool.
    pub fn decide(&self, pool: &mut Pool, assertions: &[Term], cancel: &Cancel) -> Reply {
        let begin = Instant::now();
        let mut reply = Reply::ended(Ending::Exited(0));
        let done = catch_unwind(AssertUnwindSafe(|| {
            let mut solver = Solver::new(self.settings.clone());
            for &assertion in assertions {
                if let Err(refusal) = solver.assert(pool, assertion) {
                    return reply.errors.push(refusal.to_string());
                }
            }
            let answer = self.guarded(&solver.stop_handle(), cancel, || solver.check(pool));
            match answer.map_err(CheckError::from) {
                Ok(answer) => add_check(&mut reply, answer),
                Err(fault) => reply.ending = Ending::Crashed(fault.to_string()),
            }
        }));
        crashed_if(&mut reply, done);
        reply.time = begin.elapsed();
        reply
    }

    /// Runs a check that can be stopped by the clock and by the caller.
    fn guarded<T>(&self, stop: &Stop, cancel: &Cancel, check: impl FnOnce() -> T) -> T {
        stop.listen_to(cancel.flag());
        let _at_work = self.watch.over(stop);
        check()
    }
}

/// Adds a check with this answer.
fn add_check(reply: &mut Reply, answer: CheckResult) {
    let verdict = match answer {
        CheckResult::Sat => Verdict::Sat,
        CheckResult::Unsat => Verdict::Unsat,
        CheckResult::Unknown(why) => {
            match why {
                Why::TimeLimit => reply.ending = Ending::TimedOut,
                Why::MemoryLimit => reply.ending = Ending::OutOfMemory,
                Why::Interrupted => reply.ending = Ending::Cancelled,
                Why::Budget | Why::Backend(_) | Why::Incomplete(_) => {}
            }
            reply.complaints = why.to_string();
            Verdict::Unknown
        }
    };
    reply.checks.push(Check::of(verdict));
}

fn crashed_if(reply: &mut Reply, done: Result<(), Box<dyn Any + Send>>) {
    if let Err(panic) = done {
        reply.ending = Ending::Crashed(format!("panic: {}", panic_message(&*panic)));
    }
}

/// The message of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}

impl Oracle for Inside {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        let begin = Instant::now();
        let mut reply = Reply::ended(Ending::Exited(0));
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let options = Options::new(self.settings.clone());
        let mut session = Session::new(Config { options, ..Config::default() });
        let mut monitor = Guard { inside: self, cancel, at_work: None, own: None };
        while let Some(answer) = session.step(&mut parser, &mut monitor) {
            add_reply(&mut reply, &answer, monitor.own.is_some());
            if !matches!(reply.ending, Ending::Exited(_)) {
                break;
            }
        }
        reply.time = begin.elapsed();
        reply
    }
}

/// Stops the checks of a script.
struct Guard<'a> {
    inside: &'a Inside,
    cancel: &'a Cancel,
    at_work: Option<AtWork<'a>>,
    /// The limit that the script set for its own checks.
    own: Option<Watch>,
}

impl Monitor for Guard<'_> {
    fn check_begins(&mut self, stop: &Stop, _progress: &Arc<Progress>, time_limit: Option<Duration>) {
        stop.reset();
        stop.listen_to(self.cancel.flag());
        self.own = time_limit.map(Watch::new);
        if let Some(own) = &self.own {
            own.begin(stop);
        }
        self.at_work = Some(self.inside.watch.over(stop));
    }

    fn check_ended(&mut self, _solver: &Solver, _pool: &Pool) -> Result<(), String> {
        self.at_work = None;
        if let Some(own) = &self.own {
            own.end();
        }
        Ok(())
    }
}

/// Adds the reply to one command. A time limit is that of the script itself if it has one.
fn add_reply(whole: &mut Reply, reply: &bivalve_session::Reply, has_own_limit: bool) {
    use bivalve_session::Reply::*;
    if let Some(text) = reply.text() {
        whole.output += &text;
        whole.output.push('\n');
    }
    let message = || reply.error().map(|text| text.into_owned());
    match reply {
        Done | Success | Info(_) | Unsupported => {}
        Checked(CheckResult::Unknown(Why::TimeLimit)) if has_own_limit => {
            whole.checks.push(Check::of(Verdict::Unknown));
        }
        Checked(answer) => add_check(whole, *answer),
        Evidence(kind, text) => {
            if let Some(check) = whole.checks.last_mut() {
                keep(check, *kind, text.clone());
            }
        }
        NotAvailable(kind) => {
            whole.ending = Ending::Exited(1);
            let is_deserved = is_deserved(whole.verdict(), *kind);
            whole.errors.extend(message().filter(|_| !is_deserved));
        }
        Refused(_) | Error(_) => {
            whole.ending = Ending::Exited(1);
            whole.errors.extend(message());
        }
        Fault(text) => whole.ending = Ending::Crashed(text.clone()),
    }
}

fn keep(check: &mut Check, kind: Evidence, text: String) {
    match kind {
        Evidence::Model => check.model = Some(text),
        Evidence::Values => check.values.push(text),
        Evidence::Core => check.core = Some(text),
        Evidence::FailedAssumptions => check.failed = Some(text),
    }
}

/// Whether the last verdict is one after which there is no such evidence.
fn is_deserved(verdict: Option<Verdict>, kind: Evidence) -> bool {
    verdict.is_some_and(|verdict| match kind {
        Evidence::Model | Evidence::Values => verdict != Verdict::Sat,
        Evidence::Core | Evidence::FailedAssumptions => verdict != Verdict::Unsat,
    })
}
