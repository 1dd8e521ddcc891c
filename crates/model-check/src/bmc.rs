//! Bounded model checking: is there a run of `k` frames that ends in a bad state? For k = 1, 2, ...
//!
//! Biere, Cimatti, Clarke and Zhu (TACAS 1999), with one incremental solver for all properties and frames:
//! constraints of each frame are asserted, the bad state of the last one is assumed, and once it was refuted
//! its negation is asserted. If the refutation needs no bad state, constraints leave no run of that length,
//! so there is no longer one either, and everything that is still open holds.

use crate::engine::{Engine, Event, Finding, bytes_of};
use crate::pace::Grant;
use crate::problem::Part;
use crate::trace;
use crate::unroll::Unrolling;
use crate::verdict::Halt;
use bivalve::terms::{Op, Pool, Term};
use bivalve::{CheckResult, Solver, Why};

/// The search for violations of several properties.
pub(crate) struct Bmc {
    part: Part,
    unrolling: Unrolling,
    solver: Solver,
    bads: Vec<Term>,
    /// The bad states of frames before this one are not looked for.
    first_frame: usize,
    /// The most frames that are searched.
    most_frames: Option<usize>,
    /// The frame whose bad states are looked for now.
    frame: usize,
    /// The properties that were looked at in this frame.
    looked_at: usize,
    /// The constraints of this frame that are asserted.
    constrained: usize,
}

impl Bmc {
    /// A search for runs of more than `first_frame` frames, and of at most so many, to the bad states of a
    /// part.
    pub(crate) fn new(part: &Part, first_frame: usize, most_frames: Option<usize>, grant: &Grant) -> Bmc {
        let bads = part.system.bads.iter().map(|bad| bad.term).collect();
        let unrolling = Unrolling::new(part.system.clone(), true, &grant.paced());
        let (part, solver) = (part.clone(), grant.solver());
        let (frame, looked_at, constrained) = (0, 0, 0);
        Bmc { part, unrolling, solver, bads, first_frame, most_frames, frame, looked_at, constrained }
    }

    /// Whether all frames were searched that are to be.
    fn is_done(&self) -> bool {
        self.most_frames.is_some_and(|most| self.frame >= most)
    }

    /// The violation of the last model, in the current frame.
    fn violation(&mut self, pool: &mut Pool) -> Result<Finding, Halt> {
        let model = self.solver.model().expect("the last answer was sat");
        let unrolling = &mut self.unrolling;
        let value = |frame: usize, symbol: Term| -> Result<_, Why> {
            let term = unrolling.at(pool, frame, symbol)?;
            Ok(model.value(pool, term))
        };
        Ok(Finding::Run(trace::frames(&self.part.system, self.frame + 1, value)?))
    }
}

impl Engine for Bmc {
    /// The number of frames that were searched to their end.
    fn depth(&self) -> usize {
        self.frame
    }

    fn bytes(&self) -> u64 {
        bytes_of(&self.solver) + self.unrolling.bytes()
    }

    fn step(&mut self, pool: &mut Pool, open: &mut [bool]) -> Result<Event, Halt> {
        if self.is_done() {
            return Ok(Event::Over(Why::Budget));
        }
        while let Some(constraint) = self.part.system.constraints.get(self.constrained) {
            let condition = self.unrolling.at(pool, self.frame, constraint.term)?;
            self.solver.assert(pool, condition)?;
            self.constrained += 1;
        }
        while self.looked_at < self.bads.len() {
            let property = self.looked_at;
            if self.frame >= self.first_frame && open[property] {
                let bad = self.unrolling.at(pool, self.frame, self.bads[property])?;
                match self.solver.check_assuming(pool, &[bad])? {
                    CheckResult::Sat => {
                        let found = self.violation(pool)?;
                        open[property] = false;
                        return Ok(Event::Found(self.part.numbers[property], found));
                    }
                    CheckResult::Unknown(why) => return Ok(Event::Paused(why)),
                    CheckResult::Unsat if self.solver.unsat_assumptions().is_some_and(<[_]>::is_empty) => {
                        return Ok(Event::NoRun(self.frame));
                    }
                    CheckResult::Unsat => {
                        let good = pool.mk(Op::Not, &[bad]);
                        self.solver.assert(pool, good)?;
                    }
                }
            }
            self.looked_at += 1;
        }
        (self.frame, self.looked_at, self.constrained) = (self.frame + 1, 0, 0);
        Ok(if self.is_done() { Event::Over(Why::Budget) } else { Event::Further })
    }
}
