//! Symbols, with bars only where they are needed.
//!
//! A name is printed plain when it is a simple symbol: symbol characters only, no digit first, and no word of the
//! language. Others stand between bars. The syntax has no way to write a bar or a backslash; the reader makes no name with
//! a bar, and names from elsewhere that have one are given another name by the script printer.

use crate::smtlib::lexer::is_symbol_byte;
use crate::smtlib::vocabulary::is_reserved;
use std::borrow::Cow;

/// The name as a symbol of SMT-LIB.
pub fn symbol(name: &str) -> Cow<'_, str> {
    if is_simple(name) { Cow::Borrowed(name) } else { Cow::Owned(format!("|{name}|")) }
}

/// Is this a simple symbol?
fn is_simple(name: &str) -> bool {
    let first = name.bytes().next();
    first.is_some_and(|b| !b.is_ascii_digit()) && name.bytes().all(is_symbol_byte) && !is_reserved(name)
}
