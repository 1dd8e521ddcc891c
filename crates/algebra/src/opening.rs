//! How operators open into sums and products: a row an operator.
//!
//! A row says what a term is as a number without sign, given those of its arguments, or what it is congruent
//! to modulo 2 to the power of its width. Laws that hold of numbers (`Holds::Exactly`, or where nothing
//! overflows) are laws of every ring that has an image of the integers; the others are read modulo a power of
//! two. So who opens words over any ring asks [`opening`], and reckons with what it returns ([`Law::of`]) by
//! operations of its own ([`Reckoner`]), which may have bounds and budgets.

use crate::polynomial::{Limits, Polynomial};
use crate::ring::{Ring, Weight};
use bivalve_terms::{Op, Pool, Term};
use std::marker::PhantomData;

/// What a term is, given its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Law {
    /// The sum of these numbers, and of the parts times these weights.
    Sum(Vec<Weight>, Vec<Weight>),
    /// The product of the parts.
    Product,
    /// Of a condition, as a number that is one or zero, and two branches: `q + c (p - q)`.
    Choice,
    /// Of a dividend, a divisor and their quotient by this operator: `a - b q`, which holds for zero, too.
    Remainder(Op),
}

/// For which numbers a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    /// For those without sign.
    Exactly,
    /// For those without sign if the sum or product has no more bits, and modulo 2 to the power of the width.
    IfItFits,
    /// Modulo 2 to the power of the width.
    Modulo,
}

/// What the parts of a term have to be, if the term is to be known modulo 2 to the power of its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Parts {
    /// The same.
    Modulo,
    /// Numbers without sign, but for the first one.
    AllButFirst,
    /// Numbers without sign.
    Exact,
}

/// The operators that open.
const ROWS: &[(Op, Holds, Parts)] = &[
    (Op::BvAdd, Holds::IfItFits, Parts::Modulo),
    (Op::BvSub, Holds::Modulo, Parts::Modulo),
    (Op::BvNeg, Holds::Modulo, Parts::Modulo),
    (Op::BvNot, Holds::Exactly, Parts::Modulo),
    (Op::BvMul, Holds::IfItFits, Parts::Modulo),
    (Op::BvShl, Holds::Modulo, Parts::Modulo),
    (Op::BvUrem, Holds::Exactly, Parts::Modulo),
    (Op::BvSrem, Holds::Modulo, Parts::Modulo),
    (Op::Ite, Holds::Exactly, Parts::Modulo),
    (Op::Concat, Holds::Exactly, Parts::AllButFirst),
    (Op::ZeroExtend, Holds::Exactly, Parts::Exact),
];

/// A term, opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// What it is.
    pub law: Law,
    /// Its parts that are arguments, and whether their values without sign are needed, or only what these are
    /// congruent to modulo 2 to the power of their width. The condition of a choice comes before them, the
    /// quotient of a remainder after them.
    pub operands: Vec<(Term, bool)>,
}

/// How a word opens, if its value without sign is wanted, or else what that is congruent to modulo 2 to the
/// power of its width. A shift opens if it is by a constant. `fits` says whether a sum or a product of
/// words is known not to overflow.
pub fn opening(
    pool: &Pool,
    term: Term,
    is_exact: bool,
    fits: impl FnOnce(&Pool, Op, &[Term]) -> bool,
) -> Option<Opening> {
    let op = pool.op(term);
    let &(_, holds, parts) = ROWS.iter().find(|row| row.0 == op)?;
    let (args, width) = (pool.args(term), pool.width(term)?);
    match holds {
        _ if !is_exact => {}
        Holds::Exactly => {}
        Holds::IfItFits if fits(pool, op, args) => {}
        Holds::IfItFits | Holds::Modulo => return None,
    }
    let sum = |weights| Law::Sum(vec![], weights);
    let (law, operands) = match op {
        Op::BvAdd | Op::ZeroExtend => (sum(vec![Weight::One; args.len()]), args),
        Op::BvNeg => (sum(vec![Weight::MinusOne]), args),
        Op::BvSub => {
            let mut weights = vec![Weight::MinusOne; args.len()];
            weights[0] = Weight::One;
            (sum(weights), args)
        }
        // The greatest number less the word, or minus one.
        Op::BvNot if is_exact => {
            (Law::Sum(vec![Weight::Power(width), Weight::MinusOne], vec![Weight::MinusOne]), args)
        }
        Op::BvNot => (Law::Sum(vec![Weight::MinusOne], vec![Weight::MinusOne]), args),
        Op::BvShl => {
            let by = pool.as_bitvec(args[1])?;
            let by = by.to_u64().and_then(|by| u32::try_from(by).ok()).filter(|&by| by < width)?;
            (sum(vec![Weight::Power(by)]), &args[..1])
        }
        Op::Concat => {
            let mut place = width;
            let weights = args.iter().map(|&arg| {
                place -= pool.width(arg).unwrap_or_default();
                Weight::Power(place)
            });
            (sum(weights.collect()), args)
        }
        Op::BvMul => (Law::Product, args),
        Op::Ite => (Law::Choice, &args[1..]),
        Op::BvSrem => (Law::Remainder(Op::BvSdiv), args),
        _ => (Law::Remainder(Op::BvUdiv), args),
    };
    let is_exact = |place: usize| match parts {
        Parts::Modulo => is_exact,
        Parts::AllButFirst => is_exact || place > 0,
        Parts::Exact => true,
    };
    let operands = operands.iter().enumerate().map(|(place, &arg)| (arg, is_exact(place))).collect();
    Some(Opening { law, operands })
}

