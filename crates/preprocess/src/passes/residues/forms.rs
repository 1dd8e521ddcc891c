//! What words are congruent to, modulo one divisor: polynomials over the integers.

use crate::passes::parts::{Cuts, is_leaf, significant};
use bivalve_algebra::expansion::{Opened, WordPolynomial, one_if};
use bivalve_algebra::low_bits::low_bits;
use bivalve_algebra::opening::{Law, Polynomials, Reckoner, opening};
use bivalve_algebra::polynomial::{Limits, Polynomial};
use bivalve_algebra::ring::{Residues, Ring, Weight, integer};
use bivalve_domains::Analysis;
use bivalve_limits::Deadline;
use bivalve_rewrite::{Level, Rewriter, make};
use bivalve_terms::{BitVec, Op, Pool, Term};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// More monomials are not made for one word, nor longer ones.
const LIMITS: Limits = Limits { monomials: 1 << 8, degree: 32 };

/// So many levels of operators are looked at for leading zeros.
const LEVELS: u32 = 5;

/// A sum of products of words without sign.
pub(super) type Form = Polynomial<Residues, Term>;

/// A divisor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Modulus {
    /// A constant above one.
    Constant(BigInt),
    /// A word without its leading zeros, or another constant.
    Word(Term),
}

impl Modulus {
    /// What a word is as a divisor.
    pub(super) fn of(pool: &Pool, mut word: Term) -> Modulus {
        if let Some(value) =
            pool.as_bitvec(word).map(|value| integer(&value)).filter(|value| value.bits() > 1)
        {
            return Modulus::Constant(value);
        }
        loop {
            match (pool.op(word), pool.args(word)) {
                (Op::ZeroExtend, &[low]) => word = low,
                (Op::Concat, &[high, low]) if is_zero(pool, high) => word = low,
                _ => return Modulus::Word(word),
            }
        }
    }

    /// The integers modulo a constant; those themselves where it is a word, of which nothing is known.
    fn ring(&self) -> Residues {
        match self {
            Modulus::Constant(modulus) => Residues(modulus.clone()),
            Modulus::Word(_) => Residues::INTEGERS,
        }
    }

    /// Is the remainder by this congruent to what it is taken of?
    fn divides(&self, other: &Modulus) -> bool {
        match (self, other) {
            (Modulus::Constant(modulus), Modulus::Constant(other)) => (other % modulus).bits() == 0,
            _ => self == other,
        }
    }
}

/// Forms in the making, modulo one divisor.
pub(super) struct Forms<'a> {
    cuts: &'a Cuts,
    domains: Option<&'a Analysis>,
    modulus: Modulus,
    /// What forms are made by.
    over: Polynomials<Residues, Term>,
    known: FxHashMap<Term, Form>,
    rewriter: Rewriter,
    budget: &'a mut usize,
}

