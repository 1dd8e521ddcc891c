//! Numbers that are computed digit by digit: sums and products whose low bits and carries go separate ways.
//!
//! A library for long numbers multiplies limb by limb and adds the upper half of each product to the next
//! column; a count of bits adds fields within a word; the upper half of a product is put together from four
//! products of halves. Here a word is a polynomial over the whole numbers ([`numbers`]) whose atoms are parts
//! of words and remainders by powers of two: the low `k` bits of what `F` is are `F mod 2^k`, one atom for
//! each `F`, and what is above them is `(F - F mod 2^k) / 2^k`, with no atom of its own. So digits put
//! together again are the number, and two ways to compute the upper half differ by remainders over `2^k`,
//! whose bounds leave nothing but zero. An order that a carry is read from is a quotient, too. Words that
//! something else reads, such as two forms of one index, are one word if they are one number.
//!
//! Why it is correct: all steps are laws of whole numbers, and a sum that could overflow is a remainder.
//! Whose idea: the parts are those of [`super::parts`]; carries as remainders are ours. Cost: values of the
//! cone under [`samples`], and for what holds there the polynomials below, within [`MOST_STEPS`] monomials.

mod cuts;
mod numbers;
mod samples;
#[cfg(test)]
mod sum_tests;
#[cfg(test)]
mod tests;

use crate::change::Change;
use crate::problem::Problem;
use bivalve_algebra::opening::{Law, Opening, opening};
use bivalve_algebra::ring::integer;
use bivalve_domains::{Analysis, Facts};
use bivalve_limits::Deadline;
use bivalve_terms::{BitVec, Op, Pool, Term};
use cuts::Cuts;
use num_bigint::BigInt;
use numbers::{Number, Numbers, power};
use rustc_hash::FxHashMap;
use samples::Claim;

/// Monomials that are made in one run.
const MOST_STEPS: usize = 1 << 17;

/// Monomials of equations that are not shown, of which there may be many, and of pairs of words that are not.
const MOST_IN_VAIN: usize = 1 << 15;
const MOST_FOR_WORDS: usize = 1 << 12;

/// Monomials that are left for orders, which are looked at last.
const MOST_FOR_ORDERS: usize = 1 << 13;

/// Equations of more terms, such as those of floating-point numbers, are not looked at, and pairs of words of
/// more terms neither.
const MOST_TERMS: usize = 1 << 11;
const MOST_TERMS_OF_WORDS: usize = 1 << 9;

/// A condition with more monomials is an atom.
const MOST_OF_CONDITION: usize = 32;

/// Words of more bits have no polynomials.
const MOST_WIDTH: u32 = 1 << 12;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let cone = problem.cone(pool);
    if !cone.iter().any(|&term| is_cut_sum(pool, term)) {
        return None;
    }
    let claims = samples::claims(pool, cone, problem.deadline);
    if claims.is_empty() {
        return None;
    }
    let mut digits = Digits::new(pool, cone, problem.deadline)?;
    let (mut decided, mut in_vain) = (vec![], 0);
    for (term, claim) in claims {
        let is_equation = pool.op(term) == Op::Eq;
        let most_in_vain = match claim {
            Claim::Is(_) if !is_equation => {
                digits.numbers.steps = digits.numbers.steps.min(MOST_FOR_ORDERS);
                usize::MAX
            }
            Claim::Is(_) => MOST_IN_VAIN,
            Claim::Equals(_) => MOST_FOR_WORDS,
        };
        if in_vain > most_in_vain {
            continue;
        }
        let before = digits.numbers.steps;
        let becomes = match claim {
            Claim::Is(value) => (digits.decided(pool, term) == Some(value)).then(|| pool.bool(value)),
            Claim::Equals(other) => digits.are_equal(pool, [term, other]).then_some(other),
        };
        let steps = before - digits.numbers.steps;
        match becomes {
            Some(becomes) => decided.push(Change::unshown(term, becomes)),
            None => in_vain += steps,
        }
        if !problem.deadline.step(steps as u64) {
            break;
        }
    }
    (!decided.is_empty()).then_some(decided)
}

