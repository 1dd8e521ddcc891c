//! Sums of comparisons that contradict each other.
//!
//! Let each input of a formula lie between two constants, as comparisons say. Then a result of sums,
//! differences and products is a polynomial in the inputs, its *form*, up to a bound of the errors of
//! rounding (the model of numerical analysis: Higham, *Accuracy and Stability of Numerical Algorithms*). A
//! comparison is a linear inequality over reals in products of inputs then, each of which is an unknown of
//! its own. If a sum of some with factors that are not negative says that 0 is at least a positive number,
//! they have no solution (Farkas).
//!
//! Why that is right for floats: an input is a side of a comparison that is true, so it is no NaN, and
//! it has finite bounds, so it is no infinity. An operator has a form only if its arguments have and the
//! largest result with its error is at most the largest number: so it is a finite number, whose rounding
//! errs by half of the last place in the modes to nearest, by less than a whole one in the others and in
//! those that are not known. Zeros of both signs are the real 0. So what has a form is a number, and false
//! comparisons of numbers are true ones of the sides swapped.
//!
//! Factors come from the simplex method in doubles (`centre.rs`): the inequalities and the inputs' bounds
//! leave a ball of negative radius, and what each contributes to that is its factor. With them the sum is
//! computed exactly, and what is left of each input is paid by its bounds. So a wrong double makes no wrong
//! answer.
//!
//! Cost: a form for each term, with a number for each input below it, and a table of doubles with a row for
//! each inequality and two for each input.

use super::centre::{Row, RowKind, multipliers};
use bivalve_limits::Deadline;
use bivalve_terms::float::num_bigint::{BigInt, BigUint};
use bivalve_terms::float::{Float, Format, Number, Rational, RoundingMode};
use bivalve_terms::{Assignment, Op, Pool, Term, TermMap, cone, eval};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The sum of the terms and the constant is at most 0, of unknowns between -1 and 1.
pub struct Inequality {
    /// The unknowns and their factors.
    pub terms: Vec<(usize, Rational)>,
    /// What is added.
    pub constant: Rational,
}

/// Factors with which the sum of the inequalities has no solution, if some are found before the deadline.
pub fn refuting(unknowns: usize, all: &[Inequality], deadline: &Deadline) -> Option<Vec<BigUint>> {
    let cells = (all.len() + 2 * unknowns).saturating_mul(unknowns + 2);
    if all.is_empty() || !deadline.step(cells as u64) {
        return None;
    }
    // The largest number of each row is about 1.
    let numbers = |row: &Inequality| {
        let factors = row.terms.iter().map(|(_, factor)| factor);
        factors.chain([&row.constant]).filter_map(Rational::log2).max().unwrap_or(0)
    };
    let scales: Vec<i64> = all.iter().map(numbers).collect();
    let mut rows: Vec<Row> = vec![];
    for (row, &scale) in all.iter().zip(&scales) {
        let terms = row.terms.iter().map(|(at, factor)| (*at, double(factor, -scale))).collect();
        rows.push(Row { terms, bound: -double(&row.constant, -scale), kind: RowKind::Inside });
    }
    for at in 0..unknowns {
        let limit = |sign| Row { terms: vec![(at, sign)], bound: 1.0, kind: RowKind::Within };
        rows.extend([1.0, -1.0].map(limit));
    }
    let found = multipliers(unknowns, &rows, deadline)?;
    let factors = naturals(&found[..all.len()], &scales)?;
    is_refuted(unknowns, all, &factors).then_some(factors)
}

/// Whether the sum with these factors is positive for all values of the unknowns.
fn is_refuted(unknowns: usize, all: &[Inequality], factors: &[BigUint]) -> bool {
    let zero = Rational::from_integer(0);
    let (mut least, mut left) = (zero.clone(), vec![zero.clone(); unknowns]);
    for (row, factor) in all.iter().zip(factors).filter(|(_, factor)| factor.bits() > 0) {
        let factor = Rational::from_integer(BigInt::from(factor.clone()));
        least = &least + &(&factor * &row.constant);
        for (at, term) in &row.terms {
            left[*at] = &left[*at] + &(&factor * term);
        }
    }
    left.iter().fold(least, |least, left| &least - &left.magnitude()) > zero
}

