//! Engines on the gates of a system, for systems with memories: IC3, with cuts or without, and interpolation.
//!
//! Memories become registers, or, where they are too large for that, are abstracted by cells of them
//! (`prophecy`): a violation of the abstract system that contradicts what was written makes it finer. Before
//! an invariant is reported, a fresh solver has checked it.

use crate::engine::{Engine, Event, Finding, Shown};
use crate::options::Options;
use crate::pace::Grant;
use crate::problem::Part;
use crate::prophecy::{self, Prophecy};
use crate::recheck::{self, Outcome};
use crate::slices::Image;
use crate::trace;
use crate::verdict::{Error, Halt, Proof};
use bivalve::Why;
use bivalve::terms::{Pool, Term};
use bivalve_limits::Deadline;
use bivalve_systems::{Frame, NoRegisters, Registers, ReplayError, System};

/// Terms that are made in a step while a system is brought into another form.
pub(crate) const TERMS: u64 = 64;

/// What a search came upon.
pub(crate) enum Search {
    /// The property holds: clauses over the states that are an invariant.
    Invariant(Vec<Term>),
    /// A violation: values of the states and inputs of the system, frame by frame.
    Violated(Vec<Frame>),
    /// A level was finished.
    Level,
    /// The search was stopped; it can go on.
    Paused(Why),
}

/// A search for an invariant of a system without memories.
pub(crate) trait Prover {
    /// How far it has come.
    fn level(&self) -> usize;

    /// About the bytes that it has allocated.
    fn bytes(&self) -> u64;

    /// Goes on until something is known.
    fn step(&mut self, pool: &mut Pool, system: &System) -> Search;
}

/// Begins a search for `bad`, a condition of a system in normal form without arrays, with conditions on its
/// states that may be of use; the reason if it has too many gates, or the search was stopped.
pub(crate) type MakeProver = fn(&mut Pool, &System, Term, &[Term], &Grant) -> Result<Box<dyn Prover>, Why>;

/// The search for a proof or a violation of one property.
pub(crate) struct Proving {
    part: Part,
    make: MakeProver,
    prover: Box<dyn Prover>,
    /// The system that is worked on, whose memories are registers.
    registers: Registers,
    /// What memories are abstracted by that are too large for registers.
    prophecy: Option<Prophecy>,
    memory_bits: u64,
    obligations: bool,
    grant: Grant,
    /// Why it cannot go on.
    refused: Option<Why>,
}

impl Proving {
    /// Begins with memories as registers, or, if they are too large for that, abstracted.
    ///
    /// # Errors
    ///
    /// When the system, or its abstraction, has too many gates, or the search was stopped.
    pub(crate) fn new(
        pool: &mut Pool,
        part: &Part,
        options: &Options,
        grant: &Grant,
        make: MakeProver,
    ) -> Result<Proving, Why> {
        let start =
            |pool: &mut Pool, system: &System| begin(pool, system, &[], options.memory_bits, grant, make);
        let (mut result, mut abstraction) = (start(pool, &part.system), None);
        // Where small memories are too many, all are abstracted.
        for bits in [options.memory_bits, 0] {
            if !matches!(result, Err(Why::Incomplete(_))) {
                break;
            }
            let prophecy = Prophecy::new(pool, &part.system, bits, &grant.patient())?;
            result = start(pool, &prophecy.system);
            abstraction = Some(prophecy);
        }
        let (prover, registers) = result?;
        Ok(Proving {
            part: part.clone(),
            prover,
            make,
            registers,
            prophecy: abstraction,
            memory_bits: options.memory_bits,
            obligations: options.obligations,
            grant: grant.clone(),
            refused: None,
        })
    }

