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

use bivalve_limits::Deadline;
use bivalve_terms::BitVec;

/// More entries than this are not merged in one system: half a second for words.
const MOST_STEPS: usize = 200_000_000;

/// So many merged entries are a step of the deadline.
const MERGES_PER_STEP: u64 = 32;

/// Wider entries take so many times as long.
const WIDE_STEPS: usize = 40;

/// The numbers modulo a power of two, as some type holds them.
pub(super) trait Numbers {
    /// A number.
    type Number: Clone;
    /// What one step with them costs, in steps.
    const STEPS: usize;
    /// They are numbers modulo 2 to the power of this.
    fn width(&self) -> u32;
    fn read(&self, value: &BitVec) -> Self::Number;
    fn write(&self, number: &Self::Number) -> BitVec;
    fn is_zero(&self, number: &Self::Number) -> bool;
    fn trailing_zeros(&self, number: &Self::Number) -> u32;
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    fn mul(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// The quotient by 2 to the power of `zeros`, its trailing zeros or fewer of them.
    fn divide(&self, number: &Self::Number, zeros: u32) -> Self::Number {
        self.read(&self.write(number).lshr_by(zeros))
    }
}

/// Numbers of at most 64 bits.
pub(super) struct Words {
    width: u32,
    mask: u64,
}

/// Numbers of any width.
pub(super) struct Wide(pub(super) u32);

/// Equations: the sum of each row's entries times the values of their columns is zero.
pub(super) struct Matrix<N: Numbers> {
    numbers: N,
    rows: Vec<Row<N::Number>>,
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

impl Words {
    /// Panics above 64 bits.
    pub(super) fn new(width: u32) -> Words {
        assert!((1..=64).contains(&width), "a word has 1 to 64 bits");
        Words { width, mask: u64::MAX >> (64 - width) }
    }
}

impl Numbers for Words {
    type Number = u64;
    const STEPS: usize = 1;

    fn width(&self) -> u32 {
        self.width
    }

    fn read(&self, value: &BitVec) -> u64 {
        value.to_u64().expect("it has at most 64 bits")
    }

    fn write(&self, number: &u64) -> BitVec {
        BitVec::from_u64(*number, self.width)
    }

    fn is_zero(&self, number: &u64) -> bool {
        *number == 0
    }

    fn trailing_zeros(&self, number: &u64) -> u32 {
        number.trailing_zeros().min(self.width)
    }

    fn add(&self, a: &u64, b: &u64) -> u64 {
        a.wrapping_add(*b) & self.mask
    }

    fn mul(&self, a: &u64, b: &u64) -> u64 {
        a.wrapping_mul(*b) & self.mask
    }
}

impl Numbers for Wide {
    type Number = BitVec;
    const STEPS: usize = WIDE_STEPS;

    fn width(&self) -> u32 {
        self.0
    }

    fn read(&self, value: &BitVec) -> BitVec {
        value.clone()
    }

    fn write(&self, number: &BitVec) -> BitVec {
        number.clone()
    }

    fn is_zero(&self, number: &BitVec) -> bool {
        number.is_zero()
    }

    fn trailing_zeros(&self, number: &BitVec) -> u32 {
        number.trailing_zeros()
    }

    fn add(&self, a: &BitVec, b: &BitVec) -> BitVec {
        a.add(b)
    }

    fn mul(&self, a: &BitVec, b: &BitVec) -> BitVec {
        a.mul(b)
    }
}

impl<N: Numbers> Matrix<N> {
    /// No equations yet, and nothing to solve them for.
    pub(super) fn new(numbers: N) -> Matrix<N> {
        Matrix { numbers, rows: vec![], eligible: vec![], steps: MOST_STEPS }
    }

    /// From now on rows may be solved for these of the columns; those that were solved stay so.
    pub(super) fn solve_for(&mut self, eligible: Vec<bool>) {
        self.eligible = eligible;
        for row in self.rows.iter_mut().filter(|row| row.pivot.is_none()) {
            row.best = best(&self.numbers, &self.eligible, &row.entries);
        }
    }

    /// Adds an equation; its entries come by increasing column.
    pub(super) fn push<'a>(&mut self, entries: impl Iterator<Item = (u32, &'a BitVec)>) {
        let entries: Vec<_> = entries.map(|(column, value)| (column, self.numbers.read(value))).collect();
        self.rows.push(Row { entries, best: None, pivot: None });
    }

    /// Solves each row for a column, as far as it can be; `false` if that takes too long.
    pub(super) fn eliminate(&mut self, deadline: &Deadline) -> bool {
        let mut spare = vec![];
        while let Some((number, zeros, column)) = self.choose() {
            let pivot = self.normalise(number, zeros, column);
            for other in 0..self.rows.len() {
                let row = &mut self.rows[other];
                let Ok(place) = row.entries.binary_search_by_key(&column, |entry| entry.0) else { continue };
                let entry = &row.entries[place].1;
                if other == number || self.numbers.trailing_zeros(entry) < zeros {
                    continue;
                }
                let quotient = self.numbers.divide(entry, zeros);
                let factor = self.numbers.read(&self.numbers.write(&quotient).neg());
                let steps = N::STEPS * (row.entries.len() + pivot.len());
                self.steps = self.steps.saturating_sub(steps);
                if !deadline.step(steps as u64 / MERGES_PER_STEP) {
                    return false;
                }
                merge(&self.numbers, &row.entries, &pivot, &factor, &mut spare);
                std::mem::swap(&mut row.entries, &mut spare);
                if row.pivot.is_none() {
                    row.best = best(&self.numbers, &self.eligible, &row.entries);
                }
            }
            if self.steps == 0 || !deadline.step(self.rows.len() as u64 / MERGES_PER_STEP + 1) {
                return false;
            }
        }
        true
    }

