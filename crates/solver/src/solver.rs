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
use crate::probe::probe;
use crate::progress::{Phase, Progress};
use crate::refine::{Judged, Theory};
use crate::statistics::{Clock, Statistics, no_clock, timed};
use crate::support::{Supported, Unsupported};
use bivalve_bitblast::{BitBlaster, CnfEncoder, Edge, Limits};
use bivalve_rewrite::{Definitions, Level, Rewriter, Simplified};
use bivalve_sat_adapter::{self as sat, Budget, SatSolver, Stop, Why};
use bivalve_terms::{Op, Pool, Sort, Term, Value, cone};
use std::sync::Arc;
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
    progress: Arc<Progress>,
    statistics: Statistics,
    supported: Supported,
    /// Made when it is first needed, so that a solver costs nothing before.
    rewriter: Option<Rewriter>,
    definitions: Definitions,
    circuits: Circuits,
    theory: Theory,
    /// As made.
    assertions: Vec<Term>,
    /// So many of them are simplified and handed on.
    simplified: usize,
    /// Simplified conjuncts that have no clauses yet, the next one last.
    pending: Vec<Term>,
    /// The conjunction is known to be false.
    refuted: bool,
    model: Option<Model>,
}

/// What is below the terms: gates, clauses, and the engine that searches.
pub(crate) struct Circuits {
    pub(crate) blaster: BitBlaster,
    encoder: CnfEncoder,
    backend: Option<Box<dyn SatSolver>>,
    /// The edges that were asserted.
    roots: Vec<Edge>,
}

