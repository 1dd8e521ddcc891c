//! Symbols, with bars only where they are needed, and strings.
//!
//! A name is printed plain when it is a simple symbol: symbol characters only, no digit first, and no word of
//! the language. Others stand between bars. The syntax has no way to write a bar or a backslash; the reader
//! makes no name with a bar, and for names from elsewhere that have one a [`Naming`](super::Naming) finds
//! another.

use crate::smtlib::lexer::is_symbol_byte;
use crate::smtlib::vocabulary::is_reserved;
use std::borrow::Cow;

/// The name as a symbol of SMT-LIB.
pub fn symbol(name: &str) -> Cow<'_, str> {
    if is_simple(name) { Cow::Borrowed(name) } else { Cow::Owned(format!("|{name}|")) }
}

/// The text as a string literal of SMT-LIB.
pub fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Is this a simple symbol?
pub(crate) fn is_simple(name: &str) -> bool {
    let first = name.bytes().next();
    first.is_some_and(|b| !b.is_ascii_digit()) && name.bytes().all(is_symbol_byte) && !is_reserved(name)
}

/// Can this name be written as a symbol at all?
pub(crate) fn is_writable(name: &str) -> bool {
    !name.contains(['|', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_only_where_they_are_needed() {
        for plain in ["x", "<41702>", "m.out_MPORT.addr@0", "-", "bv1", "a!b", "_x", "push"] {
            assert_eq!(symbol(plain), plain);
        }
        for quoted in ["a b", "", "1x", "let", "_", "x:y", "é", "a;b", "par", "main#1"] {
            assert_eq!(symbol(quoted), format!("|{quoted}|"));
        }
        assert_eq!(string("say \"yes\""), "\"say \"\"yes\"\"\"");
    }
}