/// The number times a power of two, nearly; 0 where that is out of the range.
fn double(number: &Rational, power: i64) -> f64 {
    let (above, below) = (number.numerator().magnitude(), number.denominator().bits() as i64 - 1);
    let shift = above.bits().saturating_sub(64);
    let top = (above >> shift).iter_u64_digits().next().unwrap_or(0) as f64;
    let power = shift as i64 - below + power;
    let size = if power.abs() < 1000 { top * 2f64.powi(power as i32) } else { 0.0 };
    if number.is_negative() { -size } else { size }
}

/// Steps of a number in a form, which is computed and kept: a long sum has as many as the square of its
/// length.
const STEPS_OF_A_NUMBER: u64 = 64;

/// Smaller factors than this part of the largest are left out.
const NEGLIGIBLE: f64 = 1e-20;

/// Powers of two that factors may differ by.
const MOST_POWERS: i64 = 1 << 14;

/// Doubles over powers of two, all of them times another power, as natural numbers.
fn naturals(factors: &[f64], scales: &[i64]) -> Option<Vec<BigUint>> {
    let most = factors.iter().fold(0.0, |most: f64, &factor| most.max(factor));
    let parts = factors.iter().zip(scales).map(|(&factor, &scale)| {
        let is_used = factor.is_normal() && factor > most * NEGLIGIBLE;
        let field = (factor.to_bits() >> 52) as i64;
        let significand = (factor.to_bits() & ((1 << 52) - 1)) | 1 << 52;
        is_used.then_some((significand, field - scale))
    });
    let parts: Vec<Option<(u64, i64)>> = parts.collect();
    let least = parts.iter().flatten().map(|&(_, power)| power).min()?;
    let natural = |part: &Option<(u64, i64)>| match *part {
        Some((_, power)) if power - least > MOST_POWERS => None,
        Some((significand, power)) => Some(BigUint::from(significand) << (power - least)),
        None => Some(BigUint::default()),
    };
    parts.iter().map(natural).collect()
}

/// The positions of some of the formulas, which have no model together, if that is found before the
/// deadline.
pub fn refuted(pool: &Pool, formulas: &[Term], deadline: &Deadline) -> Option<Vec<usize>> {
    let comparisons = compared(pool, formulas);
    let mut sums = Sums { pool, comparisons, bounds: TermMap::new(), forms: TermMap::new() };
    if sums.comparisons.len() < 2 {
        return None;
    }
    sums.bound();
    sums.make_forms(deadline)?;
    sums.refuted(deadline)
}

/// Those of the formulas that say comparisons.
pub fn comparing(pool: &Pool, formulas: &[Term]) -> Vec<Term> {
    let mut of: Vec<usize> = compared(pool, formulas).into_iter().map(|comparison| comparison.of).collect();
    of.dedup();
    of.into_iter().map(|at| formulas[at]).collect()
}

/// One side is at most the other if the comparison is true, or if both sides are numbers.
struct Comparison {
    less: Term,
    more: Term,
    is_true: bool,
    /// The position of the formula that says so.
    of: usize,
}

/// What comparisons say of the value of a term, each with the position of its formula.
#[derive(Clone, Default)]
struct Bounds {
    low: Option<(Rational, usize)>,
    high: Option<(Rational, usize)>,
    number: Option<usize>,
}

/// Inputs that are multiplied, in their order.
type Product = Vec<Term>;

/// The value is the sum of products of inputs with factors and of the constant, up to the error. A product
/// with factor 0 is one that the term is a number because of.
#[derive(Clone)]
struct Form {
    terms: BTreeMap<Product, Rational>,
    constant: Rational,
    error: Rational,
}

struct Sums<'a> {
    pool: &'a Pool,
    comparisons: Vec<Comparison>,
    bounds: TermMap<Bounds>,
    forms: TermMap<Form>,
}

