//! The terms of the checker, as they are opened.

use crate::remainder::rest;
use bivalve_algebra::layers::{Kind, Language, PolynomialOver};
use bivalve_algebra::opening::Law;
use bivalve_algebra::polynomial::Polynomial;
use bivalve_algebra::ring::{Weight, Words};
use bivalve_checker::term::{Op, Term, Terms};
use bivalve_terms::BitVec;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The terms of a kernel.
pub(super) struct KernelTerms<'a>(pub(super) &'a mut Terms);

/// What a term is to who opens it.
pub(super) fn kind(terms: &Terms, term: Term) -> Kind {
    let args = terms.args(term);
    let is_truth = |term: Term| terms.sort_of(term) == terms.bool_sort();
    match terms.op(term) {
        Op::True => Kind::Truth(true),
        Op::False => Kind::Truth(false),
        _ if terms.as_value(term).is_some() => Kind::Value,
        _ if law(terms, term).is_some() => Kind::Arithmetic,
        Op::BvUrem => Kind::Remainder,
        Op::Ite if !is_truth(term) => Kind::Choice,
        Op::Not => Kind::Not,
        Op::And => Kind::And,
        Op::Or => Kind::Or,
        Op::Xor => Kind::Xor,
        Op::Eq if is_truth(args[0]) => Kind::Iff,
        Op::Eq => Kind::Equation,
        _ => Kind::Other,
    }
}

/// What an arithmetic word is.
fn law(terms: &Terms, word: Term) -> Option<Law> {
    let args = terms.args(word);
    let sum = |constants, weight| Some(Law::Sum(constants, vec![weight; args.len()]));
    match terms.op(word) {
        Op::BvAdd => sum(vec![], Weight::One),
        Op::BvNeg => sum(vec![], Weight::MinusOne),
        Op::BvNot => sum(vec![Weight::MinusOne], Weight::MinusOne),
        Op::BvMul => Some(Law::Product),
        Op::BvShl => {
            let by = terms.as_value(args[1])?;
            Some(Law::Sum(vec![], vec![Weight::Power(u32::try_from(by).ok()?)]))
        }
        _ => None,
    }
}

impl Language for KernelTerms<'_> {
    type Term = Term;

    fn kind(&self, term: Term) -> Kind {
        kind(self.0, term)
    }

    fn args(&self, term: Term) -> &[Term] {
        self.0.args(term)
    }

    fn width(&self, term: Term) -> Option<u32> {
        self.0.width(term)
    }

    fn value(&self, term: Term) -> Option<BitVec> {
        let digits: Vec<u64> = self.0.as_value(term)?.iter_u64_digits().collect();
        Some(BitVec::from_words(&digits, self.0.width(term)?))
    }

    fn law(&self, word: Term) -> Option<Law> {
        law(self.0, word)
    }

    fn rest(&mut self, remainder: Term) -> Option<Term> {
        rest(self.0, remainder).ok()
    }

    fn opened(&mut self, _: Term) -> Option<PolynomialOver<Self>> {
        None
    }
}

/// A word of the checker that is a number.
pub(super) fn number(terms: &mut Terms, value: &BitVec) -> Result<Term, String> {
    let bytes: Vec<u8> = value.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    terms.value(value.width(), BigUint::from_bytes_le(&bytes))
}

/// A word that is a polynomial.
pub(super) fn word(terms: &mut Terms, polynomial: &Polynomial<Words, Term>) -> Result<Term, String> {
    let mut sum: Option<Term> = None;
    for (monomial, coefficient) in polynomial.monomials() {
        let has_factor = !coefficient.is_one() || monomial.is_empty();
        let mut product = if has_factor { Some(number(terms, coefficient)?) } else { None };
        for &atom in monomial {
            product = Some(match product {
                Some(product) => terms.mk(Op::BvMul, &[product, atom])?,
                None => atom,
            });
        }
        sum = match (sum, product) {
            (Some(sum), Some(product)) => Some(terms.mk(Op::BvAdd, &[sum, product])?),
            (sum, product) => sum.or(product),
        };
    }
    sum.ok_or_else(|| "a goal is not zero already".into())
}

/// A word in which terms are replaced, and what becomes of the terms in it, those below first.
pub(super) fn replaced(
    terms: &mut Terms,
    root: Term,
    by: &FxHashMap<Term, Term>,
) -> Result<(Term, Vec<(Term, Term)>), String> {
    let mut made: FxHashMap<Term, Term> = FxHashMap::default();
    let (mut steps, mut stack) = (vec![], vec![root]);
    while let Some(&term) = stack.last() {
        if made.contains_key(&term) {
            stack.pop();
            continue;
        }
        let below: Vec<Term> = match by.get(&term) {
            Some(&other) => vec![other],
            None if kind(terms, term).is_arithmetic() => terms.args(term).to_vec(),
            None => vec![],
        };
        let before = stack.len();
        stack.extend(below.iter().filter(|arg| !made.contains_key(arg)));
        if stack.len() > before {
            continue;
        }
        let args: Vec<Term> = below.iter().map(|arg| made[arg]).collect();
        let result = match args[..] {
            [] => term,
            [other] if by.contains_key(&term) => other,
            _ => terms.mk(terms.op(term), &args)?,
        };
        if result != term {
            steps.push((term, result));
        }
        made.insert(term, result);
    }
    Ok((made[&root], steps))
}
