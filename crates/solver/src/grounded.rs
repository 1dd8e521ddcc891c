//! What refutes quantified formulas, for those who want to see it.
//!
//! A refutation by instances alone: a solver of its own, which eliminates nothing, is asked about the same
//! formulas, and its lemmas are handed out. Each says what one quantified formula implies for some terms, or
//! that it is false for new symbols if it is false; together with the formulas, symbols in the place of what
//! is quantified in both, they are contradictory without any quantifier.
//!
//! A model of quantified formulas rests on refutations, too: with its values in the place of free symbols,
//! the negation of a formula that is true in it has no model, and neither has a formula that is false in it.
//! These [sentences](Solver::refuted_by_model) are handed out for those who want to see that.
//!
//! Cost: a check of the formulas; of sentences that of putting values into formulas.

use crate::Solver;
use crate::answer::{AssertError, CheckResult};
use crate::model::InternalError;
use crate::options::Settings;
use crate::quantified::Quantified;
use bivalve_quantifiers::{Frozen, Grounding, Need};
use bivalve_sat_adapter::Why;
use bivalve_terms::{Op, Pool, Term, Value, free_symbols};
use std::collections::BTreeMap;

/// A contradiction without quantifiers.
#[derive(Clone, Debug)]
pub struct Grounded {
    /// The formulas, with symbols in the place of those for all values of variables.
    pub assertions: Vec<Term>,
    /// These symbols, and what they stand for.
    pub atoms: Vec<(Term, Term)>,
    /// In an order in which each mentions new symbols of earlier ones only, and its own.
    pub lemmas: Vec<GroundLemma>,
}

/// What is true of a formula for all values of variables.
#[derive(Clone, Debug)]
pub struct GroundLemma {
    /// The formula.
    pub formula: Term,
    /// A term for each variable: new symbols for which the body is false if the formula is, or terms for
    /// which the body is true if the formula is.
    pub terms: Vec<Term>,
    /// Are they new symbols?
    pub is_witness: bool,
    /// The lemma, with symbols in the place of formulas for all values of variables.
    pub ground: Term,
    /// So many of the first of these symbols were there before.
    pub atoms: usize,
}

impl Solver {
    /// What the model of the last check, which answered `sat`, says of quantified formulas: for each
    /// outermost one whose value matters, a formula without free symbols, but for elements of declared sorts,
    /// that has no model. `None` if there is no model, or if one of its values has no term.
    pub fn refuted_by_model(&self, pool: &mut Pool) -> Option<Vec<Term>> {
        let model = self.model()?;
        let mut needs: BTreeMap<Term, Need> = BTreeMap::new();
        for formula in self.question() {
            for (binder, need) in Grounding::needs_of_binders(pool, formula) {
                let known = needs.entry(binder).or_default();
                *known = known.and(need);
            }
        }
        let mut sentences = vec![];
        for (binder, need) in needs {
            // A formula whose value the model does not know has none that matters.
            if !model.knows(pool, binder) {
                continue;
            }
            let value = model.value(pool, binder).expect_bool();
            if !(if value { need.if_true } else { need.if_false }) {
                continue;
            }
            let refuted = if value { pool.mk(Op::Not, &[binder]) } else { binder };
            let free = free_symbols(pool, &[binder]);
            let values: Vec<(Term, Value)> =
                free.into_iter().map(|symbol| (symbol, model.value(pool, symbol))).collect();
            sentences.push(Frozen::new().freeze(pool, refuted, &values)?);
        }
        Some(sentences)
    }

    /// What [`Solver::ground_refutation`] finds, with no more lemmas than it needs: without any one of them
    /// the rest is not contradictory, as far as the budget of the solver shows that.
    ///
    /// # Errors
    ///
    /// As [`Solver::check`].
    pub fn least_refutation(
        &self,
        pool: &mut Pool,
        formulas: &[Term],
    ) -> Result<Result<Grounded, Why>, InternalError> {
        let mut grounded = match self.ground_refutation(pool, formulas)? {
            Ok(grounded) => grounded,
            Err(why) => return Ok(Err(why)),
        };
        let mut other = self.assistant();
        other.set_settings(Settings { minimize_core: true, ..self.settings().clone() });
        let asserted = |e: AssertError| InternalError(e.to_string());
        for &formula in &grounded.assertions {
            other.assert(pool, formula).map_err(asserted)?;
        }
        for lemma in &grounded.lemmas {
            other.assert_tracked(pool, lemma.ground).map_err(asserted)?;
        }
        match (other.check(pool)?, other.unsat_core()) {
            (CheckResult::Unsat, Some(core)) => {
                let mut number = 0..;
                grounded.lemmas.retain(|_| number.next().is_some_and(|number| core.contains(&number)));
                Ok(Ok(grounded))
            }
            (CheckResult::Unknown(why), _) => Ok(Err(why)),
            _ => Err(InternalError("instances that were contradictory have a model".into())),
        }
    }

    /// Refutes formulas by instances alone, within the limits of this solver; why not, if that does not
    /// succeed.
    ///
    /// # Errors
    ///
    /// As [`Solver::check`].
    pub fn ground_refutation(
        &self,
        pool: &mut Pool,
        formulas: &[Term],
    ) -> Result<Result<Grounded, Why>, InternalError> {
        let mut other = self.assistant();
        other.quantified = Some(Box::new(Quantified::by_instances(self)));
        for &formula in formulas {
            other.assert(pool, formula).map_err(|e| InternalError(e.to_string()))?;
        }
        let undecided = Why::Incomplete("instances of quantified formulas did not refute it");
        match (other.check(pool)?, other.quantified.take()) {
            (CheckResult::Unsat, Some(state)) => Ok(Ok(state.grounded(pool, formulas))),
            (CheckResult::Unknown(why), _) => Ok(Err(why)),
            _ => Ok(Err(undecided)),
        }
    }
}
