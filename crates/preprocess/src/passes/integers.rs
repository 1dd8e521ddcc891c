//! Integers: what words are as polynomials over the integers, where sums do not overflow.
//!
//! Hardware adds numbers in words that grow, so that no carry is lost: `(bvadd (sign_extend a) (sign_extend
//! b))`, extended and added again. Modulo `2^w` an extended sum is an atom like any other, and two orders of
//! summation are two different sums. Over the integers they are the same, and so are a product of a sum and
//! the sum of its products. Here a word is a polynomial that it is equal to modulo `2^w`, called its form,
//! with an interval in which the form lies; where the interval fits into the numbers of `w` bits with or
//! without sign, the extension is the form itself. Atoms are words without sign; what a word is with sign is
//! `x - 2^w x[w-1]`, so both readings of a word meet in the same atoms.
//!
//! Why it is correct: forms are made by laws of the integers, and a step that could overflow makes an atom.
//! Cost: the forms of a cone, children first, each of at most [`MOST_MONOMIALS`] monomials, within a budget
//! of steps.

use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Words of more bits are atoms.
const MOST_WIDTH: u32 = 100;

/// A form with more monomials becomes an atom.
const MOST_MONOMIALS: usize = 64;

/// What one pass may spend on forms, in monomials; a fraction of a second.
const BUDGET: usize = 400_000;

/// A sum of products of atoms, and bounds of its values.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Number {
    constant: i128,
    /// Coefficients of products of words without sign, none of them zero; the factors in order.
    monomials: BTreeMap<Vec<Term>, i128>,
    low: i128,
    high: i128,
}

impl Number {
    fn constant(value: i128) -> Number {
        Number { constant: value, monomials: BTreeMap::new(), low: value, high: value }
    }

    fn atom(atom: Term, width: u32) -> Number {
        Number { constant: 0, monomials: BTreeMap::from([(vec![atom], 1)]), low: 0, high: power(width) - 1 }
    }

    /// Adds a multiple of another one; `None` if that takes too many digits or atoms.
    fn plus(mut self, other: &Number, factor: i128) -> Option<Number> {
        let [a, b] = [other.low.checked_mul(factor)?, other.high.checked_mul(factor)?];
        self.low = self.low.checked_add(a.min(b))?;
        self.high = self.high.checked_add(a.max(b))?;
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (monomial, coefficient) in &other.monomials {
            let sum = self.monomials.entry(monomial.clone()).or_default();
            *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
            if *sum == 0 {
                self.monomials.remove(monomial);
            }
        }
        (self.monomials.len() <= MOST_MONOMIALS).then_some(self)
    }

