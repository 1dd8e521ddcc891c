//! What a bit-vector term is once its sums and products are multiplied out: a polynomial over the integers
//! modulo 2^w, whose atoms are the terms that are no sum, product or shift by a constant.
//!
//! A shift by a constant is seen in its normal form, `(concat x[w-1-j:0] 0)`: that is `2^j · x`, and where
//! `x` has fewer bits, they are multiplied at full width, as the upper ones fall out.
//!
//! A choice between two sums that differ by little is one of them and a multiple of a number that is one or
//! zero, `x + k·[c]`, and so is an extended bit, so counters that are written in different ways have one
//! polynomial, and what is taken from one account is what another one gets.
//!
//! Multiplying out can be exponential, so everything is budgeted: a term that takes too many steps
//! has no polynomial here, and a product that would have too many monomials is an atom.

use crate::opening::summands;
use crate::polynomial::{Limits, Monomial, Polynomial};
use crate::ring::{Ring, Weight, Words};
use crate::truth_tables::is_bitwise;
use crate::{bitwise, choices};
use bivalve_limits::Deadline;
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Term};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// More steps than this are not taken for one term.
const MOST_STEPS: usize = 4096;

/// A step here, which adds a monomial, takes as long as so many steps of a walk.
const COST_OF_STEP: u64 = 8;

/// More steps than this are not taken for the two branches of a choice.
const MOST_STEPS_OF_BRANCHES: usize = 64;

/// The branches of a choice that is opened differ by so many monomials at most: a value that is moved from
/// one place to another is one, and a number beside it a second one.
const MOST_MONOMIALS_OF_DISTANCE: usize = 2;

/// What one pass may spend on polynomials in all; a fraction of a second.
pub const BUDGET: usize = 400_000;

/// A product with more monomials is left as it is. Its factors are bounded by the depth.
const LIMITS: Limits = Limits { monomials: 64, degree: 1 << MOST_DEPTH };

/// Products are opened to this depth.
const MOST_DEPTH: usize = 5;

/// A polynomial over the integers modulo 2 to the power of the width of its atoms.
pub type WordPolynomial = Polynomial<Words, Term>;

impl WordPolynomial {
    /// The polynomial of `a - b`, if it takes few steps; those taken are taken off the budget.
    pub fn difference(
        pool: &mut Pool,
        [a, b]: [Term; 2],
        opened: Opened,
        budget: &mut usize,
        deadline: &Deadline,
    ) -> Option<WordPolynomial> {
        let width = pool.width(a)?;
        let left = usize::try_from(deadline.left() / COST_OF_STEP).unwrap_or(usize::MAX);
        let steps = MOST_STEPS.min(*budget).min(left);
        let mut expansion = Expansion { sum: Polynomial::zero(Words(width)), steps, opened };
        let added = expansion.add_difference(pool, [a, b], 0);
        let taken = added.map_or(steps, |()| steps - expansion.steps);
        *budget -= taken;
        if !deadline.step(taken as u64 * COST_OF_STEP) {
            return None;
        }
        added.map(|()| expansion.sum)
    }

    /// The width of its values.
    pub fn width(&self) -> u32 {
        self.ring().0
    }

    /// Is it never zero, because all monomials but the constant are divisible by a power of two that the
    /// constant is not divisible by?
    pub fn is_never_zero(&self) -> bool {
        self.constant().trailing_zeros() < self.common_zeros()
    }

    /// All coefficients but the constant are divisible by 2 to the power of this; the width if there are
    /// none.
    pub fn common_zeros(&self) -> u32 {
        let coefficients = self.monomials().filter(|(monomial, _)| !monomial.is_empty());
        coefficients.map(|(_, coefficient)| coefficient.trailing_zeros()).min().unwrap_or(self.width())
    }

