//! Lemmas on demand: what the search for arrays adds to the search for bits.
//!
//! The SAT backend answers for the abstraction, in which reads, applications and equalities between arrays
//! are variables. A model of it is shown to the array checker (`bivalve-arrays`), which extends it to arrays
//! or returns lemmas; those become clauses, and the search goes on (Brummayer's thesis, section 2.6).
//!
//! The model is looked at through an evaluator: its leaves have the values of their inputs in the SAT solver,
//! and every other term the value of its operator. So an index or a written element needs no gates to have a
//! value, and the model cannot move while it is looked at; gates are built for what a lemma mentions, and for
//! nothing else. This is the thesis' synthesis on demand (section 2.11.5), without calls to the SAT solver.
//!
//! Wide arithmetic is refined by the same loop, before arrays: its symbols must be right before indices are
//! worth anything.
//!
//! Lemmas go straight to clauses (section 2.11.6): what the gate graph knows to be false is dropped, and each
//! atom has one literal however many lemmas mention it.

use crate::lower::Lowering;
use crate::options::Settings;
use crate::parts::Parts;
use bivalve_arrays::{Checker, Inspection};
use bivalve_bitblast::{BlastError, Encoder};
use bivalve_sat_adapter::{Stop, Why};
use bivalve_terms::{Assignment, Evaluator, Pool, Term, Value};

/// Arrays and functions, beside the circuits.
pub(crate) struct Theory {
    checker: Checker,
    /// Scopes opened: one for each level above the lowest, and one for the assumptions of a check.
    depth: usize,
}

/// Boolean terms, and the values of which one must be taken.
pub(crate) type Clause = Vec<(Term, bool)>;

/// What a model of the abstraction is worth.
pub(crate) enum Judged {
    /// It extends to arrays and functions: the values of the symbols of those sorts.
    Extends(Vec<(Term, Value)>),
    /// It breaks these.
    Breaks(Vec<Clause>),
    /// Nobody knows.
    Unknown(Why),
}

impl Theory {
    /// Knows no arrays; refines them as the settings say.
    pub(crate) fn new(settings: &Settings, parts: &Parts) -> Theory {
        let mut theory = Theory { checker: Checker::new(), depth: 0 };
        theory.set(settings, parts);
        theory
    }

    /// Forgets all terms, as the circuits did.
    pub(crate) fn forget(&mut self) {
        self.checker.forget();
        self.depth = 0;
    }

    /// Takes a change of settings or parts over.
    pub(crate) fn set(&mut self, settings: &Settings, parts: &Parts) {
        self.checker.set_policy(settings.array_lemmas);
        self.checker.set_strategy(parts.array_strategy(settings));
    }

    /// What is to be said of arrays and functions before a search.
    pub(crate) fn ahead(&mut self, pool: &mut Pool) -> Vec<Clause> {
        self.checker.ahead(pool).into_iter().map(|lemma| lemma.literals).collect()
    }

    /// Opens scopes up to the one of this index; 0 is the lowest, which is always open. Levels are built from
    /// the bottom up, so what is taken in next belongs to this one, or was taken in before.
    pub(crate) fn enter(&mut self, index: usize) {
        while self.depth < index {
            self.depth += 1;
            self.checker.push();
        }
    }

    /// Closes the scopes above the one of this index.
    pub(crate) fn leave_to(&mut self, index: usize) {
        while self.depth > index {
            self.depth -= 1;
            self.checker.pop();
        }
    }

    /// Takes in a lowered formula, and what its symbols stand for.
    pub(crate) fn take_in(&mut self, pool: &Pool, lowering: &Lowering, formula: Term) {
        let mut todo = vec![formula];
        while let Some(formula) = todo.pop() {
            let new = self.checker.register(pool, formula);
            let replaced = new.iter().filter_map(|&symbol| lowering.below(symbol));
            todo.extend(replaced.flat_map(|term| pool.args(term)));
        }
    }

    /// Is the term part of what is asserted or assumed, or of lemmas about that?
    pub(crate) fn has_seen(&self, term: Term) -> bool {
        self.checker.has_seen(term)
    }

    pub(crate) fn statistics(&self) -> bivalve_arrays::Statistics {
        self.checker.statistics()
    }

    /// Judges the model the backend has found: arithmetic first, then arrays and functions.
    pub(crate) fn inspect(
        &mut self,
        pool: &mut Pool,
        lowering: &mut Lowering,
        encoder: &mut Encoder,
        stop: &Stop,
    ) -> Judged {
        if self.checker.is_idle() && lowering.abstraction.is_empty() {
            return Judged::Extends(vec![]);
        }
        self.checker.prepare(pool);
        let none = Assignment::new();
        let mut leaves = |pool: &Pool, term| encoder.leaf_value(pool, term);
        let mut values = Evaluator::with_leaves(pool, &none, &mut leaves);
        let wrong = lowering.abstraction.inspect(&mut values, |symbol| self.checker.has_seen(symbol));
        if !wrong.is_empty() {
            let lemmas = lowering.abstraction.lemmas(pool, &wrong);
            return Judged::Breaks(lemmas.into_iter().map(|lemma| vec![(lemma, true)]).collect());
        }
        match self.checker.inspect_until(&mut values, &|| stop.reason().is_some()) {
            Inspection::Stopped => Judged::Unknown(stop.reason().unwrap_or(Why::Interrupted)),
            Inspection::Consistent(arrays) => Judged::Extends(arrays),
            Inspection::Incomplete(what) => Judged::Unknown(Why::Incomplete(what)),
            Inspection::Violated(drafts) => {
                let lemmas = self.checker.lemmas(pool, drafts);
                Judged::Breaks(lemmas.into_iter().map(|lemma| lemma.literals).collect())
            }
        }
    }

    /// Adds a lemma as a clause. Its atoms are not rewritten: that would replace the very reads it is about.
    pub(crate) fn learn(
        &mut self,
        pool: &Pool,
        lowering: &Lowering,
        encoder: &mut Encoder,
        lemma: &Clause,
    ) -> Result<(), BlastError> {
        lemma.iter().for_each(|&(atom, _)| self.take_in(pool, lowering, atom));
        encoder.clause(pool, lemma)?;
        Ok(())
    }
}
