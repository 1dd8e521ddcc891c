//! The solver: an assertion stack above the stages preprocessing, encoding and refinement.
//!
//! A check goes down through the stages, and its model comes back up:
//!
//! 1. the model of an earlier check is tried on what is new;
//! 2. what is new is handed down, with terms of theories that are defined by bit-vectors turned into these
//!    (`bivalve-lowering`), and the preprocessor simplifies what is new, level by level, and leaves
//!    conjuncts (`bivalve-preprocess`);
//! 3. a few assignments are tried ([`crate::probe`]);
//! 4. conjuncts, tracked conjuncts and assumptions are encoded; the SAT solver and the refiners search for a
//!    model ([`crate::search`]);
//! 5. the model is lifted by the preprocessor and by the lowering, and validated on the assertions as they
//!    were made ([`crate::model`]); or the failed literals are read back as a core ([`crate::query`]).
//!
//! What a stage has derived stays for the next check. Answers are correct whatever happens on the way: a
//! check that is stopped or runs out of its budget answers `Unknown` with the reason, and the solver can be
//! used on.
//!
//! Budgets are counted in steps (conflicts, gates), so a run is the same on every machine. For limits of time
//! or memory, another thread raises the [`Stop`] flag, which every phase polls.

use crate::afresh::{Afresh, Ending};
use crate::answer::{AssertError, CheckError, CheckResult, LevelError};
use crate::course::Course;
use crate::model::{InternalError, Model, WayBack};
use crate::options::Settings;
use crate::parts::Parts;
use crate::probe::probe;
use crate::progress::{Phase, Progress};
use crate::quantified::Quantified;
use crate::query::{Core, Owner, is_literal};
use crate::refiners::refiners;
use crate::search::{Outcome, Search};
use crate::stack::AssertionStack;
use crate::statistics::{Clock, Effort, Statistics, no_clock, timed};
use crate::support::Supported;
use bivalve_limits::Deadline;
use bivalve_lowering::Lowering;
use bivalve_preprocess::{Preprocessor, Request};
use bivalve_sat_adapter::{Lit, Stop, Why};
use bivalve_terms::{Pool, Sort, Term, Value};
use std::sync::Arc;

/// Steps that one check may spend on preprocessing: about ten seconds.
const PREPROCESSING_STEPS: u64 = 1_000_000_000;

/// A solver over the terms of one [`Pool`], which is handed to every call.
pub struct Solver {
    pub(crate) settings: Settings,
    pub(crate) parts: Parts,
    pub(crate) clock: Clock,
    pub(crate) stop: Stop,
    pub(crate) progress: Arc<Progress>,
    pub(crate) statistics: Statistics,
    pub(crate) supported: Supported,
    pub(crate) stack: AssertionStack,
    pub(crate) lowering: Lowering,
    pub(crate) preprocessor: Preprocessor,
    pub(crate) search: Search,
    /// A contradiction of the levels up to the one in it, which stays until that level is popped.
    pub(crate) contradiction: Option<Core>,
    pub(crate) answer: Answer,
    /// Conflicts that the running check has left; `None` for any number.
    pub(crate) conflicts_left: Option<u64>,
    /// What searches beside the main one have cost.
    pub(crate) apart: Statistics,
    /// The checks so far, as far as they decide what is tried.
    pub(crate) course: Course,
    pub(crate) sums: crate::local_search::SumsSoFar,
    /// How long later checks wait before they are asked afresh.
    pub(crate) afresh: Afresh,
    /// What decides quantified formulas, once there are some.
    pub(crate) quantified: Option<Box<Quantified>>,
    /// How many solvers of quantified formulas ask this one for a counterexample, each for the next.
    pub(crate) nesting: u32,
    /// Rounds of instances that a check may take; `None` for any number.
    pub(crate) rounds: Option<u64>,
    /// The model of an earlier check, and how many of the assertions are known to hold in it.
    pub(crate) former: Option<(Model, usize)>,
}

