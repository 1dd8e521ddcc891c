//! Preprocessing as a stage: assertions on levels go in, simplified conjuncts on the same levels come out.
//!
//! Each level is simplified together with what is known at and below it. A definition `x = t` found on a
//! level is in force there and above and is forgotten when the level is popped. What a run has returned is
//! *committed*: it stays as it is as long as its level, all terms below it are frozen, and later runs neither
//! look at it again nor eliminate its symbols. So an assertion is preprocessed once, and a run costs what is
//! new. Assertions and assumptions that come later are rewritten by the definitions in force.
//!
//! Tracked assertions and assumptions have to stay apart from each other, for cores are made of them: they
//! are rewritten by the definitions of others, one by one, and never give any. One that passes refute by
//! itself is false.
//!
//! Unconstrained-term elimination ([`crate::unconstrained`]) is correct as long as nothing that comes later
//! mentions its symbols. It is done on the topmost level only, and not while empty levels are open above or
//! something is assumed, since other levels and assumptions are likely to follow. A formula that comes later
//! is looked at before anything is done with it: if it mentions such a symbol, everything is preprocessed
//! anew without these steps ([`Run::is_anew`]), and there are none until [`Preprocessor::reset`]: a client
//! that asks such questions asks more of them, and each would cost a preprocessing of everything.
//!
//! Formulas that are cheap as circuits are left as they are but for substitution, since the rules take longer
//! to load. What counts is the cost of all that is asserted, so answers do not depend on what was asserted
//! and popped before.
//!
//! Cost: linear in the terms that are new below what is asserted, times the passes; an assumption costs the
//! part of it not seen before.

use crate::frozen::Frozen;
use crate::pass_set::PassSet;
use crate::passes::PASSES;
use crate::problem::Cone;
use crate::scheduler::{PassCounts, Scheduler, Simplified, Task};
use crate::substitution::Substitution;
use bivalve_backtrack::BacktrackValue;
use bivalve_limits::{Deadline, Why};
use bivalve_rewrite::{Level as RewriteLevel, Rewriter};
use bivalve_terms::{Assignment, Op, Pool, Renaming, Term, TermSet, Value, eval};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// Formulas that are to be refuted each by itself have at most so many terms together that are new; those
/// behind are left as they are, and nothing of them is walked.
const MOST_REFUTED: usize = 20_000;

/// Steps for each term of one of them that is new, so all of them take about a tenth of a second at most.
const STEPS_TO_REFUTE: u64 = 256;

/// Before that it is evaluated, if at most so many terms are below it for each new one.
const MOST_BELOW: usize = 4;

/// What terms cost as circuits.
#[derive(Clone, Copy)]
pub struct CostModel {
    /// About how many gates the operator of a term takes.
    pub term: fn(&Pool, Term) -> u64,
    /// How many gates formulas take together, really built; `None` if these are too many to build.
    pub formulas: fn(&Pool, &[Term]) -> Option<u64>,
}

/// How to preprocess.
#[derive(Clone, Copy)]
pub struct Settings {
    /// 0: nothing; 1: local rules and substitution; 2: all passes that pay; 3: normal forms of arithmetic,
    /// too.
    pub level: u8,
    /// Passes that are left out.
    pub without: PassSet,
    /// Assertions that take fewer gates than this, by the cost model, are substituted only.
    pub rewrite_from: u64,
    /// Without one everything is rewritten, and no normal form of arithmetic is tried.
    pub cost: Option<CostModel>,
    /// A time since some fixed moment, for statistics.
    pub clock: fn() -> Duration,
}

impl Default for Settings {
    /// All that pays, without a cost model; time stands still.
    fn default() -> Settings {
        Settings {
            level: 2,
            without: PassSet::default(),
            rewrite_from: 0,
            cost: None,
            clock: || Duration::ZERO,
        }
    }
}

/// What is asked of a run, beside the assertions.
pub struct Request<'a> {
    /// What is assumed in the check that follows.
    pub assumptions: &'a [Term],
    /// There are levels above the topmost one that hold nothing yet.
    pub has_empty_levels: bool,
    /// Its flag ends the run; when its steps are used up, the rest stays as it is.
    pub deadline: &'a Deadline,
}

/// What came of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The lowest level that was found to be contradictory together with those below. Levels above it are not
    /// preprocessed.
    pub contradiction: Option<usize>,
    /// What former runs returned is void: everything was preprocessed anew.
    pub is_anew: bool,
}

