//! Reals as words: constants, values of `fp.to_real`, and what that gives where the standard leaves it open.
//!
//! Reals are compared, chosen and rounded, and nothing is added to them. So it is their order that matters,
//! and a word is enough: its signed number is the *place* of a number in a format [`SCALE`] that is wider
//! than all formats whose numbers become reals. The places of those numbers are multiples of 2^64
//! ([`FINE_BITS`]), since they have so many digits less; call all such places *coarse*. A constant that is no
//! coarse number has the place of the greatest number of the scale that is not above it, and that place
//! stands for the constant.
//!
//! Why this is exact though there are more reals than words: all that an open result can be, by the order, is
//! one of the coarse numbers or of the constants, or between two that are neighbours. No constant, if it is
//! no coarse number, is nearer than [`ROOM`] places to a coarse one or to another constant; one that is gets
//! refused. So between neighbours there are more places than there are open results, three for each format,
//! and a model over reals has one over words with the same order. The other way round, places stand for
//! different reals in the same order. Rounding to a format whose numbers, and the middles between them, are
//! coarse gives one result for all reals between neighbours.
//!
//! Comparisons of a number with a constant are made comparisons of numbers before all this, so that words are
//! left for what is open, for comparisons of two numbers, and for choices.

use crate::constants;
use crate::theory::Refusal;
use crate::words::{TermWords, Word};
use bivalve_floats::circuits::{Application, Words, image};
use bivalve_floats::{Integers, Operation, Outcome, Semantics};
use bivalve_terms::float::{Float, Format, Rational, RoundingMode};
use bivalve_terms::{Op, Pool, Sort, Term, TheorySort, TheoryValue, Value};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Bits of the scale: the exponent has room for quotients of the longest decimals that are read.
const SCALE: (u64, u64) = (20, 184);
/// Most bits of exponent and significand of formats whose numbers become reals, or that reals are rounded to.
const WIDEST: (u32, u32) = (19, 119);
/// The digits that the scale has more than such numbers, and the middles between them.
const FINE_BITS: u32 = 64;
/// The places around a constant that have to be free: more than there are open results.
const ROOM: u64 = 1 << 17;

/// The scale of words.
fn scale() -> Format {
    Format::new(SCALE.0, SCALE.1).expect("a legal format")
}

/// Is it the sort of reals?
pub(crate) fn is_real(pool: &Pool, sort: Sort) -> bool {
    pool.sorts().as_theory(sort) == Some(TheorySort::Real)
}

/// The constants that reals were compared with.
#[derive(Default)]
pub(crate) struct Reals {
    /// Those that are no coarse numbers, by place.
    constants: BTreeMap<BigInt, Rational>,
}

/// The place of the greatest number of the scale that is not above the real.
fn place(value: &Rational) -> BigInt {
    let below = Integers::from_rational(scale(), RoundingMode::TowardNegative, value);
    below.place().expect("no NaN")
}

/// The number at a place, if it is one.
fn number_at(place: &BigInt) -> Option<Rational> {
    match Integers::to_real(&Float::at_place(scale(), place)?) {
        Outcome::Value(value) => Some(value),
        Outcome::Unspecified => None,
    }
}

