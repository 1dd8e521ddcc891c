//! The model checker: engines in turn until every property is decided.
//!
//! A round gives each engine a budget of steps, twice that of the round before, so no engine costs more than
//! a constant factor of what the fastest one would have taken alone, and the same input takes the same course
//! on every machine. Bounded model checking looks at all properties together; the other engines have one
//! instance for each, over its cone of influence.

use crate::bmc::{self, Bmc};
use crate::ic3::{self, Ic3};
use crate::induction::{self, Induction};
use crate::influence::cone_of_influence;
use crate::liveness;
use crate::normalize::Normalized;
use crate::options::{Engine, Options};
use crate::property::{Attempt, Property, Search};
use crate::prophecy::{Finding, Prophecy};
use crate::recheck::{self, Obligation};
use crate::shorter::{self, Shorter};
use crate::slices::Image;
use crate::trace;
use crate::verdict::{Error, Halt, Proof, Verdict};
use bivalve::terms::{Pool, Term};
use bivalve::{Effort, Settings, Solver, Stop, Why};
use bivalve_limits::Deadline;
use bivalve_systems::{Frame, NoRegisters, Registers, System};

/// The steps of the first round, times the share of an engine: a fraction of a second.
const FIRST_BUDGET: u64 = 500_000;

/// What engines have of a round: IC3 decides most, and its steps are short; induction is fast or fails.
const SHARE_OF_BMC: u64 = 2;
const SHARE_OF_INDUCTION: u64 = 1;
const SHARE_OF_IC3: u64 = 8;

/// What was spent until IC3 found a violation, divided by this, may be spent on shorter ones; the budget of
/// the first round in any case.
const PART_FOR_SHORTER: u64 = 4;

/// The rounds that a system which watches a justice property has at first.
const FIRST_ROUNDS: u32 = 3;

/// The most times that the conditions of a justice property are counted.
const MOST_TIMES: usize = 64;

/// What a listener is told now and then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The engine at work: `bmc`, `induction` or `ic3`.
    pub engine: &'static str,
    /// The property it is at; none for all that are open.
    pub property: Option<usize>,
    /// The frame, the `k` or the level it has reached.
    pub depth: usize,
    /// Properties that are not decided.
    pub open: usize,
}

/// What is known of the properties of a system, in its order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verdicts {
    /// Of its bad states.
    pub bads: Vec<Verdict>,
    /// Of its justice properties.
    pub justices: Vec<Verdict>,
    /// What the proofs of both come down to, bad states first, if [`Options::obligations`] asks for it; none
    /// for a property that does not hold.
    pub obligations: Vec<Vec<Obligation>>,
}

/// Decides whether the bad states of a well-formed system can be reached, and whether its justice properties
/// can be violated. `listener` is told what is going on.
///
/// # Errors
///
/// When the solver refuses a condition, or a self-check fails.
pub fn check(
    pool: &mut Pool,
    system: &System,
    options: &Options,
    stop: &Stop,
    listener: &mut dyn FnMut(Progress),
) -> Result<Verdicts, Error> {
    let (bads, _) = reach(pool, system, options, u32::MAX, stop, listener)?;
    let (bads, mut obligations): (Vec<_>, Vec<_>) = bads.into_iter().unzip();
    let mut justices = vec![];
    for number in 0..system.justices.len() {
        let (verdict, shown) = decide_justice(pool, system, number, options, stop, listener)?;
        justices.push(verdict);
        obligations.push(shown);
    }
    Ok(Verdicts { bads, justices, obligations })
}

/// A verdict, and what its proof comes down to.
type Shown = (Verdict, Vec<Obligation>);

/// Decides a justice property by systems that watch it, in turn, with more rounds each time.
fn decide_justice(
    pool: &mut Pool,
    system: &System,
    number: usize,
    options: &Options,
    stop: &Stop,
    listener: &mut dyn FnMut(Progress),
) -> Result<Shown, Error> {
    let watch = liveness::lasso(pool, system, number);
    let (mut rounds, mut k) = (FIRST_ROUNDS, 1);
    loop {
        let (mut verdicts, goes_on) = reach(pool, &watch.system, options, rounds, stop, listener)?;
        let (verdict, shown) = verdicts.remove(0);
        match verdict {
            Verdict::Violated(found) => {
                let witness = watch.witness(system, number, found);
                trace::replay(pool, system, &witness, number)?;
                return Ok((Verdict::Violated(witness), vec![]));
            }
            Verdict::Holds(proof) => return Ok((Verdict::Holds(Proof::NoLasso(Box::new(proof))), shown)),
            Verdict::Unknown(..) if !goes_on => return Ok((verdict, vec![])),
            Verdict::Unknown(..) => {}
        }
        if options.engine != Engine::Bmc {
            let counting = liveness::count(pool, system, number, k);
            let (mut verdicts, _) = reach(pool, &counting, options, rounds, stop, listener)?;
            match verdicts.remove(0) {
                (Verdict::Holds(proof), shown) => {
                    let proof = Proof::Bounded { times: k, proof: Box::new(proof) };
                    return Ok((Verdict::Holds(proof), shown));
                }
                (Verdict::Violated(_), _) if k < MOST_TIMES => k *= 2,
                (Verdict::Violated(_) | Verdict::Unknown(..), _) => {}
            }
        }
        rounds += 1;
    }
}

