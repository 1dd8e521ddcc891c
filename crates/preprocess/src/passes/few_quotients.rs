//! Divisions by a constant of what is so near to zero that only few quotients are possible: a choice between
//! these takes subtractions in place of a divider.
//!
//! A sum of field elements less their sum, say, is a number of a few moduli's size, so whether it is a
//! multiple of the modulus is a few equations. What is known of the words below is put together over the
//! whole numbers: the sum of bounded words with signs lies between two numbers, and if both are numbers of
//! the width, signed or not, so is the sum, which does not overflow then.
//!
//! Why it is right: the quotient is monotone in the dividend, so it lies between the quotients of the ends.
//! Cost: a walk over the summands of a dividend.

use bivalve_domains::Analysis;
use bivalve_rewrite::make;
use bivalve_terms::{BigInt, BitVec, Op, Pool, Term};

/// More quotients are left to a divider. A choice costs about three gates a bit and quotient, a divider as
/// many a bit for each bit.
const MOST_QUOTIENTS: usize = 8;

/// More summands are not added up.
const MOST_SUMMANDS: usize = 64;

/// A number between two.
type Range = (BigInt, BigInt);

/// A division by a constant that leaves few quotients.
struct Few {
    dividend: Term,
    divisor: BigInt,
    quotients: Vec<BigInt>,
    is_signed: bool,
}

/// The same as a choice, if few quotients are possible.
pub(super) fn choice(pool: &mut Pool, known: &Analysis, term: Term, args: &[Term]) -> Option<Term> {
    let few = few(pool, known, term)?;
    let width = pool.width(term)?;
    let (op, x) = (pool.op(term), args[0]);
    let of = |pool: &mut Pool, quotient: &BigInt| {
        if matches!(op, Op::BvUdiv | Op::BvSdiv) {
            return pool.bitvec(&BitVec::from_int(quotient, width));
        }
        let multiple = pool.bitvec(&BitVec::from_int(&-(quotient * &few.divisor), width));
        make::app(pool, Op::BvAdd, &[x, multiple])
    };
    let (first, rest) = few.quotients.split_first()?;
    let mut result = of(pool, first);
    for quotient in rest {
        // The least number with this quotient.
        let least = match few.is_signed && op != Op::BvSmod && *quotient <= BigInt::ZERO {
            true => (quotient - 1) * &few.divisor + 1,
            false => quotient * &few.divisor,
        };
        let least = pool.bitvec(&BitVec::from_int(&least, width));
        let order = if few.is_signed { Op::BvSlt } else { Op::BvUlt };
        let is_less = make::app(pool, order, &[x, least]);
        let more = of(pool, quotient);
        result = make::ite(pool, is_less, result, more);
    }
    Some(result)
}

/// Whether a remainder is zero, as a disjunction of equations.
pub(super) fn is_multiple(
    pool: &mut Pool,
    known: &Analysis,
    equation: Term,
    of: impl Fn(Term) -> Term,
) -> Option<Term> {
    let &[a, b] = pool.args(equation) else { return None };
    let is_zero = |term: Term| pool.as_bitvec(term).is_some_and(|value| value.is_zero());
    let remainder = if is_zero(a) { b } else { a };
    let is_remainder = matches!(pool.op(remainder), Op::BvUrem | Op::BvSrem | Op::BvSmod);
    if !is_remainder || !(is_zero(a) || is_zero(b)) {
        return None;
    }
    let few = few(pool, known, remainder)?;
    let (width, x) = (pool.width(remainder)?, of(few.dividend));
    let mut is_none = vec![];
    for quotient in &few.quotients {
        let multiple = pool.bitvec(&BitVec::from_int(&(quotient * &few.divisor), width));
        let equation = make::eq(pool, x, multiple);
        is_none.push(make::not(pool, equation));
    }
    let is_none = make::conjunction(pool, is_none);
    Some(make::not(pool, is_none))
}

/// A division by a constant that leaves few quotients.
fn few(pool: &Pool, known: &Analysis, term: Term) -> Option<Few> {
    let is_signed = matches!(pool.op(term), Op::BvSdiv | Op::BvSrem | Op::BvSmod);
    if !is_signed && !matches!(pool.op(term), Op::BvUdiv | Op::BvUrem) {
        return None;
    }
    let &[dividend, divisor] = pool.args(term) else { return None };
    let divisor = pool.as_bitvec(divisor)?;
    let divisor = if is_signed { divisor.to_signed_int() } else { divisor.to_int() };
    if divisor <= BigInt::ZERO {
        return None;
    }
    let (least, most) = number(pool, known, dividend, is_signed)?;
    let floor = |number: &BigInt| {
        let quotient = number / &divisor;
        let is_below = &quotient * &divisor > *number;
        // A signed quotient is rounded towards zero, the remainder of `bvsmod` is that of the floor.
        if is_below && pool.op(term) == Op::BvSmod { quotient - 1 } else { quotient }
    };
    let (mut quotient, last) = (floor(&least), floor(&most));
    let most = MOST_QUOTIENTS.min(pool.width(term)? as usize / 4);
    if &last - &quotient >= BigInt::from(most) {
        return None;
    }
    let mut quotients = vec![];
    while quotient <= last {
        quotients.push(quotient.clone());
        quotient += 1;
    }
    Some(Few { dividend, divisor, quotients, is_signed })
}

