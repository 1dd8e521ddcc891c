//! Bitwise operators as sums: what a word made by conjunction, disjunction and exclusive or of a few others
//! is as a linear combination of their conjunctions.
//!
//! A bitwise function of `k` words has the same truth table at each position, and over the integers a truth
//! table is a sum of products of bits: `x | y` is `x + y - (x & y)`, `x ^ y` is `x + y - 2 (x & y)`. The sum
//! holds for the words as well, where the conjunction of no words is -1, all ones. So `(x ^ y) + 2 (x & y)`
//! and `x + y` are one sum, as is anything else that obfuscators of programs make of it.
//!
//! Coefficients are found from the table by Moebius inversion. After Zhou, Main, Gu and Johnson, *Information
//! hiding in software with mixed Boolean-arithmetic transforms* (2007), and Liu et al., *MBA-Blast* (2021).
//! Cost: `k 2^k` for each maximal bitwise term, of at most [`MOST_LEAVES`] leaves.

use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Sort, Term};

/// Words that a term may be made of.
const MOST_LEAVES: usize = 6;

/// Operators of a term, at most.
const MOST_OPERATORS: usize = 128;

/// A truth table, the leaves as the bits of the index.
pub(super) type Table = u64;

/// The tables of the leaves themselves.
const LEAVES: [Table; MOST_LEAVES] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Whether a term is bitwise in others.
pub(super) fn is_bitwise(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot)
}

/// Whether a truth value, or a bit, is made of others.
pub(super) fn is_connective(pool: &Pool, term: Term) -> bool {
    let is_truth = |term: Term| pool.sort(term) == Sort::BOOL || pool.width(term) == Some(1);
    match pool.op(term) {
        Op::And | Op::Or | Op::Xor | Op::Not => true,
        Op::Eq => is_truth(pool.args(term)[0]),
        Op::Ite => is_truth(term),
        _ => is_bitwise(pool, term),
    }
}

/// The summands of a bitwise term with their coefficients: leaves, and conjunctions of leaves in order. The
/// coefficient of the constant is last. `None` if there are too many leaves or operators.
pub(super) fn summands(pool: &mut Pool, term: Term) -> Option<(Vec<(Term, i64)>, i64)> {
    let mut leaves = vec![];
    let table = table(pool, term, is_bitwise, &mut leaves)?;
    let rows: Vec<i64> = (0..1 << leaves.len()).map(|row| (table >> row & 1) as i64).collect();
    let coefficients = coefficients(rows, |row, without| row - without);
    let mut summands = vec![];
    for (set, &coefficient) in coefficients.iter().enumerate().skip(1).filter(|&(_, &c)| c != 0) {
        let members: Vec<Term> =
            (0..leaves.len()).filter(|leaf| set >> leaf & 1 == 1).map(|leaf| leaves[leaf]).collect();
        summands.push((conjunction(pool, &members), coefficient));
    }
    Some((summands, -coefficients[0]))
}

/// From the values of all rows to the coefficients of all sets of leaves.
pub(super) fn coefficients<N>(mut rows: Vec<N>, minus: impl Fn(&N, &N) -> N) -> Vec<N> {
    let mut leaf = 1;
    while leaf < rows.len() {
        for row in (0..rows.len()).filter(|row| row & leaf > 0) {
            rows[row] = minus(&rows[row], &rows[row ^ leaf]);
        }
        leaf <<= 1;
    }
    rows
}

fn conjunction(pool: &mut Pool, members: &[Term]) -> Term {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.into_iter().reduce(|a, b| make::app(pool, Op::BvAnd, &[a, b])).expect("at least one")
}

