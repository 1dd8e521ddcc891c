//! Choices between constants as sums.
//!
//! Under conditions that are made of a few truth values, a choice between constants is a function of those,
//! and so a sum of products of numbers that are one or zero: `ite(p and not q, 1, ite(q and not p, -1, 0))`
//! is `[p] - [q]`. The coefficients are found as those of bitwise words are ([`super::bitwise`]), modulo two
//! to the power of the width. So a counter that goes up, or down, or stays, is what two pointers are apart of
//! which each goes up by itself.
//!
//! Cost: `k 2^k` for each choice over `k` truth values, of which there are [`super::bitwise`]'s at most.

use super::bitwise::{coefficients, is_connective, table};
use super::polynomial::one_if;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term};

/// Choices within a choice, at most.
const MOST_CHOICES: usize = 16;

/// Is it a choice of which [`summands`] may tell more than that it is one of two constants?
pub(super) fn is_composite(pool: &Pool, term: Term) -> bool {
    match (pool.op(term), pool.args(term)) {
        (Op::Ite, &[condition, then, other]) => {
            is_connective(pool, condition) || [then, other].iter().any(|&branch| pool.op(branch) == Op::Ite)
        }
        _ => false,
    }
}

/// Numbers that are one or zero with their coefficients, and a constant, which add up to a choice between
/// constants. `None` if it is something else, or of too many truth values.
pub(super) fn summands(pool: &mut Pool, root: Term) -> Option<(Vec<(Term, BitVec)>, BitVec)> {
    let width = pool.width(root)?;
    let choices = choices(pool, root)?;
    let mut leaves = vec![];
    let mut tables = vec![];
    for &choice in &choices {
        let condition = pool.args(choice)[0];
        tables.push(table(pool, condition, is_connective, &mut leaves)?);
    }
    let value = |row: usize| {
        let mut at = 0;
        loop {
            let &[_, then, other] = pool.args(choices[at]) else { return None };
            let branch = if tables[at] >> row & 1 == 1 { then } else { other };
            match pool.as_bitvec(branch) {
                Some(constant) => return Some(constant.clone()),
                None => at = choices.iter().position(|&choice| choice == branch)?,
            }
        }
    };
    let rows: Vec<BitVec> = (0..1 << leaves.len()).map(value).collect::<Option<_>>()?;
    let mut coefficients = coefficients(rows, |row, without| row.sub(without)).into_iter();
    let constant = coefficients.next()?;
    let truths: Vec<Term> = leaves.into_iter().map(|leaf| truth(pool, leaf)).collect();
    let mut summands = vec![];
    for (set, coefficient) in (1usize..).zip(coefficients).filter(|(_, coefficient)| !coefficient.is_zero()) {
        let members = truths.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let mut members: Vec<Term> = members.map(|(_, &truth)| truth).collect();
        members.sort_unstable();
        let conjunction = members.into_iter().reduce(|a, b| make::and(pool, a, b))?;
        summands.push((one_if(pool, conjunction, width), coefficient));
    }
    Some((summands, constant))
}

/// The choices of which a choice between constants is made, itself first.
fn choices(pool: &Pool, root: Term) -> Option<Vec<Term>> {
    let mut choices = vec![root];
    let mut next = 0;
    while let Some(&choice) = choices.get(next) {
        next += 1;
        let (Op::Ite, &[_, then, other]) = (pool.op(choice), pool.args(choice)) else { return None };
        for branch in [then, other] {
            if !pool.is_const(branch) && !choices.contains(&branch) {
                choices.push(branch);
            }
        }
        if choices.len() > MOST_CHOICES {
            return None;
        }
    }
    Some(choices)
}

