//! A minimal set of conjuncts that are contradictory together.
//!
//! Formulas are taken apart at conjunctions, and conjuncts are left out as long as the rest is contradictory.
//! They are assumed in one solver, which keeps what it has learned from question to question. Assumptions are
//! simplified one by one; where the contradiction is not found that way within the budget, each question goes
//! to a new solver that may simplify the conjuncts together, as the check did. If that fails, too, all
//! conjuncts are the result, which is right but says little.
//!
//! Cost: at most two questions for each conjunct of the first core.

use crate::minimum::{Asked, Minimum, minimum};
use crate::questions::{Budget, Questions};
use crate::relevance::{Relevance, relevance};
use bivalve::terms::{Op, Pool, Term, TermMap, TermSet, cone};
use bivalve::{InternalError, Settings, Stop};

/// A part of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conjunct {
    /// The number of the formula that it was found in first.
    pub formula: usize,
    /// A Boolean term: the formula, or an argument of conjunctions at the top of it.
    pub term: Term,
}

/// Conjuncts that are contradictory together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// In the order of the formulas; no term twice.
    pub conjuncts: Vec<Conjunct>,
    /// The number of conjuncts of all formulas.
    pub of: usize,
    /// Without any one of them the others have a model.
    pub is_minimal: bool,
    /// The bits that they are contradictory by; `None` if the budget ended before anything was known.
    pub bits: Option<Relevance>,
}

/// New solvers that are asked about conjuncts, at most: each encodes all that it is asked about.
const NEW_SOLVERS: u64 = 100;

/// The explanation of `unsat`.
pub(crate) fn contradiction(
    pool: &Pool,
    formulas: &[Term],
    settings: &Settings,
    budget: &Budget,
    stop: &Stop,
) -> Result<Contradiction, InternalError> {
    let all = conjuncts(pool, formulas);
    let terms: Vec<Term> = all.iter().map(|conjunct| conjunct.term).collect();
    let (mut copy, renaming) = pool.copy(&terms);
    let copies: Vec<Term> = terms.iter().map(|&term| renaming.of(term)).collect();
    let Minimum { kept, is_minimal } = core(&mut copy, &copies, settings, budget, stop)?;
    let core: Vec<Term> = kept.iter().map(|&number| copies[number]).collect();
    let bits = relevance(&mut copy, &core, settings, budget, stop)?;
    let mut before = TermMap::new();
    for term in cone(pool, &terms).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
        before.insert(renaming.of(term), term);
    }
    let bits = bits.map(|bits| bits.renamed(&before));
    Ok(Contradiction {
        conjuncts: kept.iter().map(|&number| all[number]).collect(),
        of: all.len(),
        is_minimal,
        bits,
    })
}

/// The conjuncts of formulas, each once, in their order.
fn conjuncts(pool: &Pool, formulas: &[Term]) -> Vec<Conjunct> {
    let (mut seen, mut found) = (TermSet::new(), vec![]);
    for (formula, &root) in formulas.iter().enumerate() {
        let mut todo = vec![root];
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            match pool.op(term) {
                Op::And => todo.extend(pool.args(term).iter().rev()),
                _ => found.push(Conjunct { formula, term }),
            }
        }
    }
    found
}

fn core(
    pool: &mut Pool,
    conjuncts: &[Term],
    settings: &Settings,
    budget: &Budget,
    stop: &Stop,
) -> Result<Minimum, InternalError> {
    let mut questions = Questions::new(settings, budget, stop);
    let mut solver = questions.solver(pool, &[]);
    let ask = &mut |chosen: &[usize]| questions.ask(pool, &mut solver, conjuncts, chosen);
    let found = minimum(conjuncts.len(), ask);
    questions.end()?;
    if let Some(found) = found {
        return Ok(found);
    }
    let mut questions = Questions::new(settings, budget, stop);
    questions.at_most(NEW_SOLVERS);
    let ask = &mut |chosen: &[usize]| {
        let formulas: Vec<Term> = chosen.iter().map(|&number| conjuncts[number]).collect();
        let mut solver = questions.solver(pool, &formulas);
        match questions.ask(pool, &mut solver, &[], &[]) {
            Asked::Yes(_) => Asked::Yes(chosen.to_vec()),
            other => other,
        }
    };
    let found = minimum(conjuncts.len(), ask);
    questions.end()?;
    Ok(found.unwrap_or_else(|| Minimum { kept: (0..conjuncts.len()).collect(), is_minimal: false }))
}
