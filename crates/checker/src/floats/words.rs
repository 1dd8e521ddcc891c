//! Words that definitions are made of.
//!
//! A [`Words`] makes terms without asking whether they are made: what fails is noted, and told at the end. An
//! operator on values is its value, and what a value decides is not made; all else is as it is written.
//! Numbers with a sign are an [`Int`]: a word with the bounds of its value, as wide as they need, so that
//! nothing overflows.

use crate::evaluate::{self, Value};
use crate::term::{Op, Term, Terms};
use num_bigint::BigUint;
use std::cell::{RefCell, RefMut};

/// What makes terms of bit-vectors and truth values.
pub(super) struct Words<'a> {
    terms: RefCell<&'a mut Terms>,
    failed: RefCell<Option<String>>,
}

/// A signed word and the bounds of its value.
#[derive(Clone, Copy)]
pub(super) struct Int {
    term: Term,
    low: i64,
    high: i64,
}

/// The bits of a signed word that has all values between two bounds.
fn signed_width(low: i64, high: i64) -> u32 {
    let bits = |value: i64| 64 - (if value < 0 { !value } else { value }).leading_zeros();
    1 + bits(low).max(bits(high))
}

impl<'a> Words<'a> {
    pub(super) fn new(terms: &'a mut Terms) -> Words<'a> {
        Words { terms: RefCell::new(terms), failed: RefCell::new(None) }
    }

    /// The term, if all terms were made.
    pub(super) fn made(self, term: Term) -> Result<Term, String> {
        self.failed.into_inner().map_or(Ok(term), Err)
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failed.borrow().is_some()
    }

    fn take(&self, make: impl FnOnce(RefMut<'_, &'a mut Terms>) -> Result<Term, String>) -> Term {
        make(self.terms.borrow_mut()).unwrap_or_else(|why| {
            self.failed.borrow_mut().get_or_insert(why);
            self.terms.borrow_mut().truth(false)
        })
    }

    pub(super) fn mk(&self, op: Op, args: &[Term]) -> Term {
        self.take(|mut terms| match simpler(&mut terms, op, args)? {
            Some(simpler) => Ok(simpler),
            None => terms.mk(op, args),
        })
    }

    pub(super) fn width(&self, a: Term) -> u32 {
        self.terms.borrow().width(a).unwrap_or(1)
    }

    pub(super) fn value(&self, width: u32, value: impl Into<BigUint>) -> Term {
        self.take(|mut terms| terms.value(width, value.into()))
    }

    pub(super) fn truth(&self, value: bool) -> Term {
        self.terms.borrow_mut().truth(value)
    }

    pub(super) fn not(&self, a: Term) -> Term {
        self.mk(Op::Not, &[a])
    }

    pub(super) fn and(&self, all: &[Term]) -> Term {
        all.iter().fold(self.truth(true), |a, &b| self.mk(Op::And, &[a, b]))
    }

    pub(super) fn or(&self, any: &[Term]) -> Term {
        any.iter().fold(self.truth(false), |a, &b| self.mk(Op::Or, &[a, b]))
    }

    pub(super) fn xor(&self, a: Term, b: Term) -> Term {
        self.mk(Op::Xor, &[a, b])
    }

    pub(super) fn eq(&self, a: Term, b: Term) -> Term {
        self.mk(Op::Eq, &[a, b])
    }

    pub(super) fn is(&self, a: Term, value: u32) -> Term {
        self.eq(a, self.value(self.width(a), value))
    }

    pub(super) fn ite(&self, condition: Term, a: Term, b: Term) -> Term {
        self.mk(Op::Ite, &[condition, a, b])
    }

    pub(super) fn less(&self, a: Term, b: Term) -> Term {
        self.mk(Op::BvUlt, &[a, b])
    }

    pub(super) fn add(&self, a: Term, b: Term) -> Term {
        self.mk(Op::BvAdd, &[a, b])
    }

    pub(super) fn sub(&self, a: Term, b: Term) -> Term {
        self.add(a, self.mk(Op::BvNeg, &[b]))
    }

    /// A truth value as one bit.
    pub(super) fn bit(&self, truth: Term) -> Term {
        self.ite(truth, self.value(1, 1u8), self.value(1, 0u8))
    }

    /// The bit at a place, as a truth value.
    pub(super) fn at(&self, a: Term, place: u32) -> Term {
        self.is(self.extract(a, place, place), 1)
    }

    pub(super) fn extract(&self, a: Term, high: u32, low: u32) -> Term {
        self.mk(Op::Extract(high, low), &[a])
    }

    pub(super) fn concat(&self, parts: &[Term]) -> Term {
        parts[1..].iter().fold(parts[0], |high, &low| self.mk(Op::Concat, &[high, low]))
    }

    /// The word with so many zeros in front.
    pub(super) fn extend(&self, a: Term, more: u32) -> Term {
        if more == 0 { a } else { self.concat(&[self.value(more, 0u8), a]) }
    }

    /// The word with so many zeros behind it.
    pub(super) fn widen(&self, a: Term, more: u32) -> Term {
        if more == 0 { a } else { self.concat(&[a, self.value(more, 0u8)]) }
    }

    /// The word with zeros in front, or its low bits.
    pub(super) fn resize(&self, a: Term, width: u32) -> Term {
        match width.checked_sub(self.width(a)) {
            Some(more) => self.extend(a, more),
            None => self.extract(a, width - 1, 0),
        }
    }

    /// The integer with these bounds that an unsigned word is.
    pub(super) fn int(&self, word: Term, low: i64, high: i64) -> Int {
        Int { term: self.resize(word, signed_width(low, high)), low, high }
    }

    pub(super) fn number(&self, value: i64) -> Int {
        let width = signed_width(value, value);
        Int { term: self.value(width, value as u64 & (u64::MAX >> (64 - width))), low: value, high: value }
    }

    /// The low bits of an integer, or more copies of its sign.
    pub(super) fn bits(&self, a: Int, width: u32) -> Term {
        match width.checked_sub(self.width(a.term)) {
            Some(0) => a.term,
            Some(more) => self.mk(Op::SignExtend(more), &[a.term]),
            None => self.extract(a.term, width - 1, 0),
        }
    }

    pub(super) fn plus(&self, a: Int, b: Int) -> Int {
        let (low, high) = (a.low + b.low, a.high + b.high);
        let width = signed_width(low, high);
        Int { term: self.add(self.bits(a, width), self.bits(b, width)), low, high }
    }

    pub(super) fn minus(&self, a: Int, b: Int) -> Int {
        let (low, high) = (a.low - b.high, a.high - b.low);
        let width = signed_width(low, high);
        Int { term: self.sub(self.bits(a, width), self.bits(b, width)), low, high }
    }

    pub(super) fn shifted(&self, a: Int, by: i64) -> Int {
        self.plus(a, self.number(by))
    }

    pub(super) fn below(&self, a: Int, limit: i64) -> Term {
        if a.high < limit || a.low >= limit {
            return self.truth(a.high < limit);
        }
        let width = signed_width(a.low.min(limit), a.high.max(limit));
        self.mk(Op::BvSlt, &[self.bits(a, width), self.bits(self.number(limit), width)])
    }

    /// The integer, or the bound that it is beyond; not negative, as an unsigned word.
    pub(super) fn clamped(&self, a: Int, least: u32, most: u32) -> Term {
        let width = signed_width(a.low.min(0), a.high.max(most.into()));
        let (least_word, most_word) = (self.value(width, least), self.value(width, most));
        let word = self.ite(self.below(a, i64::from(most)), self.bits(a, width), most_word);
        let word = self.ite(self.below(a, i64::from(least)), least_word, word);
        self.resize(word, signed_width(0, most.into()) - 1 + u32::from(most == 0))
    }

    /// The first where the condition holds, else the second.
    pub(super) fn chosen(&self, condition: Term, a: Int, b: Int) -> Int {
        let (low, high) = (a.low.min(b.low), a.high.max(b.high));
        let width = signed_width(low, high);
        Int { term: self.ite(condition, self.bits(a, width), self.bits(b, width)), low, high }
    }

    /// Half of an even integer.
    pub(super) fn half(&self, a: Int) -> Int {
        let (low, high) = (a.low >> 1, a.high >> 1);
        Int {
            term: self.extract(self.bits(a, 1 + signed_width(low, high)), signed_width(low, high), 1),
            low,
            high,
        }
    }
}

/// What an operator on values, or one that a value decides, is.
fn simpler(terms: &mut Terms, op: Op, args: &[Term]) -> Result<Option<Term>, String> {
    let is = |terms: &Terms, at: usize, truth: bool| {
        terms.op(args[at]) == if truth { Op::True } else { Op::False }
    };
    let is_zero = |terms: &Terms, at: usize| terms.as_value(args[at]).is_some_and(|value| value.bits() == 0);
    Ok(match (op, args) {
        (Op::Not, &[a]) if terms.op(a) == Op::Not => Some(terms.args(a)[0]),
        (Op::And | Op::Or, &[a, _]) if is(terms, 1, op == Op::And) => Some(a),
        (Op::And | Op::Or, &[_, b]) if is(terms, 0, op == Op::And) => Some(b),
        (Op::And | Op::Or, _) if is(terms, 0, op == Op::Or) || is(terms, 1, op == Op::Or) => {
            Some(terms.truth(op == Op::Or))
        }
        (Op::And | Op::Or, &[a, b]) if a == b => Some(a),
        (Op::Eq, &[a, b]) if a == b => Some(terms.truth(true)),
        (Op::Ite, &[_, a, _]) if is(terms, 0, true) || a == args[2] => Some(a),
        (Op::Ite, &[_, _, b]) if is(terms, 0, false) => Some(b),
        (Op::Extract(high, low), &[a]) => {
            let (a, high, low) = part(terms, a, high, low);
            match terms.width(a) == Some(high - low + 1) {
                true => Some(a),
                false => match evaluated(terms, Op::Extract(high, low), &[a])? {
                    None => Some(terms.mk(Op::Extract(high, low), &[a])?),
                    value => value,
                },
            }
        }
        (Op::BvAdd | Op::BvShl | Op::BvLshr, &[a, _]) if is_zero(terms, 1) => Some(a),
        (Op::BvAdd, &[_, b]) if is_zero(terms, 0) => Some(b),
        _ => evaluated(terms, op, args)?,
    })
}

/// The part of a word made of parts that has all these bits, and where it has them.
fn part(terms: &Terms, mut a: Term, mut high: u32, mut low: u32) -> (Term, u32, u32) {
    while let (Op::Concat, &[upper, lower]) = (terms.op(a), terms.args(a)) {
        let split = terms.width(lower).unwrap_or(0);
        if high < split {
            a = lower;
        } else if low >= split {
            (a, high, low) = (upper, high - split, low - split);
        } else {
            break;
        }
    }
    (a, high, low)
}

fn evaluated(terms: &mut Terms, op: Op, args: &[Term]) -> Result<Option<Term>, String> {
    let values: Option<Vec<Value>> = args.iter().map(|&arg| terms.value_of(arg)).collect();
    let Some(values) = values.filter(|_| !args.is_empty() && args.iter().all(|&arg| terms.is_value(arg)))
    else {
        return Ok(None);
    };
    let words = values.iter().map(|value| u64::from(value.width) / 64 + 1).max().unwrap_or(1);
    let rows = if matches!(op, Op::BvMul | Op::BvUdiv | Op::BvUrem) { words } else { 1 };
    terms.budget.take(20 + words.saturating_mul(rows), 0)?;
    let Some(value) = evaluate::apply(op, &values) else { return Ok(None) };
    let truths = [Op::Not, Op::And, Op::Or, Op::Xor, Op::Eq, Op::BvUlt, Op::BvSlt];
    let is_truth = truths.contains(&op) || op == Op::Ite && terms.width(args[1]).is_none();
    match is_truth {
        true => Ok(Some(terms.truth(value.number.bits() > 0))),
        false => terms.value(value.width, value.number).map(Some),
    }
}
