//! The presentation language of CVC, as far as STP reads it: bit-vectors, Booleans and arrays.
//!
//! Expressions are read with a stack of values and one of open operators (Dijkstra's shunting yard), so
//! depth costs memory only. The order of precedence is that of STP's grammar, from weak to strong: `XOR`,
//! `<=>`, `=>`, `OR`, `AND`, `NAND`, `NOR`, `NOT`, `=` and `/=`, `@`, `|`, `&`, `~`, `<<` and `>>`, `WITH`,
//! `[...]`.
//!
//! `QUERY f` asks whether the assertions imply `f`: whether they and the negation of `f` have no model.
//! `CHECKSAT f` asks whether they and `f` have one, and is read as `QUERY NOT f`. Arguments of `BVPLUS` and
//! the like are extended by zeros or cut to the width that is given, as in CVC; STP insists on equal
//! widths.

mod expressions;
mod functions;
mod lexer;
mod print;
mod read;
mod words;

pub use print::print;
pub use read::read;
