//! Random simulation: violations that are far away, but on many ways.
//!
//! Sixty-four runs at once (`lanes`), from the initial states on, each time for longer. What is behind a
//! counter or at the end of a long protocol costs bounded model checking all frames before it, and is met
//! here in passing, if inputs need not be just so. A run that is found is long: shorter ones are looked for
//! later.
//!
//! Cost: a pass over the gates for each frame.

use crate::engine::{Engine, Event, Finding};
use crate::ic3::values;
use crate::lanes::Lanes;
use crate::options::Options;
use crate::pace::Grant;
use crate::problem::Part;
use crate::slices::Image;
use crate::trace;
use crate::verdict::{Error, Halt};
use bivalve::terms::Pool;
use bivalve::{Stop, Why};
use bivalve_systems::{Frame, ReplayError};

/// The frames of the first runs, and the most that they are doubled.
const FIRST_FRAMES: usize = 64;
const MOST_DOUBLED: u32 = 6;

/// Starts without a second frame after which nothing is expected any more.
const MOST_FAILURES: u32 = 8;

/// Gates under sixty-four assignments that make a step, about 20 microseconds.
const GATES: u64 = 10_000;

/// Runs of a part at random.
pub(crate) struct Simulation {
    part: Part,
    lanes: Lanes,
    stop: Stop,
    most_frames: Option<usize>,
    /// How often all runs began.
    starts: u32,
    /// The frames of these runs.
    length: usize,
    failures: u32,
}

impl Simulation {
    /// Runs of a part with one property.
    ///
    /// # Errors
    ///
    /// When its memories are too large, it has too many gates, or the search was stopped.
    pub(crate) fn new(
        pool: &mut Pool,
        part: &Part,
        options: &Options,
        grant: &Grant,
    ) -> Result<Simulation, Why> {
        let lanes = Lanes::new(pool, &part.system, options.memory_bits, &grant.patient())?;
        let (part, stop) = (part.clone(), grant.paced());
        let most_frames = options.most_frames;
        Ok(Simulation { part, lanes, stop, most_frames, starts: 0, length: 0, failures: 0 })
    }

    fn start(&mut self) {
        // Short runs, twice as long ones after each two, and so on: 0 0 1 0 0 1 2 ...
        self.starts += 1;
        let doubled = self.starts.trailing_zeros().min(MOST_DOUBLED);
        self.length = FIRST_FRAMES << doubled;
        self.length = self.most_frames.map_or(self.length, |most| self.length.min(most));
        self.lanes.start();
    }

    /// The run that is bad in the frame at hand.
    fn run(&mut self, pool: &mut Pool, lane: usize) -> Result<Vec<Frame>, ReplayError> {
        let (states, inputs) = self.lanes.history(lane);
        let registers = &mut self.lanes.registers;
        let system = registers.system.clone();
        let symbols = || system.inputs.iter().map(|input| input.term);
        let frame = |bits: &Vec<bool>| Frame { states: vec![], inputs: values(pool, symbols(), bits) };
        let mut frames: Vec<Frame> = inputs.iter().map(frame).collect();
        frames[0].states = values(pool, system.states.iter().map(|state| state.term), &states);
        let image = |pool: &mut Pool, term| registers.image(pool, term);
        trace::of_part(pool, &self.part.system, Image::plain, &system, image, frames)
    }
}

impl Engine for Simulation {
    /// No frame is searched to its end.
    fn depth(&self) -> usize {
        0
    }

    fn bytes(&self) -> u64 {
        self.lanes.bytes()
    }