impl Solver {
    /// A solver without assertions. The backend named in the settings must be among those compiled in, which
    /// [`Settings::set`] makes sure of.
    pub fn new(settings: Settings) -> Solver {
        Solver {
            rewriter: None,
            settings,
            clock: no_clock,
            stop: Stop::new(),
            progress: Arc::default(),
            statistics: Statistics::default(),
            supported: Supported::default(),
            definitions: Definitions::default(),
            theory: Theory::default(),
            circuits: Circuits {
                blaster: BitBlaster::new(),
                encoder: CnfEncoder::new(),
                backend: None,
                roots: vec![],
            },
            assertions: vec![],
            simplified: 0,
            pending: vec![],
            refuted: false,
            model: None,
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

    /// Where a running check is, to be read from another thread.
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
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
        let answer = self.decide(pool);
        self.progress.enter(Phase::Idle, 0);
        answer
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
        statistics.eliminated = self.definitions.len() as u64;
        if let Some(rewriter) = &self.rewriter {
            statistics.set_rules(rewriter.applications());
        }
        statistics.gates = self.circuits.blaster.graph().len() as u64;
        statistics.clauses = self.circuits.encoder.statistics();
        statistics.arrays = self.theory.statistics();
        statistics.sat = self.circuits.backend.as_ref().map(|backend| backend.statistics());
        statistics
    }

    /// The gate graph, and the edges of it that were asserted by the checks so far.
    pub fn circuit(&self) -> (&BitBlaster, &[Edge]) {
        (&self.circuits.blaster, &self.circuits.roots)
    }

    fn decide(&mut self, pool: &mut Pool) -> Result<Answer, InternalError> {
        if let Err(why) = self.simplify(pool) {
            return Ok(Answer::Unknown(why));
        }
        if let Some(model) = self.probe(pool)? {
            self.model = Some(model);
            return Ok(Answer::Sat);
        }
        if let Err(why) = self.synthesise(pool) {
            return Ok(Answer::Unknown(why));
        }
        if self.refuted {
            return Ok(Answer::Unsat);
        }
        loop {
            match self.search() {
                sat::Verdict::Unknown(why) => return Ok(Answer::Unknown(why)),
                sat::Verdict::Unsat => {
                    self.refuted = true;
                    return Ok(Answer::Unsat);
                }
                sat::Verdict::Sat => {}
            }
            match self.refine(pool) {
                Judged::Unknown(why) => return Ok(Answer::Unknown(why)),
                Judged::Breaks(_) => {}
                Judged::Extends(arrays) => {
                    self.model = Some(self.read_model(pool, arrays)?);
                    return Ok(Answer::Sat);
                }
            }
        }
    }

    /// Shows the model of the circuits to the array checker, and adds the lemmas it returns.
    fn refine(&mut self, pool: &mut Pool) -> Judged {
        let Solver { theory, circuits, statistics, clock, settings, stop, .. } = self;
        let mut refine = || {
            let judged = theory.inspect(pool, circuits);
            let Judged::Breaks(lemmas) = &judged else { return judged };
            let limits = Limits { gates: settings.gate_limit, stop };
            for lemma in lemmas {
                if let Err(refusal) = theory.learn(pool, circuits, lemma, &limits) {
                    return Judged::Unknown(refusal.into());
                }
            }
            judged
        };
        timed(*clock, &mut statistics.seconds.arrays, &mut refine)
    }

    /// Simplifies the new assertions, all together, and once more what has no clauses yet.
    fn simplify(&mut self, pool: &mut Pool) -> Result<(), Why> {
        self.stop.reason().map_or(Ok(()), Err)?;
        if self.simplified == self.assertions.len() || self.refuted {
            return Ok(());
        }
        // What waits for its clauses mentions symbols that nothing freezes: a new definition has to reach it too.
        let mut open: Vec<Term> = self.pending.drain(..).rev().collect();
        open.extend_from_slice(&self.assertions[self.simplified..]);
        self.progress.enter(Phase::Simplify, open.len());
        let Solver { rewriter, definitions, circuits, theory, statistics, clock, settings, .. } = self;
        let frozen = |symbol: Term| {
            settings.rewrite_level == 0
                || circuits.blaster.known_bits(symbol).is_some()
                || theory.knows(symbol)
        };
        let light = weight(pool, &open) < settings.rewrite_from;
        let simplify = || match settings.rewrite_level {
            1.. if !light => {
                let rewriter = rewriter.get_or_insert_with(|| Rewriter::new(level(settings)));
                definitions.eliminate(pool, rewriter, open, &frozen)
            }
            _ => definitions.eliminate(pool, &mut Rewriter::new(Level::Off), open, &frozen),
        };
        match timed(*clock, &mut statistics.seconds.rewrite, simplify) {
            Simplified::False => self.refuted = true,
            Simplified::Conjuncts(conjuncts) => self.pending = conjuncts.into_iter().rev().collect(),
        }
        self.simplified = self.assertions.len();
        Ok(())
    }

    /// A model that comes to mind before anything is built; what was simplified stays for checks to come.
    fn probe(&mut self, pool: &Pool) -> Result<Option<Model>, InternalError> {
        if !self.settings.probe || self.refuted || self.pending.is_empty() || !self.circuits.roots.is_empty()
        {
            return Ok(None);
        }
        let Solver { pending, assertions, definitions, statistics, clock, .. } = self;
        let found = timed(*clock, &mut statistics.seconds.probe, || probe(pool, pending));
        let validate =
            |candidate| Model::validate(pool, assertions, definitions, candidate, &mut |_, _| None);
        found.map(validate).transpose()
    }

    /// Gates and clauses for the conjuncts that have none. What was done stays done when this is stopped.
    fn synthesise(&mut self, pool: &mut Pool) -> Result<(), Why> {
        self.progress.enter(Phase::Synthesise, self.pending.len());
        while let Some(&conjunct) = self.pending.last().filter(|_| !self.refuted) {
            let limits = Limits { gates: self.settings.gate_limit, stop: &self.stop };
            let (clock, seconds) = (self.clock, &mut self.statistics.seconds);
            let conjunct = match self.supported.is_beyond_bits() {
                true => self.theory.take_in(pool, conjunct),
                false => conjunct,
            };
            let circuits = &mut self.circuits;
            let root = timed(clock, &mut seconds.blast, || circuits.blaster.root(pool, conjunct, &limits))?;
            let start = || start_backend(&self.settings, &self.stop);
            timed(clock, &mut seconds.encode, || circuits.assert(root, start));
            self.pending.pop();
            self.progress.step();
            self.progress.count(circuits.blaster.graph().len() as u64, circuits.encoder.statistics().clauses);
        }
        Ok(())
    }

    fn search(&mut self) -> sat::Verdict {
        self.progress.enter(Phase::Search, 0);
        let budget = Budget { conflicts: self.settings.conflict_limit, ..Budget::UNLIMITED };
        match &mut self.circuits.backend {
            None => sat::Verdict::Sat,
            Some(backend) => {
                timed(self.clock, &mut self.statistics.seconds.sat, || backend.solve(&[], &budget))
            }
        }
    }

    fn read_model(&mut self, pool: &Pool, arrays: Vec<(Term, Value)>) -> Result<Model, InternalError> {
        self.progress.enter(Phase::Validate, self.assertions.len());
        let Solver { circuits, definitions, assertions, statistics, clock, .. } = self;
        let mut circuit_value = |pool: &Pool, term: Term| circuits.value(pool, term);
        let read = || Model::read(pool, assertions, definitions, arrays, &mut circuit_value);
        timed(*clock, &mut statistics.seconds.model, read)
    }
}

fn level(settings: &Settings) -> Level {
    if settings.rewrite_level == 0 { Level::Off } else { Level::Local }
}

/// About how many gates the formulas have, each term counted once.
fn weight(pool: &Pool, formulas: &[Term]) -> u64 {
    let gates = |&term: &Term| {
        let width = pool.args(term).iter().filter_map(|&arg| pool.width(arg)).max().map_or(1, u64::from);
        match pool.op(term) {
            Op::Const | Op::Symbol | Op::Extract | Op::Concat => 0,
            Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => width * width,
            _ => width,
        }
    };
    cone(pool, formulas).iter().map(gates).sum()
}

fn start_backend(settings: &Settings, stop: &Stop) -> Box<dyn SatSolver> {
    let mut backend = sat::create(&settings.sat).expect("settings name a backend that exists");
    backend.set_stop(stop.clone());
    backend
}

impl Circuits {
    /// Clauses that make `root` true; the backend is started with the first one.
    fn assert(&mut self, root: Edge, start: impl FnOnce() -> Box<dyn SatSolver>) {
        let backend = self.backend.get_or_insert_with(start);
        self.encoder.assert_root(self.blaster.graph(), root, &mut **backend);
        self.roots.push(root);
    }

