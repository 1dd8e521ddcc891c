//! Bitwise operators as sums: what a word made by conjunction, disjunction and exclusive or of a few others
//! is as a linear combination of their conjunctions.
//!
//! A bitwise function of `k` words has the same truth table at each position, and over the integers a truth
//! table is a sum of products of bits ([`crate::truth_tables`]): `x | y` is `x + y - (x & y)`,
//! `x ^ y` is `x + y - 2 (x & y)`. The sum holds for the words as well, where the conjunction of no words is
//! -1, all ones. So `(x ^ y) + 2 (x & y)` and `x + y` are one sum, as is anything else that obfuscators of
//! programs make of it.
//!
//! After Zhou, Main, Gu and Johnson, *Information hiding in software with mixed Boolean-arithmetic
//! transforms* (2007), and Liu et al., *MBA-Blast* (2021). Cost: `k 2^k` for each maximal bitwise term, of at
//! most six leaves.

use crate::moebius::coefficients;
use crate::truth_tables::{is_bitwise, table};
use bivalve_statements::make;
use bivalve_terms::{Op, Pool, Term};

/// The summands of a bitwise term with their coefficients: leaves, and conjunctions of leaves in order. The
/// coefficient of the constant is last. `None` if there are too many leaves or operators.
pub fn summands(pool: &mut Pool, term: Term) -> Option<(Vec<(Term, i64)>, i64)> {
    let mut leaves = vec![];
    let table = table(pool, term, is_bitwise, &mut leaves)?;
    let rows: Vec<i64> = (0..1 << leaves.len()).map(|row| (table >> row & 1) as i64).collect();
    let coefficients = coefficients(rows);
    let mut summands = vec![];
    for (set, &coefficient) in coefficients.iter().enumerate().skip(1).filter(|&(_, &c)| c != 0) {
        let members: Vec<Term> =
            (0..leaves.len()).filter(|leaf| set >> leaf & 1 == 1).map(|leaf| leaves[leaf]).collect();
        summands.push((conjunction(pool, &members), coefficient));
    }
    Some((summands, -coefficients[0]))
}

fn conjunction(pool: &mut Pool, members: &[Term]) -> Term {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.into_iter().reduce(|a, b| make::app(pool, Op::BvAnd, &[a, b])).expect("at least one")
}
