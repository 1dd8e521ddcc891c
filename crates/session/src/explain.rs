//! Explanations of checks: what is written down for them, and how they are made.
//!
//! With [`Config::explain`](crate::Config) a session remembers where each assertion comes from, and has the
//! phases and lemmas of its checks written down. [`Session::explain`] is asked after a check and before the
//! next command; it changes nothing that later commands depend on. Its questions have a budget that is
//! counted in steps, and the monitor may end it as it may end a check. Cost: a place for each assertion, and
//! what
//! `bivalve-explain` costs.

use crate::frontend::Frontend;
use crate::monitor::Monitor;
use crate::reply::Reply;
use crate::session::Session;
use bivalve::terms::Term;
use bivalve::{CheckResult, Clock, Solver};
use bivalve_explain::{Budget, Event, Origin, Report, Timeline, explain};

/// What is written down for explanations.
pub(crate) struct Records {
    timeline: Timeline,
    /// The places and names of the assertions, the lowest level first; some may be gone.
    origins: Vec<Origin>,
    /// The place of the command at hand.
    here: String,
    /// The place of the last check.
    check: String,
}

impl Records {
    pub(crate) fn new(clock: Clock) -> Records {
        Records { timeline: Timeline::new(clock), origins: vec![], here: String::new(), check: String::new() }
    }

    /// A command begins.
    pub(crate) fn begin(&mut self, input: &dyn Frontend) {
        self.here = input.place();
        self.timeline.begin();
    }

    /// The assertion with this number was made by the command at hand.
    pub(crate) fn asserted(&mut self, number: usize, name: Option<&String>) {
        self.origins.truncate(number);
        self.origins.push(Origin { place: self.here.clone(), name: name.cloned() });
    }

    /// The command at hand was a check.
    pub(crate) fn checked(&mut self) {
        self.check.clone_from(&self.here);
    }

    /// The phases and lemmas of a solver are written down.
    pub(crate) fn listen_to(&self, solver: &mut Solver) {
        solver.listen_to_lemmas(Some(self.timeline.listener()));
        self.timeline.listen(&solver.progress());
    }
}

impl Session {
    /// The course of the command that was carried out last, and the number of events that were not kept. They
    /// are handed over once.
    pub fn take_timeline(&mut self) -> (Vec<Event>, u64) {
        self.records.as_ref().map(|records| records.timeline.take()).unwrap_or_default()
    }

    /// Explains the answer to the last check, with the course that was taken of it; `None` unless there is
    /// one, nothing was asserted, pushed or popped since, and the configuration asks for explanations. After
    /// `unknown` the course is all there is.
    ///
    /// # Errors
    ///
    /// [`Reply::Fault`], when a self-check failed.
    pub fn explain(
        &mut self,
        budget: &Budget,
        course: (Vec<Event>, u64),
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Report>, Reply> {
        let (Some(answer), Some(records)) = (self.last, &self.records) else { return Ok(None) };
        let answer = match answer {
            CheckResult::Sat => "sat",
            CheckResult::Unsat => "unsat",
            CheckResult::Unknown(_) => "unknown",
        };
        let mut found = None;
        if answer != "unknown" {
            let stop = self.solver.stop_handle();
            monitor.begins(&stop, None, self.options.check_time);
            let explained = explain(&self.pool, &self.solver, budget, &stop);
            monitor.ended();
            found = explained.map_err(|fault| Reply::Fault(fault.to_string()))?;
        }
        let asserted = self.solver.assertions().iter().copied().zip(records.origins.iter().cloned());
        let assumed = Origin { place: records.check.clone(), name: None };
        let assumptions = self.solver.assumptions().iter().map(|&term| (term, assumed.clone()));
        let formulas: Vec<(Term, Origin)> = asserted.chain(assumptions).collect();
        Ok(Some(Report::new(&self.pool, (&records.check, answer), &formulas, found.as_ref(), course)))
    }
}
