//! One term simplified, for those who look at it: the local rules, and sums with equal summands collected.
//!
//! Rules see a few operators at a time, so that `x + y + 4 - y - 4` stays as it is. Here every sum that is
//! no part of a larger one becomes a list of terms with coefficients and a constant: sums, negations,
//! complements (`-x - 1`), products with constants, and words that are shifted by a constant are opened.
//! Where the list takes fewer operators than there were, it is built in their place, and the rules are
//! applied again. Sums in which nothing is collected keep their shape.
//!
//! The rules write a product with a power of two as a slice beside zeros, which suits circuits. At the end
//! such a concatenation is written as the product again, so `2 * x` stays what it is.
//!
//! Why it is correct: sums and products with constants are a module over the integers modulo `2^w`. Cost:
//! each sum looks once at each operator that it is made of.

use crate::engine::{Level, Rewriter};
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Rebuild, Term, TermSet, cone};
use std::collections::BTreeMap;

/// A term of the same value under every assignment, in normal form by the local rules, with equal summands
/// collected.
pub fn simplify(pool: &mut Pool, term: Term) -> Term {
    let mut rewriter = Rewriter::new(Level::Local);
    let local = rewriter.rewrite(pool, term);
    let collected = collected(pool, local);
    let simplified = rewriter.rewrite(pool, collected);
    let product = |pool: &mut Pool, _, rebuilt| {
        let (word, factor) = shifted(pool, rebuilt)?;
        let factor = pool.bitvec(&factor);
        Some(pool.mk(Op::BvMul, &[factor, word]))
    };
    Rebuild::new().apply(pool, simplified, || true, product).expect("nothing ends the walk")
}

/// The word that is shifted by a constant, as the rules write that, and the power of two; `None` for other
/// terms.
fn shifted(pool: &Pool, term: Term) -> Option<(Term, BitVec)> {
    let (Op::Concat, &[high, low]) = (pool.op(term), pool.args(term)) else { return None };
    let (width, places) = (pool.width(term)?, pool.width(low)?);
    let &[word] = pool.args(high) else { return None };
    let is_shift = pool.op(high) == Op::Extract
        && pool.as_bitvec(low)?.is_zero()
        && pool.width(word) == Some(width)
        && pool.indices(high) == [width - 1 - places, 0];
    is_shift.then(|| (word, BitVec::one(width).shl_by(places)))
}

fn collected(pool: &mut Pool, root: Term) -> Term {
    let mut outer = TermSet::new();
    outer.insert(root);
    for term in cone(pool, &[root]) {
        if summands(pool, term).is_none() {
            for &arg in pool.args(term) {
                outer.insert(arg);
            }
        }
    }
    let image =
        |pool: &mut Pool, term, rebuilt| outer.contains(term).then(|| shorter(pool, rebuilt)).flatten();
    Rebuild::new().apply(pool, root, || true, image).expect("nothing ends the walk")
}

/// A sum as a list of terms with coefficients, and a constant; `None` for other terms.
fn summands(pool: &Pool, term: Term) -> Option<(Vec<(Term, BitVec)>, BitVec)> {
    let width = pool.width(term)?;
    let (zero, one) = (BitVec::zero(width), BitVec::one(width));
    Some(match (pool.op(term), pool.args(term)) {
        (Op::BvAdd, args) => (args.iter().map(|&arg| (arg, one.clone())).collect(), zero),
        (Op::BvNeg, &[arg]) => (vec![(arg, one.neg())], zero),
        (Op::BvNot, &[arg]) => (vec![(arg, one.neg())], one.neg()),
        (Op::BvMul, &[factor, arg]) if pool.is_const(factor) => {
            (vec![(arg, pool.as_bitvec(factor)?.clone())], zero)
        }
        (Op::Concat, _) => (vec![shifted(pool, term)?], zero),
        _ => return None,
    })
}

