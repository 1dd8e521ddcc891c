//! Witnesses: runs of a system that violate properties.
//!
//! A witness claims that its run shows some properties, and lists what is free in each frame: the states
//! without an initial value in frame 0, the states without a next value in all later frames, and the inputs.
//! What is not listed is zero; arrays are zero everywhere. A justice property is shown by a lasso: the
//! state after the last frame is the state of an earlier frame, from which on the run repeats.

use bivalve_terms::Value;
use std::fmt;

/// A property that a witness claims to show. Numbers count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Claim {
    /// The last frame is this bad state.
    Bad(usize),
    /// Each condition of this justice property holds in the loop.
    Justice(usize),
}

/// The free values of one frame, each with the number of its state or input.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Values of states.
    pub states: Vec<(usize, Value)>,
    /// Values of inputs.
    pub inputs: Vec<(usize, Value)>,
}

/// A run, and the properties that it shows.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The properties.
    pub claims: Vec<Claim>,
    /// The run: one frame for each point in time.
    pub frames: Vec<Frame>,
    /// The frame whose state follows the last frame. A lasso without one begins its loop at the first frame
    /// whose state does.
    pub loop_start: Option<usize>,
}

/// As in BTOR2: `b0`, `j1`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Bad(number) => write!(f, "b{number}"),
            Claim::Justice(number) => write!(f, "j{number}"),
        }
    }
}