    /// A term of this value. Coefficients beside which their negation has fewer ones are negated.
    pub fn term(&self, pool: &mut Pool) -> Term {
        let mut sum: Option<Term> = None;
        for (monomial, coefficient) in self.monomials() {
            let factors = monomial.iter().copied();
            let product = factors.reduce(|a, b| make::app(pool, Op::BvMul, &[a, b]));
            let constant = pool.bitvec(coefficient);
            let summand = match product {
                None => constant,
                Some(product) if coefficient.is_one() => product,
                Some(product) if coefficient.is_ones() => make::app(pool, Op::BvNeg, &[product]),
                Some(product) => make::app(pool, Op::BvMul, &[constant, product]),
            };
            sum = Some(sum.map_or(summand, |sum| make::app(pool, Op::BvAdd, &[sum, summand])));
        }
        sum.unwrap_or_else(|| make::zeros(pool, self.width()))
    }

    /// An equation that says that this is zero: monomials with cheap coefficients stay on the one side, those
    /// whose negation is cheaper go to the other one, and a power of two that divides everything is divided
    /// out.
    pub fn is_zero(&self, pool: &mut Pool) -> Term {
        let zeros = self.common_zeros();
        if zeros >= self.width() || self.is_never_zero() {
            return pool.bool(self.constant().is_zero());
        }
        let mut sides = [(); 2].map(|()| Polynomial::zero(*self.ring()));
        for (monomial, coefficient) in self.monomials() {
            let coefficient = coefficient.ashr_by(zeros);
            let opposite = coefficient.neg();
            let swap = monomial.is_empty() || digits(&opposite) < digits(&coefficient);
            let (side, coefficient) = if swap { (1, opposite) } else { (0, coefficient) };
            sides[side].add_monomial(monomial.clone(), coefficient);
        }
        let [left, right] = sides.map(|side| {
            let whole = side.term(pool);
            make::extract(pool, whole, self.width() - 1 - zeros, 0)
        });
        make::eq(pool, left, right)
    }

    /// About how many adders of full width it takes.
    pub fn cost(&self) -> u64 {
        let cost = |(monomial, coefficient): (&Monomial, &BitVec)| {
            let rows = u64::from(digits(coefficient).min(digits(&coefficient.neg())));
            match monomial.len() {
                0 => 1,
                factors => rows + (factors as u64 - 1) * u64::from(self.width()),
            }
        };
        self.monomials().map(cost).sum()
    }
}

/// The digits of a constant that are not zero when it is written with digits 1 and -1, as multipliers do.
fn digits(constant: &BitVec) -> u32 {
    // Ones of 3k xor k, a known identity for the non-adjacent form; one bit is lost at the top.
    let triple = constant.add(&constant.shl_by(1));
    triple.xor(constant).count_ones()
}

/// Which terms are seen as polynomials, not as atoms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opened {
    /// Sums, products, shifts by constants, and complements. A choice between constants is an atom, so that
    /// equations can be solved for it.
    Arithmetic,
    /// Choices and extended bits, too, which shows what is equal.
    Choices,
    /// Concatenations, too, as sums of their parts, each extended and shifted: what is solved for bytes.
    Parts,
    /// Sums, products and choices, and bitwise terms as sums of conjunctions ([`bitwise`]), also those
    /// that conditions of choices between constants are ([`choices`]).
    Bitwise,
}

/// Terms that are still to be opened, each with its coefficient. The youngest is opened first, after all
/// terms that it is a summand of: each is opened once, and not at all where its coefficients add up to zero,
/// so that long sums that share most of their summands differ in few steps.
#[derive(Default)]
struct Summands(BTreeMap<Term, BitVec>);

impl Summands {
    fn add(&mut self, term: Term, coefficient: BitVec) {
        match self.0.entry(term) {
            Entry::Vacant(entry) => drop(entry.insert(coefficient)),
            Entry::Occupied(mut entry) => {
                let sum = entry.get().add(&coefficient);
                entry.insert(sum);
            }
        }
    }