/// The sum of the same value with equal summands collected, if that takes fewer operators.
fn shorter(pool: &mut Pool, sum: Term) -> Option<Term> {
    let width = pool.width(sum)?;
    let mut constant = BitVec::zero(width);
    let (mut parts, mut operators) = (vec![], 0);
    // Coefficients by the numbers of terms, which are greater than those of their arguments.
    let mut open = BTreeMap::from([(sum.index(), BitVec::one(width))]);
    while let Some((index, factor)) = open.pop_last() {
        let term = pool.nth(index);
        if factor.is_zero() {
            continue;
        }
        if let Some(value) = pool.as_bitvec(term) {
            constant = constant.add(&value.mul(&factor));
            continue;
        }
        let Some((list, offset)) = summands(pool, term) else {
            parts.push((term, factor));
            continue;
        };
        operators += list.len().saturating_sub(1).max(1);
        constant = constant.add(&offset.mul(&factor));
        for (part, coefficient) in list {
            let sum = open.entry(part.index()).or_insert_with(|| BitVec::zero(width));
            *sum = sum.add(&coefficient.mul(&factor));
        }
    }
    let multiples = parts.iter().filter(|(_, coefficient)| !coefficient.is_one()).count();
    let summands = parts.len() + usize::from(!constant.is_zero());
    if multiples + summands.saturating_sub(1) >= operators {
        return None;
    }
    let mut total = pool.bitvec(&constant);
    for (part, coefficient) in parts.into_iter().rev() {
        let multiple = if coefficient.is_ones() {
            make::app(pool, Op::BvNeg, &[part])
        } else {
            let coefficient = pool.bitvec(&coefficient);
            make::app(pool, Op::BvMul, &[coefficient, part])
        };
        total = make::app(pool, Op::BvAdd, &[total, multiple]);
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::{Assignment, Sort, Valuation};

    /// Two symbols of three bits.
    fn pool() -> (Pool, Term, Term) {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(3).expect("a width");
        let (x, y) = (pool.symbol("x", sort), pool.symbol("y", sort));
        (pool, x, y)
    }

    #[test]
    fn equal_summands_are_collected() {
        let (mut pool, x, y) = pool();
        let numbers: Vec<Term> = (0..8).map(|value| pool.bv_u64(value, 3)).collect();
        let add = |pool: &mut Pool, a, b| pool.mk(Op::BvAdd, &[a, b]);
        let sub = |pool: &mut Pool, a, b| pool.mk(Op::BvSub, &[a, b]);
        let mul = |pool: &mut Pool, a: usize, b| pool.mk(Op::BvMul, &[numbers[a], b]);
        // x + y + 3 - y - 3
        let sum = [y, numbers[3]].into_iter().fold(x, |sum, part| add(&mut pool, sum, part));
        let sum = [y, numbers[3]].into_iter().fold(sum, |sum, part| sub(&mut pool, sum, part));
        assert_eq!(simplify(&mut pool, sum), x);
        let [two, three, five] = [2, 3, 5].map(|factor| mul(&mut pool, factor, x));
        let sum = add(&mut pool, two, three);
        let none = sub(&mut pool, sum, five);
        assert_eq!(simplify(&mut pool, none), numbers[0]);
        let once = sub(&mut pool, two, x);
        assert_eq!(simplify(&mut pool, once), x);
        // Below another operator, and in a choice.
        let (is_x, condition) = (pool.mk(Op::Eq, &[once, y]), pool.mk(Op::BvUlt, &[x, y]));
        let choice = pool.mk(Op::Ite, &[condition, is_x, condition]);
        let expected = pool.mk(Op::Eq, &[x, y]);
        let expected = pool.mk(Op::Ite, &[condition, expected, condition]);
        assert_eq!(simplify(&mut pool, choice), simplify(&mut pool, expected));
    }

    /// Products with powers of two came out as slices beside zeros.
    #[test]
    fn products_with_powers_of_two_stay() {
        let (mut pool, x, y) = pool();
        let [one, two, four] = [1, 2, 4].map(|number| pool.bv_u64(number, 3));
        let [twice, fourfold] = [two, four].map(|factor| pool.mk(Op::BvMul, &[factor, x]));
        let shifted = pool.mk(Op::BvShl, &[x, one]);
        let doubled = pool.mk(Op::BvAdd, &[x, x]);
        let (again, zeros) = (pool.mk(Op::BvAdd, &[twice, twice]), pool.bv_u64(0, 2));
        let low = pool.mk_indexed(Op::Extract, &[0, 0], &[x]);
        let low = pool.mk(Op::Concat, &[low, zeros]);
        for (term, expected) in
            [(twice, twice), (shifted, twice), (doubled, twice), (again, fourfold), (low, fourfold)]
        {
            assert_eq!(simplify(&mut pool, term), expected, "{}", pool.display(term));
        }
        // Below other operators, too.
        let rest = pool.mk(Op::BvUrem, &[y, twice]);
        assert_eq!(simplify(&mut pool, rest), rest);
    }

    /// All values of sums made at random are kept.
    #[test]
    fn sums_keep_their_values() {
        let (mut pool, x, y) = pool();
        let mut terms = vec![x, y, pool.bv_u64(5, 3), pool.bv_u64(2, 3)];
        let mut random = 1u64;
        for step in 0..300 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pick = |bits: u32| terms[(random >> bits) as usize % terms.len()];
            let (a, b) = (pick(20), pick(33));
            let term = match random >> 58 {
                0..20 => pool.mk(Op::BvAdd, &[a, b]),
                20..35 => pool.mk(Op::BvSub, &[a, b]),
                35..40 => pool.mk(Op::BvNeg, &[a]),
                40..45 => pool.mk(Op::BvNot, &[a]),
                45..50 => pool.mk(Op::BvShl, &[a, terms[3]]),
                _ => pool.mk(Op::BvMul, &[a, b]),
            };
            let simple = simplify(&mut pool, term);
            for values in 0..64 {
                let mut assignment = Assignment::new();
                assignment.set(x, BitVec::from_u64(values & 7, 3));
                assignment.set(y, BitVec::from_u64(values >> 3, 3));
                let mut valuation = Valuation::new();
                let expected = valuation.eval(&pool, &assignment, term).clone();
                assert_eq!(*valuation.eval(&pool, &assignment, simple), expected, "step {step}");
            }
            terms.push(term);
        }
    }
}