/// Decides whether the bad states of a system can be reached, within so many rounds; and whether more rounds
/// may decide more.
fn reach(
    pool: &mut Pool,
    system: &System,
    options: &Options,
    rounds: u32,
    stop: &Stop,
    listener: &mut dyn FnMut(Progress),
) -> Result<(Vec<Shown>, bool), Error> {
    let normalized = Normalized::new(pool, system, stop);
    let properties = (0..system.bads.len()).map(|number| Property::new(pool, &normalized, number)).collect();
    let all = cone_of_influence(pool, &normalized.system, normalized.system.bads.clone());
    let bads = all.bads.iter().map(|bad| bad.term).collect();
    let first_frame = if options.engine == Engine::Bmc { options.first_frame } else { 0 };
    let bmc = Bmc::new(all, bads, first_frame, solver(&options.settings, stop), stop);
    let mut checker = Checker { system, normalized, options, stop, listener, properties, bmc };
    let goes_on = match checker.run(pool, rounds) {
        Ok(goes_on) => goes_on,
        Err(Halt::Stopped) => false,
        Err(Halt::Failed(error)) => return Err(error),
    };
    let frames = checker.bmc.frames();
    let verdict = |property: Property| {
        let refused = match (property.verdict, property.ic3) {
            (Some(verdict), _) => return (verdict, property.obligations),
            (None, Attempt::Refused(why)) if options.engine == Engine::Ic3 => Some(why),
            _ => None,
        };
        (Verdict::Unknown(stop.reason().or(refused).unwrap_or(Why::Budget), frames), vec![])
    };
    Ok((checker.properties.into_iter().map(verdict).collect(), goes_on))
}

fn solver(settings: &Settings, stop: &Stop) -> Solver {
    let solver = Solver::new(settings.clone());
    let outer = stop.clone();
    solver.stop_handle().ask(move || outer.reason().is_some());
    solver
}

struct Checker<'a> {
    system: &'a System,
    normalized: Normalized,
    options: &'a Options,
    stop: &'a Stop,
    listener: &'a mut dyn FnMut(Progress),
    properties: Vec<Property>,
    bmc: Bmc,
}