    /// A clause over edges. What is true in it makes it superfluous, what is false is left out.
    pub(crate) fn add_clause(&mut self, edges: &[Edge]) {
        if edges.iter().any(|edge| edge.as_constant() == Some(true)) {
            return;
        }
        let backend = self.backend.as_mut().expect("a model was found");
        let mut clause = vec![];
        for &edge in edges.iter().filter(|edge| !edge.is_constant()) {
            clause.push(self.encoder.literal(self.blaster.graph(), edge, &mut **backend));
        }
        backend.add_clause(&clause);
    }

    /// What the engine's model says of a term; `None` if the term has no bits, or if clauses do not fix them.
    /// A symbol always has a value once it has bits: what no clause mentions is free.
    fn value(&mut self, pool: &Pool, term: Term) -> Option<Value> {
        let bits = self.bits(term)?;
        let is_symbol = pool.op(term) == Op::Symbol;
        let bits: Option<Vec<bool>> =
            bits.into_iter().map(|bit| if is_symbol { Some(bit.unwrap_or(false)) } else { bit }).collect();
        Some(bivalve_bitblast::value_of_bits(pool.sorts(), pool.sort(term), bits?.into_iter()))
    }

    /// The value of a term that stands for itself; `None` for all others, and for those no clause mentions.
    pub(crate) fn leaf(&mut self, pool: &Pool, term: Term) -> Option<Value> {
        if !matches!(pool.op(term), Op::Symbol | Op::Select | Op::Apply | Op::Eq) {
            return None;
        }
        self.blaster.inputs_of(term)?;
        let bits = self.bits(term)?;
        if bits.iter().all(Option::is_none) {
            return None;
        }
        let bits = bits.into_iter().map(|bit| bit.unwrap_or(false));
        Some(bivalve_bitblast::value_of_bits(pool.sorts(), pool.sort(term), bits))
    }

    /// What the engine's model says of the bits of a term.
    fn bits(&mut self, term: Term) -> Option<Vec<Option<bool>>> {
        let Circuits { blaster, encoder, backend, .. } = self;
        let mut bit = |&edge: &Edge| match (edge.as_constant(), encoder.lookup(edge), backend.as_mut()) {
            (Some(constant), _, _) => Some(constant),
            (None, Some(literal), Some(backend)) => backend.value(literal),
            (None, _, _) => None,
        };
        Some(blaster.known_bits(term)?.iter().map(&mut bit).collect())
    }
}
