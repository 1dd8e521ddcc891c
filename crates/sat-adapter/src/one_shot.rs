//! An incremental solver out of one that is not.
//!
//! Many engines take a set of clauses once and answer once: no clauses later, no assumptions, no cores. They
//! implement [`OneShot`], one function that matters, and [`Incremental`] makes a full [`SatSolver`] of them.
//!
//! The adapter keeps every clause in a [`CnfLog`] and hands the engine all of them plus the assumptions as
//! unit clauses. That is right without further ado: sat and unsat mean the same for units as for assumptions.
//! Three things keep it from being as slow as it sounds, and none needs more trust in the engine:
//!
//! - *The model before.* If it satisfies the clauses that came since, and the assumptions, it is a model
//!   again. Clauses before that point it satisfies already, so only the new ones are looked at.
//! - *The cores before.* Clauses are only ever added, so assumptions that contain a set already found
//!   unsatisfiable are unsatisfiable again.
//! - *The core on request.* Only when `failed` is asked is the set of assumptions made smaller, by leaving
//!   out chunks of it, halving the chunks, and keeping out only what an unsat answer says is not needed (as
//!   in delta debugging; Zeller and Hildebrandt, TSE 2002). The number of such runs is bounded; stopping
//!   early leaves a larger core, never a wrong one.
//!
//! A model is checked on every clause before sat is said, so a wrong sat of an engine becomes an unknown. A
//! wrong unsat would stay unnoticed: of the three answers that is the one the engine is trusted with.

use std::collections::VecDeque;

use crate::{Budget, Capabilities, ClauseSink, CnfLog, Lit, SatResult, SatSolver, Statistics, Stop, Why};

/// How many unsatisfiable sets of assumptions are remembered.
const REMEMBERED_CORES: usize = 64;

/// How often the engine may run to make one core smaller.
const CORE_RUNS: usize = 64;

/// What a one-shot engine answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable; the value of variable `v` stands at index `v - 1`, and variables beyond the end are
    /// false.
    Sat(Vec<bool>),
    /// Unsatisfiable.
    Unsat,
    /// Not decided.
    Unknown(Why),
}

/// An engine that decides one set of clauses at a time and remembers nothing.
pub trait OneShot {
    /// The name under which [`crate::create`] knows the backend.
    fn name(&self) -> &'static str;

    /// Name and version of the engine, for logs.
    fn signature(&self) -> String {
        self.name().to_owned()
    }

    /// What the engine can do; only `interrupt`, `budget` and `steady` make sense here. An engine that says
    /// nothing of it can do none of them.
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// Decides the clauses of `cnf` together with the unit clauses `units`. The units are sorted, without
    /// repetition or contradiction, and there is no empty clause.
    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], budget: &Budget, stop: &Stop) -> Answer;

    /// The engine's own counters over all runs; variables, clauses, solves and runs are filled in by the
    /// adapter.
    fn effort(&self) -> Statistics {
        Statistics::default()
    }
}

/// A full [`SatSolver`] made of a [`OneShot`] engine.
#[derive(Debug)]
pub struct Incremental<O> {
    engine: O,
    log: CnfLog,
    stop: Stop,
    last: Last,
    /// The last model, complete for the variables that existed then.
    model: Vec<bool>,
    /// The model satisfies the clauses before this number; `None` when there is no model.
    checked: Option<usize>,
    /// Sets of literals that the clauses refute, the latest last.
    refuted: VecDeque<Core>,
    /// Of the last unsat answer: a refuted set of its assumptions.
    core: Core,
    budget: Budget,
    solves: u64,
    runs: u64,
}

/// What `value` and `failed` may speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Nothing,
    Sat,
    Unsat,
}

/// A set of literals, sorted, that the clauses refute.
#[derive(Clone, Debug, Default)]
struct Core {
    lits: Vec<Lit>,
    /// Whether it has been made smaller already, or is small by nature.
    reduced: bool,
}

impl<O: OneShot> Incremental<O> {
    /// A solver without variables and clauses around the engine.
    pub fn new(engine: O) -> Incremental<O> {
        Incremental {
            engine,
            log: CnfLog::new(),
            stop: Stop::new(),
            last: Last::Nothing,
            model: Vec::new(),
            checked: None,
            refuted: VecDeque::new(),
            core: Core::default(),
            budget: Budget::UNLIMITED,
            solves: 0,
            runs: 0,
        }
    }

    /// Everything that was added so far.
    pub fn log(&self) -> &CnfLog {
        &self.log
    }

    fn run(&mut self, units: &[Lit]) -> Answer {
        self.runs += 1;
        self.engine.solve(&self.log, units, &self.budget, &self.stop)
    }

