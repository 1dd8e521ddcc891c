//! The solver: assertions go downhill from terms to clauses, values come back up and are judged.
//!
//! The way of a query (see ARCHITECTURE.md): `assert` takes a formula as it is. `check` simplifies what is new,
//! builds gates for it on demand, writes clauses for the gates in use, and asks the SAT backend. Everything built
//! stays for the next check: one gate graph, one SAT instance, more assertions each time. The backend is started
//! only when there is a clause to solve; a formula that simplifies to true or false never starts it.
//!
//! Answers are sound whatever happens on the way: a model is validated on the original assertions before `Sat` is
//! said, and a budget that runs out gives `Unknown` with the reason, after which the solver can be used on.
//!
//! Budgets are counted in steps (conflicts, gates), so a run is the same everywhere. Whoever wants limits of time
//! or memory raises the [`Stop`] flag from another thread; every phase polls it.

use crate::model::{InternalError, Model};
use crate::options::Settings;
use crate::statistics::{Clock, Statistics, no_clock, timed};
use crate::support::{Supported, Unsupported};
use bivalve_bitblast::{BitBlaster, CnfEncoder};
use bivalve_rewrite::Rewriter;
use bivalve_sat_adapter::{self as sat, Budget, SatSolver, Stop, Why};
use bivalve_terms::{Op, Pool, Sort, Term};
use thiserror::Error;

/// The answer to a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model, and it was validated; [`Solver::model`] has it.
    Sat,
    /// There is none.
    Unsat,
    /// Not decided, and why.
    Unknown(Why),
}

/// Why a formula was not taken.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
pub enum AssertError {
    /// Only Boolean terms can be asserted.
    #[error("expected a term of sort Bool")]
    NotBoolean,
    /// The formula is outside of the theories that are decided.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

/// A solver over the terms of one [`Pool`], which is handed to every call.
pub struct Solver {
    settings: Settings,
    clock: Clock,
    stop: Stop,
    supported: Supported,
    rewriter: Rewriter,
    blaster: BitBlaster,
    encoder: CnfEncoder,
    backend: Option<Box<dyn SatSolver>>,
    /// As made.
    assertions: Vec<Term>,
    /// So many of them are simplified and handed on.
    simplified: usize,
    /// Simplified conjuncts that have no clauses yet.
    pending: Vec<Term>,
    /// A conjunct was simplified to false.
    refuted: bool,
    model: Option<Model>,
    statistics: Statistics,
}

impl Solver {
    /// A solver without assertions. The backend named in the settings must be among those compiled in, which
    /// [`Settings::set`] makes sure of.
    pub fn new(settings: Settings) -> Solver {
        Solver {
            rewriter: Rewriter::new(settings.rewrite_level),
            settings,
            clock: no_clock,
            stop: Stop::default(),
            supported: Supported::default(),
            blaster: BitBlaster::default(),
            encoder: CnfEncoder::default(),
            backend: None,
            assertions: vec![],
            simplified: 0,
            pending: vec![],
            refuted: false,
            model: None,
            statistics: Statistics::default(),
        }
    }

    /// Measures phases with `clock`.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    /// A handle that ends the running check, from any thread.
    pub fn stop_handle(&self) -> Stop {
        self.stop.clone()
    }

    /// The settings this solver was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Asserts a formula. A refused formula changes nothing.
    pub fn assert(&mut self, pool: &Pool, formula: Term) -> Result<(), AssertError> {
        if pool.sort(formula) != Sort::BOOL {
            return Err(AssertError::NotBoolean);
        }
        self.supported.check(pool, formula)?;
        self.assertions.push(formula);
        self.model = None;
        Ok(())
    }

    /// The formulas asserted, as they were given.
    pub fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    /// Is the conjunction of the assertions satisfiable?
    pub fn check(&mut self, pool: &mut Pool) -> Result<Answer, InternalError> {
        self.statistics.checks += 1;
        self.model = None;
        if let Err(why) = self.prepare(pool) {
            return Ok(Answer::Unknown(why));
        }
        if self.refuted {
            return Ok(Answer::Unsat);
        }
        match self.search() {
            sat::Verdict::Unsat => {
                self.refuted = true;
                Ok(Answer::Unsat)
            }
            sat::Verdict::Unknown(why) => Ok(Answer::Unknown(why)),
            sat::Verdict::Sat => {
                self.model = Some(self.read_model(pool)?);
                Ok(Answer::Sat)
            }
        }
    }

