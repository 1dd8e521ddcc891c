//! Commands about interpolants, in the forms of other solvers:
//!
//! - `(get-interpolant I t)` (cvc5): between the assertions and the negation of `t`;
//! - `(get-interpolant (n ...))` (Bitwuzla): between the assertions of these names and the others;
//! - `(get-interpolant (g ...))` (MathSAT): the same for the assertions of these groups, which are given by
//!   `(! f :interpolation-group g)`;
//! - `(get-interpolants (n ...) ...)` (Bitwuzla): between each prefix of such sets and the others;
//! - `(get-interpolants n ... )` (SMTInterpol): between each prefix and the rest of the list, in which `(and
//!   n ...)` is a set of several; with parentheses around what is a subtree of its own, between each subtree
//!   and the rest: in `a (b) c` the last one is the parent of both.

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
        let token = self.lexer.next()?;
        let asked = match token {
            Token::Symbol | Token::Quoted => {
                let first = self.assertions_of(token)?;
                self.subtrees(first)?
            }
            Token::Open => {
                let token = self.lexer.next()?;
                match (token, self.lexer.text()) {
                    (Token::Symbol, b"and") => {
                        let first = self.names_behind_parenthesis()?;
                        self.subtrees(first)?
                    }
                    (Token::Symbol | Token::Quoted, _) => self.sets(token)?,
                    _ => return Err(self.lexer.unexpected(token, "the name of an assertion")),
                }
            }
            _ => return Err(self.lexer.unexpected(token, "names of assertions")),
        };
        Ok(Command::GetInterpolants(asked))
    }

    /// Sets in the form of Bitwuzla, at the first name of the first one.
    fn sets(&mut self, mut token: Token) -> Parsed<Interpolants> {
        let mut sets = vec![];
        loop {
            let mut set = self.assertions_of(token)?;
            set.extend(self.names_behind_parenthesis()?);
            sets.push(set);
            token = self.lexer.next()?;
            match token {
                Token::Close => return Ok(Interpolants::Along(sets)),
                Token::Open => token = self.lexer.next()?,
                _ => return Err(self.lexer.unexpected(token, "sets in the form of the first one")),
            }
            let is_name = matches!(token, Token::Symbol | Token::Quoted) && self.lexer.text() != b"and";
            if !is_name {
                return Err(self.lexer.unexpected(token, "the name of an assertion"));
            }
        }
    }

    /// Sets in the form of SMTInterpol, behind the first one.
    fn subtrees(&mut self, first: Vec<(String, Term)>) -> Parsed<Interpolants> {
        let (mut sets, mut starts) = (vec![first], vec![0]);
        // Where the subtrees begin that are open; and whether the set before is the root of the last of them.
        let (mut open, mut has_root) = (vec![0], true);
        while let Some(&start) = open.last() {
            let token = self.lexer.next()?;
            let set = match token {
                Token::Close if has_root => {
                    // In the subtree around it, the root is still to come.
                    open.pop();
                    has_root = false;
                    continue;
                }
                Token::Symbol | Token::Quoted => self.assertions_of(token)?,
                Token::Open => {
                    let token = self.lexer.next()?;
                    match (token, self.lexer.text()) {
                        (Token::Symbol, b"and") => self.names_behind_parenthesis()?,
                        (Token::Symbol | Token::Quoted, _) => {
                            open.push(sets.len());
                            self.assertions_of(token)?
                        }
                        _ => return Err(self.lexer.unexpected(token, "the name of an assertion")),
                    }
                }
                _ => return Err(self.lexer.unexpected(token, "the set that all before it belong to")),
            };
            starts.push(*open.last().unwrap_or(&start));
            sets.push(set);
            has_root = true;
        }
        Ok(Interpolants::Tree { sets, starts })
    }

    /// Names of assertions, and the parenthesis behind them.
    fn names_behind_parenthesis(&mut self) -> Parsed<Vec<(String, Term)>> {
        let mut names = vec![];
        loop {
            match self.lexer.next()? {
                Token::Close => return Ok(names),
                token @ (Token::Symbol | Token::Quoted) => names.extend(self.assertions_of(token)?),
                token => return Err(self.lexer.unexpected(token, "the name of an assertion or ')'")),
            }
        }
    }

    /// The current symbol with the assertions of the group of this name, or else with the Boolean term that
    /// it names.
    fn assertions_of(&mut self, token: Token) -> Parsed<Vec<(String, Term)>> {
        let name = self.lexer.name(token).to_owned();
        let mut terms: Vec<Term> = self.symbols.members(&name).collect();
        if terms.is_empty() {
            terms.extend(self.symbols.lookup(&name).filter(|&term| self.pool.sort(term).is_bool()));
        }
        if terms.is_empty() {
            let found = format!("'{name}'");
            return Err(self.refuse_token(DiagnosticKind::Undeclared, "the name of an assertion", found));
        }
        Ok(terms.into_iter().map(|term| (name.clone(), term)).collect())
    }
}
