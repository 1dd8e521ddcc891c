//! Leaps: is a frame far ahead bad?
//!
//! To refute that a queue of sixteen places overflows in frame 16 is as hard as putting seventeen things into
//! sixteen places. To overflow it by frame 32 is easy: there are many ways. So the frames before a deep
//! violation cost bounded model checking far more than the violation itself, and this engine leaves them out.
//! It asks for a bad state in one frame at a time, each about twice as far as the one before, by a fresh
//! solver that has only this question, and gives up after some conflicts. Then it begins again, one frame
//! later, with twice the conflicts and twice as far. (Any of several frames, as one question, is as hard as
//! the hardest of them.)
//!
//! Why it is right: runs are replayed by the simulator; what is refuted here is not used.
//!
//! Cost: the frames up to the furthest one are unrolled once, and encoded for each question.

use crate::engine::{Engine, Event, Finding, bytes_of};
use crate::pace::Grant;
use crate::problem::Part;
use crate::trace;
use crate::unroll::Unrolling;
use crate::verdict::Halt;
use bivalve::terms::{Pool, Term};
use bivalve::{CheckLimits, CheckResult, Solver, Why};

/// The first frame that is asked for; the furthest one of the first pass is so many doublings away.
const FIRST_FRAME: usize = 8;
const FIRST_DOUBLINGS: u32 = 2;

/// The most doublings: a thousand frames.
const MOST_DOUBLINGS: u32 = 7;

/// The conflicts of each question in the first pass. Where there are many ways, fewer are enough.
const FIRST_CONFLICTS: u64 = 500;

/// The search for a run to the bad state of a part, one far frame after the other.
pub(crate) struct Leaps {
    part: Part,
    grant: Grant,
    unrolling: Unrolling,
    /// The most frames that are looked at.
    most_frames: usize,
    pass: u32,
    doublings: u32,
    question: Option<Question>,
}

/// A bad state in one frame.
struct Question {
    solver: Solver,
    frame: usize,
    /// The frames whose constraints are asserted.
    constrained: usize,
    is_asserted: bool,
}

impl Leaps {
    /// A search for runs of at most so many frames.
    pub(crate) fn new(part: &Part, most_frames: Option<usize>, grant: &Grant) -> Leaps {
        let unrolling = Unrolling::new(part.system.clone(), true, &grant.paced());
        let (part, grant, most_frames) = (part.clone(), grant.clone(), most_frames.unwrap_or(usize::MAX));
        Leaps { part, grant, unrolling, most_frames, pass: 0, doublings: 0, question: None }
    }

    /// The frame that is to be asked for.
    fn frame(&self) -> usize {
        (FIRST_FRAME << self.doublings) + self.pass as usize
    }

    /// Turns to the next question.
    fn turn(&mut self) {
        self.question = None;
        self.doublings += 1;
        let most = MOST_DOUBLINGS.min(FIRST_DOUBLINGS + self.pass);
        if self.doublings > most || self.frame() >= self.most_frames {
            (self.pass, self.doublings) = (self.pass + 1, 0);
        }
    }

    /// Answers the question within the conflicts of its pass.
    fn answer(&mut self, pool: &mut Pool, question: &mut Question) -> Result<CheckResult, Halt> {
        let Question { solver, frame, constrained, is_asserted } = question;
        let system = &self.part.system;
        while *constrained <= *frame {
            for constraint in &system.constraints {
                let condition = self.unrolling.at(pool, *constrained, constraint.term)?;
                solver.assert(pool, condition)?;
            }
            *constrained += 1;
        }
        if !*is_asserted {
            let bad = self.unrolling.at(pool, *frame, system.bads[0].term)?;
            solver.assert(pool, bad)?;
            *is_asserted = true;
        }
        let spent = solver.effort().sat.conflicts.unwrap_or(0);
        let conflicts = FIRST_CONFLICTS.saturating_mul(1 << self.pass.min(32)).saturating_sub(spent);
        Ok(solver.check_within(pool, CheckLimits::new().conflicts(conflicts), &[])?)
    }

    /// The run of the last model.
    fn run(&mut self, pool: &mut Pool, question: &Question) -> Result<Finding, Halt> {
        let model = question.solver.model().expect("the last answer was sat");
        let unrolling = &mut self.unrolling;
        let value = |frame: usize, symbol: Term| -> Result<_, Why> {
            let term = unrolling.at(pool, frame, symbol)?;
            Ok(model.value(pool, term))
        };
        Ok(Finding::Run(trace::frames(&self.part.system, question.frame + 1, value)?))
    }
}

