//! The model checker: engines in turn until every property is decided.
//!
//! A round grants each engine steps, twice those of the round before, so no engine costs more than a constant
//! factor of what the fastest one would have taken alone, and the same input takes the same course on every
//! machine. Bounded model checking looks at all properties together; the other engines have one instance for
//! each, over its cone of influence. What they do in a round is in `crew`; here is what their findings mean.

use crate::circuit::{NoCircuit, circuit};
use crate::crew::{Job, News, Plan, Report, Round};
use crate::engine::{Finding, Row, Shown, rows};
use crate::influence::cone_of_influence;
use crate::liveness;
use crate::normalize::Normalized;
use crate::options::{Engine, Options};
use crate::pace::{Grant, Pace, UNDECIDED};
use crate::problem::{Part, import};
use crate::property::Property;
use crate::recheck::{self, Obligation};
use crate::shorter::{self, Shorter};
use crate::threads::{self, Crew};
use crate::trace;
use crate::verdict::{Error, Halt, Proof, Verdict};
use bivalve::terms::{Pool, Term, TermMap};
use bivalve::{Solver, Stop, Why};
use bivalve_systems::{Claim, Frame, System};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// What was spent until an engine found a violation, divided by this, may be spent on shorter ones, and in
/// any case so many steps.
const PART_FOR_SHORTER: u64 = 8;
const FIRST_FOR_SHORTER: u64 = 14_000;

/// However few engines run, each may grow by no more than this part of the memory that is left.
const LEAST_SPARED: usize = 4;

/// No round has more steps than this doubles a budget.
const MOST_ROUNDS: u32 = 48;

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
    /// A circuit that shows that no bad state is reached, if [`Options::circuit`] asks for it, or why there
    /// is none.
    pub circuit: Option<Result<System, NoCircuit>>,
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
    let asked: Vec<bool> = (0..system.bads.len()).map(|number| options.asks(Claim::Bad(number))).collect();
    let Reached { decided, first, .. } = reach(pool, system, &asked, options, u32::MAX, stop, listener)?;
    let (bads, mut obligations): (Vec<_>, Vec<_>) = decided.into_iter().unzip();
    let circuit = options.circuit.then(|| circuit(pool, system, first, &bads));
    let mut justices = vec![];
    for number in 0..system.justices.len() {
        let (verdict, shown) = match options.asks(Claim::Justice(number)) {
            true => decide_justice(pool, system, number, options, stop, listener)?,
            false => (Verdict::Unknown(Why::Interrupted, 0), vec![]),
        };
        justices.push(verdict);
        obligations.push(shown);
    }
    Ok(Verdicts { bads, justices, obligations, circuit })
}

/// A verdict, and what its proof comes down to.
type Decided = (Verdict, Vec<Obligation>);