    /// The product; `None` if that takes too many digits or monomials.
    fn times(&self, other: &Number) -> Option<Number> {
        if self.monomials.len() * other.monomials.len() > MOST_MONOMIALS {
            return None;
        }
        let mut product = Number::constant(0).plus(other, self.constant)?;
        for (monomial, &coefficient) in &self.monomials {
            let all = other.monomials.iter().map(|(factors, coefficient)| (&factors[..], *coefficient));
            let constant = (other.constant != 0).then_some((&[][..], other.constant));
            let row = all.chain(constant).map(|(factors, coefficient)| {
                let mut factors = [&monomial[..], factors].concat();
                factors.sort_unstable();
                (factors, coefficient)
            });
            let row = Number { monomials: row.collect(), ..Number::constant(0) };
            product = product.plus(&row, coefficient)?;
        }
        let mut corners = [0; 4];
        let ends =
            [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        for (corner, (a, b)) in corners.iter_mut().zip(ends) {
            *corner = a.checked_mul(b)?;
        }
        corners.sort_unstable();
        Some(Number { low: corners[0], high: corners[3], ..product })
    }

    /// The form moved by multiples of `2^width` to where it has one value for each word, from `base` on.
    fn placed(mut self, width: u32, base: i128) -> Option<Number> {
        let whole = power(width);
        let offset = (self.low - base).div_euclid(whole) * whole;
        self.low -= offset;
        self.high -= offset;
        self.constant -= offset;
        (self.high < base + whole).then_some(self)
    }

    /// The form divided by a power of two that divides everything.
    fn divided(mut self, by: i128) -> Option<Number> {
        if self.constant % by != 0 || self.monomials.values().any(|coefficient| coefficient % by != 0) {
            return None;
        }
        self.constant /= by;
        self.monomials.values_mut().for_each(|coefficient| *coefficient /= by);
        self.low = self.low.div_euclid(by);
        self.high = self.high.div_euclid(by);
        Some(self)
    }

    /// The form within the bounds of its atoms, too, of which some have gone since its bounds were found.
    fn tightened(self, pool: &Pool) -> Option<Number> {
        let (mut low, mut high) = (self.constant, self.constant);
        for (monomial, &coefficient) in &self.monomials {
            let greatest = |most: i128, &atom: &Term| most.checked_mul(power(pool.width(atom)?) - 1);
            let most = monomial.iter().try_fold(coefficient, greatest)?;
            low = low.checked_add(most.min(0))?;
            high = high.checked_add(most.max(0))?;
        }
        Some(self.bounded(low, high))
    }

    fn bounded(self, low: i128, high: i128) -> Number {
        Number { low: self.low.max(low), high: self.high.min(high), ..self }
    }
}

fn power(width: u32) -> i128 {
    1 << width
}

/// A constant as a number with sign.
fn signed(constant: &BitVec) -> i128 {
    let bits = constant.sign_extend(128 - constant.width());
    let [low, high] = [0, 64].map(|from| i128::from(bits.extract(from + 63, from).low_u64()));
    (high << 64) | low
}

/// The forms of the words of a problem, where they are more than an atom.
pub(super) struct Integers {
    numbers: FxHashMap<Term, Number>,
    budget: usize,
}

impl Integers {
    /// The forms of all words; `None` where nothing arithmetic is extended, cut or shifted.
    pub(super) fn new(pool: &mut Pool, problem: &Problem<'_>) -> Option<Integers> {
        let cone = problem.cone(pool);
        if !cone.iter().any(|&term| is_widened_sum(pool, term)) {
            return None;
        }
        let mut integers = Integers { numbers: FxHashMap::default(), budget: BUDGET };
        for &term in cone {
            if let Some(number) = integers.form(pool, term) {
                let steps = 1 + number.monomials.len();
                integers.budget = integers.budget.checked_sub(steps)?;
                if !problem.deadline.step(steps as u64) {
                    return None;
                }
                integers.numbers.insert(term, number);
            }
        }
        Some(integers)
    }

    /// Whether an equation or comparison is true or false, where that follows from the forms.
    pub(super) fn decided(&self, pool: &mut Pool, term: Term) -> Option<bool> {
        let &[a, b] = pool.args(term) else { return None };
        let width = pool.width(a).filter(|&width| width <= MOST_WIDTH)?;
        if !self.numbers.contains_key(&a) && !self.numbers.contains_key(&b) {
            return None;
        }
        let op = pool.op(term);
        let [a, b] = match op {
            Op::Eq => [self.modulo(pool, a)?, self.modulo(pool, b)?],
            Op::BvUlt | Op::BvUle => [self.unsigned(pool, a)?, self.unsigned(pool, b)?],
            Op::BvSlt | Op::BvSle => [self.signed(pool, a)?, self.signed(pool, b)?],
            _ => return None,
        };
        let difference = a.plus(&b, -1)?.tightened(pool)?;
        let (low, high) = (difference.low, difference.high);
        match op {
            Op::Eq => is_zero(&difference, width),
            Op::BvUlt | Op::BvSlt => (high < 0 || low >= 0).then_some(high < 0),
            _ => (high <= 0 || low > 0).then_some(high <= 0),
        }
    }

    /// A form that is equal to the word modulo the power of two.
    fn modulo(&self, pool: &Pool, term: Term) -> Option<Number> {
        let width = pool.width(term).filter(|&width| width <= MOST_WIDTH)?;
        Some(self.numbers.get(&term).cloned().unwrap_or_else(|| Number::atom(term, width)))
    }

