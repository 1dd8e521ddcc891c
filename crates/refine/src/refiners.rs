//! A list of refiners for one formula.
//!
//! The list does once what every refiner would do alike: it rebuilds formulas bottom-up, each node through
//! all refiners; it walks what is new below a formula; it keeps scopes. A check asks the refiners in order,
//! and the first one that objects ends it: wide arithmetic comes before arrays, since indices are worth
//! nothing before their arithmetic is right.
//!
//! Abstracted forms are remembered until [`Refiners::replace`], so what was asserted, popped and asserted
//! again finds its gates in place.
//!
//! Cost: one visit for each new term; a check costs what the refiners cost.

use crate::{Lemma, ModelView, Refinement, Refiner, RefinerStatistics};
use bivalve_backtrack::BacktrackSet;
use bivalve_limits::Deadline;
use bivalve_terms::{Leaves, Pool, Term, TermMap};

/// Refiners in the order in which they are asked.
#[derive(Default)]
pub struct Refiners {
    refiners: Vec<Box<dyn Refiner>>,
    /// Abstracted forms.
    images: TermMap<Term>,
    /// Terms taken in.
    seen: BacktrackSet<Term>,
    depth: usize,
    /// What refiners have cost that were replaced.
    past: RefinerStatistics,
}

impl Refiners {
    /// These refiners, which have seen no term.
    pub fn new(refiners: Vec<Box<dyn Refiner>>) -> Refiners {
        Refiners { refiners, ..Refiners::default() }
    }

    /// Shows the refiners the formulas of a search that is about to begin.
    pub fn survey(&mut self, pool: &Pool, formulas: &[Term], deadline: &Deadline) {
        self.refiners.iter_mut().for_each(|refiner| refiner.survey(pool, formulas, deadline));
    }

    /// The abstracted form of a formula; `None` if the deadline is over before it is there.
    pub fn abstracted(&mut self, pool: &mut Pool, root: Term, deadline: &Deadline) -> Option<Term> {
        let mut todo = vec![root];
        let mut args = vec![];
        while let Some(&term) = todo.last() {
            if self.images.contains(term) {
                todo.pop();
                continue;
            }
            if !deadline.step(1) {
                return None;
            }
            let before = todo.len();
            todo.extend(pool.args(term).iter().filter(|&&arg| !self.images.contains(arg)));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            args.clear();
            args.extend(pool.args(term).iter().map(|&arg| self.images.get(arg).expect("arguments first")));
            let rebuilt = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
            let image = self
                .refiners
                .iter_mut()
                .try_fold(rebuilt, |term, refiner| refiner.abstracted(pool, term, deadline))?;
            self.images.insert(term, image);
        }
        self.images.get(root).copied()
    }

    /// The abstracted form of a formula that was abstracted before.
    pub fn image(&self, formula: Term) -> Option<Term> {
        self.images.get(formula).copied()
    }

    /// The term that a symbol was put in for by abstraction.
    pub fn replaced_by(&self, symbol: Term) -> Option<Term> {
        self.refiners.iter().find_map(|refiner| refiner.replaced_by(symbol))
    }

    /// Takes in an abstracted formula that is to hold; `None` if the deadline is over before that is done.
    /// Then the refiners have to forget what was taken in, by [`clear`](Refiners::clear).
    pub fn hold(&mut self, pool: &Pool, formula: Term, deadline: &Deadline) -> Option<()> {
        self.refiners.iter_mut().for_each(|refiner| refiner.hold(pool, formula));
        self.take_in_within(pool, formula, deadline)
    }

    /// Takes in a term of an abstracted formula, as that of a lemma.
    pub fn take_in(&mut self, pool: &Pool, formula: Term) {
        self.take_in_within(pool, formula, &Deadline::unlimited()).expect("there is no limit");
    }

