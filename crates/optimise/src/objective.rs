//! Objectives, and what they say in the language of the formula: that something is better than a value, or
//! equal to it.
//!
//! The comparisons are those of the sort of the objective, so a claim does not depend on how optima are
//! searched for. Prices are compared as one sum, in a word that is wide enough for all of them.

use crate::quantity::{Quantity, Range};
use crate::words::Goal;
use bivalve::terms::float::{Float, Rational};
use bivalve::terms::{BigInt, BitVec, Op, Pool, SortKind, Term, TheorySort, TheoryValue, Value};
use num_bigint::BigUint;
use std::sync::Arc;

/// Which values are better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sense {
    /// The lesser ones.
    Minimise,
    /// The greater ones.
    Maximise,
}

/// A formula that should hold, and what it costs if it does not.
#[derive(Clone, Debug)]
pub struct Soft {
    /// The formula, a Boolean term.
    pub formula: Term,
    /// The price. A negative one is gained where the formula does not hold.
    pub weight: Rational,
}

/// What is to be made as good as possible.
#[derive(Clone, Debug)]
pub struct Objective(pub(crate) Kind);

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A bit-vector or a float.
    Term(Goal),
    /// The price of soft constraints, to be minimised.
    Price(Price),
}

/// Soft constraints with whole prices above zero.
#[derive(Clone, Debug)]
pub(crate) struct Price {
    /// What prices are counted in: one over this number.
    unit: BigUint,
    /// What is paid in any case, in units.
    offset: BigInt,
    /// Formulas and their prices, in units; no formula twice.
    pub(crate) softs: Vec<(Term, BigUint)>,
}

impl Objective {
    /// The least or greatest value of a term. A bit-vector is read as a signed number if `is_signed`. `None`
    /// unless the term is a bit-vector or a floating-point number.
    pub fn of(pool: &Pool, term: Term, sense: Sense, is_signed: bool) -> Option<Objective> {
        match pool.sort_kind(term) {
            SortKind::BitVec(_) | SortKind::Theory(TheorySort::Float(_)) => {
                Some(Objective(Kind::Term(Goal { term, sense, is_signed })))
            }
            _ => None,
        }
    }

    /// The least price of soft constraints.
    pub fn soft(pool: &mut Pool, softs: &[Soft]) -> Objective {
        let unit = softs.iter().fold(BigUint::from(1u32), |unit, soft| lcm(&unit, soft.weight.denominator()));
        let mut price = Price { unit, offset: BigInt::ZERO, softs: vec![] };
        for soft in softs {
            let scale = &price.unit / soft.weight.denominator();
            let weight = soft.weight.numerator() * BigInt::from(scale);
            let (formula, magnitude) = (soft.formula, weight.magnitude().clone());
            if magnitude == BigUint::ZERO {
                continue;
            }
            // What is gained without a formula is gained in any case, and paid with it.
            let formula = if soft.weight.is_negative() {
                price.offset += &weight;
                pool.mk(Op::Not, &[formula])
            } else {
                formula
            };
            match price.softs.iter_mut().find(|(other, _)| *other == formula) {
                Some((_, sum)) => *sum += magnitude,
                None => price.softs.push((formula, magnitude)),
            }
        }
        Objective(Kind::Price(price))
    }

    /// Its value, where terms have these values.
    pub(crate) fn quantity(&self, value: &mut dyn FnMut(Term) -> Value) -> Quantity {
        match &self.0 {
            Kind::Term(Goal { term, is_signed, .. }) => match value(*term) {
                Value::BitVec(bits) if *is_signed => Quantity::Number(bits.to_signed_int()),
                Value::BitVec(bits) => Quantity::Number(bits.to_int()),
                other => Quantity::Float(float(&other)),
            },
            Kind::Price(price) => price.quantity(&price.paid(value)),
        }
    }

    /// The range between a value, which some model has, and the other end, which is the best there could be.
    pub(crate) fn range(&self, best: Quantity, bound: Quantity) -> Range {
        match &self.0 {
            Kind::Term(Goal { sense: Sense::Maximise, .. }) => Range { lower: best, upper: bound },
            _ => Range { lower: bound, upper: best },
        }
    }

    /// The best value that the sort has.
    pub(crate) fn ideal(&self, pool: &Pool) -> Quantity {
        self.extreme(pool, true)
    }

    /// All values that the sort has.
    pub(crate) fn whole_range(&self, pool: &Pool) -> Range {
        self.range(self.extreme(pool, false), self.extreme(pool, true))
    }

    fn extreme(&self, pool: &Pool, is_best: bool) -> Quantity {
        match &self.0 {
            Kind::Term(Goal { term, sense, is_signed }) => {
                let is_greatest = is_best == (*sense == Sense::Maximise);
                match pool.sort_kind(*term) {
                    SortKind::Theory(TheorySort::Float(format)) if is_best => {
                        Quantity::Float(Float::infinity(format, !is_greatest))
                    }
                    SortKind::Theory(TheorySort::Float(format)) => Quantity::Float(Float::nan(format)),
                    _ => {
                        let width = pool.width(*term).expect("an objective is a word or a float");
                        Quantity::Number(match (is_greatest, is_signed) {
                            (true, true) => BitVec::max_signed(width).to_signed_int(),
                            (true, false) => BitVec::ones(width).to_int(),
                            (false, true) => BitVec::min_signed(width).to_signed_int(),
                            (false, false) => BigInt::ZERO,
                        })
                    }
                }
            }
            Kind::Price(price) if is_best => price.quantity(&BigUint::ZERO),
            Kind::Price(price) => price.quantity(&price.all()),
        }
    }