/// What is known of the last check.
#[derive(Default)]
pub(crate) struct Answer {
    pub(crate) model: Option<Model>,
    pub(crate) core: Option<Core>,
    /// What it assumed, as it was given.
    pub(crate) assumptions: Vec<Term>,
    /// The same, preprocessed.
    pub(crate) assumed: Vec<Term>,
    /// Why it was not decided.
    pub(crate) unknown: Option<Why>,
    /// All of it has clauses, and they have the answer.
    pub(crate) is_searched: bool,
}

/// The assertion stack.
impl Solver {
    /// A solver without assertions. The backend named in the settings must be among those compiled in, which
    /// [`Settings::set`] makes sure of.
    pub fn new(settings: Settings) -> Solver {
        Solver::stopped_by(settings, Stop::new())
    }

    /// The same with a given [`Solver::stop_handle`].
    pub fn stopped_by(settings: Settings, stop: Stop) -> Solver {
        Solver::built(settings, Parts::default(), stop, Arc::default())
    }

    /// The same of given parts, and with a given [`Solver::progress`].
    pub(crate) fn built(settings: Settings, parts: Parts, stop: Stop, progress: Arc<Progress>) -> Solver {
        let refiners = refiners(&settings, &parts);
        let search = Search::new(parts.factory(&settings), refiners, &stop, progress.clone());
        let preprocessor = Preprocessor::new(settings.preprocessing(no_clock));
        let mut solver = Solver {
            settings,
            parts,
            clock: no_clock,
            stop,
            progress,
            statistics: Statistics::default(),
            supported: Supported::default(),
            stack: AssertionStack::new(),
            lowering: Lowering::new(),
            preprocessor,
            search,
            contradiction: None,
            answer: Answer::default(),
            conflicts_left: None,
            apart: Statistics::default(),
            course: Course::default(),
            sums: Default::default(),
            afresh: Afresh::default(),
            quantified: None,
            nesting: 0,
            rounds: None,
            former: None,
        };
        solver.apply_search_settings();
        solver
    }

    /// Opens levels on the assertion stack. Costs nothing until something is asserted.
    ///
    /// # Errors
    ///
    /// When there would be more than 2^64 - 1 of them; nothing changes then.
    pub fn push(&mut self, levels: u64) -> Result<(), LevelError> {
        self.forget_answer();
        let depth = self.stack.depth();
        if self.stack.push(levels) { Ok(()) } else { Err(LevelError { depth }) }
    }

    /// Drops the topmost levels with all that was asserted on them.
    ///
    /// # Errors
    ///
    /// When there are fewer; nothing changes then.
    pub fn pop(&mut self, levels: u64) -> Result<(), LevelError> {
        let depth = self.stack.depth();
        if levels > depth {
            return Err(LevelError { depth });
        }
        self.forget_answer();
        let known = self.stack.pop(levels).expect("there are as many levels");
        (0..known).for_each(|_| self.preprocessor.pop());
        let left = self.stack.levels();
        self.search.pop_to(left);
        self.contradiction = self.contradiction.take().filter(|core| core.level < left);
        if let Some((_, holding)) = &mut self.former {
            *holding = (*holding).min(self.stack.assertions().len());
        }
        Ok(())
    }

    /// The number of levels above the lowest.
    pub fn levels(&self) -> u64 {
        self.stack.depth()
    }

    /// Drops all assertions and all levels.
    pub fn reset_assertions(&mut self) {
        self.forget_answer();
        self.former = None;
        self.quantified = None;
        self.stack = AssertionStack::new();
        self.preprocessor.reset();
        self.search.forget();
        self.contradiction = None;
    }

    /// Asserts a formula on the topmost level.
    ///
    /// # Errors
    ///
    /// When it is not Boolean or contains a term that is not supported; nothing changes then.
    pub fn assert(&mut self, pool: &Pool, formula: Term) -> Result<(), AssertError> {
        self.assert_all(pool, &[formula])
    }

