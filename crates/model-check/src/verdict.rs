//! What is said of a property, and what goes wrong.

use bivalve::terms::Term;
use bivalve::{AssertError, CheckError, InternalError, Why};
use bivalve_systems::{ReplayError, Witness};
use thiserror::Error;

/// What is known of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No run violates it.
    Holds(Proof),
    /// This run violates it; it was replayed on the system as given.
    Violated(Witness),
    /// Not decided: why, and the frames that were searched without a violation.
    Unknown(Why, usize),
}

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// No run violates it in the first `frames` frames, and constraints leave no longer run.
    NoLongerRun {
        /// The number of frames.
        frames: usize,
    },
    /// No run violates it in the first `k` frames, and no frame that comes after `k` others in which it holds
    /// violates it.
    Induction {
        /// The number of frames.
        k: usize,
        /// Pairs of frames, within `k + 1` frames, whose states differ: the shortest violation repeats no
        /// state.
        distinct: Vec<(usize, usize)>,
        /// Conditions that hold in each frame by the same induction: equal states.
        equal: Vec<Term>,
    },
    /// These conditions hold in the initial states, are kept by each step, and exclude a violation.
    Invariant(Vec<Term>),
    /// The memories of the system were abstracted: the invariant is about a system without them that tracks
    /// so many of their cells, and of which each run of the system is a run.
    Abstracted {
        /// The number of cells.
        cells: usize,
        /// Why the bad state of the abstract system is not reached.
        proof: Box<Proof>,
    },
    /// For a justice property: the bad state of the system that looks for a lasso is not reached.
    NoLasso(Box<Proof>),
    /// For a justice property: no run satisfies all conditions, in turn, so many times.
    Bounded {
        /// The number of times.
        times: usize,
        /// Why the bad state of the system that counts is not reached.
        proof: Box<Proof>,
    },
}

impl Proof {
    /// The proof with the conditions of its invariant, if it has one, replaced by images.
    pub(crate) fn map_invariant(self, image: &mut dyn FnMut(Term) -> Term) -> Proof {
        match self {
            Proof::Invariant(clauses) => Proof::Invariant(clauses.into_iter().map(image).collect()),
            Proof::Abstracted { cells, proof } => {
                Proof::Abstracted { cells, proof: Box::new(proof.map_invariant(image)) }
            }
            proof => proof,
        }
    }
}

/// Why a system could not be checked.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A condition is outside of what the solver decides.
    #[error("{0}")]
    Unsupported(#[from] AssertError),
    /// The solver failed.
    #[error("{0}")]
    Check(#[from] CheckError),
    /// The solver failed a self-check.
    #[error("{0}")]
    Internal(#[from] InternalError),
    /// A run that was found does not replay on the system as given.
    #[error("internal error: a run of property {property} does not replay: {fault}")]
    Replay {
        /// The number of the property.
        property: usize,
        /// What the simulator says.
        fault: ReplayError,
    },
    /// A proof that was found does not hold when a fresh solver looks at it.
    #[error("internal error: the proof of property {property} fails: {fault}")]
    Proof {
        /// The number of the property.
        property: usize,
        /// What fails.
        fault: String,
    },
}

/// Why an engine does not go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// It was stopped from outside; the stop flag says why.
    Stopped,
    /// It failed.
    Failed(Error),
}

impl From<Why> for Halt {
    fn from(_: Why) -> Halt {
        Halt::Stopped
    }
}

impl<E: Into<Error>> From<E> for Halt {
    fn from(error: E) -> Halt {
        Halt::Failed(error.into())
    }
}