    fn next(&mut self) -> Option<(Term, BitVec)> {
        std::iter::from_fn(|| self.0.pop_last()).find(|(_, coefficient)| !coefficient.is_zero())
    }
}

/// A polynomial in the making, and the steps left.
struct Expansion {
    sum: WordPolynomial,
    steps: usize,
    opened: Opened,
}

impl Expansion {
    /// Adds `a - b`; `None` if it takes too many steps.
    fn add_difference(&mut self, pool: &mut Pool, [a, b]: [Term; 2], depth: usize) -> Option<()> {
        let mut todo = Summands::default();
        todo.add(a, BitVec::one(self.sum.width()));
        todo.add(b, BitVec::ones(self.sum.width()));
        self.add_all(pool, todo, depth)
    }

    /// Adds each term as often as its coefficient says; `None` if it takes too many steps.
    fn add_all(&mut self, pool: &mut Pool, mut todo: Summands, depth: usize) -> Option<()> {
        while let Some((term, factor)) = todo.next() {
            self.steps = self.steps.checked_sub(1)?;
            if let Some(constant) = pool.as_bitvec(term) {
                self.sum.add_monomial(vec![], constant.mul(&factor));
                continue;
            }
            if self.opened == Opened::Bitwise && self.add_choice(pool, term, &factor) {
                continue;
            }
            match (pool.op(term), pool.args(term)) {
                _ if let Some((constants, summands)) = summands(pool, term) => {
                    for weight in constants {
                        self.sum.add_monomial(vec![], weighed(&factor, weight));
                    }
                    for (arg, weight) in summands {
                        todo.add(arg, weighed(&factor, weight));
                    }
                }
                (Op::BvMul, &[a, b]) => self.add_product(pool, term, [a, b], factor, depth)?,
                (Op::Ite, &[condition, then, other]) if self.opened >= Opened::Choices => {
                    match self.distance(pool, [then, other], depth) {
                        Some(distance) => {
                            let one = one_if(pool, condition, self.sum.width());
                            // It is its own square.
                            for (monomial, coefficient) in distance.monomials() {
                                let mut monomial = monomial.clone();
                                if let Err(place) = monomial.binary_search(&one) {
                                    monomial.insert(place, one);
                                }
                                self.sum.add_monomial(monomial, coefficient.mul(&factor));
                            }
                            todo.add(other, factor);
                        }
                        None => self.sum.add_monomial(vec![term], factor),
                    }
                }
                (Op::SignExtend, &[bit]) if self.opened >= Opened::Choices && pool.width(bit) == Some(1) => {
                    let number = extended_bit(pool, bit, self.sum.width());
                    self.sum.add_monomial(vec![number], factor.neg());
                }
                _ if self.opened == Opened::Bitwise && is_bitwise(pool, term) => {
                    self.add_bitwise(pool, term, factor, &mut todo);
                }
                (Op::Concat, _) if self.opened == Opened::Parts => {
                    self.add_extended(pool, term, factor, &mut todo)?;
                }
                (Op::Concat, &[high, low]) if pool.as_bitvec(low).is_some_and(|low| low.is_zero()) => {
                    let (width, cut) = (self.sum.width(), pool.width(low)?);
                    match widened(pool, high, width, MOST_DEPTH) {
                        Some(arg) => todo.add(arg, factor.shl_by(cut)),
                        None => self.sum.add_monomial(vec![term], factor),
                    }
                }
                _ => self.sum.add_monomial(vec![term], factor),
            }
        }
        Some(())
    }