/// Between which numbers a word lies, signed or not.
fn number(pool: &Pool, known: &Analysis, word: Term, is_signed: bool) -> Option<Range> {
    let is_plus = known.domain(word).is_some_and(|domain| domain.sign() == Some(false));
    if !is_signed || is_plus {
        return unsigned(pool, known, word, &mut 0);
    }
    let (least, most) = sum(pool, known, word, &mut 0)?;
    let half = BigInt::from(1) << (pool.width(word)? - 1);
    (-&half <= least && most < half).then_some((least, most))
}

/// Between which numbers a word without a sign lies.
fn unsigned(pool: &Pool, known: &Analysis, word: Term, steps: &mut usize) -> Option<Range> {
    *steps += 1;
    if *steps > MOST_SUMMANDS {
        return None;
    }
    let all = (BigInt::ZERO, BigInt::from(1) << pool.width(word)?);
    let (least, most) = match known.domain(word) {
        Some(domain) => (domain.least().to_int(), domain.greatest().to_int()),
        None => (BigInt::ZERO, &all.1 - 1),
    };
    let below = match (pool.op(word), pool.args(word)) {
        (Op::Concat, &[high, low]) if pool.as_bitvec(high).is_some_and(|high| high.is_zero()) => {
            unsigned(pool, known, low, steps)?
        }
        (Op::BvAdd | Op::BvNeg, _) => sum(pool, known, word, steps)?,
        _ => return Some((least, most)),
    };
    // A sum that overflows may be any number.
    if below.0 < all.0 || below.1 >= all.1 {
        return Some((least, most));
    }
    Some((least.max(below.0), most.min(below.1)))
}

/// Between which numbers a sum lies if its summands, of which each is a word without a sign, are added over
/// the whole numbers.
fn sum(pool: &Pool, known: &Analysis, word: Term, steps: &mut usize) -> Option<Range> {
    let (mut least, mut most) = (BigInt::ZERO, BigInt::ZERO);
    let mut todo = vec![(word, false)];
    while let Some((term, is_negated)) = todo.pop() {
        *steps += 1;
        if *steps > MOST_SUMMANDS {
            return None;
        }
        match (pool.op(term), pool.args(term)) {
            (Op::BvAdd, args) => todo.extend(args.iter().map(|&arg| (arg, is_negated))),
            (Op::BvNeg, &[arg]) => todo.push((arg, !is_negated)),
            _ => {
                let (mut from, mut to) = match pool.as_bitvec(term) {
                    // A constant is the nearer one of two.
                    Some(value) => (value.to_signed_int(), value.to_signed_int()),
                    None => unsigned(pool, known, term, steps)?,
                };
                if is_negated {
                    (from, to) = (-to, -from);
                }
                least += from;
                most += to;
            }
        }
    }
    Some((least, most))
}

#[cfg(test)]
mod tests {
    use crate::passes::intervals::run;
    use crate::passes::tests::check;
    use bivalve_terms::{Op, Term};

    /// Sums and differences of small words, divided by constants of about their size.
    #[test]
    fn few_quotients_are_a_choice() {
        let changed = check(run, 300, |pool, trial| {
            let mut sum = pool.bv_u64(trial.number(4), 16);
            for _ in 0..1 + trial.number(3) {
                let word = trial.symbol();
                let mut wide = pool.mk_indexed(Op::ZeroExtend, &[13], &[word]);
                if trial.chance(2) {
                    wide = pool.mk(Op::BvNeg, &[wide]);
                }
                sum = pool.mk(Op::BvAdd, &[sum, wide]);
            }
            let divisor = pool.bv_u64(trial.number(9), 16);
            let ops = [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod];
            let divided = pool.mk(ops[trial.number(5) as usize], &[sum, divisor]);
            let other: Term = match trial.chance(2) {
                true => pool.bv_u64(0, 16),
                false => {
                    let word = trial.symbol();
                    pool.mk_indexed(Op::ZeroExtend, &[13], &[word])
                }
            };
            let compared = pool.mk(Op::Eq, &[divided, other]);
            let negated = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[compared, negated])]
        });
        assert!(changed > 80, "{changed} changed: too easy");
    }
}