    /// The model of the last check, if it was answered by `Sat` and nothing was asserted since.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// What the checks cost so far.
    pub fn statistics(&self, pool: &Pool) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.assertions = self.assertions.len() as u64;
        statistics.terms = pool.len() as u64;
        statistics.rules = self.rewriter.counts();
        statistics.rewrites = statistics.rules.iter().map(|(_, count)| count).sum();
        statistics.gates = self.blaster.graph().len() as u64;
        let encoded = self.encoder.statistics();
        statistics.variables = encoded.variables;
        statistics.clauses = encoded.clauses;
        statistics.literals = encoded.literals;
        statistics.sat = self.backend.as_ref().map(|backend| backend.statistics());
        statistics
    }

    /// Brings new assertions down to clauses. Whatever was done stays done when this is stopped.
    fn prepare(&mut self, pool: &mut Pool) -> Result<(), Why> {
        self.simplify(pool)?;
        while let Some(&conjunct) = self.pending.last() {
            if self.refuted {
                break;
            }
            self.synthesise(pool, conjunct)?;
            self.pending.pop();
        }
        Ok(())
    }

    fn simplify(&mut self, pool: &mut Pool) -> Result<(), Why> {
        let Solver { rewriter, statistics, clock, stop, .. } = self;
        while self.simplified < self.assertions.len() && !self.refuted {
            if let Some(why) = stop.reason() {
                return Err(why);
            }
            let assertion = self.assertions[self.simplified];
            let result = timed(*clock, &mut statistics.seconds.rewrite, || rewriter.rewrite(pool, assertion));
            self.simplified += 1;
            let mut todo = vec![result];
            while let Some(term) = todo.pop() {
                match (pool.op(term), pool.as_bool(term)) {
                    (Op::And, _) => todo.extend_from_slice(pool.args(term)),
                    (_, Some(true)) => {}
                    (_, Some(false)) => self.refuted = true,
                    (_, None) => self.pending.push(term),
                }
            }
        }
        Ok(())
    }

    /// Gates for one conjunct, then clauses for its gates.
    fn synthesise(&mut self, pool: &Pool, conjunct: Term) -> Result<(), Why> {
        let (clock, seconds) = (self.clock, &mut self.statistics.seconds);
        let limits = bivalve_bitblast::Limits { gates: self.settings.gate_limit, stop: &self.stop };
        let root = timed(clock, &mut seconds.blast, || self.blaster.root(pool, conjunct, &limits))?;
        if self.backend.is_none() {
            let mut backend = sat::create(&self.settings.sat).expect("settings name a backend that exists");
            backend.set_stop(self.stop.clone());
            self.backend = Some(backend);
        }
        let backend = self.backend.as_mut().expect("started above");
        let graph = self.blaster.graph();
        timed(clock, &mut seconds.encode, || self.encoder.assert_root(graph, root, &mut **backend));
        Ok(())
    }

    fn search(&mut self) -> sat::Verdict {
        let budget = Budget { conflicts: self.settings.conflict_limit, ..Budget::default() };
        match &mut self.backend {
            None => sat::Verdict::Sat,
            Some(backend) => timed(self.clock, &mut self.statistics.seconds.sat, || backend.solve(&[], &budget)),
        }
    }

    fn read_model(&mut self, pool: &Pool) -> Result<Model, InternalError> {
        let Solver { blaster, encoder, backend, assertions, statistics, clock, .. } = self;
        let mut circuit_value = |pool: &Pool, term: Term| {
            let edges = blaster.known_bits(term)?;
            let bits = edges.iter().map(|&edge| match (encoder.lookup(edge), &mut *backend) {
                (Some(literal), Some(backend)) => backend.value(literal).unwrap_or(false),
                _ => false,
            });
            Some(bivalve_bitblast::value_of_bits(pool.sort(term), bits))
        };
        timed(*clock, &mut statistics.seconds.model, || Model::read(pool, assertions, &mut circuit_value))
    }
}
