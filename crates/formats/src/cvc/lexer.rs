//! The tokens of CVC.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::text::{Read, Text};
use std::ops::Range;

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name or a key word.
    Word,
    /// Decimal digits.
    Numeral,
    /// `0bin...` or `0hex...`.
    Literal,
    /// Anything else, by its text.
    Sign(&'static str),
    End,
}

/// Signs, longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "<=>", "->", "=>", "/=", ":=", "<<", ">>", "(#", "#)", "(", ")", "[", "]", "{", "}", ",", ";", ":", "=",
    "@", "|", "&", "~", "<", ">", ".", "#",
];

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
        let word = rest.iter().take_while(|&&byte| is_word_byte(byte)).count();
        let (token, length) = match rest.first() {
            None => (Token::End, 0),
            Some(b'0') if [b"0bin", b"0hex"].iter().any(|prefix| rest.starts_with(*prefix)) => {
                (Token::Literal, word)
            }
            Some(b'0') if matches!(rest.get(1), Some(b'b' | b'x' | b'h')) => (Token::Literal, word),
            Some(b'0'..=b'9') => {
                (Token::Numeral, rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
            }
            Some(_) if word > 0 => (Token::Word, name_length(rest)),
            Some(_) => match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => {
                    let place = self.next..self.next + 1;
                    let found = self.text.shown(&place);
                    return Err(self.text.refuse(DiagnosticKind::Lexical, place, "a token of CVC", found));
                }
            },
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

    /// Whether the next token is this word.
    pub(super) fn is_next(&mut self, word: &[u8]) -> Read<bool> {
        let (next, place) = (self.next, self.place.clone());
        let token = self.next();
        let found = self.bytes() == word;
        (self.next, self.place) = (next, place);
        Ok(token? == Token::Word && found)
    }

    /// The current token's text.
    pub(super) fn bytes(&self) -> &'t [u8] {
        self.text.of(&self.place)
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.text.bytes.get(self.next) {
            match byte {
                b'%' => {
                    let rest = &self.text.bytes[self.next..];
                    self.next += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                byte if byte.is_ascii_whitespace() => self.next += 1,
                _ => return,
            }
        }
    }

    /// Goes on behind the text up to the next semicolon.
    pub(super) fn skip_command(&mut self) {
        let rest = &self.text.bytes[self.next..];
        self.next += memchr::memchr(b';', rest).unwrap_or(rest.len());
    }

    /// A refusal of the current token by grammar.
    #[cold]
    pub(super) fn unexpected(&self, token: Token, expected: &str) -> Box<Diagnostic> {
        let found = if token == Token::End { "end of input".into() } else { self.text.shown(&self.place) };
        self.text.refuse(DiagnosticKind::Syntax, self.place.clone(), expected, found)
    }

    /// The next token, which is to be this sign.
    pub(super) fn expect(&mut self, sign: &'static str) -> Read<()> {
        let token = self.next()?;
        if token == Token::Sign(sign) { Ok(()) } else { Err(self.unexpected(token, &format!("'{sign}'"))) }
    }

    /// The next token, which is to be this key word.
    pub(super) fn expect_word(&mut self, word: &str) -> Read<()> {
        let token = self.next()?;
        match token == Token::Word && self.bytes() == word.as_bytes() {
            true => Ok(()),
            false => Err(self.unexpected(token, &format!("'{word}'"))),
        }
    }

    /// The next token, which is to be a number.
    pub(super) fn numeral(&mut self) -> Read<u32> {
        let token = self.next()?;
        let digits = std::str::from_utf8(self.bytes()).ok().filter(|_| token == Token::Numeral);
        digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| self.unexpected(token, "a number"))
    }
}

/// The bytes of the name that `text` begins with. KLEE and others have names with dashes, which mean nothing
/// else here: a dash belongs to a name where a name goes on behind it.
fn name_length(text: &[u8]) -> usize {
    let run = |from: usize, of: fn(u8) -> bool| text[from..].iter().take_while(|&&byte| of(byte)).count();
    let mut end = run(0, is_word_byte);
    loop {
        let dashes = run(end, |byte| byte == b'-');
        let word = run(end + dashes, is_word_byte);
        if dashes == 0 || word == 0 {
            return end;
        }
        end += dashes + word;
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_'$\\?!".contains(&byte) || byte >= 0x80
}
