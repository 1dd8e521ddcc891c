//! Printing in SMT-LIB syntax: symbols, sorts, terms, values, commands and whole scripts.
//!
//! What is printed is what was built: no operator is replaced, no order changed, names are kept. Reading a
//! printed script gives an isomorphic DAG, and a test holds that for random terms and for the files of other
//! projects. Everything is iterative, and a DAG is printed in linear size: what is used twice in a term is
//! bound by `let`, what is used by several assertions of a script is a `define-fun`.
//!
//! - [`symbol()`]: bars only where they are needed;
//! - [`Naming`]: what symbols and sorts are called in the output, when their own names cannot all be used;
//! - [`sort()`], [`term()`], [`Values`]: text of one thing;
//! - [`standard`]: the same terms without operators that only some solvers know;
//! - [`command`] and [`script()`]: text to be read again.

mod commands;
mod naming;
mod script;
mod sort;
mod standard;
mod symbol;
mod term;
mod value;

pub use commands::command;
pub use naming::{Naming, free_sorts};
pub use script::{Script, logic_of, script, write_script};
pub use sort::{sort, write_sort};
pub use standard::standard;
pub use symbol::{string, symbol};
pub use term::{Printer, term};
pub use value::{BitVecFormat, Values, bitvec};
