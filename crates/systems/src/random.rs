//! Random simulation: runs with random free values.
//!
//! A frame whose constraints fail is drawn anew a few times, inputs and free states alike; if they still
//! fail the run ends. Zero and all ones are drawn more often than other values, because guards and resets
//! compare with them. Equal seeds give equal runs.
//!
//! Cost: that of the simulator, times the draws.

use crate::check::Fault;
use crate::replay::{Run, RunFrame};
use crate::simulator::Simulator;
use crate::system::System;
use crate::witness::{Claim, Frame, Witness};
use bivalve_terms::{ArrayValue, BitVec, Pool, Sort, Term, Value};
use fastrand::Rng;

/// How to simulate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomSimulation {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The greatest number of frames.
    pub frames: usize,
    /// How often a frame is drawn before the run ends at a constraint; at least once.
    pub tries: u32,
}

/// What a random simulation has seen.
#[derive(Clone, Debug)]
pub struct RandomRun {
    /// The values of all frames whose constraints hold.
    pub run: Run,
    /// The bad states that were reached, each with the first frame in which it holds, by increasing frame.
    pub bads: Vec<(usize, usize)>,
    /// Why the run ended.
    pub ending: Ending,
    /// The free values that were drawn.
    frames: Vec<Frame>,
}

/// Why a random simulation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All frames were simulated.
    Frames,
    /// This constraint fails in the frame after the last one, in the last of its draws.
    Constraint(usize),
}

impl RandomSimulation {
    /// Simulates `system`.
    ///
    /// # Errors
    ///
    /// If the system is not well-formed.
    pub fn run(&self, pool: &Pool, system: &System) -> Result<RandomRun, Fault> {
        let mut draws = Draws { pool, rng: Rng::with_seed(self.seed), frame: Frame::default() };
        let mut simulator = Simulator::new(pool, system)?;
        let (ending, run) = (Ending::Frames, Run::default());
        let mut result = RandomRun { run, bads: vec![], ending, frames: vec![] };
        let mut reached = vec![false; system.bads.len()];
        for number in 0..self.frames {
            if let Some(constraint) = self.frame(system, &mut simulator, &mut draws, number) {
                result.ending = Ending::Constraint(constraint);
                break;
            }
            for (bad, property) in system.bads.iter().enumerate() {
                if simulator.holds(property.term) && !std::mem::replace(&mut reached[bad], true) {
                    result.bads.push((bad, number));
                }
            }
            result.run.frames.push(RunFrame::of(system, &simulator));
            result.frames.push(std::mem::take(&mut draws.frame));
        }
        Ok(result)
    }

    /// Draws a frame until its constraints hold; the number of one that fails in the last draw.
    fn frame(
        &self,
        system: &System,
        simulator: &mut Simulator<'_>,
        draws: &mut Draws<'_>,
        number: usize,
    ) -> Option<usize> {
        // The next values of the frame before are read once; a new draw begins with them again.
        let computed = (number > 0).then(|| simulator.next_states());
        let mut failed = None;
        for _ in 0..self.tries.max(1) {
            draws.frame = Frame::default();
            match &computed {
                None => simulator.start(|i| Some(draws.state(i, system.states[i].term))),
                Some(computed) => {
                    simulator.set_states(computed, |i| Some(draws.state(i, system.states[i].term)))
                }
            }
            simulator.evaluate(|i| Some(draws.input(i, system.inputs[i].term)));
            failed = simulator.failed_constraint();
            if failed.is_none() {
                break;
            }
        }
        failed
    }
}

impl RandomRun {
    /// The free values of all frames whose constraints hold.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// A witness for a bad state that was reached.
    pub fn witness(&self, bad: usize) -> Option<Witness> {
        let &(_, frame) = self.bads.iter().find(|&&(number, _)| number == bad)?;
        let frames = self.frames[..=frame].to_vec();
        Some(Witness { claims: vec![Claim::Bad(bad)], frames, loop_start: None })
    }
}

/// Random values, listed in the frame for which they are drawn.
struct Draws<'a> {
    pool: &'a Pool,
    rng: Rng,
    frame: Frame,
}

impl Draws<'_> {
    fn state(&mut self, number: usize, term: Term) -> Value {
        let value = self.value(self.pool.sort(term));
        self.frame.states.push((number, value.clone()));
        value
    }

    fn input(&mut self, number: usize, term: Term) -> Value {
        let value = self.value(self.pool.sort(term));
        self.frame.inputs.push((number, value.clone()));
        value
    }

    fn value(&mut self, sort: Sort) -> Value {
        let Some((index, element)) = self.pool.sorts().array_parts(sort) else { return self.scalar(sort) };
        let constant = ArrayValue::constant(self.pool.sorts(), sort, self.scalar(element));
        let cells = self.rng.u32(..8);
        let store = |array: ArrayValue, _| array.store(&self.scalar(index), &self.scalar(element));
        (0..cells).fold(constant, store).into()
    }

    /// A Boolean or a bit-vector.
    fn scalar(&mut self, sort: Sort) -> Value {
        let Some(width) = sort.width() else { return self.rng.bool().into() };
        let value = match self.rng.u32(..8) {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            _ => {
                let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.rng.u64(..)).collect();
                BitVec::from_words(&words, width)
            }
        };
        value.into()
    }
}