/// Is it a part of a sum or of a product, or a word that is wider than one, or a sum of bits?
fn is_cut_sum(pool: &Pool, term: Term) -> bool {
    let args = pool.args(term);
    let is_sum = |&arg: &Term| matches!(pool.op(arg), Op::BvAdd | Op::BvMul | Op::BvNeg);
    let is_bit = |&arg: &Term| {
        pool.op(arg) == Op::Concat && pool.args(arg).last().is_some_and(|&low| pool.width(low) == Some(1))
    };
    match pool.op(term) {
        Op::Concat | Op::ZeroExtend | Op::SignExtend | Op::Extract | Op::BvAnd | Op::BvLshr => {
            args.iter().any(is_sum)
        }
        Op::BvAdd => args.iter().any(is_bit),
        _ => false,
    }
}

/// Words as numbers.
struct Digits {
    cuts: Cuts,
    domains: Analysis,
    numbers: Numbers,
    /// Numbers that are congruent to words modulo 2 to the power of their width; truth values are zero or
    /// one.
    words: FxHashMap<Term, Number>,
}

fn constant(value: i64) -> Number {
    Number::constant(BigInt::from(value))
}

impl Digits {
    /// Nothing is known of the terms yet, which come after their arguments.
    fn new(pool: &Pool, below: &[Term], deadline: &Deadline) -> Option<Digits> {
        let domains = Analysis::forward(pool, below, &Facts::default(), deadline)?;
        let (cuts, words) = (Cuts::new(pool, below), FxHashMap::default());
        Some(Digits { cuts, domains, numbers: Numbers::new(MOST_STEPS), words })
    }

    /// A number of its own for a term, if it is a word or a truth value.
    fn atom(&mut self, pool: &Pool, term: Term) -> Option<Number> {
        let width = if pool.sort(term).is_bool() { 1 } else { pool.width(term)? };
        Some(self.numbers.atom(width))
    }

    /// What a word is congruent to.
    fn word(&mut self, pool: &mut Pool, term: Term) -> Option<Number> {
        if let Some(number) = self.words.get(&term) {
            return Some(number.clone());
        }
        let number = self.leaf(pool, term)?;
        self.words.insert(term, number.clone());
        Some(number)
    }

    /// A word that nothing is known of as the sum of its parts.
    fn leaf(&mut self, pool: &mut Pool, term: Term) -> Option<Number> {
        let width = match pool.width(term) {
            Some(width) => width,
            None => return self.atom(pool, term),
        };
        let mut starts = self.cuts.of(term).to_vec();
        starts.insert(0, 0);
        let mut sum = constant(0);
        for (place, &start) in starts.iter().enumerate() {
            let end = starts.get(place + 1).copied().unwrap_or(width);
            let part = self.numbers.atom(end - start);
            sum = self.numbers.plus(&sum, &part, &power(start))?;
        }
        Some(sum)
    }

    /// The value of a word without sign.
    fn unsigned(&mut self, pool: &mut Pool, term: Term) -> Option<Number> {
        let width = pool.width(term)?;
        let number = self.word(pool, term)?;
        let mut number = self.numbers.remainder(&number, width)?;
        if let Some(domain) = self.domains.domain(term) {
            number = number.within(integer(domain.least()), integer(domain.greatest()));
        }
        Some(number)
    }

    /// The value of a word with sign.
    fn signed(&mut self, pool: &mut Pool, term: Term) -> Option<Number> {
        let width = pool.width(term)?;
        let (number, half) = (self.word(pool, term)?, power(width - 1));
        if number.low >= -&half && number.high < half {
            return Some(number);
        }
        let number = self.unsigned(pool, term)?;
        let top = self.numbers.floor(&number, width - 1)?;
        let signed = self.numbers.plus(&number, &top, &-power(width))?;
        Some(signed.within(-&half, half - 1))
    }