impl<'a> Forms<'a> {
    pub(super) fn new(
        cuts: &'a Cuts,
        domains: Option<&'a Analysis>,
        modulus: Modulus,
        budget: &'a mut usize,
    ) -> Forms<'a> {
        Forms {
            cuts,
            domains,
            over: Polynomials::new(modulus.ring(), LIMITS),
            modulus,
            known: FxHashMap::default(),
            rewriter: Rewriter::new(Level::Local),
            budget,
        }
    }

    /// What a word is congruent to; `None` if there are no steps left. Depth is memory, not recursion.
    pub(super) fn of(&mut self, pool: &mut Pool, root: Term, deadline: &Deadline) -> Option<Form> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            *self.budget = self.budget.checked_sub(1)?;
            if !deadline.step(1) {
                return None;
            }
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let operands = self.operands(pool, term);
            stack.extend(operands.iter().filter(|operand| !self.known.contains_key(operand)));
            if stack.len() == before {
                stack.pop();
                let form = self.combined(pool, term, &operands).unwrap_or_else(|| self.leaf(pool, term));
                *self.budget = self.budget.checked_sub(form.len())?;
                self.known.insert(term, form);
            }
        }
        self.known.get(&root).cloned()
    }

    /// The greatest value of a word.
    fn greatest(&self, pool: &Pool, term: Term) -> BitVec {
        let width = pool.width(term).expect("a word");
        let seen = BitVec::ones(width).lshr_by(width - significant(pool, term, LEVELS));
        let domain = self.domains.and_then(|domains| domains.domain(term));
        match domain.map(|domain| domain.greatest()) {
            Some(most) if most.ult(&seen) => most.clone(),
            _ => seen,
        }
    }

    /// Do the greatest values of some words have a sum, and a product, of as many bits?
    fn fit(&self, pool: &Pool, op: Op, args: &[Term]) -> bool {
        let mut all = self.greatest(pool, args[0]);
        args[1..].iter().all(|&arg| {
            let other = self.greatest(pool, arg);
            let (result, overflows) = match op {
                Op::BvAdd => (all.add(&other), all.uadd_overflows(&other)),
                _ => (all.mul(&other), all.umul_overflows(&other)),
            };
            all = result;
            !overflows
        })
    }

    /// The words whose forms that of a word is made of; none if it is a leaf.
    fn operands(&mut self, pool: &mut Pool, term: Term) -> Vec<Term> {
        let args = pool.args(term).to_vec();
        match pool.op(term) {
            _ if self.modulus == Modulus::of(pool, term) => vec![],
            op @ (Op::BvAdd | Op::BvMul) if self.fit(pool, op, &args) => args,
            Op::BvUrem if self.modulus.divides(&Modulus::of(pool, args[1])) => args[..1].to_vec(),
            Op::BvUrem if quotient(pool, term).is_some() => args[..1].to_vec(),
            Op::BvAnd => masked(pool, term).into_iter().collect(),
            Op::Extract if !is_leaf(pool, args[0]) => match self.cut(pool, term) {
                Some(Cut { low: Some(low), .. }) => vec![args[0], low],
                Some(_) => args,
                None => vec![],
            },
            Op::Ite | Op::BvAdd => match (choice(pool, term), self.reduced_branch(pool, term)) {
                (_, Some(Reduced { minuend, subtrahend, other, .. })) => vec![other, minuend, subtrahend],
                (Some([_, then, other]), None) if pool.op(term) == Op::Ite => vec![then, other],
                _ => vec![],
            },
            Op::BvUrem => vec![],
            _ => match opening(pool, term, true, |_, _, _| false) {
                Some(opening) => opening.operands.into_iter().map(|(arg, _)| arg).collect(),
                None => vec![],
            },
        }
    }

    /// The form of a word, given those of its operands; `None` if it is a leaf.
    fn combined(&mut self, pool: &mut Pool, term: Term, operands: &[Term]) -> Option<Form> {
        let forms: Vec<Form> = operands.iter().map(|operand| self.known[operand].clone()).collect();
        let (first, others) = forms.split_first()?;
        let args = pool.args(term).to_vec();
        let mut form = first.clone();
        match pool.op(term) {
            Op::BvUrem if !self.modulus.divides(&Modulus::of(pool, args[1])) => {
                // The dividend less the divisor as often as the quotient says.
                let (quotient, divisor) = quotient(pool, term)?;
                let parts = [form, self.constant(divisor), self.atom(quotient)];
                return Law::Remainder(Op::BvUdiv).of(&mut self.over, &parts);
            }
            Op::Extract => {
                // The word without its low bits, which are a known number, divided by a power of two.
                let Cut { start, .. } = self.cut(pool, term)?;
                if let [low] = others {
                    self.over.add(&mut form, low, Weight::MinusOne)?;
                    form = form.scaled(&self.over.ring.inverse(&self.over.ring.power(start))?);
                }
            }
            Op::Ite | Op::BvAdd if operands != args => {
                let (mut then, mut other) = (form, others[0].clone());
                if let [minuend, subtrahend] = others {
                    // The forms are that of the other branch, and those of a difference.
                    let mut difference = minuend.clone();
                    self.over.add(&mut difference, subtrahend, Weight::MinusOne)?;
                    (then, other) = match self.reduced_branch(pool, term)?.is_then {
                        true => (difference, then),
                        false => (then, difference),
                    };
                }
                let [condition, ..] = choice(pool, term)?;
                let chosen = one_if(pool, condition, 2);
                let chosen = match pool.args(chosen) {
                    &[_, bit] => self.leaf(pool, bit),
                    _ => self.atom(chosen),
                };
                return Law::Choice.of(&mut self.over, &[chosen, then, other]);
            }
            Op::BvAnd | Op::BvUrem => {}
            // They fit.
            _ => return opening(pool, term, true, |_, _, _| true)?.law.of(&mut self.over, &forms),
        }
        Some(form)
    }

    /// A word that nothing is known of, as the sum of its parts.
    fn leaf(&mut self, pool: &mut Pool, term: Term) -> Form {
        if let Some(value) = pool.as_bitvec(term) {
            return self.constant(integer(&value));
        }
        if self.modulus == Modulus::of(pool, term) {
            return Form::zero(self.over.ring.clone());
        }
        let width = pool.width(term).expect("a word");
        let (whole, low) = match (pool.op(term), pool.args(term)) {
            (Op::Extract, &[whole]) => (whole, pool.index(term)),
            _ => (term, 0),
        };
        let inner = self.cuts.of(whole).iter().filter(|&&place| place > low && place < low + width);
        let starts: Vec<u32> = [low].into_iter().chain(inner.copied()).collect();
        let mut sum = Form::zero(self.over.ring.clone());
        for (at, &start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(low + width);
            let part = if starts.len() == 1 { term } else { make::extract(pool, whole, end - 1, start) };
            let part = self.atom(part);
            if self.over.add(&mut sum, &part, Weight::Power(start - low)).is_none() {
                return self.atom(term);
            }
        }
        sum
    }

    fn atom(&self, term: Term) -> Form {
        Form::of_atom(self.over.ring.clone(), term)
    }

    fn constant(&self, value: BigInt) -> Form {
        Form::of_constant(self.over.ring.clone(), self.over.ring.reduced(value))
    }

    /// How a slice is made of the word that it is cut from; `None` if it is not known.
    fn cut(&mut self, pool: &mut Pool, slice: Term) -> Option<Cut> {
        let (whole, start) = (pool.args(slice)[0], pool.index(slice));
        let end = start + pool.width(slice)?;
        let most = self.greatest(pool, whole);
        if most.leading_zeros() < most.width() - end {
            return None;
        }
        if start == 0 {
            return Some(Cut { start, low: None });
        }
        self.over.ring.inverse(&self.over.ring.power(start))?;
        *self.budget = self.budget.checked_sub(COST_OF_DIFFERENCE)?;
        let low = low_bits(pool, whole, start)?;
        let low = self.rewriter.rewrite(pool, low);
        let zero = make::zeros(pool, start);
        let low = match pool.as_bitvec(low) {
            Some(_) => low,
            None => {
                let difference = zero_difference(pool, [low, zero])?;
                difference.is_constant().then(|| pool.bitvec(&difference.constant()))?
            }
        };
        Some(Cut { start, low: Some(low) })
    }

    /// A branch of a choice that is a difference, which the condition says not to be negative.
    fn reduced_branch(&mut self, pool: &mut Pool, term: Term) -> Option<Reduced> {
        let [condition, then, other] = choice(pool, term)?;
        let (atom, holds) = match (pool.op(condition), pool.args(condition)) {
            (Op::Not, &[atom]) => (atom, false),
            _ => (condition, true),
        };
        let &[a, b] = pool.args(atom) else { return None };
        let is_strict = match pool.op(atom) {
            Op::BvUlt => true,
            Op::BvUle => false,
            _ => return None,
        };
        // Where the comparison holds, and where it does not.
        let cases = [(b, a, is_strict, holds), (a, b, !is_strict, !holds)];
        cases.into_iter().find_map(|(minuend, less, is_less, is_then)| {
            let (branch, other) = if is_then { (then, other) } else { (other, then) };
            let more = pool.width(branch)?.checked_sub(pool.width(less)?)?;
            if pool.op(branch) != Op::BvAdd {
                return None;
            }
            *self.budget = self.budget.checked_sub(COST_OF_DIFFERENCE)?;
            // What is less than the minuend, or one more.
            let next = pool.as_bitvec(less).filter(|less| is_less && !less.is_ones());
            let next = next.map(|less| pool.bitvec(&less.add(&BitVec::one(less.width()))));
            [Some(less), next].into_iter().flatten().find_map(|subtrahend| {
                let [small, large] = [subtrahend, minuend].map(|word| {
                    let zeros = make::zeros_or_none(pool, more);
                    make::concat(pool, &[zeros, Some(word)])
                });
                let sum = make::app(pool, Op::BvAdd, &[branch, small]);
                let difference = zero_difference(pool, [sum, large])?;
                let is_zero = difference.is_constant() && difference.constant().is_zero();
                is_zero.then_some(Reduced { is_then, minuend, subtrahend, other })
            })
        })
    }
}

