//! Engines in their rounds, on one thread or on several.
//!
//! A turn is what one engine does in a round: it goes on until it has spent the steps that the round grants,
//! or has grown by more memory than there is to spare. Engines know of each other only what was known when
//! the round began, and what they found is looked at in the order of their places. So verdicts are the same
//! on any number of threads: what one thread leaves out, because an engine before it has decided, is what
//! several do in vain.
//!
//! An engine stays on the thread that made it, since SAT backends do. It has a pool of its own, which is gone
//! with it, so an engine that gives way leaves its memory to the others.

use crate::checker::Progress;
use crate::engine::{Engine, Event, Finding, Row};
use crate::options::Options;
use crate::pace::{Grant, OVER, Pace, UNDECIDED, Winner};
use crate::problem::{Part, copied};
use crate::verdict::{Error, Halt};
use bivalve::terms::Pool;
use bivalve::{Settings, Stop, Why};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes that a gate may take in a solver: its clauses, and what is learnt from them.
const BYTES_OF_A_GATE: u64 = 1_000;

/// What is the same for all engines.
pub(crate) struct Plan {
    pub(crate) options: Options,
    pub(crate) stop: Stop,
    /// By property, the first place in the round that has decided it.
    winners: Vec<Arc<Winner>>,
}

/// What a round grants.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) number: u32,
    /// The properties that are not decided.
    pub(crate) open: Vec<bool>,
    /// By how many bytes each engine may grow; in a race, how many it may have.
    pub(crate) growth: u64,
    /// Places whose engines give way.
    pub(crate) dropped: Vec<usize>,
}

/// What came of a turn.
pub(crate) struct Report {
    pub(crate) place: usize,
    pub(crate) findings: Vec<News>,
    /// How far the engine has come.
    pub(crate) depth: usize,
    /// The steps that it has spent in all turns.
    pub(crate) spent: u64,
    /// The bytes that it keeps.
    pub(crate) bytes: u64,
    /// Why it is gone, if it is.
    pub(crate) over: Option<Why>,
}

/// What an engine found in a turn.
pub(crate) enum News {
    /// Of the property of this number.
    Found(usize, Finding),
    /// No run has more frames.
    NoRun(usize),
}

impl Plan {
    pub(crate) fn new(options: &Options, stop: &Stop, properties: usize) -> Plan {
        let winners = (0..properties).map(|_| Arc::new(AtomicUsize::new(UNDECIDED))).collect();
        let mut options = options.clone();
        if let Some(memory) = options.memory {
            limit_gates(&mut options.settings, memory / BYTES_OF_A_GATE);
        }
        Plan { options, stop: stop.clone(), winners }
    }

    fn grant(&self, place: usize, part: &Part) -> Grant {
        // An engine for all properties is of use as long as one is open.
        let winner = match part.numbers[..] {
            [one] => self.winners[one].clone(),
            _ => Arc::new(AtomicUsize::new(UNDECIDED)),
        };
        let (outer, settings) = (self.stop.clone(), self.options.settings.clone());
        Grant { outer, pace: Pace::new(place, winner, self.options.racing), settings }
    }

    /// Whether a property is to be decided in this round, or still in this race.
    fn is_open(&self, round: &Round, property: usize) -> bool {
        let is_decided = || self.winners[property].load(Ordering::Relaxed) != UNDECIDED;
        round.open[property] && !(self.options.racing && is_decided())
    }

    /// Whether a race is over.
    pub(crate) fn is_over(&self, round: &Round) -> bool {
        self.stop.asked().is_some() || !(0..self.winners.len()).any(|property| self.is_open(round, property))
    }

    /// Ends a race.
    pub(crate) fn end(&self) {
        self.winners.iter().for_each(|winner| winner.store(OVER, Ordering::Relaxed));
    }

    fn decides(&self, place: usize, property: usize) {
        self.winners[property].fetch_min(place, Ordering::Relaxed);
    }
}

/// Lets no check of a solver build more gates.
fn limit_gates(settings: &mut Settings, gates: u64) {
    const OPTION: &str = "gate-limit";
    let allowed = settings.get(OPTION).ok().and_then(|allowed| allowed.parse().ok()).unwrap_or(u64::MAX);
    let gates = gates.max(1).min(allowed);
    settings.set(OPTION, &gates.to_string()).expect("the option exists, and takes numbers");
}

/// An engine with its place in the round.
pub(crate) struct Job {
    place: usize,
    row: Row,
    state: State,
}

enum State {
    Waiting,
    Running(Box<Running>),
    Over(Why),
}

struct Running {
    pool: Pool,
    engine: Box<dyn Engine>,
    grant: Grant,
}

impl Job {
    pub(crate) fn new(place: usize, row: Row) -> Job {
        Job { place, row, state: State::Waiting }
    }

