//! Words and floats, from the highest bit on.
//!
//! The *wishes* of an objective are formulas, one a bit, the most important first: a value is the better the
//! further it goes in the lexicographic order of the wishes that it has. Cost: about two checks for each wish
//! that the optimum lacks, and one for the rest; what models have by chance and what cores name saves most.

use crate::objective::{Objective, Sense, float};
use crate::optimiser::{Asked, Ending, Optimiser};
use crate::quantity::{Quantity, Range};
use bivalve::terms::float::{Float, Format};
use bivalve::terms::{BitVec, Op, Pool, SortKind, Term, TheorySort, Value};
use bivalve::{CheckError, Why};
use num_bigint::BigUint;

/// A word or a float, and which of its values are better.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub(crate) term: Term,
    pub(crate) sense: Sense,
    pub(crate) is_signed: bool,
}

/// The bits of a goal, the most important first.
struct Wishes {
    formulas: Vec<Term>,
    goal: Goal,
    /// The format of a float, whose wishes are about its key.
    format: Option<Format>,
}

impl Wishes {
    /// The wishes of a goal about a word that has its order.
    fn new(pool: &mut Pool, goal: Goal, word: Term, format: Option<Format>) -> Wishes {
        let width = pool.width(word).expect("wishes are about bits");
        let mut wishes = Wishes { formulas: vec![], goal, format };
        for index in (0..width).rev() {
            let bit = pool.mk_indexed(Op::Extract, &[index, index], &[word]);
            let wished = pool.bv_u64(wishes.wished(index == width - 1).into(), 1);
            wishes.formulas.push(pool.mk(Op::Eq, &[bit, wished]));
        }
        wishes
    }

    /// The better value of a bit.
    fn wished(&self, is_top: bool) -> bool {
        (self.goal.sense == Sense::Maximise) ^ (self.goal.is_signed && is_top)
    }

    /// Which of them a value has.
    fn of_value(&self, value: &Value) -> Vec<bool> {
        let bits = match value {
            Value::BitVec(bits) => bits.clone(),
            other => key(&float(other)),
        };
        bits.bits().rev().enumerate().map(|(place, bit)| bit == self.wished(place == 0)).collect()
    }

    /// The value that has these.
    fn quantity(&self, has: &[bool]) -> Quantity {
        let width = has.len() as u32;
        let bits = BitVec::from_fn(width, |index| {
            has[(width - 1 - index) as usize] == self.wished(index == width - 1)
        });
        match self.format {
            Some(format) => Quantity::Float(float_of_key(format, &bits)),
            None if self.goal.is_signed => Quantity::Number(bits.to_signed_int()),
            None => Quantity::Number(bits.to_int()),
        }
    }
}

/// The bits of a number, which is not NaN, turned so that their unsigned order is that of the numbers.
fn key(number: &Float) -> BitVec {
    let bits = number.to_bits();
    turned(&BitVec::from_fn(number.format().width(), |index| bits.bit(index.into())))
}

fn turned(bits: &BitVec) -> BitVec {
    if bits.msb() { bits.not() } else { bits.xor(&BitVec::min_signed(bits.width())) }
}

/// The number of a key; a key beyond the infinities stands for the infinity.
fn float_of_key(format: Format, key: &BitVec) -> Float {
    let bits = if key.msb() { key.xor(&BitVec::min_signed(key.width())) } else { key.not() };
    let magnitude: BigUint = bits.to_int().magnitude().clone();
    let number = Float::from_bits(format, &magnitude).expect("the bits are those of the format");
    if number.is_nan() { Float::infinity(format, bits.msb()) } else { number }
}

