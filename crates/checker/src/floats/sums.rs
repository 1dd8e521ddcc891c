//! Sums of comparisons that contradict each other.
//!
//! An input is a term that true comparisons with finite constants bound from both sides, so it is a number;
//! what bounds it in a wider format does, too. A result of sums, products and conversions is, up to an error,
//! a polynomial in the inputs, its *form*: if its arguments have forms and its bound with the error is at
//! most the largest number, it is a number, and rounding to the nearest errs by 2^-p of the bound, p bits
//! being its precision, or by half of the smallest number; other modes by twice that. So a comparison of
//! terms with forms is a linear inequality over the reals, in products of inputs.

use super::lower::{Lowering, below};
use super::{FloatOp, Format};
use crate::term::{Op, SortKind, Term, Terms};
use num_bigint::{BigInt, BigUint, Sign};
use std::collections::BTreeMap;
use std::ops::Neg;

/// More bits are not computed with.
const MOST_BITS: u64 = 1 << 17;
/// Longer products of forms are not made, nor products of more inputs.
const MOST_PRODUCTS: usize = 64;
const MOST_DEGREE: usize = 8;
/// Errors are rounded up to so many bits.
const ERROR_BITS: u64 = 64;

/// An integer times a power of two.
#[derive(Clone, Default, Debug)]
pub struct Number(pub BigInt, pub i64);

/// A sum of products of inputs with factors, a constant, and a bound of the distance from them. A product may
/// have the factor 0: the term is a number because its inputs are.
#[derive(Clone, Default, Debug)]
#[allow(missing_docs, reason = "they are named")]
pub struct Form {
    pub terms: BTreeMap<Vec<Term>, Number>,
    pub constant: Number,
    pub error: Number,
}

/// What formulas say as inequalities, and the largest magnitudes of the inputs.
#[derive(Default)]
#[allow(missing_docs, reason = "they are named")]
pub struct Sums {
    /// Each is at most 0.
    pub rows: Vec<Form>,
    pub largest: BTreeMap<Term, Number>,
}

impl Number {
    pub(super) fn plus(&self, other: &Number) -> Number {
        if self.0.sign() == Sign::NoSign || other.0.sign() == Sign::NoSign {
            return if self.0.sign() == Sign::NoSign { other.clone() } else { self.clone() };
        }
        let unit = self.1.min(other.1);
        let [a, b] = [self, other].map(|number| &number.0 << (number.1 - unit));
        Number(a + b, unit)
    }

    pub(super) fn times(&self, other: &Number) -> Number {
        Number(&self.0 * &other.0, self.1 + other.1)
    }

    pub(super) fn magnitude(&self) -> Number {
        Number(self.0.magnitude().clone().into(), self.1)
    }

    pub(super) fn is_above(&self, other: &Number) -> bool {
        self.plus(&-other).0.sign() == Sign::Plus
    }

    fn max(self, other: Number) -> Number {
        if other.is_above(&self) { other } else { self }
    }

    /// A number that is not less, of few bits.
    fn rounded_up(self) -> Number {
        let by = self.0.bits().saturating_sub(ERROR_BITS);
        if by == 0 { self } else { Number((self.0 >> by) + 1, self.1 + by as i64) }
    }

    fn is_small(&self) -> bool {
        self.0.bits() + self.1.unsigned_abs() < MOST_BITS
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        Number(-&self.0, self.1)
    }
}

impl Form {
    fn plus(&self, other: &Form, factor: &Number) -> Form {
        let mut sum = self.clone();
        for (product, term) in &other.terms {
            let known = sum.terms.entry(product.clone()).or_default();
            *known = known.plus(&term.times(factor));
        }
        sum.constant = sum.constant.plus(&other.constant.times(factor));
        sum.error = sum.error.plus(&other.error.times(&factor.magnitude()));
        sum
    }

    /// The products of all of both, and of their constants; `None` if there are many.
    fn times(&self, other: &Form, [size, other_size]: [Number; 2]) -> Option<Form> {
        let mut form = Form { constant: self.constant.times(&other.constant), ..Form::default() };
        let mut add = |product: Vec<Term>, factor: Number| {
            let known = form.terms.entry(product).or_default();
            *known = known.plus(&factor);
        };
        let pairs = self.terms.len() * other.terms.len();
        for (by, of, is_needed) in [(self, other, pairs == 0), (other, self, pairs == 0)] {
            let terms = of.terms.iter().filter(|_| is_needed || by.constant.0.sign() != Sign::NoSign);
            terms.for_each(|(product, term)| add(product.clone(), term.times(&by.constant)));
        }
        for (a, factor) in self.terms.iter().take(MOST_PRODUCTS) {
            for (b, other) in other.terms.iter().take(MOST_PRODUCTS) {
                let mut both = [&a[..], b].concat();
                both.sort_unstable();
                add(both, factor.times(other));
            }
        }
        let error = size.times(&other.error).plus(&other_size.times(&self.error));
        form.error = error.plus(&self.error.times(&other.error)).rounded_up();
        let is_short =
            pairs <= MOST_PRODUCTS && form.terms.keys().all(|product| product.len() <= MOST_DEGREE);
        is_short.then_some(form)
    }