    /// The difference of the branches of a choice, if one of them is a number or a sum, and it is short. What
    /// is to be solved is to have few products, so there it is a constant.
    fn distance(
        &mut self,
        pool: &mut Pool,
        [then, other]: [Term; 2],
        depth: usize,
    ) -> Option<WordPolynomial> {
        let is_sum = |branch| {
            pool.is_const(branch)
                || matches!(pool.op(branch), Op::Ite | Op::BvAdd | Op::BvNeg | Op::SignExtend)
        };
        if depth == MOST_DEPTH || ![then, other].into_iter().any(is_sum) {
            return None;
        }
        let (width, steps) = (self.sum.width(), self.steps.min(MOST_STEPS_OF_BRANCHES));
        let mut inner = Expansion { sum: Polynomial::zero(Words(width)), steps, opened: self.opened };
        let added = inner.add_difference(pool, [then, other], depth + 1);
        self.steps -= added.map_or(steps, |()| steps - inner.steps);
        added?;
        let most = if self.opened == Opened::Parts { 0 } else { MOST_MONOMIALS_OF_DISTANCE };
        (inner.sum.is_constant() || inner.sum.len() <= most).then_some(inner.sum)
    }

    /// Adds a choice between constants as a sum of numbers that are one or zero, if it is one.
    fn add_choice(&mut self, pool: &mut Pool, term: Term, factor: &BitVec) -> bool {
        let is_choice = pool.op(term) == Op::Ite;
        let Some((summands, constant)) = is_choice.then(|| choices::summands(pool, term)).flatten() else {
            return false;
        };
        self.steps = self.steps.saturating_sub(summands.len());
        self.sum.add_monomial(vec![], constant.mul(factor));
        for (truth, coefficient) in summands {
            let number = one_if(pool, truth, self.sum.width());
            self.sum.add_monomial(vec![number], coefficient.mul(factor));
        }
        true
    }

    /// Adds the conjunctions of a bitwise term; leaves are put aside, since they may be sums.
    fn add_bitwise(&mut self, pool: &mut Pool, term: Term, factor: BitVec, todo: &mut Summands) {
        let Some((summands, constant)) = bitwise::summands(pool, term) else {
            self.sum.add_monomial(vec![term], factor);
            return;
        };
        let ring = *self.sum.ring();
        let times = |number: i64| factor.mul(&ring.number(number));
        self.sum.add_monomial(vec![], times(constant));
        for (summand, coefficient) in summands {
            if pool.op(summand) == Op::BvAnd {
                self.sum.add_monomial(vec![summand], times(coefficient));
            } else {
                todo.add(summand, times(coefficient));
            }
        }
    }

    /// Adds `factor` times a word of fewer bits, extended by zeros: parts of a concatenation, and operands of
    /// sums and products that do not overflow, are extended each by itself. Where the bits above a word
    /// do not matter, it is whatever it is the lower part of.
    fn add_extended(
        &mut self,
        pool: &mut Pool,
        term: Term,
        factor: BitVec,
        todo: &mut Summands,
    ) -> Option<()> {
        let width = self.sum.width();
        let mut parts = vec![(term, factor)];
        while let Some((part, factor)) = parts.pop() {
            self.steps = self.steps.checked_sub(1)?;
            let size = pool.width(part)?;
            if let Some(constant) = pool.as_bitvec(part) {
                self.sum.add_monomial(vec![], constant.zero_extend(width - size).mul(&factor));
                continue;
            }
            match (pool.op(part), pool.args(part)) {
                (Op::Concat, args) => {
                    let mut place = 0;
                    for &arg in args.iter().rev() {
                        parts.push((arg, factor.shl_by(place)));
                        place += pool.width(arg)?;
                    }
                }
                (Op::BvAdd, args) if !greatest(pool, part, MOST_DEPTH).1 => {
                    parts.extend(args.iter().map(|&arg| (arg, factor.clone())));
                }
                (Op::BvMul, &[a, b]) if pool.is_const(a) && !greatest(pool, part, MOST_DEPTH).1 => {
                    let constant = pool.as_bitvec(a)?.zero_extend(width - size);
                    parts.push((b, factor.mul(&constant)));
                }
                _ => {
                    let is_upper = size + factor.trailing_zeros() >= width;
                    let whole = if is_upper { widened(pool, part, width, MOST_DEPTH) } else { None };
                    if let Some(whole) = whole {
                        todo.add(whole, factor);
                        continue;
                    }
                    let zeros = make::zeros_or_none(pool, width - size);
                    let extended = make::concat(pool, &[zeros, Some(part)]);
                    self.sum.add_monomial(vec![extended], factor);
                }
            }
        }
        Some(())
    }

