//! Replaying a witness: the independent check that it shows what it claims.
//!
//! The run is simulated. A value that the witness lists for a state that is computed must be the computed
//! one. All constraints hold in every frame. A claimed bad state holds in the last frame. For a justice
//! property the state after the last frame is the state in which the loop begins (arrays are equal when all
//! their cells are; a state without a next value is free, and closes any loop), and in the loop each
//! condition of the property and each fairness condition holds at some frame.
//!
//! A lasso whose loop is not given closes at the first frame that it can. That is enough: a loop that begins
//! later is a part of that one.
//!
//! Cost: a frame is linear in the terms of the system; the values of states, inputs and outputs are kept.

use crate::check::Fault;
use crate::partial::{Partial, PartialFrame, PartialWitness};
use crate::simulator::Simulator;
use crate::system::{Property, System};
use crate::witness::{Claim, Witness};
use bivalve_terms::{Pool, Sort, Term, Value};
use thiserror::Error;

/// A run that was simulated: the values of each frame.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Run {
    /// The frames.
    pub frames: Vec<RunFrame>,
    /// The frame whose state follows the last frame.
    pub loop_start: Option<usize>,
}

/// The values of a frame, in the order of the system's lists.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct RunFrame {
    /// The values of states.
    pub states: Vec<Value>,
    /// The values of inputs.
    pub inputs: Vec<Value>,
    /// The values of outputs.
    pub outputs: Vec<Value>,
    /// The values of other terms that have a name.
    pub named: Vec<Value>,
}

/// Why a witness does not show what it claims. Numbers count from 0.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The system is not well-formed.
    #[error(transparent)]
    System(#[from] Fault),
    /// The witness has no frame.
    #[error("expected a witness of one frame at least, found none")]
    NoFrames,
    /// The witness claims nothing.
    #[error("expected a witness that claims a property, found none")]
    NoClaims,
    /// The system has no such property.
    #[error("the witness claims {claim}, but the system has {count} properties of that kind")]
    NoSuchProperty {
        /// The claim.
        claim: Claim,
        /// How many there are.
        count: usize,
    },
    /// The system has no such state or input.
    #[error("frame {frame}: the witness lists {what}, which the system does not have")]
    NoSuchValue {
        /// The frame.
        frame: usize,
        /// The state or input.
        what: String,
    },
    /// A state or input is listed twice in one frame.
    #[error("frame {frame}: {what} is listed twice")]
    Twice {
        /// The frame.
        frame: usize,
        /// The state or input.
        what: String,
    },
    /// A value of another sort.
    #[error("frame {frame}: {what} is expected to be of sort {expected}, found {found}")]
    Sort {
        /// The frame.
        frame: usize,
        /// The state or input.
        what: String,
        /// Its sort.
        expected: String,
        /// The value listed.
        found: Box<Partial>,
    },
    /// The value of a state that is not free is another one than listed.
    #[error("frame {frame}: {what} is listed as {listed}, but the system computes {computed}")]
    Computed {
        /// The frame.
        frame: usize,
        /// The state.
        what: String,
        /// The value listed.
        listed: Box<Partial>,
        /// The value of its initial or next term.
        computed: Value,
    },
    /// A constraint does not hold.
    #[error("frame {frame}: {what} does not hold")]
    Constraint {
        /// The frame.
        frame: usize,
        /// The constraint.
        what: String,
    },
    /// A claimed bad state does not hold in the last frame.
    #[error("{what} does not hold in the last frame, {frame}{}", earlier(.before))]
    NotBad {
        /// The last frame.
        frame: usize,
        /// The bad state.
        what: String,
        /// The first frame in which it holds, if there is one.
        before: Option<usize>,
    },
    /// The loop begins behind the last frame.
    #[error("the loop begins at frame {start}, but the last frame is {last}")]
    LoopStart {
        /// The frame given.
        start: usize,
        /// The last frame.
        last: usize,
    },
    /// The state after the last frame is not the one in which the loop begins.
    #[error("{what} is {after} after the last frame, but {at} in frame {start}, where the loop begins")]
    NotClosed {
        /// The state.
        what: String,
        /// Its value after the last frame.
        after: Value,
        /// Its value at the beginning of the loop.
        at: Value,
        /// The frame at which the loop begins.
        start: usize,
    },
    /// The state after the last frame is the state of no frame.
    #[error("the state after the last frame, {last}, is the state of no frame")]
    NoLoop {
        /// The last frame.
        last: usize,
    },
    /// A condition of a justice property, or a fairness condition, holds nowhere in the loop.
    #[error("{what} holds in no frame of the loop, {start} to {last}")]
    NotInLoop {
        /// The condition.
        what: String,
        /// The frame at which the loop begins.
        start: usize,
        /// The last frame.
        last: usize,
    },
}