/// The comparisons that the formulas say.
fn compared(pool: &Pool, formulas: &[Term]) -> Vec<Comparison> {
    let (mut found, mut seen) = (vec![], FxHashSet::default());
    for (of, &formula) in formulas.iter().enumerate() {
        let mut todo = vec![(formula, true)];
        while let Some((term, truth)) = todo.pop() {
            if !seen.insert((term, truth)) {
                continue;
            }
            let (op, args) = (pool.op(term), pool.args(term));
            match (op, truth) {
                (Op::Not, _) => todo.push((args[0], !truth)),
                (Op::And, true) | (Op::Or, false) => todo.extend(args.iter().map(|&arg| (arg, truth))),
                (Op::Implies, false) => {
                    let (&last, before) = args.split_last().expect("an implication has a conclusion");
                    todo.extend(before.iter().map(|&arg| (arg, true)).chain([(last, false)]));
                }
                (Op::FpLt | Op::FpLe | Op::FpGt | Op::FpGe | Op::FpEq, true) => {
                    for pair in args.windows(2) {
                        let is_up = matches!(op, Op::FpLt | Op::FpLe);
                        let [less, more] = if is_up { [pair[0], pair[1]] } else { [pair[1], pair[0]] };
                        found.push(Comparison { less, more, is_true: true, of });
                        if op == Op::FpEq {
                            found.push(Comparison { less: more, more: less, is_true: true, of });
                        }
                    }
                }
                (Op::FpLt | Op::FpLe | Op::FpGt | Op::FpGe, false) if args.len() == 2 => {
                    let is_up = matches!(op, Op::FpLt | Op::FpLe);
                    let [less, more] = if is_up { [args[1], args[0]] } else { [args[0], args[1]] };
                    found.push(Comparison { less, more, is_true: false, of });
                }
                _ => {}
            }
        }
    }
    found
}

/// The value of a term that is a finite constant.
fn constant(pool: &Pool, term: Term) -> Option<Rational> {
    let is_made = matches!(pool.op(term), Op::FpFromReal | Op::FpFields | Op::FpFromBits);
    let of = match pool.as_float(term) {
        Some(value) => value,
        None if is_made && cone(pool, &[term]).iter().all(|&part| pool.op(part) != Op::Symbol) => {
            eval(pool, term, &Assignment::new()).as_float()?.clone()
        }
        None => return None,
    };
    finite(&of)
}

/// The number that a value is, if it is finite.
fn finite(value: &Float) -> Option<Rational> {
    match value.number() {
        Number::Finite(number) => Some(number),
        Number::Zero(_) => Some(Rational::from_integer(0)),
        Number::Nan | Number::Infinite(_) => None,
    }
}

/// The number that a term is in a format with all numbers of its own.
fn narrow(pool: &Pool, mut term: Term) -> Term {
    while pool.op(term) == Op::FpFromFloat {
        let of = pool.args(term)[1];
        let (Some(from), Some(to)) = (pool.float_format(of), pool.float_format(term)) else { break };
        if from.exponent_bits() > to.exponent_bits() || from.significand_bits() > to.significand_bits() {
            break;
        }
        term = of;
    }
    term
}

/// Products of two forms have so many products of inputs at most, of so many inputs.
const MOST_PRODUCTS: usize = 64;
const MOST_DEGREE: usize = 8;

/// Bits of a bound of errors: more are rounded up.
const ERROR_BITS: u64 = 64;

/// Numbers with more bits than this are not computed with.
const MOST_BITS: u64 = 1 << 16;

/// A number that is not less, with few bits.
fn above(number: Rational) -> Rational {
    let bits = number.numerator().bits();
    if bits <= ERROR_BITS {
        return number;
    }
    let by = bits - ERROR_BITS;
    let power = by as i64 - (number.denominator().bits() as i64 - 1);
    Rational::scaled((number.numerator() >> by) + 1, power)
}

impl Form {
    fn constant(value: Rational) -> Form {
        Form { terms: BTreeMap::new(), constant: value, error: Rational::from_integer(0) }
    }

    /// The form plus another one times a number.
    fn plus(&self, other: &Form, factor: &Rational) -> Form {
        let mut sum = self.clone();
        for (product, term) in &other.terms {
            let entry = sum.terms.entry(product.clone()).or_insert_with(|| Rational::from_integer(0));
            *entry = &*entry + &(factor * term);
        }
        sum.constant = &sum.constant + &(factor * &other.constant);
        sum.error = &sum.error + &(&factor.magnitude() * &other.error);
        sum
    }

