//! Images of terms under definitions: depth-first walks that replace all defined terms at once.
//!
//! A defined term, mostly a symbol, has its definition as its only child; meeting a term whose definition is
//! being walked closes a cycle. Images are remembered in the order in which they were made, so that they can
//! be taken back: whatever mentions a symbol was made after the symbol was first seen, and a new definition
//! of it takes away the tail from there.
//!
//! Along with its image each term is known to be *tainted* or not: whether a symbol with a definition that
//! only preserves satisfiability (see [`crate::unconstrained`]) is met on the way down.
//!
//! Cost: linear in what is below a term and has no image yet; no recursion. Each term is a step of the
//! deadline.

use bivalve_limits::Deadline;
use bivalve_terms::{Pool, Term, TermMap, TermSet};
use rustc_hash::FxHashMap;

/// Images under all definitions at once. A definition that leads back to its symbol is taken out of the
/// definitions that are handed in.
#[derive(Default)]
pub(crate) struct Images {
    states: TermMap<State>,
    /// The terms whose images are known, in the order in which they became so.
    log: Vec<Term>,
    /// Symbols whose definitions only preserve satisfiability.
    unconstrained: TermSet,
    /// The terms with images, below which one of them is met.
    tainted: TermSet,
    /// Symbols whose definition was given up because it leads back to them.
    cyclic: Vec<Term>,
}

/// How far a walk goes.
pub(crate) struct Walk<'a> {
    /// Terms without a definition for which this holds are their own images; nothing below them is looked at.
    pub(crate) is_leaf: &'a dyn Fn(Term) -> bool,
    pub(crate) deadline: &'a Deadline,
}

impl<'a> Walk<'a> {
    /// A walk to the end of all ways.
    pub(crate) fn whole(deadline: &'a Deadline) -> Walk<'a> {
        Walk { is_leaf: &|_| false, deadline }
    }
}

#[derive(Clone, Copy)]
enum State {
    /// The definition of this symbol is being walked.
    Open,
    /// The image, and its place in the log.
    Done(Term, u32),
}

impl Images {
    /// The image of `root`; `None` when the deadline is over, after which the same may be asked again.
    pub(crate) fn image(
        &mut self,
        pool: &mut Pool,
        terms: &mut FxHashMap<Term, Term>,
        root: Term,
        walk: &Walk<'_>,
    ) -> Option<Term> {
        let mut todo = vec![root];
        let mut args = vec![];
        while let Some(&term) = todo.last() {
            if let Some(State::Done(..)) = self.states.get(term) {
                todo.pop();
                continue;
            }
            if !walk.deadline.step(1) {
                self.close(&todo);
                return None;
            }
            if (walk.is_leaf)(term) && !terms.contains_key(&term) {
                todo.pop();
                self.finish(term, term);
                continue;
            }
            let before = todo.len();
            match terms.get(&term).copied() {
                Some(definition) => {
                    self.states.insert(term, State::Open);
                    self.visit(definition, terms, &mut todo);
                }
                None => pool.args(term).iter().for_each(|&child| self.visit(child, terms, &mut todo)),
            }
            // A cycle through `term` takes its definition away, so look again.
            if todo.len() > before {
                continue;
            }
            let image = match terms.get(&term) {
                Some(&definition) => {
                    if self.unconstrained.contains(term) || self.tainted.contains(definition) {
                        self.tainted.insert(term);
                    }
                    self.done(definition)
                }
                None => {
                    if pool.args(term).iter().any(|&child| self.tainted.contains(child)) {
                        self.tainted.insert(term);
                    }
                    args.clear();
                    args.extend(pool.args(term).iter().map(|&child| self.done(child)));
                    if args == pool.args(term) { term } else { pool.rebuild(term, &args) }
                }
            };
            todo.pop();
            self.finish(term, image);
        }
        Some(self.done(root))
    }

    /// Forgets which of these terms are being walked.
    fn close(&mut self, walked: &[Term]) {
        for &term in walked {
            if let Some(State::Open) = self.states.get(term) {
                self.states.remove(term);
            }
        }
    }

    /// Schedules `term` unless its image is known; a symbol that is open closes a cycle and loses its
    /// definition.
    fn visit(&mut self, term: Term, terms: &mut FxHashMap<Term, Term>, todo: &mut Vec<Term>) {
        match self.states.get(term) {
            Some(State::Done(..)) => {}
            None => todo.push(term),
            Some(State::Open) => {
                terms.remove(&term);
                self.cyclic.push(term);
                self.finish(term, term);
            }
        }
    }

    fn finish(&mut self, term: Term, image: Term) {
        let place = u32::try_from(self.log.len()).expect("as many images as terms");
        self.states.insert(term, State::Done(image, place));
        self.log.push(term);
    }

    fn done(&self, term: Term) -> Term {
        match self.states.get(term) {
            Some(&State::Done(image, _)) => image,
            Some(State::Open) | None => unreachable!("children are finished first"),
        }
    }

    /// The place of a term in the log.
    pub(crate) fn first_seen(&self, term: Term) -> Option<usize> {
        match self.states.get(term) {
            Some(&State::Done(_, place)) => Some(place as usize),
            Some(State::Open) | None => None,
        }
    }

    /// Forgets the images that became known after the first `length` ones.
    pub(crate) fn truncate(&mut self, length: usize) {
        for term in self.log.drain(length.min(self.log.len())..) {
            self.states.remove(term);
            self.tainted.remove(term);
        }
    }

    /// So many images are known.
    pub(crate) fn len(&self) -> usize {
        self.log.len()
    }

    /// The symbols whose definitions were given up because they lead back to them.
    pub(crate) fn cyclic(&self) -> &[Term] {
        &self.cyclic
    }

    /// From now on the definition of a symbol only preserves satisfiability, or no longer so. Images of what
    /// mentions it must be unknown.
    pub(crate) fn set_unconstrained(&mut self, symbol: Term, unconstrained: bool) {
        if unconstrained {
            self.unconstrained.insert(symbol);
        } else {
            self.unconstrained.remove(symbol);
        }
    }

    /// Whether there is a definition that only preserves satisfiability.
    pub(crate) fn has_unconstrained(&self) -> bool {
        !self.unconstrained.is_empty()
    }

    /// The symbols with such definitions, in increasing order.
    pub(crate) fn unconstrained(&self) -> impl Iterator<Item = Term> {
        self.unconstrained.iter()
    }

    /// Whether such a symbol is met below a term, whose image is known.
    pub(crate) fn is_tainted(&self, term: Term) -> bool {
        self.tainted.contains(term)
    }
}
