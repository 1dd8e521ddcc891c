//! The loop: local rules and passes on conjuncts, until nothing changes.
//!
//! A round brings the conjuncts into normal form by the local rules, splits conjunctions, and goes through
//! the table of passes ([`PASSES`]) from the top; the first pass that finds something ends the round. The
//! loop ends when no pass finds anything, and after [`ROUNDS`] rounds. A pass that changes something without
//! a definition coming out of it may do so [`MOST_PASSES`] times in a row; a pass whose changes the local
//! rules undo waits until something else has changed.
//!
//! Each pass gets a part of the deadline of the run, so no pass can use up what the others need. A deadline
//! that is over ends the run with the conjuncts as they are then, which is correct at any time, only less
//! simple.
//!
//! For each pass is counted how often it was tried and changed something, the time it took by the clock that
//! is handed in (libraries have none, and nothing is decided by it), and the terms there were before and
//! after. Numbers of terms are taken for passes that changed something only, since counting is a walk.

use crate::change::Change;
use crate::definitions::{self, Refused};
use crate::gain;
use crate::pass_set::PassSet;
use crate::passes::{self, PASSES, Step};
use crate::preprocessor::CostModel;
use crate::problem::{Cone, Problem, Tables, TermCost, one_gate};
use crate::substitution::Substitution;
use crate::unconstrained::{self, Elimination};
use bivalve_limits::Deadline;
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{Op, Pool, Term, TermSet};
use std::time::Duration;

/// More rounds than this gain nothing that is worth them.
const ROUNDS: usize = 32;

/// More passes than this in a row, without a definition coming out of them, are not worth their time.
const MOST_PASSES: usize = 8;

/// Steps of one pass: about a second of walking.
const STEPS_PER_PASS: u64 = 50_000_000;

/// What a pass did so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct PassCounts {
    /// Times it was tried.
    pub tried: u64,
    /// Times it changed something.
    pub changed: u64,
    /// Time it took.
    pub time: Duration,
    /// Terms below the conjuncts whenever it changed something, in all.
    pub terms_before: u64,
    /// Terms below what it left, in normal form.
    pub terms_after: u64,
}

/// Equivalences that say what symbols are, as equations of these symbols and the rest.
pub fn equivalences(pool: &mut Pool, conjuncts: &[Term], deadline: &Deadline) -> Vec<Change> {
    let (frozen, tables) = (TermSet::new(), Tables::default());
    deadline.within(STEPS_PER_PASS, |deadline| {
        let problem = Problem::new(conjuncts, &frozen, &tables, deadline);
        passes::joined_equations::of_equivalences(pool, &problem).unwrap_or_default()
    })
}

/// The changes that certificates can show, of the first pass that finds some, from one with this number in
/// the table on: its number, and those of its changes that are new.
pub fn shown_changes(
    pool: &mut Pool,
    conjuncts: &[Term],
    first: usize,
    is_new: &mut dyn FnMut(&Pool, usize, &Change) -> bool,
    deadline: &Deadline,
) -> Option<(usize, Vec<Change>)> {
    let (frozen, tables) = (TermSet::new(), Tables::default());
    PASSES.iter().enumerate().skip(first).find_map(|(number, pass)| {
        let (Step::Change(run) | Step::Weighed(run)) = pass.step else { return None };
        pass.uncertified.is_none().then_some(())?;
        let mut changes = deadline.within(STEPS_PER_PASS, |deadline| {
            run(pool, &Problem::new(conjuncts, &frozen, &tables, deadline))
        })?;
        changes.retain(|change| change.because.is_shown() && is_new(pool, number, change));
        (!changes.is_empty()).then_some((number, changes))
    })
}

/// What is left of some conjuncts.
pub(crate) enum Simplified {
    /// These conjuncts; none of them is constant, unless the deadline is over.
    Conjuncts(Vec<Term>),
    /// One of them was simplified to false.
    False,
}

/// What one run is about.
pub(crate) struct Task<'a> {
    pub(crate) conjuncts: Vec<Term>,
    /// In use elsewhere.
    pub(crate) frozen: &'a TermSet,
    /// All formulas beside the conjuncts that may mention symbols that are not frozen, if these are known.
    /// Otherwise there is no unconstrained-term elimination.
    pub(crate) others: Option<Vec<Term>>,
    pub(crate) deadline: &'a Deadline,
}

/// Which passes are on, and what they did.
pub(crate) struct Scheduler {
    pub(crate) level: u8,
    pub(crate) without: PassSet,
    pub(crate) clock: fn() -> Duration,
    pub(crate) cost: Option<CostModel>,
    counts: Vec<PassCounts>,
}

/// What the rounds of one run know.
struct Run<'a> {
    task: Task<'a>,
    /// The local rules are off, so passes that rely on them are, too.
    is_plain: bool,
    refused: Refused,
    /// Passes in a row that changed something, without a definition coming out of them.
    passed: usize,
    /// The last pass that changed something.
    last: Option<Changed>,
    /// The numbers of passes that would only find again what they found.
    idle: Vec<usize>,
    /// Other forms of the conjuncts were offered.
    offered: bool,
}

