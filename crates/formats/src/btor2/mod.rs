//! BTOR2 (Niemetz, Preiner, Wolf and Biere, CAV 2018): a reader into transition systems, and a printer.
//!
//! A line is a node with a number, and names its arguments by their numbers; the text is read in one pass
//! without recursion. Terms are built as written: no node is rewritten. Sorts are those of BTOR2, bit-vectors
//! and arrays of them; comparisons and what is made of them are Boolean terms (see `lines::bits`).
//!
//! The rules are those of btor2parser: numbers increase, arguments are defined before, widths agree, the
//! initial value of a state comes before the state and depends on no input. Tabs and several blanks between
//! words, CRLF, a last line without line feed, comments without a blank before them, smaller numbers behind
//! greater ones and comparisons with the sort of their arguments are accepted, unless the reader is asked to
//! be strict.

mod info;
mod print;
mod read;
mod strict;
mod witness;

use crate::lines::operators;

pub use print::print;
pub(crate) use read::read_text;
pub use read::{numbers, read, read_with_info};
pub use witness::{Unknown, read_witnesses, write_frame, write_witness};

/// The words of lines beside the operators.
const LINES: &[&str] = &[
    "sort",
    "input",
    "state",
    "init",
    "next",
    "bad",
    "constraint",
    "fair",
    "justice",
    "output",
    "zero",
    "one",
    "ones",
    "const",
    "constd",
    "consth",
];

/// The words that can stand behind the number of a line.
pub fn words() -> impl Iterator<Item = &'static str> {
    LINES.iter().copied().chain(operators::names())
}
