//! Numbers of models.
//!
//! Assertions fall into parts that share no symbols. In each the values of its terms are enumerated by a
//! solver of its own; a bit that no part mentions has two values. The numbers of the parts are multiplied.

use crate::EnumerateError;
use crate::models::{Models, Next};
use bivalve::terms::{Op, Pool, Term, UnionFind, cone};
use bivalve::{CheckResult, Solver, Why};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// How many values terms have together in models.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// There are so many at least.
    pub at_least: BigUint,
    /// Why there may be more.
    pub unknown: Option<Why>,
    /// Sets of formulas that have no model, for that there are no more, if they were asked for.
    pub claims: Vec<Vec<Term>>,
}

impl Count {
    /// The number, if it is known.
    pub fn exact(&self) -> Option<&BigUint> {
        self.unknown.is_none().then_some(&self.at_least)
    }
}

/// Counts the values of terms among the models of the assertions and of these assumptions.
///
/// # Errors
///
/// When a term is neither a bit-vector nor Boolean, an assumption could not be asserted, or a self-check
/// failed.
pub fn count(
    solver: &mut Solver,
    pool: &mut Pool,
    terms: &[Term],
    assumptions: &[Term],
) -> Result<Count, EnumerateError> {
    counted(solver, pool, terms, assumptions, false)
}

/// The same with [claims](Count::claims), which name each cube.
///
/// # Errors
///
/// As [`count`].
pub fn count_stating_claims(
    solver: &mut Solver,
    pool: &mut Pool,
    terms: &[Term],
    assumptions: &[Term],
) -> Result<Count, EnumerateError> {
    counted(solver, pool, terms, assumptions, true)
}

fn counted(
    solver: &mut Solver,
    pool: &mut Pool,
    terms: &[Term],
    assumptions: &[Term],
    states_claims: bool,
) -> Result<Count, EnumerateError> {
    let whole = Models::new(pool, terms, assumptions)?;
    let mut count = Count { at_least: BigUint::ZERO, unknown: None, claims: vec![] };
    match solver.check_assuming(pool, assumptions)? {
        CheckResult::Sat => {}
        CheckResult::Unsat => {
            if states_claims {
                count.claims.push([solver.assertions(), assumptions].concat());
            }
            return Ok(count);
        }
        CheckResult::Unknown(why) => return Ok(Count { unknown: Some(why), ..count }),
    }
    count.at_least += 1u32;
    let formulas = [solver.assertions(), whole.assumptions()].concat();
    for part in parts(pool, &formulas, whole.symbols()) {
        let mut own = Solver::stopped_by(solver.settings().clone(), solver.stop_handle());
        own.assert_all(pool, &part.formulas).map_err(internal)?;
        let mut models = Models::new(pool, &part.symbols, &[])?;
        let (mut sum, mut claim) = (BigUint::ZERO, part.formulas);
        loop {
            match models.next(&mut own, pool)? {
                Next::Complete => break,
                Next::Unknown(why) => {
                    count.unknown = count.unknown.or(Some(why));
                    // The whole has a model, so this part has one, too.
                    sum = sum.max(BigUint::from(1u32));
                    break;
                }
                Next::Cube(cube) => {
                    sum += cube.size();
                    if states_claims {
                        claim.push(models.outside(pool, &cube));
                    }
                }
            }
        }
        if states_claims {
            count.claims.push(claim);
        }
        count.at_least *= sum;
    }
    Ok(count)
}

/// What was asserted once can be asserted again.
fn internal(refusal: bivalve::AssertError) -> EnumerateError {
    let text = format!("an assertion was refused by a second solver: {refusal}");
    EnumerateError::Check(bivalve::CheckError::Internal(bivalve::InternalError(text)))
}

/// Formulas and symbols that share nothing with others.
struct Part {
    formulas: Vec<Term>,
    symbols: Vec<Term>,
}

/// The parts in which one of the symbols is; a symbol that no formula mentions is one without formulas.
fn parts(pool: &Pool, formulas: &[Term], symbols: impl Iterator<Item = Term>) -> Vec<Part> {
    let conjuncts = conjuncts(pool, formulas);
    let mut numbers: BTreeMap<Term, u32> = BTreeMap::new();
    let below: Vec<Vec<Term>> = conjuncts
        .iter()
        .map(|&conjunct| {
            let below = cone(pool, &[conjunct]);
            below.into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect()
        })
        .collect();
    let symbols: Vec<Term> = symbols.collect();
    for &symbol in below.iter().flatten().chain(&symbols) {
        let next = numbers.len() as u32;
        numbers.entry(symbol).or_insert(next);
    }
    let mut classes = UnionFind::new(numbers.len());
    for (first, other) in below
        .iter()
        .filter_map(|below| Some((below.first()?, below)))
        .flat_map(|(first, below)| below.iter().map(move |other| (first, other)))
    {
        classes.union(numbers[first], numbers[other]);
    }
    let mut parts: BTreeMap<u32, Part> = BTreeMap::new();
    for symbol in symbols {
        let class = classes.find(numbers[&symbol]);
        parts.entry(class).or_insert_with(|| Part { formulas: vec![], symbols: vec![] }).symbols.push(symbol);
    }
    for (&conjunct, below) in conjuncts.iter().zip(&below) {
        let class = below.first().map(|first| classes.find(numbers[first]));
        if let Some(part) = class.and_then(|class| parts.get_mut(&class)) {
            part.formulas.push(conjunct);
        }
    }
    parts.into_values().collect()
}

/// The conjuncts of formulas.
fn conjuncts(pool: &Pool, formulas: &[Term]) -> Vec<Term> {
    let mut todo: Vec<Term> = formulas.iter().rev().copied().collect();
    let mut found = vec![];
    while let Some(formula) = todo.pop() {
        match pool.op(formula) {
            Op::And => todo.extend(pool.args(formula).iter().rev()),
            _ => found.push(formula),
        }
    }
    found
}