    /// The word as a number without sign.
    fn unsigned(&self, pool: &mut Pool, term: Term) -> Option<Number> {
        let width = pool.width(term)?;
        let number = self.modulo(pool, term)?;
        if let Some(placed) = number.clone().placed(width, 0) {
            return Some(placed);
        }
        match number.placed(width, -power(width - 1)) {
            Some(placed) => {
                Some(placed.plus(&top_bit(pool, term), power(width))?.bounded(0, power(width) - 1))
            }
            None => Some(Number::atom(term, width)),
        }
    }

    /// The word as a number with sign.
    fn signed(&self, pool: &mut Pool, term: Term) -> Option<Number> {
        let width = pool.width(term)?;
        let half = power(width - 1);
        let number = self.modulo(pool, term)?;
        if let Some(placed) = number.clone().placed(width, -half) {
            return Some(placed);
        }
        let unsigned = number.placed(width, 0).unwrap_or_else(|| Number::atom(term, width));
        Some(unsigned.plus(&top_bit(pool, term), -power(width))?.bounded(-half, half - 1))
    }

    /// The form of a term by those of its arguments; `None` for an atom.
    fn form(&self, pool: &mut Pool, term: Term) -> Option<Number> {
        let width = pool.width(term).filter(|&width| width <= MOST_WIDTH)?;
        if let Some(constant) = pool.as_bitvec(term) {
            return Some(Number::constant(signed(&constant)));
        }
        let (op, args) = (pool.op(term), pool.args(term).to_vec());
        match (op, &args[..]) {
            (Op::BvAdd, args) => {
                args.iter().try_fold(Number::constant(0), |sum, &arg| sum.plus(&self.modulo(pool, arg)?, 1))
            }
            (Op::BvNeg, &[arg]) => Number::constant(0).plus(&self.modulo(pool, arg)?, -1),
            (Op::BvNot, &[arg]) => Number::constant(-1).plus(&self.modulo(pool, arg)?, -1),
            (Op::BvMul, &[a, b]) => self.modulo(pool, a)?.times(&self.modulo(pool, b)?),
            (Op::Concat, &[high, low]) if is_zero_constant(pool, low) => {
                let shift = power(pool.width(low)?);
                Number::constant(0).plus(&self.modulo(pool, high)?, shift)
            }
            (Op::Concat, &[high, low]) if is_zero_constant(pool, high) => self.unsigned(pool, low),
            (Op::ZeroExtend, &[arg]) => self.unsigned(pool, arg),
            (Op::SignExtend, &[arg]) => self.signed(pool, arg),
            (Op::Extract, &[arg]) if is_sum(pool, arg) => {
                self.numbers.get(&arg)?.clone().divided(power(pool.index(term)))
            }
            (Op::Ite, &[_, a, b]) => self.choice(pool, term, [a, b], width),
            _ => None,
        }
    }

