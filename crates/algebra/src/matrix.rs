//! Gauss and Jordan's elimination modulo 2^w, over sparse rows.
//!
//! It goes as over a field, but for one thing: the pivot is the entry with the fewest trailing zeros that is
//! left, so that all others in its column are multiples of it, and no row has to be multiplied by an even
//! number. (Among equals the shortest row is taken, which keeps rows short.) Rows are only scaled by odd
//! numbers and added to others, which can be undone; so the solutions stay the same (Mueller-Olm and Seidl,
//! *Analysis of modular arithmetic*, ESOP 2005).
//!
//! A row is a list of columns with their entries, by increasing column; adding a multiple of one to another
//! merges two lists. Entries of up to 64 bits are machine words, which makes a merge as fast as memory
//! allows; wider ones are numbers of any width. Each row remembers its best pivot, so that choosing one looks
//! at each row, not at each entry.
//!
//! Cost: the entries of all merges, counted against a budget; n dense equations over n columns take n^3 of
//! them.

use crate::ring::Binary;
use bivalve_limits::Deadline;
use bivalve_terms::BitVec;

/// What one system may usually spend, in entries that are merged: half a second for machine words.
pub const BUDGET: usize = 200_000_000;

/// So many merged entries are a step of the deadline.
const MERGES_PER_STEP: u64 = 32;

/// Equations: the sum of each row's entries times the values of their columns is zero.
pub struct Matrix<R: Binary> {
    ring: R,
    rows: Vec<Row<R::Number>>,
    /// May a column be solved for?
    eligible: Vec<bool>,
    steps: usize,
}

/// One equation.
struct Row<T> {
    /// By increasing column; none is zero.
    entries: Vec<(u32, T)>,
    /// The trailing zeros and the column of its best pivot, while it has not become one.
    best: Option<(u32, u32)>,
    /// The column it was solved for, and whether the pivot is one.
    pivot: Option<(u32, bool)>,
}

impl<R: Binary> Matrix<R> {
    /// No equations yet, and nothing to solve them for. So many entries may be merged.
    pub fn new(ring: R, steps: usize) -> Matrix<R> {
        Matrix { ring, rows: vec![], eligible: vec![], steps }
    }

    /// From now on rows may be solved for these of the columns; those that were solved stay so.
    pub fn solve_for(&mut self, eligible: Vec<bool>) {
        self.eligible = eligible;
        for row in self.rows.iter_mut().filter(|row| row.pivot.is_none()) {
            row.best = best(&self.ring, &self.eligible, &row.entries);
        }
    }