    /// Asserts all of some formulas on the topmost level, or none.
    ///
    /// # Errors
    ///
    /// As [`Solver::assert`], if one of them is refused; nothing changes then.
    pub fn assert_all(&mut self, pool: &Pool, formulas: &[Term]) -> Result<(), AssertError> {
        formulas.iter().try_for_each(|&formula| self.accept(pool, formula))?;
        formulas.iter().for_each(|&formula| self.add(formula, false));
        Ok(())
    }

    /// Asserts a formula that may be part of unsat cores, and returns its number among those live: tracked
    /// assertions count from 0, from the bottom of the stack.
    ///
    /// # Errors
    ///
    /// As [`Solver::assert`].
    pub fn assert_tracked(&mut self, pool: &Pool, formula: Term) -> Result<usize, AssertError> {
        self.assert_all_tracked(pool, &[formula])
    }

    /// Asserts all of some formulas that may be part of unsat cores, or none, and returns the number of the
    /// first; the others follow.
    ///
    /// # Errors
    ///
    /// As [`Solver::assert_all`].
    pub fn assert_all_tracked(&mut self, pool: &Pool, formulas: &[Term]) -> Result<usize, AssertError> {
        formulas.iter().try_for_each(|&formula| self.accept(pool, formula))?;
        let first = self.stack.tracked().len();
        formulas.iter().for_each(|&formula| self.add(formula, true));
        Ok(first)
    }

    fn accept(&mut self, pool: &Pool, formula: Term) -> Result<(), AssertError> {
        if pool.sort(formula) != Sort::BOOL {
            return Err(AssertError::NotBoolean);
        }
        self.supported.check(pool, formula)?;
        Ok(self.lowering.check(pool, formula)?)
    }

    /// Adds a formula, which was accepted, to the topmost level.
    pub(crate) fn add(&mut self, formula: Term, tracked: bool) {
        self.forget_answer();
        self.stack.add(formula, tracked);
    }

    /// The formulas asserted, tracked or not, as they were given, the lowest level first.
    pub fn assertions(&self) -> &[Term] {
        self.stack.assertions()
    }

    /// The tracked formulas among them, by number.
    pub fn tracked(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.stack.tracked()
    }

    /// The answer of the last check is void; its model is kept to be tried in the next one.
    pub(crate) fn forget_answer(&mut self) {
        // What a model knows of quantified formulas is not found by evaluating them again.
        let model = std::mem::take(&mut self.answer).model.filter(|model| !model.is_quantified());
        if let Some(model) = model {
            self.former = Some((model, self.stack.assertions().len()));
        }
    }
}

/// Checks.
impl Solver {
    /// Is the conjunction of the assertions satisfiable?
    ///
    /// # Errors
    ///
    /// When a self-check failed.
    pub fn check(&mut self, pool: &mut Pool) -> Result<CheckResult, InternalError> {
        self.check_assumed(pool, &[])
    }

    /// Is the conjunction of the assertions and of these Boolean terms satisfiable? They are assumed for this
    /// check only.
    ///
    /// # Errors
    ///
    /// When an assumption could not be asserted: then nothing was checked, and the answer of the last check
    /// stays. Or when a self-check failed.
    pub fn check_assuming(
        &mut self,
        pool: &mut Pool,
        assumptions: &[Term],
    ) -> Result<CheckResult, CheckError> {
        self.accept_assumptions(pool, assumptions)?;
        match *assumptions {
            [assumption] if self.is_better_asserted(pool, assumption) => {
                Ok(self.check_asserting(pool, assumption)?)
            }
            _ => Ok(self.check_assumed(pool, assumptions)?),
        }
    }

    /// Can these be assumed?
    pub(crate) fn accept_assumptions(&mut self, pool: &Pool, assumptions: &[Term]) -> Result<(), CheckError> {
        assumptions.iter().enumerate().try_for_each(|(position, &assumption)| {
            let accepted = self.accept(pool, assumption);
            accepted.map_err(|refusal| CheckError::Assumption { position, refusal })
        })
    }