/// Decides a justice property by systems that watch it, in turn, with more rounds each time.
fn decide_justice(
    pool: &mut Pool,
    system: &System,
    number: usize,
    options: &Options,
    stop: &Stop,
    listener: &mut dyn FnMut(Progress),
) -> Result<Decided, Error> {
    let watch = liveness::lasso(pool, system, number);
    let (mut rounds, mut k) = (FIRST_ROUNDS, 1);
    loop {
        let mut reached = reach(pool, &watch.system, &[true], options, rounds, stop, listener)?;
        let (verdict, shown) = reached.decided.remove(0);
        match verdict {
            Verdict::Violated(found) => {
                let witness = watch.witness(system, number, found);
                trace::replay(pool, system, &witness, number)?;
                return Ok((Verdict::Violated(witness), vec![]));
            }
            Verdict::Holds(proof) => return Ok((Verdict::Holds(Proof::NoLasso(Box::new(proof))), shown)),
            Verdict::Unknown(..) if !reached.goes_on => return Ok((verdict, vec![])),
            Verdict::Unknown(..) => {}
        }
        if options.engine != Engine::Bmc {
            let counting = liveness::count(pool, system, number, k);
            let mut reached = reach(pool, &counting, &[true], options, rounds, stop, listener)?;
            match reached.decided.remove(0) {
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

/// What is known of bad states after some rounds.
struct Reached {
    decided: Vec<Decided>,
    /// Whether more rounds may decide more.
    goes_on: bool,
    /// The state of the normal form that is true in the first frame only, if there is one.
    first: Option<Term>,
}

/// Decides whether the bad states of a system that are asked for can be reached, within so many rounds.
fn reach(
    pool: &mut Pool,
    system: &System,
    asked: &[bool],
    options: &Options,
    rounds: u32,
    stop: &Stop,
    listener: &mut dyn FnMut(Progress),
) -> Result<Reached, Error> {
    let normalized = Normalized::new(pool, system, options.circuit, stop);
    let first = normalized.first;
    let property = |(number, &is_asked)| Property::new(pool, &normalized, number, is_asked);
    let properties: Vec<Property> = asked.iter().enumerate().map(property).collect();
    let numbers: Vec<usize> = (0..asked.len()).filter(|&number| asked[number]).collect();
    let bads = numbers.iter().map(|&number| normalized.system.bads[number].clone()).collect();
    let whole = Part { system: cone_of_influence(pool, &normalized.system, bads), numbers };
    // Where more rounds may follow, none is left out.
    let racing = options.racing && options.threads > 1 && rounds == u32::MAX;
    let plan = Plan::new(&Options { racing, ..options.clone() }, stop, properties.len());
    let mut checker =
        Checker { system, normalized, options, stop, listener, properties, whole, standings: vec![] };
    let goes_on = checker.run(pool, &plan, rounds)?;
    let (frames, whole_why) = (checker.frames(), checker.reason(None));
    let reasons: Vec<Option<Why>> = (0..checker.properties.len()).map(|i| checker.reason(Some(i))).collect();
    let verdict = |(property, reason): (Property, Option<Why>)| match property.verdict {
        Some(verdict) => (verdict, property.obligations),
        None => {
            let why = stop.reason().or(reason).or(whole_why).unwrap_or(Why::Budget);
            (Verdict::Unknown(why, frames), vec![])
        }
    };
    Ok(Reached {
        decided: checker.properties.into_iter().zip(reasons).map(verdict).collect(),
        goes_on,
        first,
    })
}

/// An engine, and how it is doing.
struct Standing {
    row: &'static Row,
    /// Its property; none for all.
    property: Option<usize>,
    depth: usize,
    spent: u64,
    bytes: u64,
    over: Option<Why>,
}

struct Checker<'a> {
    system: &'a System,
    normalized: Normalized,
    options: &'a Options,
    stop: &'a Stop,
    listener: &'a mut dyn FnMut(Progress),
    properties: Vec<Property>,
    /// What all properties depend on.
    whole: Part,
    /// Engines in the order of their turns.
    standings: Vec<Standing>,
}

impl Checker<'_> {
    /// Returns whether more rounds may decide more.
    fn run(&mut self, pool: &mut Pool, plan: &Plan, rounds: u32) -> Result<bool, Error> {
        for row in rows(self.options.engine) {
            let properties: Vec<Option<usize>> =
                if row.each { self.whole.numbers.iter().copied().map(Some).collect() } else { vec![None] };
            self.standings.extend(properties.into_iter().map(|property| Standing {
                row,
                property,
                depth: 0,
                spent: 0,
                bytes: 0,
                over: None,
            }));
        }
        let jobs = self.standings.iter().enumerate().map(|(place, standing)| Job::new(place, *standing.row));
        let jobs: Vec<Job> = jobs.collect();
        match self.options.threads.min(jobs.len()) {
            0 | 1 => self.alone(pool, plan, jobs, rounds),
            threads => self.together(pool, plan, threads, rounds),
        }
    }

    fn alone(
        &mut self,
        pool: &mut Pool,
        plan: &Plan,
        mut jobs: Vec<Job>,
        rounds: u32,
    ) -> Result<bool, Error> {
        let mut dropped = vec![];
        for number in 0..rounds.min(MOST_ROUNDS) {
            if self.is_over() {
                return Ok(false);
            }
            let round = self.round(pool, number, dropped);
            for (place, job) in jobs.iter_mut().enumerate() {
                let part = match self.standings[place].property {
                    Some(property) => &self.properties[property].part,
                    None => &self.whole,
                };
                let report = job.turn(plan, (pool, part), &round, self.listener)?;
                self.take_in(pool, report)?;
                if self.is_over() {
                    return Ok(false);
                }
            }
            if self.is_exhausted() {
                return Ok(false);
            }
            dropped = self.hogs(pool);
        }
        Ok(true)
    }

    /// The same with engines on several threads.
    fn together(&mut self, pool: &mut Pool, plan: &Plan, threads: usize, rounds: u32) -> Result<bool, Error> {
        let parts = self.standings.iter().map(|standing| match standing.property {
            Some(property) => self.properties[property].part.clone(),
            None => self.whole.clone(),
        });
        let seats = self.standings.iter().map(|standing| *standing.row).zip(parts).collect();
        threads::with_crew(pool, plan, threads, seats, |pool, crew| {
            if plan.options.racing {
                let result = self.race(pool, plan, crew);
                plan.end();
                return result;
            }
            let mut dropped = vec![];
            for number in 0..rounds.min(MOST_ROUNDS) {
                if self.is_over() {
                    return Ok(false);
                }
                let round = self.round(pool, number, dropped);
                for report in crew.round(&round, self.listener)? {
                    if !self.is_over() {
                        self.take_in(pool, report)?;
                    }
                }
                if self.is_exhausted() {
                    return Ok(false);
                }
                dropped = self.hogs(pool);
            }
            Ok(true)
        })
    }

    /// The same without rounds: the first answer wins.
    fn race(&mut self, pool: &mut Pool, plan: &Plan, crew: &mut Crew) -> Result<bool, Error> {
        let growth = self.options.memory.map_or(u64::MAX, |memory| memory / self.standings.len() as u64);
        let round = Round { growth, ..self.round(pool, 0, vec![]) };
        crew.race(&round, |message| {
            match message {
                Err(progress) => (self.listener)(progress),
                Ok(report) if !self.is_over() => self.take_in(pool, report)?,
                Ok(_) => {}
            }
            if self.is_over() {
                plan.end();
            }
            Ok(())
        })?;
        Ok(false)
    }

    /// Whether nothing is left to do, or nothing may be done.
    fn is_over(&self) -> bool {
        self.is_enough() || self.stop.reason().is_some() || !self.properties.iter().any(Property::is_open)
    }

    /// Whether no engine is left that looks at all runs.
    fn is_exhausted(&self) -> bool {
        self.standings.iter().all(|standing| standing.over.is_some() || standing.row.is_random)
    }

    /// Whether a violation is known, and no other one is asked for.
    fn is_enough(&self) -> bool {
        let is_violated = |property: &Property| matches!(property.verdict, Some(Verdict::Violated(_)));
        self.options.stop_at_first && self.properties.iter().any(is_violated)
    }

    /// What the next round grants.
    fn round(&self, pool: &Pool, number: u32, dropped: Vec<usize>) -> Round {
        let open = self.properties.iter().map(Property::is_open).collect();
        let running = self.standings.iter().filter(|standing| standing.over.is_none()).count();
        let growth = self.options.memory.map_or(u64::MAX, |memory| {
            memory.saturating_sub(self.bytes(pool)) / running.max(LEAST_SPARED) as u64
        });
        Round { number, open, growth, dropped }
    }

    /// The bytes of all engines, and of the system.
    fn bytes(&self, pool: &Pool) -> u64 {
        pool.heap_bytes() as u64 + self.standings.iter().map(|standing| standing.bytes).sum::<u64>()
    }

    /// The engines that give way, the largest first, until a quarter of the memory is free.
    fn hogs(&self, pool: &Pool) -> Vec<usize> {
        let Some(memory) = self.options.memory else { return vec![] };
        let mut total = self.bytes(pool);
        let mut places: Vec<usize> = (0..self.standings.len()).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(self.standings[place].bytes));
        let is_hog = |place: &usize| {
            let is_too_much = total > memory / 4 * 3 && self.standings[*place].bytes > 0;
            total = if is_too_much { total - self.standings[*place].bytes } else { total };
            is_too_much
        };
        places.into_iter().take_while(is_hog).collect()
    }

    /// The frames in which bounded model checking has found nothing.
    fn frames(&self) -> usize {
        self.standings.iter().find(|standing| !standing.row.each).map_or(0, |standing| standing.depth)
    }

    /// Why an engine for a property, or for all, gave up: for want of memory if one did so, or why the last
    /// one did that might have gone on.
    fn reason(&self, property: Option<usize>) -> Option<Why> {
        let own = self.standings.iter().filter(|standing| standing.property == property);
        let reasons = own.filter_map(|standing| standing.over).filter(|&why| why != Why::Interrupted);
        let is_weak = |why: Why| matches!(why, Why::Incomplete(_));
        reasons.reduce(|one, other| if one == Why::MemoryLimit || is_weak(other) { one } else { other })
    }

    /// What a turn means.
    fn take_in(&mut self, pool: &mut Pool, report: Report) -> Result<(), Error> {
        let Report { place, findings, depth, spent, bytes, over } = report;
        let standing = &mut self.standings[place];
        if standing.over.is_none() {
            (standing.bytes, standing.over) = (bytes, over);
            (standing.depth, standing.spent) = (standing.depth.max(depth), spent);
        }
        for news in findings {
            let result = match news {
                News::NoRun(frames) => self.no_longer_run(pool, frames),
                News::Found(..) if self.is_enough() => Ok(()),
                News::Found(number, _) if !self.properties[number].is_open() => Ok(()),
                News::Found(number, Finding::Run(run)) => self.violated(pool, place, number, run),
                News::Found(number, Finding::Inductive { k, distinct }) => {
                    self.properties[number].inductive = Some((k, distinct));
                    Ok(())
                }
                News::Found(number, Finding::Proof(shown)) => {
                    self.shown(pool, number, *shown);
                    Ok(())
                }
            };
            match result {
                Ok(()) | Err(Halt::Stopped) => {}
                Err(Halt::Failed(error)) => return Err(error),
            }
        }
        match self.confirm_inductive(pool) {
            Ok(()) | Err(Halt::Stopped) => Ok(()),
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    fn no_longer_run(&mut self, pool: &mut Pool, frames: usize) -> Result<(), Halt> {
        for number in 0..self.properties.len() {
            if self.properties[number].is_open() {
                self.holds(pool, number, Proof::NoLongerRun { frames })?;
            }
        }
        Ok(())
    }

    /// Believes steps of induction whose first frames were searched by now.
    fn confirm_inductive(&mut self, pool: &mut Pool) -> Result<(), Halt> {
        let frames = self.frames();
        for number in 0..self.properties.len() {
            let property = &mut self.properties[number];
            if let Some((k, distinct)) = property.inductive.take_if(|(k, _)| frames >= *k)
                && property.is_open()
            {
                self.holds(pool, number, Proof::Induction { k, distinct, equal: vec![] })?;
            }
        }
        Ok(())
    }

    /// A run of a part of the normal form that violates a property.
    fn run_of(
        &self,
        pool: &mut Pool,
        number: usize,
        part: &Part,
        run: Vec<Frame>,
    ) -> Result<Vec<Frame>, Error> {
        let bad = self.normalized.system.bads[number].clone();
        let part = System { bads: vec![bad], ..part.system.clone() };
        let image_of = |symbol: Term| self.normalized.image(symbol).clone();
        trace::of_part(pool, self.system, image_of, &part, |_, term| term, run)
            .map_err(|fault| Error::Replay { property: number, fault })
    }

    /// Notes a violation. IC3 may have missed shorter ones: they are looked for, for a part of what was spent
    /// so far; the frames before that of its level were searched.
    fn violated(
        &mut self,
        pool: &mut Pool,
        place: usize,
        number: usize,
        run: Vec<Frame>,
    ) -> Result<(), Halt> {
        let standing = &self.standings[place];
        let (level, spent, is_of_one) = (standing.depth, standing.spent, standing.row.each);
        let part = if is_of_one { &self.properties[number].part } else { &self.whole };
        let run = self.run_of(pool, number, part, run)?;
        let witness = trace::replayed(pool, self.system, number, run)?;
        let last = witness.frames.len() - 1;
        self.properties[number].verdict = Some(Verdict::Violated(witness));
        let first = level.max(self.frames());
        if !is_of_one || self.options.engine != Engine::Auto || first >= last {
            return Ok(());
        }
        match self.shorten(pool, number, first..last, (spent / PART_FOR_SHORTER).max(FIRST_FOR_SHORTER)) {
            Err(Halt::Stopped) => Ok(()),
            result => result,
        }
    }

    fn shorten(
        &mut self,
        pool: &mut Pool,
        number: usize,
        frames: std::ops::Range<usize>,
        steps: u64,
    ) -> Result<(), Halt> {
        let part = self.properties[number].part.clone();
        let pace = Pace::new(0, Arc::new(AtomicUsize::new(UNDECIDED)), false);
        pace.grant(steps);
        let (outer, settings) = (self.stop.clone(), self.options.settings.clone());
        let grant = Grant { outer, pace, settings };
        let (system, bad) = (part.system.clone(), part.system.bads[0].term);
        let mut engine = Shorter::new(system, bad, frames.start, grant.solver(), &grant.paced());
        let (mut last, open) = (frames.end, self.open());
        loop {
            (self.listener)(Progress { engine: "bmc", property: Some(number), depth: last, open });
            let frame = match engine.step(pool, last)? {
                shorter::Event::Shorter(frame) => frame,
                shorter::Event::Paused | shorter::Event::Shortest => return Ok(()),
            };
            let (model, unrolling) = engine.model();
            let value = |frame: usize, symbol: Term| -> Result<_, Why> {
                let term = unrolling.at(pool, frame, symbol)?;
                Ok(model.value(pool, term))
            };
            let run = trace::frames(&part.system, frame + 1, value)?;
            let run = self.run_of(pool, number, &part, run)?;
            let witness = trace::replayed(pool, self.system, number, run)?;
            self.properties[number].verdict = Some(Verdict::Violated(witness));
            last = frame;
        }
    }

    fn open(&self) -> usize {
        self.properties.iter().filter(|property| property.is_open()).count()
    }

    /// Notes that a property holds by a proof over the frames of its part. A proof that the fresh solver can
    /// neither confirm nor refute within the limits that are set decides nothing.
    fn holds(&mut self, pool: &mut Pool, number: usize, proof: Proof) -> Result<(), Halt> {
        let system = &self.properties[number].part.system;
        let bad = system.bads[0].term;
        let mut verdict = Verdict::Holds(proof);
        if let (true, Verdict::Holds(proof)) = (self.options.recheck, &verdict) {
            let fresh = || fresh(self.options, self.stop);
            match recheck::check(pool, system, bad, proof, self.stop, fresh)? {
                recheck::Outcome::Holds => {}
                recheck::Outcome::Fails(fault) => return Err(Error::Proof { property: number, fault }.into()),
                recheck::Outcome::Open(why) => verdict = Verdict::Unknown(why, self.frames()),
            }
        }
        if let (true, Verdict::Holds(proof)) = (self.options.obligations, &verdict) {
            let obligations = recheck::obligations(pool, system, bad, proof, self.stop)?;
            self.properties[number].obligations = obligations;
        }
        self.properties[number].verdict = Some(verdict);
        Ok(())
    }

    /// Notes that a property holds by a proof that was checked in another pool.
    fn shown(&mut self, pool: &mut Pool, number: usize, shown: Shown) {
        let Shown { pool: from, mut proof, mut obligations, symbols } = shown;
        let mut images = TermMap::new();
        for (symbol, own) in symbols.into_iter().zip(self.properties[number].part.system.symbols()) {
            images.insert(symbol, own);
        }
        let mut adopt = |terms: &mut Vec<Term>| {
            import(pool, &from, terms, &mut images);
            terms.iter_mut().for_each(|term| *term = *images.get(*term).expect("it was made"));
        };
        let invariant = match &mut proof {
            Proof::Abstracted { proof, .. } => &mut **proof,
            proof => proof,
        };
        if let Proof::Invariant(conditions) | Proof::Induction { equal: conditions, .. } = invariant {
            adopt(conditions);
        }
        obligations.iter_mut().for_each(|obligation| adopt(&mut obligation.conditions));
        let property = &mut self.properties[number];
        (property.verdict, property.obligations) = (Some(Verdict::Holds(proof)), obligations);
    }
}

/// A solver before its first check.
fn fresh(options: &Options, stop: &Stop) -> Solver {
    let (own, outer) = (Stop::new(), stop.clone());
    own.ask_why(move || outer.asked());
    Solver::stopped_by(options.settings.clone(), own)
}