    /// What a term is congruent to by its operator; `None` if it is an atom, or there are no steps left.
    fn number(&mut self, pool: &mut Pool, term: Term) -> Option<Number> {
        if let Some(value) = pool.as_bool(term) {
            return Some(constant(i64::from(value)));
        }
        if pool.sort(term).is_bool() {
            return self.truth(pool, term);
        }
        let width = pool.width(term).filter(|&width| width <= MOST_WIDTH)?;
        if let Some(value) = pool.as_bitvec(term) {
            return Some(Number::constant(integer(&value)));
        }
        let (op, args) = (pool.op(term), pool.args(term).to_vec());
        if let Some(Opening { law: law @ (Law::Sum(..) | Law::Product), operands }) =
            opening(pool, term, false, |_, _, _| false)
        {
            let part =
                |(arg, is_exact)| if is_exact { self.unsigned(pool, arg) } else { self.word(pool, arg) };
            let parts: Vec<Number> = operands.into_iter().map(part).collect::<Option<_>>()?;
            return law.of(&mut self.numbers, &parts);
        }
        match (op, &args[..]) {
            (Op::Symbol | Op::Select | Op::Apply, _) => self.leaf(pool, term),
            (Op::SignExtend, &[arg]) => self.signed(pool, arg),
            (Op::Extract, &[arg]) => {
                let (number, low) = (self.word(pool, arg)?, pool.index(term));
                // Without what is above, if that is known.
                let number = self.numbers.known_remainder(&number, low + width)?.unwrap_or(number);
                if low == 0 { Some(number) } else { self.numbers.floor(&number, low) }
            }
            (Op::BvLshr, &[arg, by]) => {
                let by = u32::try_from(pool.as_u64(by)?).ok().filter(|&by| by < width)?;
                let number = self.unsigned(pool, arg)?;
                self.numbers.floor(&number, by)
            }
            (Op::BvAnd, &[a, b]) if pool.is_const(a) || pool.is_const(b) => {
                let [mask, arg] = if pool.is_const(a) { [a, b] } else { [b, a] };
                let mask = pool.as_bitvec(mask)?;
                self.masked(pool, arg, &mask)
            }
            (Op::BvOr | Op::BvXor, args) if self.is_disjoint(args, width) => {
                let mut sum = constant(0);
                for &arg in args {
                    let number = self.word(pool, arg)?;
                    sum = self.numbers.plus(&sum, &number, &BigInt::from(1))?;
                }
                Some(sum)
            }
            (Op::BvAnd | Op::BvOr | Op::BvXor, args) => self.bitwise(pool, term, args),
            (Op::Ite, &[condition, a, b]) => {
                let (condition, a, b) =
                    (self.word(pool, condition)?, self.word(pool, a)?, self.word(pool, b)?);
                self.choice(&condition, [&a, &b])
            }
            _ => None,
        }
    }

    /// One of two numbers.
    fn choice(&mut self, condition: &Number, [a, b]: [&Number; 2]) -> Option<Number> {
        let chosen = Law::Choice.of(&mut self.numbers, &[condition.clone(), a.clone(), b.clone()])?;
        let (low, high) = (a.low.clone().min(b.low.clone()), a.high.clone().max(b.high.clone()));
        Some(chosen.within(low, high))
    }

