//! A model of the abstraction, read lazily.
//!
//! The search for bits has values for *leaves*: symbols, and terms that it takes for variables. Every other
//! term has the value of its operator (the reference semantics). So an index or a written element needs no
//! gates to have a value, and the model cannot change while it is looked at; gates are built for what a lemma
//! mentions and for nothing else. This is synthesis on demand (Brummayer's thesis, section 2.11.5) without
//! calls to the SAT solver.
//!
//! Terms are read while a model is looked at and made while lemmas are written; the view keeps the values
//! from one [`read`](ModelView::read) to the next, and from one refiner to the next.
//!
//! Cost: each term is evaluated at most once for each model.

use bivalve_terms::{Assignment, Evaluator, Leaves, Pool, Valuation};

/// A model of the abstraction.
pub struct ModelView<'a> {
    leaves: Leaves<'a>,
    valuation: Valuation,
    nothing: Assignment,
}

impl<'a> ModelView<'a> {
    /// The model in which leaves have these values. What a leaf's value is must not depend on when it is
    /// asked for.
    pub fn new(leaves: Leaves<'a>) -> ModelView<'a> {
        ModelView { leaves, valuation: Valuation::new(), nothing: Assignment::new() }
    }

    /// Looks at the model. What was evaluated or set in earlier calls is still there.
    pub fn read<T>(&mut self, pool: &Pool, look: impl FnOnce(&mut Evaluator<'_>) -> T) -> T {
        let valuation = std::mem::take(&mut self.valuation);
        let mut evaluator = Evaluator::resume(pool, &self.nothing, &mut *self.leaves, valuation);
        let result = look(&mut evaluator);
        self.valuation = evaluator.suspend();
        result
    }
}