/// What there was before a pass changed it.
struct Changed {
    /// The number of the pass.
    number: usize,
    conjuncts: Vec<Term>,
    /// The number of terms.
    size: usize,
    passed: usize,
}

impl Scheduler {
    /// All passes of a level (0: none, 1: substitution, 2: all that pays, 3: normal forms of arithmetic,
    /// too), without some. `clock` is a time since some fixed moment.
    pub(crate) fn new(level: u8, without: PassSet, clock: fn() -> Duration) -> Scheduler {
        let counts = vec![PassCounts::default(); PASSES.len()];
        Scheduler { level, without, clock, cost: None, counts }
    }

    /// What each pass did, in the order of the table.
    pub(crate) fn counts(&self) -> &[PassCounts] {
        &self.counts
    }

    /// Simplifies conjuncts by the local rules, by definitions found among them, which the substitution takes
    /// over, and by passes. Without a substitution nothing is eliminated,
    /// and no form is chosen by its cost.
    pub(crate) fn run(
        &mut self,
        pool: &mut Pool,
        rewriter: &mut Rewriter,
        mut substitution: Option<&mut Substitution>,
        mut task: Task<'_>,
    ) -> Simplified {
        let mut conjuncts = std::mem::take(&mut task.conjuncts);
        let deadline = task.deadline;
        let mut run = Run {
            is_plain: rewriter.level() == Level::Off,
            task,
            refused: Refused::default(),
            passed: 0,
            last: None,
            idle: vec![],
            offered: false,
        };
        for _ in 0..ROUNDS {
            let simple = self.normalised(pool, rewriter, &conjuncts, deadline);
            let Some(simple) = self.finish(pool, &mut run, simple) else { return Simplified::False };
            match self.round(pool, substitution.as_deref_mut(), &simple, &mut run) {
                Some(changed) => conjuncts = changed,
                None => return Simplified::Conjuncts(simple),
            }
        }
        let simple = self.normalised(pool, rewriter, &conjuncts, deadline);
        let simple = self.finish(pool, &mut run, simple);
        simple.map_or(Simplified::False, Simplified::Conjuncts)
    }

    /// The local rules are done with what the last pass left, `None` if that is false: finds out whether
    /// there was a change at all, and one that is to be kept, and counts the terms; the conjuncts to go on
    /// with. A change that the local rules undo, or that repeats what is known, is none, and that pass waits
    /// until there is one.
    fn finish(&mut self, pool: &Pool, run: &mut Run<'_>, simple: Option<Vec<Term>>) -> Option<Vec<Term>> {
        let Some(last) = run.last.take() else { return simple };
        let frozen = run.task.frozen;
        let cost = self.term_cost();
        let gains = |after: &Vec<Term>| gain::gains(pool, frozen, cost, [&last.conjuncts, after]);
        if matches!(PASSES[last.number].step, Step::Weighed(_)) && !simple.as_ref().is_none_or(gains) {
            run.idle.push(last.number);
            run.passed = last.passed;
            return Some(last.conjuncts);
        }
        let counts = &mut self.counts[last.number];
        counts.changed += 1;
        counts.terms_before += last.size as u64;
        let cone = |conjuncts: &Vec<Term>| Cone::new(pool, conjuncts, frozen).terms.len();
        counts.terms_after += simple.as_ref().map_or(0, cone) as u64;
        if simple.as_ref() != Some(&last.conjuncts) {
            run.idle.clear();
        } else if matches!(PASSES[last.number].step, Step::Change(_)) {
            run.idle.push(last.number);
        }
        simple
    }

    /// What an operator costs.
    fn term_cost(&self) -> TermCost {
        self.cost.map_or(one_gate, |cost| cost.term)
    }

