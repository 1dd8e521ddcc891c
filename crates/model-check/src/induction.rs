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

use crate::engine::{Engine, Event, Finding, bytes_of};
use crate::options::Options;
use crate::pace::Grant;
use crate::problem::Part;
use crate::unroll::Unrolling;
use crate::verdict::Halt;
use bivalve::terms::{Op, Pool, Term, Value};
use bivalve::{CheckResult, Solver, Why};

/// The search for a `k` that proves one property.
pub(crate) struct Induction {
    unrolling: Unrolling,
    solver: Solver,
    constraints: Vec<Term>,
    states: Vec<Term>,
    bad: Term,
    /// The number of its property.
    property: usize,
    /// The number of frames without a violation before the last one.
    k: usize,
    /// The most of them.
    most: Option<usize>,
    /// The constraints of the last frame that are asserted.
    constrained: usize,
    distinct: Vec<(usize, usize)>,
    simple_paths: bool,
}

impl Induction {
    /// A search for a proof of the only property of a part.
    pub(crate) fn new(part: &Part, options: &Options, grant: &Grant) -> Induction {
        let system = &part.system;
        Induction {
            constraints: system.constraints.iter().map(|constraint| constraint.term).collect(),
            states: system.states.iter().map(|state| state.term).collect(),
            bad: system.bads[0].term,
            property: part.numbers[0],
            unrolling: Unrolling::new(system.clone(), false, &grant.paced()),
            solver: grant.solver(),
            k: 0,
            most: options.most_frames,
            constrained: 0,
            distinct: vec![],
            simple_paths: options.simple_paths,
        }
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

impl Engine for Induction {
    /// The number of frames of the current step.
    fn depth(&self) -> usize {
        self.k
    }

    fn bytes(&self) -> u64 {
        bytes_of(&self.solver) + self.unrolling.bytes()
    }

    fn step(&mut self, pool: &mut Pool, _: &mut [bool]) -> Result<Event, Halt> {
        if self.most.is_some_and(|most| self.k > most) {
            return Ok(Event::Over(Why::Budget));
        }
        while let Some(&constraint) = self.constraints.get(self.constrained) {
            let condition = self.unrolling.at(pool, self.k, constraint)?;
            self.solver.assert(pool, condition)?;
            self.constrained += 1;
        }
        let bad = self.unrolling.at(pool, self.k, self.bad)?;
        loop {
            match self.solver.check_assuming(pool, &[bad])? {
                CheckResult::Unsat => {
                    let found = Finding::Inductive { k: self.k, distinct: self.distinct.clone() };
                    return Ok(Event::Found(self.property, found));
                }
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
        (self.k, self.constrained) = (self.k + 1, 0);
        Ok(Event::Further)
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
