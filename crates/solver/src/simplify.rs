//! Simplifying level by level: local rules and definitions, in scopes.
//!
//! Each level is simplified with what is known at and below it. A definition `x = t` found at a level is in
//! force there and above and is forgotten when the level is popped. It may be made only while nothing that
//! was handed down speaks of `x`: clauses below would still mean `x` itself. So the terms below everything
//! handed down are *frozen*, in scopes as well, and each is looked at once.
//!
//! Conjuncts of the topmost level that have no clauses yet are simplified again with the next assertions, so
//! that a definition that comes late still reaches them. When a level is opened above, they are settled as
//! they are.
//!
//! Tracked assertions and assumptions have to stay apart from each other, for cores are made of them: they
//! are rewritten by the definitions of others, one by one, and never give any. Assumptions freeze nothing;
//! they are gone with their check.
//!
//! Loose definitions (see `bivalve-rewrite`) are right as long as nothing that comes later speaks of their
//! symbols. They are made on the topmost level only, where nothing but tracked assertions holds beside the
//! conjuncts whose symbols are not frozen, and these are shown to whoever makes them. What comes later is
//! looked at before anything is done with it ([`Simplifier::begin`]). If it speaks of such a symbol, all is
//! simplified again, without loose steps, and there are none from then on: a client who asks for more will do
//! so again. Likewise there are none while levels are open above or something is assumed, since other levels
//! and assumptions are likely to follow.
//!
//! Cost: linear in the terms that are new below what is asserted; an assumption costs the part of it not seen
//! before.

use crate::scopes::Scopes;
use crate::settings::Settings;
use crate::statistics::Clock;
use bivalve_bitblast::{BitBlaster, Limits};
use bivalve_faults::planted;
use bivalve_rewrite::{Definitions, Level as RewriteLevel, Pipeline, Rewriter, Simplified};
use bivalve_sat_adapter::Stop;
use bivalve_terms::{Op, Pool, Renaming, Term, TermSet, cone};

/// What simplification knows.
#[derive(Default)]
pub(crate) struct Simplifier {
    /// Made when it is first needed, so that a solver costs nothing before.
    rewriter: Option<Rewriter>,
    definitions: Definitions,
    pipeline: Pipeline,
    frozen: Frozen,
    /// Loose steps have been taken back.
    overtaken: bool,
    /// There may be loose steps in this check.
    may_loosen: bool,
    /// Whether to give up.
    stop: Stop,
}

/// The terms below all that was handed down.
#[derive(Default)]
struct Frozen {
    terms: TermSet,
    /// The same in the order in which they came, and where each scope begins.
    log: Vec<Term>,
    scopes: Vec<usize>,
}

impl Simplifier {
    /// Knows nothing yet; leaves formulas as they are when it is stopped.
    pub(crate) fn new(stop: Stop) -> Simplifier {
        Simplifier { stop, ..Simplifier::default() }
    }

    /// The definitions in force.
    pub(crate) fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// The rewriter, once it was needed.
    pub(crate) fn rewriter(&self) -> Option<&Rewriter> {
        self.rewriter.as_ref()
    }

    /// The passes and what they gained.
    pub(crate) fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// From now on simplifies by these settings, and measures by this clock.
    pub(crate) fn set(&mut self, settings: &Settings, clock: Clock) {
        self.pipeline.set(settings.rewrite_level, settings.without_passes, clock);
        self.pipeline.set_cost(gates);
    }

    /// The eliminated symbols, with what they are worth in symbols that are left.
    pub(crate) fn worth(&mut self, pool: &mut Pool) -> Vec<(Term, Term)> {
        let symbols: Vec<Term> = self.definitions.symbols().collect();
        symbols.into_iter().map(|symbol| (symbol, self.definitions.apply(pool, symbol))).collect()
    }

    /// Forgets the scope of a level that was entered.
    pub(crate) fn pop(&mut self) {
        self.definitions.pop();
        self.frozen.pop();
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        self.rewriter.iter_mut().for_each(Rewriter::forget);
        self.definitions.rename(renaming);
        self.frozen.rename(renaming);
    }

    /// Begins a check: `true` if what comes now, asserted or assumed, speaks of a symbol that was given a
    /// loose definition.
    pub(crate) fn begin(&mut self, pool: &mut Pool, asserted: Vec<Term>, assumed: &[Term]) -> bool {
        self.may_loosen = !self.overtaken && assumed.is_empty();
        let mut formulas = asserted.into_iter().chain(assumed.iter().copied());
        formulas.any(|formula| self.definitions.is_loose(pool, formula))
    }

    /// Forgets all assertions, to begin anew without loose steps.
    pub(crate) fn begin_anew(&mut self) {
        self.reset();
        (self.overtaken, self.may_loosen) = (true, false);
    }

    /// Forgets all assertions; what rewriting remembers holds for ever.
    pub(crate) fn reset(&mut self) {
        self.definitions = Definitions::default();
        self.frozen = Frozen::default();
    }

