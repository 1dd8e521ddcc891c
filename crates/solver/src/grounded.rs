//! What refutes quantified formulas, for those who want to see it.
//!
//! A refutation by instances alone: a solver of its own, which eliminates nothing, is asked about the same
//! formulas, and its lemmas are handed out. Each says what one quantified formula implies for some terms, or
//! that it is false for new symbols if it is false; together with the formulas, symbols in the place of what
//! is quantified in both, they are contradictory without any quantifier.
//!
//! Cost: a check of the formulas.

use crate::Solver;
use crate::answer::CheckResult;
use crate::model::InternalError;
use crate::quantified::Quantified;
use bivalve_sat_adapter::Why;
use bivalve_terms::{Pool, Term};

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
