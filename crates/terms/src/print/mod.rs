//! Printing in SMT-LIB syntax: symbols, sorts, terms and values.
//!
//! What is printed is what was built: no operator is replaced, no order changed, names are kept. Everything
//! is iterative, and a DAG is printed in linear size: what is used twice in a term is bound by `let`. Whole
//! scripts are printed by `bivalve-formats`, with the same functions.
//!
//! - [`symbol()`]: bars only where they are needed;
//! - [`Naming`]: what symbols and sorts are called in the output, when their own names cannot all be used;
//! - [`sort()`], [`term()`], [`Values`]: text of one thing;
//! - [`Pool::display`]: a term for `format!`.

mod binders;
mod naming;
mod sort;
mod symbol;
mod term;
mod value;

use crate::pool::Pool;
use crate::term::Term;
pub use naming::{Naming, all_sorts, free_sorts};
pub(crate) use sort::short_sort;
pub use sort::{sort, write_sort};
use std::fmt;
pub use symbol::{is_reserved, is_symbol_byte, string, symbol, taken_names};
pub use term::{Printer, term};
pub use value::{BitVecFormat, Values, bitvec, element_name};

/// A term that prints itself, see [`Pool::display`].
#[derive(Clone, Copy)]
pub struct DisplayTerm<'a> {
    pool: &'a Pool,
    term: Term,
}

impl Pool {
    /// The term in SMT-LIB syntax, with `let` for what is shared.
    ///
    /// ```
    /// # use bivalve_terms::{Pool, Sort};
    /// let mut pool = Pool::new();
    /// let [p, q] = ["p", "q"].map(|name| pool.symbol(name, Sort::BOOL));
    /// let both = pool.and(p, q)?;
    /// assert_eq!(pool.display(both).to_string(), "(and p q)");
    /// # Ok::<(), bivalve_terms::SortError>(())
    /// ```
    pub fn display(&self, term: Term) -> DisplayTerm<'_> {
        DisplayTerm { pool: self, term }
    }
}

impl fmt::Display for DisplayTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&term(self.pool, self.term))
    }
}