impl Optimiser<'_> {
    /// The optimum of a goal under what is assumed, which the best model satisfies; what later objectives
    /// have to assume is added.
    pub(crate) fn climb(
        &mut self,
        objective: &Objective,
        goal: Goal,
        fixed: &mut Vec<Term>,
    ) -> Result<Ending, CheckError> {
        let found = match self.pool.sort_kind(goal.term) {
            SortKind::Theory(TheorySort::Float(format)) => {
                self.climb_float(objective, goal, format, fixed)?
            }
            _ => {
                let wishes = Wishes::new(self.pool, goal, goal.term, None);
                self.grant(objective, &wishes, fixed)?
            }
        };
        let Ending::Optimum(value) = &found else { return Ok(found) };
        if let Some(why) = self.confirm(objective, value, fixed)? {
            return Ok(Ending::Open(why, Range::of(value.clone())));
        }
        let equals = objective.equals(self.pool, value);
        fixed.push(equals);
        Ok(found)
    }

    /// The same for a float, if some model has a number there: its bits are a new word.
    fn climb_float(
        &mut self,
        objective: &Objective,
        goal: Goal,
        format: Format,
        fixed: &[Term],
    ) -> Result<Ending, CheckError> {
        let is_nan = self.pool.mk(Op::FpIsNan, &[goal.term]);
        let is_number = self.pool.mk(Op::Not, &[is_nan]);
        let mut assumed = fixed.to_vec();
        assumed.push(is_number);
        if float(&self.best_value(goal.term)).is_nan() {
            match self.ask(&assumed)? {
                Asked::Sat => {}
                Asked::Unsat(_) => return Ok(Ending::Optimum(Quantity::Float(Float::nan(format)))),
                Asked::Unknown(why) => return Ok(Ending::Open(why, objective.whole_range(self.pool))),
            }
        }
        let width = format.width();
        let sort = bivalve::terms::Sort::bitvec(width).expect("a float has bits");
        let bits = self.pool.symbol("bits", sort);
        let indices = [format.exponent_bits(), format.significand_bits()];
        let number = self.pool.mk_indexed(Op::FpFromBits, &indices, &[bits]);
        assumed.push(self.pool.mk(Op::Eq, &[goal.term, number]));
        let top = self.pool.mk_indexed(Op::Extract, &[width - 1, width - 1], &[bits]);
        let one = self.pool.bv_u64(1, 1);
        let is_negative = self.pool.mk(Op::Eq, &[top, one]);
        let sign = self.pool.bitvec(&BitVec::min_signed(width));
        let below = self.pool.mk(Op::BvNot, &[bits]);
        let above = self.pool.mk(Op::BvXor, &[bits, sign]);
        let key = self.pool.mk(Op::Ite, &[is_negative, below, above]);
        let goal = Goal { is_signed: false, ..goal };
        let wishes = Wishes::new(self.pool, goal, key, Some(format));
        self.grant(objective, &wishes, &assumed)
    }

    /// Grants wishes, as many as possible in their order.
    fn grant(
        &mut self,
        objective: &Objective,
        wishes: &Wishes,
        assumed: &[Term],
    ) -> Result<Ending, CheckError> {
        let all = &wishes.formulas;
        let mut assumed = assumed.to_vec();
        let others = assumed.len();
        let mut has = wishes.of_value(&self.best_value(wishes.goal.term));
        // So many are decided, and so many more are tried together; one that fails if those before it hold.
        let (mut decided, mut tried, mut failing) = (0, all.len(), None);
        loop {
            while decided < all.len() && has[decided] {
                assumed.push(all[decided]);
                decided += 1;
            }
            if decided == all.len() {
                return Ok(Ending::Optimum(wishes.quantity(&has)));
            }
            let mut is_refuted = failing == Some(decided);
            if !is_refuted {
                let end = all.len().min(decided + tried);
                let question = [&assumed[..], &all[decided..end]].concat();
                match self.ask(&question)? {
                    Asked::Sat => {
                        has = wishes.of_value(&self.best_value(wishes.goal.term));
                        tried *= 2;
                    }
                    Asked::Unsat(core) => {
                        // Without a wish in it, the core would contradict the best model.
                        let last = core.iter().filter(|&&member| member >= assumed.len()).max();
                        let last = last.map_or(decided, |&member| decided + member - assumed.len());
                        is_refuted = last == decided;
                        failing = Some(last);
                        tried = (last - decided).min(tried.div_ceil(2)).max(1);
                    }
                    Asked::Unknown(why) => {
                        let bound: Vec<bool> = (0..all.len()).map(|i| i >= decided || has[i]).collect();
                        let range = objective.range(wishes.quantity(&has), wishes.quantity(&bound));
                        return Ok(Ending::Open(why, range));
                    }
                }
            }
            if is_refuted {
                assumed.push(self.pool.mk(Op::Not, &[all[decided]]));
                debug_assert!(!has[decided] && assumed.len() == others + decided + 1);
                (decided, failing, tried) = (decided + 1, None, 1);
            }
        }
    }

    /// Whether nothing is better than a value, asked in the terms of the objective: why that is not known, or
    /// an internal error if something is.
    pub(crate) fn confirm(
        &mut self,
        objective: &Objective,
        value: &Quantity,
        fixed: &[Term],
    ) -> Result<Option<Why>, CheckError> {
        let better = objective.better(self.pool, value);
        let claim = [fixed, &[better]].concat();
        match self.answer(&claim)? {
            Asked::Unsat(_) => {
                self.claims.push(claim);
                Ok(None)
            }
            Asked::Unknown(why) => Ok(Some(why)),
            Asked::Sat => {
                let text = format!("a value of an objective is better than its optimum, {value}");
                Err(CheckError::Internal(bivalve::InternalError(text)))
            }
        }
    }
}
