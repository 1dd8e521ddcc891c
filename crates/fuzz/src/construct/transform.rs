//! Transformations of cases that keep what is known of them (Becker, section 2.2), for any case and any
//! number of times.
//!
//! Each adds to the evidence what it adds to the formula: to a model the values of new variables, to a core
//! the assertions without which it may be none. So they compose; the thesis had memory for one only ("Future
//! work").
//!
//! - [`split_variable`]: a variable is another one in one assertion, and an equality states that they are the
//!   same;
//! - [`hide_constant`]: a constant is a variable in one assertion, and an equality gives the constant;
//! - [`define_another`]: an equality defines a variable that occurs nowhere else;
//! - [`grow`]: a variable is replaced in one assertion by a term equal to it;
//! - [`name_part`]: a part of an assertion becomes a variable, which a further assertion defines;
//! - [`say_otherwise`]: an assertion is replaced by its normal form under the rewrite rules.
//!
//! Why models stay: what is added is true under the model once new variables have the values of what they are
//! equal to. Why cores stay cores: of what is put into the core follows the assertion as it was before.

use super::Theory;
use super::equality::{CONSTANT_ROWS, ConstantRow, Mode, ROWS, Row, Scene};
use crate::case::{Case, Evidence};
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::{Op, Substitution, Term, Value, cone, eval};
use fastrand::Rng;

/// Is the assertion one that the core, if there is one, needs?
fn is_needed(case: &Case, at: usize) -> bool {
    matches!(&case.evidence, Evidence::Core(core) if core.contains(&at))
}

/// Adds an assertion.
fn assert(case: &mut Case, term: Term, needed: bool) {
    if let Evidence::Core(core) = &mut case.evidence
        && needed
    {
        core.push(case.assertions.len());
    }
    case.assertions.push(term.into());
}

/// A new variable of the sort of a term.
fn fresh(case: &mut Case, like: Term) -> Term {
    let sort = case.pool.sort(like);
    Scene::fresh(&mut case.pool, sort)
}

/// Replaces a term in one assertion.
fn replace(case: &mut Case, at: usize, from: Term, to: Term) {
    let mut substitution = Substitution::new();
    substitution.insert(&case.pool, from, to);
    let assertion = &mut case.assertions[at];
    assertion.term = substitution.apply(&mut case.pool, assertion.term);
    // Constants of the two texts are not the same ones.
    let integers = assertion.integers.take().filter(|_| case.pool.op(from) == Op::Symbol);
    assertion.integers = integers.map(|form| form.substituted(&mut case.pool, &mut substitution));
}

/// Gives a new variable a value, if there is a model.
fn give(case: &mut Case, variable: Term, value: Value) {
    if let Evidence::Model(model) = &mut case.evidence {
        model.set(variable, value);
    }
}

/// Gives a new variable the value of a term, if there is a model.
fn give_value_of(case: &mut Case, variable: Term, term: Term) {
    if let Evidence::Model(model) = &mut case.evidence {
        let value = eval(&case.pool, term, model);
        model.set(variable, value);
    }
}

/// A term equal to `s` by a row; what the row needs is asserted. Returns the number of these conditions as
/// well.
fn equal_term(case: &mut Case, s: Term, row: &Row, mode: Mode, needed: bool) -> (Term, usize) {
    let mut scene = Scene::new(&mut case.pool, mode);
    let term = row.build(&mut scene, s);
    let Scene { conditions, values, .. } = scene;
    values.into_iter().for_each(|(variable, value)| give(case, variable, value));
    conditions.iter().for_each(|&condition| assert(case, condition, needed));
    (term, conditions.len())
}

/// Makes `variable` another one in an assertion; returns the number of conditions of the row. `needed` is
/// whether what is added belongs to the core, provided the assertion does.
pub(super) fn split_variable(
    case: &mut Case,
    at: usize,
    variable: Term,
    row: &Row,
    mode: Mode,
    needed: bool,
) -> usize {
    let needed = needed && is_needed(case, at);
    let other = fresh(case, variable);
    replace(case, at, variable, other);
    let (term, conditions) = equal_term(case, variable, row, mode, needed);
    let equation = case.pool.mk(Op::Eq, &[term, other]);
    give_value_of(case, other, variable);
    assert(case, equation, needed);
    case.origin += &format!(", {}", row.name);
    conditions
}

