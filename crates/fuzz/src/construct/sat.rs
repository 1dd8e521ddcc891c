//! Satisfiable formulas: one operation, constants in some of its places, synthesised terms (Becker, section
//! 2.2.1).
//!
//! - *single*: `op(s, t) = res`, everything free. All operations are total, so it is satisfiable.
//! - *constants*: initial values in the places, the result by the semantics, and for each proper subset of
//!   the places these left free; what was in them is a model. Tuples that differ only in free places give the
//!   same formula as long as the result is the same or free; of these only the first is made, so no two
//!   formulas of this kind are equal.
//! - *synthesis*: each value of such an equation is replaced by an operation over initial values that
//!   evaluates to it, and then each constant by a variable, equal ones by the same. So many operations
//!   evaluate to a value that the product of all choices is out of reach; `breadth` bounds the choices for
//!   each place, spread over the list and shifted from tuple to tuple, so that a larger breadth adds formulas
//!   and a small one still meets all operations.

use super::Digits;
use super::stage::{Made, Stage, literal};
use crate::case::{Assertion, Case, Evidence};
use bivalve_formats::smtlib::print::BitVecFormat;
use bivalve_terms::{Assignment, Op, Pool, Sort, Term, Value};
use std::collections::BTreeMap;

/// Names of the places of an operation.
pub(super) const PLACES: [&str; 3] = ["s", "t", "u"];

/// `op(s, ...) = res`.
pub(super) fn single(stage: &Stage, operation: usize) -> Case {
    let values: Vec<Value> =
        stage.operations[operation].args.iter().map(|&sort| stage.values(sort).swap_remove(0)).collect();
    let all = (1 << (values.len() + 1)) - 1;
    equation(stage, operation, &values, all)
}

/// How many formulas with constants an operation has at most.
pub(super) fn constants_size(stage: &Stage, operation: usize) -> u64 {
    stage.tuples(operation) * ((1 << (stage.operations[operation].args.len() + 1)) - 1)
}

/// An equation with constants; `None` for a tuple that is not the first with its formula.
pub(super) fn constants(stage: &Stage, operation: usize, code: u64) -> Option<Case> {
    let mut digits = Digits(code);
    let tuple = digits.next(stage.tuples(operation));
    let free = digits.0;
    let values = stage.tuple(operation, tuple);
    let result = stage.result(operation, &values);
    let result_is_free = free >> values.len() & 1 == 1;
    let is_same = |earlier: u64| {
        let other = stage.tuple(operation, earlier);
        let agrees = (0..values.len()).all(|place| free >> place & 1 == 1 || other[place] == values[place]);
        agrees && (result_is_free || stage.result(operation, &other) == result)
    };
    if (0..tuple).any(is_same) {
        return None;
    }
    Some(equation(stage, operation, &values, free))
}

/// The equation of an operation over values with its result; bit `i` of `free` is set if place `i` is a
/// variable, the last one being the result.
fn equation(stage: &Stage, operation: usize, values: &[Value], free: u64) -> Case {
    let mut pool = stage.pool();
    let mut model = Assignment::new();
    let what = &stage.operations[operation];
    let mut place = |pool: &mut Pool, number: usize, name: &str, sort: Sort, value: &Value| {
        if free >> number & 1 == 0 {
            return literal(pool, sort, value);
        }
        let variable = pool.symbol(name, sort);
        model.set(variable, value.clone());
        variable
    };
    let args: Vec<Term> = (0..values.len())
        .map(|number| place(&mut pool, number, PLACES[number], what.args[number], &values[number]))
        .collect();
    let value = stage.result(operation, values);
    let result = place(&mut pool, values.len(), "res", what.result, &value);
    let term = what.build(&mut pool, &args);
    let equation = pool.mk(Op::Eq, &[term, result]);
    made(pool, vec![equation.into()], Evidence::Model(model), name_of(what.op))
}

/// How many synthesised formulas an operation has at most.
pub(super) fn synthesis_size(stage: &Stage, operation: usize, breadth: u64) -> u64 {
    let places = stage.operations[operation].args.len() as u32 + 1;
    stage.tuples(operation).saturating_mul(breadth.saturating_pow(places))
}

/// A synthesised equation; `None` where a place has fewer choices.
pub(super) fn synthesis(stage: &Stage, operation: usize, code: u64, breadth: u64) -> Option<Case> {
    let what = &stage.operations[operation];
    let mut digits = Digits(code);
    let tuple = digits.next(stage.tuples(operation));
    let values = stage.tuple(operation, tuple);
    let result = stage.result(operation, &values);
    let mut chosen = vec![];
    let places = what.args.iter().zip(&values).chain([(&what.result, &result)]);
    for (place, (&sort, value)) in places.enumerate() {
        let choice = digits.next(breadth);
        let list = stage.made_with(sort, value);
        let (count, shift) = (list.len() as u64, tuple.wrapping_mul(7) + 3 * place as u64);
        if choice >= breadth.min(count) {
            // Nothing evaluates to some values, say, to some arrays: these stay; their one choice is the
            // first.
            if !(list.is_empty() && choice == 0) {
                return None;
            }
            chosen.push(None);
            continue;
        }
        let at = (choice * count / breadth.min(count) + shift) % count;
        chosen.push(Some(list[at as usize]));
    }
    let mut synthesis = Synthesis { stage, pool: stage.pool(), variables: BTreeMap::new() };
    let mut terms = vec![];
    for ((made, value), &sort) in
        chosen.into_iter().zip(values.iter().chain([&result])).zip(what.args.iter().chain([&what.result]))
    {
        terms.push(match made {
            Some(made) => synthesis.term(made),
            None => synthesis.variable(sort, value),
        });
    }
    let right = terms.pop().expect("the result is the last");
    let left = what.build(&mut synthesis.pool, &terms);
    let equation = synthesis.pool.mk(Op::Eq, &[left, right]);
    let mut model = Assignment::new();
    synthesis.variables.iter().for_each(|((_, value), &variable)| model.set(variable, value.clone()));
    Some(made(synthesis.pool, vec![equation.into()], Evidence::Model(model), name_of(what.op)))
}

/// Terms whose constants are variables.
struct Synthesis<'a> {
    stage: &'a Stage,
    pool: Pool,
    variables: BTreeMap<(Sort, Value), Term>,
}

impl Synthesis<'_> {
    fn term(&mut self, made: Made) -> Term {
        let what = &self.stage.operations[made.operation];
        let values = self.stage.tuple(made.operation, made.tuple);
        let args: Vec<Term> =
            what.args.iter().zip(&values).map(|(&sort, value)| self.variable(sort, value)).collect();
        what.build(&mut self.pool, &args)
    }

    fn variable(&mut self, sort: Sort, value: &Value) -> Term {
        let name = format!("tmp{}", self.variables.len());
        let pool = &mut self.pool;
        *self.variables.entry((sort, value.clone())).or_insert_with(|| pool.symbol(&name, sort))
    }
}

/// A case in the making: its origin is what it starts from.
pub(super) fn made(pool: Pool, assertions: Vec<Assertion>, evidence: Evidence, origin: String) -> Case {
    Case { pool, assertions, evidence, format: BitVecFormat::Hexadecimal, origin, group: String::new() }
}

/// The name of an operator in origins.
pub(super) fn name_of(op: Op) -> String {
    op.name().to_owned()
}