    fn add_product(
        &mut self,
        pool: &mut Pool,
        term: Term,
        args: [Term; 2],
        factor: BitVec,
        depth: usize,
    ) -> Option<()> {
        if depth == MOST_DEPTH {
            self.sum.add_monomial(vec![term], factor);
            return Some(());
        }
        let mut product = Polynomial::zero(*self.sum.ring());
        product.add_monomial(vec![], factor.clone());
        for arg in args {
            let sum = Polynomial::zero(*self.sum.ring());
            let mut inner = Expansion { sum, steps: self.steps, opened: self.opened };
            let mut whole = Summands::default();
            whole.add(arg, BitVec::one(self.sum.width()));
            inner.add_all(pool, whole, depth + 1)?;
            self.steps = inner.steps.checked_sub(product.len() * inner.sum.len())?;
            match product.times_within(&inner.sum, LIMITS, |_| false) {
                Some(opened) => product = opened,
                None => {
                    self.sum.add_monomial(vec![term], factor);
                    return Some(());
                }
            }
        }
        self.sum.add_scaled(&product, &BitVec::one(self.sum.width()));
        Some(())
    }
}

/// A coefficient times a weight.
fn weighed(factor: &BitVec, weight: Weight) -> BitVec {
    match weight {
        Weight::One => factor.clone(),
        Weight::MinusOne => factor.neg(),
        Weight::Power(exponent) => factor.shl_by(exponent),
    }
}

/// The number that is one where the condition is true, and zero elsewhere.
pub fn one_if(pool: &mut Pool, condition: Term, width: u32) -> Term {
    if let (Op::Eq, &[a, b]) = (pool.op(condition), pool.args(condition))
        && width > 1
        && let Some((bit, _)) = [(a, b), (b, a)]
            .into_iter()
            .find(|&(_, one)| pool.as_bitvec(one).is_some_and(|one| one.width() == 1 && one.is_one()))
    {
        return extended_bit(pool, bit, width);
    }
    let [one, zero] = [BitVec::one(width), BitVec::zero(width)].map(|number| pool.bitvec(&number));
    make::ite(pool, condition, one, zero)
}

/// A bit as a number of `width` bits, in normal form.
pub fn extended_bit(pool: &mut Pool, bit: Term, width: u32) -> Term {
    let zeros = make::zeros_or_none(pool, width - 1);
    make::concat(pool, &[zeros, Some(bit)])
}

/// A number that a word does not exceed, as far as is seen down to `depth`, and whether the sum or product
/// that it is could overflow.
fn greatest(pool: &Pool, term: Term, depth: usize) -> (BitVec, bool) {
    let width = pool.width(term).expect("a word has a width");
    if let Some(constant) = pool.as_bitvec(term) {
        return (constant, false);
    }
    let unknown = (BitVec::ones(width), true);
    let args = pool.args(term);
    if depth == 0 || args.is_empty() {
        return unknown;
    }
    let bound = |arg: &Term| greatest(pool, *arg, depth - 1).0;
    match (pool.op(term), args) {
        (Op::Concat, args) => {
            let whole = args.iter().map(bound).reduce(|high, low| high.concat(&low));
            (whole.expect("a concatenation has parts"), false)
        }
        (Op::BvAdd, [a, b]) => match (bound(a), bound(b)) {
            (a, b) if !a.uadd_overflows(&b) => (a.add(&b), false),
            _ => unknown,
        },
        (Op::BvMul, [a, b]) => match (bound(a), bound(b)) {
            (a, b) if !a.umul_overflows(&b) => (a.mul(&b), false),
            _ => unknown,
        },
        _ => unknown,
    }
}