impl Checker<'_> {
    /// Returns whether more rounds may decide more. Some limits, that of gates for one, end a check in the
    /// same way as its budget does, so rounds end when the budget is as large as it can be.
    fn run(&mut self, pool: &mut Pool, rounds: u32) -> Result<bool, Halt> {
        let engine = self.options.engine;
        let mut budget = FIRST_BUDGET;
        for _ in 0..rounds {
            if self.is_over() {
                return Ok(false);
            }
            let mut goes_on = false;
            if engine != Engine::Ic3 {
                goes_on |= self.run_bmc(pool, budget.saturating_mul(SHARE_OF_BMC))?;
            }
            for number in 0..self.properties.len() {
                if self.is_over() {
                    break;
                }
                if matches!(engine, Engine::Auto | Engine::Induction) && self.properties[number].is_open() {
                    goes_on |= self.run_induction(pool, number, budget.saturating_mul(SHARE_OF_INDUCTION))?;
                }
                if matches!(engine, Engine::Auto | Engine::Ic3) && self.properties[number].is_open() {
                    goes_on |= self.run_ic3(pool, number, budget.saturating_mul(SHARE_OF_IC3))?;
                }
            }
            if !goes_on {
                return Ok(false);
            }
            match budget.checked_mul(2) {
                Some(twice) => budget = twice,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Whether nothing is left to do, or nothing may be done.
    fn is_over(&self) -> bool {
        let is_violated = |property: &Property| matches!(property.verdict, Some(Verdict::Violated(_)));
        let is_enough = self.options.stop_at_first && self.properties.iter().any(is_violated);
        is_enough || self.stop.reason().is_some() || !self.properties.iter().any(Property::is_open)
    }

    fn tell(&mut self, engine: &'static str, property: Option<usize>, depth: usize) {
        let open = self.properties.iter().filter(|property| property.is_open()).count();
        (self.listener)(Progress { engine, property, depth, open });
    }

    /// Returns whether there is more to do.
    fn run_bmc(&mut self, pool: &mut Pool, budget: u64) -> Result<bool, Halt> {
        let end = work(self.bmc.solver(), pool).saturating_add(budget);
        loop {
            let spent = work(self.bmc.solver(), pool);
            if spent >= end {
                return Ok(true);
            }
            if self.options.most_frames.is_some_and(|most| self.bmc.frames() >= most) {
                return Ok(false);
            }
            self.tell("bmc", None, self.bmc.frames());
            let is_part = bmc::grant(self.bmc.solver(), &self.options.settings, end - spent);
            let properties = &self.properties;
            match self.bmc.step(pool, |number| properties[number].is_open())? {
                bmc::Event::Frame => {}
                bmc::Event::Paused(why) => return Ok(why == Why::Budget && is_part),
                bmc::Event::Violated(number) => self.violated_in_bmc(pool, number)?,
                bmc::Event::NoRun => {
                    let frames = self.bmc.frames();
                    for number in 0..self.properties.len() {
                        if self.properties[number].is_open() {
                            self.holds_in_part(pool, number, Proof::NoLongerRun { frames })?;
                        }
                    }
                    return Ok(false);
                }
            }
            self.confirm_inductive(pool)?;
            if self.is_over() {
                return Ok(false);
            }
        }
    }

    fn violated_in_bmc(&mut self, pool: &mut Pool, number: usize) -> Result<(), Halt> {
        let frames = self.bmc.frames() + 1;
        let (model, unrolling) = self.bmc.model();
        let run = trace::of_model(pool, self.system, &self.normalized, unrolling, model, frames)?;
        let witness = trace::replayed(pool, self.system, number, run)?;
        self.properties[number].verdict = Some(Verdict::Violated(witness));
        Ok(())
    }

    /// Believes steps of induction whose first frames were searched by now.
    fn confirm_inductive(&mut self, pool: &mut Pool) -> Result<(), Halt> {
        for number in 0..self.properties.len() {
            let property = &self.properties[number];
            if let (true, Some(k), Some(engine)) =
                (property.is_open(), property.inductive, &property.induction)
                && self.bmc.frames() >= k
            {
                let distinct = engine.distinct().to_vec();
                self.holds_in_part(pool, number, Proof::Induction { k, distinct })?;
            }
        }
        Ok(())
    }

    /// Returns whether there is more to do.
    fn run_induction(&mut self, pool: &mut Pool, number: usize, budget: u64) -> Result<bool, Halt> {
        let property = &mut self.properties[number];
        if property.inductive.is_some() {
            return Ok(true);
        }
        let mut engine = property.induction.take().unwrap_or_else(|| {
            let solver = solver(&self.options.settings, self.stop);
            Induction::new(property.part.clone(), property.bad, solver, self.options.simple_paths, self.stop)
        });
        let end = work(engine.solver(), pool).saturating_add(budget);
        let goes_on = loop {
            let spent = work(engine.solver(), pool);
            if spent >= end {
                break true;
            }
            if self.options.most_frames.is_some_and(|most| engine.k() > most) {
                break false;
            }
            self.tell("induction", Some(number), engine.k());
            let is_part = bmc::grant(engine.solver(), &self.options.settings, end - spent);
            match engine.step(pool)? {
                induction::Event::Next => {}
                induction::Event::Inductive => {
                    self.properties[number].inductive = Some(engine.k());
                    break true;
                }
                induction::Event::Paused(why) => break why == Why::Budget && is_part,
            }
        };
        self.properties[number].induction = Some(engine);
        self.confirm_inductive(pool)?;
        Ok(goes_on)
    }

    /// Returns whether there is more to do.
    fn run_ic3(&mut self, pool: &mut Pool, number: usize, budget: u64) -> Result<bool, Halt> {
        let attempt = std::mem::replace(&mut self.properties[number].ic3, Attempt::Untried);
        let begun = match attempt {
            Attempt::Running(search) => Ok(search),
            Attempt::Refused(why) => Err(why),
            Attempt::Untried => self.begin_ic3(pool, number).map(Box::new),
        };
        let mut search = match begun {
            Ok(search) => search,
            Err(why) => {
                self.properties[number].ic3 = Attempt::Refused(why);
                return Ok(false);
            }
        };
        let end = search.work().saturating_add(budget);
        let goes_on = loop {
            let spent = search.work();
            if spent >= end {
                break true;
            }
            self.tell("ic3", Some(number), search.engine.level());
            match search.engine.step(pool, &search.registers.system, end - spent) {
                ic3::Event::Level => {}
                ic3::Event::Paused(why) => break why == Why::Budget,
                ic3::Event::Invariant(clauses) => {
                    let system = &search.registers.system;
                    let proof = Proof::Invariant(clauses);
                    let proof = match &search.prophecy {
                        None => proof,
                        Some(memories) => {
                            Proof::Abstracted { cells: memories.cells(), proof: Box::new(proof) }
                        }
                    };
                    self.holds(pool, number, system, system.bads[0].term, proof)?;
                    break false;
                }
                ic3::Event::Violated(frames) => {
                    match self.violated_in_ic3(pool, number, &mut search, frames)? {
                        Some(why) => {
                            self.properties[number].ic3 = Attempt::Refused(why);
                            return Ok(false);
                        }
                        None if self.properties[number].is_open() => {}
                        None => break false,
                    }
                }
            }
        };
        self.properties[number].ic3 = Attempt::Running(search);
        Ok(goes_on)
    }

    /// A run that IC3 has found violates the property, or makes the abstraction of memories finer; returns
    /// why if neither.
    fn violated_in_ic3(
        &mut self,
        pool: &mut Pool,
        number: usize,
        search: &mut Search,
        frames: Vec<Frame>,
    ) -> Result<Option<Why>, Halt> {
        let broken = |fault| Error::Replay { property: number, fault };
        let at = (search.engine.level(), search.work());
        let Search { registers, prophecy, .. } = search;
        let Some(prophecy) = prophecy else {
            let system = registers.system.clone();
            let image = |pool: &mut Pool, term| registers.image(pool, term);
            let run = trace::of_part(
                pool,
                self.system,
                |symbol| self.normalized.image(symbol).clone(),
                &system,
                image,
                frames,
            );
            return self.violated(pool, number, run.map_err(broken)?, at).map(|()| None);
        };
        let system = registers.system.clone();
        let image = |pool: &mut Pool, term| registers.image(pool, term);
        let frames = trace::of_part(pool, &prophecy.system, Image::plain, &system, image, frames);
        let terms = pool.len();
        match prophecy.look_at(pool, frames.map_err(broken)?).map_err(broken)? {
            Err(why) => Ok(Some(why)),
            Ok(Finding::Run(frames)) => {
                let part = &self.properties[number].part;
                let run = trace::of_part(
                    pool,
                    self.system,
                    |symbol| self.normalized.image(symbol).clone(),
                    part,
                    |_, term| term,
                    frames,
                );
                self.violated(pool, number, run.map_err(broken)?, at).map(|()| None)
            }
            Ok(Finding::Refined) => {
                search.spent = search.work().saturating_add(20 * (pool.len() - terms) as u64);
                let prophecy = search.prophecy.as_ref().expect("it was refined");
                let predicates = prophecy.predicates(pool);
                match self.start_ic3(pool, &prophecy.system, &predicates) {
                    Ok(started) => (search.engine, search.registers) = started,
                    Err(why) => return Ok(Some(why)),
                }
                Ok(None)
            }
        }
    }

    /// Notes a violation that IC3 has found at a level. Then it looks for shorter ones, for a part of what
    /// was spent so far; the frames before that of the level were searched.
    fn violated(
        &mut self,
        pool: &mut Pool,
        number: usize,
        run: Vec<Frame>,
        (level, spent): (usize, u64),
    ) -> Result<(), Halt> {
        let witness = trace::replayed(pool, self.system, number, run)?;
        let mut last = witness.frames.len() - 1;
        self.properties[number].verdict = Some(Verdict::Violated(witness));
        let first = level.max(self.bmc.frames());
        if self.options.engine != Engine::Auto || first >= last {
            return Ok(());
        }
        let budget = spent.saturating_add(work(self.bmc.solver(), pool)) / PART_FOR_SHORTER;
        let budget = budget.max(FIRST_BUDGET);
        let property = &self.properties[number];
        let solver = solver(&self.options.settings, self.stop);
        let mut engine = Shorter::new(property.part.clone(), property.bad, first, solver, self.stop);
        let end = work(engine.solver(), pool).saturating_add(budget);
        loop {
            let spent = work(engine.solver(), pool);
            if spent >= end {
                return Ok(());
            }
            self.tell("bmc", Some(number), last);
            let is_part = bmc::grant(engine.solver(), &self.options.settings, end - spent);
            let frame = match engine.step(pool, last)? {
                shorter::Event::Shorter(frame) => frame,
                shorter::Event::Paused(Why::Budget) if is_part => continue,
                shorter::Event::Paused(_) | shorter::Event::Shortest => return Ok(()),
            };
            let (model, unrolling) = engine.model();
            let run = trace::of_model(pool, self.system, &self.normalized, unrolling, model, frame + 1)?;
            let witness = trace::replayed(pool, self.system, number, run)?;
            self.properties[number].verdict = Some(Verdict::Violated(witness));
            last = frame;
        }
    }

    /// Begins with memories as registers, or, if they are too large for that, abstracted.
    fn begin_ic3(&self, pool: &mut Pool, number: usize) -> Result<Search, Why> {
        let part = &self.properties[number].part;
        match self.start_ic3(pool, part, &[]) {
            Ok((engine, registers)) => return Ok(Search { engine, registers, prophecy: None, spent: 0 }),
            Err(Why::Incomplete(_)) => {}
            Err(why) => return Err(why),
        }
        // Where small memories are too many, all are abstracted.
        let mut result = Err(Why::Budget);
        for bits in [self.options.memory_bits, 0] {
            let prophecy = Prophecy::new(pool, part, bits, self.stop)?;
            result = self.start_ic3(pool, &prophecy.system, &[]).map(|(engine, registers)| Search {
                engine,
                registers,
                prophecy: Some(prophecy),
                spent: 0,
            });
            if !matches!(result, Err(Why::Incomplete(_))) {
                break;
            }
        }
        result
    }

    fn start_ic3(
        &self,
        pool: &mut Pool,
        system: &System,
        predicates: &[Term],
    ) -> Result<(Ic3, Registers), Why> {
        let deadline = Deadline::stopped_by(self.stop);
        let bits = self.options.memory_bits;
        let registers = Registers::new(pool, system, bits, &mut |cells| deadline.step(cells));
        let registers = registers.map_err(|refusal| match refusal {
            NoRegisters::TooLarge { .. } => Why::Incomplete("a memory is too large for registers"),
            NoRegisters::TooMany => Why::Incomplete("memories are too large for registers"),
            NoRegisters::Stopped => deadline.reason().expect("it is over"),
        })?;
        let bad = registers.system.bads[0].term;
        let engine = Ic3::new(pool, &registers.system, bad, predicates, self.stop)?;
        Ok((engine, registers))
    }

    /// Notes that a property holds; the proof is about `bad` in a system in normal form. A proof that the
    /// fresh solver can neither confirm nor refute within the limits that are set decides nothing.
    fn holds(
        &mut self,
        pool: &mut Pool,
        number: usize,
        system: &System,
        bad: Term,
        proof: Proof,
    ) -> Result<(), Halt> {
        let mut verdict = Verdict::Holds(proof);
        if let Verdict::Holds(proof) = &verdict
            && (self.options.recheck || matches!(proof, Proof::Invariant(_) | Proof::Abstracted { .. }))
        {
            let solver = || solver(&self.options.settings, self.stop);
            match recheck::check(pool, system, bad, proof, self.stop, solver)? {
                recheck::Outcome::Holds => {}
                recheck::Outcome::Fails(fault) => return Err(Error::Proof { property: number, fault }.into()),
                recheck::Outcome::Open(why) => verdict = Verdict::Unknown(why, self.bmc.frames()),
            }
        }
        if let (true, Verdict::Holds(proof)) = (self.options.obligations, &verdict) {
            let obligations = recheck::obligations(pool, system, bad, proof, self.stop)?;
            self.properties[number].obligations = obligations;
        }
        self.properties[number].verdict = Some(verdict);
        Ok(())
    }

    /// The same for a proof about the part of the system that the property depends on.
    fn holds_in_part(&mut self, pool: &mut Pool, number: usize, proof: Proof) -> Result<(), Halt> {
        let part = std::mem::take(&mut self.properties[number].part);
        let result = self.holds(pool, number, &part, part.bads[0].term, proof);
        self.properties[number].part = part;
        result
    }
}

/// What a solver has spent, as all engines count it: about a tenth of a microsecond each step.
/// Propagations are one step, and clauses, terms and checks so many as they take as long.
fn work(solver: &Solver, pool: &Pool) -> u64 {
    let Effort { checks, sat, .. } = solver.effort();
    let built = 10 * sat.clauses + 20 * pool.len() as u64;
    built + 100 * checks + sat.propagations.or(sat.conflicts).unwrap_or(0)
}
