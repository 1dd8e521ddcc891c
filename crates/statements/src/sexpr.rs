//! Statements are S-expressions; this is their reader.
//!
//! Rows of tables are written as SMT-LIB terms, so that they can be read, searched and pasted into a solver.
//! Only two shapes exist, an atom and a list; [`crate::Reader`] gives atoms their meaning. The reader keeps
//! its own stack, so text of any depth can be read. The scanner of `formats` is not used, because this crate
//! lies below the readers of text, and statements have no strings, quoted symbols and comments.
//!
//! Cost: one pass.

use std::fmt;

/// An S-expression whose atoms borrow from the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexpr<'a> {
    /// Anything between blanks and parentheses.
    Atom(&'a str),
    /// A parenthesised list.
    List(Vec<Sexpr<'a>>),
}

/// Reads one S-expression that fills `text`.
///
/// # Errors
///
/// The text is not one balanced expression.
pub fn read(text: &str) -> Result<Sexpr<'_>, String> {
    let mut open: Vec<Vec<Sexpr<'_>>> = vec![vec![]];
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let item = match first {
            '(' => {
                open.push(vec![]);
                rest = rest[1..].trim_start();
                continue;
            }
            ')' => {
                rest = &rest[1..];
                Sexpr::List(open.pop().expect("the outermost level is never popped"))
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "()".contains(c)).unwrap_or(rest.len());
                let (atom, tail) = rest.split_at(end);
                rest = tail;
                Sexpr::Atom(atom)
            }
        };
        rest = rest.trim_start();
        open.last_mut().ok_or_else(|| format!("unexpected ')' in '{text}'"))?.push(item);
    }
    match open.pop() {
        Some(mut items) if open.is_empty() && items.len() == 1 => Ok(items.remove(0)),
        _ => Err(format!("expected one balanced expression, found '{text}'")),
    }
}

impl fmt::Display for Sexpr<'_> {
    /// Recursive: for the statements of rules, which are shallow.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexpr::Atom(atom) => f.write_str(atom),
            Sexpr::List(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_is_printed() {
        for text in ["x", "(bvadd x (bvnot y))", "((_ extract 3 0) x)", "()"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        assert_eq!(read("  ( a\n b )").unwrap().to_string(), "(a b)");
    }

    #[test]
    fn unbalanced_text_is_refused() {
        for text in ["", "(", ")", "(a", "a)", "a b", "(a))"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
