//! Systems of linear equations that have no solution.
//!
//! Equations of bit-vectors are linear in what they add up: symbols, or whatever else has a coefficient. A
//! sum of multiples of them in which all coefficients are 0, and the constant is not, is a contradiction. It
//! is found by elimination ([`bivalve_algebra::matrix`]), with a column for each equation, for which nothing
//! is solved, so that a row tells the multiples of the equations that it is made of. The checker needs no
//! rule for it: the multiples are added up by congruence, and their difference is a polynomial that is a
//! value.
//!
//! Cost: the number of equations times the square of the number of summands, within a budget.

use crate::solve::summands;
use bivalve_algebra::matrix::Matrix;
use bivalve_algebra::ring::{Binary, SmallWords, Words};
use bivalve_limits::Deadline;
use bivalve_terms::{BitVec, Op, Pool, Term};
use rustc_hash::FxHashMap;

/// Entries of rows that may be merged for one formula: less than a tenth of a second.
pub(crate) const MOST_WORK: usize = 20_000_000;

/// Equations, by position, with what they are multiplied by.
pub(crate) type Combination = Vec<(usize, BitVec)>;

/// An equation, by position: its summands by column, where the constant is column 0.
type Row = (usize, Vec<(u32, BitVec)>);

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
    widths.into_iter().find_map(|width| {
        let (rows, columns) = rows(pool, equations, &by_width[&width], width, left)?;
        match width {
            ..=64 => of_rows(SmallWords::new(width), rows, columns, left),
            _ => of_rows(Words(width), rows, columns, left),
        }
    })
}

/// The equations of one width that are sums, and the number of columns.
fn rows(
    pool: &Pool,
    equations: &[Term],
    places: &[usize],
    width: u32,
    left: &mut usize,
) -> Option<(Vec<Row>, u32)> {
    let mut columns: FxHashMap<Term, u32> = FxHashMap::default();
    let mut rows = vec![];
    for &place in places {
        let &[a, b] = pool.args(equations[place]) else { continue };
        let Some(sum) = summands(pool, [a, b], width) else { continue };
        *left = left.checked_sub(1 + sum.len())?;
        let mut column = |term: Option<Term>| {
            let next = columns.len() as u32 + 1;
            term.map_or(0, |term| *columns.entry(term).or_insert(next))
        };
        let mut row: Vec<(u32, BitVec)> =
            sum.into_iter().map(|(term, coefficient)| (column(term), coefficient)).collect();
        row.retain(|(_, coefficient)| !coefficient.is_zero());
        row.sort_unstable_by_key(|&(column, _)| column);
        rows.push((place, row));
    }
    Some((rows, columns.len() as u32 + 1))
}

/// A contradiction among these rows.
fn of_rows<R: Binary>(ring: R, rows: Vec<Row>, columns: u32, left: &mut usize) -> Option<Combination> {
    let (width, one) = (ring.width(), BitVec::one(ring.width()));
    let mut matrix = Matrix::new(ring, *left);
    for (number, (_, row)) in (columns..).zip(&rows) {
        let entries = row.iter().map(|(column, coefficient)| (*column, coefficient));
        matrix.push(entries.chain([(number, &one)]));
    }
    matrix.solve_for((0..columns + rows.len() as u32).map(|column| (1..columns).contains(&column)).collect());
    let is_done = matrix.eliminate(&Deadline::unlimited());
    *left = matrix.steps();
    (0..rows.len()).filter(|_| is_done).find_map(|number| {
        // What makes all coefficients vanish: does it leave something of the constant?
        let zeros = matrix.lowest(number).map_or(width, |(zeros, _, _)| zeros);
        let constant = matrix.entry(number, 0)?.shl_by(width - zeros);
        let multiples = matrix.row(number).filter(|&(column, _)| column >= columns);
        let of_rows = multiples
            .map(|(column, multiple)| (rows[(column - columns) as usize].0, multiple.shl_by(width - zeros)));
        (!constant.is_zero()).then(|| of_rows.filter(|(_, multiple)| !multiple.is_zero()).collect())
    })
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
