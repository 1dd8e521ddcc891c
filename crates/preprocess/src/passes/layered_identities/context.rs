//! What conditions are in the case that is looked at.

use bivalve_terms::{Op, Pool, Term};

/// So many branches of a word are looked at to know that it is a constant.
const MOST_BRANCHES: usize = 16;

/// Conditions with their values, in the order of the conditions.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Context(Vec<(Term, bool)>);

impl Context {
    /// The value of a condition, if it is known.
    pub(super) fn value(&self, pool: &Pool, condition: Term) -> Option<bool> {
        if let Some(value) = pool.as_bool(condition) {
            return Some(value);
        }
        let known = |condition: Term| {
            let place = self.0.binary_search_by_key(&condition, |known| known.0).ok()?;
            Some(self.0[place].1)
        };
        known(condition).or_else(|| match pool.op(condition) {
            Op::Not => known(pool.args(condition)[0]).map(|value| !value),
            Op::And if pool.args(condition).iter().any(|&part| known(part) == Some(false)) => Some(false),
            _ => None,
        })
    }

    /// The context in which a condition has a value, too, and what that says of its parts.
    pub(super) fn with(&self, pool: &Pool, condition: Term, value: bool) -> Context {
        let mut context = self.clone();
        let mut todo = vec![(condition, value)];
        while let Some((condition, value)) = todo.pop() {
            let Err(place) = context.0.binary_search_by_key(&condition, |known| known.0) else { continue };
            context.0.insert(place, (condition, value));
            match (pool.op(condition), value) {
                (Op::Not, _) => todo.push((pool.args(condition)[0], !value)),
                (Op::And, true) => todo.extend(pool.args(condition).iter().map(|&part| (part, true))),
                _ => {}
            }
            if todo.is_empty() {
                todo.extend(context.last_part(pool));
            }
        }
        context
    }

    /// The one part of a conjunction that is false of which nothing is known, where the others are true.
    fn last_part(&self, pool: &Pool) -> Option<(Term, bool)> {
        let conjunctions = self.0.iter().filter(|known| !known.1 && pool.op(known.0) == Op::And);
        conjunctions.map(|&(conjunction, _)| pool.args(conjunction)).find_map(|parts| {
            let mut open = parts.iter().filter(|&&part| self.value(pool, part) != Some(true));
            let &part = open.next()?;
            (open.next().is_none() && self.value(pool, part).is_none()).then_some((part, false))
        })
    }

    /// Whether a word is this constant wherever the context holds.
    pub(super) fn is_always(&self, pool: &Pool, word: Term, constant: Term) -> bool {
        let mut todo = vec![(word, self.clone())];
        for _ in 0..MOST_BRANCHES {
            let Some((word, context)) = todo.pop() else { return true };
            if word == constant || context.constant(pool, word) == Some(constant) {
                continue;
            }
            let (Op::Ite, &[condition, then, other]) = (pool.op(word), pool.args(word)) else { return false };
            match context.value(pool, condition) {
                Some(value) => todo.push((if value { then } else { other }, context)),
                None => {
                    todo.push((then, context.with(pool, condition, true)));
                    todo.push((other, context.with(pool, condition, false)));
                }
            }
        }
        todo.is_empty()
    }

    /// The constant that an equation in the context says that a term is.
    pub(super) fn constant(&self, pool: &Pool, term: Term) -> Option<Term> {
        self.0.iter().filter(|known| known.1).find_map(|&(condition, _)| {
            match (pool.op(condition), pool.args(condition)) {
                (Op::Eq, &[a, b]) if a == term && pool.is_const(b) => Some(b),
                (Op::Eq, &[a, b]) if b == term && pool.is_const(a) => Some(a),
                _ => None,
            }
        })
    }

    /// Forgets the other conditions.
    pub(super) fn retain(&mut self, mut keeps: impl FnMut(Term) -> bool) {
        self.0.retain(|&(condition, _)| keeps(condition));
    }
}
