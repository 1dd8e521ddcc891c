//! Commands about all models: `(get-all-models (t ...) :limit n)` and `(count-models (t ...))`. The terms are
//! bit-vectors and Booleans, whose values can be listed.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::command::Command;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::reading::Reading;
use crate::smtlib::sorts::number;
use bivalve_terms::{SortKind, Term};

impl Reading<'_> {
    /// Behind `get-all-models`.
    pub(crate) fn all_models(&mut self, name: &str) -> Parsed<Command> {
        self.only_lenient("a command of SMT-LIB", format!("'{name}'"))?;
        let terms = self.finite_terms()?;
        let (mut limit, mut cubes) = (None, false);
        loop {
            let token = self.lexer.next()?;
            match (token, self.lexer.text()) {
                (Token::Close, _) => return Ok(Command::GetAllModels { terms, limit, cubes }),
                (Token::Keyword, b":limit") => {
                    let token = self.lexer.next()?;
                    let count = (token == Token::Numeral).then(|| number(self.lexer.text())).flatten();
                    limit = Some(count.ok_or_else(|| self.lexer.unexpected(token, "a numeral below 2^64"))?);
                }
                (Token::Keyword, b":cubes") => {
                    let token = self.lexer.next()?;
                    cubes = match (token, self.lexer.text()) {
                        (Token::Symbol, b"true") => true,
                        (Token::Symbol, b"false") => false,
                        _ => return Err(self.lexer.unexpected(token, "true or false")),
                    };
                }
                _ => return Err(self.lexer.unexpected(token, "':limit', ':cubes' or ')'")),
            }
        }
    }

    /// Terms in parentheses whose values can be listed.
    pub(crate) fn finite_terms(&mut self) -> Parsed<Vec<(String, Term)>> {
        let terms = self.quoted_terms(false)?;
        for (text, term) in &terms {
            if !matches!(self.pool.sort_kind(*term), SortKind::Bool | SortKind::BitVec(_)) {
                let sort = self.pool.sorts().display(self.pool.sort(*term)).to_string();
                let found = format!("'{text}' of sort {sort}");
                return Err(self.refuse_token(DiagnosticKind::Sort, "bit-vectors and Booleans", found));
            }
        }
        Ok(terms)
    }
}
