//! What conditions are in the case that is looked at.

use bivalve_terms::{Op, Pool, Term};

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
        }
        context
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
