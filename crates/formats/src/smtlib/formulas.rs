//! The formulas of a script, for programs that read text and go on by hand.
//!
//! Declarations, definitions and assertions are carried out, levels are opened and closed; all other commands
//! are read and skipped. What is left is what a `check-sat` at the end of the script would be about.

use crate::diagnostic::Diagnostic;
use crate::smtlib::command::Command;
use crate::smtlib::parser::{Guard, MOST_TERMS, Parser, ParserOptions, few_terms};
use bivalve_terms::{Context, Expr, Pool, Term, TermSet};

/// What a script asserts and declares.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The assertions in force at the end of the script.
    pub assertions: Vec<Expr>,
    /// The symbols declared at the end of the script: constants and functions.
    pub symbols: Vec<Expr>,
}

impl Formulas {
    /// Reads a script into a context. Its symbols are new, even where the context has others of these names.
    ///
    /// ```
    /// use bivalve_formats::smtlib::Formulas;
    /// use bivalve_terms::Context;
    ///
    /// let ctx = Context::new();
    /// let text = "(declare-const x (_ BitVec 8)) (assert (bvult x #x10))";
    /// let formulas = Formulas::read(&ctx, text)?;
    /// let x = formulas.symbol("x").expect("it is declared");
    /// assert_eq!(formulas.assertions, [x.ult(0x10)]);
    /// # Ok::<(), bivalve_formats::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first command that is refused.
    pub fn read(context: &Context, text: &str) -> Result<Formulas, Diagnostic> {
        let (assertions, symbols) = context.with_pool(|pool| Formulas::terms(pool, &[], text))?;
        let exprs = |terms: Vec<Term>| terms.into_iter().map(|term| context.expr(term)).collect();
        Ok(Formulas { assertions: exprs(assertions), symbols: exprs(symbols) })
    }

    /// The same as terms of a pool: the assertions in force at the end, and the symbols declared there. The
    /// symbols of `known` are declared before the text begins, and are not among those returned. Definitions
    /// stand for [`MOST_TERMS`] terms at most.
    ///
    /// # Errors
    ///
    /// The first command that is refused.
    pub fn terms(pool: &mut Pool, known: &[Term], text: &str) -> Result<(Vec<Term>, Vec<Term>), Diagnostic> {
        Formulas::terms_within(pool, known, text, &mut few_terms(MOST_TERMS, &mut 0))
    }

    /// The same within limits, as in [`Parser::next_written_command`].
    ///
    /// # Errors
    ///
    /// The first command that is refused.
    pub fn terms_within(
        pool: &mut Pool,
        known: &[Term],
        text: &str,
        guard: &mut Guard,
    ) -> Result<(Vec<Term>, Vec<Term>), Diagnostic> {
        let mut parser = Parser::new(text.as_bytes(), "text", ParserOptions::default());
        parser.symbols_mut().declare_all(pool, known);
        let mut assertions: Vec<Term> = vec![];
        // Where the assertions of a level begin, and how many levels begin there.
        let mut levels: Vec<(usize, u32)> = vec![];
        while let Some(command) = parser.next_written_command(pool, guard)? {
            match command {
                Command::Assert { term, .. } => assertions.push(term),
                Command::Push(count) => {
                    parser.symbols_mut().push(count);
                    levels.push((assertions.len(), count));
                }
                Command::Pop(count) => {
                    let start = parser.symbols_mut().pop(count).then(|| popped(&mut levels, count));
                    assertions.truncate(start.flatten().unwrap_or(assertions.len()));
                }
                Command::Reset => {
                    parser.symbols_mut().reset();
                    (assertions, levels) = (vec![], vec![]);
                }
                Command::ResetAssertions => {
                    parser.symbols_mut().reset_assertions();
                    (assertions, levels) = (vec![], vec![]);
                }
                Command::Exit => break,
                _ => {}
            }
        }
        let mut is_known = TermSet::new();
        known.iter().for_each(|&symbol| {
            is_known.insert(symbol);
        });
        let declared = parser.symbols().declared().iter().copied();
        Ok((assertions, declared.filter(|&symbol| !is_known.contains(symbol)).collect()))
    }

    /// The symbol of this name that was declared last.
    pub fn symbol(&self, name: &str) -> Option<&Expr> {
        self.symbols.iter().rev().find(|symbol| symbol.name().as_deref() == Some(name))
    }
}

/// Closes levels; returns where the assertions of the lowest of them begin.
fn popped(levels: &mut Vec<(usize, u32)>, mut count: u32) -> Option<usize> {
    let mut start = None;
    while count > 0 {
        let (first, opened) = levels.last_mut()?;
        start = Some(*first);
        let closed = count.min(*opened);
        (*opened, count) = (*opened - closed, count - closed);
        if *opened == 0 {
            levels.pop();
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_closed_with_their_assertions_and_symbols() {
        let text =
            "(declare-const p Bool) (assert p) (push 2) (declare-const q Bool) (assert q) (push 1) (assert p)
            (pop 2) (assert (not p)) (check-sat) (push 1) (assert false) (pop 1) (exit) (nonsense)";
        let formulas = Formulas::read(&Context::new(), text).unwrap();
        let p = formulas.symbol("p").unwrap();
        assert_eq!(formulas.assertions, [p.clone(), !p]);
        assert!(formulas.symbol("q").is_none());
    }

    #[test]
    fn symbols_that_are_known_are_those_of_the_text() {
        let mut pool = Pool::new();
        let p = pool.symbol("p", bivalve_terms::Sort::BOOL);
        let text = "(declare-const q Bool) (assert p) (assert q)";
        let (assertions, symbols) = Formulas::terms(&mut pool, &[p], text).unwrap();
        assert_eq!((assertions[0], &assertions[1..]), (p, &symbols[..]));
    }

    #[test]
    fn the_first_refusal_is_returned() {
        let refusal =
            Formulas::read(&Context::new(), "(declare-const p Bool) (assert (bvult p p))").unwrap_err();
        assert!(refusal.to_string().contains("bit-vector"), "{refusal}");
    }
}
