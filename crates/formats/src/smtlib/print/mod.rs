//! Printing in SMT-LIB syntax: commands and whole scripts; symbols, sorts, terms and values are printed by
//! `bivalve-terms`, of whose printer this module is an extension.
//!
//! What is printed is what was built: no operator is replaced, no order changed, names are kept. Reading a
//! printed script gives an isomorphic DAG, and a test holds that for random terms and for the files of other
//! projects. Everything is iterative, and a DAG is printed in linear size: what is used twice in a term is
//! bound by `let`, what is used by several assertions of a script is a `define-fun`.
//!
//! - [`symbol()`]: bars only where they are needed;
//! - [`Naming`]: what symbols and sorts are called in the output, when their own names cannot all be used;
//! - [`sort()`], [`term()`], [`Values`]: text of one thing;
//! - [`standard`]: the same terms without operators that only some solvers read;
//! - [`command`] and [`script()`]: text to be read again.

mod commands;
mod script;
mod standard;

use bivalve_terms::print::all_sorts;
pub use bivalve_terms::print::{
    BitVecFormat, Naming, Printer, Values, bitvec, free_sorts, sort, string, symbol, term, write_sort,
};
pub use commands::command;
pub use script::{Script, logic_of, script, write_script};
pub use standard::standard;

#[cfg(test)]
mod tests {
    use crate::smtlib::lexer;
    use crate::smtlib::vocabulary::{DIALECT, WORDS};
    use bivalve_terms::print;

    #[test]
    fn the_reader_and_the_printer_have_the_same_words_and_symbols() {
        for name in WORDS.map(|word| word.0).into_iter().chain(DIALECT.map(|name| name.0)) {
            assert!(print::taken_names().any(|taken| taken == name), "{name}");
        }
        assert!(WORDS.iter().all(|word| print::is_reserved(word.0)));
        for byte in 0..=u8::MAX {
            assert_eq!(lexer::is_symbol_byte(byte), print::is_symbol_byte(byte), "{byte}");
        }
    }
}
