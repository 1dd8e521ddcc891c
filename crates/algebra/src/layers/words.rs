//! The terms of the solver, as they are opened.

use super::PolynomialOver;
use super::language::{Kind, Language};
use crate::expansion::{Opened, WordPolynomial};
use crate::opening::{Law, opening};
use bivalve_limits::Deadline;
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Term};
use rustc_hash::FxHashSet;

/// Formulas with more terms, and with more equations, are left alone.
const MOST_TERMS: usize = 50_000;
const MOST_EQUATIONS: usize = 1000;

/// Steps to open a word that has no kind, such as a shift by a constant of which only slices are left.
const STEPS_OF_OTHERS: usize = 256;

/// The terms of a pool.
pub struct PoolTerms<'a>(pub &'a mut Pool);

/// What a term is to who opens it.
fn kind(pool: &Pool, term: Term) -> Kind {
    let args = pool.args(term);
    let is_truth = |term: Term| pool.sort(term).is_bool();
    match pool.op(term) {
        Op::Const => match pool.as_bool(term) {
            Some(value) => Kind::Truth(value),
            None if pool.width(term).is_some() => Kind::Value,
            None => Kind::Other,
        },
        Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg | Op::BvNot => Kind::Arithmetic,
        Op::BvShl if law(pool, term).is_some() => Kind::Arithmetic,
        Op::BvUrem | Op::BvSrem => Kind::Remainder,
        Op::Ite if !is_truth(term) => Kind::Choice,
        Op::Not => Kind::Not,
        Op::And => Kind::And,
        Op::Or => Kind::Or,
        Op::Xor => Kind::Xor,
        Op::Eq if args.len() == 2 => {
            if is_truth(args[0]) {
                Kind::Iff
            } else {
                Kind::Equation
            }
        }
        _ => Kind::Other,
    }
}

fn law(pool: &Pool, word: Term) -> Option<Law> {
    opening(pool, word, false, |_, _, _| false).map(|opening| opening.law)
}

/// The equations among some terms whose sides may be opened, but for those that are asserted; none if there
/// are too many, or no products.
pub fn candidates(pool: &Pool, below: &[Term], asserted: &[Term]) -> Vec<Term> {
    if below.len() > MOST_TERMS || !below.iter().any(|&term| pool.op(term) == Op::BvMul) {
        return vec![];
    }
    let asserted: FxHashSet<Term> = asserted.iter().copied().collect();
    let is_opened = |&side: &Term| kind(pool, side).is_opened() && !pool.is_const(side);
    let is_candidate = |&term: &Term| {
        kind(pool, term) == Kind::Equation
            && pool.width(pool.args(term)[0]) > Some(1)
            && pool.args(term).iter().any(is_opened)
            && !asserted.contains(&term)
    };
    let found: Vec<Term> = below.iter().copied().filter(is_candidate).collect();
    if found.len() > MOST_EQUATIONS { vec![] } else { found }
}

impl Language for PoolTerms<'_> {
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
        self.0.as_bitvec(term)
    }

    fn law(&self, word: Term) -> Option<Law> {
        law(self.0, word)
    }

    fn rest(&mut self, remainder: Term) -> Option<Term> {
        let pool = &mut *self.0;
        let (division, args) = match pool.op(remainder) {
            Op::BvUrem => (Op::BvUdiv, pool.args(remainder).to_vec()),
            _ => (Op::BvSdiv, pool.args(remainder).to_vec()),
        };
        let quotient = make::app(pool, division, &args);
        let multiple = make::app(pool, Op::BvMul, &[args[1], quotient]);
        let minus = make::app(pool, Op::BvNeg, &[multiple]);
        Some(make::app(pool, Op::BvAdd, &[args[0], minus]))
    }

    fn opened(&mut self, word: Term) -> Option<PolynomialOver<Self>> {
        let zero = make::zeros(self.0, self.0.width(word)?);
        let (sides, mut budget, deadline) = ([word, zero], STEPS_OF_OTHERS, Deadline::unlimited());
        let opened = WordPolynomial::difference(self.0, sides, Opened::Arithmetic, &mut budget, &deadline)?;
        opened.coefficient(&[word]).is_none().then_some(opened)
    }
}
