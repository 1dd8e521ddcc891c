//! Polynomials over the parts of words: what multiplying out shows where words are taken to pieces.
//!
//! A word whose slices are used is the sum of its slices with weights: cut in the middle, `x = 2^h x1 + x0`,
//! as Karatsuba's product has it; cut into bits, it is what a multiplier goes through row by row.
//! Concatenations and extended words are such sums, too. A choice is `e + [c] (t - e)`, where the number
//! `[c]` is one if `c` holds: a product of bits and of differences of one and bits, if `c` says what some
//! bits are, as in a recoded multiplier (Booth's). The square of a bit is the bit. A remainder is `x - s (x /
//! s)`. So products and the programs and circuits that compute them by halves, rows or digits have one
//! polynomial.
//!
//! Cost: a budget of steps for each equation; a product of too many monomials is not opened.

mod cuts;

pub(super) use cuts::Cuts;

use bivalve_algebra::expansion::{WordPolynomial, extended_bit, one_if};
use bivalve_algebra::opening::{Law, Opening, Reckoner, opening};
use bivalve_algebra::polynomial::{Limits, Polynomial};
use bivalve_algebra::ring::{Ring, Weight, Words};
use bivalve_domains::{Analysis, Domain};
use bivalve_limits::Deadline;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term, TermSet};
use rustc_hash::FxHashMap;

/// Products of more monomials or factors are not opened.
const LIMITS: Limits = Limits { monomials: 1 << 10, degree: 32 };

/// So many steps are taken for one equation; a recoded product of 32 bits takes 7,000, 32 transfers between
/// four accounts more than half of these.
const MOST_STEPS: usize = 1 << 16;

/// What one pass may spend on equations that stay as they are; some hundredths of a second.
pub(super) const BUDGET: usize = 1 << 16;

/// Equations between narrower words are easy enough for a search; coefficients of wider ones are numbers that
/// take long to multiply.
pub(super) const WIDTHS: std::ops::RangeInclusive<u32> = 8..=1 << 12;

/// Conditions are opened to this depth, and so many bits of an equation are.
const MOST_DEPTH: u32 = 8;
const MOST_BITS: u32 = 4;

/// So many levels of operators are looked at for leading zeros.
const LEVELS: u32 = 5;

/// Has a word parts: is it one that nothing is known of?
pub(super) fn is_leaf(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::Symbol | Op::Select | Op::Apply)
}

/// A bit of a word, of the word that has it.
fn bit(pool: &mut Pool, mut word: Term, mut place: u32) -> Term {
    loop {
        match (pool.op(word), pool.args(word)) {
            (Op::Extract, &[whole]) => {
                place += pool.index(word);
                word = whole;
            }
            (Op::Concat, &[high, low]) => {
                let cut = pool.width(low).unwrap_or_default();
                (word, place) = if place < cut { (low, place) } else { (high, place - cut) };
            }
            _ => return make::extract(pool, word, place, place),
        }
    }
}

/// A word as a polynomial.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Word {
    term: Term,
    /// Whether the polynomial has the unsigned value of the word, or may differ from it by a multiple of two
    /// to the power of its width. Words of the width of the equation are not.
    is_exact: bool,
}

/// Polynomials in the making.
struct Parts<'a> {
    pool: &'a mut Pool,
    cuts: &'a Cuts,
    /// What is known of words.
    domains: Option<&'a Analysis>,
    width: u32,
    known: FxHashMap<Word, WordPolynomial>,
    /// The atoms that are bits.
    bits: TermSet,
    steps: usize,
}

/// The polynomial of `a - b`, if it takes few steps. What is known of words may be used for it.
pub(super) fn difference(
    pool: &mut Pool,
    [a, b]: [Term; 2],
    (cuts, domains): (&Cuts, Option<&Analysis>),
    budget: &mut usize,
    deadline: &Deadline,
) -> Option<WordPolynomial> {
    let width = pool.width(a)?;
    let steps = MOST_STEPS.min(*budget);
    let (known, bits) = Default::default();
    let mut parts = Parts { pool, cuts, domains, width, known, bits, steps };
    let polynomials = parts.of(a).and_then(|a| Some((a, parts.of(b)?)));
    let taken = steps - if polynomials.is_some() { parts.steps } else { 0 };
    *budget -= taken;
    if !deadline.step(taken as u64) {
        return None;
    }
    polynomials.map(|(mut a, b)| {
        a.add_scaled(&b, &BitVec::ones(width));
        a
    })
}

