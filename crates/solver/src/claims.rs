//! What is known of a symbol that stands for a quantified formula, and the search for a counterexample to it.
//!
//! Counterexamples are searched by guides: what is left of the body where terms that may have variables stand
//! in the place of those of the formula. Where nothing is eliminated for the sake of instances, the only
//! guide is the body itself.
//!
//! Cost: a check of a solver of its own for each search; an evaluation where a guide has no variables.

use crate::Solver;
use crate::answer::CheckResult;
use crate::model::{InternalError, Model};
use bivalve_quantifiers::{Frozen, Guide, Need};
use bivalve_sat_adapter::Why;
use bivalve_terms::{Op, Pool, Term, Value, free_symbols, outermost_binders};
use rustc_hash::FxHashSet;

/// Rounds of a loop within another one, the first time; twice as many each time that they were not enough.
const ROUNDS: u64 = 16;

/// Why a check with quantified formulas was not decided.
pub(crate) const UNDECIDED: Why = Why::Incomplete("a quantified formula was not decided");

/// What is known of an atom.
pub(crate) struct Claim {
    /// Where counterexamples are looked for.
    pub(crate) guides: Vec<Guide>,
    pub(crate) instances: Vec<Lemma>,
    pub(crate) witness: Option<Lemma>,
    pub(crate) given: FxHashSet<Vec<Term>>,
    /// Rounds that a search for a counterexample may take if the body is quantified.
    pub(crate) rounds: u64,
}

/// What is true of an atom.
pub(crate) struct Lemma {
    /// What it is about, by number; the terms in the place of the variables, and its number among lemmas.
    pub(crate) atom: usize,
    pub(crate) terms: Vec<Term>,
    pub(crate) number: usize,
    /// So many atoms were there before.
    pub(crate) before: usize,
    /// Without binders.
    pub(crate) formula: Term,
    /// What the part of it that has to be true needs of other atoms.
    pub(crate) needs: Vec<(usize, Need)>,
    /// Where it is asserted, if it is.
    pub(crate) level: Option<usize>,
}

/// What a search for values of variables for which a body is false has found.
pub(crate) enum Counterexample {
    Values(Vec<Value>),
    None,
    Unknown(Why),
}

impl Claim {
    /// Nothing was said yet.
    pub(crate) fn new(guides: Vec<Guide>) -> Claim {
        Claim { guides, instances: vec![], witness: None, given: FxHashSet::default(), rounds: ROUNDS }
    }

    pub(crate) fn lemmas_mut(&mut self) -> impl Iterator<Item = &mut Lemma> {
        self.instances.iter_mut().chain(&mut self.witness)
    }
}

impl Lemma {
    pub(crate) fn assert(
        &mut self,
        ground: &mut Solver,
        pool: &Pool,
        level: usize,
    ) -> Result<(), InternalError> {
        if self.level.is_none() {
            ground.assert(pool, self.formula).map_err(|e| InternalError(e.to_string()))?;
            self.level = Some(level);
        }
        Ok(())
    }
}

/// Looks for values of variables for which a body is false, where its free symbols have their values in the
/// model.
pub(crate) fn counterexample(
    solver: &mut Solver,
    pool: &mut Pool,
    variables: &[Term],
    body: Term,
    rounds: u64,
    model: &Model,
) -> Result<Counterexample, InternalError> {
    if variables.is_empty() && outermost_binders(pool, &[body]).is_empty() {
        return Ok(match model.value(pool, body).expect_bool() {
            true => Counterexample::None,
            false => Counterexample::Values(vec![]),
        });
    }
    let free = free_symbols(pool, &[body]).into_iter().filter(|symbol| !variables.contains(symbol));
    let values: Vec<(Term, Value)> = free.map(|symbol| (symbol, model.value(pool, symbol))).collect();
    let negated = pool.mk(Op::Not, &[body]);
    let Some(question) = Frozen::new().freeze(pool, negated, &values) else {
        return Ok(Counterexample::Unknown(UNDECIDED));
    };
    let mut other = solver.assistant();
    (other.nesting, other.rounds) = (solver.nesting + 1, Some(rounds));
    if other.assert(pool, question).is_err() {
        return Ok(Counterexample::Unknown(UNDECIDED));
    }
    let result = other.check(pool)?;
    solver.spend(other.search.conflicts());
    solver.apart += other.statistics(pool);
    solver.apart.checks -= 1;
    Ok(match result {
        CheckResult::Unsat => Counterexample::None,
        CheckResult::Unknown(why) => Counterexample::Unknown(why),
        CheckResult::Sat => {
            let found = other.model().expect("the answer is sat");
            Counterexample::Values(variables.iter().map(|&variable| found.value(pool, variable)).collect())
        }
    })
}