    /// That the objective is better than a value of it, as a Boolean term.
    ///
    /// # Panics
    ///
    /// When no such objective has such a value.
    pub fn better(&self, pool: &mut Pool, than: &Quantity) -> Term {
        match (&self.0, than) {
            (Kind::Term(Goal { term, sense, .. }), Quantity::Float(than)) => {
                better_float(pool, *term, *sense, than)
            }
            (Kind::Term(Goal { term, sense, is_signed }), _) => {
                let constant = self.constant(pool, than);
                let comparison = match (sense, is_signed) {
                    (Sense::Maximise, false) => Op::BvUgt,
                    (Sense::Maximise, true) => Op::BvSgt,
                    (Sense::Minimise, false) => Op::BvUlt,
                    (Sense::Minimise, true) => Op::BvSlt,
                };
                pool.mk(comparison, &[*term, constant])
            }
            (Kind::Price(price), _) => {
                let constant = self.constant(pool, than);
                let sum = price.sum(pool);
                pool.mk(Op::BvUlt, &[sum, constant])
            }
        }
    }

    /// That the objective has a value.
    pub(crate) fn equals(&self, pool: &mut Pool, value: &Quantity) -> Term {
        let constant = self.constant(pool, value);
        let term = match &self.0 {
            Kind::Term(goal) => goal.term,
            Kind::Price(price) => price.sum(pool),
        };
        pool.mk(Op::Eq, &[term, constant])
    }

    /// A value of the objective as a term.
    fn constant(&self, pool: &mut Pool, value: &Quantity) -> Term {
        match (&self.0, value) {
            (Kind::Term(Goal { term, .. }), Quantity::Number(number)) => {
                let width = pool.width(*term).expect("numbers are values of words");
                pool.bitvec(&word(number, width))
            }
            (Kind::Price(price), Quantity::Price(value)) => {
                pool.bitvec(&word(&price.units(value), price.width()))
            }
            (_, Quantity::Float(value)) => float_constant(pool, value),
            _ => unreachable!("the values of an objective are of one kind"),
        }
    }
}

impl Price {
    /// What is paid where terms have these values, in units, beside the offset.
    pub(crate) fn paid(&self, value: &mut dyn FnMut(Term) -> Value) -> BigUint {
        let unpaid = self.softs.iter().filter(|(formula, _)| !value(*formula).expect_bool());
        unpaid.map(|(_, weight)| weight).sum()
    }

    /// What all soft constraints cost together, in units.
    pub(crate) fn all(&self) -> BigUint {
        self.softs.iter().map(|(_, weight)| weight).sum()
    }

    /// So many units as a price, in lowest terms.
    pub(crate) fn quantity(&self, paid: &BigUint) -> Quantity {
        let units = BigInt::from(paid.clone()) + &self.offset;
        let shared = gcd(units.magnitude().clone(), self.unit.clone());
        let price = Rational::new(units / BigInt::from(shared.clone()), &self.unit / shared);
        Quantity::Price(price.expect("a unit is not zero"))
    }

    /// A price in units, beside the offset.
    fn units(&self, price: &Rational) -> BigInt {
        price.numerator() * BigInt::from(&self.unit / price.denominator()) - &self.offset
    }

    fn width(&self) -> u32 {
        u32::try_from(self.all().bits().max(1)).expect("prices have less than 2^32 bits")
    }

    /// The sum of what is paid.
    fn sum(&self, pool: &mut Pool) -> Term {
        let width = self.width();
        let zero = pool.bitvec(&BitVec::zero(width));
        self.softs.iter().fold(zero, |sum, (formula, weight)| {
            let weight = pool.bitvec(&word(&weight.clone().into(), width));
            let paid = pool.mk(Op::Ite, &[*formula, zero, weight]);
            if sum == zero { paid } else { pool.mk(Op::BvAdd, &[sum, paid]) }
        })
    }
}

/// A number modulo a power of two.
fn word(number: &BigInt, width: u32) -> BitVec {
    BitVec::from_fn(width, |bit| number.bit(bit.into()))
}

/// The float that a value is.
pub(crate) fn float(value: &Value) -> Float {
    match value {
        Value::Theory(value) => match &**value {
            TheoryValue::Float(float) => float.clone(),
            other => unreachable!("internal: an objective is a word or a float, not {other}"),
        },
        other => unreachable!("internal: an objective is a word or a float, not {other:?}"),
    }
}

fn float_constant(pool: &mut Pool, value: &Float) -> Term {
    let value = Value::Theory(Arc::new(TheoryValue::Float(value.clone())));
    pool.constant(&value).expect("values of theories have constants")
}

/// That a float is better than another one: a number if that is none, and `+0` is greater than `-0`.
fn better_float(pool: &mut Pool, term: Term, sense: Sense, than: &Float) -> Term {
    if than.is_nan() {
        let is_nan = pool.mk(Op::FpIsNan, &[term]);
        return pool.mk(Op::Not, &[is_nan]);
    }
    let constant = float_constant(pool, than);
    let comparison = if sense == Sense::Maximise { Op::FpGt } else { Op::FpLt };
    let beyond = pool.mk(comparison, &[term, constant]);
    let worse_zero = Float::zero(than.format(), sense == Sense::Maximise);
    if *than != worse_zero {
        return beyond;
    }
    let better_zero = float_constant(pool, &Float::zero(than.format(), sense == Sense::Minimise));
    let is_zero = pool.mk(Op::Eq, &[term, better_zero]);
    pool.mk(Op::Or, &[beyond, is_zero])
}

/// The greatest common divisor.
fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn lcm(a: &BigUint, b: &BigUint) -> BigUint {
    a / gcd(a.clone(), b.clone()) * b
}