/// Constants, and words with weights.
pub type Summands = (Vec<Weight>, Vec<(Term, Weight)>);

/// A word as the sum of some constants and words of its width, if its operator is one.
pub fn summands(pool: &Pool, word: Term) -> Option<Summands> {
    if !matches!(pool.op(word), Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot | Op::BvShl) {
        return None;
    }
    let Opening { law: Law::Sum(constants, weights), operands } =
        opening(pool, word, false, |_, _, _| false)?
    else {
        return None;
    };
    Some((constants, operands.into_iter().map(|(operand, _)| operand).zip(weights).collect()))
}

/// Who reckons with numbers of some kind; `None` where that takes too much.
pub trait Reckoner {
    /// A number, or a polynomial.
    type Number: Clone;
    /// Zero.
    fn zero(&mut self) -> Self::Number;
    /// One.
    fn one(&mut self) -> Self::Number;
    /// Adds a multiple.
    fn add(&mut self, sum: &mut Self::Number, part: &Self::Number, weight: Weight) -> Option<()>;
    /// The product.
    fn product(&mut self, a: &Self::Number, b: &Self::Number) -> Option<Self::Number>;
}

/// Reckons with polynomials of a bounded size.
pub struct Polynomials<R, A> {
    /// The ring.
    pub ring: R,
    /// What may be made.
    pub limits: Limits,
    atoms: PhantomData<A>,
}

impl<R, A> Polynomials<R, A> {
    /// Over this ring, within these limits.
    pub fn new(ring: R, limits: Limits) -> Self {
        Polynomials { ring, limits, atoms: PhantomData }
    }
}

impl<R: Ring, A: Ord + Clone> Reckoner for Polynomials<R, A> {
    type Number = Polynomial<R, A>;

    fn zero(&mut self) -> Self::Number {
        Polynomial::zero(self.ring.clone())
    }

    fn one(&mut self) -> Self::Number {
        Polynomial::of_constant(self.ring.clone(), self.ring.number(1))
    }

    fn add(&mut self, sum: &mut Self::Number, part: &Self::Number, weight: Weight) -> Option<()> {
        sum.add_scaled(part, &self.ring.weight(weight));
        (sum.len() <= self.limits.monomials).then_some(())
    }

    fn product(&mut self, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        a.times_within(b, self.limits, |_| false)
    }
}

