//! Where terms stand: how deep quotients and other opaque words are in them, and which conditions.

use super::language::{Kind, Language};
use rustc_hash::{FxHashMap, FxHashSet};
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
pub struct Places<T> {
    /// Of the terms that were looked at.
    places: FxHashMap<T, Place>,
    /// The conditions of choices, down to what is no connective, in order.
    conditions: Vec<T>,
}

impl<T: Copy + Ord + std::hash::Hash> Places<T> {
    /// For what stands below some terms.
    pub fn new<L: Language<Term = T>>(terms: &L, roots: &[T]) -> Places<T> {
        let (mut seen, mut stack, mut todo) = (FxHashSet::default(), roots.to_vec(), vec![]);
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                let args = terms.args(term);
                stack.extend_from_slice(args);
                todo.extend(args.first().filter(|_| terms.kind(term) == Kind::Choice));
            }
        }
        let (mut seen, mut conditions) = (FxHashSet::default(), vec![]);
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.kind(term).is_connective() {
                true => todo.extend_from_slice(terms.args(term)),
                false => conditions.push(term),
            }
        }
        conditions.sort_unstable();
        conditions.truncate(MOST_CONDITIONS);
        Places { places: FxHashMap::default(), conditions }
    }

    /// How many opaque words stand on top of each other in the term.
    pub(super) fn level<L: Language<Term = T>>(&mut self, terms: &L, term: T) -> u32 {
        self.place(terms, term).level
    }

    /// Whether a condition may stand in one of some terms.
    pub(super) fn has<L: Language<Term = T>>(
        &mut self,
        terms: &L,
        mut among: impl Iterator<Item = T>,
        condition: T,
    ) -> bool {
        let Ok(number) = self.conditions.binary_search(&condition) else { return true };
        among.any(|term| self.place(terms, term).conditions[number / 64] >> (number % 64) & 1 == 1)
    }

    fn place<L: Language<Term = T>>(&mut self, terms: &L, root: T) -> &Place {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.places.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = terms.args(term);
            stack.extend(args.iter().filter(|arg| !self.places.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            let kind = terms.kind(term);
            let is_opaque = !kind.is_arithmetic() && kind != Kind::Choice;
            let (mut level, mut conditions) = (0, vec![0; self.conditions.len().div_ceil(64)]);
            for (number, arg) in args.iter().enumerate() {
                let place = &self.places[arg];
                if kind != Kind::Choice || number > 0 {
                    level = level.max(place.level + u32::from(is_opaque));
                }
                conditions.iter_mut().zip(&*place.conditions).for_each(|(word, more)| *word |= more);
            }
            if let Ok(number) = self.conditions.binary_search(&term) {
                conditions[number / 64] |= 1 << (number % 64);
            }
            self.places.insert(term, Place { level, conditions: conditions.into() });
        }
        &self.places[&root]
    }
}
