//! The middle of what linear inequalities leave.
//!
//! The point that is farthest inside of all half-spaces, the centre of the largest ball in them, is found by
//! the simplex method: the radius is one more unknown, which is the goal. Every point is inside by some
//! radius, if negative ones count, so the method has its start at once, at the origin. The unknowns have any
//! sign; once one depends on others it does so for good. Equations are solved before.
//!
//! All is computed with doubles, so the point is a proposal.

use bivalve_limits::Deadline;

/// The sum of the terms is at most the bound, or equal to it.
pub(super) struct Row {
    /// The unknowns and their factors.
    pub(super) terms: Vec<(usize, f64)>,
    pub(super) bound: f64,
    pub(super) kind: RowKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowKind {
    /// A half-space that the ball is in.
    Inside,
    /// A half-space that the centre is in.
    Within,
    /// A plane that the centre lies on.
    Equation,
}

/// An unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unknown {
    Free(usize),
    Radius,
    /// What is left of an inequality, by the number of its row: at least 0.
    Rest(usize),
    /// What is left of an equation: 0.
    Nothing,
}

/// Numbers next to zero, from which nothing is divided.
const SMALL: f64 = 1e-11;

/// The largest radius: where there is more room, more is of no use.
const LARGEST: f64 = 1e6;

/// Some unknowns as sums of others: those that a row is of and those that a column is of. The last column
/// has constants, which are the values while the others are 0.
struct Table {
    rows: Vec<Vec<f64>>,
    of_rows: Vec<Unknown>,
    of_columns: Vec<Unknown>,
}

/// The values of so many unknowns, or nothing at the deadline.
pub(super) fn centre(unknowns: usize, rows: &[Row], deadline: &Deadline) -> Option<Vec<f64>> {
    let (table, _) = Table::at_centre(unknowns, rows, deadline)?;
    let mut values = vec![0.0; unknowns];
    for (row, of) in table.rows.iter().zip(&table.of_rows) {
        if let Unknown::Free(at) = *of {
            values[at] = row[unknowns + 1];
        }
    }
    values.iter().all(|value| value.is_finite()).then_some(values)
}

/// What the radius of the largest ball owes to each row, or nothing at the deadline: the sum of the rows with
/// these factors, which are not negative, has no unknown left, and its bound is the radius. (They are the
/// solution of the dual problem.)
pub(super) fn multipliers(unknowns: usize, rows: &[Row], deadline: &Deadline) -> Option<Vec<f64>> {
    let (table, goal) = Table::at_centre(unknowns, rows, deadline)?;
    let mut found = vec![0.0; rows.len()];
    for (&factor, of) in table.rows[goal].iter().zip(&table.of_columns) {
        if let Unknown::Rest(at) = *of
            && let Some(row) = rows.get(at)
        {
            found[at] = (-factor).max(0.0) / row.length();
        }
    }
    found.iter().all(|factor| factor.is_finite()).then_some(found)
}

impl Row {
    /// The length of all factors, or 1 if they are 0.
    fn length(&self) -> f64 {
        let length = self.terms.iter().map(|(_, factor)| factor * factor).sum::<f64>().sqrt();
        if length > 0.0 { length } else { 1.0 }
    }
}

impl Table {
    /// The table where the radius is the largest, and the row of the radius.
    fn at_centre(unknowns: usize, rows: &[Row], deadline: &Deadline) -> Option<(Table, usize)> {
        let mut table = Table::new(unknowns, rows);
        let cost = (table.rows.len() * (unknowns + 2)) as u64;
        for (at, row) in rows.iter().enumerate() {
            if row.kind == RowKind::Equation {
                table.solve(at);
                deadline.step(cost).then_some(())?;
            }
        }
        let goal = table.start(unknowns);
        // As a rule a few pivots for each row are enough.
        for _ in 0..4 * (unknowns + rows.len()) {
            if !deadline.step(cost) {
                return None;
            }
            let Some((row, column)) = table.better(goal) else { break };
            table.pivot(row, column);
        }
        Some((table, goal))
    }

    /// What is left of each row, and of the largest radius at the end. Factors are divided by the length of
    /// all, so that radii are distances.
    fn new(unknowns: usize, rows: &[Row]) -> Table {
        let mut table = Table {
            rows: vec![],
            of_rows: (0..=rows.len()).map(Unknown::Rest).collect(),
            of_columns: (0..unknowns).map(Unknown::Free).chain([Unknown::Radius]).collect(),
        };
        for given in rows {
            let (Row { terms, bound, kind }, length) = (given, given.length());
            let mut row = vec![0.0; unknowns + 2];
            terms.iter().for_each(|&(at, factor)| row[at] -= factor / length);
            row[unknowns] = if *kind == RowKind::Inside { -1.0 } else { 0.0 };
            row[unknowns + 1] = bound / length;
            table.rows.push(row);
        }
        let mut largest = vec![0.0; unknowns + 2];
        (largest[unknowns], largest[unknowns + 1]) = (-1.0, LARGEST);
        table.rows.push(largest);
        table
    }

