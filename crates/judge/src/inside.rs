//! Bivalve, asked inside of this process.
//!
//! No process is started and no file is written, so a small script costs a fraction of a millisecond; that is
//! what makes campaigns over millions of formulas and delta debugging at thousands of candidates a second
//! possible. The script is carried out by a [`Session`], as the binary does it, and each reply becomes a part
//! of the [`Reply`] to the script. A panic is a crash, as far as it can be caught; so is a failed self-check.
//!
//! Limits are steps (conflicts and gates of the settings, the same everywhere), and a thread with a clock for
//! what has no steps (`clock.rs`).
#![expect(clippy::disallowed_methods, reason = "a reply has the time that it took")]

use crate::certified::{Certified, Witness};
use crate::clock;
use bivalve::{CheckError, CheckResult, OPTIONS, Progress, Settings, Solver, Stop, Why, panic_message};
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_harness::watch::{Watched, watch};
use bivalve_harness::{Cancel, Check, Ending, Key, Oracle, Reply, Verdict, this_build};
use bivalve_session::{Config, Evidence, Form, Monitor, Options, Session};
use bivalve_terms::{Pool, Term};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bivalve in this process, with settings and a limit of time.
#[derive(Debug)]
pub struct Inside {
    name: String,
    settings: Settings,
    limit: Mutex<Duration>,
    certifies: bool,
}

impl Inside {
    /// Bivalve with these settings, called by `name` in tables; it is stopped after `limit`.
    pub fn new(name: &str, settings: Settings, limit: Duration) -> Inside {
        Inside { name: name.to_owned(), settings, limit: Mutex::new(limit), certifies: false }
    }

    /// The same that writes a certificate of every unsat answer to a script, if `certifies`. A certificate
    /// that is missing, or that the checker refuses, is a crash.
    #[must_use]
    pub fn certifying(self, certifies: bool) -> Inside {
        Inside { certifies, ..self }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// From now on it is stopped after this long.
    pub fn set_limit(&self, limit: Duration) {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner) = limit;
    }

    fn limit(&self) -> Duration {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner)
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
                Ok(answer) => reply.verdict_of(answer),
                Err(fault) => reply.ending = Ending::Crashed(fault.to_string()),
            }
        }));
        reply.crashed_if(done);
        reply.time = begin.elapsed();
        reply
    }

    /// The answers to a script and the certificate of those that are unsat.
    pub fn certified(&self, script: &str, form: Form, cancel: &Cancel) -> Certified {
        let mut monitor = Guard { inside: self, cancel, at_work: None, has_own_limit: false };
        Certified::of(self.config(), script, form, &mut monitor)
    }

    fn config(&self) -> Config {
        Config { options: Options::new(self.settings.clone()), ..Config::default() }
    }

    /// Runs a check that can be stopped by the clock and by the caller.
    fn guarded<T>(&self, stop: &Stop, cancel: &Cancel, check: impl FnOnce() -> T) -> T {
        stop.listen_to(cancel.flag());
        let _at_work = watch(stop, clock::after(self.limit()));
        check()
    }
}

impl Oracle for Inside {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Key {
        let limit = format!("{:?}", self.limit());
        let option = |row: &bivalve::OptionRow| {
            format!("{}={}", row.name, self.settings.get(row.name).unwrap_or_default())
        };
        let words = [this_build().to_string(), limit];
        let certified = self.certifies.then(|| "certified".to_owned());
        Key::of(OPTIONS.iter().map(option).chain(words).chain(certified))
    }

    fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        let begin = Instant::now();
        let mut reply = Reply::ended(Ending::Exited(0));
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let mut session = Session::new(self.config());
        let mut witness = self.certifies.then(|| Witness::of(&mut session, Form::Binary));
        let mut monitor = Guard { inside: self, cancel, at_work: None, has_own_limit: false };
        while let Some(answer) = session.step(&mut parser, &mut monitor) {
            reply.take(&answer, monitor.has_own_limit);
            witness.iter_mut().for_each(|witness| witness.see(&session, &answer));
            if !matches!(reply.ending, Ending::Exited(_)) {
                break;
            }
        }
        if let Some(witness) = witness.filter(|_| reply.errors.is_empty())
            && matches!(reply.ending, Ending::Exited(_))
            && let Some(fault) = witness.fault(script)
        {
            reply.ending = Ending::Crashed(fault);
        }
        reply.time = begin.elapsed();
        reply
    }
}