impl RunFrame {
    /// The frame in which the simulator is; it is evaluated.
    pub(crate) fn of(system: &System, simulator: &Simulator<'_>) -> RunFrame {
        let of = |term: Term| simulator.value(term).clone();
        RunFrame {
            states: simulator.states(),
            inputs: system.inputs.iter().map(|input| of(input.term)).collect(),
            outputs: system.outputs.iter().map(|output| of(output.term)).collect(),
            named: system.named.iter().map(|output| of(output.term)).collect(),
        }
    }
}

fn earlier(before: &Option<usize>) -> String {
    before.map(|frame| format!(" (it does in frame {frame})")).unwrap_or_default()
}

impl System {
    /// Simulates a witness and checks that it shows what it claims.
    ///
    /// # Errors
    ///
    /// The first reason why it does not.
    pub fn replay(&self, pool: &Pool, witness: &Witness) -> Result<Run, ReplayError> {
        self.replay_partial(pool, &witness.into())
    }

    /// The same for a witness of which a part is known. Free values are zero where nothing is known, and of
    /// values that are computed the known part is compared.
    ///
    /// # Errors
    ///
    /// The first reason why the witness does not show what it claims.
    pub fn replay_partial(&self, pool: &Pool, witness: &PartialWitness) -> Result<Run, ReplayError> {
        let mut replay = Replay {
            pool,
            system: self,
            simulator: Simulator::new(pool, self)?,
            run: Run::default(),
            conditions: self.claimed_conditions(witness)?,
        };
        for (number, frame) in witness.frames.iter().enumerate() {
            replay.frame(number, frame)?;
        }
        replay.check_claims(witness)?;
        Ok(replay.run)
    }

    /// The conditions that have to be seen, each with its name and the frames in which it holds.
    fn claimed_conditions(&self, witness: &PartialWitness) -> Result<Vec<Condition>, ReplayError> {
        if witness.frames.is_empty() {
            return Err(ReplayError::NoFrames);
        }
        if witness.claims.is_empty() {
            return Err(ReplayError::NoClaims);
        }
        let mut conditions = vec![];
        let mut add = |claim, what, term| conditions.push(Condition { claim, what, term, seen: [None; 2] });
        for &claim in &witness.claims {
            match claim {
                Claim::Bad(number) => {
                    let count = self.bads.len();
                    let bad = self.bads.get(number).ok_or(ReplayError::NoSuchProperty { claim, count })?;
                    add(claim, named("bad state", number, &bad.name), bad.term);
                }
                Claim::Justice(number) => {
                    let count = self.justices.len();
                    let justice =
                        self.justices.get(number).ok_or(ReplayError::NoSuchProperty { claim, count })?;
                    for (i, &term) in justice.terms.iter().enumerate() {
                        let property = named("justice property", number, &justice.name);
                        add(claim, format!("condition {i} of {property}"), term);
                    }
                    for (i, Property { term, name }) in self.fairs.iter().enumerate() {
                        add(claim, named("fairness condition", i, name), *term);
                    }
                }
            }
        }
        Ok(conditions)
    }
}

/// A condition that has to be seen.
struct Condition {
    claim: Claim,
    what: String,
    term: Term,
    /// The first and the last frame in which it holds.
    seen: [Option<usize>; 2],
}

struct Replay<'a> {
    pool: &'a Pool,
    system: &'a System,
    simulator: Simulator<'a>,
    run: Run,
    conditions: Vec<Condition>,
}

