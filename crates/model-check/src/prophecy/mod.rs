//! Memories by prophecy: proofs for memories that are too large to become registers.
//!
//! Mann, Irfan, Griggio, Padon and Barrett (TACAS 2021). The abstract system has no arrays. It tracks some
//! cells `M[p]` as registers, each at a symbol `p` that never changes; a read elsewhere gives anything. If a
//! violation of it contradicts what was written (see `walk`), one more cell is tracked, that which was read:
//! `p` is what its index was so many frames before the violation. Why it is right: take a violation of the
//! system, let each `p` be what the index is at that frame (anything if the run is shorter), and each read
//! what it is. That is a violation of the abstract system: its registers and constraints say only what is so
//! for every `p`. So without one there, there is none here; and a violation is replayed. Cost: a cell costs
//! a choice for each write, and a comparison for each read.

mod abstraction;
mod walk;

use crate::influence::cone_of_influence;
use abstraction::{Abstraction, Cell, Memories, Symbols};
use bivalve::terms::{Pool, Term};
use bivalve::{Stop, Why};
use bivalve_limits::Deadline;
use bivalve_systems::{Frame, ReplayError, System};
use std::collections::BTreeSet;
pub(crate) use walk::Broken;

/// The most cells that are tracked.
const MOST_CELLS: usize = 16;

/// The most cells that are tracked for one index. Where longer and longer runs demand its value in an earlier
/// and earlier frame, no number of them would do.
const MOST_DELAYS: usize = 5;

/// The most frames that the history of an index goes back.
const MOST_DELAY: usize = 16;

/// The steps of one abstraction, or of one look at a violation of it.
const MOST_STEPS: u64 = 20_000_000;

/// A system and its abstraction, which becomes finer.
pub(crate) struct Prophecy {
    /// The system with memories, in normal form.
    part: System,
    memories: Memories,
    cells: Vec<Cell>,
    /// Memories with two indices at which reads agree if the indices do.
    congruences: BTreeSet<(Term, [Term; 2])>,
    symbols: Symbols,
    abstraction: Abstraction,
    /// The part of the abstract system that matters.
    pub(crate) system: System,
    stop: Stop,
}

/// What a violation of the abstract system comes down to.
pub(crate) enum Finding {
    /// A violation of the system with memories.
    Run(Vec<Frame>),
    /// It is none; the abstraction is finer now.
    Refined,
}

impl Prophecy {
    /// The abstraction of a system in normal form with one bad state that tracks no cells. Memories of at
    /// most `bits` bits stay.
    ///
    /// # Errors
    ///
    /// When terms cannot be abstracted, or become too many, or the stop flag was raised.
    pub(crate) fn new(pool: &mut Pool, part: &System, bits: u64, stop: &Stop) -> Result<Prophecy, Why> {
        let mut prophecy = Prophecy {
            memories: Memories::new(pool, part, bits)?,
            part: part.clone(),
            cells: vec![],
            congruences: BTreeSet::new(),
            symbols: Symbols::default(),
            abstraction: Abstraction::default(),
            system: System::default(),
            stop: stop.clone(),
        };
        prophecy.build(pool)?;
        Ok(prophecy)
    }

    /// The number of cells that are tracked.
    pub(crate) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Conditions on the abstract states that invariants are about: which index is which tracked cell.
    pub(crate) fn predicates(&self, pool: &mut Pool) -> Vec<Term> {
        self.abstraction.predicates(pool, &self.cells, &self.system)
    }

    /// Looks at a violation of the abstract system: for each of its symbols the value in each frame. Returns
    /// what was found.
    ///
    /// # Errors
    ///
    /// When that is no violation of it; or it cannot be made finer, or the stop flag was raised.
    pub(crate) fn look_at(
        &mut self,
        pool: &mut Pool,
        run: Vec<Frame>,
    ) -> Result<Result<Finding, Why>, ReplayError> {
        let deadline = Deadline::new(&self.stop, MOST_STEPS);
        let last = run.len() - 1;
        let walked = self.walk(pool, run, &deadline)?;
        Ok(match walked {
            Err(why) => Err(why),
            Ok(walk::Walked::Run(frames)) => Ok(Finding::Run(frames)),
            Ok(walk::Walked::Broken(broken)) => self.refine(pool, broken, last).map(|()| Finding::Refined),
        })
    }

    /// Excludes a violation with what is broken in it.
    fn refine(&mut self, pool: &mut Pool, broken: Broken, last: usize) -> Result<(), Why> {
        match broken {
            Broken::Congruence(memory, indices) => {
                self.congruences.insert((memory, indices));
            }
            Broken::Cell { group, index, frame } => {
                let is_frozen = self.memories.is_frozen(pool, index);
                let delay = if is_frozen { 0 } else { last - frame };
                let is_of_index = |cell: &&Cell| cell.group == group && cell.index == index;
                let of_index: Vec<&Cell> = self.cells.iter().filter(is_of_index).collect();
                let is_too_many = self.cells.len() >= MOST_CELLS || of_index.len() >= MOST_DELAYS;
                let is_known = of_index.iter().any(|cell| cell.delay == delay);
                if is_known || is_too_many || delay > MOST_DELAY {
                    return Err(Why::Incomplete("no cells of memories were found that decide"));
                }
                let at = if is_frozen {
                    index
                } else {
                    pool.symbol(&format!("prophecy{}", self.cells.len()), pool.sort(index))
                };
                self.cells.push(Cell { group, index, delay, at });
            }
        }
        self.build(pool)
    }

    fn build(&mut self, pool: &mut Pool) -> Result<(), Why> {
        let deadline = Deadline::new(&self.stop, MOST_STEPS);
        let built = Abstraction::new(
            pool,
            &self.part,
            &self.memories,
            &self.cells,
            &self.congruences,
            &mut self.symbols,
            &deadline,
        );
        self.abstraction = built?;
        let system = &self.abstraction.system;
        self.system = cone_of_influence(pool, system, system.bads.clone());
        Ok(())
    }
}

/// Why a walk under a deadline ended.
fn reason(deadline: &Deadline) -> Why {
    match deadline.reason() {
        None | Some(Why::Budget) => Why::Incomplete("the abstraction of memories is too large"),
        Some(why) => why,
    }
}