    fn is_small(&self) -> bool {
        self.terms.values().chain([&self.constant, &self.error]).all(Number::is_small)
    }
}

/// The value of a word that is one, or made of parts that are.
pub(super) fn word(terms: &Terms, term: Term) -> Option<BigUint> {
    match (terms.op(term), terms.args(term)) {
        (Op::Concat, &[high, low]) if terms.op(low) != Op::Concat => {
            Some((word(terms, high)? << terms.width(low)?) + word(terms, low)?)
        }
        _ => terms.as_value(term).cloned(),
    }
}

/// What a packed word stands for, if it is a number.
pub(super) fn number(format: Format, word: &BigUint) -> Option<Number> {
    let fraction = BigInt::from(word % (BigUint::from(1u8) << format.fraction()));
    let field = (word >> format.fraction()) % (BigUint::from(1u8) << format.exponent);
    let field = field.iter_u32_digits().next().unwrap_or(0);
    let significand = if field == 0 { fraction } else { fraction + (BigInt::from(1) << format.fraction()) };
    let significand = if word.bit(u64::from(format.width()) - 1) { -significand } else { significand };
    let unit = i64::from(field.max(1)) - format.bias() - i64::from(format.fraction());
    (field < format.special()).then_some(Number(significand, unit))
}

/// The number that a term is in a format with all numbers of its own.
fn narrow(terms: &Terms, mut term: Term) -> Term {
    while let (Op::Float(FloatOp::FromFloat(to)), &[_, of]) = (terms.op(term), terms.args(term)) {
        match terms.kind_of(of) {
            SortKind::Float(from) if from.exponent <= to.exponent && from.significand <= to.significand => {
                term = of;
            }
            _ => break,
        }
    }
    term
}

impl Sums {
    /// What these formulas say together.
    pub fn new(lowering: &Lowering, terms: &Terms, formulas: &[Term]) -> Result<Sums, String> {
        let constant = |term: Term| match terms.kind_of(term) {
            SortKind::Float(format) => match (terms.op(term), terms.args(term)) {
                (Op::Float(FloatOp::FromBits(_)), &[bits]) => number(format, &word(terms, bits)?),
                _ => number(format, terms.as_value(lowering.known(term)?)?),
            },
            _ => None,
        };
        let pairs = compared(terms, formulas)?;
        let mut bounds: BTreeMap<Term, [Option<Number>; 2]> = BTreeMap::new();
        for &([a, b], is_true) in &pairs {
            for side in [a, b].into_iter().filter(|_| is_true) {
                bounds.entry(narrow(terms, side)).or_default();
            }
        }
        for &([a, b], _) in &pairs {
            for (side, at, bound) in [(a, 1, constant(b)), (b, 0, constant(a))] {
                if let (Some(bound), Some(known)) = (bound, bounds.get_mut(&narrow(terms, side))) {
                    let is_nearer = known[at].as_ref().is_none_or(|old| old.is_above(&bound) == (at == 1));
                    known[at] = if is_nearer { Some(bound) } else { known[at].take() };
                }
            }
        }
        let mut sums = Sums::default();
        for (term, bounds) in bounds {
            if let [Some(low), Some(high)] = bounds {
                sums.largest.insert(term, low.magnitude().max(high.magnitude()));
            }
        }
        let mut forms: BTreeMap<Term, Form> = BTreeMap::new();
        let sides: Vec<Term> = pairs.iter().flat_map(|&(sides, _)| sides).collect();
        for term in below(terms, &sides)? {
            let form = match constant(term) {
                Some(constant) => Some(Form { constant, ..Form::default() }),
                None => sums.form(lowering, terms, term, &forms),
            };
            let words: u64 =
                form.iter().flat_map(|form| form.terms.values()).map(|it| 2 + it.0.bits() / 64).sum();
            terms.budget.take(50 + 4 * words, 64 * words)?;
            let input = || Form { terms: [(vec![term], Number(1.into(), 0))].into(), ..Form::default() };
            let form = form.or_else(|| sums.largest.contains_key(&term).then(input));
            forms.extend(form.filter(Form::is_small).map(|form| (term, form)));
        }
        let row = |&([a, b], _): &([Term; 2], bool)| {
            Some(forms.get(&a)?.plus(forms.get(&b)?, &Number((-1).into(), 0)))
        };
        sums.rows = pairs.iter().filter_map(row).collect();
        Ok(sums)
    }

