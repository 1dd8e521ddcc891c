//! Bounded model checking: is there a run of `k` frames that ends in a bad state? For k = 1, 2, ...
//!
//! Biere, Cimatti, Clarke and Zhu (TACAS 1999), with one incremental solver for all properties and frames:
//! constraints of each frame are asserted, the bad state of the last one is assumed, and once it was refuted
//! its negation is asserted. If the refutation needs no bad state, constraints leave no run of that length,
//! so there is no longer one either, and everything that is still open holds.

use crate::unroll::Unrolling;
use crate::verdict::Halt;
use bivalve::terms::{Op, Pool, Term};
use bivalve::{CheckResult, Model, Settings, Solver, Stop, Why};
use bivalve_systems::System;

/// The search for violations of several properties.
pub(crate) struct Bmc {
    unrolling: Unrolling,
    solver: Solver,
    constraints: Vec<Term>,
    bads: Vec<Term>,
    /// The bad states of frames before this one are not looked for.
    first_frame: usize,
    /// The frame whose bad states are looked for now.
    frame: usize,
    /// The properties that were looked at in this frame.
    looked_at: usize,
    /// Whether the constraints of this frame are asserted.
    is_open: bool,
}

/// What a search came upon.
pub(crate) enum Event {
    /// The property of this number is violated in the current frame.
    Violated(usize),
    /// No run reaches the current frame.
    NoRun,
    /// A frame was searched to its end.
    Frame,
    /// The search was stopped or spent its budget; it can go on.
    Paused(Why),
}

impl Bmc {
    /// A search for runs of more than `first_frame` frames to `bads`, terms of a system in normal form.
    pub(crate) fn new(
        system: System,
        bads: Vec<Term>,
        first_frame: usize,
        solver: Solver,
        stop: &Stop,
    ) -> Bmc {
        let constraints = system.constraints.iter().map(|constraint| constraint.term).collect();
        let unrolling = Unrolling::new(system, true, stop);
        Bmc { unrolling, solver, constraints, bads, first_frame, frame: 0, looked_at: 0, is_open: false }
    }

    /// The number of frames that were searched to their end.
    pub(crate) fn frames(&self) -> usize {
        self.frame
    }

    /// The solver, to change its settings.
    pub(crate) fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Goes on until something is known. Properties that are not `open` are passed over.
    ///
    /// # Errors
    ///
    /// When the solver refuses a condition or fails, or the search was stopped.
    pub(crate) fn step(&mut self, pool: &mut Pool, open: impl Fn(usize) -> bool) -> Result<Event, Halt> {
        if !self.is_open {
            for &constraint in &self.constraints {
                let condition = self.unrolling.at(pool, self.frame, constraint)?;
                self.solver.assert(pool, condition)?;
            }
            self.is_open = true;
        }
        while self.looked_at < self.bads.len() {
            let property = self.looked_at;
            if self.frame >= self.first_frame && open(property) {
                let bad = self.unrolling.at(pool, self.frame, self.bads[property])?;
                match self.solver.check_assuming(pool, &[bad])? {
                    CheckResult::Sat => return Ok(Event::Violated(property)),
                    CheckResult::Unknown(why) => return Ok(Event::Paused(why)),
                    CheckResult::Unsat if self.solver.unsat_assumptions().is_some_and(<[_]>::is_empty) => {
                        return Ok(Event::NoRun);
                    }
                    CheckResult::Unsat => {
                        let good = pool.mk(Op::Not, &[bad]);
                        self.solver.assert(pool, good)?;
                    }
                }
            }
            self.looked_at += 1;
        }
        (self.frame, self.looked_at, self.is_open) = (self.frame + 1, 0, false);
        Ok(Event::Frame)
    }

    /// After [`Event::Violated`]: the model, and terms of frames to read in it.
    pub(crate) fn model(&mut self) -> (&Model, &mut Unrolling) {
        (self.solver.model().expect("the last answer was sat"), &mut self.unrolling)
    }
}

/// The option that limits a check.
const CONFLICTS: &str = "conflict-limit";

/// The propagations of a conflict, about.
const STEPS_OF_A_CONFLICT: u64 = 1_000;

/// Gives the next check of a solver about so many steps, and no more than the settings allow. Returns whether
/// a check that has spent them may go on with more.
pub(crate) fn grant(solver: &mut Solver, settings: &Settings, steps: u64) -> bool {
    let mut settings = settings.clone();
    let allowed: u64 =
        settings.get(CONFLICTS).ok().and_then(|allowed| allowed.parse().ok()).expect("a number");
    let conflicts = (steps / STEPS_OF_A_CONFLICT).max(10);
    let is_part = allowed == 0 || conflicts < allowed;
    if is_part {
        settings.set(CONFLICTS, &conflicts.to_string()).expect("the option exists");
    }
    solver.set_settings(settings);
    is_part
}
