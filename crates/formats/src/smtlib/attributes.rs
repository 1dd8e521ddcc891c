//! Attributes: labels of terms, values of options and infos, and everything to be skipped.
//!
//! An attribute is a keyword and at most one value: a literal, a symbol or a parenthesised expression. Of the
//! attributes of terms only `:named` and, of an assertion as a whole, `:interpolation-group` mean something
//! here; the others are checked to be attributes and left alone. A parenthesised value is kept as its text.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::command::AttributeValue;
use crate::smtlib::lexer::{Parsed, Token};
use crate::smtlib::names::NameId;
use crate::smtlib::reading::{Label, Reading};
use crate::smtlib::symbols::Meaning;
use crate::smtlib::vocabulary::has_theory;
use bivalve_terms::{Term, Theory};

impl Reading<'_> {
    /// The attributes behind an annotated term, and the parenthesis that closes it.
    pub(crate) fn attributes(&mut self, term: Term) -> Parsed<()> {
        let mut token = self.lexer.next()?;
        if token == Token::Close {
            return self.only_lenient("an attribute", "')'");
        }
        loop {
            match token {
                Token::Keyword if self.lexer.text() == b":named" => {
                    self.label(term)?;
                    token = self.lexer.next()?;
                }
                Token::Keyword if self.lexer.text() == b":interpolation-group" => {
                    token = self.lexer.next()?;
                    if !matches!(token, Token::Symbol | Token::Quoted) {
                        return Err(self.lexer.unexpected(token, "the name of a group"));
                    }
                    self.work.groups.push((self.lexer.name(token).to_owned(), term));
                    token = self.lexer.next()?;
                }
                Token::Keyword => {
                    token = self.lexer.next()?;
                    match token {
                        Token::Open => {
                            self.skip_expression()?;
                            token = self.lexer.next()?;
                        }
                        Token::Keyword | Token::Close | Token::End => {}
                        _ => token = self.lexer.next()?,
                    }
                }
                Token::Close => return Ok(()),
                _ => return Err(self.lexer.unexpected(token, "an attribute or ')'")),
            }
        }
    }

    /// Behind `:named`.
    fn label(&mut self, term: Term) -> Parsed<()> {
        let (id, token) = self.fresh_symbol("a name")?;
        self.check_free(id, token)?;
        if self.work.takes_elements && !self.symbols.elements.is_empty() {
            let found = "a name behind an element of a model, which later commands would take over";
            return Err(self.refuse_token(DiagnosticKind::Unsupported, "a term without a name", found));
        }
        self.check_closed(term)?;
        self.symbols.label(id, term);
        self.work.labels.push(Label { id, term, place: self.lexer.place() });
        Ok(())
    }

    /// Refuses to give the current symbol a meaning of its own if it has one that matters.
    pub(crate) fn check_free(&self, id: NameId, token: Token) -> Parsed<()> {
        let name = self.lexer.name(token);
        let found = match self.symbols.meaning(id) {
            Meaning::Unbound | Meaning::Dialect(_) | Meaning::Mode(_) => return Ok(()),
            Meaning::Operator(op) => {
                let theory = op.info().theory;
                let absent = self.logic.as_deref().is_some_and(|logic| !has_theory(logic, theory));
                if theory == Theory::Extension || theory.is_lowered() || absent {
                    return Ok(());
                }
                format!("the operator '{name}'")
            }
            Meaning::Value(_)
            | Meaning::Function(_)
            | Meaning::Macro(_)
            | Meaning::Constructor(..)
            | Meaning::Selector(..) => {
                format!("'{name}', which is declared already")
            }
            Meaning::Local(_) => format!("the variable '{name}'"),
            Meaning::Truth(_) | Meaning::Word(_) => format!("'{name}'"),
        };
        Err(self.refuse_token(DiagnosticKind::Taken, "a new name", found))
    }

    /// Skips the rest of an expression whose opening parenthesis is the current token.
    pub(crate) fn skip_expression(&mut self) -> Parsed<()> {
        let outside = self.lexer.depth - 1;
        while self.lexer.depth > outside {
            if self.lexer.next()? == Token::End {
                return Err(self.lexer.unexpected(Token::End, "')'"));
            }
        }
        Ok(())
    }

    /// The attribute value that begins with the current token.
    pub(crate) fn attribute_value(&mut self, token: Token) -> Parsed<AttributeValue> {
        let text = || String::from_utf8_lossy(self.lexer.text()).into_owned();
        Ok(match token {
            Token::Numeral => AttributeValue::Numeral(text()),
            Token::Decimal => AttributeValue::Decimal(text()),
            Token::Hexadecimal | Token::Binary => AttributeValue::BitVec(text()),
            Token::String => AttributeValue::String(self.string_content()),
            Token::Symbol | Token::Quoted => AttributeValue::Symbol(self.lexer.name(token).to_owned()),
            Token::Open => {
                self.lexer.source.pin_token();
                let start = self.lexer.place();
                let skipped = self.skip_expression();
                let text = self.lexer.source.slice(start, self.lexer.end());
                let text = String::from_utf8_lossy(text).into_owned();
                self.lexer.source.unpin();
                skipped?;
                AttributeValue::List(text)
            }
            Token::Keyword | Token::Close | Token::End => {
                return Err(self.lexer.unexpected(token, "the value of an attribute"));
            }
        })
    }

    /// What the current string literal says: without its quotes, doubled quotes single.
    pub(crate) fn string_content(&self) -> String {
        let text = self.lexer.text();
        String::from_utf8_lossy(&text[1..text.len() - 1]).replace("\"\"", "\"")
    }
}