    /// Whether its engine is gone.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.state, State::Over(_))
    }

    /// Does what the round grants. `part` is a part of a system in `pool`.
    ///
    /// # Errors
    ///
    /// When a solver refuses a condition, or a self-check fails.
    pub(crate) fn turn(
        &mut self,
        plan: &Plan,
        (pool, part): (&Pool, &Part),
        round: &Round,
        listener: &mut dyn FnMut(Progress),
    ) -> Result<Report, Error> {
        if round.dropped.contains(&self.place) {
            self.state = State::Over(Why::MemoryLimit);
        }
        let is_open = part.numbers.iter().any(|&number| plan.is_open(round, number));
        if let State::Waiting = self.state
            && self.row.steps(round.number) > 0
        {
            self.state = if is_open { self.begin(plan, pool, part) } else { State::Over(Why::Interrupted) };
        }
        let mut findings = vec![];
        if let State::Running(running) = &mut self.state {
            let turn = Turn { plan, part, round, place: self.place, row: self.row };
            if let Some(why) = turn.run(running, &mut findings, listener)? {
                let Running { engine, grant, .. } = &**running;
                let (depth, spent) = (engine.depth(), grant.pace.spent());
                self.state = State::Over(why);
                return Ok(Report { place: self.place, findings, depth, spent, bytes: 0, over: Some(why) });
            }
        }
        Ok(match &self.state {
            State::Running(running) => Report {
                place: self.place,
                findings,
                depth: running.engine.depth(),
                spent: running.grant.pace.spent(),
                bytes: running.bytes(),
                over: None,
            },
            State::Waiting | State::Over(_) => {
                let over = if let State::Over(why) = self.state { Some(why) } else { None };
                Report { place: self.place, findings, depth: 0, spent: 0, bytes: 0, over }
            }
        })
    }

    fn begin(&self, plan: &Plan, pool: &Pool, part: &Part) -> State {
        let (mut pool, system) = copied(pool, &part.system);
        let part = Part { system, numbers: part.numbers.clone() };
        let grant = plan.grant(self.place, &part);
        match (self.row.make)(&mut pool, &part, &plan.options, &grant) {
            Ok(engine) => State::Running(Box::new(Running { pool, engine, grant })),
            Err(why) => State::Over(why),
        }
    }
}

impl Running {
    fn bytes(&self) -> u64 {
        self.pool.heap_bytes() as u64 + self.engine.bytes()
    }
}

/// One turn of an engine.
struct Turn<'a> {
    plan: &'a Plan,
    part: &'a Part,
    round: &'a Round,
    place: usize,
    row: Row,
}

impl Turn<'_> {
    /// Goes on until the turn is over. Returns why the engine is of no more use, if it is not.
    fn run(
        &self,
        running: &mut Running,
        findings: &mut Vec<News>,
        listener: &mut dyn FnMut(Progress),
    ) -> Result<Option<Why>, Error> {
        let mut open: Vec<bool> =
            self.part.numbers.iter().map(|&number| self.plan.is_open(self.round, number)).collect();
        let most = running.bytes().saturating_add(self.round.growth);
        running.grant.pace.grant(self.row.steps(self.round.number));
        while open.contains(&true) {
            let bytes = running.bytes();
            if self.plan.options.racing && bytes > self.round.growth {
                return Ok(Some(Why::MemoryLimit));
            }
            if running.grant.pace.is_over() || bytes > most {
                return Ok(None);
            }
            let property = self.row.each.then(|| self.part.numbers[0]);
            let depth = running.engine.depth();
            let count = self.round.open.iter().filter(|&&is_open| is_open).count();
            listener(Progress { engine: self.row.name, property, depth, open: count });
            let event = match running.engine.step(&mut running.pool, &mut open) {
                Ok(event) => event,
                Err(Halt::Stopped) => Event::Paused(Why::Budget),
                Err(Halt::Failed(error)) => return Err(error),
            };
            match event {
                Event::Further => {}
                Event::Paused(_) if self.plan.stop.asked().is_some() => return Ok(None),
                Event::Paused(_) if running.grant.pace.is_over() => return Ok(None),
                Event::Paused(why) | Event::Over(why) => return Ok(Some(why)),
                Event::NoRun(frames) => {
                    self.part.numbers.iter().for_each(|&number| self.plan.decides(self.place, number));
                    findings.push(News::NoRun(frames));
                    return Ok(Some(Why::Interrupted));
                }
                Event::Found(number, finding) => {
                    let is_inductive = matches!(finding, Finding::Inductive { .. });
                    findings.push(News::Found(number, finding));
                    if !is_inductive {
                        self.plan.decides(self.place, number);
                    }
                    if self.row.each {
                        return Ok(Some(Why::Interrupted));
                    }
                    if self.plan.options.stop_at_first {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(Why::Interrupted))
    }
}