impl Replay<'_> {
    /// Simulates one frame.
    fn frame(&mut self, number: usize, frame: &PartialFrame) -> Result<(), ReplayError> {
        let states = self.listed(number, "state", &frame.states)?;
        let inputs = self.listed(number, "input", &frame.inputs)?;
        let sorts = self.pool.sorts();
        let state_sort = |i: usize| self.pool.sort(self.system.states[i].term);
        let state = |i: usize| states[i].map(|part| part.filled(sorts, state_sort(i)));
        if number == 0 {
            self.simulator.start(state);
        } else {
            self.simulator.advance(state);
        }
        let input_sort = |i: usize| self.pool.sort(self.system.inputs[i].term);
        self.simulator.evaluate(|i| inputs[i].map(|part| part.filled(sorts, input_sort(i))));
        let values = self.simulator.states();
        for (i, (listed, computed)) in states.iter().zip(&values).enumerate() {
            if let Some(listed) = listed.filter(|part| !part.admits(sorts, state_sort(i), computed)) {
                let (what, listed, computed) = (self.state(i), Box::new(listed.clone()), computed.clone());
                return Err(ReplayError::Computed { frame: number, what, listed, computed });
            }
        }
        if let Some(i) = self.simulator.failed_constraint() {
            let what = named("constraint", i, &self.system.constraints[i].name);
            return Err(ReplayError::Constraint { frame: number, what });
        }
        for condition in &mut self.conditions {
            if self.simulator.holds(condition.term) {
                condition.seen = [condition.seen[0].or(Some(number)), Some(number)];
            }
        }
        self.run.frames.push(RunFrame::of(self.system, &self.simulator));
        Ok(())
    }

    /// The listed values by number, each of the right sort.
    fn listed<'l>(
        &self,
        frame: usize,
        kind: &str,
        listed: &'l [(usize, Partial)],
    ) -> Result<Vec<Option<&'l Partial>>, ReplayError> {
        let terms: Vec<Term> = match kind {
            "state" => self.system.states.iter().map(|state| state.term).collect(),
            _ => self.system.inputs.iter().map(|input| input.term).collect(),
        };
        let mut values = vec![None; terms.len()];
        for (number, value) in listed {
            let Some(&term) = terms.get(*number) else {
                return Err(ReplayError::NoSuchValue { frame, what: format!("{kind} {number}") });
            };
            let what = || match kind {
                "state" => self.state(*number),
                _ => named(kind, *number, &self.system.inputs[*number].name),
            };
            let (sorts, sort): (_, Sort) = (self.pool.sorts(), self.pool.sort(term));
            if !value.is_of(sorts, sort) {
                let (expected, found) = (sorts.display(sort), Box::new(value.clone()));
                return Err(ReplayError::Sort { frame, what: what(), expected, found });
            }
            if values[*number].replace(value).is_some() {
                return Err(ReplayError::Twice { frame, what: what() });
            }
        }
        Ok(values)
    }

    fn state(&self, number: usize) -> String {
        named("state", number, &self.system.states[number].name)
    }

    fn check_claims(&mut self, witness: &PartialWitness) -> Result<(), ReplayError> {
        let last = witness.frames.len() - 1;
        if witness.loop_start.is_some() || witness.claims.iter().any(|c| matches!(c, Claim::Justice(_))) {
            self.run.loop_start = Some(self.close(witness.loop_start, last)?);
        }
        for Condition { claim, what, seen, .. } in &self.conditions {
            let what = || what.clone();
            match (claim, self.run.loop_start) {
                (Claim::Bad(_), _) if seen[1] != Some(last) => {
                    return Err(ReplayError::NotBad { frame: last, what: what(), before: seen[0] });
                }
                (Claim::Justice(_), Some(start)) if seen[1].is_none_or(|frame| frame < start) => {
                    return Err(ReplayError::NotInLoop { what: what(), start, last });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The frame at which the loop begins, `given` or found.
    fn close(&self, given: Option<usize>, last: usize) -> Result<usize, ReplayError> {
        let after = self.simulator.next_states();
        // The first state that differs from frame `start`, with its value after the last frame.
        let differs = |start: usize| {
            let at = self.run.frames[start].states.iter();
            let mut pairs = after.iter().zip(at).enumerate();
            pairs.find_map(|(i, (after, at))| after.as_ref().filter(|&after| after != at).map(|v| (i, v)))
        };
        let Some(start) = given else {
            return (0..=last).find(|&start| differs(start).is_none()).ok_or(ReplayError::NoLoop { last });
        };
        if start > last {
            return Err(ReplayError::LoopStart { start, last });
        }
        match differs(start) {
            None => Ok(start),
            Some((i, after)) => {
                let (at, after) = (self.run.frames[start].states[i].clone(), after.clone());
                Err(ReplayError::NotClosed { what: self.state(i), after, at, start })
            }
        }
    }
}

/// For example "state 3 'count'".
fn named(kind: &str, number: usize, name: &Option<String>) -> String {
    match name {
        Some(name) => format!("{kind} {number} '{name}'"),
        None => format!("{kind} {number}"),
    }
}