/// A term of `width` bits whose low bits are those of `term`, without a look at the upper ones: what `term`
/// is a slice of, or a sum, complement or product of such, down to `depth`.
fn widened(pool: &mut Pool, term: Term, width: u32, depth: usize) -> Option<Term> {
    if let Some(constant) = pool.as_bitvec(term) {
        return Some(pool.bitvec(&constant.zero_extend(width - constant.width())));
    }
    let (op, args) = (pool.op(term), pool.args(term).to_vec());
    match op {
        Op::Extract if pool.index(term) == 0 && pool.width(args[0]) == Some(width) => Some(args[0]),
        Op::BvNeg | Op::BvNot | Op::BvAdd | Op::BvMul if depth > 0 && args.len() <= 2 => {
            let args: Option<Vec<Term>> =
                args.into_iter().map(|arg| widened(pool, arg, width, depth - 1)).collect();
            Some(make::app(pool, op, &args?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{Assignment, Sort, cone, eval};

    fn difference(pool: &mut Pool, a: Term, b: Term, opened: Opened) -> Option<WordPolynomial> {
        let deadline = Deadline::unlimited();
        WordPolynomial::difference(pool, [a, b], opened, &mut BUDGET.clone(), &deadline)
    }

    /// Polynomials and the equations made of them mean what the terms did.
    #[test]
    fn differences_keep_their_values() {
        let (mut expanded, mut divided) = (0, 0);
        for seed in 0..1500 {
            let mut pool = Pool::new();
            let mut generator = TermGen::new(seed);
            generator.max_width = 4;
            let sort = Sort::bitvec(4).unwrap();
            let mut rewriter = Rewriter::new(Level::Local);
            let mut sum = arithmetic(&mut pool, &mut generator, sort, 4);
            if seed % 3 == 0 {
                let even = pool.bv_u64(seed % 16, 4);
                sum = pool.mk(Op::BvMul, &[even, sum]);
            }
            let other = arithmetic(&mut pool, &mut generator, sort, 2);
            let [a, b] = [sum, other].map(|term| rewriter.rewrite(&mut pool, term));
            let Some(difference) = difference(
                &mut pool,
                a,
                b,
                [Opened::Arithmetic, Opened::Choices, Opened::Parts, Opened::Bitwise][seed as usize % 4],
            ) else {
                continue;
            };
            expanded += usize::from(difference.len() > 2);
            divided += usize::from((1..4).contains(&difference.common_zeros()));
            let (term, equation) = (difference.term(&mut pool), difference.is_zero(&mut pool));
            let minus = pool.mk(Op::BvSub, &[a, b]);
            let same = pool.mk(Op::Eq, &[a, b]);
            for _ in 0..20 {
                let assignment: Assignment = generator.assignment(&pool, &[minus, term]);
                assert_eq!(eval(&pool, minus, &assignment), eval(&pool, term, &assignment), "{seed}");
                assert_eq!(eval(&pool, same, &assignment), eval(&pool, equation, &assignment), "{seed}");
            }
            assert!(cone(&pool, &[term]).len() < 1000);
        }
        assert!(expanded > 250 && divided > 25, "{expanded} and {divided}: too easy");
    }

    /// A random term of sums, products, shifts and complements.
    fn arithmetic(pool: &mut Pool, generator: &mut TermGen, sort: Sort, depth: usize) -> Term {
        let ops = [Op::BvAdd, Op::BvMul, Op::BvSub, Op::BvNeg, Op::BvNot, Op::BvShl, Op::Ite, Op::SignExtend];
        let op = ops[generator.rng().usize(..ops.len())];
        if depth == 0 || generator.rng().u8(..8) == 0 {
            return if generator.rng().bool() {
                generator.symbol(pool, sort)
            } else {
                generator.constant(pool, sort)
            };
        }
        let a = arithmetic(pool, generator, sort, depth - 1);
        match op {
            Op::BvNeg | Op::BvNot => pool.mk(op, &[a]),
            Op::BvShl => {
                let amount = pool.bv_u64(generator.rng().u64(..4), 4);
                pool.mk(op, &[a, amount])
            }
            Op::Ite => {
                let condition = generator.symbol(pool, Sort::BOOL);
                let constant = generator.constant(pool, sort);
                let more = if generator.rng().bool() { pool.mk(Op::BvAdd, &[a, constant]) } else { constant };
                pool.mk(op, &[condition, more, a])
            }
            Op::SignExtend => {
                let bit = generator.symbol(pool, Sort::bitvec(1).unwrap());
                let bits = pool.mk_indexed(op, &[3], &[bit]);
                pool.mk(Op::BvAdd, &[a, bits])
            }
            _ => {
                let b = arithmetic(pool, generator, sort, depth - 1);
                pool.mk(op, &[a, b])
            }
        }
    }

    /// A counter that goes up by a choice, and one that goes up by a number that is one or zero.
    #[test]
    fn counters_have_one_polynomial() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(4).unwrap();
        let mut rewriter = Rewriter::new(Level::Local);
        let [zero, one] = [0, 1].map(|value| pool.bv_u64(value, 4));
        let (mut chosen, mut added) = (zero, pool.symbol("start", sort));
        let mut written = added;
        for frame in 0..30 {
            let enable = pool.symbol(&format!("enable{frame}"), Sort::BOOL);
            let next = pool.mk(Op::BvAdd, &[chosen, one]);
            chosen = pool.mk(Op::Ite, &[enable, next, chosen]);
            let number = pool.mk(Op::Ite, &[enable, one, zero]);
            added = pool.mk(Op::BvAdd, &[added, number]);
            // Extended the other way, and taken off.
            let bit = pool.symbol(&format!("bit{frame}"), Sort::bitvec(1).unwrap());
            let extended = pool.mk_indexed(Op::ZeroExtend, &[3], &[bit]);
            added = pool.mk(Op::BvAdd, &[added, extended]);
            let minus = pool.mk_indexed(Op::SignExtend, &[3], &[bit]);
            written = pool.mk(Op::BvSub, &[written, minus]);
        }
        let sum = pool.mk(Op::BvAdd, &[chosen, written]);
        let [a, b] = [sum, added].map(|term| rewriter.rewrite(&mut pool, term));
        assert_eq!(difference(&mut pool, a, b, Opened::Choices), Some(Polynomial::zero(Words(4))));
        assert_ne!(difference(&mut pool, a, b, Opened::Arithmetic), Some(Polynomial::zero(Words(4))));
    }

    #[test]
    fn what_takes_too_long_has_no_polynomial() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let mut sum = x;
        for number in 0..MOST_STEPS {
            let summand = pool.symbol(&format!("z{number}"), sort);
            sum = pool.mk(Op::BvAdd, &[sum, summand]);
        }
        assert_eq!(difference(&mut pool, sum, y, Opened::Arithmetic), None);
        let sum = pool.mk(Op::BvAdd, &[x, y]);
        let difference = difference(&mut pool, sum, y, Opened::Arithmetic).unwrap();
        assert_eq!(difference.term(&mut pool), x);
    }

    /// Without sharing it would be opened 2^100 times.
    #[test]
    fn shared_summands_are_opened_once() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [mut x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        for _ in 0..100 {
            let negated = pool.mk(Op::BvNeg, &[x]);
            let sum = pool.mk(Op::BvAdd, &[x, y]);
            x = pool.mk(Op::BvAdd, &[sum, negated]);
        }
        assert!(difference(&mut pool, x, y, Opened::Arithmetic).unwrap().is_nothing());
        let mut doubled = y;
        for _ in 0..100 {
            doubled = pool.mk(Op::BvAdd, &[doubled, doubled]);
        }
        let zero = pool.bv_u64(0, 8);
        assert!(difference(&mut pool, doubled, zero, Opened::Arithmetic).unwrap().is_nothing());
    }
}