    /// Whether a single assumption is asserted on a level of its own instead. Assumptions are kept apart,
    /// since cores are made of them, so they give no definitions, and passes do not see them. But many a
    /// script has its whole problem in one `(check-sat-assuming (problem))` (docs/laboratory/sessions.md).
    /// Only the first check of a solver does so: later ones assume, so that gates stay.
    fn is_better_asserted(&self, pool: &Pool, assumption: Term) -> bool {
        self.course == Course::Fresh && !self.settings.minimize_core && !is_literal(pool, assumption)
    }

    /// Checks with a formula, which was accepted, on a level of its own.
    fn check_asserting(&mut self, pool: &mut Pool, formula: Term) -> Result<CheckResult, InternalError> {
        if self.push(1).is_err() {
            return self.check_accepted(pool, &[formula]);
        }
        self.add(formula, false);
        let result = self.check_accepted(pool, &[]);
        let mut answer = std::mem::take(&mut self.answer);
        let top = self.stack.levels() - 1;
        answer.assumptions = vec![formula];
        // A check that was stopped at once has handed nothing over.
        answer.assumed =
            self.preprocessor.levels().get(top).map_or(vec![], |level| level.conjuncts().to_vec());
        if let Some(core) = answer.core.as_mut().filter(|core| core.level == top) {
            (core.level, core.assumptions) = (top - 1, vec![0]);
        }
        self.pop(1).expect("a level was pushed");
        self.answer = answer;
        result
    }

