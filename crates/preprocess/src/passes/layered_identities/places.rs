//! Where terms stand: how deep opaque words are in them, and which conditions.

use super::is_opened;
use bivalve_terms::{Op, Pool, Term, TermMap};
use std::rc::Rc;

/// With more conditions, none is told apart.
const MOST_CONDITIONS: usize = 1024;

/// What is known of a term.
#[derive(Clone)]
struct Place {
    /// How many opaque words stand on top of each other in it; conditions of choices do not count.
    level: u32,
    /// The conditions in it, as bits.
    conditions: Rc<[u64]>,
}

/// The places of terms.
pub(super) struct Places {
    places: TermMap<Place>,
    /// The numbers of conditions, and of the parts of conjunctions and negations that they are.
    numbers: TermMap<usize>,
    words: usize,
}

impl Places {
    /// Those of terms, children first.
    pub(super) fn new(pool: &Pool, cone: &[Term]) -> Places {
        let mut numbers = TermMap::new();
        let choices = cone.iter().filter(|&&term| pool.op(term) == Op::Ite);
        let mut todo: Vec<Term> = choices.map(|&choice| pool.args(choice)[0]).collect();
        let mut count = 0;
        while let Some(condition) = todo.pop() {
            if numbers.contains(condition) || count == MOST_CONDITIONS {
                continue;
            }
            numbers.insert(condition, count);
            count += 1;
            if matches!(pool.op(condition), Op::Not | Op::And) {
                todo.extend(pool.args(condition));
            }
        }
        let mut places = Places { places: TermMap::new(), numbers, words: count.div_ceil(64) };
        for &term in cone {
            places.place(pool, term);
        }
        places
    }

    /// How many opaque words stand on top of each other in the term.
    pub(super) fn level(&mut self, pool: &Pool, term: Term) -> u32 {
        self.place(pool, term).level
    }

    /// No conditions.
    pub(super) fn nothing(&self) -> Vec<u64> {
        vec![0; self.words]
    }

    /// Adds the conditions in a term.
    pub(super) fn add_conditions(&mut self, pool: &Pool, term: Term, to: &mut [u64]) {
        let place = self.place(pool, term);
        to.iter_mut().zip(place.conditions.iter()).for_each(|(word, more)| *word |= more);
    }

    /// Whether a condition is among some.
    pub(super) fn is_among(&self, condition: Term, conditions: &[u64]) -> bool {
        self.numbers.get(condition).is_none_or(|&number| conditions[number / 64] >> (number % 64) & 1 == 1)
    }

    /// The place of a term, whose arguments have one or are leaves.
    fn place(&mut self, pool: &Pool, term: Term) -> &Place {
        if !self.places.contains(term) {
            let is_opaque = matches!(pool.op(term), Op::BvUrem | Op::BvSrem) || !is_opened(pool, term);
            let condition = usize::from(pool.op(term) == Op::Ite);
            let (mut level, mut conditions) = (0, self.nothing());
            for (number, &arg) in pool.args(term).iter().enumerate() {
                let place = self.places.get(arg);
                if number >= condition {
                    level = level.max(place.map_or(0, |place| place.level) + u32::from(is_opaque));
                }
                let below = place.map_or(&[][..], |place| &place.conditions);
                conditions.iter_mut().zip(below).for_each(|(word, more)| *word |= more);
            }
            if let Some(&number) = self.numbers.get(term) {
                conditions[number / 64] |= 1 << (number % 64);
            }
            self.places.insert(term, Place { level, conditions: conditions.into() });
        }
        self.places.get(term).expect("it was put there")
    }
}
