//! What an engine is, and the table of engines.

use crate::bmc::Bmc;
use crate::correspondence::Correspondence;
use crate::cuts::Cuts;
use crate::ic3::{Ic3, MOST_HELP};
use crate::induction::Induction;
use crate::interpolation::Interpolation;
use crate::leaps::Leaps;
use crate::options::{Engine as Name, Options};
use crate::pace::Grant;
use crate::problem::Part;
use crate::proving::Proving;
use crate::recheck::Obligation;
use crate::simulation::Simulation;
use crate::verdict::{Halt, Proof};
use bivalve::terms::{Pool, Term};
use bivalve::{Solver, Why};
use bivalve_systems::Frame;

/// An engine at work on a part of a system, in a pool of its own. It can be left at any step and goes on from
/// there.
pub(crate) trait Engine {
    /// The frame, the `k` or the level it has reached.
    fn depth(&self) -> usize;

    /// Goes on until something is known, or the stop flag is raised. Properties that are not `open` are
    /// passed over.
    ///
    /// # Errors
    ///
    /// When a solver refuses a condition or fails, or the search was stopped.
    fn step(&mut self, pool: &mut Pool, open: &mut [bool]) -> Result<Event, Halt>;

    /// About the bytes that it has allocated, its pool aside. The same in every run.
    fn bytes(&self) -> u64;
}

/// What an engine came upon.
pub(crate) enum Event {
    /// It is deeper now.
    Further,
    /// Something is known of the property of this number.
    Found(usize, Finding),
    /// No run has more than so many frames, and none of these is bad.
    NoRun(usize),
    /// The stop flag was raised, or a limit of the solver is reached.
    Paused(Why),
    /// There is nothing left that it can do.
    Over(Why),
}

/// What is known of a property.
pub(crate) enum Finding {
    /// A run of the part that the engine works on violates it. No run of fewer frames than the depth does.
    Run(Vec<Frame>),
    /// It holds if it does so in the first `k` frames; these pairs of frames differ.
    Inductive { k: usize, distinct: Vec<(usize, usize)> },
    /// It holds; the proof was checked.
    Proof(Box<Shown>),
}

/// A proof, and what it comes down to if that is asked for, in a pool of their own.
pub(crate) struct Shown {
    pub(crate) pool: Pool,
    pub(crate) proof: Proof,
    pub(crate) obligations: Vec<Obligation>,
    /// The symbols of the states and inputs of the part, in its order.
    pub(crate) symbols: Vec<Term>,
}

/// What an engine may do before the next one has its turn.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Whether there is one engine for each property, or one for all.
    pub(crate) each: bool,
    /// Whether it looks at some runs only: where no other engine is left, it is of no use to go on.
    pub(crate) is_random: bool,
    /// The least steps of a round: fewer would cut off the first check, which then begins anew, again and
    /// again.
    first: u64,
    /// The share of all steps that it has later.
    share: u64,
    pub(crate) make: Make,
}

/// Makes an engine for a part in its pool; the reason if it cannot take it.
type Make = fn(&mut Pool, &Part, &Options, &Grant) -> Result<Box<dyn Engine>, Why>;

impl Row {
    /// The steps of a round, the first one 0.
    pub(crate) fn steps(&self, round: u32) -> u64 {
        match round {
            0 => self.first,
            _ => 1_u64.checked_shl(round).unwrap_or(u64::MAX).saturating_mul(self.share).max(self.first),
        }
    }
}

const BMC: Row = Row {
    name: "bmc",
    each: false,
    is_random: false,
    first: 500,
    share: 350,
    make: |_, part, options, grant| {
        let first_frame = if options.engine == Name::Bmc { options.first_frame } else { 0 };
        Ok(Box::new(Bmc::new(part, first_frame, options.most_frames, grant)))
    },
};