    /// The bits of a word where a mask has ones.
    fn masked(&mut self, pool: &mut Pool, word: Term, mask: &BitVec) -> Option<Number> {
        let number = self.word(pool, word)?;
        let width = mask.width();
        let (mut sum, mut at) = (constant(0), 0);
        while at < width {
            let is_one = mask.bit(at);
            let end = (at..width).find(|&place| mask.bit(place) != is_one).unwrap_or(width);
            if is_one {
                let below = self.numbers.remainder(&number, at)?;
                let upper =
                    if end == width { number.clone() } else { self.numbers.remainder(&number, end)? };
                let run = self.numbers.plus(&upper, &below, &BigInt::from(-1))?;
                let run = if end == width { run } else { run.within(BigInt::ZERO, power(end) - power(at)) };
                sum = self.numbers.plus(&sum, &run, &BigInt::from(1))?;
            }
            at = end;
        }
        Some(self.numbers.tightened(sum))
    }

    /// A bitwise operator by the parts in which its result is used; those of one bit are products and sums.
    fn bitwise(&mut self, pool: &mut Pool, term: Term, args: &[Term]) -> Option<Number> {
        let width = pool.width(term)?;
        let mut ends = self.cuts.of(term).to_vec();
        ends.push(width);
        let starts = [0].into_iter().chain(ends.clone());
        let parts: Vec<(u32, u32)> = starts.zip(ends).collect();
        if !parts.iter().any(|&(start, end)| end - start == 1) {
            return None;
        }
        let op = match pool.op(term) {
            Op::BvAnd => Op::And,
            Op::BvOr => Op::Or,
            _ => Op::Xor,
        };
        let mut sum = constant(0);
        for (start, end) in parts {
            let part = if end - start > 1 {
                self.numbers.atom(end - start)
            } else {
                let mut bits = vec![];
                for &arg in args {
                    let number = self.word(pool, arg)?;
                    let upper = self.numbers.remainder(&number, end)?;
                    bits.push(self.numbers.floor(&upper, start)?);
                }
                let bit = self.connective(op, &bits)?;
                self.numbers.bit(bit)
            };
            sum = self.numbers.plus(&sum, &part, &power(start))?;
        }
        Some(sum)
    }

    /// Has no place a one in two of the words?
    fn is_disjoint(&self, words: &[Term], width: u32) -> bool {
        let mut taken = BitVec::zero(width);
        words.iter().all(|&word| {
            let Some(domain) = self.domains.domain(word) else { return false };
            let (known, ones) = domain.known();
            let maybe = known.not().or(ones);
            let is_free = taken.and(&maybe).is_zero();
            taken = taken.or(&maybe);
            is_free
        })
    }

    /// What bits make.
    fn connective(&mut self, op: Op, bits: &[Number]) -> Option<Number> {
        let (one, minus_one) = (BigInt::from(1), BigInt::from(-1));
        let mut result: Option<Number> = None;
        for bit in bits {
            let Some(before) = result else {
                result = Some(bit.clone());
                continue;
            };
            let both = self.numbers.times(&before, bit).filter(|both| both.size() <= MOST_OF_CONDITION)?;
            result = match op {
                Op::And => Some(both),
                _ => {
                    let sum = self.numbers.plus(&before, bit, &one)?;
                    let factor = if op == Op::Or { minus_one.clone() } else { BigInt::from(-2) };
                    Some(self.numbers.plus(&sum, &both, &factor)?.within(BigInt::ZERO, one.clone()))
                }
            };
        }
        result
    }

    /// A truth value as a number.
    fn truth(&mut self, pool: &mut Pool, term: Term) -> Option<Number> {
        let (op, args) = (pool.op(term), pool.args(term).to_vec());
        let is_bit = |pool: &Pool, arg: Term| pool.sort(arg).is_bool() || pool.width(arg) == Some(1);
        match (op, &args[..]) {
            (Op::Not, &[arg]) => {
                let number = self.word(pool, arg)?;
                self.numbers.plus(&constant(1), &number, &BigInt::from(-1))
            }
            (Op::And | Op::Or | Op::Xor, args) => {
                let mut bits = vec![];
                for &arg in args {
                    bits.push(self.word(pool, arg)?);
                }
                self.connective(op, &bits)
            }
            (Op::Eq, &[a, b]) if is_bit(pool, a) => {
                let mut bits = vec![];
                for arg in [a, b] {
                    bits.push(match pool.sort(arg).is_bool() {
                        true => self.word(pool, arg)?,
                        false => self.unsigned(pool, arg)?,
                    });
                }
                let differ = self.connective(Op::Xor, &bits)?;
                self.numbers.plus(&constant(1), &differ, &BigInt::from(-1))
            }
            (Op::BvUlt, &[a, b]) => self.carry(pool, [a, b]),
            (Op::BvUle, &[a, b]) => {
                let greater = self.carry(pool, [b, a])?;
                self.numbers.plus(&constant(1), &greater, &BigInt::from(-1))
            }
            _ => None,
        }
    }

