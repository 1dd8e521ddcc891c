//! Unrolling: the terms of a system, frame by frame, over symbols of the frames.
//!
//! A state of frame `k + 1` is replaced by its next value over frame `k` (functional unrolling), so states
//! have symbols in the first frame at most, and what one frame computes can be simplified with what the
//! frames before it have computed: a counter that starts at a constant is a constant in every frame. Each
//! term is rebuilt once for each frame, on demand, and brought to normal form by the local rules. The stop
//! flag ends that between any two terms.

use bivalve::rewrite::{Level, Rewriter};
use bivalve::terms::{Pool, Rebuild, Term};
use bivalve::{Stop, Why};
use bivalve_limits::Deadline;
use bivalve_systems::System;

/// A table has a page and a group of pages for images, and likewise for what was seen; names are longer with
/// each frame; and an image has a number and a flag.
const BYTES_OF_A_FRAME: u64 = 3_500;
const BYTES_OF_A_TERM: u64 = 10;

/// A system in normal form over its frames.
pub(crate) struct Unrolling {
    system: System,
    /// Whether the first frame is an initial one.
    initial: bool,
    frames: Vec<Rebuild>,
    /// The terms of the pool before there was a frame.
    terms: usize,
    rewriter: Rewriter,
    stop: Stop,
    /// Counts the steps of all terms together; none after it was over.
    deadline: Option<Deadline>,
}

impl Unrolling {
    /// The runs of a system: those that begin with an initial state, or all.
    pub(crate) fn new(system: System, initial: bool, stop: &Stop) -> Unrolling {
        Unrolling::at_level(system, initial, Level::Local, stop)
    }

    /// The same with terms brought to the normal form of a level.
    pub(crate) fn at_level(system: System, initial: bool, level: Level, stop: &Stop) -> Unrolling {
        let rewriter = Rewriter::new(level);
        Unrolling { system, initial, frames: vec![], terms: 0, rewriter, stop: stop.clone(), deadline: None }
    }

    /// A term of the system, in a frame.
    ///
    /// # Errors
    ///
    /// When the stop flag was raised.
    pub(crate) fn at(&mut self, pool: &mut Pool, frame: usize, term: Term) -> Result<Term, Why> {
        while self.frames.len() <= frame {
            self.add_frame(pool)?;
        }
        let deadline = self.deadline.get_or_insert_with(|| Deadline::stopped_by(&self.stop));
        let image = self.frames[frame].apply(pool, term, || deadline.step(1), |_, _, _| None);
        let image = image.map(|image| self.rewriter.rewrite_within(pool, image, deadline));
        match image.filter(|_| deadline.step(0)) {
            Some(image) => Ok(image),
            None => {
                self.deadline = None;
                Err(self.stop.reason().unwrap_or(Why::Interrupted))
            }
        }
    }

    /// About the bytes of the tables of all frames.
    pub(crate) fn bytes(&self) -> u64 {
        self.frames.len() as u64 * (BYTES_OF_A_FRAME + BYTES_OF_A_TERM * self.terms as u64)
    }

    fn add_frame(&mut self, pool: &mut Pool) -> Result<(), Why> {
        let number = self.frames.len();
        if number == 0 {
            self.terms = pool.len();
        }
        let mut frame = Rebuild::new();
        let symbol = |pool: &mut Pool, term: Term| {
            let name = format!("{}@{number}", pool.name(term).unwrap_or_default());
            pool.symbol(&name, pool.sort(term))
        };
        for input in &self.system.inputs {
            let image = symbol(pool, input.term);
            frame.set(input.term, image);
        }
        for i in 0..self.system.states.len() {
            let (term, init, next) = {
                let state = &self.system.states[i];
                (state.term, state.init, state.next)
            };
            let image = match (number, init) {
                (0, Some(init)) if self.initial => init,
                (0, _) => symbol(pool, term),
                _ => {
                    let next = next.expect("the system is in normal form");
                    self.at(pool, number - 1, next)?
                }
            };
            frame.set(term, image);
        }
        self.frames.push(frame);
        Ok(())
    }
}
