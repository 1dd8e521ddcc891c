//! Printing in SMT-LIB syntax.

mod symbol;

pub use symbol::symbol;