    /// Adds an equation; its entries come by increasing column.
    pub fn push<'a>(&mut self, entries: impl Iterator<Item = (u32, &'a BitVec)>) {
        let entries: Vec<_> = entries.map(|(column, value)| (column, self.ring.read(value))).collect();
        self.rows.push(Row { entries, best: None, pivot: None });
    }

    /// Solves each row for a column, as far as it can be; `false` if that takes too long.
    pub fn eliminate(&mut self, deadline: &Deadline) -> bool {
        let mut spare = vec![];
        while let Some((number, zeros, column)) = self.choose() {
            let pivot = self.normalise(number, zeros, column);
            for other in 0..self.rows.len() {
                let row = &mut self.rows[other];
                let Ok(place) = row.entries.binary_search_by_key(&column, |entry| entry.0) else { continue };
                let entry = &row.entries[place].1;
                if other == number || self.ring.trailing_zeros(entry) < zeros {
                    continue;
                }
                let quotient = self.ring.divide(entry, zeros);
                let factor = self.ring.neg(&quotient);
                let steps = R::COST * (row.entries.len() + pivot.len());
                self.steps = self.steps.saturating_sub(steps);
                if !deadline.step(steps as u64 / MERGES_PER_STEP) {
                    return false;
                }
                merge(&self.ring, &row.entries, &pivot, &factor, &mut spare);
                std::mem::swap(&mut row.entries, &mut spare);
                if row.pivot.is_none() {
                    row.best = best(&self.ring, &self.eligible, &row.entries);
                }
            }
            if self.steps == 0 || !deadline.step(self.rows.len() as u64 / MERGES_PER_STEP + 1) {
                return false;
            }
        }
        true
    }

    /// The entries that may still be merged.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The entries of a row.
    pub fn row(&self, number: usize) -> impl Iterator<Item = (u32, BitVec)> {
        self.rows[number].entries.iter().map(|(column, entry)| (*column, self.ring.write(entry)))
    }

    /// The entry of a row in a column, if it is not zero.
    pub fn entry(&self, number: usize, column: u32) -> Option<BitVec> {
        let entries = &self.rows[number].entries;
        let place = entries.binary_search_by_key(&column, |entry| entry.0).ok()?;
        Some(self.ring.write(&entries[place].1))
    }

    /// The eligible entry of a row with the fewest trailing zeros: their number, the column, and the fewest
    /// trailing zeros of the others.
    pub fn lowest(&self, number: usize) -> Option<(u32, u32, u32)> {
        let mut lowest: Option<(u32, u32, u32)> = None;
        for (column, entry) in &self.rows[number].entries {
            if !self.eligible[*column as usize] {
                continue;
            }
            let zeros = self.ring.trailing_zeros(entry);
            lowest = Some(match lowest {
                None => (zeros, *column, self.ring.width()),
                Some((least, _, _)) if zeros < least => (zeros, *column, least),
                Some((least, column, next)) => (least, column, next.min(zeros)),
            });
        }
        lowest
    }

    /// Puts a value in the place of a column: its entries are added to those of column 0, the constants. A
    /// row that was solved for the column may be solved for another one.
    pub fn set(&mut self, column: u32, value: &BitVec) {
        let value = self.ring.read(value);
        for row in &mut self.rows {
            let Ok(place) = row.entries.binary_search_by_key(&column, |entry| entry.0) else { continue };
            let (_, entry) = row.entries.remove(place);
            let product = self.ring.mul(&entry, &value);
            match row.entries.first_mut() {
                Some((0, constant)) => self.ring.add(constant, &product),
                _ => row.entries.insert(0, (0, product)),
            }
            if self.ring.is_zero(&row.entries[0].1) {
                row.entries.remove(0);
            }
            if row.pivot.is_none_or(|(pivot, _)| pivot == column) {
                row.pivot = None;
                row.best = best(&self.ring, &self.eligible, &row.entries);
            }
        }
    }

    /// The column that a row was solved for, and whether its entry is one.
    pub fn pivot(&self, number: usize) -> Option<(u32, bool)> {
        self.rows[number].pivot
    }

    /// The row and the column to solve for next, with the trailing zeros of the pivot.
    fn choose(&self) -> Option<(usize, u32, u32)> {
        let open = self.rows.iter().enumerate().filter(|(_, row)| row.pivot.is_none());
        let ranked = open.filter_map(|(number, row)| {
            let (zeros, column) = row.best?;
            Some(((zeros, row.entries.len()), number, column))
        });
        ranked.min_by_key(|&(rank, _, _)| rank).map(|((zeros, _), number, column)| (number, zeros, column))
    }

    /// Scales a row so that its pivot is a power of two; the row.
    fn normalise(&mut self, number: usize, zeros: u32, column: u32) -> Vec<(u32, R::Number)> {
        let row = &mut self.rows[number];
        let place = row.entries.binary_search_by_key(&column, |entry| entry.0);
        let (_, pivot) = &row.entries[place.expect("the pivot is in its row")];
        let odd = self.ring.write(&self.ring.divide(pivot, zeros));
        let inverse = self.ring.read(&odd.odd_inverse().expect("without its zeros it is odd"));
        for (_, entry) in &mut row.entries {
            *entry = self.ring.mul(entry, &inverse);
        }
        row.best = None;
        row.pivot = Some((column, zeros == 0));
        row.entries.clone()
    }
}