    fn step(&mut self, pool: &mut Pool, _: &mut [bool]) -> Result<Event, Halt> {
        if self.failures >= MOST_FAILURES || self.most_frames == Some(0) {
            return Ok(Event::Over(Why::Incomplete("no run at random satisfies the constraints")));
        }
        if self.lanes.frames() >= self.length {
            self.start();
        }
        let allowed = self.lanes.draw();
        let bad = allowed & self.lanes.value(self.lanes.circuit.bad);
        if bad != 0 {
            let (property, lane) = (self.part.numbers[0], bad.trailing_zeros() as usize);
            let broken = |fault: ReplayError| Halt::Failed(Error::Replay { property, fault });
            let run = self.run(pool, lane).map_err(broken)?;
            return Ok(Event::Found(property, Finding::Run(run)));
        }
        if allowed == 0 {
            self.failures = if self.lanes.frames() > 1 { 0 } else { self.failures + 1 };
            self.length = 0;
        } else {
            self.lanes.advance(allowed);
        }
        match self.stop.spend(1 + self.lanes.gates() as u64 / GATES) {
            Some(why) => Ok(Event::Paused(why)),
            None => Ok(Event::Further),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::Normalized;
    use crate::pace::{Pace, UNDECIDED};
    use crate::property::Property;
    use bivalve::Settings;
    use bivalve_formats::btor2;
    use bivalve_fuzz::systems::{data_path, small};
    use bivalve_systems::System;
    use bivalve_systems::explicit::decide;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    /// The frame in which a property of a system is violated in some run, if one is found in so many frames.
    fn violation(pool: &mut Pool, system: &System, number: usize, frames: usize) -> Option<usize> {
        let normalized = Normalized::new(pool, system, false, &Stop::new());
        let Part { system, .. } = Property::new(pool, &normalized, number, true).part;
        let pace = Pace::new(0, Arc::new(AtomicUsize::new(UNDECIDED)), false);
        pace.grant(u64::MAX);
        let grant = Grant { outer: Stop::new(), pace, settings: Settings::default() };
        let part = Part { system, numbers: vec![number] };
        let mut engine = Simulation::new(pool, &part, &Options::default(), &grant).unwrap();
        for _ in 0..frames {
            match engine.step(pool, &mut [true]).unwrap() {
                // It was replayed on the part.
                Event::Found(found, Finding::Run(run)) => {
                    assert_eq!(found, number);
                    return Some(run.len() - 1);
                }
                Event::Further => {}
                _ => return None,
            }
        }
        None
    }

    /// Two counters of ten bits, one of which waits for an input: with equal ones behind 700, and a word that
    /// is squared in each frame.
    #[test]
    fn what_is_far_is_found() {
        let text = "1 sort bitvec 10\n2 sort bitvec 1\n3 sort bitvec 40\n4 zero 1\n5 one 1\n6 state 1 a\n\
            7 state 1 b\n8 state 3 w\n9 input 2 go\n10 init 1 6 4\n11 init 1 7 4\n12 constd 3 3\n13 init 3 8 12\n\
            14 add 1 6 5\n15 ite 1 9 14 6\n16 next 1 6 15\n17 add 1 7 5\n18 next 1 7 17\n19 mul 3 8 8\n\
            20 next 3 8 19\n21 eq 2 6 7\n22 constd 1 700\n23 ugt 2 7 22\n24 slice 2 8 0 0\n25 and 2 21 23\n\
            26 and 2 25 24\n27 bad 26\n";
        let mut pool = Pool::new();
        let system = btor2::read(&mut pool, text.as_bytes(), "text", Default::default()).unwrap();
        let found = violation(&mut pool, &system, 0, 20_000);
        assert!(found.is_some_and(|frame| frame > 700), "{found:?}");
    }

    /// What is found is there, and most that is there is found.
    #[test]
    #[allow(clippy::disallowed_methods, reason = "a test may take its size from the environment")]
    fn violations_agree_with_enumeration() {
        let count = std::env::var("BIVALVE_SYSTEMS").map_or(100, |text| text.parse().unwrap());
        let (mut found, mut missed) = (0, 0);
        for number in 0..count {
            for make in [small, data_path] {
                let (mut pool, system) = make(19, number);
                let truth = decide(&pool, &system).unwrap();
                for (bad, truth) in truth.bads.iter().enumerate() {
                    match (violation(&mut pool, &system, bad, 300), truth) {
                        (Some(frame), Some(first)) => {
                            assert!(frame >= *first, "system {number}, b{bad}");
                            found += 1;
                        }
                        (Some(_), None) => panic!("system {number}, b{bad} holds"),
                        (None, Some(_)) => missed += 1,
                        (None, None) => {}
                    }
                }
            }
        }
        assert!(found > 10 * missed, "{found} found, {missed} missed");
    }
}
