//! Systems of linear equations that have no solution.
//!
//! Equations of bit-vectors are linear in what they add up: symbols, or whatever else has a coefficient. A
//! sum of multiples of them in which all coefficients are 0, and the constant is not, is a contradiction. It
//! is found by elimination in the ring of the integers modulo 2^w: each row keeps the multiples of the
//! equations that it is made of; the leading coefficient of a pivot has the fewest factors of two, and where
//! that is even, the multiple of the row in which it vanishes is a row of its own (Howell 1986, *Spans in the
//! module (Z_m)^s*). The checker needs no rule for it: the multiples are added up by congruence, and their
//! difference is a polynomial that is a value.
//!
//! Cost: the number of equations times the square of the number of summands; rows are bounded.

use crate::solve::summands;
use bivalve_terms::{BitVec, Op, Pool, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Words of rows that may be looked at for one formula.
pub(crate) const MOST_WORK: usize = 2_000_000;

/// Equations, by position, with what they are multiplied by.
pub(crate) type Combination = Vec<(usize, BitVec)>;

/// Words by position, without those that are zero.
type Sparse = BTreeMap<usize, BitVec>;

/// Coefficients of columns, the constant, and the multiples of equations that were added up.
struct Row {
    coefficients: Sparse,
    constant: BitVec,
    multiples: Sparse,
}

/// Adds a multiple.
fn add(own: &mut Sparse, other: &Sparse, factor: &BitVec) {
    for (&at, word) in other {
        let sum = own.entry(at).or_insert_with(|| BitVec::zero(word.width()));
        *sum = sum.add(&word.mul(factor));
        if sum.is_zero() {
            own.remove(&at);
        }
    }
}

impl Row {
    fn len(&self) -> usize {
        self.coefficients.len() + self.multiples.len() + 1
    }

    /// Adds a multiple of another row.
    fn add(&mut self, other: &Row, factor: &BitVec) {
        add(&mut self.coefficients, &other.coefficients, factor);
        add(&mut self.multiples, &other.multiples, factor);
        self.constant = self.constant.add(&other.constant.mul(factor));
    }

    /// Two to the power of `by` times the row.
    fn shifted(&self, by: u32) -> Row {
        let shift = |words: &Sparse| {
            let shifted = words.iter().map(|(&at, word)| (at, word.shl_by(by)));
            shifted.filter(|(_, word)| !word.is_zero()).collect()
        };
        Row {
            coefficients: shift(&self.coefficients),
            constant: self.constant.shl_by(by),
            multiples: shift(&self.multiples),
        }
    }

    /// The first column with a coefficient, and how many factors of two that has.
    fn leading(&self) -> Option<(usize, u32)> {
        self.coefficients.first_key_value().map(|(&at, word)| (at, word.trailing_zeros()))
    }
}

/// Multiples of some of these equations that add up to a contradiction. What is
/// looked at is taken from `left`.
pub(crate) fn contradiction(pool: &Pool, equations: &[Term], left: &mut usize) -> Option<Combination> {
    let mut by_width: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (at, &equation) in equations.iter().enumerate() {
        if pool.op(equation) == Op::Eq
            && let Some(width) = pool.width(pool.args(equation)[0])
        {
            by_width.entry(width).or_default().push(at);
        }
    }
    let mut widths: Vec<u32> = by_width.keys().copied().collect();
    widths.sort_unstable();
    widths.into_iter().find_map(|width| of_width(pool, equations, &by_width[&width], width, left))
}

fn of_width(
    pool: &Pool,
    equations: &[Term],
    places: &[usize],
    width: u32,
    left: &mut usize,
) -> Option<Combination> {
    let mut columns: FxHashMap<Term, usize> = FxHashMap::default();
    let mut sums = vec![];
    for &place in places {
        let &[a, b] = pool.args(equations[place]) else { continue };
        let Some(sum) = summands(pool, [a, b], width) else { continue };
        *left = left.checked_sub(1 + sum.len())?;
        sum.keys().flatten().for_each(|&term| {
            let next = columns.len();
            columns.entry(term).or_insert(next);
        });
        sums.push((place, sum));
    }
    let mut pivots: FxHashMap<usize, Row> = FxHashMap::default();
    for (number, (_, sum)) in sums.iter().enumerate() {
        let mut row = Row {
            coefficients: Sparse::new(),
            constant: BitVec::zero(width),
            multiples: Sparse::from([(number, BitVec::one(width))]),
        };
        for (term, coefficient) in sum {
            match term {
                None => row.constant = coefficient.clone(),
                Some(term) => drop(row.coefficients.insert(columns[term], coefficient.clone())),
            }
        }
        if let Some(found) = insert(&mut pivots, row, width, left) {
            let used = found.multiples.into_iter();
            return Some(used.map(|(number, multiple)| (sums[number].0, multiple)).collect());
        }
    }
    None
}

/// Reduces a row by the pivots, and makes it one of them; gives a row that is a contradiction.
fn insert(pivots: &mut FxHashMap<usize, Row>, row: Row, width: u32, left: &mut usize) -> Option<Row> {
    let mut waiting = vec![row];
    while let Some(mut row) = waiting.pop() {
        let rest = loop {
            *left = left.checked_sub(row.len())?;
            let Some((at, twos)) = row.leading() else { break Some(row) };
            let Some(pivot) = pivots.get(&at) else {
                if twos > 0 {
                    waiting.push(row.shifted(width - twos));
                }
                pivots.insert(at, row);
                break None;
            };
            let of_pivot = pivot.coefficients[&at].trailing_zeros();
            if twos < of_pivot {
                if twos > 0 {
                    waiting.push(row.shifted(width - twos));
                }
                row = pivots.insert(at, row)?;
                continue;
            }
            let odd = pivot.coefficients[&at].lshr_by(of_pivot).odd_inverse()?;
            let factor = row.coefficients[&at].lshr_by(of_pivot).mul(&odd).neg();
            *left = left.checked_sub(pivot.len())?;
            row.add(pivot, &factor);
        };
        if let Some(rest) = rest.filter(|rest| !rest.constant.is_zero()) {
            return Some(rest);
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use bivalve_terms::Sort;

    /// Systems of two equations over two words of two bits: a contradiction is found exactly where no values
    /// satisfy both.
    #[test]
    fn systems_without_solution_are_found() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(2).unwrap();
        let symbols = ["x", "y"].map(|name| pool.symbol(name, sort));
        let mut counts = [0; 2];
        for code in 0..1u64 << 12 {
            let digit = |at: u32| code >> (2 * at) & 3;
            let solvable = (0..16u64).any(|values| {
                (0..2).all(|row| {
                    let sum = digit(3 * row) * (values & 3) + digit(3 * row + 1) * (values >> 2);
                    sum % 4 == digit(3 * row + 2)
                })
            });
            let equations = [0, 1].map(|row| {
                let multiples = [0, 1].map(|at| {
                    let factor = pool.bitvec(&BitVec::from_u64(digit(3 * row + at), 2));
                    pool.mk(Op::BvMul, &[factor, symbols[at as usize]])
                });
                let sum = pool.mk(Op::BvAdd, &multiples);
                let value = pool.bitvec(&BitVec::from_u64(digit(3 * row + 2), 2));
                pool.mk(Op::Eq, &[sum, value])
            });
            let found = contradiction(&pool, &equations, &mut 1_000);
            assert_eq!(found.is_none(), solvable, "{code}");
            counts[usize::from(solvable)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
