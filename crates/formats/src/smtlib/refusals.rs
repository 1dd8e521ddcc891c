//! From faults to diagnostics.
//!
//! Wherever reading stops, one of these methods says why: it finds the place in the text, quotes the line,
//! and puts what was expected beside what was found. Refusals of the pool name an argument by its position;
//! the reader knows where each argument begins, so they become places in the text here.
//!
//! All of this is off the path of a good script, and is kept out of it by `#[cold]`.

use crate::diagnostic::{Diagnostic, DiagnosticKind, Excerpt, Opening, REACH, with_suggestion};
use crate::mismatch::{Mismatch, arguments};
use crate::smtlib::lexer::{Lexer, Parsed, Token};
use crate::smtlib::names::NameId;
use crate::smtlib::reading::Reading;
use crate::smtlib::similar::most_similar;
use crate::smtlib::symbols::Meaning;
use crate::smtlib::vocabulary::foreign;
use bivalve_terms::{Sort, SortError, Term};
use std::ops::Range;

/// After so many undeclared names nothing is suggested any more.
const MOST_SEARCHES: u32 = 100;

/// Refusals of tokens.
impl Lexer<'_> {
    /// A refusal of the text in `span`.
    #[cold]
    pub(crate) fn refuse(
        &self,
        kind: DiagnosticKind,
        span: Range<u64>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Box<Diagnostic> {
        let (line, column) = self.source.locate(span.start);
        let excerpt = self.excerpt(&span);
        Box::new(Diagnostic {
            kind,
            file: self.file.clone(),
            line,
            column,
            span,
            expected: expected.into(),
            found: found.into(),
            excerpt: excerpt.map(Box::new),
            unclosed: None,
        })
    }

    /// The line that holds the text in `span`, as far as it is still there.
    fn excerpt(&self, span: &Range<u64>) -> Option<Excerpt> {
        let length = (span.end - span.start).min(REACH as u64) as usize;
        let (text, at) = self.source.line_around(span.start, REACH)?;
        (!text.trim_ascii().is_empty()).then(|| Excerpt::new(text, at, length))
    }

    /// The parenthesis at `place`, for a message.
    pub(crate) fn opening(&self, place: u64) -> Box<Opening> {
        let (line, column) = self.source.locate(place);
        Box::new(Opening { line, column, excerpt: self.excerpt(&(place..place + 1)) })
    }

    /// A refusal of the current token, by grammar.
    #[cold]
    pub(crate) fn unexpected(&self, token: Token, expected: &str) -> Box<Diagnostic> {
        if token == Token::End {
            let span = self.place()..self.place();
            return self.refuse(DiagnosticKind::Unterminated, span, expected, "end of input");
        }
        self.refuse(DiagnosticKind::Syntax, self.place()..self.end(), expected, self.describe(token))
    }

    /// What the current token is, for a message.
    #[cold]
    pub(crate) fn describe(&self, token: Token) -> String {
        let kind = match token {
            Token::End => return "end of input".into(),
            Token::Open | Token::Close => return format!("'{}'", self.shown()),
            Token::Symbol => "the symbol",
            Token::Quoted => "the quoted symbol",
            Token::Keyword => "the keyword",
            Token::Numeral => "the numeral",
            Token::Decimal => "the decimal",
            Token::Hexadecimal => "the hexadecimal literal",
            Token::Binary => "the binary literal",
            Token::String => "the string",
        };
        format!("{kind} {}", self.shown())
    }

    /// The current token as a message shows it.
    fn shown(&self) -> String {
        let text = String::from_utf8_lossy(self.text());
        match text.char_indices().nth(40) {
            Some((cut, _)) => format!("{}...", &text[..cut]),
            None => text.into_owned(),
        }
    }

    #[cold]
    pub(crate) fn malformed(&self, expected: &str) -> Box<Diagnostic> {
        let found = format!("'{}'", self.shown());
        self.refuse(DiagnosticKind::Lexical, self.place()..self.end(), expected, found)
    }

    #[cold]
    pub(crate) fn illegal(&mut self) -> Box<Diagnostic> {
        // The rest of the character may not have arrived yet.
        let length = match self.text()[0] {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        };
        while self.source.text().len() < self.source.token + length
            && self.source.fill(self.input).unwrap_or(false)
        {}
        let rest = &self.source.text()[self.source.token..];
        let head = &rest[..rest.len().min(length)];
        let character = match std::str::from_utf8(head) {
            Ok(text) => text.chars().next(),
            Err(error) => String::from_utf8_lossy(&head[..error.valid_up_to()]).chars().next(),
        };
        let found = match character {
            Some(c) if !c.is_control() => format!("the character '{c}'"),
            _ => format!("the byte {:#04x}", head[0]),
        };
        self.source.next = self.source.token + character.map_or(1, char::len_utf8);
        self.refuse(DiagnosticKind::Lexical, self.place()..self.end(), "a token of SMT-LIB", found)
    }
}