    /// The entries of a row.
    pub(super) fn row(&self, number: usize) -> impl Iterator<Item = (u32, BitVec)> {
        self.rows[number].entries.iter().map(|(column, entry)| (*column, self.numbers.write(entry)))
    }

    /// The entry of a row in a column, if it is not zero.
    pub(super) fn entry(&self, number: usize, column: u32) -> Option<BitVec> {
        let entries = &self.rows[number].entries;
        let place = entries.binary_search_by_key(&column, |entry| entry.0).ok()?;
        Some(self.numbers.write(&entries[place].1))
    }

    /// The eligible entry of a row with the fewest trailing zeros: their number, the column, and the fewest
    /// trailing zeros of the others.
    pub(super) fn lowest(&self, number: usize) -> Option<(u32, u32, u32)> {
        let mut lowest: Option<(u32, u32, u32)> = None;
        for (column, entry) in &self.rows[number].entries {
            if !self.eligible[*column as usize] {
                continue;
            }
            let zeros = self.numbers.trailing_zeros(entry);
            lowest = Some(match lowest {
                None => (zeros, *column, self.numbers.width()),
                Some((least, _, _)) if zeros < least => (zeros, *column, least),
                Some((least, column, next)) => (least, column, next.min(zeros)),
            });
        }
        lowest
    }

    /// Puts a value in the place of a column: its entries are added to those of column 0, the constants. A
    /// row that was solved for the column may be solved for another one.
    pub(super) fn set(&mut self, column: u32, value: &BitVec) {
        let value = self.numbers.read(value);
        for row in &mut self.rows {
            let Ok(place) = row.entries.binary_search_by_key(&column, |entry| entry.0) else { continue };
            let (_, entry) = row.entries.remove(place);
            let product = self.numbers.mul(&entry, &value);
            let constant = match row.entries.first() {
                Some((0, constant)) => self.numbers.add(constant, &product),
                _ => {
                    row.entries.insert(0, (0, product.clone()));
                    product
                }
            };
            if self.numbers.is_zero(&constant) {
                row.entries.remove(0);
            } else {
                row.entries[0].1 = constant;
            }
            if row.pivot.is_none_or(|(pivot, _)| pivot == column) {
                row.pivot = None;
                row.best = best(&self.numbers, &self.eligible, &row.entries);
            }
        }
    }

    /// The column that a row was solved for, and whether its entry is one.
    pub(super) fn pivot(&self, number: usize) -> Option<(u32, bool)> {
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
    fn normalise(&mut self, number: usize, zeros: u32, column: u32) -> Vec<(u32, N::Number)> {
        let row = &mut self.rows[number];
        let place = row.entries.binary_search_by_key(&column, |entry| entry.0);
        let (_, pivot) = &row.entries[place.expect("the pivot is in its row")];
        let odd = self.numbers.write(&self.numbers.divide(pivot, zeros));
        let inverse = self.numbers.read(&odd.odd_inverse().expect("without its zeros it is odd"));
        for (_, entry) in &mut row.entries {
            *entry = self.numbers.mul(entry, &inverse);
        }
        row.best = None;
        row.pivot = Some((column, zeros == 0));
        row.entries.clone()
    }
}

/// The eligible entry with the fewest trailing zeros, the first of them.
fn best<N: Numbers>(numbers: &N, eligible: &[bool], entries: &[(u32, N::Number)]) -> Option<(u32, u32)> {
    let eligible = entries.iter().filter(|(column, _)| eligible[*column as usize]);
    eligible.map(|(column, entry)| (numbers.trailing_zeros(entry), *column)).min()
}

/// `row` plus `factor` times `other`, into `sum`.
fn merge<N: Numbers>(
    numbers: &N,
    row: &[(u32, N::Number)],
    other: &[(u32, N::Number)],
    factor: &N::Number,
    sum: &mut Vec<(u32, N::Number)>,
) {
    sum.clear();
    let mut rest = row.iter().peekable();
    for (column, entry) in other {
        while let Some(kept) = rest.next_if(|kept| kept.0 < *column) {
            sum.push(kept.clone());
        }
        let mut value = numbers.mul(entry, factor);
        if let Some((_, old)) = rest.next_if(|old| old.0 == *column) {
            value = numbers.add(&value, old);
        }
        if !numbers.is_zero(&value) {
            sum.push((*column, value));
        }
    }
    sum.extend(rest.cloned());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All solutions of three columns and the constant modulo 8 stay; words and wide numbers do the same.
    #[test]
    fn solutions_stay() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut solved = 0;
        for _ in 0..300 {
            let rows: Vec<[u64; 4]> = (0..random.usize(1..5))
                .map(|_| [(); 4].map(|()| random.u64(..8) & random.u64(..8)))
                .collect();
            let (words, pivots) = eliminated(Words::new(3), &rows);
            assert_eq!((&words, &pivots), (&eliminated(Wide(3), &rows).0, &eliminated(Wide(3), &rows).1));
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

    fn eliminated<N: Numbers>(numbers: N, rows: &[[u64; 4]]) -> Solved {
        let mut matrix = Matrix::new(numbers);
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
