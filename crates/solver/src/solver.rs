//! The solver: assertions go downhill from terms to clauses, values come back up and are judged.
//!
//! The way of a query (see ARCHITECTURE.md): `assert` takes a formula as it is, on the topmost level of a
//! stack (`scopes`). `check` simplifies what is new (`simplify`), builds gates for it on demand and writes
//! clauses for the gates in use (`circuits`), and asks the SAT backend under the literals of levels, tracked
//! assertions and assumptions (`query`). Everything built stays for the next check: one gate graph, one SAT
//! instance. The backend is started only when there is a clause to solve; a formula that simplifies to true
//! or false never starts it.
//!
//! Answers are sound whatever happens on the way: a model is validated on the original assertions and
//! assumptions before `Sat` is said, and a budget that runs out gives `Unknown` with the reason, after which
//! the solver can be used on.
//!
//! Budgets are counted in steps (conflicts, gates), so a run is the same everywhere. Whoever wants limits of
//! time or memory raises the [`Stop`] flag from another thread; every phase polls it.

mod above;
mod approximate;
mod build;
mod compact;
mod configure;
mod search;
mod shrink;
mod simplified;

pub use simplified::Simplification;

use crate::answer::{AssertError, CheckError, CheckResult, LevelError};
use crate::elements::Elements;
use crate::lower::Lowering;
use crate::model::{InternalError, Model};
use crate::options::Settings;
use crate::parts::Parts;
use crate::probe::probe;
use crate::progress::{Phase, Progress};
use crate::query::{Blame, Owner, Query};
use crate::refine::Theory;
use crate::scopes::Scopes;
use crate::statistics::{Clock, Statistics, no_clock, timed};
use crate::support::Supported;
use bivalve_bitblast::{BitBlaster, Edge, Encoder};
use bivalve_limits::Deadline;
use bivalve_preprocess::{Preprocessor, Request};
use bivalve_sat_adapter::{Stop, Why};
use bivalve_terms::{Pool, Sort, Term, Value};
use std::sync::Arc;

/// A solver over the terms of one [`Pool`], which is handed to every call.
pub struct Solver {
    settings: Settings,
    parts: Parts,
    clock: Clock,
    stop: Stop,
    progress: Arc<Progress>,
    statistics: Statistics,
    supported: Supported,
    scopes: Scopes,
    preprocessor: Preprocessor,
    lowering: Lowering,
    elements: Elements,
    encoder: Encoder,
    leaves: approximate::Leaves,
    theory: Theory,
    plan: approximate::Plan,
    /// The stack up to this level is known to be contradictory, and why.
    refuted: Option<Blame>,
    model: Option<Model>,
    /// The model of an earlier check, and how many of the assertions are known to hold in it.
    former: Option<(Model, usize)>,
    /// How much there is to read in it, while it is made smaller.
    lightest: u64,
    /// Why the last answer was unsat.
    blame: Option<Blame>,
    /// What the last check assumed, as it was given.
    asked: Vec<Term>,
    /// The same, simplified.
    assumed: Vec<Term>,
}

/// Steps that one check may spend on preprocessing: about ten seconds.
const PREPROCESSING_STEPS: u64 = 1_000_000_000;

/// What came of searching and refining.
enum Outcome {
    /// A model of the circuits, and the values of array and function symbols that extend it.
    Sat(Vec<(Term, Value)>),
    Unsat,
    Unknown(Why),
    /// There are more terms of declared sorts than elements have bits for.
    Outgrown,
}

impl Solver {
    /// A solver without assertions. The backend named in the settings must be among those compiled in, which
    /// [`Settings::set`] makes sure of.
    pub fn new(settings: Settings) -> Solver {
        let (stop, parts) = (Stop::new(), Parts::default());
        let theory = Theory::new(&settings, &parts);
        let mut encoder = Encoder::new(parts.factory(&settings), &stop);
        encoder.set_gate_limit(settings.gate_limit);
        encoder.set_rebuild_from(settings.rebuild_from);
        let preprocessor = Preprocessor::new(settings.preprocessing(no_clock));
        Solver {
            settings,
            parts,
            clock: no_clock,
            stop,
            progress: Arc::default(),
            statistics: Statistics::default(),
            supported: Supported::default(),
            scopes: Scopes::new(),
            preprocessor,
            lowering: Lowering::default(),
            elements: Elements::default(),
            encoder,
            leaves: approximate::Leaves::default(),
            theory,
            plan: approximate::Plan::default(),
            refuted: None,
            model: None,
            former: None,
            lightest: 0,
            blame: None,
            asked: vec![],
            assumed: vec![],
        }
    }

