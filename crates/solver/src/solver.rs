//! The solver: assertions go downhill from terms to clauses, values come back up and are judged.
//!
//! The way of a query (see ARCHITECTURE.md): `assert` takes a formula as it is, on the topmost level of a stack
//! (`scopes`). `check` simplifies what is new (`simplify`), builds gates for it on demand and writes clauses for the
//! gates in use (`circuits`), and asks the SAT backend under the literals of levels, tracked assertions and assumptions
//! (`query`). Everything built stays for the next check: one gate graph, one SAT instance. The backend is started only
//! when there is a clause to solve; a formula that simplifies to true or false never starts it.
//!
//! Answers are sound whatever happens on the way: a model is validated on the original assertions and assumptions before
//! `Sat` is said, and a budget that runs out gives `Unknown` with the reason, after which the solver can be used on.
//!
//! Budgets are counted in steps (conflicts, gates), so a run is the same everywhere. Whoever wants limits of time
//! or memory raises the [`Stop`] flag from another thread; every phase polls it.

mod compact;

use crate::answer::{Answer, AssertError, CheckError, LevelError};
use crate::circuits::{Circuits, live_edges};
use crate::elements::Elements;
use crate::lower::Lowering;
use crate::model::{InternalError, Model};
use crate::options::Settings;
use crate::probe::probe;
use crate::progress::{Phase, Progress};
use crate::query::{Blame, Owner, Query};
use crate::refine::{Clause, Judged, Theory};
use crate::scopes::{Level, Scopes};
use crate::simplify::Simplifier;
use crate::statistics::{Clock, Statistics, no_clock, timed};
use crate::support::Supported;
use bivalve_bitblast::{BitBlaster, Edge, Limits, MOST_ELEMENT_BITS};
use bivalve_sat_adapter::{self as sat, Budget, Lit, SatSolver, Stop, Verdict, Why};
use bivalve_terms::{Pool, Sort, Term, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A solver over the terms of one [`Pool`], which is handed to every call.
pub struct Solver {
    settings: Settings,
    clock: Clock,
    stop: Stop,
    progress: Arc<Progress>,
    statistics: Statistics,
    supported: Supported,
    scopes: Scopes,
    simplifier: Simplifier,
    lowering: Lowering,
    elements: Elements,
    circuits: Circuits,
    theory: Theory,
    /// The stack up to this level is known to be contradictory, and why.
    refuted: Option<Blame>,
    model: Option<Model>,
    /// Why the last answer was unsat.
    blame: Option<Blame>,
    /// What the last check assumed.
    assumed: Vec<Term>,
}

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
        let stop = Stop::new();
        let theory = Theory::new(&settings);
        Solver {
            settings,
            clock: no_clock,
            stop: stop.clone(),
            progress: Arc::default(),
            statistics: Statistics::default(),
            supported: Supported::default(),
            scopes: Scopes::new(),
            simplifier: Simplifier::new(stop),
            lowering: Lowering::default(),
            elements: Elements::default(),
            circuits: Circuits::new(1),
            theory,
            refuted: None,
            model: None,
            blame: None,
            assumed: vec![],
        }
    }

    /// Changes the settings; they are in force from the next check on.
    pub fn set_settings(&mut self, settings: Settings) {
        let other_backend = settings.sat != self.settings.sat;
        self.settings = settings;
        self.theory.set(&self.settings);
        if other_backend {
            self.forget_answer();
            self.rebuild();
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
        let popped = self.scopes.pop(levels).ok_or(LevelError { depth })?;
        self.forget_answer();
        for level in popped {
            level.guard.into_iter().for_each(|guard| self.circuits.retire(guard));
            if level.entered {
                self.simplifier.pop();
            }
        }
        let left = self.scopes.levels().len();
        self.theory.leave_to(left - 1);
        self.refuted = self.refuted.take().filter(|blame| blame.level < left);
        Ok(())
    }

    /// The number of levels above the lowest.
    pub fn levels(&self) -> u64 {
        self.scopes.depth()
    }

    /// Drops all assertions and all levels.
    pub fn reset_assertions(&mut self) {
        self.forget_answer();
        self.scopes = Scopes::new();
        self.simplifier.reset();
        self.circuits = Circuits::new(self.circuits.blaster.element_bits());
        self.theory.forget();
        self.lowering.abstraction.forget_lemmas();
        self.refuted = None;
    }

    /// Asserts a formula on the topmost level. A refused formula changes nothing.
    pub fn assert(&mut self, pool: &Pool, formula: Term) -> Result<(), AssertError> {
        self.accept(pool, formula)?;
        self.forget_answer();
        self.scopes.add(formula, false);
        Ok(())
    }

    /// Asserts a formula that may be part of unsat cores, and returns its number among those live: tracked
    /// assertions count from 0, from the bottom of the stack. A refused formula changes nothing.
    pub fn assert_tracked(&mut self, pool: &Pool, formula: Term) -> Result<usize, AssertError> {
        self.accept(pool, formula)?;
        self.forget_answer();
        self.scopes.add(formula, true);
        Ok(self.scopes.tracked().len() - 1)
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
    pub fn check(&mut self, pool: &mut Pool) -> Result<Answer, InternalError> {
        self.check_accepted(pool, &[])
    }

    /// Is the conjunction of the assertions and of these Boolean terms satisfiable? They are assumed for this
    /// check only.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted, or a self-check failed.
    pub fn check_assuming(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<Answer, CheckError> {
        for (position, &assumption) in assumptions.iter().enumerate() {
            let accepted = self.accept(pool, assumption);
            accepted.map_err(|refusal| CheckError::Assumption { position, refusal })?;
        }
        Ok(self.check_accepted(pool, assumptions)?)
    }

    /// The model of the last check, if it was answered by `Sat` and nothing was asserted, pushed or popped since.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// If the last check was answered by `Unsat` and nothing was asserted, pushed or popped since: the numbers of
    /// tracked assertions that are contradictory together with all untracked ones and with the
    /// [`unsat_assumptions`](Solver::unsat_assumptions). Without the setting `minimize_core` some may be spared.
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
        statistics.eliminated = self.simplifier.definitions().len() as u64;
        if let Some(rewriter) = self.simplifier.rewriter() {
            statistics.set_rules(rewriter.applications());
        }
        statistics.gates = self.circuits.blaster.graph().len() as u64;
        statistics.clauses = self.circuits.encoder.statistics();
        statistics.arithmetic = self.lowering.abstraction.statistics();
        statistics.arrays = self.theory.statistics();
        statistics.sat = self.circuits.backend.as_ref().map(|backend| backend.statistics());
        statistics
    }

    /// The gate graph, and the edges of it that the last check asserted or assumed.
    pub fn circuit(&self) -> (&BitBlaster, Vec<Edge>) {
        let blaster = &self.circuits.blaster;
        let mut roots = live_edges(blaster, &self.lowering, &self.scopes);
        let assumed = self.assumed.iter().filter_map(|&term| self.lowering.image(term));
        roots.extend(assumed.filter_map(|term| blaster.known_bits(term)).map(|bits| bits[0]));
        (blaster, roots)
    }

    fn accept(&mut self, pool: &Pool, formula: Term) -> Result<(), AssertError> {
        if pool.sort(formula) != Sort::BOOL {
            return Err(AssertError::NotBoolean);
        }
        Ok(self.supported.check(pool, formula)?)
    }

    fn forget_answer(&mut self) {
        self.model = None;
        self.blame = None;
    }

    fn check_accepted(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<Answer, InternalError> {
        #[cfg(feature = "faults")]
        let _planted = bivalve_faults::plant(self.settings.plant);
        self.statistics.checks += 1;
        self.forget_answer();
        let answer = self.decide(pool, assumptions);
        self.theory.leave_to(self.scopes.levels().len() - 1);
        self.progress.enter(Phase::Idle, 0);
        answer
    }

    fn decide(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<Answer, InternalError> {
        self.assumed.clear();
        if let Err(why) = self.simplify(pool) {
            return Ok(Answer::Unknown(why));
        }
        if self.refuted.is_some() {
            self.blame = self.refuted.clone();
            return Ok(Answer::Unsat);
        }
        self.assumed = self.simplifier.images(pool, &self.settings, assumptions);
        if let Some(model) = self.probe(pool, assumptions)? {
            self.model = Some(model);
            return Ok(Answer::Sat);
        }
        loop {
            let mut query = Query::default();
            match self.synthesise(pool, &mut query) {
                Ok(None) => {}
                Ok(Some(owner)) => return Ok(self.refute_alone(pool, &query, owner)),
                Err(why) => return Ok(Answer::Unknown(why)),
            }
            let (outcome, failed) = self.solve(pool, query.literals());
            match outcome {
                // Once more, with more bits for elements.
                Outcome::Outgrown => {}
                Outcome::Unknown(why) => return Ok(Answer::Unknown(why)),
                Outcome::Unsat => {
                    let failed = self.reduce(pool, &query, failed);
                    // Searches for a minimal core that ran out of bits for elements have spared nobody.
                    if self.settings.minimize_core && self.outgrown(pool).is_some() {
                        continue;
                    }
                    return Ok(self.refute(query.blame(&failed)));
                }
                Outcome::Sat(arrays) => {
                    self.model = Some(self.read_model(pool, assumptions, arrays)?);
                    return Ok(Answer::Sat);
                }
            }
        }
    }

    /// Takes down why the answer is unsat; it is a fact about the stack if no assumption is to blame.
    fn refute(&mut self, blame: Blame) -> Answer {
        // What comes later may make a tracked assertion dispensable, so a minimal core has to be looked for again.
        let stays =
            blame.assumptions.is_empty() && (blame.tracked.is_empty() || !self.settings.minimize_core);
        self.refuted = stays.then(|| blame.clone());
        self.blame = Some(blame);
        Answer::Unsat
    }

    /// The same where a tracked assertion or an assumption is false by itself; the levels may be contradictory, too.
    fn refute_alone(&mut self, pool: &mut Pool, query: &Query, owner: Owner) -> Answer {
        if self.settings.minimize_core
            && let (Outcome::Unsat, failed) = self.solve(pool, &query.of_levels())
        {
            return self.refute(query.blame(&failed));
        }
        self.refute(Blame::of([owner]))
    }

    /// Simplifies the new assertions, level by level.
    fn simplify(&mut self, pool: &mut Pool) -> Result<(), Why> {
        self.stop.reason().map_or(Ok(()), Err)?;
        if self.refuted.is_some() || self.scopes.is_simplified() {
            return Ok(());
        }
        self.progress.enter(Phase::Simplify, self.scopes.assertions().len());
        let Solver { simplifier, scopes, settings, statistics, clock, refuted, .. } = self;
        let mut contradiction =
            || (0..scopes.levels().len()).find(|&level| !simplifier.level(pool, settings, scopes, level));
        if let Some(level) = timed(*clock, &mut statistics.seconds.rewrite, &mut contradiction) {
            *refuted = Some(Blame::of([Owner::Level(level)]));
        }
        self.stop.reason().map_or(Ok(()), Err)
    }

    /// A model that comes to mind before anything is built; what was simplified stays for checks to come.
    fn probe(&mut self, pool: &Pool, assumptions: &[Term]) -> Result<Option<Model>, InternalError> {
        let levels = self.scopes.levels();
        if !self.settings.probe || levels.iter().any(|level| level.built > 0) {
            return Ok(None);
        }
        let above = levels.iter().flat_map(|level| level.conjuncts.iter().chain(&level.tracked));
        let conjuncts: Vec<Term> = above.chain(&self.assumed).copied().collect();
        if conjuncts.is_empty() {
            return Ok(None);
        }
        let Solver { statistics, clock, .. } = self;
        let found = timed(*clock, &mut statistics.seconds.probe, || probe(pool, &conjuncts));
        let definitions = self.simplifier.definitions();
        let all = [self.scopes.assertions(), assumptions].concat();
        let validate = |candidate| Model::validate(pool, &all, definitions, candidate, &mut |_, _| None);
        found.map(validate).transpose()
    }

    /// Gates and clauses for all that has none, and the literals to assume; or the owner of what is false by itself.
    /// What was done stays done when this is stopped.
    fn synthesise(&mut self, pool: &mut Pool, query: &mut Query) -> Result<Option<Owner>, Why> {
        if self.circuits.is_stale(self.settings.rebuild_from, |blaster| {
            [live_edges(blaster, &self.lowering, &self.scopes), self.theory.live_edges(blaster)].concat()
        }) {
            self.statistics.rebuilds += 1;
            self.rebuild();
        }
        if let Some(needed) = self.outgrown(pool) {
            let room = u32::from(self.circuits.blaster.element_bits() > 1);
            self.rebuild();
            self.circuits = Circuits::new((needed + room).min(MOST_ELEMENT_BITS));
        }
        let levels = self.scopes.levels().len();
        self.progress.enter(Phase::Synthesise, self.scopes.assertions().len());
        for index in 0..levels {
            self.simplifier.settle(pool, &mut self.scopes, index);
            self.theory.enter(index);
            if !self.build(pool, index)? {
                return Ok(Some(Owner::Level(index)));
            }
            let level = &self.scopes.levels()[index];
            level.direct.iter().chain(&level.guard).for_each(|&lit| query.assume(lit, Owner::Level(index)));
        }
        // What only assumptions speak of is gone with the check.
        if !self.assumed.is_empty() {
            self.theory.enter(levels);
        }
        for index in 0..levels {
            let first = self.scopes.first_tracked(index);
            for position in 0..self.scopes.levels()[index].tracked.len() {
                let image = self.scopes.levels()[index].tracked[position];
                let owner = Owner::Tracked(index, first + position);
                if !self.assume(pool, image, owner, query)? {
                    return Ok(Some(owner));
                }
            }
        }
        for position in 0..self.assumed.len() {
            let owner = Owner::Assumption(position);
            if !self.assume(pool, self.assumed[position], owner, query)? {
                return Ok(Some(owner));
            }
        }
        Ok(None)
    }

    /// The bits that elements of declared sorts need, if they have fewer.
    fn outgrown(&mut self, pool: &Pool) -> Option<u32> {
        let needed = if self.supported.is_beyond_bits() { self.elements.bits(pool) } else { 1 };
        Some(needed).filter(|&needed| needed > self.circuits.blaster.element_bits())
    }

    /// Throws gates and clauses away; the live ones are built again by whoever needs them.
    fn rebuild(&mut self) {
        self.circuits = Circuits::new(self.circuits.blaster.element_bits());
        self.theory.forget();
        self.lowering.abstraction.forget_lemmas();
        self.scopes.levels_mut().iter_mut().for_each(Level::unbuild);
    }

    /// Gates and clauses for the conjuncts of a level that have none; `false` if one of them is false.
    fn build(&mut self, pool: &mut Pool, index: usize) -> Result<bool, Why> {
        while let Some(&conjunct) = {
            let level = &self.scopes.levels()[index];
            level.conjuncts.get(level.built)
        } {
            let root = self.root(pool, conjunct)?;
            if root == Edge::FALSE {
                return Ok(false);
            }
            let Solver { circuits, scopes, settings, stop, statistics, .. } = self;
            let level = scopes.level_mut(index);
            let start = || start_backend(settings, stop);
            timed(self.clock, &mut statistics.seconds.encode, || {
                circuits.assert(level, index == 0, root, start);
            });
            level.built += 1;
            self.progress.step();
            self.progress.count(circuits.blaster.graph().len() as u64, circuits.encoder.statistics().clauses);
        }
        Ok(true)
    }

    /// Adds the literal of a formula to the query; `false` if the formula is false.
    fn assume(
        &mut self,
        pool: &mut Pool,
        formula: Term,
        owner: Owner,
        query: &mut Query,
    ) -> Result<bool, Why> {
        let root = self.root(pool, formula)?;
        if !root.is_constant() {
            let Solver { circuits, settings, stop, statistics, .. } = self;
            let start = || start_backend(settings, stop);
            let seconds = &mut statistics.seconds.encode;
            query.assume(timed(self.clock, seconds, || circuits.literal(root, start)), owner);
        }
        Ok(root != Edge::FALSE)
    }

    /// The edge of a formula.
    fn root(&mut self, pool: &mut Pool, formula: Term) -> Result<Edge, Why> {
        let Settings { abstract_from, gate_limit, .. } = self.settings;
        let formula = self.lowering.apply(pool, formula, abstract_from);
        if self.supported.is_beyond_bits() || !self.lowering.abstraction.is_empty() {
            self.theory.take_in(pool, &self.lowering, formula);
        }
        let limits = Limits { gates: gate_limit, stop: &self.stop };
        let blaster = &mut self.circuits.blaster;
        timed(self.clock, &mut self.statistics.seconds.blast, || Ok(blaster.root(pool, formula, &limits)?))
    }

    /// Searches and refines until the model extends to arrays and functions, or there is none.
    fn solve(&mut self, pool: &mut Pool, literals: &[Lit]) -> (Outcome, FxHashSet<Lit>) {
        loop {
            if let Err(why) = self.say_ahead(pool) {
                return (Outcome::Unknown(why), FxHashSet::default());
            }
            if self.outgrown(pool).is_some() {
                return (Outcome::Outgrown, FxHashSet::default());
            }
            match self.search(literals) {
                (Verdict::Unknown(why), failed) => return (Outcome::Unknown(why), failed),
                (Verdict::Unsat, failed) => return (Outcome::Unsat, failed),
                (Verdict::Sat, failed) => match self.refine(pool) {
                    Ok(None) => {}
                    Ok(Some(arrays)) => return (Outcome::Sat(arrays), failed),
                    Err(why) => return (Outcome::Unknown(why), failed),
                },
            }
        }
    }

    /// Adds what the strategy for arrays wants to say before a search.
    fn say_ahead(&mut self, pool: &mut Pool) -> Result<(), Why> {
        loop {
            let axioms = self.theory.ahead(pool);
            if axioms.is_empty() {
                return Ok(());
            }
            self.learn(pool, &axioms)?;
        }
    }

    /// Shows the model of the circuits to the array checker: the values of arrays and functions that extend it, or
    /// nothing, when it broke lemmas, which are added.
    fn refine(&mut self, pool: &mut Pool) -> Result<Option<Vec<(Term, Value)>>, Why> {
        self.progress.enter(Phase::Refine, 0);
        let Solver { theory, lowering, circuits, statistics, clock, stop, .. } = self;
        let seconds = &mut statistics.seconds.arrays;
        match timed(*clock, seconds, || theory.inspect(pool, lowering, circuits, stop)) {
            Judged::Extends(arrays) => Ok(Some(arrays)),
            Judged::Unknown(why) => Err(why),
            Judged::Breaks(lemmas) => self.learn(pool, &lemmas).map(|()| None),
        }
    }

    /// Adds lemmas.
    fn learn(&mut self, pool: &Pool, lemmas: &[Clause]) -> Result<(), Why> {
        let Solver { theory, lowering, circuits, statistics, clock, settings, stop, .. } = self;
        let limits = Limits { gates: settings.gate_limit, stop };
        timed(*clock, &mut statistics.seconds.arrays, || {
            for lemma in lemmas {
                if let Some(why) = stop.reason() {
                    return Err(why);
                }
                theory.learn(pool, lowering, circuits, lemma, &limits, || start_backend(settings, stop))?;
            }
            Ok(())
        })
    }

    /// Asks the backend; if the literals are contradictory, which of them are to blame.
    fn search(&mut self, literals: &[Lit]) -> (Verdict, FxHashSet<Lit>) {
        self.progress.enter(Phase::Search, 0);
        let budget = Budget { conflicts: self.settings.conflict_limit, ..Budget::UNLIMITED };
        let Some(backend) = &mut self.circuits.backend else { return (Verdict::Sat, FxHashSet::default()) };
        let seconds = &mut self.statistics.seconds.sat;
        let verdict = timed(self.clock, seconds, || backend.solve(literals, &budget));
        let mut failed = FxHashSet::default();
        if verdict.is_unsat() {
            failed.extend(literals.iter().copied().filter(|&literal| backend.failed(literal)));
        }
        (verdict, failed)
    }

    /// The core without what can be spared, if that was asked for.
    fn reduce(&mut self, pool: &mut Pool, query: &Query, failed: FxHashSet<Lit>) -> FxHashSet<Lit> {
        if !self.settings.minimize_core {
            return failed;
        }
        query.minimise(failed, &mut |literals| match self.solve(pool, literals) {
            (Outcome::Unsat, failed) => Some(failed),
            (Outcome::Sat(_) | Outcome::Unknown(_) | Outcome::Outgrown, _) => None,
        })
    }

    fn read_model(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        arrays: Vec<(Term, Value)>,
    ) -> Result<Model, InternalError> {
        let all = [self.scopes.assertions(), assumptions].concat();
        self.progress.enter(Phase::Validate, all.len());
        let Solver { circuits, simplifier, statistics, clock, .. } = self;
        let mut circuit_value = |pool: &Pool, term: Term| circuits.value(pool, term);
        let read = || Model::read(pool, &all, simplifier.definitions(), arrays, &mut circuit_value);
        timed(*clock, &mut statistics.seconds.model, read)
    }
}

fn start_backend(settings: &Settings, stop: &Stop) -> Box<dyn SatSolver> {
    let mut backend = sat::create(&settings.sat).expect("settings name a backend that exists");
    backend.set_stop(stop.clone());
    backend
}
