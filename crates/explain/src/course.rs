//! The course of single checks of a solver, for interfaces that ask for it now and then.
//!
//! Each lemma that is written down is printed, so the listeners are there for one check only, and gone after
//! it; without them a check costs what it costs anyway. What was written down stays until the next check.

use crate::{Event, Explanation, Origin, Report, Timeline};
use bivalve::terms::{Pool, Term};
use bivalve::{Clock, Solver};

/// The phases and lemmas of the last check of a solver, if it was recorded.
pub struct Course {
    timeline: Timeline,
    events: (Vec<Event>, u64),
}

impl Course {
    /// No check was recorded; `clock` says when things happen.
    pub fn new(clock: Clock) -> Course {
        Course { timeline: Timeline::new(clock), events: (vec![], 0) }
    }

    /// Runs a check, and writes down its course if it is to be recorded.
    pub fn of_check<T>(
        &mut self,
        solver: &mut Solver,
        is_recorded: bool,
        check: impl FnOnce(&mut Solver) -> T,
    ) -> T {
        self.events = (vec![], 0);
        if !is_recorded {
            return check(solver);
        }
        self.timeline.begin();
        self.timeline.listen(&solver.progress());
        solver.listen_to_lemmas(Some(self.timeline.listener()));
        let result = check(solver);
        solver.listen_to_lemmas(None);
        solver.progress().listen(|_| ());
        self.events = self.timeline.take();
        result
    }

    /// Whether there is anything to tell of the last check.
    pub fn is_empty(&self) -> bool {
        self.events.0.is_empty()
    }

    /// A report about the last check, whose formulas are numbered: the assertions, the lowest level first,
    /// then the assumptions. Without an explanation the check was not decided.
    pub fn report(&self, pool: &Pool, solver: &Solver, explanation: Option<&Explanation>) -> Report {
        let formulas = solver.assertions().iter().chain(solver.assumptions()).zip(1..);
        let numbered: Vec<(Term, Origin)> = formulas
            .map(|(&term, number): (&Term, u64)| {
                (term, Origin { place: format!("formula {number}"), name: None })
            })
            .collect();
        let answer = match explanation {
            Some(Explanation::Inputs(_)) => "sat",
            Some(Explanation::Contradiction(_)) => "unsat",
            None => "unknown",
        };
        Report::new(pool, ("", answer), &numbered, explanation, self.events.clone())
    }
}
