//! Polynomials modulo a power of two: when two terms are equal because of the laws of addition and
//! multiplication.
//!
//! A bit-vector term is a polynomial over its subterms that are neither sums, products, negations,
//! complements (`~x = -x - 1`), values, shifts to the left (`x << y = x * (1 << y)`, where `1 << y` is a
//! variable unless `y` is a value), choices (`ite(c, a, b) = b + (a - b) * c`, where the condition `c` is a
//! variable, 0 or 1), low bits, extended beyond the modulus, nor followed by zeros. Two terms with the same
//! polynomial are equal for all values of those subterms. Subterms known to be equal are the same variable;
//! where two terms are compared, sums known to be equal are tried as one variable first, and choices between
//! other terms than values are opened last. An equation is a polynomial that is zero; two equations are
//! equivalent if one's polynomial is the other's times an odd number.
//!
//! Cost: linear for sums, however they are nested; products are multiplied out, up to bounds on the number of
//! monomials, their degree and the bits of their coefficients.

use crate::equality::Classes;
use crate::term::{Op, Term, Terms};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// More monomials than this are refused.
const MOST_MONOMIALS: usize = 20_000;

/// Monomials of a higher degree are refused.
const MOST_DEGREE: usize = 256;

/// The bits of all coefficients together, if each has as many as the modulus.
const MOST_BITS: u64 = 1 << 27;

/// An inverse modulo two to the power of more bits takes too long.
pub const MOST_INVERTED: u64 = 1 << 14;

/// From products of variables (in order) to coefficients that are not zero. A variable is twice the number of
/// a class, of words or conditions, plus one if it is `1 << y` with `y` of that class.
pub type Polynomial = BTreeMap<Vec<u64>, BigUint>;

/// How often terms are added, modulo a power of two; never zero times.
type Summands = BTreeMap<Term, BigUint>;

/// Summands that are no sums, how often, and what is left as a constant.
type Counted = (Vec<(Term, BigUint)>, Polynomial);

/// Which sums are looked into where a difference is counted; what is left is read as polynomials.
#[derive(Clone, Copy, PartialEq)]
enum Opened {
    All,
    /// One of those that are known to be equal, which is quicker and sees less.
    UnlessEqual,
    /// Likewise, but those that are known to be equal to this term stand for it.
    Except(Term),
}

/// Which choices are multiples of their conditions.
#[derive(Clone, Copy, PartialEq)]
enum Choices {
    None,
    /// Those between two values.
    OfValues,
    All,
}

/// Reads terms as polynomials.
struct Reader<'a> {
    terms: &'a Terms,
    classes: &'a Classes,
    modulus: BigUint,
    choices: Choices,
    known: FxHashMap<Term, Polynomial>,
    monomials: usize,
}

/// The polynomial of a bit-vector term.
pub fn of(terms: &Terms, classes: &Classes, term: Term) -> Result<Polynomial, String> {
    Reader::new(terms, classes, term, Choices::OfValues)?.read(term)
}

/// The polynomial of a bit-vector term in which all choices are variables.
pub fn over_choices(terms: &Terms, classes: &Classes, term: Term) -> Result<Polynomial, String> {
    Reader::new(terms, classes, term, Choices::None)?.read(term)
}

/// The condition of a choice, and its branches, which change sides for each negation of the condition.
pub fn choice(terms: &Terms, term: Term) -> Option<[Term; 3]> {
    let (Op::Ite, &[mut condition, mut a, mut b]) = (terms.op(term), terms.args(term)) else { return None };
    while terms.op(condition) == Op::Not {
        (condition, a, b) = (terms.args(condition)[0], b, a);
    }
    Some([condition, a, b])
}