/// Stops checks, explanations and searches for proofs of a script.
struct Guard<'a> {
    inside: &'a Inside,
    cancel: &'a Cancel,
    at_work: Option<Watched>,
    /// Whether the script set a limit for its own checks.
    has_own_limit: bool,
}

impl Monitor for Guard<'_> {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        stop.reset();
        stop.listen_to(self.cancel.flag());
        self.has_own_limit = time_limit.is_some();
        let limit = self.inside.limit();
        let limit = time_limit.map_or(limit, |own| own.min(limit));
        self.at_work = Some(watch(stop, clock::after(limit)));
    }

    fn ended(&mut self) {
        self.at_work = None;
    }

    fn exhausted(&self) -> Option<Why> {
        self.cancel.is_raised().then_some(Why::Interrupted)
    }
}

/// What a reply to a script is made of.
trait Fill {
    /// Adds a check with this answer.
    fn verdict_of(&mut self, answer: CheckResult);

    /// Notes a panic.
    fn crashed_if(&mut self, done: Result<(), Box<dyn Any + Send>>);

    /// Adds the reply to one command. A time limit is that of the script itself if it has one.
    fn take(&mut self, reply: &bivalve_session::Reply, has_own_limit: bool);

    /// Adds evidence to the last check.
    fn keep(&mut self, kind: Evidence, text: &str);

    /// Whether the last verdict is one after which there is no such evidence.
    fn is_deserved(&self, kind: Evidence) -> bool;
}

impl Fill for Reply {
    fn verdict_of(&mut self, answer: CheckResult) {
        let verdict = match answer {
            CheckResult::Sat => Verdict::Sat,
            CheckResult::Unsat => Verdict::Unsat,
            CheckResult::Unknown(why) => {
                match why {
                    Why::TimeLimit => self.ending = Ending::TimedOut,
                    Why::MemoryLimit => self.ending = Ending::OutOfMemory,
                    Why::Interrupted => self.ending = Ending::Cancelled,
                    Why::Budget | Why::Backend(_) | Why::Incomplete(_) => {}
                }
                self.stderr = why.to_string();
                Verdict::Unknown
            }
        };
        self.checks.push(Check::of(verdict));
    }

    fn crashed_if(&mut self, done: Result<(), Box<dyn Any + Send>>) {
        if let Err(panic) = done {
            self.ending = Ending::Crashed(format!("panic: {}", panic_message(&*panic)));
        }
    }

    fn take(&mut self, reply: &bivalve_session::Reply, has_own_limit: bool) {
        use bivalve_session::Reply::*;
        if let Some(text) = reply.text() {
            self.output += &text;
            self.output.push('\n');
        }
        match reply {
            Done | Success | Info(_) | Unsupported => {}
            Checked(CheckResult::Unknown(Why::TimeLimit)) if has_own_limit => {
                self.checks.push(Check::of(Verdict::Unknown));
            }
            Checked(answer) => self.verdict_of(*answer),
            Evidence(kind, text) => self.keep(*kind, text),
            NotAvailable(kind, _) => {
                self.ending = Ending::Exited(1);
                if !self.is_deserved(*kind) {
                    self.errors.extend(reply.error().map(|text| text.into_owned()));
                }
            }
            Refused(_) | Error(_) => {
                self.ending = Ending::Exited(1);
                self.errors.extend(reply.error().map(|text| text.into_owned()));
            }
            Fault(text) => self.ending = Ending::Crashed(text.clone()),
        }
    }

    fn keep(&mut self, kind: Evidence, text: &str) {
        let Some(check) = self.checks.last_mut() else { return };
        let text = text.to_owned();
        match kind {
            Evidence::Model => check.model = Some(text),
            Evidence::Values => check.values.push(text),
            Evidence::Core => check.core = Some(text),
            Evidence::FailedAssumptions => check.failed = Some(text),
            Evidence::Proof | Evidence::Objectives => {}
        }
    }

    fn is_deserved(&self, kind: Evidence) -> bool {
        self.verdict().is_some_and(|verdict| match kind {
            Evidence::Model | Evidence::Values => verdict != Verdict::Sat,
            Evidence::Core | Evidence::FailedAssumptions => verdict != Verdict::Unsat,
            // There is none unless it was asked for before.
            Evidence::Proof | Evidence::Objectives => true,
        })
    }
}