const IC3: Row = Row {
    name: "ic3",
    each: true,
    is_random: false,
    first: 2_500,
    share: 5_600,
    make: |pool, part, options, grant| {
        Ok(Box::new(Proving::new(pool, part, options, grant, Ic3::begin::<MOST_HELP>)?))
    },
};

/// IC3 without help for its lemmas: weaker ones, and far more of them.
const LIGHT: Row = Row {
    name: "ic3-light",
    first: 625,
    share: 1_400,
    make: |pool, part, options, grant| {
        Ok(Box::new(Proving::new(pool, part, options, grant, Ic3::begin::<0>)?))
    },
    ..IC3
};

/// Words of at least so many bits are data to the engine of cuts. From 6 to 16 it is all the same.
const LEAST_CUT: u32 = 8;

const CUTS: Row = Row {
    name: "cuts",
    make: |pool, part, options, grant| {
        Ok(Box::new(Proving::new(pool, part, options, grant, Cuts::begin::<LEAST_CUT, false>)?))
    },
    ..IC3
};

/// Cuts as long as words are narrow with them.
const NARROW: Row = Row {
    name: "cuts",
    make: |pool, part, options, grant| {
        Ok(Box::new(Proving::new(pool, part, options, grant, Cuts::begin::<LEAST_CUT, true>)?))
    },
    ..LIGHT
};

const INDUCTION: Row = Row {
    name: "induction",
    each: true,
    is_random: false,
    first: 500,
    share: 175,
    make: |_, part, options, grant| Ok(Box::new(Induction::new(part, options, grant))),
};

const SIMULATION: Row = Row {
    name: "simulation",
    each: true,
    is_random: true,
    first: 1_000,
    share: 700,
    make: |pool, part, options, grant| Ok(Box::new(Simulation::new(pool, part, options, grant)?)),
};

const CORRESPONDENCE: Row = Row {
    name: "correspondence",
    each: true,
    is_random: false,
    first: 500,
    share: 350,
    make: |pool, part, options, grant| Ok(Box::new(Correspondence::new(pool, part, options, grant)?)),
};

const INTERPOLATION: Row = Row {
    name: "interpolation",
    each: true,
    is_random: false,
    first: 500,
    share: 350,
    make: |pool, part, options, grant| {
        Ok(Box::new(Proving::new(pool, part, options, grant, Interpolation::begin)?))
    },
};

const LEAPS: Row = Row {
    name: "leaps",
    each: true,
    is_random: false,
    first: 500,
    share: 350,
    make: |_, part, options, grant| Ok(Box::new(Leaps::new(part, options.most_frames, grant))),
};

/// The engines in the order of their turns. IC3 decides most, so without help, and with cuts where words
/// become narrow, it has a quarter of its steps, simulation an eighth, and others a sixteenth or less; a
/// shallow violation is found in the first steps of bounded model checking. Leaps and interpolation are no
/// part of `auto`: with an eighth or a quarter of IC3's steps leaps found nothing within 15 seconds that
/// simulation did not, and interpolation proved nothing that IC3 did not. Nor are cuts where words stay wide,
/// which are as often slower than IC3 as they are faster.
pub(crate) fn rows(engine: Name) -> &'static [Row] {
    match engine {
        Name::Auto => &[IC3, LIGHT, NARROW, BMC, SIMULATION, INDUCTION, CORRESPONDENCE],
        Name::Bmc => &[BMC],
        Name::Induction => &[BMC, Row { share: 350, ..INDUCTION }, CORRESPONDENCE],
        Name::Ic3 => &[IC3],
        Name::Interpolation => &[INTERPOLATION],
        Name::Leaps => &[LEAPS],
        Name::Cuts => &[CUTS],
    }
}

/// About the bytes of a solver: for each variable its gate, its place in the SAT solver and its watches, for
/// each clause its literals and what is learnt from it.
pub(crate) fn bytes_of(solver: &Solver) -> u64 {
    let effort = solver.effort();
    400 * effort.sat.variables + 100 * effort.sat.clauses
}
