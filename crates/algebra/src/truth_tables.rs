//! Truth tables of terms that are made of a few others, and what they are as sums.
//!
//! Over numbers that are one or zero, a function of `k` truth values is a sum of products of them: `p or q`
//! is `p + q - p q`. The coefficients are found from the table ([`crate::moebius`]). A bitwise function of
//! words has the same table at each position, and choices are functions of their conditions
//! ([`crate::choices`]).
//!
//! Cost: `k 2^k` for a table over `k` terms, of which there are six at most.

use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Sort, Term};

/// Words that a term may be made of.
const MOST_LEAVES: usize = 6;

/// A word of which a constant is asked has so many bits at most, each a truth value.
const MOST_BITS: u32 = 3;

/// Operators of a term, at most.
const MOST_OPERATORS: usize = 128;

/// A truth table, the leaves as the bits of the index.
pub type Table = u64;

/// The tables of the leaves themselves.
pub const LEAVES: [Table; MOST_LEAVES] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Whether a term is bitwise in others.
pub fn is_bitwise(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot)
}

/// Whether a truth value, or a bit, is made of others.
pub fn is_connective(pool: &Pool, term: Term) -> bool {
    let is_truth = |term: Term| pool.sort(term) == Sort::BOOL || pool.width(term) == Some(1);
    match pool.op(term) {
        Op::And | Op::Or | Op::Xor | Op::Not => true,
        Op::Eq => is_truth(pool.args(term)[0]),
        Op::Ite => is_truth(term),
        _ => is_bitwise(pool, term),
    }
}

/// The same, or whether it says of a word of few bits which these are.
pub fn is_connective_of_bits(pool: &Pool, term: Term) -> bool {
    is_connective(pool, term) || pool.op(term) == Op::Eq && asked(pool, term).is_some()
}

/// A word of few bits, and the constant that an equation says that it is.
fn asked(pool: &Pool, equation: Term) -> Option<(Term, BitVec)> {
    let &[a, b] = pool.args(equation) else { return None };
    if !pool.width(a).is_some_and(|width| (2..=MOST_BITS).contains(&width)) {
        return None;
    }
    [(a, b), (b, a)].into_iter().find_map(|(word, value)| Some((word, pool.as_bitvec(value)?.clone())))
}

/// What a term that is opened is made of, as the tables of these are wanted.
fn operands(pool: &mut Pool, term: Term) -> Vec<Term> {
    match asked(pool, term).filter(|_| pool.op(term) == Op::Eq) {
        Some((word, value)) => (0..value.width()).map(|at| make::extract(pool, word, at, at)).collect(),
        None => pool.args(term).to_vec(),
    }
}

/// The truth table of a term over leaves, which are what is not opened; those that are new are found on the
/// way.
pub fn table(
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
            order.extend(operands(pool, term));
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
            true => operands(pool, term).iter().map(|arg| of(&tables, *arg)).collect::<Option<_>>()?,
            false => vec![],
        };
        let table = match pool.op(term) {
            _ if arg_tables.is_empty() => leaf(pool, term, leaves)?,
            Op::BvAnd | Op::And => arg_tables.iter().fold(!0, |all, table| all & table),
            Op::BvOr | Op::Or => arg_tables.iter().fold(0, |any, table| any | table),
            Op::BvXor | Op::Xor => arg_tables.iter().fold(0, |sum, table| sum ^ table),
            Op::Eq => match asked(pool, term) {
                Some((_, value)) => (0..)
                    .zip(&arg_tables)
                    .fold(!0, |all, (at, table)| all & if value.bit(at) { *table } else { !table }),
                None => !(arg_tables[0] ^ arg_tables[1]),
            },
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
