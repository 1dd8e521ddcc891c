//! k-induction: a frame that comes after `k` frames without a violation has none either.
//!
//! Sheeran, Singh and Stålmarck (FMCAD 2000). The step is refuted from arbitrary states; with the first `k`
//! frames searched by bounded model checking, the property holds. The shortest violation repeats no state, so
//! frames may be said to have different states. That is done lazily (Eén and Sörensson, BMC 2003): where two
//! frames of a model have equal states, in all components, arrays compared element by element, the solver
//! is told that some component differs *between these two frames*. (Demanding one component that differs
//! from all frames before, as Boolector's first model checker did, proves properties that do not hold.)
//!
//! States have a next value and initial values are constants (see `normalize`), so a run can be cut between
//! two equal states, which is why it may be said that they differ.
//!
//! Why it ends: there are finitely many states. Cost: one solver; comparing the states of a model costs
//! frames times components.

use crate::unroll::Unrolling;
use crate::verdict::Halt;
use bivalve::terms::{Op, Pool, Term, Value};
use bivalve::{CheckResult, Solver, Stop, Why};
use bivalve_systems::System;

/// The search for a `k` that proves one property.
pub(crate) struct Induction {
    unrolling: Unrolling,
    solver: Solver,
    constraints: Vec<Term>,
    states: Vec<Term>,
    bad: Term,
    /// The number of frames without a violation before the last one.
    k: usize,
    is_open: bool,
    distinct: Vec<(usize, usize)>,
    simple_paths: bool,
}

/// What a search came upon.
pub(crate) enum Event {
    /// The step holds for this `k`.
    Inductive,
    /// It does not; `k` is one more now.
    Next,
    /// The search was stopped or spent its budget; it can go on.
    Paused(Why),
}

impl Induction {
    /// A search for `bad`, a term of a system in normal form.
    pub(crate) fn new(
        system: System,
        bad: Term,
        solver: Solver,
        simple_paths: bool,
        stop: &Stop,
    ) -> Induction {
        Induction {
            constraints: system.constraints.iter().map(|constraint| constraint.term).collect(),
            states: system.states.iter().map(|state| state.term).collect(),
            unrolling: Unrolling::new(system, false, stop),
            solver,
            bad,
            k: 0,
            is_open: false,
            distinct: vec![],
            simple_paths,
        }
    }

    /// The number of frames of the current step.
    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// The pairs of frames that were said to differ.
    pub(crate) fn distinct(&self) -> &[(usize, usize)] {
        &self.distinct
    }

    /// The solver, to change its settings.
    pub(crate) fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// Goes on until something is known.
    ///
    /// # Errors
    ///
    /// When the solver refuses a condition or fails, or the search was stopped.
    pub(crate) fn step(&mut self, pool: &mut Pool) -> Result<Event, Halt> {
        if !self.is_open {
            for &constraint in &self.constraints {
                let condition = self.unrolling.at(pool, self.k, constraint)?;
                self.solver.assert(pool, condition)?;
            }
            self.is_open = true;
        }
        let bad = self.unrolling.at(pool, self.k, self.bad)?;
        loop {
            match self.solver.check_assuming(pool, &[bad])? {
                CheckResult::Unsat => return Ok(Event::Inductive),
                CheckResult::Unknown(why) => return Ok(Event::Paused(why)),
                CheckResult::Sat => {}
            }
            let repeated = if self.simple_paths { self.repeated(pool)? } else { vec![] };
            if repeated.is_empty() {
                break;
            }
            for (i, j) in repeated {
                let differ = differ(pool, &mut self.unrolling, &self.states, i, j)?;
                self.solver.assert(pool, differ)?;
                self.distinct.push((i, j));
            }
        }
        let good = pool.mk(Op::Not, &[bad]);
        self.solver.assert(pool, good)?;
        self.k += 1;
        self.is_open = false;
        Ok(Event::Next)
    }

    /// The pairs of frames with equal states in the model; of each frame the one before it that is equal.
    fn repeated(&mut self, pool: &mut Pool) -> Result<Vec<(usize, usize)>, Why> {
        let mut frames = vec![];
        for frame in 0..=self.k {
            let states = self.states.iter().map(|&state| self.unrolling.at(pool, frame, state));
            frames.push(states.collect::<Result<Vec<Term>, Why>>()?);
        }
        let model = self.solver.model().expect("the last answer was sat");
        let value = |term: &Term| model.value(pool, *term);
        let frames: Vec<Vec<Value>> = frames.iter().map(|frame| frame.iter().map(value).collect()).collect();
        let before = |j: usize| (0..j).rev().find(|&i| frames[i] == frames[j]).map(|i| (i, j));
        Ok((1..frames.len()).filter_map(before).collect())
    }
}

/// Some state differs between two frames.
///
/// # Errors
///
/// When the stop flag was raised.
pub(crate) fn differ(
    pool: &mut Pool,
    unrolling: &mut Unrolling,
    states: &[Term],
    i: usize,
    j: usize,
) -> Result<Term, Why> {
    let mut differences = vec![];
    for &state in states {
        let (a, b) = (unrolling.at(pool, i, state)?, unrolling.at(pool, j, state)?);
        let equal = pool.mk(Op::Eq, &[a, b]);
        differences.push(pool.mk(Op::Not, &[equal]));
    }
    Ok(match differences[..] {
        [] => pool.bool(false),
        [one] => one,
        _ => pool.mk(Op::Or, &differences),
    })
}