    fn take_in_within(&mut self, pool: &Pool, formula: Term, deadline: &Deadline) -> Option<()> {
        if !self.refiners.iter().any(|refiner| refiner.is_concerned(pool)) {
            return Some(());
        }
        let mut more = vec![formula];
        while !more.is_empty() {
            let new = self.new_terms(pool, std::mem::take(&mut more), deadline)?;
            for refiner in &mut self.refiners {
                refiner.take_in(pool, &new, &mut more);
            }
        }
        Some(())
    }

    /// What was not taken in yet at and below some terms, arguments first; `None` if the deadline is over.
    fn new_terms(&mut self, pool: &Pool, mut todo: Vec<Term>, deadline: &Deadline) -> Option<Vec<Term>> {
        let mut new = vec![];
        while let Some(term) = todo.pop() {
            if self.seen.insert(term) {
                if !deadline.step(1) {
                    return None;
                }
                new.push(term);
                todo.extend_from_slice(pool.args(term));
            }
        }
        new.sort_unstable();
        Some(new)
    }

    /// Lemmas to be added before a search. Their atoms are taken in. Those that were handed out in a scope
    /// that is closed may come again.
    pub fn eager(&mut self, pool: &mut Pool) -> Vec<Lemma> {
        let mut lemmas = vec![];
        loop {
            let found: Vec<Lemma> =
                self.refiners.iter_mut().flat_map(|refiner| refiner.eager(pool)).collect();
            if found.is_empty() {
                return lemmas;
            }
            for lemma in found {
                self.learn(pool, &lemma);
                lemmas.push(lemma);
            }
        }
    }

    /// Judges a model of the abstraction, in which leaves have these values. Lemmas are to be passed to
    /// [`learn`](Refiners::learn) when their clauses are added.
    pub fn check(&mut self, pool: &mut Pool, leaves: Leaves<'_>, deadline: &Deadline) -> Refinement {
        let mut model = ModelView::new(leaves);
        let mut extension = vec![];
        for refiner in &mut self.refiners {
            match refiner.check(pool, &mut model, deadline) {
                Refinement::Consistent(found) => extension.extend(found),
                other => return other,
            }
        }
        Refinement::Consistent(extension)
    }

    /// Takes in the atoms of a lemma whose clause is being added.
    pub fn learn(&mut self, pool: &Pool, lemma: &Lemma) {
        for &(atom, _) in &lemma.literals {
            self.take_in(pool, atom);
        }
    }

    /// Opens scopes until so many are open. Scopes are built from the bottom up, so what is taken in next
    /// belongs to the topmost one or was taken in before.
    pub fn push_to(&mut self, depth: usize) {
        while self.depth < depth {
            self.depth += 1;
            self.seen.push();
            self.refiners.iter_mut().for_each(|refiner| refiner.push());
        }
    }

    /// Closes scopes until so many are open, and forgets what was taken in since they were opened.
    pub fn pop_to(&mut self, depth: usize) {
        while self.depth > depth {
            self.depth -= 1;
            self.seen.pop();
            self.refiners.iter_mut().for_each(|refiner| refiner.pop());
        }
    }

    /// Forgets what was taken in, scopes and lemmas, because clauses of lemmas are gone. Abstracted forms and
    /// statistics stay.
    pub fn clear(&mut self) {
        self.refiners.iter_mut().for_each(|refiner| refiner.clear());
        let Refiners { refiners, images, past, .. } = std::mem::take(self);
        *self = Refiners { refiners, images, past, ..Refiners::default() };
    }

    /// Whether the term is taken in, itself or as part of another one.
    pub fn has_seen(&self, term: Term) -> bool {
        self.seen.contains(&term)
    }

    /// Goes on with other refiners, which have seen no term, in place of these. Everything else is forgotten
    /// as by [`clear`](Refiners::clear).
    pub fn replace(&mut self, refiners: Vec<Box<dyn Refiner>>) {
        let past = self.statistics();
        *self = Refiners { refiners, past, ..Refiners::default() };
    }

    /// What the refiners have cost so far.
    pub fn statistics(&self) -> RefinerStatistics {
        let mut statistics = self.past.clone();
        for refiner in &self.refiners {
            statistics.add(refiner.name(), &refiner.statistics());
        }
        statistics
    }
}
