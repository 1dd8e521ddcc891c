//! Images of terms under definitions: depth-first walks that replace all defined symbols at once.
//!
//! A defined symbol has its term as its only child; meeting a symbol that is being walked closes a cycle.
//! Images are remembered in the order in which they were made, so that they can be taken back: whatever
//! mentions a symbol was made after the symbol was first seen, and a new definition of it takes away the tail
//! from there.
//!
//! Along with its image each term is known to be *tainted* or not: whether a symbol whose definition is loose
//! (see [`crate::Definitions`]) is met on the way down.
//!
//! Cost: linear in what is below a term and has no image yet; no recursion.

use bivalve_terms::{Pool, Term, TermMap, TermSet};
use rustc_hash::FxHashMap;

/// Depth-first walks that compute images under all definitions at once. A definition that leads back to its
/// symbol is taken out of the definitions that are handed in.
#[derive(Default)]
pub(crate) struct Walk {
    states: TermMap<State>,
    /// The terms whose images are known, in the order in which they became so.
    log: Vec<Term>,
    /// Symbols whose definitions are loose.
    loose: TermSet,
    /// The terms with images, below which one of them is met.
    tainted: TermSet,
    /// Symbols whose definition was given up because it leads back to them.
    cyclic: Vec<Term>,
}

#[derive(Clone, Copy)]
enum State {
    /// The definition of this symbol is being walked.
    Open,
    /// The image, and its place in the log.
    Done(Term, u32),
}

impl Walk {
    /// The image of `root`.
    pub(crate) fn image(&mut self, pool: &mut Pool, terms: &mut FxHashMap<Term, Term>, root: Term) -> Term {
        let mut todo = vec![root];
        let mut args = vec![];
        while let Some(&term) = todo.last() {
            if let Some(State::Done(..)) = self.states.get(term) {
                todo.pop();
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
                    if self.loose.contains(term) || self.tainted.contains(definition) {
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
        self.done(root)
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

    /// From now on the definition of a symbol is loose, or is no longer so. Images of what mentions it must
    /// be unknown.
    pub(crate) fn set_loose(&mut self, symbol: Term, loose: bool) {
        if loose {
            self.loose.insert(symbol);
        } else {
            self.loose.remove(symbol);
        }
    }

    /// Is there a loose definition?
    pub(crate) fn has_loose(&self) -> bool {
        !self.loose.is_empty()
    }

    /// The symbols whose definitions are loose, in increasing order.
    pub(crate) fn loose(&self) -> impl Iterator<Item = Term> {
        self.loose.iter()
    }

    /// Is a symbol with a loose definition met below a term, whose image is known?
    pub(crate) fn is_tainted(&self, term: Term) -> bool {
        self.tainted.contains(term)
    }
}
