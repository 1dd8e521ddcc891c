//! The tokens of SMT-LIB 1.2.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::text::{Read, Text};
use std::ops::Range;

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Open,
    Close,
    /// A symbol, a variable or a number, with indices in brackets behind it.
    Word,
    /// `:name`.
    Attribute,
    /// `{...}` or `"..."`.
    Text,
    End,
}

/// The tokens of a text, one after the other.
pub(super) struct Lexer<'t> {
    pub(super) text: Text<'t>,
    next: usize,
    /// The current token.
    pub(super) place: Range<usize>,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: Text<'t>) -> Lexer<'t> {
        Lexer { text, next: 0, place: 0..0 }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Read<Token> {
        self.skip_blanks();
        let rest = &self.text.bytes[self.next..];
        let (token, length) = match rest.first() {
            None => (Token::End, 0),
            Some(b'(') => (Token::Open, 1),
            Some(b')') => (Token::Close, 1),
            Some(b'{') => (Token::Text, self.quoted(b'}')?),
            Some(b'"') => (Token::Text, self.quoted(b'"')?),
            Some(b':') => (Token::Attribute, 1 + word_length(&rest[1..])),
            Some(_) => (Token::Word, self.indexed_word(rest)?),
        };
        self.place = self.next..self.next + length;
        self.next += length;
        Ok(token)
    }

    /// The next token without going on.
    pub(super) fn peek(&mut self) -> Read<Token> {
        let (next, place) = (self.next, self.place.clone());
        let token = self.next();
        (self.next, self.place) = (next, place);
        token
    }

    /// The current token's text.
    pub(super) fn bytes(&self) -> &'t [u8] {
        self.text.of(&self.place)
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.text.bytes.get(self.next) {
            match byte {
                b';' => {
                    let rest = &self.text.bytes[self.next..];
                    self.next += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                byte if byte.is_ascii_whitespace() => self.next += 1,
                // A colon without a name.
                b':' if word_length(&self.text.bytes[self.next + 1..]) == 0 => self.next += 1,
                _ => return,
            }
        }
    }

    fn quoted(&self, end: u8) -> Read<usize> {
        let rest = &self.text.bytes[self.next + 1..];
        memchr::memchr(end, rest).map(|at| at + 2).ok_or_else(|| {
            let expected = format!("'{}'", char::from(end));
            self.text.refuse(DiagnosticKind::Unterminated, self.next..self.next + 1, expected, "end of input")
        })
    }

    /// The length of a word with its indices.
    fn indexed_word(&self, rest: &[u8]) -> Read<usize> {
        let length = word_length(rest);
        if length == 0 {
            let place = self.next..self.next + 1;
            let found = self.text.shown(&place);
            return Err(self.text.refuse(DiagnosticKind::Lexical, place, "a token of SMT-LIB 1.2", found));
        }
        match rest.get(length) {
            Some(b'[') => match memchr::memchr(b']', &rest[length..]) {
                Some(at) => Ok(length + at + 1),
                None => {
                    let place = self.next + length..self.next + length + 1;
                    Err(self.text.refuse(DiagnosticKind::Unterminated, place, "']'", "end of input"))
                }
            },
            _ => Ok(length),
        }
    }

    /// A refusal of the current token by grammar.
    #[cold]
    pub(super) fn unexpected(&self, token: Token, expected: &str) -> Box<Diagnostic> {
        let found = if token == Token::End { "end of input".into() } else { self.text.shown(&self.place) };
        self.text.refuse(DiagnosticKind::Syntax, self.place.clone(), expected, found)
    }

    /// The next token, which is to be this one.
    pub(super) fn expect(&mut self, token: Token, expected: &str) -> Read<()> {
        let found = self.next()?;
        if found == token { Ok(()) } else { Err(self.unexpected(found, expected)) }
    }
}

/// Bytes up to a blank, a parenthesis, a bracket or a comment.
fn word_length(rest: &[u8]) -> usize {
    rest.iter().take_while(|&&byte| !byte.is_ascii_whitespace() && !b"()[]{}\";:".contains(&byte)).count()
}
