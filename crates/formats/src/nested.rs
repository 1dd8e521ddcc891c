//! Terms as nested text, for the printers of SMT-LIB 1.2 and CVC.
//!
//! A language says of which pieces the text of a term consists; [`write()`] puts them together with a stack
//! of its own, so depth costs memory only. What is used more than once has a name: [`shared`] finds these
//! terms, and each printer defines them in its own way. [`Identifiers`] are names in the letters that a
//! language has.
//!
//! Cost: linear in the terms, but for names that are taken.

use bivalve_terms::{Pool, Term, TermMap, TermSet, cone};
use rustc_hash::FxHashSet;

/// A piece of the text of a term.
pub(crate) enum Piece {
    /// Words and signs of the language.
    Word(&'static str),
    /// Text that was made for this term.
    Text(String),
    /// The text of another term.
    Term(Term),
}

/// Writes a term; terms that have a name are written by it.
///
/// # Errors
///
/// Those of `pieces`, which appends the pieces of a term.
pub(crate) fn write<E>(
    out: &mut String,
    root: Term,
    names: &TermMap<String>,
    mut pieces: impl FnMut(Term, &mut Vec<Piece>) -> Result<(), E>,
) -> Result<(), E> {
    let (mut left, mut parts) = (vec![Piece::Term(root)], vec![]);
    while let Some(piece) = left.pop() {
        match piece {
            Piece::Word(word) => out.push_str(word),
            Piece::Text(text) => out.push_str(&text),
            Piece::Term(term) => match names.get(term) {
                Some(name) => out.push_str(name),
                None => {
                    pieces(term, &mut parts)?;
                    left.extend(parts.drain(..).rev());
                }
            },
        }
    }
    Ok(())
}

/// The terms below `roots` that are used more than once, by terms or as roots, children first; constants and
/// symbols have names of their own.
pub(crate) fn shared(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let terms = cone(pool, roots);
    let (mut once, mut often) = (TermSet::new(), TermSet::new());
    let used = terms.iter().flat_map(|&term| pool.args(term)).chain(roots);
    for &term in used {
        if !once.insert(term) {
            often.insert(term);
        }
    }
    terms.into_iter().filter(|&term| often.contains(term) && !pool.args(term).is_empty()).collect()
}

/// The arguments between what stands before, between and behind them.
pub(crate) fn list(
    parts: &mut Vec<Piece>,
    open: Piece,
    args: &[Term],
    between: &'static str,
    close: &'static str,
) {
    parts.push(open);
    for (i, &arg) in args.iter().enumerate() {
        if i > 0 {
            parts.push(Piece::Word(between));
        }
        parts.push(Piece::Term(arg));
    }
    parts.push(Piece::Word(close));
}

/// Names that a language can say, all different.
pub(crate) struct Identifiers {
    used: FxHashSet<String>,
    is_letter: fn(char) -> bool,
    is_taken: fn(&str) -> bool,
}

impl Identifiers {
    /// Names of ASCII letters, digits and what `is_letter` allows; those that are taken by the language are
    /// left out.
    pub(crate) fn new(is_letter: fn(char) -> bool, is_taken: fn(&str) -> bool) -> Identifiers {
        Identifiers { used: FxHashSet::default(), is_letter, is_taken }
    }

    /// `name` itself, if the language can say it and it is free; else one that is like it.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let keep = |c: char| c.is_ascii_alphanumeric() || (self.is_letter)(c);
        let mut base: String = name.chars().map(|c| if keep(c) { c } else { '_' }).collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic()) || (self.is_taken)(&base) {
            base.insert_str(0, "s_");
        }
        let mut free = base.clone();
        for number in 1.. {
            if self.used.insert(free.clone()) {
                break;
            }
            free = format!("{base}_{number}");
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_where_they_can_be() {
        let mut names = Identifiers::new(|c| c == '\'', |name| name == "IF");
        let given = ["x", "x'", "x@0", "x_0", "x_0", "IF", "", "0x", "\u{fc}"].map(|name| names.name(name));
        assert_eq!(given, ["x", "x'", "x_0", "x_0_1", "x_0_2", "s_IF", "s_", "s_0x", "s__"]);
    }
}