    /// The largest magnitude of a product of inputs.
    pub fn most(&self, product: &[Term]) -> Option<Number> {
        let times = |by: Number, input: &Term| Some(by.times(self.largest.get(input)?));
        product.iter().try_fold(Number(1.into(), 0), times)
    }

    /// The largest magnitude of a form without its error.
    fn size(&self, form: &Form) -> Option<Number> {
        let add = |size: Number, (product, factor): (&Vec<Term>, &Number)| {
            Some(size.plus(&factor.magnitude().times(&self.most(product)?)))
        };
        form.terms.iter().try_fold(form.constant.magnitude(), add)
    }

    fn form(&self, of: &Lowering, terms: &Terms, term: Term, forms: &BTreeMap<Term, Form>) -> Option<Form> {
        let (Op::Float(op), args) = (terms.op(term), terms.args(term)) else { return None };
        let known = |at: usize| forms.get(args.get(at)?);
        let SortKind::Float(format) = terms.kind_of(term) else { return None };
        let (zero, one) = (Form::default(), Number(1.into(), 0));
        let mut form = match op {
            FloatOp::Neg => return Some(zero.plus(known(0)?, &-&one)),
            FloatOp::Add => known(1)?.plus(known(2)?, &one),
            FloatOp::Mul => {
                let (x, y) = (known(1)?, known(2)?);
                x.times(y, [self.size(x)?, self.size(y)?])?
            }
            FloatOp::FromFloat(_) if narrow(terms, term) != term => return known(1).cloned(),
            FloatOp::FromFloat(_) => known(1)?.clone(),
            _ => return None,
        };
        let most = self.size(&form)?.plus(&form.error);
        // The modes to the nearest are the first two.
        let mode = terms.as_value(of.known(args[0])?);
        let loss = i64::from(mode.is_none_or(|place| *place > BigUint::from(1u8)));
        let smallest = 1 - format.bias() - i64::from(format.fraction());
        let relative = most.times(&Number(1.into(), loss - i64::from(format.significand)));
        let error = relative.max(Number(1.into(), smallest + loss - 1));
        let largest = number(format, &((BigUint::from(format.special()) << format.fraction()) - 1u8))?;
        form.error = form.error.plus(&error).rounded_up();
        (!most.plus(&error).is_above(&largest)).then_some(form)
    }

    /// Whether the sum of rows with these factors says that something positive is at most 0, whatever the
    /// inputs are within their bounds.
    pub fn is_refuted(&self, terms: &Terms, factors: &[(u64, BigUint)]) -> Result<bool, String> {
        let mut sum = Form::default();
        for (row, factor) in factors {
            let row = usize::try_from(*row).ok().and_then(|row| self.rows.get(row));
            let row = row.ok_or("there is no such comparison")?;
            terms
                .budget
                .take((8 + factor.bits() / 64) * (1 + sum.terms.len() + row.terms.len()) as u64, 0)?;
            sum = sum.plus(row, &Number(factor.clone().into(), 0));
        }
        let unknown = Form { constant: Number::default(), ..sum.clone() };
        let most = self.size(&unknown).ok_or("an input without bounds")?.plus(&sum.error);
        Ok(sum.constant.is_above(&most))
    }
}

/// Pairs of which the first is at most the second, if both are numbers, in the order in which the formulas
/// say it; and whether they are for sure.
fn compared(terms: &Terms, formulas: &[Term]) -> Result<Vec<([Term; 2], bool)>, String> {
    let mut pairs = vec![];
    let mut stack: Vec<(Term, bool)> = formulas.iter().rev().map(|&formula| (formula, true)).collect();
    while let Some((term, truth)) = stack.pop() {
        terms.budget.take(20, 16)?;
        let args = terms.args(term);
        match (terms.op(term), truth) {
            (Op::Not, _) => stack.push((args[0], !truth)),
            (Op::And, true) | (Op::Or, false) => stack.extend(args.iter().rev().map(|&arg| (arg, truth))),
            (Op::Float(FloatOp::Lt), true) => pairs.push(([args[0], args[1]], true)),
            (Op::Float(FloatOp::Lt), false) => pairs.push(([args[1], args[0]], false)),
            (Op::Float(FloatOp::Eq), true) => {
                pairs.extend([([args[0], args[1]], true), ([args[1], args[0]], true)]);
            }
            // `fp.leq` is less or equal.
            (Op::Or, true) => {
                let sides = terms.args(args[0]);
                let is = |at: usize, op| args.get(at).is_some_and(|&arg| terms.op(arg) == Op::Float(op));
                let are_same = args.len() == 2 && terms.args(args[1]) == sides;
                if are_same && is(0, FloatOp::Lt) && is(1, FloatOp::Eq) {
                    pairs.push(([sides[0], sides[1]], true));
                }
            }
            _ => {}
        }
    }
    Ok(pairs)
}
