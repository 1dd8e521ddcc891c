//! Commands about interpolants, in the forms of other solvers:
//!
//! - `(get-interpolant I t)` (cvc5): between the assertions and the negation of `t`;
//! - `(get-interpolant (n ...))` (Bitwuzla, MathSAT): between the assertions of these names and the others;
//! - `(get-interpolants (n ...) ...)` (Bitwuzla): between each prefix of such sets and the others;
//! - `(get-interpolants n ... )` (SMTInterpol): between each prefix and the rest of the list, in which `(and
//!   n ...)` is a set of several.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::command::{Command, Interpolants};
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::reading::Reading;
use bivalve_terms::{Sort, Term};

impl Reading<'_> {
    /// Behind `get-interpolant`.
    pub(crate) fn interpolant(&mut self, command: &str) -> Parsed<Command> {
        self.only_lenient("a command of SMT-LIB", format!("'{command}'"))?;
        let token = self.lexer.next()?;
        let asked = match token {
            Token::Open => Interpolants::Between(self.names_behind_parenthesis()?),
            Token::Symbol | Token::Quoted => {
                let name = self.lexer.name(token).to_owned();
                let token = self.lexer.next()?;
                let place = self.lexer.place();
                let goal = self.term_from(token)?;
                self.check_sort(goal, Sort::BOOL, place)?;
                Interpolants::Goal { name, goal }
            }
            _ => return Err(self.lexer.unexpected(token, "a name, or '(' and names of assertions")),
        };
        self.close()?;
        Ok(Command::GetInterpolants(asked))
    }

    /// Behind `get-interpolants`.
    pub(crate) fn interpolants(&mut self, command: &str) -> Parsed<Command> {
        self.only_lenient("a command of SMT-LIB", format!("'{command}'"))?;
        let (mut sets, mut whole) = (vec![], None);
        loop {
            let token = self.lexer.next()?;
            let (set, is_whole) = match token {
                Token::Close if !sets.is_empty() => {
                    let whole = whole.unwrap_or(false);
                    return Ok(Command::GetInterpolants(Interpolants::Along { sets, whole }));
                }
                Token::Symbol | Token::Quoted => (vec![self.assertion_name(token)?], true),
                Token::Open => {
                    let token = self.lexer.next()?;
                    match (token, self.lexer.text()) {
                        (Token::Symbol, b"and") => (self.names_behind_parenthesis()?, true),
                        (Token::Symbol | Token::Quoted, _) => {
                            let mut set = vec![self.assertion_name(token)?];
                            set.extend(self.names_behind_parenthesis()?);
                            (set, false)
                        }
                        _ => return Err(self.lexer.unexpected(token, "the name of an assertion")),
                    }
                }
                _ => return Err(self.lexer.unexpected(token, "names of assertions")),
            };
            if *whole.get_or_insert(is_whole) != is_whole {
                return Err(self.lexer.unexpected(token, "sets in the form of the first one"));
            }
            sets.push(set);
        }
    }

    /// Names of assertions, and the parenthesis behind them.
    fn names_behind_parenthesis(&mut self) -> Parsed<Vec<(String, Term)>> {
        let mut names = vec![];
        loop {
            match self.lexer.next()? {
                Token::Close => return Ok(names),
                token @ (Token::Symbol | Token::Quoted) => names.push(self.assertion_name(token)?),
                token => return Err(self.lexer.unexpected(token, "the name of an assertion or ')'")),
            }
        }
    }

    /// The current symbol, and the Boolean term that it names.
    fn assertion_name(&mut self, token: Token) -> Parsed<(String, Term)> {
        let name = self.lexer.name(token).to_owned();
        match self.symbols.lookup(&name).filter(|&term| self.pool.sort(term).is_bool()) {
            Some(term) => Ok((name, term)),
            None => {
                let found = format!("'{name}'");
                Err(self.refuse_token(DiagnosticKind::Undeclared, "the name of an assertion", found))
            }
        }
    }
}