/// A branch of a choice that is a difference.
struct Reduced {
    is_then: bool,
    minuend: Term,
    subtrahend: Term,
    /// The other branch.
    other: Term,
}

/// Steps for a difference that is thought to be zero.
const STEPS: usize = 1 << 8;

/// What looking for one is taken off the budget as.
const COST_OF_DIFFERENCE: usize = 1 << 6;

/// A slice without the bits above, which are zero.
struct Cut {
    start: u32,
    /// The bits below, if there are some.
    low: Option<Term>,
}

/// The condition and the branches of a choice, or of the sum of a word and a choice that may be zero.
fn choice(pool: &mut Pool, term: Term) -> Option<[Term; 3]> {
    match (pool.op(term), pool.args(term)) {
        (Op::Ite, &[condition, then, other]) => Some([condition, then, other]),
        (Op::BvAdd, &[a, b]) => [(a, b), (b, a)].into_iter().find_map(|(word, choice)| {
            let (Op::Ite, &[condition, p, q]) = (pool.op(choice), pool.args(choice)) else { return None };
            let has_zero = is_zero(pool, p) || is_zero(pool, q);
            has_zero.then(|| {
                let [then, other] = [p, q].map(|more| make::app(pool, Op::BvAdd, &[word, more]));
                [condition, then, other]
            })
        }),
        _ => None,
    }
}