    /// Whether `a < b`, as the borrow of `a - b`, if that takes no new atom.
    fn carry(&mut self, pool: &mut Pool, [a, b]: [Term; 2]) -> Option<Number> {
        let width = pool.width(a)?;
        let (a, b) = (self.unsigned(pool, a)?, self.unsigned(pool, b)?);
        let difference = self.numbers.plus(&a, &b, &BigInt::from(-1))?;
        let rest = self.numbers.known_remainder(&difference, width)?.ok()?;
        let borrow = self.numbers.quotient(&difference, &rest, width)?;
        let borrow = self.numbers.plus(&constant(0), &borrow, &BigInt::from(-1))?;
        Some(borrow.within(BigInt::ZERO, BigInt::from(1)))
    }

    /// Finds the numbers of what is at and below some terms, if these are few enough.
    fn take_in(&mut self, pool: &mut Pool, terms: &[Term], most: usize) -> bool {
        let below = bivalve_terms::cone(pool, terms);
        let is_small = below.len() <= most;
        for term in below.into_iter().filter(|_| is_small) {
            if !self.words.contains_key(&term)
                && let Some(number) = self.number(pool, term).or_else(|| self.atom(pool, term))
            {
                self.words.insert(term, number);
            }
        }
        is_small
    }

    /// Whether a comparison always holds, or never, as far as that is seen.
    fn decided(&mut self, pool: &mut Pool, comparison: Term) -> Option<bool> {
        let &[a, b] = pool.args(comparison) else { return None };
        let op = pool.op(comparison);
        if !self.take_in(pool, &[a, b], MOST_TERMS) {
            return None;
        }
        let [a, b] = match op {
            Op::Eq => return self.is_zero(pool, [a, b]),
            Op::BvUlt | Op::BvUle => [self.unsigned(pool, a)?, self.unsigned(pool, b)?],
            Op::BvSlt | Op::BvSle => [self.signed(pool, a)?, self.signed(pool, b)?],
            _ => return None,
        };
        let difference = self.numbers.plus(&a, &b, &BigInt::from(-1))?;
        let Number { low, high, .. } = self.numbers.tightened(difference);
        match op {
            Op::BvUlt | Op::BvSlt => {
                (high < BigInt::ZERO || low >= BigInt::ZERO).then_some(high < BigInt::ZERO)
            }
            _ => (high <= BigInt::ZERO || low > BigInt::ZERO).then_some(high <= BigInt::ZERO),
        }
    }

    /// Whether two words are always the same, as far as that is seen.
    fn are_equal(&mut self, pool: &mut Pool, words: [Term; 2]) -> bool {
        self.take_in(pool, &words, MOST_TERMS_OF_WORDS) && self.is_zero(pool, words) == Some(true)
    }

    /// Whether the difference of words is zero modulo the power of two, or never.
    fn is_zero(&mut self, pool: &mut Pool, [a, b]: [Term; 2]) -> Option<bool> {
        let width = pool.width(a)?;
        let (a, b) = (self.word(pool, a)?, self.word(pool, b)?);
        let difference = self.numbers.plus(&a, &b, &BigInt::from(-1))?;
        self.numbers.is_multiple(&difference, width)
    }
}
