//! Powers of two: a symbol that is said to be one becomes a shifted one.
//!
//! Alignments and the sizes of tables are asserted by `y & (y - 1) = 0`, or by `y & -y = y`. Both say that
//! `y` is `1 << e` for some `e`; where everything is shifted out `y` is zero, which is allowed, too.
//! Then quotients, remainders and products with `y` are shifts and masks by rules that exist (Warren,
//! *Hacker's Delight*, 2.1 and 10.1, for constants). The exponent is a fresh symbol of as many bits as it
//! takes.
//!
//! Why it is correct: for each value of `y` with the condition there is a value of the exponent, and for each
//! value of the exponent the condition holds. Cost: a walk over the conjuncts and one over their terms.

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Sort, Term, TermSet};

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let conjuncts = problem.conjuncts.iter();
    let stated: Vec<(Term, Term)> = conjuncts
        .filter_map(|&conjunct| Some((conjunct, power(pool, conjunct)?)))
        .filter(|&(_, symbol)| !problem.is_frozen(symbol))
        .collect();
    if stated.is_empty() {
        return None;
    }
    let mut operands = TermSet::new();
    for &term in problem.cone(pool) {
        if matches!(pool.op(term), Op::BvMul | Op::BvUdiv | Op::BvUrem) {
            for &arg in pool.args(term) {
                operands.insert(arg);
            }
        }
    }
    let (mut changes, mut replaced) = (vec![], TermSet::new());
    for (conjunct, symbol) in stated {
        if operands.contains(symbol) && replaced.insert(symbol) {
            changes.push(Change::new(conjunct, shifted_one(pool, symbol), Reason::Fresh));
        }
    }
    (!changes.is_empty()).then_some(changes)
}

/// The symbol that a conjunct says to be a power of two or zero.
fn power(pool: &Pool, conjunct: Term) -> Option<Term> {
    let (Op::Eq, &[a, b]) = (pool.op(conjunct), pool.args(conjunct)) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(side, and)| {
        let (Op::BvAnd, &[p, q]) = (pool.op(and), pool.args(and)) else { return None };
        [(p, q), (q, p)].into_iter().find_map(|(symbol, other)| {
            let less_one =
                side != symbol && pool.as_bitvec(side)?.is_zero() && is_less_one(pool, other, symbol);
            let negated = side == symbol && pool.op(other) == Op::BvNeg && pool.args(other) == [symbol];
            (pool.op(symbol) == Op::Symbol && (less_one || negated)).then_some(symbol)
        })
    })
}

/// Is a term the predecessor of a symbol?
fn is_less_one(pool: &Pool, term: Term, symbol: Term) -> bool {
    pool.op(term) == Op::BvAdd
        && matches!(*pool.args(term), [a, b] if (a == symbol && is_ones(pool, b)) || (b == symbol && is_ones(pool, a)))
}

fn is_ones(pool: &Pool, term: Term) -> bool {
    pool.as_bitvec(term).is_some_and(|value| value.is_ones())
}

/// The equation of a symbol with one, shifted by a fresh exponent.
fn shifted_one(pool: &mut Pool, symbol: Term) -> Term {
    let width = pool.width(symbol).expect("a power of two is a word");
    let name = format!("{}[log]", pool.name(symbol).unwrap_or_default());
    let bits = Sort::bitvec(width.ilog2() + 1).expect("an exponent has at most as many bits as the word");
    let exponent = pool.symbol(&name, bits);
    let zeros = make::zeros_or_none(pool, width - width.ilog2() - 1);
    let exponent = make::concat(pool, &[zeros, Some(exponent)]);
    let one = pool.bv_u64(1, width);
    let shifted = make::app(pool, Op::BvShl, &[one, exponent]);
    make::eq(pool, symbol, shifted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::check_with_fresh;

    #[test]
    fn a_power_is_a_shifted_one_and_nothing_else_is_excluded() {
        let changed = check_with_fresh(run, 800, 1, |pool, trial| {
            let symbol = trial.symbol();
            let (zero, ones) = (pool.bv_u64(0, 3), pool.bv_u64(7, 3));
            let less = pool.mk(Op::BvAdd, &[ones, symbol]);
            let negated = pool.mk(Op::BvNeg, &[symbol]);
            let (other, side) = if trial.chance(2) { (less, zero) } else { (negated, symbol) };
            let both = pool.mk(Op::BvAnd, &[other, symbol]);
            let power = pool.mk(Op::Eq, &[both, side]);
            let divided = [trial.sum(pool, 1), symbol];
            let op = [Op::BvUdiv, Op::BvUrem, Op::BvMul][trial.number(3) as usize];
            let quotient = pool.mk(op, &divided);
            let sum = trial.sum(pool, 1);
            vec![power, pool.mk(Op::BvUlt, &[quotient, sum])]
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }
}