    /// A choice is an atom between the bounds of its branches, with or without sign, whichever is less.
    fn choice(&self, pool: &mut Pool, term: Term, branches: [Term; 2], width: u32) -> Option<Number> {
        let [a, b] = [self.modulo(pool, branches[0])?, self.modulo(pool, branches[1])?];
        let hull = |base: i128| {
            let (a, b) = (a.clone().placed(width, base)?, b.clone().placed(width, base)?);
            Some((a.low.min(b.low), a.high.max(b.high)))
        };
        let extent = |hull: Option<(i128, i128)>| hull.map_or(i128::MAX, |(low, high)| high - low);
        let (without, with) = (hull(0), hull(-power(width - 1)));
        let atom = Number::atom(term, width);
        if extent(without) <= extent(with) {
            let (low, high) = without.filter(|&(low, high)| high - low < power(width) - 1)?;
            return Some(atom.bounded(low, high));
        }
        let (low, high) = with?;
        Some(Number { low, high, ..atom.plus(&top_bit(pool, term), -power(width))? })
    }
}

/// Is a form equal to zero modulo `2^width`, or never?
fn is_zero(form: &Number, width: u32) -> Option<bool> {
    // Between two multiples of `2^width` there is none.
    let whole = power(width);
    if form.low.rem_euclid(whole) > 0 && form.low.div_euclid(whole) == form.high.div_euclid(whole) {
        return Some(false);
    }
    let zeros = |coefficient: i128| coefficient.trailing_zeros().min(width);
    let common = form.monomials.values().map(|&coefficient| zeros(coefficient)).min().unwrap_or(width);
    let constant = zeros(form.constant);
    match constant < common {
        true => Some(false),
        false => (common == width).then_some(true),
    }
}

/// The top bit of a word, as a number.
fn top_bit(pool: &mut Pool, term: Term) -> Number {
    let top = pool.width(term).expect("a word") - 1;
    let bit = make::extract(pool, term, top, top);
    match pool.as_bitvec(bit) {
        Some(constant) => Number::constant(i128::from(constant.bit(0))),
        None => Number::atom(bit, 1),
    }
}

fn is_zero_constant(pool: &Pool, term: Term) -> bool {
    pool.as_bitvec(term).is_some_and(|constant| constant.is_zero())
}

fn is_sum(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAdd | Op::BvNeg | Op::BvMul | Op::BvNot)
}

/// Is it a sum at another width?
fn is_widened_sum(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::Concat | Op::ZeroExtend | Op::SignExtend | Op::Extract)
        && pool.args(term).iter().any(|&arg| is_sum(pool, arg))
}

#[cfg(test)]
mod tests {
    use crate::passes::identities::run;
    use crate::passes::tests::{Trial, alone, check};
    use bivalve_terms::{Op, Pool, Sort, Term};

    /// A word as it is or extended, by up to two bits.
    fn extended(pool: &mut Pool, trial: &mut Trial, word: Term) -> Term {
        let amount = trial.number(3) as u32;
        match amount {
            0 => word,
            _ => pool.mk_indexed(
                [Op::SignExtend, Op::ZeroExtend][trial.number(2) as usize],
                &[amount],
                &[word],
            ),
        }
    }

    /// A word of so many bits: the low bits of one that has more, or one that is extended by sign.
    fn fitted(pool: &mut Pool, word: Term, width: u32) -> Term {
        let has = pool.width(word).unwrap();
        match has.cmp(&width) {
            std::cmp::Ordering::Less => pool.mk_indexed(Op::SignExtend, &[width - has], &[word]),
            std::cmp::Ordering::Equal => word,
            std::cmp::Ordering::Greater => pool.mk_indexed(Op::Extract, &[width - 1, 0], &[word]),
        }
    }

    /// Some words added up, two at a time in any order, each sum as wide as it happens to be; at times by
    /// a difference.
    fn total(pool: &mut Pool, trial: &mut Trial, words: &[Term]) -> Term {
        let mut words = words.to_vec();
        while words.len() > 1 {
            let [a, b] = [(); 2].map(|()| words.swap_remove(trial.number(words.len() as u64) as usize));
            let (a, b) = (extended(pool, trial, a), extended(pool, trial, b));
            let width = pool.width(a).max(pool.width(b)).unwrap();
            let [a, b] = [a, b].map(|word| fitted(pool, word, width));
            // The sum as it is, or as `-(-a - b)`, or `!(!a - b)`, which take other ways at the bounds.
            let around = [None, None, None, Some(Op::BvNeg), Some(Op::BvNot)][trial.number(5) as usize];
            words.push(match around {
                None => pool.mk(Op::BvAdd, &[a, b]),
                Some(op) => {
                    let opposite = pool.mk(op, &[a]);
                    let difference = pool.mk(Op::BvSub, &[opposite, b]);
                    pool.mk(op, &[difference])
                }
            });
        }
        words[0]
    }