    fn is_small(&self) -> bool {
        let is_small =
            |number: &Rational| number.numerator().bits() + number.denominator().bits() < MOST_BITS;
        self.terms.values().chain([&self.constant]).all(is_small)
    }
}

impl Sums<'_> {
    /// What comparisons with constants say; of a number in a wider format they say it of the number.
    fn bound(&mut self) {
        let Sums { pool, comparisons, bounds, .. } = self;
        for &Comparison { less, more, is_true, of } in comparisons.iter().filter(|row| row.is_true) {
            for side in [less, more].map(|side| narrow(pool, side)) {
                let known = bounds.get(side).cloned().unwrap_or_default();
                let number = known.number.or(is_true.then_some(of));
                bounds.insert(side, Bounds { number, ..known });
            }
        }
        for &Comparison { less, more, of, .. } in comparisons.iter() {
            let sides = [less, more].map(|side| constant(pool, side));
            let (side, value) = match sides {
                [Some(low), None] => (more, low),
                [None, Some(high)] => (less, high),
                _ => continue,
            };
            let is_low = side == more;
            let side = narrow(pool, side);
            let Some(mut known) = bounds.get(side).cloned() else { continue };
            let bound = if is_low { &mut known.low } else { &mut known.high };
            let is_nearer = bound.as_ref().is_none_or(|(at, _)| (&value > at) == is_low);
            if is_nearer {
                *bound = Some((value, of));
            }
            bounds.insert(side, known);
        }
    }

    /// Makes the forms of all terms below comparisons, unless the deadline is over before.
    fn make_forms(&mut self, deadline: &Deadline) -> Option<()> {
        let sides: Vec<Term> = self.comparisons.iter().flat_map(|row| [row.less, row.more]).collect();
        for term in cone(self.pool, &sides) {
            if let Some(format) = self.pool.float_format(term)
                && let Some(form) = self.form(term, format)
            {
                deadline.step(STEPS_OF_A_NUMBER * (1 + form.terms.len() as u64)).then_some(())?;
                self.forms.insert(term, form);
            }
        }
        Some(())
    }

    /// The form of a term whose arguments have theirs, as far as they have.
    fn form(&self, term: Term, format: Format) -> Option<Form> {
        if let Some(value) = constant(self.pool, term) {
            return Some(Form::constant(value));
        }
        self.computed(term, format).or_else(|| {
            self.largest(term)?;
            let one = Rational::from_integer(1);
            Some(Form { terms: [(vec![term], one)].into(), ..Form::constant(Rational::from_integer(0)) })
        })
    }

    /// The largest magnitude of an input, if it is a number between two.
    fn largest(&self, input: Term) -> Option<Rational> {
        let Bounds { low, high, number } = self.bounds.get(input)?;
        number.as_ref()?;
        let [low, high] = [&low.as_ref()?.0, &high.as_ref()?.0].map(Rational::magnitude);
        Some(low.max(high))
    }

    /// The largest magnitude of a form without its error.
    fn size(&self, form: &Form) -> Option<Rational> {
        let mut size = form.constant.magnitude();
        for (product, factor) in &form.terms {
            let mut most = factor.magnitude();
            for &input in product {
                most = &most * &self.largest(input)?;
            }
            size = &size + &most;
        }
        Some(size)
    }

    /// The product of two forms, unless it is long.
    fn product(&self, x: &Form, y: &Form) -> Option<Form> {
        let degree = |form: &Form| form.terms.keys().map(Vec::len).max().unwrap_or(0);
        let is_short = x.terms.len() * y.terms.len() <= MOST_PRODUCTS && degree(x) + degree(y) <= MOST_DEGREE;
        if !is_short {
            return None;
        }
        let (sizes, zero) = ([self.size(x)?, self.size(y)?], Form::constant(Rational::from_integer(0)));
        let mut form =
            if y.terms.is_empty() || !x.constant.is_zero() { zero.plus(y, &x.constant) } else { zero };
        for (product, factor) in &x.terms {
            let mut of = Form { terms: BTreeMap::new(), ..y.clone() };
            for (other, term) in &y.terms {
                let mut both = [&product[..], other].concat();
                both.sort_unstable();
                of.terms.insert(both, term.clone());
            }
            if y.terms.is_empty() || !y.constant.is_zero() {
                of.terms.insert(product.clone(), y.constant.clone());
            }
            form = form.plus(&Form { constant: Rational::from_integer(0), ..of }, factor);
        }
        form.constant = &x.constant * &y.constant;
        let across = &(&sizes[0] * &y.error) + &(&sizes[1] * &x.error);
        form.error = above(&across + &(&x.error * &y.error));
        Some(form)
    }

    fn computed(&self, term: Term, format: Format) -> Option<Form> {
        let args = self.pool.args(term);
        let known = |at: usize| self.forms.get(*args.get(at)?);
        let (zero, one) = (Form::constant(Rational::from_integer(0)), Rational::from_integer(1));
        let exact = match self.pool.op(term) {
            Op::FpNeg => return Some(zero.plus(known(0)?, &-&one)),
            Op::FpAdd => known(1)?.plus(known(2)?, &one),
            Op::FpSub => known(1)?.plus(known(2)?, &-&one),
            Op::FpMul => self.product(known(1)?, known(2)?)?,
            Op::FpFromFloat if narrow(self.pool, term) != term => return known(1).cloned(),
            Op::FpFromFloat => known(1)?.clone(),
            _ => return None,
        };
        let mode = self.pool.as_value(args[0]).and_then(|value| value.as_rounding_mode());
        self.rounded(exact, format, mode)
    }

    /// The form of what is rounded, if it is a finite number.
    fn rounded(&self, mut form: Form, format: Format, mode: Option<RoundingMode>) -> Option<Form> {
        let most = &self.size(&form)? + &form.error;
        let is_nearest = matches!(mode, Some(RoundingMode::NearestEven | RoundingMode::NearestAway));
        let places = i64::from(format.significand_bits()) - if is_nearest { 0 } else { 1 };
        let smallest = format.min_exponent() - i64::from(format.fraction_bits());
        let place = Rational::scaled(1, smallest - i64::from(is_nearest));
        let error = place.max(&most * &Rational::scaled(1, -places));
        let largest = finite(&Float::largest(format, false))?;
        if &most + &error > largest || !form.is_small() {
            return None;
        }
        form.error = above(&form.error + &error);
        Some(form)
    }

    fn refuted(&self, deadline: &Deadline) -> Option<Vec<usize>> {
        let (mut inputs, mut rows) = (BTreeMap::new(), vec![]);
        for comparison in &self.comparisons {
            let forms = [comparison.less, comparison.more].map(|side| self.forms.get(side));
            let [Some(less), Some(more)] = forms else { continue };
            let row = less.plus(more, &Rational::from_integer(-1));
            for product in row.terms.keys() {
                let next = inputs.len();
                inputs.entry(product.clone()).or_insert(next);
            }
            rows.push((comparison.of, row));
        }
        let mut all = vec![];
        for (_, row) in &rows {
            let scaled = |(product, factor): (&Product, &Rational)| {
                let scale = |by: Rational, &input: &Term| Some(&by * &self.largest(input)?);
                Some((inputs[product], product.iter().try_fold(factor.clone(), scale)?))
            };
            let terms = row.terms.iter().map(scaled).collect::<Option<Vec<_>>>()?;
            all.push(Inequality { terms, constant: &row.constant - &row.error });
        }
        let factors = refuting(inputs.len(), &all, deadline)?;
        let mut used = vec![];
        for ((of, row), _) in rows.iter().zip(&factors).filter(|(_, factor)| factor.bits() > 0) {
            used.push(*of);
            for &input in row.terms.keys().flatten() {
                let Bounds { low, high, number } = self.bounds.get(input)?;
                used.extend([low.as_ref()?.1, high.as_ref()?.1, (*number)?]);
            }
        }
        used.sort_unstable();
        used.dedup();
        Some(used)
    }
}

#[cfg(test)]
mod tests;
