//! Where terms stand: how deep quotients and other opaque words are in them, and which conditions.

use super::case::connective;
use bivalve_checker::term::{Op, Term, Terms};
use std::rc::Rc;

/// With more conditions, none is forgotten.
const MOST_CONDITIONS: usize = 2048;

#[derive(Clone)]
struct Place {
    /// How many opaque words stand on top of each other in it; conditions of choices do not count.
    level: u32,
    /// The conditions in it, as bits.
    conditions: Rc<[u64]>,
}

/// The places of terms.
pub(super) struct Places {
    /// By term, of those that were looked at.
    places: Vec<Option<Place>>,
    /// The conditions of choices, down to what is no connective, in order.
    conditions: Vec<Term>,
}

impl Places {
    /// For what stands below some terms.
    pub(super) fn new(terms: &Terms, roots: &[Term]) -> Places {
        let (mut seen, mut stack, mut todo) = (vec![false; terms.len()], roots.to_vec(), vec![]);
        while let Some(term) = stack.pop() {
            if !std::mem::replace(&mut seen[term.index()], true) {
                stack.extend_from_slice(terms.args(term));
                if terms.op(term) == Op::Ite {
                    todo.push(terms.args(term)[0]);
                }
            }
        }
        let (mut seen, mut conditions) = (vec![false; terms.len()], vec![]);
        while let Some(term) = todo.pop() {
            if std::mem::replace(&mut seen[term.index()], true) {
                continue;
            }
            match connective(terms, term) {
                true => todo.extend_from_slice(terms.args(term)),
                false => conditions.push(term),
            }
        }
        conditions.sort_unstable();
        conditions.truncate(MOST_CONDITIONS);
        Places { places: vec![], conditions }
    }

    /// How many opaque words stand on top of each other in the term.
    pub(super) fn level(&mut self, terms: &Terms, term: Term) -> u32 {
        self.place(terms, term).level
    }

    /// Whether a condition may stand in a term.
    pub(super) fn has(&mut self, terms: &Terms, term: Term, condition: Term) -> bool {
        let Ok(number) = self.conditions.binary_search(&condition) else { return true };
        self.place(terms, term).conditions[number / 64] >> (number % 64) & 1 == 1
    }

    fn place(&mut self, terms: &Terms, root: Term) -> &Place {
        self.places.resize(self.places.len().max(terms.len()), None);
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.places[term.index()].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = terms.args(term);
            stack.extend(args.iter().filter(|arg| self.places[arg.index()].is_none()));
            if stack.len() > before {
                continue;
            }
            let op = terms.op(term);
            let is_opaque = !matches!(
                op,
                Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvShl | Op::Concat | Op::Ite
            );
            let mut level = 0;
            let mut conditions = vec![0; self.conditions.len().div_ceil(64)];
            for (number, arg) in args.iter().enumerate() {
                let place = self.places[arg.index()].as_ref().expect("arguments come first");
                if op != Op::Ite || number > 0 {
                    level = level.max(place.level + u32::from(is_opaque));
                }
                conditions.iter_mut().zip(&*place.conditions).for_each(|(word, more)| *word |= more);
            }
            if let Ok(number) = self.conditions.binary_search(&term) {
                conditions[number / 64] |= 1 << (number % 64);
            }
            self.places[term.index()] = Some(Place { level, conditions: conditions.into() });
        }
        self.places[root.index()].as_ref().expect("it was put there")
    }
}