    /// Sums of the same words in two orders: decided often, and never wrongly.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 800, |pool, trial| {
            let condition = trial.bit(pool);
            let (a, b) = (trial.symbol(), trial.constant(pool));
            let chosen = pool.mk(Op::Ite, &[condition, a, b]);
            let (one, zero) = (trial.symbol(), pool.bv_u64(0, 1));
            let shifted = pool.mk(Op::Concat, &[one, zero]);
            let words: Vec<Term> = [trial.symbol(), trial.symbol(), chosen, shifted]
                .into_iter()
                .take(2 + trial.number(3) as usize)
                .map(|word| extended(pool, trial, word))
                .collect();
            let [a, b] = [(); 2].map(|()| total(pool, trial, &words));
            let width = pool.width(a).max(pool.width(b)).unwrap() + trial.number(2) as u32;
            let [mut a, b] = [a, b].map(|word| fitted(pool, word, width));
            if trial.chance(4) {
                let constant = pool.bv_u64(trial.number(3), width);
                a = pool.mk(Op::BvAdd, &[a, constant]);
            }
            let op = [Op::Eq, Op::BvUlt, Op::BvSlt, Op::BvUle, Op::BvSle][trial.number(5) as usize];
            let compared = pool.mk(op, &[a, b]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[compared, other])]
        });
        assert!(changed > 50, "{changed} changed: too easy");
    }

    /// A sum times a word, and the sum of the products, each in a word that is wide enough, or one bit less.
    #[test]
    fn products_of_sums_that_grow_are_sums_of_products() {
        let changed = check(run, 300, |pool, trial| {
            let words = [trial.symbol(), trial.symbol()];
            let factor = trial.symbol();
            let op = [Op::SignExtend, Op::ZeroExtend][trial.number(2) as usize];
            let wide = |pool: &mut Pool, word: Term, by: u32| pool.mk_indexed(op, &[by], &[word]);
            let short = trial.number(2) as u32;
            let [a, b] = words.map(|word| wide(pool, word, 1 - short));
            let sum = pool.mk(Op::BvAdd, &[a, b]);
            let (sum, wide_factor) = (wide(pool, sum, 3 + short), wide(pool, factor, 4));
            let left = pool.mk(Op::BvMul, &[sum, wide_factor]);
            let products = words.map(|word| {
                let [word, factor] = [word, factor].map(|word| wide(pool, word, 3));
                let product = pool.mk(Op::BvMul, &[word, factor]);
                wide(pool, product, 1)
            });
            let right = pool.mk(Op::BvAdd, &products);
            let (equation, other) = (pool.mk(Op::Eq, &[left, right]), trial.comparison(pool));
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// The words grow by a bit with each sum, so any order will do; where one does not grow, it may overflow.
    #[test]
    fn the_order_of_sums_that_grow_does_not_matter() {
        for (grows, is_decided) in [(1, true), (0, false)] {
            let mut pool = Pool::new();
            let sort = Sort::bitvec(14).unwrap();
            let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
            let wide = |pool: &mut Pool, word, by| pool.mk_indexed(Op::SignExtend, &[by], &[word]);
            let sum = |pool: &mut Pool, [x, y]: [Term; 2], by| {
                let [x, y] = [x, y].map(|word| wide(pool, word, by));
                pool.mk(Op::BvAdd, &[x, y])
            };
            let left = sum(&mut pool, [a, b], grows);
            let (left, wide_c) = (wide(&mut pool, left, 2 - grows), wide(&mut pool, c, 2));
            let left = pool.mk(Op::BvAdd, &[left, wide_c]);
            let right = sum(&mut pool, [c, b], 1);
            let (right, wide_a) = (wide(&mut pool, right, 1), wide(&mut pool, a, 2));
            let right = pool.mk(Op::BvAdd, &[wide_a, right]);
            let equation = pool.mk(Op::Eq, &[left, right]);
            let found = alone(run, &mut pool, &[equation]);
            assert_eq!(found.is_some(), is_decided);
            assert!(!is_decided || found == Some(vec![pool.bool(true)]));
        }
    }
}