impl Engine for Leaps {
    /// No frame is searched for all others.
    fn depth(&self) -> usize {
        0
    }

    fn bytes(&self) -> u64 {
        let question = self.question.as_ref();
        self.unrolling.bytes() + question.map_or(0, |question| bytes_of(&question.solver))
    }

    fn step(&mut self, pool: &mut Pool, _: &mut [bool]) -> Result<Event, Halt> {
        let frame = self.frame();
        if frame >= self.most_frames {
            return Ok(Event::Over(Why::Budget));
        }
        let mut question = self.question.take().unwrap_or_else(|| {
            let solver = self.grant.solver();
            Question { solver, frame, constrained: 0, is_asserted: false }
        });
        let result = self.answer(pool, &mut question);
        if let Ok(CheckResult::Sat) = result {
            let run = self.run(pool, &question)?;
            return Ok(Event::Found(self.part.numbers[0], run));
        }
        if self.grant.pace.is_over() {
            self.question = Some(question);
            return Ok(Event::Paused(Why::Budget));
        }
        result?;
        self.turn();
        Ok(Event::Further)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace::{Pace, UNDECIDED};
    use bivalve::terms::{Op, Sort};
    use bivalve::{Settings, Stop};
    use bivalve_systems::{Input, Property, State, System};
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    /// What a search comes to, for a count of three bits that an input may raise.
    fn search(
        bad: impl Fn(&mut Pool, Term) -> Term,
        most_frames: Option<usize>,
        steps: u32,
    ) -> Option<usize> {
        let mut pool = Pool::new();
        let count = pool.symbol("count", Sort::bitvec(3).expect("a width"));
        let raise = pool.symbol("raise", Sort::BOOL);
        let [zero, one] = [0, 1].map(|value| pool.bv_u64(value, 3));
        let step = pool.mk(Op::Ite, &[raise, one, zero]);
        let next = pool.mk(Op::BvAdd, &[count, step]);
        let property = |term| Property { term, name: None };
        let system = System {
            states: vec![State { term: count, init: Some(zero), next: Some(next), name: None }],
            inputs: vec![Input { term: raise, name: None }],
            bads: vec![property(bad(&mut pool, count))],
            constraints: vec![property(pool.mk(Op::BvUle, &[zero, count]))],
            ..System::default()
        };
        let pace = Pace::new(0, Arc::new(AtomicUsize::new(UNDECIDED)), false);
        pace.grant(u64::MAX);
        let grant = Grant { outer: Stop::new(), pace, settings: Settings::default() };
        let mut leaps = Leaps::new(&Part { system, numbers: vec![0] }, most_frames, &grant);
        for _ in 0..steps {
            match leaps.step(&mut pool, &mut [true]).ok()? {
                Event::Found(0, Finding::Run(run)) => return Some(run.len() - 1),
                Event::Further => {}
                _ => return None,
            }
        }
        None
    }

    #[test]
    fn a_bad_state_that_many_runs_reach_is_found_in_the_first_frame_asked_for() {
        let full = |pool: &mut Pool, count| {
            let seven = pool.bv_u64(7, 3);
            pool.mk(Op::Eq, &[count, seven])
        };
        assert_eq!(search(full, None, 1), Some(8));
        assert_eq!(search(full, Some(9), 1), Some(8));
        assert_eq!(search(full, Some(8), 1), None, "frames 0 to 7 are eight");
    }

    #[test]
    fn where_there_is_none_passes_follow_until_the_frames_end() {
        let never = |pool: &mut Pool, count| pool.mk(Op::BvUlt, &[count, count]);
        assert_eq!(search(never, Some(40), 200), None);
        // 8, 16, 32 in the first pass.
        let mut frames = vec![];
        let mut pool = Pool::new();
        let pace = Pace::new(0, Arc::new(AtomicUsize::new(UNDECIDED)), false);
        pace.grant(u64::MAX);
        let grant = Grant { outer: Stop::new(), pace, settings: Settings::default() };
        let system =
            System { bads: vec![Property { term: pool.bool(false), name: None }], ..System::default() };
        let mut leaps = Leaps::new(&Part { system, numbers: vec![0] }, None, &grant);
        for _ in 0..7 {
            frames.push(leaps.frame());
            assert!(matches!(leaps.step(&mut pool, &mut [true]), Ok(Event::Further)));
        }
        assert_eq!(frames, [8, 16, 32, 9, 17, 33, 65]);
    }
}