/// The number of low bits of a word that may be ones, as far as a look at some levels of operators tells.
pub(super) fn significant(pool: &Pool, word: Term, depth: u32) -> u32 {
    let width = pool.width(word).unwrap_or_default();
    if let Some(value) = pool.as_bitvec(word) {
        return width - value.leading_zeros();
    }
    let of = |&arg: &Term| significant(pool, arg, depth.saturating_sub(1));
    let args = pool.args(word);
    match pool.op(word) {
        Op::BvAdd | Op::BvMul if args.len() > 2 => width,
        _ if depth == 0 => width,
        Op::Concat => match args {
            [high, low] if pool.as_bitvec(*high).is_some_and(|high| high.is_zero()) => of(low),
            _ => width,
        },
        Op::ZeroExtend => of(&args[0]),
        Op::Extract if pool.index(word) == 0 => width.min(of(&args[0])),
        Op::BvAdd => width.min(args.iter().map(of).max().unwrap_or(width) + 1),
        Op::BvMul => width.min(args.iter().map(of).sum()),
        Op::BvUdiv => match pool.as_bitvec(args[1]) {
            Some(divisor) if !divisor.is_zero() => {
                of(&args[0]).saturating_sub(width - 1 - divisor.leading_zeros())
            }
            _ => width,
        },
        Op::Ite => of(&args[1]).max(of(&args[2])),
        _ => width,
    }
}

impl Reckoner for Parts<'_> {
    type Number = WordPolynomial;

    fn zero(&mut self) -> WordPolynomial {
        Polynomial::zero(Words(self.width))
    }

    fn one(&mut self) -> WordPolynomial {
        self.constant(BitVec::one(self.width))
    }

    fn add(&mut self, sum: &mut WordPolynomial, part: &WordPolynomial, weight: Weight) -> Option<()> {
        self.spend(part.len() + 1)?;
        sum.add_scaled(part, &Words(self.width).weight(weight));
        Some(())
    }

    /// The square of a bit is the bit.
    fn product(&mut self, a: &WordPolynomial, b: &WordPolynomial) -> Option<WordPolynomial> {
        self.spend(a.len() * b.len() + 1)?;
        a.times_within(b, LIMITS, |&atom| self.bits.contains(atom))
    }
}