    /// Checks with assumptions, which were accepted and stay apart.
    fn check_assumed(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<CheckResult, InternalError> {
        // What can be taken back is the part that other checks will have anew.
        if self.course == Course::Fresh && (!assumptions.is_empty() || self.stack.levels() > 1) {
            self.search.expect_session();
        }
        self.check_accepted(pool, assumptions)
    }

    pub(crate) fn check_accepted(
        &mut self,
        pool: &mut Pool,
        assumptions: &[Term],
    ) -> Result<CheckResult, InternalError> {
        #[cfg(feature = "faults")]
        let _planted = bivalve_faults::plant(self.settings.plant);
        self.count_check();
        self.forget_answer();
        self.answer.assumptions = assumptions.to_vec();
        self.conflicts_left = self.settings.conflict_limit;
        let is_quantified = self.is_quantified(pool, assumptions);
        let mut result = if is_quantified { self.decide_quantified(pool) } else { self.decide(pool) };
        self.search.end_approximation(result == Ok(CheckResult::Sat));
        if self.settings.small_models && result == Ok(CheckResult::Sat) && !is_quantified {
            result = self.minimize(pool, self.conflicts_left).map(|()| CheckResult::Sat);
        }
        self.search.end_check();
        self.progress.enter(Phase::Idle, 0);
        if let Ok(CheckResult::Unknown(why)) = result {
            self.answer.unknown = Some(why);
        }
        result
    }

    /// The stages one after the other.
    fn decide(&mut self, pool: &mut Pool) -> Result<CheckResult, InternalError> {
        if let Some(why) = self.stop.reason() {
            return Ok(CheckResult::Unknown(why));
        }
        if !self.settings.small_models && self.try_former_model(pool) || self.look_at_floats(pool) {
            return Ok(CheckResult::Sat);
        }
        if let Some(answer) = self.bound_floats(pool) {
            return Ok(answer);
        }
        if let Err(why) = self.preprocess(pool) {
            return Ok(CheckResult::Unknown(why));
        }
        if let Some(core) = &self.contradiction {
            self.answer.core = Some(core.clone());
            return Ok(CheckResult::Unsat);
        }
        if self.probe(pool)? {
            return Ok(CheckResult::Sat);
        }
        if let Some(answer) = self.try_without_circuits(pool)? {
            return Ok(answer);
        }
        // A core that is not minimal yet.
        let mut known = None;
        loop {
            self.answer.is_searched = false;
            let encoded = self.search.encode(pool, self.preprocessor.levels(), &self.answer.assumed);
            let encoding = match encoded {
                Ok(encoding) => encoding,
                Err(why) => return Ok(self.give_up(why, known)),
            };
            if let Some(owner) = encoding.contradiction {
                match self.refute_alone(pool, &encoding.query, owner) {
                    Some(answer) => return Ok(answer),
                    None => continue,
                }
            }
            let query = encoding.query;
            self.search.begin_approximation(pool);
            let outcome = match self.solve_or_ask_afresh(pool, query.literals())? {
                Ending::Search(outcome) => {
                    self.answer.is_searched = true;
                    outcome
                }
                Ending::Answered(result) => return Ok(result),
                Ending::Anew => return self.decide(pool),
            };
            match outcome {
                // Again, with more bits for elements.
                Outcome::DomainExceeded => {}
                Outcome::Unknown(why) => return Ok(self.give_up(why, known)),
                Outcome::Unsat(failed) => {
                    self.search.end_approximation(false);
                    let core = query.core(&self.minimize_core(pool, &query, failed));
                    // Searches that ran out of bits for elements have removed nothing from the core.
                    if self.settings.minimize_core && self.search.missing_bits().is_some() {
                        known = Some(core);
                        continue;
                    }
                    return Ok(self.refute(core));
                }
                Outcome::Sat(extension) => {
                    self.answer.model = Some(self.read_model(pool, extension)?);
                    return Ok(CheckResult::Sat);
                }
            }
        }
    }

    /// Searches with the conflicts that the check has left.
    pub(crate) fn solve(&mut self, pool: &mut Pool, literals: &[Lit]) -> Outcome {
        let before = self.search.conflicts();
        let outcome = self.search.solve(pool, literals, self.conflicts_left);
        self.spend(self.search.conflicts() - before);
        outcome
    }

    /// The check has had so many conflicts more.
    pub(crate) fn spend(&mut self, conflicts: u64) {
        self.conflicts_left = self.conflicts_left.map(|left| left.saturating_sub(conflicts));
    }

    /// Whether the model of an earlier check satisfies what was asserted since, and what is assumed; then it
    /// is the model of this check.
    fn try_former_model(&mut self, pool: &Pool) -> bool {
        let Some((model, holding)) = self.former.take().filter(|_| self.settings.probe) else {
            return false;
        };
        let new = [&self.stack.assertions()[holding..], &self.answer.assumptions[..]].concat();
        let Solver { statistics, clock, stop, .. } = self;
        let satisfied = || model.satisfies(pool, &new, stop) == Some(true);
        if timed(*clock, &mut statistics.seconds.probe, satisfied) {
            statistics.former_models += 1;
            self.answer.model = Some(model);
            return true;
        }
        self.former = Some((model, holding));
        false
    }

    /// Preprocesses what is new, and the assumptions.
    pub(crate) fn preprocess(&mut self, pool: &mut Pool) -> Result<(), Why> {
        self.stop.reason().map_or(Ok(()), Err)?;
        if self.contradiction.is_some() {
            return Ok(());
        }
        self.hand_over(pool);
        let assumptions = self.answer.assumptions.iter();
        let assumptions: Vec<Term> = assumptions.map(|&term| self.lowering.formula(pool, term)).collect();
        if !self.preprocessor.is_done() {
            self.progress.enter(Phase::Simplify, self.stack.assertions().len());
        }
        let Solver { preprocessor, statistics, clock, stack, stop, .. } = self;
        let deadline = Deadline::new(stop, PREPROCESSING_STEPS);
        let has_empty_levels = stack.has_empty_levels();
        let request = Request { assumptions: &assumptions, has_empty_levels, deadline: &deadline };
        let run = timed(*clock, &mut statistics.seconds.rewrite, || preprocessor.run(pool, &request))?;
        if run.is_anew {
            self.search.forget();
        }
        self.contradiction = run.contradiction.map(|level| Core::of([Owner::Level(level)]));
        if self.contradiction.is_none() {
            let Solver { preprocessor, statistics, clock, stop, answer, .. } = self;
            let deadline = Deadline::stopped_by(stop);
            let images = || preprocessor.images(pool, &assumptions, &deadline);
            let assumed = timed(*clock, &mut statistics.seconds.rewrite, images)?;
            answer.assumed = assumed;
        }
        Ok(())
    }

    /// Tries assignments, unless something was encoded before; what they satisfy stays unencoded.
    fn probe(&mut self, pool: &Pool) -> Result<bool, InternalError> {
        if !self.settings.probe || !self.search.is_empty() {
            return Ok(false);
        }
        let conjuncts: Vec<Term> = self.conjuncts().chain(self.answer.assumed.iter().copied()).collect();
        if conjuncts.is_empty() {
            return Ok(false);
        }
        let Solver { clock, statistics, stop, .. } = self;
        let mut found = timed(*clock, &mut statistics.seconds.probe, || probe(pool, &conjuncts, stop));
        if found.is_none() && self.course == Course::First {
            if self.search_floats(pool) {
                return Ok(true);
            }
            found = self.search_locally(pool, &conjuncts);
        }
        let Some(candidate) = found else { return Ok(false) };
        let all = self.question();
        let model = Model::validate(pool, &all, &self.way_back(), candidate, None, &mut |_, _| None)?;
        self.answer.model = Some(model);
        Ok(true)
    }

    /// Reads the model off the circuits, and validates it.
    pub(crate) fn read_model(
        &mut self,
        pool: &Pool,
        extension: Vec<(Term, Value)>,
    ) -> Result<Model, InternalError> {
        let all = self.question();
        self.progress.enter(Phase::Validate, all.len());
        let Solver { search, preprocessor, lowering, statistics, clock, former, .. } = self;
        let way_back = WayBack { preprocessor, lowering };
        let former = former.take().map(|(model, _)| model);
        let mut circuit_value = |pool: &Pool, term: Term| search.value(pool, term);
        let read = || Model::read(pool, &all, &way_back, extension, former, &mut circuit_value);
        timed(*clock, &mut statistics.seconds.model, read)
    }

    /// What preprocessing left of the assertions.
    pub(crate) fn conjuncts(&self) -> impl Iterator<Item = Term> + '_ {
        let levels = self.preprocessor.levels().iter();
        levels.flat_map(|level| level.conjuncts().iter().chain(level.tracked())).copied()
    }
}