/// The truth table of a term over leaves, which are what is not opened; those that are new are found on the
/// way.
pub(super) fn table(
    pool: &mut Pool,
    root: Term,
    is_opened: fn(&Pool, Term) -> bool,
    leaves: &mut Vec<Term>,
) -> Option<Table> {
    let mut order = vec![root];
    let mut next = 0;
    while let Some(&term) = order.get(next) {
        next += 1;
        if is_opened(pool, term) {
            order.extend(pool.args(term));
        }
        if order.len() > MOST_OPERATORS {
            return None;
        }
    }
    // Backwards, arguments come before what they are arguments of.
    let mut tables: Vec<(Term, Table)> = vec![];
    for &term in order.iter().rev() {
        if tables.iter().any(|known| known.0 == term) {
            continue;
        }
        let arg_tables: Vec<Table> = match is_opened(pool, term) {
            true => pool.args(term).iter().map(|arg| of(&tables, *arg)).collect::<Option<_>>()?,
            false => vec![],
        };
        let table = match pool.op(term) {
            _ if arg_tables.is_empty() => leaf(pool, term, leaves)?,
            Op::BvAnd | Op::And => arg_tables.iter().fold(!0, |all, table| all & table),
            Op::BvOr | Op::Or => arg_tables.iter().fold(0, |any, table| any | table),
            Op::BvXor | Op::Xor => arg_tables.iter().fold(0, |sum, table| sum ^ table),
            Op::Eq => !(arg_tables[0] ^ arg_tables[1]),
            Op::Ite => arg_tables[0] & arg_tables[1] | !arg_tables[0] & arg_tables[2],
            _ => !arg_tables[0],
        };
        tables.push((term, table));
    }
    of(&tables, root)
}

fn of(tables: &[(Term, Table)], term: Term) -> Option<Table> {
    tables.iter().find(|known| known.0 == term).map(|known| known.1)
}

/// The table of a leaf. Of a constant and its complement the one with a clear top bit is a leaf; those of
/// which all bits are the same are none.
fn leaf(pool: &mut Pool, term: Term, leaves: &mut Vec<Term>) -> Option<Table> {
    if let Some(truth) = pool.as_bool(term) {
        return Some(if truth { !0 } else { 0 });
    }
    let mut leaf = term;
    let mut flip = 0;
    if let Some(constant) = pool.as_bitvec(term) {
        if constant.bit(constant.width() - 1) {
            flip = !0;
            leaf = pool.bitvec(&constant.not());
        }
        if pool.as_bitvec(leaf).is_some_and(|constant: BitVec| constant.is_zero()) {
            return Some(flip);
        }
    }
    let number = leaves.iter().position(|&known| known == leaf).or_else(|| {
        leaves.push(leaf);
        (leaves.len() <= MOST_LEAVES).then_some(leaves.len() - 1)
    })?;
    Some(LEAVES[number] ^ flip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::identities::run;
    use crate::passes::tests::{Trial, alone, check};

    /// A random bitwise word over symbols and constants.
    fn word(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return if trial.chance(4) { trial.constant(pool) } else { trial.symbol() };
        }
        let a = word(pool, trial, depth - 1);
        let op = [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvNot][trial.number(4) as usize];
        if op == Op::BvNot {
            return pool.mk(op, &[a]);
        }
        let b = word(pool, trial, depth - 1);
        pool.mk(op, &[a, b])
    }

    /// The sum of the summands.
    fn total(pool: &mut Pool, word: Term) -> Term {
        let width = pool.width(word).unwrap();
        let (summands, constant) = summands(pool, word).expect("it is small");
        let number = |pool: &mut Pool, number: i64| pool.bv_u64(number.rem_euclid(1 << width) as u64, width);
        let mut sum = number(pool, constant);
        for (summand, coefficient) in summands {
            let coefficient = number(pool, coefficient);
            let product = pool.mk(Op::BvMul, &[coefficient, summand]);
            sum = pool.mk(Op::BvAdd, &[sum, product]);
        }
        sum
    }

    /// Bitwise words beside their sums, and beside something else: all of the first are equal.
    #[test]
    fn sums_are_the_words() {
        let changed = check(run, 600, |pool, trial| {
            let word = word(pool, trial, 3);
            let sum = total(pool, word);
            let other = trial.sum(pool, 1);
            let [left, right] = [word, sum].map(|side| pool.mk(Op::BvAdd, &[side, other]));
            let equation = pool.mk(Op::Eq, &[left, right]);
            let other = trial.comparison(pool);
            vec![pool.mk(Op::Xor, &[equation, other])]
        });
        assert!(changed > 120, "{changed} changed: too easy");
    }

    #[test]
    fn obfuscated_sums_are_sums() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(64).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let two = pool.bv_u64(2, 64);
        let (xor, and) = (pool.mk(Op::BvXor, &[x, y]), pool.mk(Op::BvAnd, &[x, y]));
        let carries = pool.mk(Op::BvMul, &[two, and]);
        let [obfuscated, plain] = [[xor, carries], [x, y]].map(|args| pool.mk(Op::BvAdd, &args));
        let equation = pool.mk(Op::Eq, &[obfuscated, plain]);
        assert_eq!(alone(run, &mut pool, &[equation]), Some(vec![pool.bool(true)]));
    }
}