/// What was done so far.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    /// Symbols eliminated that are so now.
    pub eliminated: u64,
    /// Times that everything was preprocessed anew.
    pub restarts: u64,
    /// What each pass did, by name, in the order of the table.
    pub passes: Vec<(&'static str, PassCounts)>,
    /// Applications of each local rule that was applied.
    pub rules: Vec<(String, u64)>,
}

/// Assertions by level, and what preprocessing made of them.
pub struct Preprocessor {
    settings: Settings,
    levels: Vec<Level>,
    /// So many levels have scopes in the parts below; the lowest needs none.
    entered: usize,
    substitution: Substitution,
    frozen: Frozen,
    /// Formulas that were to be refuted each by itself, and whether they were.
    refuted: FxHashMap<Term, bool>,
    /// The cost of what is asserted, as far as it was added up.
    cost: BacktrackValue<u64>,
    scheduler: Scheduler,
    /// Made when it is first needed.
    rewriter: Option<Rewriter>,
    /// Unconstrained-term elimination was invalidated.
    is_invalidated: bool,
    /// A run has made symbols.
    makes_symbols: bool,
    restarts: u64,
}

/// One level.
#[derive(Default)]
pub struct Level {
    assertions: Vec<Term>,
    /// So many of the assertions are preprocessed.
    done: usize,
    tracked_assertions: Vec<Term>,
    /// What a run that was stopped has left.
    open: Vec<Term>,
    conjuncts: Vec<Term>,
    tracked: Vec<Term>,
    is_contradictory: bool,
}

impl Level {
    /// What is left of the assertions that are not tracked. Runs append to it, unless they are anew.
    pub fn conjuncts(&self) -> &[Term] {
        &self.conjuncts
    }

    /// What became of the tracked assertions, each by itself, in their order.
    pub fn tracked(&self) -> &[Term] {
        &self.tracked
    }

    fn is_done(&self) -> bool {
        self.done == self.assertions.len()
            && self.open.is_empty()
            && self.tracked.len() == self.tracked_assertions.len()
    }

    fn undo(&mut self) {
        self.done = 0;
        self.open.clear();
        self.conjuncts.clear();
        self.tracked.clear();
        self.is_contradictory = false;
    }

    fn terms_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        let Level { assertions, tracked_assertions, open, conjuncts, tracked, .. } = self;
        [assertions, tracked_assertions, open, conjuncts, tracked].into_iter().flatten()
    }

    fn terms(&self) -> impl Iterator<Item = Term> {
        let Level { assertions, tracked_assertions, open, conjuncts, tracked, .. } = self;
        [assertions, tracked_assertions, open, conjuncts, tracked].into_iter().flatten().copied()
    }
}

impl Preprocessor {
    /// One level, without assertions.
    pub fn new(settings: Settings) -> Preprocessor {
        let mut preprocessor = Preprocessor {
            settings,
            levels: vec![Level::default()],
            entered: 1,
            substitution: Substitution::default(),
            frozen: Frozen::default(),
            refuted: FxHashMap::default(),
            cost: BacktrackValue::new(0),
            scheduler: Scheduler::new(settings.level, settings.without, settings.clock),
            rewriter: None,
            is_invalidated: false,
            makes_symbols: false,
            restarts: 0,
        };
        preprocessor.set(settings);
        preprocessor
    }

    /// From now on preprocesses by other settings; what was committed stays.
    pub fn set(&mut self, settings: Settings) {
        self.settings = settings;
        let Scheduler { level, without, clock, cost, .. } = &mut self.scheduler;
        (*level, *without, *clock) = (settings.level, settings.without, settings.clock);
        *cost = settings.cost;
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(Level::default());
    }

    /// Drops the topmost level with its assertions, conjuncts and definitions.
    ///
    /// # Panics
    ///
    /// If there is only the lowest.
    pub fn pop(&mut self) {
        assert!(self.levels.len() > 1, "a level was pushed");
        self.levels.pop();
        if self.entered > self.levels.len() {
            self.entered -= 1;
            self.substitution.pop();
            self.frozen.pop();
            self.cost.pop();
        }
    }

    /// Adds assertions to the topmost level.
    pub fn add(&mut self, assertions: &[Term]) {
        self.top().assertions.extend_from_slice(assertions);
    }