    /// Goes through the passes; what the first one that finds something makes of the conjuncts, `None` if
    /// none does.
    fn round(
        &mut self,
        pool: &mut Pool,
        mut substitution: Option<&mut Substitution>,
        conjuncts: &[Term],
        run: &mut Run<'_>,
    ) -> Option<Vec<Term>> {
        let (frozen, tables) = (run.task.frozen, Tables::default());
        for (number, pass) in PASSES.iter().enumerate() {
            let is_on = self.level >= pass.level && !self.without.has(number);
            if !is_on || run.idle.contains(&number) {
                continue;
            }
            if run.task.deadline.is_over() {
                return None;
            }
            let exhausted = run.is_plain || run.passed >= MOST_PASSES;
            let skipped = match pass.step {
                Step::Define(_) => substitution.is_none(),
                Step::Change(_) | Step::Weighed(_) => exhausted,
                Step::Offer(_) => exhausted || run.offered || substitution.is_none(),
                Step::Eliminate(_) => run.is_plain || run.task.others.is_none() || substitution.is_none(),
            };
            if skipped {
                continue;
            }
            let begin = (self.clock)();
            let whole = run.task.deadline;
            let (found, size) = whole.within(STEPS_PER_PASS, |deadline| {
                let problem = Problem::new(conjuncts, frozen, &tables, deadline).with_cost(self.term_cost());
                let found = self.attempt(pool, substitution.as_deref_mut(), &problem, number, run);
                let size = found.as_ref().map_or(0, |_| problem.cone(pool).len());
                (found, size)
            });
            self.counts[number].time += (self.clock)() - begin;
            self.counts[number].tried += 1;
            if let Some(found) = found {
                let (conjuncts, passed) = (conjuncts.to_vec(), run.passed);
                run.last = Some(Changed { number, conjuncts, size, passed });
                run.passed = if matches!(pass.step, Step::Define(_)) { 0 } else { passed + 1 };
                return Some(found);
            }
        }
        None
    }

    /// What one pass makes of the conjuncts.
    fn attempt(
        &mut self,
        pool: &mut Pool,
        substitution: Option<&mut Substitution>,
        problem: &Problem<'_>,
        number: usize,
        run: &mut Run<'_>,
    ) -> Option<Vec<Term>> {
        match PASSES[number].step {
            Step::Change(pass) | Step::Weighed(pass) => {
                let changes = pass(pool, problem)?;
                problem.changed(pool, &changes)
            }
            Step::Offer(offer) => {
                run.offered = true;
                let offers = offer(pool, problem);
                let forms = offers.iter().filter_map(|changes| problem.changed(pool, changes)).collect();
                self.cheapest(pool, problem.conjuncts, forms)
            }
            Step::Define(reading) => {
                let candidates = definitions::candidates(pool, problem, &run.refused, reading)?;
                if candidates.is_empty() {
                    return None;
                }
                let round = substitution?.eliminate(pool, problem, &candidates)?;
                run.refused.extend(round.cyclic);
                Some(round.conjuncts)
            }
            Step::Eliminate(pass) => {
                let others = run.task.others.as_ref()?;
                self.eliminate(pool, substitution?, problem, pass, others)
            }
        }
    }

    /// What a pass that chooses the values of symbols makes of the conjuncts.
    fn eliminate(
        &mut self,
        pool: &mut Pool,
        substitution: &mut Substitution,
        problem: &Problem<'_>,
        pass: unconstrained::Run,
        others: &[Term],
    ) -> Option<Vec<Term>> {
        let mut images = vec![];
        for &other in others {
            images.push(substitution.apply(pool, other, problem.deadline)?);
        }
        let mentioned = problem.cone_of(pool, &images);
        let mut left = Elimination { conjuncts: problem.conjuncts.to_vec(), defined: vec![] };
        let is_used = |symbol: Term| problem.is_frozen(symbol) || mentioned.contains(symbol);
        pass(pool, problem, &is_used, &mut left);
        if left.defined.is_empty() {
            return None;
        }
        substitution.adopt(pool, &left.defined, problem.deadline)?;
        Some(left.conjuncts)
    }

    /// The cheapest of some forms of the conjuncts, if it is cheaper than these.
    fn cheapest(&self, pool: &Pool, conjuncts: &[Term], forms: Vec<Vec<Term>>) -> Option<Vec<Term>> {
        let cost = self.cost.filter(|_| !forms.is_empty())?.formulas;
        let before = cost(pool, conjuncts)?;
        let costs = forms.into_iter().filter_map(|form| Some((cost(pool, &form)?, form)));
        costs.min_by_key(|(cost, _)| *cost).filter(|(cost, _)| *cost < before).map(|(_, form)| form)
    }

    /// Rewrites each conjunct, splits conjunctions, drops what is true and what was asserted before; `None`
    /// for false. Each term is looked at once, however many conjunctions share it. When the deadline is over,
    /// the rest stays as it is.
    fn normalised(
        &mut self,
        pool: &mut Pool,
        rewriter: &mut Rewriter,
        conjuncts: &[Term],
        deadline: &Deadline,
    ) -> Option<Vec<Term>> {
        let mut seen = TermSet::new();
        let mut flat = vec![];
        let mut todo: Vec<Term> = vec![];
        for &conjunct in conjuncts {
            let rewritten = rewriter.rewrite_within(pool, conjunct, deadline);
            todo.push(rewritten);
            while let Some(term) = todo.pop() {
                if !seen.insert(term) {
                    continue;
                }
                match (pool.op(term), pool.as_bool(term)) {
                    (Op::And, _) if deadline.step(1) => {
                        todo.extend(pool.args(term).iter().rev());
                    }
                    (_, Some(false)) => return None,
                    (_, Some(true)) => {}
                    (_, None) => flat.push(term),
                }
            }
        }
        Some(flat)
    }
}