/// The eligible entry with the fewest trailing zeros, the first of them.
fn best<R: Binary>(ring: &R, eligible: &[bool], entries: &[(u32, R::Number)]) -> Option<(u32, u32)> {
    let eligible = entries.iter().filter(|(column, _)| eligible[*column as usize]);
    eligible.map(|(column, entry)| (ring.trailing_zeros(entry), *column)).min()
}

/// `row` plus `factor` times `other`, into `sum`.
fn merge<R: Binary>(
    ring: &R,
    row: &[(u32, R::Number)],
    other: &[(u32, R::Number)],
    factor: &R::Number,
    sum: &mut Vec<(u32, R::Number)>,
) {
    sum.clear();
    let mut rest = row.iter().peekable();
    for (column, entry) in other {
        while let Some(kept) = rest.next_if(|kept| kept.0 < *column) {
            sum.push(kept.clone());
        }
        let mut value = ring.mul(entry, factor);
        if let Some((_, old)) = rest.next_if(|old| old.0 == *column) {
            ring.add(&mut value, old);
        }
        if !ring.is_zero(&value) {
            sum.push((*column, value));
        }
    }
    sum.extend(rest.cloned());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{SmallWords, Words};

    /// All solutions of three columns and the constant modulo 8 stay; words and wide numbers do the same.
    #[test]
    fn solutions_stay() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut solved = 0;
        for _ in 0..300 {
            let rows: Vec<[u64; 4]> = (0..random.usize(1..5))
                .map(|_| [(); 4].map(|()| random.u64(..8) & random.u64(..8)))
                .collect();
            let (words, pivots) = eliminated(SmallWords::new(3), &rows);
            assert_eq!((&words, &pivots), (&eliminated(Words(3), &rows).0, &eliminated(Words(3), &rows).1));
            solved += pivots.iter().flatten().filter(|(_, one)| *one).count();
            for code in 0..512u64 {
                let values = [code & 7, (code >> 3) & 7, code >> 6, 1];
                let holds = |rows: &[[u64; 4]]| {
                    let sum = |row: &[u64; 4]| row.iter().zip(values).map(|(a, x)| a * x).sum::<u64>();
                    rows.iter().all(|row| sum(row) % 8 == 0)
                };
                assert_eq!(holds(&rows), holds(&words), "{rows:?} became {words:?}");
            }
            // A column that was solved for by one is in no other row.
            for (number, pivot) in pivots.iter().enumerate() {
                if let Some((column, true)) = pivot {
                    let others = words.iter().enumerate().filter(|(other, _)| *other != number);
                    others.for_each(|(_, row)| assert_eq!(row[*column as usize], 0, "{words:?}"));
                }
            }
        }
        assert!(solved > 300, "{solved} solved: too easy");
    }

    type Solved = (Vec<[u64; 4]>, Vec<Option<(u32, bool)>>);

    fn eliminated<R: Binary>(ring: R, rows: &[[u64; 4]]) -> Solved {
        let mut matrix = Matrix::new(ring, BUDGET);
        for row in rows {
            let entries: Vec<BitVec> = row.iter().map(|&entry| BitVec::from_u64(entry, 3)).collect();
            matrix.push((0..).zip(&entries).filter(|(_, entry)| !entry.is_zero()));
        }
        matrix.solve_for(vec![true, true, true, false]);
        assert!(matrix.eliminate(&Deadline::unlimited()));
        let dense = |number: usize| {
            let mut row = [0; 4];
            matrix.row(number).for_each(|(column, entry)| row[column as usize] = entry.to_u64().unwrap());
            row
        };
        let numbers = 0..rows.len();
        (numbers.clone().map(dense).collect(), numbers.map(|number| matrix.pivot(number)).collect())
    }
}