    /// A core that needs no search: the empty one, a contradiction, or a set refuted before.
    fn known_core(&self, assumptions: &[Lit]) -> Option<Core> {
        if self.log.has_empty_clause() {
            return Some(Core { lits: Vec::new(), reduced: true });
        }
        let clash = assumptions.windows(2).find(|pair| pair[0] == !pair[1]);
        if let Some(pair) = clash {
            return Some(Core { lits: pair.to_vec(), reduced: true });
        }
        let assumed = |lit: &Lit| assumptions.binary_search(lit).is_ok();
        self.refuted.iter().rev().find(|core| core.lits.iter().all(assumed)).cloned()
    }

    /// Whether the model at hand is one of everything; if so it is complete afterwards.
    fn model_still_holds(&mut self, assumptions: &[Lit]) -> bool {
        let Some(first) = self.checked else { return false };
        self.model.resize(self.log.variables() as usize, false);
        let model = &self.model;
        let is_true = |lit: &Lit| lit.under(model[lit.var() as usize - 1]);
        if !assumptions.iter().all(is_true)
            || !self.log.clauses_from(first).all(|clause| clause.iter().any(is_true))
        {
            return false;
        }
        self.checked = Some(self.log.len());
        true
    }

    fn refute(&mut self, core: Core) -> SatResult {
        self.core = core;
        self.last = Last::Unsat;
        SatResult::Unsat
    }

    fn remember(&mut self, core: Core) {
        if self.refuted.len() == REMEMBERED_CORES {
            self.refuted.pop_front();
        }
        self.refuted.push_back(core);
    }

    /// Makes the core smaller by leaving out chunks of it, first all, then halves, down to single literals.
    fn reduce_core(&mut self) {
        let mut lits = std::mem::take(&mut self.core.lits);
        let (mut chunk, mut at, mut runs) = (lits.len(), 0, 0);
        while chunk > 0 && runs < CORE_RUNS && self.stop.reason().is_none() {
            if at >= lits.len() {
                (chunk, at) = (chunk / 2, 0);
                continue;
            }
            let end = lits.len().min(at + chunk);
            let rest = [&lits[..at], &lits[end..]].concat();
            runs += 1;
            match self.run(&rest) {
                Answer::Unsat => lits = rest,
                Answer::Sat(_) | Answer::Unknown(_) => at = end,
            }
        }
        self.core = Core { lits, reduced: true };
        self.remember(self.core.clone());
    }
}

impl<O: OneShot> ClauseSink for Incremental<O> {
    fn new_var(&mut self) -> Lit {
        self.log.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.last = Last::Nothing;
        self.log.add_clause(clause);
    }
}

impl<O: OneShot> SatSolver for Incremental<O> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn signature(&self) -> String {
        self.engine.signature()
    }

    fn capabilities(&self) -> Capabilities {
        let Capabilities { interrupt, budget, steady, .. } = self.engine.capabilities();
        Capabilities { interrupt, budget, steady, ..Capabilities::default() }
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.solves += 1;
        self.budget = *budget;
        self.last = Last::Nothing;
        self.log.mention(assumptions);
        if let Some(why) = self.stop.reason() {
            return SatResult::Unknown(why);
        }
        let mut units = assumptions.to_vec();
        units.sort_unstable();
        units.dedup();
        if let Some(core) = self.known_core(&units) {
            return self.refute(core);
        }
        if !self.model_still_holds(&units) {
            match self.run(&units) {
                Answer::Sat(model) => {
                    self.model = model;
                    self.checked = Some(0);
                    if !self.model_still_holds(&units) {
                        self.checked = None;
                        return SatResult::Unknown(Why::Backend("its model does not satisfy the clauses"));
                    }
                }
                Answer::Unsat => {
                    let core = Core { reduced: units.is_empty(), lits: units };
                    self.remember(core.clone());
                    return self.refute(core);
                }
                Answer::Unknown(why) => return SatResult::Unknown(why),
            }
        }
        self.last = Last::Sat;
        SatResult::Sat
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        let value = self.model.get(lit.var() as usize - 1).filter(|_| self.last == Last::Sat);
        value.map(|&value| lit.under(value))
    }

    fn failed(&mut self, lit: Lit) -> bool {
        if self.last != Last::Unsat {
            return false;
        }
        if !self.core.reduced {
            self.reduce_core();
        }
        self.core.lits.binary_search(&lit).is_ok()
    }

    fn set_stop(&mut self, stop: Stop) {
        self.stop = stop;
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: u64::from(self.log.variables()),
            clauses: self.log.len() as u64,
            solves: self.solves,
            runs: self.runs,
            ..self.engine.effort()
        }
    }
}