impl Law {
    /// What the term is, given its parts.
    pub fn of<R: Reckoner>(&self, reckoner: &mut R, parts: &[R::Number]) -> Option<R::Number> {
        match (self, parts) {
            (Law::Sum(constants, weights), parts) => {
                let (mut sum, one) = (reckoner.zero(), reckoner.one());
                for &constant in constants {
                    reckoner.add(&mut sum, &one, constant)?;
                }
                for (part, &weight) in parts.iter().zip(weights) {
                    reckoner.add(&mut sum, part, weight)?;
                }
                Some(sum)
            }
            (Law::Product, [first, others @ ..]) => {
                others.iter().try_fold(first.clone(), |product, other| reckoner.product(&product, other))
            }
            (Law::Choice, [condition, then, other]) => {
                let mut distance = then.clone();
                reckoner.add(&mut distance, other, Weight::MinusOne)?;
                let mut chosen = reckoner.product(condition, &distance)?;
                reckoner.add(&mut chosen, other, Weight::One)?;
                Some(chosen)
            }
            (Law::Remainder(_), [dividend, divisor, quotient]) => {
                let (mut rest, whole) = (dividend.clone(), reckoner.product(divisor, quotient)?);
                reckoner.add(&mut rest, &whole, Weight::MinusOne)?;
                Some(rest)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{Residues, integer};
    use bivalve_terms::{Assignment, BitVec, Sort, eval};
    use num_bigint::BigInt;

    /// Whole numbers.
    struct Integers;

    impl Reckoner for Integers {
        type Number = BigInt;

        fn zero(&mut self) -> BigInt {
            BigInt::ZERO
        }

        fn one(&mut self) -> BigInt {
            BigInt::from(1)
        }

        fn add(&mut self, sum: &mut BigInt, part: &BigInt, weight: Weight) -> Option<()> {
            *sum += part * Residues::INTEGERS.weight(weight);
            Some(())
        }

        fn product(&mut self, a: &BigInt, b: &BigInt) -> Option<BigInt> {
            Some(a * b)
        }
    }

    /// All rows, for all words of three bits: what holds exactly gives the value from values, what holds
    /// modulo a power of two what is congruent to it, from parts that may be off by multiples of theirs.
    #[test]
    fn rows_are_laws() {
        let mut pool = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, Sort::bitvec(3).unwrap()));
        let p = pool.symbol("p", Sort::BOOL);
        let two = pool.bv_u64(2, 3);
        let mut opened = 0;
        for &(op, ..) in ROWS {
            let term = match op {
                Op::BvNeg | Op::BvNot => pool.mk(op, &[a]),
                Op::ZeroExtend => pool.mk_indexed(op, &[2], &[a]),
                Op::BvShl => pool.mk(op, &[a, two]),
                Op::Ite => pool.mk(op, &[p, a, b]),
                Op::BvAdd | Op::BvSub | Op::BvMul | Op::Concat => pool.mk(op, &[a, b, c]),
                _ => pool.mk(op, &[a, b]),
            };
            for code in 0..1u64 << 10 {
                let mut assignment = Assignment::new();
                for (place, symbol) in [a, b, c].into_iter().enumerate() {
                    assignment.set(symbol, BitVec::from_u64(code >> (3 * place) & 7, 3));
                }
                assignment.set(p, code >> 9 == 1);
                let value = |term: Term| integer(eval(&pool, term, &assignment).expect_bitvec());
                let fits = |_: &Pool, op: Op, args: &[Term]| {
                    let values = args.iter().map(|&arg| value(arg));
                    let whole: BigInt = if op == Op::BvAdd { values.sum() } else { values.product() };
                    whole < BigInt::from(8)
                };
                for is_exact in [true, false] {
                    let Some(Opening { law, operands }) = opening(&pool, term, is_exact, fits) else {
                        continue;
                    };
                    let mut parts: Vec<BigInt> = operands
                        .iter()
                        .map(|&(arg, is_exact)| {
                            value(arg) + if is_exact { 0 } else { 8 * (code as i64 % 5 - 2) }
                        })
                        .collect();
                    match law {
                        Law::Choice => parts.insert(0, BigInt::from(code >> 9)),
                        Law::Remainder(division) => {
                            let quotient = if division == Op::BvUdiv { BitVec::udiv } else { BitVec::sdiv };
                            let [a, b] = [a, b].map(|word| eval(&pool, word, &assignment));
                            parts.push(integer(&quotient(a.expect_bitvec(), b.expect_bitvec())));
                        }
                        Law::Sum(..) | Law::Product => {}
                    }
                    let found = law.of(&mut Integers, &parts).unwrap();
                    let modulus = Residues(BigInt::from(1u64 << pool.width(term).unwrap()));
                    let found = if is_exact { found } else { modulus.reduced(found) };
                    assert_eq!(found, value(term), "{op:?} {code} {is_exact}");
                    opened += 1;
                }
            }
        }
        assert!(opened > 12_000, "{opened}");
    }
}
