//! The trait of refiners, and what passes through the seam.
//!
//! A refiner owns the meaning of some terms that the encoder takes for variables. It sees a formula in three
//! ways: [`Refiner::abstracted`] may replace a term by another one (a wide product by a fresh symbol, an
//! n-ary equality between arrays by binary ones), [`Refiner::take_in`] shows it what the formula consists of,
//! and [`Refiner::check`] shows it a model. Lemmas are valid in the theory, so their clauses may stay when
//! the assertions are popped from which their terms came.
//!
//! A refiner must end the search: each lemma is false in the model that it was made for, and a formula has
//! finitely many of them.

use crate::{Counters, ModelView};
use bivalve_limits::{Deadline, Why};
use bivalve_terms::{Pool, Term, Value};

/// A valid clause over Boolean terms, made by a refiner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lemma {
    /// The rule that it is an instance of.
    pub reason: &'static str,
    /// The terms, and the values of which one must be taken.
    pub literals: Vec<(Term, bool)>,
    /// The terms whose values gave rise to it: reads, writes, applications, equalities of arrays, a product.
    pub from: Vec<Term>,
}

impl Lemma {
    /// A clause by the rule `reason`.
    pub fn new(reason: &'static str, literals: Vec<(Term, bool)>) -> Lemma {
        Lemma { reason, literals, from: vec![] }
    }

    /// The same, with the terms that gave rise to it.
    #[must_use]
    pub fn from_terms(self, from: impl IntoIterator<Item = Term>) -> Lemma {
        Lemma { from: from.into_iter().collect(), ..self }
    }
}

/// What a check of a model comes to.
#[derive(Debug)]
pub enum Refinement {
    /// The model extends to the theory: the values of the array and function symbols that the refiner owns.
    Consistent(Vec<(Term, Value)>),
    /// The model violates these; never empty.
    Lemmas(Vec<Lemma>),
    /// The check was stopped, or the theory cannot tell.
    Unknown(Why),
}

/// A theory above the search for bits.
pub trait Refiner {
    /// Its name in statistics and in proofs.
    fn name(&self) -> &'static str;

    /// Whether formulas over this pool may contain terms of this refiner. While no refiner is concerned,
    /// nothing is taken in.
    fn is_concerned(&self, pool: &Pool) -> bool {
        let _ = pool;
        true
    }

    /// Looks at the formulas of a search that is about to begin, before any of them is abstracted. Nothing
    /// follows from a look that ends early because the deadline is over.
    fn survey(&mut self, pool: &Pool, formulas: &[Term], deadline: &Deadline) {
        let _ = (pool, formulas, deadline);
    }

    /// The form of `term` that the encoder and this refiner expect, for a term whose arguments have that form
    /// already. The same term always has the same form; `None` if the deadline is over before it is there.
    fn abstracted(&mut self, pool: &mut Pool, term: Term, deadline: &Deadline) -> Option<Term> {
        let _ = (pool, deadline);
        Some(term)
    }

    /// The term that a symbol was put in for by [`abstracted`](Refiner::abstracted).
    fn replaced_by(&self, symbol: Term) -> Option<Term> {
        let _ = symbol;
        None
    }

    /// Is told that an abstracted formula is to hold, since it is asserted or assumed, before it is taken in.
    /// What else is taken in belongs to lemmas and to other refiners.
    fn hold(&mut self, pool: &Pool, formula: Term) {
        let _ = (pool, formula);
    }

    /// Takes in terms of the abstracted formula: each term once a scope, arguments before the terms above
    /// them. Pushes what must be taken in besides onto `more`: terms that the formula does not contain, but
    /// whose values this refiner looks at.
    fn take_in(&mut self, pool: &Pool, new: &[Term], more: &mut Vec<Term>);

    /// Lemmas about what was taken in since the last call, to be added before a search (eager instantiation).
    fn eager(&mut self, pool: &mut Pool) -> Vec<Lemma> {
        let _ = pool;
        vec![]
    }

    /// Judges a model of the abstraction. A refiner may give values in the view to its terms that have none.
    fn check(&mut self, pool: &mut Pool, model: &mut ModelView<'_>, deadline: &Deadline) -> Refinement;

    /// Opens a scope.
    fn push(&mut self);

    /// Forgets what was taken in since the last scope was opened. Panics if there is none.
    fn pop(&mut self);

    /// Forgets what was taken in, scopes and lemmas, because clauses of lemmas are gone. Abstracted forms,
    /// settings and statistics stay.
    fn clear(&mut self);

    /// What the refinement has cost so far.
    fn statistics(&self) -> Counters;
}
