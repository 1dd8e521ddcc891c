//! Shorter violations than one that is known.
//!
//! IC3 looks for predecessors of bad states on levels above the one on which they were found, too, which
//! makes deep violations cheap and may miss shorter ones. With a violation in frame `n`, and its level as a
//! frame before which there is none, one question is left: is there a violation in any of the frames between?
//! A run that answers it is the next one that is known, so what was found last stays when the budget ends.
//! If there is none, the last one is a shortest one.
//!
//! Why it is right: runs are replayed by the simulator. Cost: one solver for the frames up to `n`; asked from
//! the top, most questions are satisfiable, and only the last one has to be refuted.

use crate::unroll::Unrolling;
use crate::verdict::Halt;
use bivalve::terms::{Op, Pool, Term, Value};
use bivalve::{CheckResult, Model, Solver, Stop};
use bivalve_systems::System;

/// What a search came upon.
pub(crate) enum Event {
    /// There is a violation in this frame.
    Shorter(usize),
    /// There is none.
    Shortest,
    /// The search spent its steps; it can go on.
    Paused,
}

/// The search for shorter violations of one property.
pub(crate) struct Shorter {
    unrolling: Unrolling,
    solver: Solver,
    constraints: Vec<Term>,
    bad: Term,
    /// No frame before this one has a violation.
    first: usize,
    /// By frame, from the first one on: the property is violated there, and constraints hold up to it.
    violations: Vec<Term>,
    /// A violation before this frame was asserted.
    asserted: usize,
}

impl Shorter {
    /// A search for runs to `bad`, a term of a system in normal form, of more than `first` frames.
    pub(crate) fn new(system: System, bad: Term, first: usize, solver: Solver, stop: &Stop) -> Shorter {
        let constraints = system.constraints.iter().map(|constraint| constraint.term).collect();
        let unrolling = Unrolling::new(system, true, stop);
        Shorter { unrolling, solver, constraints, bad, first, violations: vec![], asserted: usize::MAX }
    }

    /// Looks for a violation before a frame, which is at most that of the last question.
    ///
    /// # Errors
    ///
    /// When the solver refuses a condition or fails, or the search was stopped.
    pub(crate) fn step(&mut self, pool: &mut Pool, before: usize) -> Result<Event, Halt> {
        if self.first >= before {
            return Ok(Event::Shortest);
        }
        if self.violations.is_empty() {
            self.unroll(pool, before)?;
        }
        let violations = &self.violations[..before - self.first];
        // After a pause it is there already.
        if before < self.asserted {
            let any = match violations {
                &[one] => one,
                _ => pool.mk(Op::Or, violations),
            };
            self.solver.assert(pool, any)?;
            self.asserted = before;
        }
        match self.solver.check(pool)? {
            CheckResult::Sat => {}
            CheckResult::Unsat => return Ok(Event::Shortest),
            CheckResult::Unknown(_) => return Ok(Event::Paused),
        }
        let model = self.solver.model().expect("the last answer was sat");
        let is_true = |&term: &Term| model.value(pool, term) == Value::Bool(true);
        let least = violations.iter().position(is_true).expect("one of them is true");
        Ok(Event::Shorter(self.first + least))
    }

    /// After a violation was found: the model, and terms of frames to read in it.
    pub(crate) fn model(&mut self) -> (&Model, &mut Unrolling) {
        (self.solver.model().expect("the last answer was sat"), &mut self.unrolling)
    }

    fn unroll(&mut self, pool: &mut Pool, frames: usize) -> Result<(), Halt> {
        let mut holding = vec![];
        for frame in 0..frames {
            for &constraint in &self.constraints {
                let condition = self.unrolling.at(pool, frame, constraint)?;
                match frame <= self.first {
                    true => self.solver.assert(pool, condition)?,
                    false => holding.push(condition),
                }
            }
            if frame >= self.first {
                let bad = self.unrolling.at(pool, frame, self.bad)?;
                let all = match holding.is_empty() {
                    true => bad,
                    false => pool.mk(Op::And, &[&holding[..], &[bad]].concat()),
                };
                if !holding.is_empty() {
                    holding = match holding[..] {
                        [one] => vec![one],
                        _ => vec![pool.mk(Op::And, &holding)],
                    };
                }
                self.violations.push(all);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve::terms::Sort;
    use bivalve::{Settings, Why};
    use bivalve_systems::{Input, Property, State};

    /// A count that an input raises by 1 or 2, from 10 on only by 1; bad is 20, beyond which no run goes.
    /// There are violations in the frames from 15 to 20.
    fn counting(first: usize) -> (Pool, Shorter, Term) {
        let mut pool = Pool::new();
        let count = pool.symbol("count", Sort::bitvec(8).expect("a width"));
        let twice = pool.symbol("twice", Sort::BOOL);
        let [zero, one, two, ten, twenty] = [0, 1, 2, 10, 20].map(|value| pool.bv_u64(value, 8));
        let step = pool.mk(Op::Ite, &[twice, two, one]);
        let next = pool.mk(Op::BvAdd, &[count, step]);
        let bad = pool.mk(Op::Eq, &[count, twenty]);
        let (low, once) = (pool.mk(Op::BvUlt, &[count, ten]), pool.mk(Op::Not, &[twice]));
        let constraints = [pool.mk(Op::Or, &[low, once]), pool.mk(Op::BvUle, &[count, twenty])];
        let property = |term| Property { term, name: None };
        let system = System {
            states: vec![State { term: count, init: Some(zero), next: Some(next), name: None }],
            inputs: vec![Input { term: twice, name: None }],
            bads: vec![property(bad)],
            constraints: constraints.map(property).to_vec(),
            ..System::default()
        };
        let solver = Solver::new(Settings::default());
        (pool, Shorter::new(system, bad, first, solver, &Stop::new()), bad)
    }

    fn shortest(first: usize, mut before: usize) -> Vec<usize> {
        let (mut pool, mut search, bad) = counting(first);
        let mut frames = vec![];
        while let Event::Shorter(frame) = search.step(&mut pool, before).expect("nothing stops it") {
            let (model, unrolling) = search.model();
            let value = unrolling.at(&mut pool, frame, bad).map(|term| model.value(&pool, term));
            assert_eq!(value, Ok(Value::Bool(true)));
            frames.push(frame);
            before = frame;
        }
        frames
    }

    /// Each step after a pause once asserted the question again.
    #[test]
    fn a_question_is_asserted_once() {
        let (mut pool, mut search, _) = counting(3);
        search.solver.stop_handle().stop(Why::Interrupted);
        let mut counts = vec![];
        for _ in 0..3 {
            assert!(matches!(search.step(&mut pool, 30), Ok(Event::Paused)));
            counts.push(search.solver.assertions().len());
        }
        assert!(counts.iter().all(|count| count == &counts[0]), "{counts:?}");
        search.solver.stop_handle().reset();
        assert!(matches!(search.step(&mut pool, 30), Ok(Event::Shorter(_))));
    }

    #[test]
    fn violations_become_shorter_until_they_are_the_shortest() {
        let frames = shortest(3, 30);
        assert!(frames.is_sorted_by(|one, other| one > other), "{frames:?}");
        assert_eq!(frames.last(), Some(&15));
        assert_eq!(shortest(17, 20).last(), Some(&17));
        assert_eq!(shortest(3, 15), []);
        assert_eq!(shortest(20, 20), []);
    }
}
