//! Markdown tables that can also be read as plain text: every column as wide as its widest cell.
//!
//! Numbers lean right, words lean left. A cell's `|` is escaped, because file names may hold one. Widths
//! count characters, which is right for everything these tables hold.

use std::fmt::{Display, Formatter, Result};

/// Which side the cells of a column lean to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lean {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table: named columns, and rows of as many cells.
#[derive(Debug)]
pub struct Table {
    columns: Vec<(String, Lean)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table; a column's heading that starts with `<` (taken off) leans left, all others right.
    pub fn new(headings: &[&str]) -> Self {
        let column = |heading: &&str| match heading.strip_prefix('<') {
            Some(word) => (word.to_owned(), Lean::Left),
            None => ((*heading).to_owned(), Lean::Right),
        };
        Self { columns: headings.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row of as many cells as there are columns.
    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.columns.len(), "a row has one cell for each column");
        self.rows.push(cells.into_iter().map(|cell| cell.replace('|', "\\|")).collect());
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The same columns, the first rows only.
    pub fn head(&self, rows: usize) -> Self {
        Self { columns: self.columns.clone(), rows: self.rows.iter().take(rows).cloned().collect() }
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let cells = |at: usize| self.rows.iter().map(move |row| row[at].chars().count());
        let width = |(at, (heading, _)): (usize, &(String, Lean))| {
            cells(at).max().unwrap_or(0).max(heading.chars().count()).max(3)
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(width).collect();
        let line = |f: &mut Formatter<'_>, cells: &mut dyn Iterator<Item = &str>| -> Result {
            for ((cell, width), (_, lean)) in cells.zip(&widths).zip(&self.columns) {
                match lean {
                    Lean::Left => write!(f, "| {cell:<width$} ")?,
                    Lean::Right => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")
        };
        line(f, &mut self.columns.iter().map(|(heading, _)| heading.as_str()))?;
        for (width, (_, lean)) in widths.iter().zip(&self.columns) {
            match lean {
                Lean::Left => write!(f, "|:{}-", "-".repeat(*width))?,
                Lean::Right => write!(f, "|-{}:", "-".repeat(*width))?,
            }
        }
        writeln!(f, "|")?;
        self.rows.iter().try_for_each(|row| line(f, &mut row.iter().map(String::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    #[test]
    fn columns_are_aligned_as_text_and_as_markdown() {
        let mut table = Table::new(&["<solver", "files", "PAR-2"]);
        table.row(vec!["bivalve".into(), "6".into(), "64.00".into()]);
        table.row(vec!["bitwuzla:a|b".into(), "1712".into(), "x1.0µ".into()]);
        assert_snapshot!(table, @r"
        | solver        | files | PAR-2 |
        |:--------------|------:|------:|
        | bivalve       |     6 | 64.00 |
        | bitwuzla:a\|b |  1712 | x1.0µ |
        ");
        let widths: Vec<usize> = table.to_string().lines().map(|line| line.chars().count()).collect();
        assert!(widths.windows(2).all(|two| two[0] == two[1]), "{widths:?}");
    }

    #[test]
    fn the_head_keeps_the_columns() {
        let mut table = Table::new(&["n"]);
        (0..9).for_each(|n| table.row(vec![n.to_string()]));
        assert_eq!(table.head(2).to_string(), "|   n |\n|----:|\n|   0 |\n|   1 |\n");
        assert!(Table::new(&["n"]).is_empty() && table.len() == 9);
    }
}
