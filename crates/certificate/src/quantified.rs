//! Quantified formulas, by what instances say of them.
//!
//! Who has refuted formulas tells how: instances and witnesses, which are contradictory beside the formulas
//! if a symbol stands in the place of each formula for all values of variables. That is certified as formulas
//! without quantifiers are, with those instances among them. To the checker such a symbol is the formula that
//! it stands for, and an instance is a step, which it carries out by itself.
//!
//! Cost: linear in the instances, beside the search.

use crate::recorder::Recorder;
use crate::translate::Translation;
use bivalve_terms::{Pool, Term, outermost_binders};

/// What refutes quantified formulas.
#[derive(Clone, Default, Debug)]
pub struct Instances {
    /// The formulas, with symbols in the place of those for all values of variables.
    pub assertions: Vec<Term>,
    /// These symbols, and what they stand for.
    pub atoms: Vec<(Term, Term)>,
    /// What is said of these formulas, in an order in which each mentions new symbols of earlier ones only,
    /// and its own.
    pub lemmas: Vec<Instance>,
}

/// What is true of a formula for all values of variables.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The formula.
    pub formula: Term,
    /// A term for each variable: new symbols for which the body is false if the formula is, or terms for
    /// which the body is true if the formula is.
    pub terms: Vec<Term>,
    /// Are they new symbols?
    pub is_witness: bool,
    /// What is said, with symbols in the place of formulas for all values of variables.
    pub ground: Term,
    /// So many of the first of these symbols are mentioned by earlier ones.
    pub atoms: usize,
}

/// Why nothing is written: what is said here and what the checker says are different terms.
const DIFFERS: &str = "an instance is not what the checker makes of it";

/// The instances and the formulas that they are about.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) formulas: Vec<Term>,
    pub(crate) instances: Instances,
}

impl Problem {
    /// What is contradictory, numbered: the formulas first, then what is said of them.
    pub(crate) fn all(&self) -> Vec<(usize, Term)> {
        let said = self.instances.lemmas.iter().map(|lemma| lemma.ground);
        self.instances.assertions.iter().copied().chain(said).enumerate().collect()
    }

    /// Is this the number of what is said of the formulas?
    pub(crate) fn is_said(&self, number: usize) -> bool {
        number >= self.formulas.len()
    }

    /// Writes all instances, and tells the translation what their symbols are.
    pub(crate) fn write(
        &self,
        pool: &Pool,
        translation: &mut Translation,
        out: &mut Recorder,
    ) -> Result<(), String> {
        let Problem { formulas, instances } = self;
        for (number, &formula) in formulas.iter().enumerate() {
            if !outermost_binders(pool, &[formula]).is_empty() {
                let asserted = translation.term(pool, formula, out)?;
                out.assert(number as u64, asserted);
                out.quantified(asserted)?;
            }
        }
        let mut defined = 0;
        for lemma in &instances.lemmas {
            define(pool, &instances.atoms[defined..lemma.atoms], translation, out)?;
            defined = lemma.atoms;
            let formula = translation.term(pool, lemma.formula, out)?;
            if !out.can_mention(formula) {
                return Err(DIFFERS.into());
            }
            if lemma.is_witness {
                let symbols = out.skolem(formula)?;
                lemma.terms.iter().zip(symbols).for_each(|(&term, symbol)| translation.define(term, symbol));
            } else {
                let mut terms = vec![];
                for &term in &lemma.terms {
                    let term = translation.term(pool, term, out)?;
                    if !out.kernel.terms.quantified_in(term)?.iter().all(|&within| out.can_mention(within)) {
                        return Err(DIFFERS.into());
                    }
                    terms.push(term);
                }
                out.instantiate(formula, &terms)?;
            }
        }
        define(pool, &instances.atoms[defined..], translation, out)?;
        for (&formula, &ground) in formulas.iter().zip(&instances.assertions) {
            if translation.term(pool, formula, out)? != translation.term(pool, ground, out)? {
                return Err(DIFFERS.into());
            }
        }
        for lemma in &instances.lemmas {
            let said = translation.term(pool, lemma.ground, out)?;
            if !out.kernel.is(said, true) {
                return Err(DIFFERS.into());
            }
        }
        Ok(())
    }
}

/// The symbols are what they stand for.
fn define(
    pool: &Pool,
    atoms: &[(Term, Term)],
    translation: &mut Translation,
    out: &mut Recorder,
) -> Result<(), String> {
    for &(symbol, formula) in atoms {
        let formula = translation.term(pool, formula, out)?;
        if !out.can_mention(formula) {
            return Err(DIFFERS.into());
        }
        translation.define(symbol, formula);
    }
    Ok(())
}
