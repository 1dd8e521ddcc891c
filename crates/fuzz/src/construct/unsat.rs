//! Unsatisfiable formulas: an equation against its equivalent, and constants against a wrong result (Becker,
//! sections 2.1.2 and 2.3).
//!
//! - *contradiction*: the assertions `¬A` and `B`, where `A` is `op(s, t) = res` and `B` is equivalent to it
//!   ([`super::equivalent`]). Both are needed.
//! - *growth*: a variable of `B` is another one there, and an equality states that both are the same. That is
//!   the table's growth of the core (the plain equality) and variable replacement (all others).
//! - *constant*: a constant of `B` is a variable there, and an equality gives the constant.
//! - *redundancy*: a redundant equality. Of a variable that only `B` has, it is put in its place
//!   there; of others the equality defines a new variable. It is in no core.
//! - *wrong*: an operation over initial values equated with another initial value than its result.
//! - *wrong-complex*: the same with another operation over initial values on the other side.

use super::Digits;
use super::equality::{CONSTANT_ROWS, Mode, ROWS};
use super::equivalent::{FORMS, equivalent};
use super::integers::IntegerForm;
use super::sat::{PLACES, made, name_of};
use super::stage::{Stage, literal};
use super::transform;
use crate::case::{Assertion, Case, Evidence};
use bivalve_terms::{Op, Term, cone};

/// A contradiction, and what there is to transform in it.
pub(super) struct Base {
    pub(super) case: Case,
    /// Variables of `B` that `¬A` has, too.
    pub(super) shared: Vec<Term>,
    /// Variables that only `B` has.
    pub(super) witnesses: Vec<Term>,
    /// Constants of `B`.
    pub(super) constants: Vec<Term>,
}

/// The position of `B` among the assertions.
const B: usize = 1;

/// The contradiction of an operation and one of its forms, if there is such a form.
pub(super) fn contradiction(stage: &Stage, operation: usize, form: usize) -> Option<Base> {
    let what = &stage.operations[operation];
    let mut pool = stage.pool();
    let args: Vec<Term> = what.args.iter().zip(PLACES).map(|(&sort, name)| pool.symbol(name, sort)).collect();
    let result = pool.symbol("res", what.result);
    let other = equivalent(&mut pool, what, &args, result, form)?;
    let term = what.build(&mut pool, &args);
    let equation = pool.mk(Op::Eq, &[term, result]);
    let negated = pool.mk(Op::Not, &[equation]);
    let below = cone(&pool, &[other.formula]);
    let is_shared = |&&variable: &&Term| below.binary_search(&variable).is_ok();
    let shared = args.iter().chain([&result]).filter(is_shared).copied().collect();
    let constants = below.iter().copied().filter(|&term| pool.is_const(term)).collect();
    let form_of_table = IntegerForm { op: what.op, indices: what.indices.clone(), args, result };
    let integers = (other.of_table && form_of_table.exists()).then_some(form_of_table);
    let assertions = vec![negated.into(), Assertion { term: other.formula, integers }];
    let origin = format!("{} form {form}", name_of(what.op));
    let case = made(pool, assertions, Evidence::Core(vec![0, B]), origin);
    Some(Base { case, shared, witnesses: other.witnesses, constants })
}

/// All contradictions: operation and form.
pub(super) fn contradictions(stage: &Stage) -> Vec<(usize, usize)> {
    let all = (0..stage.operations.len()).flat_map(|operation| (0..FORMS).map(move |form| (operation, form)));
    all.filter(|&(operation, form)| contradiction(stage, operation, form).is_some()).collect()
}

/// How many grown cores a contradiction has at most.
pub(super) fn growth_size(base: &Base) -> u64 {
    2 * (base.shared.len() * ROWS.len()) as u64
}

/// A grown core; `None` if the row is not for variables of this sort, or has no constant to stand apart.
pub(super) fn growth(stage: &Stage, base: Base, code: u64) -> Option<Case> {
    let mut digits = Digits(code);
    let mode = [Mode::Within, Mode::Apart][digits.next(2) as usize];
    let row = &ROWS[digits.next(ROWS.len() as u64) as usize];
    let variable = base.shared[digits.0 as usize];
    let mut case = base.case;
    if !row.fits(&case.pool, case.pool.sort(variable), stage.theory) {
        return None;
    }
    let conditions = transform::split_variable(&mut case, B, variable, row, mode, true);
    (mode == Mode::Within || conditions > 0).then_some(case)
}