    /// Opens levels on the assertion stack. Costs nothing until something is asserted.
    ///
    /// # Errors
    ///
    /// When there would be more than 2^64 - 1 of them; nothing changes then.
    pub fn push(&mut self, levels: u64) -> Result<(), LevelError> {
        self.forget_answer();
        let depth = self.scopes.depth();
        if self.scopes.push(levels) { Ok(()) } else { Err(LevelError { depth }) }
    }

    /// Drops the topmost levels with all that was asserted on them.
    ///
    /// # Errors
    ///
    /// When there are fewer; nothing changes then.
    pub fn pop(&mut self, levels: u64) -> Result<(), LevelError> {
        let depth = self.scopes.depth();
        if levels > depth {
            return Err(LevelError { depth });
        }
        self.forget_answer();
        let popped = self.scopes.pop(levels).expect("there are as many levels");
        popped.iter().for_each(|_| self.preprocessor.pop());
        let left = self.scopes.levels().len();
        self.encoder.pop_to(left);
        self.theory.leave_to(left - 1);
        self.refuted = self.refuted.take().filter(|blame| blame.level < left);
        if let Some((_, holding)) = &mut self.former {
            *holding = (*holding).min(self.scopes.assertions().len());
        }
        Ok(())
    }

    /// The number of levels above the lowest.
    pub fn levels(&self) -> u64 {
        self.scopes.depth()
    }

    /// Drops all assertions and all levels.
    pub fn reset_assertions(&mut self) {
        self.forget_answer();
        self.former = None;
        self.scopes = Scopes::new();
        self.preprocessor.reset();
        self.encoder.reset();
        self.leaves = approximate::Leaves::default();
        self.theory.forget();
        self.lowering.abstraction.forget_lemmas();
        self.refuted = None;
    }

    /// Asserts a formula on the topmost level. A refused formula changes nothing.
    pub fn assert(&mut self, pool: &Pool, formula: Term) -> Result<(), AssertError> {
        self.accept(pool, formula)?;
        self.add(formula, false);
        Ok(())
    }

    /// Asserts a formula that may be part of unsat cores, and returns its number among those live: tracked
    /// assertions count from 0, from the bottom of the stack. A refused formula changes nothing.
    pub fn assert_tracked(&mut self, pool: &Pool, formula: Term) -> Result<usize, AssertError> {
        self.accept(pool, formula)?;
        self.add(formula, true);
        Ok(self.scopes.tracked().len() - 1)
    }

    /// Adds a formula that was accepted to the topmost level, here and in the preprocessor.
    fn add(&mut self, formula: Term, tracked: bool) {
        self.forget_answer();
        if self.scopes.add(formula, tracked) {
            self.preprocessor.push();
        }
        if tracked {
            self.preprocessor.add_tracked(formula);
        } else {
            self.preprocessor.add(&[formula]);
        }
    }

    /// The formulas asserted, tracked or not, as they were given, the lowest level first.
    pub fn assertions(&self) -> &[Term] {
        self.scopes.assertions()
    }

    /// The tracked formulas among them, by number.
    pub fn tracked(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.scopes.tracked()
    }

    /// Is the conjunction of the assertions satisfiable?
    pub fn check(&mut self, pool: &mut Pool) -> Result<CheckResult, InternalError> {
        self.check_accepted(pool, &[])
    }

    /// Is the conjunction of the assertions and of these Boolean terms satisfiable? They are assumed for this
    /// check only.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, or a self-check failed.
    pub fn check_assuming(
        &mut self,
        pool: &mut Pool,
        assumptions: &[Term],
    ) -> Result<CheckResult, CheckError> {
        for (position, &assumption) in assumptions.iter().enumerate() {
            let accepted = self.accept(pool, assumption);
            accepted.map_err(|refusal| CheckError::Assumption { position, refusal })?;
        }
        match self.is_best_asserted(pool, assumptions) {
            Some(assumption) => Ok(self.check_above(pool, assumption)?),
            None => Ok(self.check_accepted(pool, assumptions)?),
        }
    }

    /// The model of the last check, if it was answered by `Sat` and nothing was asserted, pushed or popped
    /// since.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// If the last check was answered by `Unsat` and nothing was asserted, pushed or popped since: the
    /// numbers of tracked assertions that are contradictory together with all untracked ones and with the
    /// [`unsat_assumptions`](Solver::unsat_assumptions). Without the setting `minimize_core` some may be
    /// spared.
    pub fn unsat_core(&self) -> Option<&[usize]> {
        self.blame.as_ref().map(|blame| &blame.tracked[..])
    }