    /// Simplifies what is new on a level, all together, and once more what has no clauses yet. Levels below
    /// are done. `false` if the level is found to be contradictory.
    pub(crate) fn level(
        &mut self,
        pool: &mut Pool,
        settings: &Settings,
        scopes: &mut Scopes,
        index: usize,
    ) -> bool {
        self.enter(pool, scopes, index);
        let is_loose = self.may_loosen && scopes.is_top(index);
        let others: Option<Vec<Term>> = is_loose.then(|| scopes.tracked_of(index).collect());
        let (new, new_tracked) = scopes.take_new(index);
        let level = scopes.level_mut(index);
        if !new.is_empty() {
            let mut open = level.conjuncts.split_off(level.settled);
            open.extend(new);
            match self.eliminate(pool, settings, open, others.as_deref()) {
                Simplified::False => return false,
                Simplified::Conjuncts(conjuncts) => level.conjuncts.extend(conjuncts),
            }
        }
        if !new_tracked.is_empty() {
            let images = self.images(pool, settings, &new_tracked);
            images.iter().for_each(|&image| self.frozen.add(pool, image));
            level.tracked.extend(images);
        }
        true
    }

    /// Freezes what is below the conjuncts of a level: they stay as they are.
    pub(crate) fn settle(&mut self, pool: &Pool, scopes: &mut Scopes, index: usize) {
        let level = scopes.level_mut(index);
        for &conjunct in &level.conjuncts[level.settled..] {
            self.frozen.add(pool, conjunct);
        }
        level.settled = level.conjuncts.len();
    }

    /// Each formula by itself, simplified by the definitions in force.
    pub(crate) fn images(&mut self, pool: &mut Pool, settings: &Settings, formulas: &[Term]) -> Vec<Term> {
        let images: Vec<Term> =
            formulas.iter().map(|&formula| self.definitions.apply(pool, formula)).collect();
        if images.is_empty() || !self.is_worth_rewriting(pool, settings, &images) {
            return images;
        }
        let rewriter = self.rewriter.get_or_insert_with(|| stoppable(&self.stop));
        images.into_iter().map(|image| rewriter.rewrite(pool, image)).collect()
    }

    /// Opens the scope of a level, with all below settled.
    fn enter(&mut self, pool: &Pool, scopes: &mut Scopes, index: usize) {
        if scopes.levels()[index].entered {
            return;
        }
        let below = index.checked_sub(1).expect("the lowest level is always entered");
        self.settle(pool, scopes, below);
        self.definitions.push();
        self.frozen.push();
        scopes.level_mut(index).entered = true;
    }

    fn eliminate(
        &mut self,
        pool: &mut Pool,
        settings: &Settings,
        open: Vec<Term>,
        others: Option<&[Term]>,
    ) -> Simplified {
        let worth = self.is_worth_rewriting(pool, settings, &open);
        let Simplifier { rewriter, definitions, pipeline, frozen, stop, .. } = self;
        let is_frozen = |symbol: Term| frozen.terms.contains(symbol) && !planted!(FrozenDefined);
        let mut none = Rewriter::new(RewriteLevel::Off);
        let rewriter = if worth { rewriter.get_or_insert_with(|| stoppable(stop)) } else { &mut none };
        definitions.eliminate(pool, rewriter, pipeline, open, &is_frozen, others)
    }

    /// Loading the rules costs more than the search of a small formula; once they are there, they are used.
    fn is_worth_rewriting(&self, pool: &Pool, settings: &Settings, formulas: &[Term]) -> bool {
        settings.rewrite_level > 0
            && (self.rewriter.is_some() || weight(pool, formulas) >= settings.rewrite_from)
    }
}

/// Gates that are built to see what formulas cost, at most.
const MOST_GATES: u64 = 1_000_000;

/// The gates of formulas, really built, in a graph that is thrown away.
fn gates(pool: &Pool, formulas: &[Term]) -> Option<u64> {
    let mut blaster = BitBlaster::new();
    let stop = Stop::new();
    let limits = Limits { gates: MOST_GATES, stop: &stop };
    for &formula in formulas {
        blaster.root(pool, formula, &limits).ok()?;
    }
    Some(blaster.graph().len() as u64)
}

/// A rewriter that gives up when it is stopped.
fn stoppable(stop: &Stop) -> Rewriter {
    let mut rewriter = Rewriter::new(RewriteLevel::Local);
    let stop = stop.clone();
    rewriter.set_poll(move || stop.reason().is_some());
    rewriter
}

impl Frozen {
    fn add(&mut self, pool: &Pool, root: Term) {
        let mut todo = vec![root];
        while let Some(term) = todo.pop() {
            if self.terms.insert(term) {
                self.log.push(term);
                todo.extend_from_slice(pool.args(term));
            }
        }
    }

    fn push(&mut self) {
        self.scopes.push(self.log.len());
    }

    /// All of these terms are below conjuncts and tracked assertions, so they are in use.
    fn rename(&mut self, renaming: &Renaming) {
        self.terms.clear();
        for term in &mut self.log {
            *term = renaming.of(*term);
            self.terms.insert(*term);
        }
    }

    fn pop(&mut self) {
        let begin = self.scopes.pop().expect("a scope was opened");
        for term in self.log.drain(begin..) {
            self.terms.remove(term);
        }
    }
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