    /// Adds an assertion to the topmost level that may appear in cores, so it is kept apart from all others.
    pub fn add_tracked(&mut self, assertion: Term) {
        self.top().tracked_assertions.push(assertion);
    }

    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("there is always the lowest level")
    }

    /// The levels, the lowest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Whether there is nothing for a run to do, but for what assumptions may mention.
    pub fn is_done(&self) -> bool {
        self.levels.iter().all(Level::is_done)
    }

    /// Forgets all assertions and levels.
    pub fn reset(&mut self) {
        self.levels = vec![Level::default()];
        self.begin_anew();
        self.is_invalidated = false;
    }

    fn begin_anew(&mut self) {
        self.levels.iter_mut().for_each(Level::undo);
        self.entered = 1;
        self.substitution = Substitution::default();
        self.frozen = Frozen::default();
        self.cost = BacktrackValue::new(0);
    }

    /// Preprocesses what was added since the last run, level by level from the lowest.
    ///
    /// # Errors
    ///
    /// Why it was stopped. The next run goes on.
    pub fn run(&mut self, pool: &mut Pool, request: &Request<'_>) -> Result<Run, Why> {
        let stop = request.deadline.stop();
        stop.reason().map_or(Ok(()), Err)?;
        let is_anew = self.is_invalidated_by_new(pool, request)?;
        if is_anew {
            self.restarts += 1;
            self.is_invalidated = true;
            self.begin_anew();
        }
        let terms = pool.len();
        let contradiction = self.run_levels(pool, request);
        let mut new = (terms..pool.len()).map(|position| pool.nth(position));
        self.makes_symbols = self.makes_symbols || new.any(|term| pool.op(term) == Op::Symbol);
        Ok(Run { contradiction: contradiction?, is_anew })
    }

    /// Preprocesses what is new on the levels; the first that is contradictory.
    fn run_levels(&mut self, pool: &mut Pool, request: &Request<'_>) -> Result<Option<usize>, Why> {
        for index in 0..self.levels.len() {
            self.enter(index);
            if !self.run_level(pool, index, request)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Whether a formula that is new mentions a symbol that must not be mentioned any more.
    fn is_invalidated_by_new(&mut self, pool: &mut Pool, request: &Request<'_>) -> Result<bool, Why> {
        let deadline = Deadline::stopped_by(request.deadline.stop());
        let new = self.levels.iter().flat_map(|level| {
            let tracked = &level.tracked_assertions[level.tracked.len()..];
            level.assertions[level.done..].iter().chain(tracked)
        });
        for &formula in new.chain(request.assumptions) {
            let invalidated = self.substitution.is_invalidated_by(pool, formula, &deadline);
            if invalidated.ok_or_else(|| why(&deadline))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Opens the scope of a level; all levels below are done.
    fn enter(&mut self, index: usize) {
        if index >= self.entered {
            self.entered = index + 1;
            self.substitution.push();
            self.frozen.push();
            self.cost.push();
        }
    }

    /// Preprocesses what is new on a level; `false` if the level is contradictory.
    fn run_level(&mut self, pool: &mut Pool, index: usize, request: &Request<'_>) -> Result<bool, Why> {
        if self.levels[index].is_contradictory {
            return Ok(false);
        }
        if self.levels[index].is_done() {
            return Ok(true);
        }
        let deadline = Deadline::stopped_by(request.deadline.stop());
        let level = &self.levels[index];
        let mut conjuncts = level.open.clone();
        for &assertion in &level.assertions[level.done..] {
            let image = self.substitution.apply(pool, assertion, &deadline);
            conjuncts.push(image.ok_or_else(|| why(&deadline))?);
        }
        if !conjuncts.is_empty() {
            let is_last = index + 1 == self.levels.len() && !request.has_empty_levels;
            let eliminates = is_last && request.assumptions.is_empty() && !self.is_invalidated;
            let others = eliminates.then(|| level.tracked_assertions[level.tracked.len()..].to_vec());
            let rewrites = self.add_cost(pool, &conjuncts);
            let Preprocessor { rewriter, substitution, frozen, scheduler, levels, .. } = self;
            let mut plain = Rewriter::new(RewriteLevel::Off);
            let rewriter = if rewrites { rewriter.get_or_insert_with(rules) } else { &mut plain };
            let task = Task { conjuncts, frozen: &frozen.terms, others, deadline: request.deadline };
            match scheduler.run(pool, rewriter, Some(substitution), task) {
                Simplified::False => {
                    levels[index].is_contradictory = true;
                    return Ok(false);
                }
                Simplified::Conjuncts(conjuncts) => levels[index].open = conjuncts,
            }
        }
        let level = &mut self.levels[index];
        level.done = level.assertions.len();
        deadline.stop().reason().map_or(Ok(()), Err)?;
        let new = level.tracked_assertions[level.tracked.len()..].to_vec();
        let images = self.images(pool, &new, &deadline)?;
        let Preprocessor { levels, frozen, .. } = self;
        let level = &mut levels[index];
        let committed = std::mem::take(&mut level.open);
        images.iter().chain(&committed).for_each(|&formula| frozen.add(pool, formula));
        level.tracked.extend(images);
        level.conjuncts.extend(committed);
        Ok(true)
    }

    /// Each formula by itself, simplified by the definitions in force, and false where passes over its own
    /// conjuncts find that. What else they make of it is dropped: it would share less with other formulas.
    ///
    /// # Errors
    ///
    /// Why it was stopped.
    pub fn images(
        &mut self,
        pool: &mut Pool,
        formulas: &[Term],
        deadline: &Deadline,
    ) -> Result<Vec<Term>, Why> {
        let complete = Deadline::stopped_by(deadline.stop());
        let mut images = vec![];
        for &formula in formulas {
            let image = self.substitution.apply(pool, formula, &complete);
            images.push(image.ok_or_else(|| why(&complete))?);
        }
        let cost = if images.is_empty() { 0 } else { self.cost_with(pool, &images) };
        if !images.is_empty() && self.rewrites(cost) {
            let rewriter = self.rewriter.get_or_insert_with(rules);
            for image in &mut images {
                *image = rewriter.rewrite_within(pool, *image, deadline);
            }
            self.refute(pool, &mut images, deadline);
        }
        deadline.stop().reason().map_or(Ok(images), Err)
    }

    /// Makes formulas false that passes refute, each by itself.
    fn refute(&mut self, pool: &mut Pool, images: &mut [Term], deadline: &Deadline) {
        let Preprocessor { rewriter, scheduler, frozen, refuted, .. } = self;
        let Some(rewriter) = rewriter else { return };
        let mut allowance = MOST_REFUTED;
        let literal = |pool: &Pool, term: Term| match (pool.op(term), pool.args(term)) {
            (Op::Not, &[below]) => pool.args(below).is_empty(),
            (_, args) => args.is_empty(),
        };
        for image in images {
            if literal(pool, *image) {
                continue;
            }
            let is_refuted = match refuted.get(image) {
                Some(&is_refuted) => is_refuted,
                None => {
                    let Some(size) = new_terms(pool, *image, &frozen.terms, allowance) else { return };
                    allowance -= size;
                    let conjuncts = vec![*image];
                    let is_refuted = !holds_at_zero(pool, *image, size)
                        && deadline.within(STEPS_TO_REFUTE * size as u64, |deadline| {
                            let task = Task { conjuncts, frozen: &frozen.terms, others: None, deadline };
                            matches!(scheduler.run(pool, rewriter, None, task), Simplified::False)
                        });
                    if !deadline.is_over() {
                        refuted.insert(*image, is_refuted);
                    }
                    is_refuted
                }
            };
            if is_refuted {
                *image = pool.bool(false);
            }
        }
    }

    /// Adds the cost of formulas to that of what is asserted. Whether that is enough for the local rules.
    fn add_cost(&mut self, pool: &Pool, formulas: &[Term]) -> bool {
        let cost = self.cost_with(pool, formulas);
        self.cost.set(cost);
        self.rewrites(cost)
    }

    /// Whether the local rules were left out, because everything that is asserted is small.
    pub fn is_unrewritten(&self) -> bool {
        self.settings.level > 0 && !self.rewrites(*self.cost.get())
    }

    /// Rewrites everything from now on, however small it is; what is asserted is preprocessed anew.
    pub fn rewrite_from_now_on(&mut self) {
        self.settings.rewrite_from = 0;
        self.restarts += 1;
        self.begin_anew();
    }

    fn rewrites(&self, cost: u64) -> bool {
        self.settings.level > 0 && (self.settings.cost.is_none() || cost >= self.settings.rewrite_from)
    }

    /// The cost of what is asserted and of these formulas; at least as far as it matters.
    fn cost_with(&self, pool: &Pool, formulas: &[Term]) -> u64 {
        let known = *self.cost.get();
        match self.settings.cost {
            Some(cost) if known < self.settings.rewrite_from => {
                let terms = Cone::new(pool, formulas, &self.frozen.terms).terms.into_iter();
                let new = terms.filter(|&term| !self.frozen.terms.contains(term));
                known.saturating_add(new.map(|term| (cost.term)(pool, term)).sum())
            }
            _ => known,
        }
    }

    /// Gives the eliminated symbols their values, from those of the symbols that are left: a model of what a
    /// run returned becomes one of what was asserted.
    pub fn lift(&self, pool: &Pool, assignment: &mut Assignment) {
        self.substitution.lift(pool, assignment);
    }

    /// The eliminated symbols with their solutions, over symbols that were left when they went. Later ones
    /// may have been eliminated, too: [`Preprocessor::lift`] goes through them backwards.
    pub fn solutions(&self) -> impl Iterator<Item = (Term, Term)> {
        self.substitution.solutions()
    }

    /// The eliminated symbols with their solutions over symbols that are left.
    ///
    /// # Errors
    ///
    /// Why it was stopped.
    pub fn solved(&mut self, pool: &mut Pool, deadline: &Deadline) -> Result<Vec<(Term, Term)>, Why> {
        let complete = Deadline::stopped_by(deadline.stop());
        let symbols: Vec<Term> = self.solutions().map(|(symbol, _)| symbol).collect();
        let mut solved = vec![];
        for symbol in symbols {
            let solution = self.substitution.apply(pool, symbol, &complete).ok_or_else(|| why(&complete))?;
            solved.push((symbol, solution));
        }
        Ok(solved)
    }

    /// Whether what a run returned may mention symbols that no assertion mentions.
    pub fn makes_symbols(&self) -> bool {
        self.makes_symbols
    }

    /// The terms to keep when the pool is compacted. Some may come twice.
    pub fn in_use(&self) -> impl Iterator<Item = Term> {
        self.levels.iter().flat_map(Level::terms).chain(self.substitution.in_use())
    }

    /// Follows a compaction of the pool, in which [all these terms](Preprocessor::in_use) were in use.
    pub fn rename(&mut self, renaming: &Renaming) {
        self.levels.iter_mut().flat_map(Level::terms_mut).for_each(|term| *term = renaming.of(*term));
        self.rewriter.iter_mut().for_each(Rewriter::forget);
        self.substitution.rename(renaming);
        self.frozen.rename(renaming);
        self.refuted.clear();
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        let passes = PASSES.iter().map(|pass| pass.name).zip(self.scheduler.counts().iter().copied());
        let rules = self.rewriter.iter().flat_map(Rewriter::applications);
        Statistics {
            eliminated: self.substitution.len() as u64,
            restarts: self.restarts,
            passes: passes.collect(),
            rules: rules.filter(|&(_, count)| count > 0).map(|(rule, count)| (rule.into(), count)).collect(),
        }
    }
}

fn rules() -> Rewriter {
    Rewriter::new(RewriteLevel::Local)
}

/// The number of terms at and below a formula that are not frozen, if it is at most `most`.
fn new_terms(pool: &Pool, formula: Term, frozen: &TermSet, most: usize) -> Option<usize> {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![formula]);
    while let Some(term) = todo.pop() {
        if !frozen.contains(term) && seen.insert(term) {
            if seen.len() > most {
                return None;
            }
            todo.extend(pool.args(term));
        }
    }
    Some(seen.len())
}

/// Whether a formula is true where all symbols are zero; then nothing refutes it. One that has many terms
/// below its `new` ones is not looked at.
fn holds_at_zero(pool: &Pool, formula: Term, new: usize) -> bool {
    let is_small = new_terms(pool, formula, &TermSet::new(), MOST_BELOW * new).is_some();
    is_small && eval(pool, formula, &Assignment::new()) == Value::Bool(true)
}

/// Why a deadline without a budget is over.
fn why(deadline: &Deadline) -> Why {
    deadline.reason().unwrap_or(Why::Interrupted)
}