/// Do two bit-vector terms differ by a value that is not zero?
pub fn differ(terms: &Terms, classes: &Classes, a: Term, b: Term) -> Result<bool, String> {
    if terms.width(a).is_none() || terms.sort_of(a) != terms.sort_of(b) {
        return Ok(false);
    }
    for choices in [Choices::OfValues, Choices::All] {
        let difference = Reader::new(terms, classes, a, choices)?.difference((a, b), Opened::All)?;
        if difference.len() == 1 && difference.contains_key(&vec![]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Are two bit-vector terms the same polynomial, or two equations of bit-vectors equivalent?
pub fn equal(terms: &Terms, classes: &Classes, a: Term, b: Term) -> Result<bool, String> {
    if terms.op(a) == Op::Eq && terms.op(b) == Op::Eq {
        let [a, c] = [a, b].map(|equation| (terms.args(equation)[0], terms.args(equation)[1]));
        let same = terms.width(a.0).is_some() && terms.width(a.0) == terms.width(c.0);
        return if same { equivalent(terms, classes, a, c) } else { Ok(false) };
    }
    if terms.sort_of(a) != terms.sort_of(b) {
        return Ok(false);
    }
    let mut reader = Reader::new(terms, classes, a, Choices::OfValues)?;
    let is_zero = |difference: Polynomial| difference.is_empty();
    // Which sums are opened first depends on their numbers, and these on who makes the terms. So each side is
    // tried as a variable as well.
    let tries = [Opened::UnlessEqual, Opened::Except(b), Opened::Except(a)];
    for opened in tries {
        if reader.difference((a, b), opened).is_ok_and(is_zero) {
            return Ok(true);
        }
    }
    if is_zero(reader.difference((a, b), Opened::All)?) {
        return Ok(true);
    }
    // Choices by one condition are compared branch by branch before all choices below them are opened.
    if let (Some([c, a, b]), Some([d, x, y])) = (low_choice(terms, a), low_choice(terms, b))
        && classes.find(c) == classes.find(d)
        && is_zero(reader.difference((a, x), Opened::All)?)
        && is_zero(reader.difference((b, y), Opened::All)?)
    {
        return Ok(true);
    }
    let mut reader = Reader::new(terms, classes, a, Choices::All)?;
    Ok(is_zero(reader.difference((a, b), Opened::All)?))
}

/// The choice that a term is, or whose low bits it is.
fn low_choice(terms: &Terms, term: Term) -> Option<[Term; 3]> {
    let is_low = matches!(terms.op(term), Op::Extract(_, 0));
    choice(terms, if is_low { terms.args(term)[0] } else { term })
}

fn equivalent(terms: &Terms, classes: &Classes, a: (Term, Term), b: (Term, Term)) -> Result<bool, String> {
    let mut reader = Reader::new(terms, classes, a.0, Choices::OfValues)?;
    let left = reader.difference(a, Opened::All)?;
    let right = reader.difference(b, Opened::All)?;
    if left.keys().ne(right.keys()) {
        return Ok(false);
    }
    // An odd coefficient gives the factor; without one only the factors 1 and -1 are tried.
    let odd = left.iter().find(|(_, coefficient)| coefficient.bit(0));
    let minus_one = &reader.modulus - 1u8;
    let factors = match odd {
        None => vec![BigUint::from(1u8), minus_one],
        Some(_) if reader.modulus.bits() > MOST_INVERTED => return Err("coefficients are too wide".into()),
        Some((monomial, coefficient)) => {
            let inverse = coefficient.modinv(&reader.modulus).ok_or("an odd number has an inverse")?;
            vec![reader.low(inverse * &right[monomial])]
        }
    };
    Ok(factors.iter().any(|factor| {
        factor.bit(0)
            && left.iter().all(|(monomial, coefficient)| reader.low(coefficient * factor) == right[monomial])
    }))
}

impl Reader<'_> {
    fn new<'a>(
        terms: &'a Terms,
        classes: &'a Classes,
        like: Term,
        choices: Choices,
    ) -> Result<Reader<'a>, String> {
        let width = terms.width(like).ok_or("a polynomial is a bit-vector")?;
        let modulus = BigUint::from(1u8) << width;
        Ok(Reader { terms, classes, modulus, choices, known: FxHashMap::default(), monomials: 0 })
    }

    /// One side less the other. Sums that both sides have are not looked into.
    fn difference(&mut self, sides: (Term, Term), opened: Opened) -> Result<Polynomial, String> {
        let mut both = once(sides.0);
        self.count(&mut both, sides.1, &(&self.modulus - 1u8));
        let (summands, mut result) = self.summands(both, opened)?;
        for (summand, count) in summands {
            let polynomial = self.read(summand)?;
            self.add(&mut result, &polynomial, &count)?;
        }
        Ok(result)
    }

    /// The polynomial of a term. Depth is memory, not recursion.
    fn read(&mut self, root: Term) -> Result<Polynomial, String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            match self.terms.op(term) {
                op if is_linear(op) => {
                    let (summands, _) = self.summands(once(term), Opened::All)?;
                    let summands = summands.into_iter().map(|(summand, _)| summand);
                    let is_open = |&summand: &Term| summand != term && !self.known.contains_key(&summand);
                    stack.extend(summands.filter(is_open));
                }
                op if self.is_inner(term) => {
                    let args = self.terms.args(term).iter().copied().skip(usize::from(op == Op::Ite));
                    stack.extend(args.filter(|arg| !self.known.contains_key(arg)));
                }
                _ => {}
            }
            if stack.len() == before {
                stack.pop();
                let polynomial = self.combine(term)?;
                self.monomials += polynomial.len();
                self.terms.budget.take(100 * polynomial.len() as u64, 0)?;
                let bits = self.monomials as u64 * self.modulus.bits();
                if self.monomials > MOST_MONOMIALS || bits > MOST_BITS {
                    return Err("a polynomial is too large".into());
                }
                self.known.insert(term, polynomial);
            }
        }
        Ok(self.known[&root].clone())
    }

    /// Low bits are the term, modulo what they can tell, and zeros below a term are a factor. So the
    /// polynomial of a term is right modulo two to the power of its width, and no more than that is used of
    /// it.
    fn is_inner(&self, term: Term) -> bool {
        match self.terms.op(term) {
            Op::Ite => self.choices == Choices::All,
            Op::Concat | Op::SignExtend(_) if self.is_extended(term) => true,
            Op::Concat => self.terms.as_value(self.terms.args(term)[1]).is_some_and(|low| low.bits() == 0),
            op => matches!(op, Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvShl | Op::Extract(_, 0)),
        }
    }

    /// Does the last argument have all the bits that the modulus leaves?
    fn is_extended(&self, term: Term) -> bool {
        let low = self.terms.args(term).last().and_then(|&low| self.terms.width(low));
        low.is_some_and(|low| u64::from(low) >= self.modulus.bits() - 1)
    }

    /// What multiples of terms add up, and how often, through the sums below them, and a constant. Terms come
    /// after their arguments, so the last one has its number when it is looked at.
    fn summands(&self, mut open: Summands, opened: Opened) -> Result<Counted, String> {
        let words = self.modulus.bits() / 64 + 1;
        let (mut found, mut rest) = (vec![], BigUint::default());
        let kept = |term| match opened {
            Opened::Except(kept) if self.classes.find(kept) == self.classes.find(term) => Some(kept),
            _ => None,
        };
        let mut members: FxHashMap<u32, Term> =
            open.keys().map(|&term| (self.classes.find(term), term)).collect();
        while let Some((term, count)) = open.pop_last() {
            self.terms.budget.take(50 + 8 * words, 0)?;
            self.terms.budget.has_room(8 * words * (open.len() + found.len()) as u64)?;
            let op = self.terms.op(term);
            let kept = kept(term);
            if !is_linear(op) || kept.is_some() || self.classes.value(self.terms, term).is_some() {
                found.push((kept.unwrap_or(term), count));
                continue;
            }
            let count = if op == Op::BvAdd { count } else { &self.modulus - count };
            if op == Op::BvNot {
                rest = self.low(rest + &count);
            }
            for &arg in self.terms.args(term) {
                let member = members.entry(self.classes.find(arg)).or_insert(arg);
                if opened == Opened::All || !open.contains_key(member) {
                    *member = arg;
                }
                self.count(&mut open, *member, &count);
            }
        }
        Ok((found, constant(rest)))
    }

    /// Counts a term so many times more.
    fn count(&self, open: &mut Summands, term: Term, more: &BigUint) {
        let all = open.entry(term).or_default();
        *all = self.low(&*all + more);
        if all.bits() == 0 {
            open.remove(&term);
        }
    }

    /// The polynomial of a term whose arguments, where they are polynomials, are known.
    fn combine(&mut self, term: Term) -> Result<Polynomial, String> {
        if let Some(value) = self.classes.value(self.terms, term) {
            let value = self.terms.as_value(value).ok_or("a value of bits")?.clone();
            return Ok(constant(self.low(value)));
        }
        if let Some((condition, [a, b])) = self.choice(term) {
            let mut result = constant(b.clone());
            let condition = Polynomial::from([(vec![condition], BigUint::from(1u8))]);
            self.add(&mut result, &condition, &(&self.modulus + a - b))?;
            return Ok(result);
        }
        if let (Choices::All, Some([condition, a, b])) = (self.choices, choice(self.terms, term)) {
            let mut result = self.known[&b].clone();
            let mut distance = self.known[&a].clone();
            self.add(&mut distance, &result, &(&self.modulus - 1u8))?;
            let condition = self.variable(condition);
            for (mut monomial, coefficient) in distance {
                // A condition is its own square.
                if let Err(place) = monomial.binary_search(&condition) {
                    monomial.insert(place, condition);
                }
                if monomial.len() > MOST_DEGREE {
                    return Err("a polynomial is too large".into());
                }
                self.add(&mut result, &Polynomial::from([(monomial, coefficient)]), &BigUint::from(1u8))?;
            }
            return Ok(result);
        }
        if !self.is_inner(term) {
            return Ok(Polynomial::from([(vec![self.variable(term)], BigUint::from(1u8))]));
        }
        if is_linear(self.terms.op(term)) {
            let (summands, mut result) = self.summands(once(term), Opened::All)?;
            for (summand, count) in summands {
                self.add(&mut result, &self.known[&summand], &count)?;
            }
            return Ok(result);
        }
        let args = self.terms.args(term).to_vec();
        let first = self.known[&args[0]].clone();
        match self.terms.op(term) {
            Op::BvMul => self.product(&first, &self.known[&args[1]].clone()),
            Op::BvShl => {
                let factor = match self.classes.value(self.terms, args[1]) {
                    None => Polynomial::from([(vec![self.variable(args[1]) + 1], BigUint::from(1u8))]),
                    Some(value) => {
                        let by = self.terms.as_value(value).and_then(|by| u64::try_from(by).ok());
                        let by = by.filter(|&by| by + 1 < self.modulus.bits());
                        constant(by.map(|by| BigUint::from(1u8) << by).unwrap_or_default())
                    }
                };
                self.product(&first, &factor)
            }
            Op::Concat if self.is_extended(term) => Ok(self.known[&args[1]].clone()),
            Op::Concat => {
                let factor = BigUint::from(1u8) << self.terms.width(args[1]).unwrap_or_default();
                self.product(&first, &constant(self.low(factor)))
            }
            _ => Ok(first),
        }
    }

    /// The variable that a condition is, and the values that a term chooses from by it.
    fn choice(&self, term: Term) -> Option<(u64, [BigUint; 2])> {
        let [condition, a, b] = choice(self.terms, term).filter(|_| self.choices != Choices::None)?;
        let value = |of: Term| self.terms.as_value(self.classes.value(self.terms, of)?).cloned();
        Some((self.variable(condition), [self.low(value(a)?), self.low(value(b)?)]))
    }

    /// The number modulo two to the power of the width.
    fn low(&self, number: BigUint) -> BigUint {
        number & (&self.modulus - 1u8)
    }

    /// The variable that a term is.
    fn variable(&self, term: Term) -> u64 {
        u64::from(self.classes.find(term)) << 1
    }

    /// Adds a multiple of a polynomial.
    fn add(&self, to: &mut Polynomial, summand: &Polynomial, factor: &BigUint) -> Result<(), String> {
        let words = self.modulus.bits() / 64 + 1;
        for (monomial, coefficient) in summand {
            self.terms.budget.take(400 + 8 * monomial.len() as u64 + words * words.min(32), 0)?;
            let entry = to.entry(monomial.clone()).or_default();
            *entry = self.low(&*entry + coefficient * factor);
            if entry.bits() == 0 {
                to.remove(monomial);
            }
        }
        let bits = to.len() as u64 * self.modulus.bits();
        if to.len() > MOST_MONOMIALS || bits > MOST_BITS {
            Err("a polynomial is too large".into())
        } else {
            Ok(())
        }
    }

    fn product(&self, a: &Polynomial, b: &Polynomial) -> Result<Polynomial, String> {
        let mut result = Polynomial::new();
        let degree = |factor: &Polynomial| factor.keys().map(Vec::len).max().unwrap_or_default();
        if degree(a) + degree(b) > MOST_DEGREE {
            return Err("a polynomial is too large".into());
        }
        for (monomial, coefficient) in a {
            let row = b.iter().map(|(other, factor)| {
                let mut variables = [&monomial[..], other].concat();
                variables.sort_unstable();
                (variables, factor.clone())
            });
            self.add(&mut result, &row.collect(), coefficient)?;
        }
        Ok(result)
    }
}

/// Is it a sum, a negation or a complement?
fn is_linear(op: Op) -> bool {
    matches!(op, Op::BvAdd | Op::BvNeg | Op::BvNot)
}

/// A term, once.
fn once(term: Term) -> Summands {
    BTreeMap::from([(term, BigUint::from(1u8))])
}

fn constant(value: BigUint) -> Polynomial {
    if value.bits() == 0 { Polynomial::new() } else { Polynomial::from([(vec![], value)]) }
}