/// The low bits of a word of which the others are masked.
fn masked(pool: &mut Pool, term: Term) -> Option<Term> {
    let &[a, b] = pool.args(term) else { return None };
    let (mask, word) = pool.as_bitvec(a).map(|a| (a, b)).or(pool.as_bitvec(b).map(|b| (b, a)))?;
    let low = mask.count_ones();
    let is_low = low > 0 && mask.leading_zeros() == mask.width() - low;
    is_low.then(|| make::extract(pool, word, low - 1, 0))
}

/// The quotient that belongs to a remainder by a constant.
fn quotient(pool: &mut Pool, remainder: Term) -> Option<(Term, BigInt)> {
    let &[dividend, divisor] = pool.args(remainder) else { return None };
    let by = integer(&pool.as_bitvec(divisor).filter(|by| !by.is_zero())?);
    Some((make::app(pool, Op::BvUdiv, &[dividend, divisor]), by))
}

fn is_zero(pool: &Pool, term: Term) -> bool {
    pool.as_bitvec(term).is_some_and(|value| value.is_zero())
}

/// The difference of two words that is thought to be zero, or a constant.
fn zero_difference(pool: &mut Pool, sides: [Term; 2]) -> Option<WordPolynomial> {
    WordPolynomial::difference(pool, sides, Opened::Arithmetic, &mut STEPS.clone(), &Deadline::unlimited())
}