    /// A run that violates the system that is worked on violates the part, or makes its abstraction finer.
    fn violated(&mut self, pool: &mut Pool, run: Vec<Frame>) -> Result<Event, Halt> {
        let property = self.part.numbers[0];
        let broken = |fault: ReplayError| Halt::Failed(Error::Replay { property, fault });
        let system = self.registers.system.clone();
        let registers = &mut self.registers;
        let with_memories = self.prophecy.as_ref().map_or(&self.part.system, |prophecy| &prophecy.system);
        let image = |pool: &mut Pool, term| registers.image(pool, term);
        let run = trace::of_part(pool, with_memories, Image::plain, &system, image, run).map_err(broken)?;
        let Some(prophecy) = &mut self.prophecy else {
            return Ok(Event::Found(property, Finding::Run(run)));
        };
        let terms = pool.len();
        let found = prophecy.look_at(pool, run).map_err(broken)?;
        self.grant.pace.charge((pool.len() - terms) as u64 / TERMS);
        match found {
            Ok(prophecy::Finding::Run(run)) => Ok(Event::Found(property, Finding::Run(run))),
            Ok(prophecy::Finding::Refined) => {
                let predicates = prophecy.predicates(pool);
                match begin(pool, &prophecy.system, &predicates, self.memory_bits, &self.grant, self.make) {
                    Ok((prover, registers)) => {
                        (self.prover, self.registers) = (prover, registers);
                        Ok(Event::Further)
                    }
                    Err(why) => Ok(self.refuse(why)),
                }
            }
            Err(why) => Ok(self.refuse(why)),
        }
    }

    fn refuse(&mut self, why: Why) -> Event {
        self.refused = Some(why);
        Event::Over(why)
    }

    /// An invariant that a fresh solver can neither confirm nor refute decides nothing.
    fn proved(&mut self, pool: &mut Pool, clauses: Vec<Term>) -> Result<Event, Halt> {
        let (property, stop) = (self.part.numbers[0], self.grant.patient());
        let system = &self.registers.system;
        let invariant = Proof::Invariant(clauses);
        let proof = match &self.prophecy {
            None => invariant,
            Some(memories) => Proof::Abstracted { cells: memories.cells(), proof: Box::new(invariant) },
        };
        let bad = system.bads[0].term;
        let fresh = || bivalve::Solver::stopped_by(self.grant.settings.clone(), stop.clone());
        match recheck::check(pool, system, bad, &proof, &stop, fresh)? {
            Outcome::Holds => {}
            Outcome::Fails(fault) => return Err(Error::Proof { property, fault }.into()),
            Outcome::Open(why) => return Ok(self.refuse(why)),
        }
        let obligations = match self.obligations {
            true => recheck::obligations(pool, system, bad, &proof, &stop)?,
            false => vec![],
        };
        let registers = &mut self.registers;
        let proof = proof.map_invariant(&mut |clause| registers.preimage(pool, clause));
        let symbols = self.part.system.symbols().collect();
        let shown = Shown { pool: std::mem::take(pool), proof, obligations, symbols };
        Ok(Event::Found(property, Finding::Proof(Box::new(shown))))
    }
}

impl Engine for Proving {
    /// The highest level.
    fn depth(&self) -> usize {
        self.prover.level()
    }

    fn bytes(&self) -> u64 {
        self.prover.bytes()
    }

    fn step(&mut self, pool: &mut Pool, _: &mut [bool]) -> Result<Event, Halt> {
        if let Some(why) = self.refused {
            return Ok(Event::Over(why));
        }
        match self.prover.step(pool, &self.registers.system) {
            Search::Level => Ok(Event::Further),
            Search::Paused(why) => Ok(Event::Paused(why)),
            Search::Invariant(clauses) => self.proved(pool, clauses),
            Search::Violated(run) => self.violated(pool, run),
        }
    }
}

/// A search on a system whose memories become registers.
fn begin(
    pool: &mut Pool,
    system: &System,
    predicates: &[Term],
    bits: u64,
    grant: &Grant,
    make: MakeProver,
) -> Result<(Box<dyn Prover>, Registers), Why> {
    let terms = pool.len();
    let patient = grant.patient();
    let deadline = Deadline::stopped_by(&patient);
    let registers = Registers::new(pool, system, bits, &mut |cells| deadline.step(cells));
    let registers = registers.map_err(|refusal| match refusal {
        NoRegisters::TooLarge { .. } => Why::Incomplete("a memory is too large for registers"),
        NoRegisters::TooMany => Why::Incomplete("memories are too large for registers"),
        NoRegisters::Stopped => deadline.reason().unwrap_or(Why::Interrupted),
    })?;
    let bad = registers.system.bads[0].term;
    let prover = make(pool, &registers.system, bad, predicates, grant)?;
    grant.pace.charge((pool.len() - terms) as u64 / TERMS);
    Ok((prover, registers))
}