/// Makes a constant a variable in an assertion; `false` if the row is about other constants.
pub(super) fn hide_constant(case: &mut Case, at: usize, constant: Term, row: &ConstantRow) -> bool {
    let value = match case.pool.as_bool(constant) {
        Some(value) => Value::from(value),
        None => case.pool.as_bitvec(constant).expect("a constant is Boolean or a bit-vector").into(),
    };
    if !row.fits(&value) {
        return false;
    }
    let needed = is_needed(case, at);
    let variable = fresh(case, constant);
    replace(case, at, constant, variable);
    let mut scene = Scene::new(&mut case.pool, Mode::Within);
    let term = row.build(&mut scene, &value);
    let values = scene.values;
    values.into_iter().for_each(|(variable, value)| give(case, variable, value));
    give(case, variable, value);
    let equation = case.pool.mk(Op::Eq, &[term, variable]);
    assert(case, equation, needed);
    case.origin += &format!(", {}", row.name);
    true
}

/// Defines a variable, which occurs nowhere else, by an equality.
pub(super) fn define_another(case: &mut Case, variable: Term, row: &Row) {
    let other = fresh(case, variable);
    let (term, _) = equal_term(case, variable, row, Mode::Within, false);
    let equation = case.pool.mk(Op::Eq, &[term, other]);
    give_value_of(case, other, variable);
    assert(case, equation, false);
    case.origin += &format!(", redundant {}", row.name);
}

/// Replaces a variable by a term equal to it, in one assertion.
fn grow(case: &mut Case, at: usize, variable: Term, row: &Row) {
    let (term, _) = equal_term(case, variable, row, Mode::Within, false);
    replace(case, at, variable, term);
    case.origin += &format!(", {} within", row.name);
}

/// Makes a part of an assertion a variable.
fn name_part(case: &mut Case, at: usize, part: Term) {
    let needed = is_needed(case, at);
    let variable = fresh(case, part);
    give_value_of(case, variable, part);
    replace(case, at, part, variable);
    // What is replaced are terms, and those of the other text are not the same ones.
    case.assertions[at].integers = None;
    let equation = case.pool.mk(Op::Eq, &[variable, part]);
    assert(case, equation, needed);
    case.origin += ", named part";
}

/// Puts an assertion's normal form in its place; `false` if that is the assertion.
fn say_otherwise(case: &mut Case, at: usize) -> bool {
    let term = case.assertions[at].term;
    let other = Rewriter::new(Level::Local).rewrite(&mut case.pool, term);
    // A contradiction that is seen at once is no test any more.
    if other == term || case.pool.is_const(other) {
        return false;
    }
    case.assertions[at] = other.into();
    case.origin += ", rewritten";
    true
}

/// One transformation by chance; `false` if the one that was drawn does not fit.
pub(super) fn any(case: &mut Case, theory: Theory, random: &mut Rng) -> bool {
    let at = random.usize(..case.assertions.len());
    let below = cone(&case.pool, &[case.assertions[at].term]);
    let first_class = |&term: &Term| !case.pool.sorts().is_function(case.pool.sort(term));
    let pick = |random: &mut Rng, test: &dyn Fn(Term) -> bool| {
        let fitting: Vec<Term> =
            below.iter().copied().filter(first_class).filter(|&term| test(term)).collect();
        (!fitting.is_empty()).then(|| fitting[random.usize(..fitting.len())])
    };
    let pool = &case.pool;
    let variable = pick(random, &|term| pool.op(term) == Op::Symbol);
    let row = &ROWS[random.usize(..ROWS.len())];
    let row_for = |variable: Term| row.fits(pool, pool.sort(variable), theory);
    match (random.u32(..10), variable) {
        (0..3, Some(variable)) if row_for(variable) => {
            let mode = if random.bool() { Mode::Within } else { Mode::Apart };
            split_variable(case, at, variable, row, mode, true);
            true
        }
        (3, Some(variable)) if row_for(variable) => {
            define_another(case, variable, row);
            true
        }
        (4 | 5, Some(variable)) if row_for(variable) => {
            grow(case, at, variable, row);
            true
        }
        (6 | 7, _) => {
            let constant = pick(random, &|term| pool.is_const(term));
            let row = &CONSTANT_ROWS[random.usize(..CONSTANT_ROWS.len())];
            let allowed = theory != Theory::Arrays;
            allowed && constant.is_some_and(|constant| hide_constant(case, at, constant, row))
        }
        (8, _) => {
            let root = case.assertions[at].term;
            let part = pick(random, &|term| !pool.args(term).is_empty() && term != root);
            part.map(|part| name_part(case, at, part)).is_some()
        }
        (9, _) => theory != Theory::Arrays && say_otherwise(case, at),
        _ => false,
    }
}