impl Parts<'_> {
    fn constant(&self, value: BitVec) -> WordPolynomial {
        Polynomial::of_constant(Words(self.width), value)
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// The number of low bits of a word that may be ones.
    fn significant(&self, word: Term) -> u32 {
        let seen = significant(self.pool, word, LEVELS);
        let domain = self.domains.and_then(|domains| domains.domain(word));
        let most = domain.filter(|_| self.pool.sort(word).is_bitvec()).map(Domain::greatest);
        most.map_or(seen, |most| seen.min(most.width() - most.leading_zeros()))
    }

    fn word(&self, term: Term, is_exact: bool) -> Word {
        Word { term, is_exact: is_exact && self.pool.width(term) != Some(self.width) }
    }

    /// The polynomial of a word of the width of the equation. Depth is memory, not recursion.
    fn of(&mut self, root: Term) -> Option<WordPolynomial> {
        let root = self.word(root, false);
        let mut stack = vec![root];
        while let Some(&word) = stack.last() {
            if self.known.contains_key(&word) {
                stack.pop();
                continue;
            }
            self.steps = self.steps.checked_sub(1)?;
            let operands = self.operands(word);
            let before = stack.len();
            stack.extend(operands.iter().copied().filter(|operand| !self.known.contains_key(operand)));
            if stack.len() == before {
                stack.pop();
                let known: Vec<WordPolynomial> =
                    operands.iter().map(|operand| self.known[operand].clone()).collect();
                let polynomial = self.combine(word, &known)?;
                self.known.insert(word, polynomial);
            }
        }
        self.known.get(&root).cloned()
    }

    /// How a word opens, if sums and products do not overflow where that matters.
    fn opening(&self, Word { term, is_exact }: Word) -> Option<Opening> {
        opening(self.pool, term, is_exact, |pool, op, args| {
            let (of, width) = (args.iter().map(|&arg| self.significant(arg)), pool.width(term));
            match op {
                Op::BvAdd => args.len() == 2 && of.max() < width,
                _ => Some(of.sum::<u32>()) <= width,
            }
        })
    }

    /// The words whose polynomials that of a word is made of; none if it is an atom, or parts of a word.
    fn operands(&self, word: Word) -> Vec<Word> {
        let Word { term, is_exact } = word;
        let pool = &self.pool;
        let args = pool.args(term);
        let all = |is_exact: bool| args.iter().map(|&arg| self.word(arg, is_exact)).collect();
        let width = pool.width(term).unwrap_or_default();
        let of = |&arg: &Term| self.significant(arg);
        match pool.op(term) {
            Op::SignExtend if self.is_cut(args[0]) => all(true),
            Op::Extract
                if pool.index(term) == 0
                    && !is_leaf(pool, args[0])
                    && pool.width(args[0]) <= Some(self.width)
                    && (!is_exact || of(&args[0]) <= width) =>
            {
                all(is_exact)
            }
            _ => match self.opening(word) {
                Some(opening) => opening.operands.into_iter().map(|(arg, is)| self.word(arg, is)).collect(),
                None => vec![],
            },
        }
    }

    /// The polynomial of a word, given those of its operands.
    fn combine(&mut self, word: Word, known: &[WordPolynomial]) -> Option<WordPolynomial> {
        let term = word.term;
        let args = self.pool.args(term).to_vec();
        let width = self.pool.width(term)?;
        if let Some(value) = self.pool.as_bitvec(term) {
            return Some(self.constant(value.zero_extend(self.width - width)));
        }
        let [first, ..] = known else { return self.leaf(term) };
        if self.pool.op(term) == Op::SignExtend {
            // Bits above are ones if the sign is.
            let low = self.pool.width(args[0])?;
            let sign = bit(self.pool, args[0], low - 1);
            let (mut sum, sign) = (first.clone(), self.leaf(sign)?);
            self.add(&mut sum, &sign, Weight::Power(width))?;
            self.add(&mut sum, &sign.scaled(&BitVec::ones(self.width)), Weight::Power(low))?;
            return Some(sum);
        }
        let Some(Opening { law, .. }) = self.opening(word) else { return Some(first.clone()) };
        let mut parts = known.to_vec();
        match law {
            Law::Choice => parts.insert(0, self.one_if(args[0], MOST_DEPTH)?),
            Law::Remainder(division) => parts.push(self.quotient(division, args[0], args[1])?),
            Law::Sum(..) | Law::Product => {}
        }
        match law.of(self, &parts) {
            None if self.steps > 0 => self.atom(term),
            opened => opened,
        }
    }

    fn is_cut(&self, word: Term) -> bool {
        !self.cuts.of(word).is_empty() || self.pool.op(word) == Op::Concat
    }

    /// A term as a number that nothing is known of.
    fn atom(&mut self, word: Term) -> Option<WordPolynomial> {
        let width = self.pool.width(word)?;
        let atom = match width {
            _ if width == self.width => word,
            _ if width > self.width => return None,
            1 => {
                let bit = extended_bit(self.pool, word, self.width);
                self.bits.insert(bit);
                bit
            }
            _ => {
                let zeros = make::zeros_or_none(self.pool, self.width - width);
                make::concat(self.pool, &[zeros, Some(word)])
            }
        };
        Some(Polynomial::of_atom(Words(self.width), atom))
    }

    /// A word as the sum of its parts, if nothing else is known of it.
    fn leaf(&mut self, word: Term) -> Option<WordPolynomial> {
        let width = self.pool.width(word)?;
        let (whole, low) = match (self.pool.op(word), self.pool.args(word)) {
            (Op::Extract, &[whole]) if is_leaf(self.pool, whole) => (whole, self.pool.index(word)),
            (Op::BvUdiv, &[dividend, divisor]) => return self.quotient(Op::BvUdiv, dividend, divisor),
            _ if is_leaf(self.pool, word) => (word, 0),
            _ => return self.atom(word),
        };
        let high = low + width;
        let inner = self.cuts.of(whole).iter().copied().filter(|place| (low + 1..high).contains(place));
        let starts: Vec<u32> = [low].into_iter().chain(inner).collect();
        let mut sum = Polynomial::zero(Words(self.width));
        for (at, &start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(high);
            let part = make::extract(self.pool, whole, end - 1, start);
            let part = self.atom(part)?;
            self.add(&mut sum, &part, Weight::Power(start - low))?;
        }
        Some(sum)
    }

    /// A quotient. By constants, one after the other, it is one by their product, and of as many bits as the
    /// dividend was given.
    fn quotient(&mut self, division: Op, mut dividend: Term, divisor: Term) -> Option<WordPolynomial> {
        let by = self.pool.as_bitvec(divisor).filter(|by| !by.is_zero()).and_then(|by| by.to_u64());
        let Some(mut by) = by.filter(|_| division == Op::BvUdiv) else {
            let quotient = make::app(self.pool, division, &[dividend, divisor]);
            return self.atom(quotient);
        };
        loop {
            let pool = &*self.pool;
            let args = pool.args(dividend);
            match (pool.op(dividend), args) {
                (Op::ZeroExtend, &[low]) => dividend = low,
                (Op::Concat, &[high, low]) if pool.as_bitvec(high).is_some_and(|high| high.is_zero()) => {
                    dividend = low;
                }
                (Op::Extract, &[whole])
                    if pool.index(dividend) == 0 && Some(self.significant(whole)) <= pool.width(dividend) =>
                {
                    dividend = whole;
                }
                (Op::BvUdiv, &[whole, first]) => {
                    let first = pool.as_bitvec(first).filter(|first| !first.is_zero());
                    match first.and_then(|first| first.to_u64()?.checked_mul(by)) {
                        Some(both) => (dividend, by) = (whole, both),
                        None => break,
                    }
                }
                _ => break,
            }
        }
        let width = self.pool.width(dividend)?;
        if width < u64::BITS && by >> width > 0 {
            return Some(self.constant(BitVec::zero(self.width)));
        }
        let divisor = self.pool.bv_u64(by, width);
        let quotient = make::app(self.pool, Op::BvUdiv, &[dividend, divisor]);
        self.atom(quotient)
    }

    /// The number that is one where a condition holds, and zero elsewhere.
    fn one_if(&mut self, condition: Term, depth: u32) -> Option<WordPolynomial> {
        let args = self.pool.args(condition).to_vec();
        let mut product = self.one();
        match (self.pool.op(condition), &args[..]) {
            (Op::Not, &[arg]) if depth > 0 => {
                let other = self.one_if(arg, depth - 1)?;
                self.add(&mut product, &other, Weight::MinusOne)?;
                return Some(product);
            }
            (Op::And, args) if depth > 0 => {
                for &arg in args {
                    let other = self.one_if(arg, depth - 1)?;
                    match self.product(&product, &other) {
                        Some(opened) => product = opened,
                        None if self.steps > 0 => return self.one_if(condition, 0),
                        None => return None,
                    }
                }
                return Some(product);
            }
            (Op::Eq, &[a, b])
                if let Some(value) = self.pool.as_bitvec(b).or_else(|| self.pool.as_bitvec(a))
                    && value.width() <= MOST_BITS =>
            {
                let word = if self.pool.is_const(b) { a } else { b };
                for place in 0..value.width() {
                    let bit = bit(self.pool, word, place);
                    let (mut number, mut other) = (self.leaf(bit)?, self.one());
                    if !value.bit(place) {
                        self.add(&mut other, &number, Weight::MinusOne)?;
                        number = other;
                    }
                    product = self.product(&product, &number)?;
                }
                return Some(product);
            }
            _ => {}
        }
        let one = one_if(self.pool, condition, self.width);
        self.bits.insert(one);
        Some(Polynomial::of_atom(Words(self.width), one))
    }
}

#[cfg(test)]
mod tests;