/// Refusals of names and terms.
impl Reading<'_> {
    /// A refusal of the current token.
    #[cold]
    pub(crate) fn refuse_token(
        &self,
        kind: DiagnosticKind,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Box<Diagnostic> {
        self.lexer.refuse(kind, self.lexer.place()..self.lexer.end(), expected, found)
    }

    /// Refuses the current token where the standard is to be kept.
    pub(crate) fn only_lenient(&self, expected: &str, found: impl Into<String>) -> Parsed<()> {
        if self.strict {
            return Err(self.refuse_token(DiagnosticKind::Strict, expected, found));
        }
        Ok(())
    }

    /// A refusal of the pool as a refusal of the text: the arguments begin at `start`, the application at
    /// `place`.
    #[cold]
    pub(crate) fn sort_refusal(
        &self,
        error: SortError,
        name: &str,
        start: usize,
        place: u64,
    ) -> Box<Diagnostic> {
        let Mismatch { argument, expected, found } = Mismatch::new(error, Some(name));
        let span = match argument {
            Some(position) => self.extent(self.work.places[start + position - 1]),
            None => place..self.lexer.end(),
        };
        self.lexer.refuse(DiagnosticKind::Sort, span, expected, found)
    }

    /// The argument at `place` of the stack is not of sort `expected`.
    pub(crate) fn wrong_sort(&self, expected: Sort, arg: usize) -> Box<Diagnostic> {
        let found = self.pool.sorts().display(self.pool.sort(self.work.args[arg]));
        let expected = format!("a term of sort {}", self.pool.sorts().display(expected));
        let span = self.extent(self.work.places[arg]);
        self.lexer.refuse(DiagnosticKind::Sort, span, expected, format!("sort {found}"))
    }

    /// Refuses another number of arguments than `expected`.
    pub(crate) fn check_count(&self, what: &str, expected: usize, start: usize, place: u64) -> Parsed<()> {
        let found = self.work.args.len() - start;
        if found == expected {
            return Ok(());
        }
        let expected = format!("{} of {what}", arguments(expected));
        let span = place..self.lexer.end();
        Err(self.lexer.refuse(DiagnosticKind::Sort, span, expected, found.to_string()))
    }

    /// The span of the token or parenthesised text at `place`, as far as it is still known and on one line.
    pub(crate) fn extent(&self, place: u64) -> Range<u64> {
        let text = self.lexer.source.slice(place, self.lexer.end());
        let mut depth = 0u32;
        for (i, &byte) in text.iter().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if depth > 1 => depth -= 1,
                b')' => return place..place + i as u64 + u64::from(depth),
                b' ' | b'\t' if depth == 0 => return place..place + i as u64,
                b'\n' | b'\r' => return place..place + i as u64,
                _ => {}
            }
        }
        place..place + text.len().max(1) as u64
    }

    /// Refuses a term, which begins at `place`, of another sort than `expected`.
    pub(crate) fn check_sort(&self, term: Term, expected: Sort, place: u64) -> Parsed<()> {
        if self.pool.sort(term) == expected {
            return Ok(());
        }
        let [expected, found] = [expected, self.pool.sort(term)].map(|sort| self.pool.sorts().display(sort));
        let span = self.extent(place);
        let expected = format!("a term of sort {expected}");
        Err(self.lexer.refuse(DiagnosticKind::Sort, span, expected, format!("sort {found}")))
    }

    /// The current symbol has no meaning.
    #[cold]
    pub(crate) fn undeclared(&mut self, token: Token, expected: &str) -> Box<Diagnostic> {
        self.work.searches = self.work.searches.saturating_add(1);
        let name = self.lexer.name(token);
        if let Some(missing) = foreign(name) {
            return self.refuse_token(DiagnosticKind::Unsupported, expected, format!("'{name}': {missing}"));
        }
        // Suggestions are for people, and who reads more of them at once?
        let candidates = self.symbols.bound_names().filter(|_| self.work.searches <= MOST_SEARCHES);
        let similar = most_similar(name, candidates).map(str::to_owned);
        self.unknown(DiagnosticKind::Undeclared, token, expected, similar)
    }

    /// The current symbol is not known, and perhaps a similar one was meant.
    #[cold]
    pub(crate) fn unknown(
        &mut self,
        kind: DiagnosticKind,
        token: Token,
        expected: &str,
        similar: Option<String>,
    ) -> Box<Diagnostic> {
        let name = self.lexer.name(token);
        let found = match &similar {
            Some(similar) => with_suggestion(&format!("'{name}'"), similar),
            None => format!("'{name}'"),
        };
        self.refuse_token(kind, expected, found)
    }

    /// The current symbol is not a constant.
    #[cold]
    pub(crate) fn not_a_constant(&mut self, token: Token, id: NameId) -> Box<Diagnostic> {
        let name = self.lexer.name(token).to_owned();
        match self.symbols.meaning(id) {
            Meaning::Unbound if name.starts_with('@') => {
                let found = match self.work.takes_elements {
                    true => format!("'{name}' without its sort: (as {name} S)"),
                    false => format!("'{name}'; elements of a model are for get-value only"),
                };
                self.refuse_token(DiagnosticKind::Undeclared, "a declared constant", found)
            }
            Meaning::Unbound => self.undeclared(token, "a declared constant"),
            Meaning::Word(_) => self.lexer.unexpected(token, "a term"),
            _ => {
                let found = format!("the function '{name}' without arguments");
                self.refuse_token(DiagnosticKind::Sort, "a constant", found)
            }
        }
    }

    pub(crate) fn not_an_indexed_constant(&mut self, token: Token) -> Box<Diagnostic> {
        let name = self.lexer.name(token).to_owned();
        if let Some(missing) = foreign(&name) {
            let found = format!("'{name}': {missing}");
            return self.refuse_token(DiagnosticKind::Unsupported, "a supported function", found);
        }
        let id = self.intern(token);
        let found = match self.symbols.meaning(id) {
            Meaning::Operator(op) if op.info().indices > 0 => {
                format!("the operator '{name}' without arguments")
            }
            _ => format!("'{name}'"),
        };
        self.refuse_token(DiagnosticKind::Syntax, "'bv' and digits", found)
    }

    /// A literal of a sort that is not here.
    pub(crate) fn foreign_literal(&self, token: Token) -> Box<Diagnostic> {
        let found = format!("{}: sort String is not supported", self.lexer.describe(token));
        self.refuse_token(DiagnosticKind::Unsupported, "a term of a supported sort", found)
    }
}