/// A truth value, or a bit as one.
fn truth(pool: &mut Pool, leaf: Term) -> Term {
    if pool.width(leaf).is_none() {
        return leaf;
    }
    let one = pool.bv_u64(1, 1);
    make::eq(pool, leaf, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::identities::run;
    use crate::passes::tests::{Trial, alone, check};
    use bivalve_terms::Sort;

    /// A random condition over comparisons and bits.
    fn condition(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return if trial.chance(2) { trial.comparison(pool) } else { trial.bit(pool) };
        }
        let op = [Op::And, Op::Or, Op::Xor, Op::Not, Op::Eq, Op::Ite][trial.number(6) as usize];
        let count = match op {
            Op::Not => 1,
            Op::Ite => 3,
            _ => 2,
        };
        let args: Vec<Term> = (0..count).map(|_| condition(pool, trial, depth - 1)).collect();
        pool.mk(op, &args)
    }

    /// A random choice between constants.
    fn choice(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return trial.constant(pool);
        }
        let under = condition(pool, trial, depth % 2);
        let [then, other] = [(); 2].map(|()| {
            let below = trial.number(u64::from(depth)) as u32;
            choice(pool, trial, below)
        });
        pool.mk(Op::Ite, &[under, then, other])
    }

    /// The sum of the summands, if there are some.
    fn total(pool: &mut Pool, choice: Term) -> Option<Term> {
        let (summands, constant) = summands(pool, choice)?;
        let constant = pool.bitvec(&constant);
        let add = |sum: Term, (number, coefficient): (Term, BitVec)| {
            let coefficient = pool.bitvec(&coefficient);
            let product = pool.mk(Op::BvMul, &[coefficient, number]);
            pool.mk(Op::BvAdd, &[sum, product])
        };
        Some(summands.into_iter().fold(constant, add))
    }

    /// Choices beside their sums, and beside something else: all of the first are equal.
    #[test]
    fn sums_are_the_choices() {
        let changed = check(run, 600, |pool, trial| {
            let choice = choice(pool, trial, 3);
            let sum = total(pool, choice).unwrap_or_else(|| trial.sum(pool, 1));
            let other = trial.sum(pool, 1);
            let [left, right] = [choice, sum].map(|side| pool.mk(Op::BvAdd, &[side, other]));
            let equation = pool.mk(Op::Eq, &[left, right]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 200, "{changed} changed: too easy");
    }

    /// How full a queue is: one more if something is pushed and nothing popped, one less if it is the other
    /// way round. Its ends are as far apart as that.
    #[test]
    fn counters_of_queues_are_differences() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(4).unwrap();
        let [one, minus_one, zero] = [1, 15, 0].map(|number| pool.bv_u64(number, 4));
        let [mut write, mut read] = ["write", "read"].map(|name| pool.symbol(name, sort));
        let mut count = pool.mk(Op::BvNeg, &[read]);
        count = pool.mk(Op::BvAdd, &[write, count]);
        for step in 0..20 {
            let [push, pop] = ["push", "pop"].map(|name| pool.symbol(&format!("{name}{step}"), Sort::BOOL));
            let [stays, waits] = [pop, push].map(|other| pool.mk(Op::Not, &[other]));
            let (up, down) = (pool.mk(Op::And, &[push, stays]), pool.mk(Op::And, &[waits, pop]));
            let less = pool.mk(Op::Ite, &[down, minus_one, zero]);
            let change = pool.mk(Op::Ite, &[up, one, less]);
            count = pool.mk(Op::BvAdd, &[count, change]);
            [write, read] = [(write, push), (read, pop)].map(|(end, moves)| {
                let step = pool.mk(Op::Ite, &[moves, one, zero]);
                pool.mk(Op::BvAdd, &[end, step])
            });
        }
        let minus = pool.mk(Op::BvNeg, &[read]);
        let apart = pool.mk(Op::BvAdd, &[write, minus]);
        let equation = pool.mk(Op::Eq, &[count, apart]);
        assert_eq!(alone(run, &mut pool, &[equation]), Some(vec![pool.bool(true)]));
    }
}