/// Answers.
impl Solver {
    /// The model of the last check, if it was answered by `Sat` and nothing was asserted, pushed or popped
    /// since.
    pub fn model(&self) -> Option<&Model> {
        self.answer.model.as_ref()
    }

    /// If the last check was answered by `Unsat` and nothing was asserted, pushed or popped since: the
    /// numbers of tracked assertions that are contradictory together with all untracked ones and with the
    /// [`unsat_assumptions`](Solver::unsat_assumptions). Without the setting `minimize_core` some may be
    /// dispensable.
    pub fn unsat_core(&self) -> Option<&[usize]> {
        self.answer.core.as_ref().map(|core| &core.tracked[..])
    }

    /// Likewise: the positions of the failed assumptions of the last check.
    pub fn unsat_assumptions(&self) -> Option<&[usize]> {
        self.answer.core.as_ref().map(|core| &core.assumptions[..])
    }

    /// Likewise: why the last check was answered by `Unknown`.
    pub fn why_unknown(&self) -> Option<Why> {
        self.answer.unknown
    }

    /// What the last check assumed, as it was given.
    pub fn assumptions(&self) -> &[Term] {
        &self.answer.assumptions
    }

    /// What the checks have cost so far.
    pub fn statistics(&self, pool: &Pool) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.assertions = self.stack.assertions().len() as u64;
        statistics.terms = pool.len() as u64;
        statistics.set_preprocessing(self.preprocessor.statistics());
        self.search.count(&mut statistics);
        let mut all = self.apart.clone();
        all += statistics;
        self.quantified.iter().for_each(|quantified| all += quantified.statistics(pool));
        all
    }

    /// What was spent so far, in a few numbers that cost nothing.
    pub fn effort(&self) -> Effort {
        Effort { checks: self.statistics.checks, ..self.search.effort() }
    }
}