    /// Likewise: the positions of assumptions of the last check that have to do with it.
    pub fn unsat_assumptions(&self) -> Option<&[usize]> {
        self.blame.as_ref().map(|blame| &blame.assumptions[..])
    }

    /// What the checks cost so far.
    pub fn statistics(&self, pool: &Pool) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.assertions = self.scopes.assertions().len() as u64;
        statistics.terms = pool.len() as u64;
        statistics.set_preprocessing(self.preprocessor.statistics());
        statistics.set_encoder(self.encoder.statistics());
        statistics.arithmetic = self.lowering.abstraction.statistics();
        statistics.arrays = self.theory.statistics();
        statistics
    }

    /// The gate graph, and the edges of it that the last check asserted or assumed.
    pub fn circuit(&self) -> (&BitBlaster, Vec<Edge>) {
        let blaster = self.encoder.blaster();
        let terms = conjuncts(&self.preprocessor).chain(self.assumed.iter().copied());
        let images = terms.filter_map(|term| self.lowering.image(term));
        let roots = images.filter_map(|term| blaster.known_roots(term)).flatten().copied();
        (blaster, roots.collect())
    }

    fn accept(&mut self, pool: &Pool, formula: Term) -> Result<(), AssertError> {
        if pool.sort(formula) != Sort::BOOL {
            return Err(AssertError::NotBoolean);
        }
        Ok(self.supported.check(pool, formula)?)
    }

    /// The answer of the last check is gone; its model is kept to be tried on the next one.
    fn forget_answer(&mut self) {
        if let Some(model) = self.model.take() {
            self.former = Some((model, self.scopes.assertions().len()));
        }
        self.blame = None;
    }

    /// Whether the model of an earlier check satisfies what was asserted since, and what is assumed; then it
    /// is the model of this check.
    fn try_former(&mut self, pool: &Pool, assumptions: &[Term]) -> bool {
        let Some((model, holding)) = self.former.take().filter(|_| self.settings.probe) else {
            return false;
        };
        let new = self.scopes.assertions()[holding..].iter().chain(assumptions);
        let new: Vec<Term> = new.copied().collect();
        let Solver { statistics, clock, stop, .. } = self;
        let satisfies =
            timed(*clock, &mut statistics.seconds.probe, || model.satisfies(pool, &new, stop) == Some(true));
        if satisfies {
            statistics.former_models += 1;
            self.model = Some(model);
        } else {
            self.former = Some((model, holding));
        }
        satisfies
    }

    fn check_accepted(
        &mut self,
        pool: &mut Pool,
        assumptions: &[Term],
    ) -> Result<CheckResult, InternalError> {
        #[cfg(feature = "faults")]
        let _planted = bivalve_faults::plant(self.settings.plant);
        self.statistics.checks += 1;
        self.forget_answer();
        self.asked = assumptions.to_vec();
        if !self.settings.small_models && self.try_former(pool, assumptions) {
            return Ok(CheckResult::Sat);
        }
        self.plan_approximation();
        let mut answer = self.decide(pool, assumptions);
        self.end_approximation(answer == Ok(CheckResult::Sat));
        self.plan = approximate::Plan::default();
        if self.settings.small_models && answer == Ok(CheckResult::Sat) {
            answer = self.shrink(pool).map(|()| CheckResult::Sat);
        }
        self.theory.leave_to(self.scopes.levels().len() - 1);
        self.progress.enter(Phase::Idle, 0);
        answer
    }

    fn decide(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<CheckResult, InternalError> {
        self.assumed.clear();
        if let Err(why) = self.simplify(pool, assumptions) {
            return Ok(CheckResult::Unknown(why));
        }
        if self.refuted.is_some() {
            self.blame = self.refuted.clone();
            return Ok(CheckResult::Unsat);
        }
        self.assumed = match self.images(pool, assumptions) {
            Ok(images) => images,
            Err(why) => return Ok(CheckResult::Unknown(why)),
        };
        if let Some(model) = self.probe(pool, assumptions)? {
            self.model = Some(model);
            return Ok(CheckResult::Sat);
        }
        loop {
            let mut query = Query::default();
            match self.synthesise(pool, &mut query) {
                Ok(None) => {}
                Ok(Some(owner)) => return Ok(self.refute_alone(pool, &query, owner)),
                Err(why) => return Ok(CheckResult::Unknown(why)),
            }
            self.begin_approximation(pool);
            let (outcome, failed) = self.solve(pool, query.literals(), self.settings.conflict_limit);
            match outcome {
                // Once more, with more bits for elements.
                Outcome::Outgrown => {}
                Outcome::Unknown(why) => return Ok(CheckResult::Unknown(why)),
                Outcome::Unsat => {
                    self.end_approximation(false);
                    self.plan = approximate::Plan::default();
                    let failed = self.reduce(pool, &query, failed);
                    // Searches for a minimal core that ran out of bits for elements have spared nobody.
                    if self.settings.minimize_core && self.outgrown(pool).is_some() {
                        continue;
                    }
                    return Ok(self.refute(query.blame(&failed)));
                }
                Outcome::Sat(arrays) => {
                    self.model = Some(self.read_model(pool, assumptions, arrays)?);
                    return Ok(CheckResult::Sat);
                }
            }
        }
    }

    /// Takes down why the answer is unsat; it is a fact about the stack if no assumption is to blame.
    fn refute(&mut self, blame: Blame) -> CheckResult {
        // What comes later may make a tracked assertion dispensable, so a minimal core has to be looked for
        // again.
        let stays =
            blame.assumptions.is_empty() && (blame.tracked.is_empty() || !self.settings.minimize_core);
        self.refuted = stays.then(|| blame.clone());
        self.blame = Some(blame);
        CheckResult::Unsat
    }

    /// The same where a tracked assertion or an assumption is false by itself; the levels may be
    /// contradictory, too.
    fn refute_alone(&mut self, pool: &mut Pool, query: &Query, owner: Owner) -> CheckResult {
        if self.settings.minimize_core
            && let (Outcome::Unsat, failed) =
                self.solve(pool, &query.of_levels(), self.settings.conflict_limit)
        {
            return self.refute(query.blame(&failed));
        }
        self.refute(Blame::of([owner]))
    }

    /// Simplifies the new assertions, level by level.
    fn simplify(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<(), Why> {
        self.stop.reason().map_or(Ok(()), Err)?;
        if self.refuted.is_some() {
            return Ok(());
        }
        if !self.preprocessor.is_done() {
            self.progress.enter(Phase::Simplify, self.scopes.assertions().len());
        }
        let deadline = Deadline::new(&self.stop, PREPROCESSING_STEPS);
        let has_empty_levels = self.scopes.has_empty_levels();
        let request = Request { assumptions, has_empty_levels, deadline: &deadline };
        let Solver { preprocessor, statistics, clock, .. } = self;
        let run = timed(*clock, &mut statistics.seconds.rewrite, || preprocessor.run(pool, &request))?;
        if run.is_anew {
            self.rebuild();
        }
        self.refuted = run.contradiction.map(|level| Blame::of([Owner::Level(level)]));
        Ok(())
    }

    /// Formulas that are kept apart, simplified by what is asserted.
    fn images(&mut self, pool: &mut Pool, formulas: &[Term]) -> Result<Vec<Term>, Why> {
        self.preprocessor.images(pool, formulas, &Deadline::stopped_by(&self.stop))
    }

    /// A model that comes to mind before anything is built; what was simplified stays for checks to come.
    fn probe(&mut self, pool: &Pool, assumptions: &[Term]) -> Result<Option<Model>, InternalError> {
        if !self.settings.probe || self.scopes.levels().iter().any(|level| level.built > 0) {
            return Ok(None);
        }
        let above = conjuncts(&self.preprocessor);
        let conjuncts: Vec<Term> = above.chain(self.assumed.iter().copied()).collect();
        if conjuncts.is_empty() {
            return Ok(None);
        }
        let Solver { statistics, clock, .. } = self;
        let found = timed(*clock, &mut statistics.seconds.probe, || probe(pool, &conjuncts));
        let preprocessor = &self.preprocessor;
        let all = [self.scopes.assertions(), assumptions].concat();
        let validate =
            |candidate| Model::validate(pool, &all, preprocessor, candidate, None, &mut |_, _| None);
        found.map(validate).transpose()
    }
}

/// What preprocessing left of all assertions.
pub(crate) fn conjuncts(preprocessor: &Preprocessor) -> impl Iterator<Item = Term> + '_ {
    preprocessor.levels().iter().flat_map(|level| level.conjuncts().iter().chain(level.tracked())).copied()
}
