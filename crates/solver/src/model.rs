//! Models: values of symbols, read from the SAT solver, and judged before anybody sees them.
//!
//! A model holds a value for each symbol below the assertions: the circuits' inputs have theirs from the SAT
//! solver, symbols that were eliminated by a definition get the value of their term, and what simplification
//! made irrelevant has the default of its sort. Any other term is worth what the reference semantics says.
//! Before a solver says `sat`, the model is evaluated on the assertions *as they were made*, so whatever went
//! wrong in rewriting, in the circuits, in the clauses or in the SAT solver cannot come out as a wrong
//! answer: it comes out as an [`InternalError`] that names the least sub-term on which the meaning and the
//! circuits differ.
//!
//! Cost: one value per term below the assertions.

use bivalve_rewrite::Definitions;
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Term, Value, cone};
use thiserror::Error;

/// A failed self-check: a defect of this program, never a property of the input.
#[derive(Error, Clone, Debug, PartialEq, Eq)]
#[error("internal: {0}")]
pub struct InternalError(pub String);

/// The values of symbols under which all assertions hold.
#[derive(Clone, Default, Debug)]
pub struct Model {
    assignment: Assignment,
}

/// Where values come from: the circuits' view of the model, by term. `None` for what has no circuit.
pub(crate) type CircuitValue<'a> = &'a mut dyn FnMut(&Pool, Term) -> Option<Value>;

impl Model {
    /// Reads the symbols below `assertions` and definitions off the circuits, those of `arrays` aside, and
    /// validates.
    pub(crate) fn read(
        pool: &Pool,
        assertions: &[Term],
        definitions: &Definitions,
        arrays: Vec<(Term, Value)>,
        circuit_value: CircuitValue<'_>,
    ) -> Result<Model, InternalError> {
        let mut assignment = Assignment::new();
        arrays.into_iter().for_each(|(symbol, value)| assignment.set(symbol, value));
        // What stands in for eliminated symbols may be symbols that no assertion mentions.
        let roots: Vec<Term> = assertions.iter().copied().chain(definitions.terms()).collect();
        for symbol in cone(pool, &roots).into_iter().filter(|&t| pool.op(t) == Op::Symbol) {
            if let Some(value) = circuit_value(pool, symbol) {
                assignment.set(symbol, value);
            }
        }
        Model::validate(pool, assertions, definitions, assignment, circuit_value)
    }

    /// Gives eliminated symbols their values, then checks that every assertion is true.
    pub(crate) fn validate(
        pool: &Pool,
        assertions: &[Term],
        definitions: &Definitions,
        mut assignment: Assignment,
        circuit_value: CircuitValue<'_>,
    ) -> Result<Model, InternalError> {
        definitions.lift(pool, &mut assignment);
        let mut evaluator = Evaluator::new(pool, &assignment);
        let violated = assertions.iter().position(|&a| !evaluator.eval(a).expect_bool());
        match violated {
            None if definitions.makes_symbols() => {
                Ok(Model { assignment: known(pool, assertions, &assignment) })
            }
            None => Ok(Model { assignment }),
            Some(position) => {
                let below = cone(pool, assertions);
                Err(explain(pool, position, assertions[position], &below, &mut evaluator, circuit_value))
            }
        }
    }

    /// The value of `term`.
    pub fn value(&self, pool: &Pool, term: Term) -> Value {
        bivalve_terms::eval(pool, term, &self.assignment)
    }

    /// The values of symbols; those that are missing have the default of their sort.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }
}

/// The values of the symbols that assertions mention.
fn known(pool: &Pool, assertions: &[Term], assignment: &Assignment) -> Assignment {
    let mut known = Assignment::new();
    for symbol in cone(pool, assertions).into_iter().filter(|&term| pool.op(term) == Op::Symbol) {
        if let Some(value) = assignment.get(symbol) {
            known.set(symbol, value.clone());
        }
    }
    known
}

/// Names the assertion that the model violates, and the least term on which semantics and circuits differ.
fn explain(
    pool: &Pool,
    position: usize,
    assertion: Term,
    below: &[Term],
    evaluator: &mut Evaluator<'_>,
    circuit_value: CircuitValue<'_>,
) -> InternalError {
    let culprit = below.iter().find_map(|&term| {
        let found = circuit_value(pool, term)?;
        let meant = evaluator.eval(term).clone();
        (found != meant).then(|| {
            format!("term {term:?} ({:?}) is worth {meant:?} but its circuit gives {found:?}", pool.op(term))
        })
    });
    let culprit =
        culprit.unwrap_or_else(|| "every circuit agrees with its term, so a rewrite rule is wrong".into());
    InternalError(format!("the model violates assertion {} ({assertion:?}): {culprit}", position + 1))
}