impl Reals {
    /// Accepts a term over reals, or says why not.
    pub(crate) fn accept(&mut self, pool: &Pool, term: Term) -> Result<(), Refusal> {
        let (op, args) = (pool.op(term), pool.args(term));
        let refused = |argument, expected: String, found: String| {
            Err(Refusal { term, argument: Some(argument), expected, found })
        };
        let format = match op {
            Op::FpToReal => pool.float_format(args[0]),
            Op::FpFromReal if !pool.is_const(args[1]) => pool.float_format(term),
            _ => None,
        };
        if let Some(format) = format
            && (format.exponent_bits() > WIDEST.0 || format.significand_bits() > WIDEST.1)
        {
            let expected = format!("at most {} bits of exponent and {} of significand", WIDEST.0, WIDEST.1);
            let argument = usize::from(op == Op::FpFromReal);
            return refused(argument, expected + " where reals are", format!("{format}"));
        }
        match op {
            Op::Eq | Op::Distinct | Op::Ite | Op::IntLt | Op::IntLe | Op::IntGt | Op::IntGe => {
                for (argument, &arg) in args.iter().enumerate() {
                    if let Some(value) = pool.as_real(arg)
                        && let Err((expected, found)) = self.insert(&value)
                    {
                        return refused(argument, expected.into(), found);
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Takes a constant into account, unless it is too near to others or to numbers.
    fn insert(&mut self, value: &Rational) -> Result<(), (&'static str, String)> {
        let most = (1i64 << (SCALE.0 - 1)) - i64::from(FINE_BITS) - SCALE.1 as i64;
        if value.log2().is_some_and(|log| log.abs() > most) {
            return Err(("a real nearer to 1", format!("one of about 2^{}", value.log2().unwrap_or(0))));
        }
        let place = place(value);
        let is_exact = number_at(&place).as_ref() == Some(value);
        let coarse = BigInt::from(1) << FINE_BITS;
        let fine = ((&place % &coarse) + &coarse) % &coarse;
        if is_exact && fine == BigInt::ZERO {
            return Ok(());
        }
        let room = BigInt::from(ROOM);
        if fine < room || fine > &coarse - &room {
            let expected = "a real that is not so near to a floating-point number that it differs from";
            return Err((expected, "one that differs by a part of less than 2^-160".into()));
        }
        let near = self.constants.range(&place - &room..=&place + &room);
        if near.into_iter().any(|(_, other)| other != value) {
            let expected = "a real that is not so near to another one in the script";
            return Err((expected, "one that differs by a part of less than 2^-160".into()));
        }
        self.constants.insert(place, value.clone());
        Ok(())
    }

    /// The real that a word stands for.
    pub(crate) fn lift(&self, word: &BigInt) -> Option<Value> {
        let real = self.constants.get(word).cloned().or_else(|| number_at(word))?;
        Some(TheoryValue::Real(real).into())
    }
}

/// The sort of words of reals.
pub(crate) fn image_sort() -> Sort {
    Sort::bitvec(scale().width()).expect("a legal width")
}

/// The word of a constant.
pub(crate) fn constant_image(pool: &mut Pool, value: &Rational) -> Term {
    pool.bitvec(&bivalve_terms::BitVec::from_int(&place(value), scale().width()))
}

/// The sign of a word, and the word or its negation, whichever has no sign.
fn magnitude(words: &mut TermWords<'_>, word: &Word) -> (Word, Word) {
    let top = scale().width() - 1;
    let negative = words.extract(word, top, top);
    let zero = words.constant(top + 1, &0u32.into());
    let negated = words.sub(&zero, word);
    let magnitude = words.ite(&negative, &negated, word);
    (negative, magnitude)
}

/// Does a word stand for a real? Those of infinities and beyond do not.
pub(crate) fn is_place(words: &mut TermWords<'_>, word: &Word) -> Word {
    let (_, magnitude) = magnitude(words, word);
    let bound = words.constant(scale().width(), &Float::infinity(scale(), false).to_bits());
    words.ult(&magnitude, &bound)
}

/// The word of `fp.to_real`, of a number by its word; `open` where that is NaN or an infinity.
pub(crate) fn image_of_number(words: &mut TermWords<'_>, format: Format, x: &Word, open: &Word) -> Word {
    let mode = words.constant(RoundingMode::CODE_BITS, &u32::from(RoundingMode::NearestEven.code()).into());
    let mut apply = |operation| {
        let application = Application { operation, format, mode: &mode, operands: &[*x], free: &mode };
        image(words, &application).expect("the sorts were checked")
    };
    let [nan, infinite, packed] =
        [Operation::IsNan, Operation::IsInfinite, Operation::Convert(scale())].map(&mut apply);
    let top = scale().width() - 1;
    let (sign, rest) = (words.extract(&packed, top, top), words.extract(&packed, top - 1, 0));
    let zero = words.constant(1, &0u32.into());
    let place = words.concat(&zero, &rest);
    let none = words.constant(top + 1, &0u32.into());
    let negated = words.sub(&none, &place);
    let place = words.ite(&sign, &negated, &place);
    let is_open = words.or(&nan, &infinite);
    words.ite(&is_open, open, &place)
}

/// The word of a number that a real is rounded to, by the real's word.
pub(crate) fn rounded(words: &mut TermWords<'_>, to: Format, mode: &Word, word: &Word) -> Word {
    let (sign, magnitude) = magnitude(words, word);
    let rest = words.extract(&magnitude, scale().width() - 2, 0);
    let packed = words.concat(&sign, &rest);
    let operation = Operation::Convert(to);
    let application = Application { operation, format: scale(), mode, operands: &[packed], free: mode };
    image(words, &application).expect("the sorts were checked")
}

/// A comparison of neighbours by their words.
pub(crate) fn compared(pool: &mut Pool, op: Op, images: &[Term]) -> Term {
    let op = match op {
        Op::IntLt => Op::BvSlt,
        Op::IntLe => Op::BvSle,
        Op::IntGt => Op::BvSgt,
        _ => Op::BvSge,
    };
    let pairs: Vec<Term> = images.windows(2).map(|pair| pool.mk(op, pair)).collect();
    pool.and_all(&pairs)
}

/// That a floating-point number is one, and finite.
fn finite(pool: &mut Pool, x: Term) -> Term {
    let special = [Op::FpIsNan, Op::FpIsInfinite].map(|op| pool.mk(op, &[x]));
    let special = pool.mk(Op::Or, &special);
    pool.mk(Op::Not, &[special])
}

/// The number that becomes a real, and what that is where it is open.
fn converted(pool: &Pool, term: Term) -> Option<(Term, Term)> {
    match (pool.op(term), pool.args(term)) {
        (Op::FpToReal, &[x, open]) => Some((x, open)),
        _ => None,
    }
}

/// A comparison of a finite number with a constant, as one of numbers.
fn compared_with(pool: &mut Pool, op: Op, x: Term, value: &Rational) -> Option<Term> {
    let format = pool.float_format(x)?;
    // The greatest number that is not above the constant.
    let below = Integers::from_rational(format, RoundingMode::TowardNegative, value);
    let is_exact = Integers::to_real(&below) == Outcome::Value(value.clone());
    let bound = pool.float(&below);
    let op = match op {
        Op::Eq | Op::Distinct if !is_exact => return Some(pool.bool(op == Op::Distinct)),
        Op::Eq | Op::Distinct => {
            let same = pool.mk(Op::FpEq, &[x, bound]);
            return Some(if op == Op::Eq { same } else { pool.mk(Op::Not, &[same]) });
        }
        Op::IntLt if is_exact => Op::FpLt,
        Op::IntGe if is_exact => Op::FpGe,
        Op::IntLt | Op::IntLe => Op::FpLe,
        Op::IntGe | Op::IntGt => Op::FpGt,
        _ => return None,
    };
    Some(pool.mk(op, &[x, bound]))
}

/// The comparison with its sides exchanged.
fn flipped(op: Op) -> Op {
    match op {
        Op::IntLt => Op::IntGt,
        Op::IntLe => Op::IntGe,
        Op::IntGt => Op::IntLt,
        Op::IntGe => Op::IntLe,
        other => other,
    }
}

/// What is equal to a term over reals, and closer to floating-point numbers.
pub(crate) fn simpler(pool: &mut Pool, term: Term) -> Option<Term> {
    match (pool.op(term), pool.args(term)) {
        (Op::FpToReal, &[x, _]) => {
            let value = constants::float(pool, x)?;
            match Integers::to_real(&value) {
                Outcome::Value(real) => Some(pool.real(&real)),
                Outcome::Unspecified => None,
            }
        }
        (op @ (Op::Eq | Op::Distinct | Op::IntLt | Op::IntLe | Op::IntGt | Op::IntGe), &[a, b]) => {
            let (real, constant, op) = match (pool.as_real(a), pool.as_real(b)) {
                (None, Some(value)) => (a, value, op),
                (Some(value), None) => (b, value, flipped(op)),
                _ => return None,
            };
            let (x, open) = converted(pool, real)?;
            let constant_term = pool.real(&constant);
            let (numbers, finite) = (compared_with(pool, op, x, &constant)?, finite(pool, x));
            let others = pool.mk(op, &[open, constant_term]);
            Some(pool.mk(Op::Ite, &[finite, numbers, others]))
        }
        (Op::FpFromReal, &[mode, real]) => {
            let (x, open) = converted(pool, real)?;
            let to = pool.float_format(term)?;
            let indices = [to.exponent_bits(), to.significand_bits()];
            let number = pool.mk_indexed(Op::FpFromFloat, &indices, &[mode, x]);
            // Zero as a real has no sign.
            let (is_zero, zero) = (pool.mk(Op::FpIsZero, &[x]), pool.float(&Float::zero(to, false)));
            let number = pool.mk(Op::Ite, &[is_zero, zero, number]);
            let finite = finite(pool, x);
            let other = pool.mk_indexed(Op::FpFromReal, &indices, &[mode, open]);
            Some(pool.mk(Op::Ite, &[finite, number, other]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_reals_and_those_of_numbers_are_coarse() {
        let mut reals = Reals::default();
        let mut all: Vec<Rational> = vec![];
        for numerator in -40..40 {
            for denominator in [1u32, 2, 3, 7, 10, 1_000_003] {
                all.push(Rational::new(numerator, denominator).expect("no zero"));
            }
        }
        all.iter().for_each(|value| reals.insert(value).expect("far from others"));
        all.sort();
        all.dedup();
        let places: Vec<BigInt> = all.iter().map(place).collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
        for (value, place) in all.iter().zip(&places) {
            let real: Value = TheoryValue::Real(value.clone()).into();
            assert_eq!(reals.lift(place), Some(real));
        }
        let format = Format::new(WIDEST.0.into(), WIDEST.1.into()).expect("a format");
        for number in
            [Float::smallest(format, false), Float::largest(format, true), Float::one(format, false)]
        {
            let Outcome::Value(real) = Integers::to_real(&number) else { panic!("finite") };
            assert_eq!(place(&real) % (BigInt::from(1) << FINE_BITS), BigInt::ZERO);
            assert!(reals.insert(&real).is_ok());
        }
    }

    #[test]
    fn constants_that_are_too_near_are_refused() {
        let mut reals = Reals::default();
        let third = Rational::new(1, 3u32).expect("no zero");
        let part = |exponent| Rational::scaled(1, exponent);
        assert_eq!(reals.insert(&third), Ok(()));
        assert_eq!(reals.insert(&third), Ok(()));
        assert_eq!(reals.insert(&(&third + &part(-150))), Ok(()));
        assert!(reals.insert(&(&third + &part(-180))).is_err());
        assert!(reals.insert(&(&third - &part(-300))).is_err());
        let one = Rational::from_integer(1);
        for near in [part(-175), part(-500), -&part(-500)] {
            assert!(reals.insert(&(&one + &near)).is_err(), "{near}");
        }
        assert_eq!(reals.insert(&(&one + &part(-150))), Ok(()));
        assert!(reals.insert(&part(-524_300)).is_err());
    }
}
