//! Tables that read well as text and are Markdown, too.
//!
//! Cells are aligned by the library `comfy-table`: words on the left, numbers on the right. A heading that
//! begins with `<` (taken off) is that of a column of words.

use comfy_table::{CellAlignment, presets};
use std::fmt;

/// A table: named columns, and rows of as many cells.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<(String, CellAlignment)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table; a heading that begins with `<` is that of a column of words.
    pub fn new<S: AsRef<str>>(headings: impl IntoIterator<Item = S>) -> Table {
        let column = |heading: S| match heading.as_ref().strip_prefix('<') {
            Some(word) => (word.to_owned(), CellAlignment::Left),
            None => (heading.as_ref().to_owned(), CellAlignment::Right),
        };
        Table { columns: headings.into_iter().map(column).collect(), rows: vec![] }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When there are not as many cells as columns.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert_eq!(cells.len(), self.columns.len(), "a row has one cell for each column");
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as plain text, columns two blanks apart.
    pub fn text(&self) -> String {
        let table = self.drawn(presets::NOTHING, (0, 2), str::to_owned);
        table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    fn drawn(
        &self,
        style: comfy_table::TableStyle,
        padding: (u16, u16),
        cell: impl Fn(&str) -> String,
    ) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(style).set_header(self.columns.iter().map(|(heading, _)| heading));
        table.add_rows(self.rows.iter().map(|row| row.iter().map(|text| cell(text))));
        for (column, (_, alignment)) in table.column_iter_mut().zip(&self.columns) {
            column.set_cell_alignment(*alignment);
            column.set_padding(padding);
        }
        table.to_string()
    }
}

impl fmt::Display for Table {
    /// The table as Markdown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.drawn(presets::ASCII_MARKDOWN, (1, 1), |text| text.replace('|', "\\|")).lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_as_text_and_as_markdown() {
        let mut table = Table::new(["<solver", "files", "PAR-2"]);
        table.row(["bivalve", "6", "64.00"]);
        table.row(["bitwuzla:a|b", "1712", "x1.0µ"]);
        let expected = "\
| solver        | files | PAR-2 |
|---------------|-------|-------|
| bivalve       |     6 | 64.00 |
| bitwuzla:a\\|b |  1712 | x1.0µ |
";
        assert_eq!(table.to_string(), expected);
        let expected = "\
solver        files  PAR-2
bivalve           6  64.00
bitwuzla:a|b   1712  x1.0µ
";
        assert_eq!(table.text(), expected);
    }
}