/// How many replaced constants a contradiction has at most.
pub(super) fn constant_size(base: &Base) -> u64 {
    (base.constants.len() * CONSTANT_ROWS.len()) as u64
}

/// A constant replaced; `None` if the row is about other constants.
pub(super) fn constant(base: Base, code: u64) -> Option<Case> {
    let mut digits = Digits(code);
    let row = &CONSTANT_ROWS[digits.next(CONSTANT_ROWS.len() as u64) as usize];
    let constant = base.constants[digits.0 as usize];
    let mut case = base.case;
    transform::hide_constant(&mut case, B, constant, row).then_some(case)
}

/// How many redundancies a contradiction has at most.
pub(super) fn redundancy_size(base: &Base) -> u64 {
    ((base.shared.len() + base.witnesses.len()) * ROWS.len()) as u64
}

/// A redundancy; `None` if the row is not for variables of this sort.
pub(super) fn redundancy(stage: &Stage, base: Base, code: u64) -> Option<Case> {
    let mut digits = Digits(code);
    let row = &ROWS[digits.next(ROWS.len() as u64) as usize];
    let place = digits.0 as usize;
    let mut case = base.case;
    let variable = *base.witnesses.get(place).unwrap_or_else(|| &base.shared[place - base.witnesses.len()]);
    if !row.fits(&case.pool, case.pool.sort(variable), stage.theory) {
        return None;
    }
    if place < base.witnesses.len() {
        transform::split_variable(&mut case, B, variable, row, Mode::Within, false);
    } else {
        transform::define_another(&mut case, variable, row);
    }
    Some(case)
}

/// How many wrong equations an operation has at most.
pub(super) fn wrong_size(stage: &Stage, operation: usize) -> u64 {
    stage.tuples(operation) * stage.values(stage.operations[operation].result).len() as u64
}

/// An operation over values equated with another value; `None` if that is the right one.
pub(super) fn wrong(stage: &Stage, operation: usize, code: u64) -> Option<Case> {
    let what = &stage.operations[operation];
    let mut digits = Digits(code);
    let values = stage.tuple(operation, digits.next(stage.tuples(operation)));
    let other = stage.values(what.result).swap_remove(digits.0 as usize);
    if other == stage.result(operation, &values) {
        return None;
    }
    let mut pool = stage.pool();
    let left = over_values(stage, &mut pool, operation, &values);
    let right = literal(&mut pool, what.result, &other);
    let equation = pool.mk(Op::Eq, &[left, right]);
    Some(made(pool, vec![equation.into()], Evidence::Core(vec![0]), name_of(what.op)))
}

/// How many equations with a wrong operation an operation has at most.
pub(super) fn wrong_complex_size(stage: &Stage, operation: usize) -> u64 {
    stage.tuples(operation) * stage.made_of(stage.operations[operation].result).len() as u64
}

/// Two operations over values that have different results, equated; `None` if the results are equal.
pub(super) fn wrong_complex(stage: &Stage, operation: usize, code: u64) -> Option<Case> {
    let what = &stage.operations[operation];
    let mut digits = Digits(code);
    let values = stage.tuple(operation, digits.next(stage.tuples(operation)));
    let (other, result) = &stage.made_of(what.result)[digits.0 as usize];
    if *result == stage.result(operation, &values) {
        return None;
    }
    let mut pool = stage.pool();
    let left = over_values(stage, &mut pool, operation, &values);
    let right = over_values(stage, &mut pool, other.operation, &stage.tuple(other.operation, other.tuple));
    let equation = pool.mk(Op::Eq, &[left, right]);
    let origin = format!("{} and {}", name_of(what.op), name_of(stage.operations[other.operation].op));
    Some(made(pool, vec![equation.into()], Evidence::Core(vec![0]), origin))
}

/// An operation over literals.
fn over_values(
    stage: &Stage,
    pool: &mut bivalve_terms::Pool,
    operation: usize,
    values: &[bivalve_terms::Value],
) -> Term {
    let what = &stage.operations[operation];
    let args: Vec<Term> =
        what.args.iter().zip(values).map(|(&sort, value)| literal(pool, sort, value)).collect();
    what.build(pool, &args)
}