    /// Has an unknown depend on the others by an equation.
    fn solve(&mut self, at: usize) {
        let free = |column: &usize| matches!(self.of_columns[*column], Unknown::Free(_));
        let size = |column: &usize| self.rows[at][*column].abs();
        let columns = (0..self.of_columns.len()).filter(free);
        let Some(column) = columns.max_by(|a, b| size(a).total_cmp(&size(b))) else { return };
        if size(&column) > SMALL {
            self.pivot(at, column);
            self.of_columns[column] = Unknown::Nothing;
        } else {
            self.of_rows[at] = Unknown::Nothing;
        }
    }

    /// Takes the radius that the origin has; the row that it is found in.
    fn start(&mut self, radius: usize) -> usize {
        let ball =
            |row: &usize| matches!(self.of_rows[*row], Unknown::Rest(_)) && self.rows[*row][radius] < 0.0;
        let rest = |row: &usize| self.rows[*row][radius + 1];
        let row = (0..self.rows.len()).filter(ball).min_by(|a, b| rest(a).total_cmp(&rest(b)));
        let row = row.expect("there is a largest radius");
        self.pivot(row, radius);
        row
    }

    /// An unknown that makes the goal greater, by its column, and the row that ends its growth.
    fn better(&self, goal: usize) -> Option<(usize, usize)> {
        let gain = |column: &usize| match self.of_columns[*column] {
            Unknown::Free(_) => self.rows[goal][*column].abs(),
            Unknown::Rest(_) => self.rows[goal][*column],
            Unknown::Radius | Unknown::Nothing => 0.0,
        };
        let column = (0..self.of_columns.len()).max_by(|a, b| gain(a).total_cmp(&gain(b)))?;
        if gain(&column) <= SMALL {
            return None;
        }
        let direction = self.rows[goal][column].signum();
        let constant = self.of_columns.len();
        let mut nearest: Option<(f64, usize)> = None;
        for (at, row) in self.rows.iter().enumerate() {
            let fall = -direction * row[column];
            if !matches!(self.of_rows[at], Unknown::Rest(_)) || fall <= SMALL {
                continue;
            }
            let until = row[constant].max(0.0) / fall;
            if nearest.is_none_or(|(least, _)| until < least) {
                nearest = Some((until, at));
            }
        }
        nearest.map(|(_, row)| (row, column))
    }

    /// Has the unknown of a column depend on that of a row, in place of the other way round.
    fn pivot(&mut self, at: usize, column: usize) {
        let mut row = std::mem::take(&mut self.rows[at]);
        let by = row[column];
        row[column] = -1.0;
        row.iter_mut().for_each(|factor| *factor /= -by);
        for other in &mut self.rows {
            let Some(&times) = other.get(column).filter(|&&times| times != 0.0) else { continue };
            other[column] = 0.0;
            other.iter_mut().zip(&row).for_each(|(factor, add)| *factor += times * add);
        }
        self.rows[at] = row;
        std::mem::swap(&mut self.of_rows[at], &mut self.of_columns[column]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Row, RowKind, centre};
    use bivalve_limits::{Deadline, Stop};

    fn found(unknowns: usize, rows: &[(&[f64], f64, RowKind)]) -> Vec<f64> {
        let rows: Vec<Row> = rows
            .iter()
            .map(|&(factors, bound, kind)| Row {
                terms: factors.iter().copied().enumerate().filter(|&(_, factor)| factor != 0.0).collect(),
                bound,
                kind,
            })
            .collect();
        let values = centre(unknowns, &rows, &Deadline::new(&Stop::new(), 1_000_000)).expect("a centre");
        values.iter().map(|value| (value * 1e6).round() / 1e6).collect()
    }

    #[test]
    fn the_ball_touches_what_bounds_it() {
        use RowKind::{Equation, Inside, Within};
        // A square, far from the origin; a triangle with a right angle; a segment on a line.
        let square: [(&[f64], f64, RowKind); 4] = [
            (&[1.0, 0.0], 12.0, Inside),
            (&[-2.0, 0.0], -20.0, Inside),
            (&[0.0, 3.0], -9.0, Inside),
            (&[0.0, -1.0], 5.0, Inside),
        ];
        assert_eq!(found(2, &square), [11.0, -4.0]);
        let triangle: [(&[f64], f64, RowKind); 3] =
            [(&[-1.0, 0.0], 0.0, Inside), (&[0.0, -1.0], 0.0, Inside), (&[3.0, 4.0], 12.0, Inside)];
        assert_eq!(found(2, &triangle), [1.0, 1.0]);
        let line: [(&[f64], f64, RowKind); 3] =
            [(&[1.0, -1.0], 2.0, Equation), (&[1.0, 0.0], 8.0, Inside), (&[0.0, -1.0], 0.0, Inside)];
        assert_eq!(found(2, &line), [5.0, 3.0]);
        // No further than a step goes; no nearer to contradictory ones than to each.
        assert_eq!(found(1, &[(&[-1.0], -9.0, Inside), (&[1.0], 2.0, Within)]), [2.0]);
        assert_eq!(found(1, &[(&[-1.0], -9.0, Inside), (&[1.0], 2.0, Inside)]), [5.5]);
    }
}
