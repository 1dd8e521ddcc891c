//! Tokens of SMT-LIB 2.7 (Reference 2025, section 3.1).
//!
//! The class of a byte decides what token it starts; symbols, numbers, keywords and literals then extend as
//! far as symbol characters go, and are looked at afterwards: `12ab` is one malformed number, not a number
//! and a symbol. Strings and quoted symbols run to their closing mark by `memchr`. A token is a kind and a
//! region of the window; nothing is copied. The lexer counts open parentheses, so that the rest of a faulty
//! command can be skipped.
//!
//! A token that is followed by nothing yet (the last symbol on a pipe) is not complete, so the lexer waits; a
//! parenthesis is complete at once. That is why a command is answered without a line feed behind it.
//!
//! Beyond the standard, unless `strict`: numerals with leading zeros, backslashes in quoted symbols, form
//! feeds as blanks.
//!
//! Cost: one table look-up per byte.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::smtlib::parser::{Guard, Limited};
use crate::source::Source;
use std::io::{ErrorKind, Read};
use std::sync::Arc;

/// A result of reading; the refusal is boxed because it is rare.
pub(crate) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open,
    Close,
    /// A simple symbol or a reserved word.
    Symbol,
    /// A symbol between bars.
    Quoted,
    Keyword,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    String,
    End,
}

/// What a byte can start or continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Open,
    Close,
    Comment,
    Digit,
    Symbol,
    Bar,
    Quote,
    Colon,
    Hash,
    Illegal,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Illegal; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' => Class::Blank,
            b'(' => Class::Open,
            b')' => Class::Close,
            b';' => Class::Comment,
            b'0'..=b'9' => Class::Digit,
            b'|' => Class::Bar,
            b'"' => Class::Quote,
            b':' => Class::Colon,
            b'#' => Class::Hash,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Symbol,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' => Class::Symbol,
            b'-' | b'+' | b'=' | b'<' | b'>' | b'.' | b'?' | b'/' => Class::Symbol,
            _ => Class::Illegal,
        };
        byte += 1;
    }
    classes
};

/// May this byte stand inside of a simple symbol?
#[inline]
pub(crate) fn is_symbol_byte(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Symbol | Class::Digit)
}

/// The lexer of one command.
pub(crate) struct Lexer<'a> {
    pub(crate) source: &'a mut Source,
    pub(crate) input: &'a mut dyn Read,
    pub(crate) file: &'a Arc<str>,
    pub(crate) strict: bool,
    /// Ends what takes too long.
    pub(crate) guard: &'a mut Guard<'a>,
    /// Parentheses that are open after the current token.
    pub(crate) depth: u64,
}

/// A command that arrives in more parts ends at the limits, although its client goes on sending: it may have
/// no end. A file has 128 kB and more in each part, a pipe what a client writes at once.
const MOST_PARTS: u64 = 64;

/// A blank of many languages, and none of SMT-LIB.
const FORM_FEED: u8 = 0x0c;

impl Lexer<'_> {
    /// The next token. After a refusal the faulty text is behind the reader.
    #[inline]
    pub(crate) fn next(&mut self) -> Parsed<Token> {
        loop {
            let source = &mut *self.source;
            let Some(&byte) = source.text().get(source.next) else {
                source.token = source.next;
                if self.more()? {
                    continue;
                }
                return Ok(Token::End);
            };
            let class = CLASSES[byte as usize];
            if class == Class::Blank {
                source.next += 1;
                continue;
            }
            source.token = source.next;
            source.next += 1;
            return match class {
                Class::Open => {
                    self.depth += 1;
                    Ok(Token::Open)
                }
                Class::Close => {
                    self.depth = self.depth.saturating_sub(1);
                    Ok(Token::Close)
                }
                Class::Symbol => self.extend().map(|()| Token::Symbol),
                Class::Comment => {
                    self.comment()?;
                    continue;
                }
                Class::Digit => self.number(),
                Class::Hash => self.literal(),
                Class::Bar => self.quoted(),
                Class::Colon => self.keyword(),
                Class::Quote => self.string(),
                Class::Illegal if byte == FORM_FEED && !self.strict => continue,
                Class::Blank | Class::Illegal => Err(self.illegal()),
            };
        }
    }

    /// The text of the current token, marks included.
    #[inline]
    pub(crate) fn text(&self) -> &[u8] {
        &self.source.text()[self.source.token..self.source.next]
    }

    /// The offset of the current token.
    #[inline]
    pub(crate) fn place(&self) -> u64 {
        self.source.offset(self.source.token)
    }

    /// The offset behind the current token.
    pub(crate) fn end(&self) -> u64 {
        self.source.offset(self.source.next)
    }

    /// The current symbol; a quoted one without its bars.
    #[inline]
    pub(crate) fn name_bytes(&self, token: Token) -> &[u8] {
        let text = self.text();
        if token == Token::Quoted { &text[1..text.len() - 1] } else { text }
    }

    /// The current symbol as text; a quoted one without its bars.
    pub(crate) fn name(&self, token: Token) -> &str {
        std::str::from_utf8(self.name_bytes(token)).expect("the lexer lets only UTF-8 into symbols")
    }

    /// Skips the rest of the current command, whatever it holds. If the input ends before the command, the
    /// place of a parenthesis that is not closed is returned; `open` is one of those read so far.
    pub(crate) fn skip_command(&mut self, open: u64) -> Option<u64> {
        let (mut open, mut skipped) = (open, vec![]);
        while self.depth > 0 {
            match self.next() {
                Ok(Token::End) => return Some(skipped.last().copied().unwrap_or(open)),
                Ok(Token::Open) => skipped.push(self.place()),
                // One of those before is closed, and not known which; the first is open as long as any is.
                Ok(Token::Close) if skipped.pop().is_none() => open = self.source.command(),
                Ok(_) | Err(_) => {}
            }
        }
        None
    }

    /// Asks the input for more. False at its end. Between commands a client may be silent as long as it
    /// likes; in the middle of one it may be until a limit is reached.
    pub(crate) fn more(&mut self) -> Parsed<bool> {
        let is_begun = self.depth > 0 || self.source.token < self.source.next;
        if is_begun && !self.source.is_closed() && self.source.reads_of_command() >= MOST_PARTS {
            self.go_on(Limited::Command)?;
        }
        loop {
            match self.source.fill(self.input) {
                Ok(more) => return Ok(more),
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    if is_begun {
                        self.go_on(Limited::Run)?;
                    }
                }
                Err(error) => {
                    let (place, found) = (self.end(), format!("an error: {error}"));
                    return Err(self.refuse(DiagnosticKind::Io, place..place, "readable input", found));
                }
            }
        }
    }

    /// Refuses to read on where a limit is reached; there is no more input then.
    fn go_on(&mut self, limited: Limited) -> Parsed<()> {
        let Some(why) = (self.guard)(limited) else { return Ok(()) };
        self.source.close();
        let (place, expected) = (self.end(), "the end of the command within the limits");
        Err(self.refuse(DiagnosticKind::Limit, place..place, expected, format!("that {why}")))
    }

    /// Takes all symbol bytes that follow.
    #[inline]
    fn extend(&mut self) -> Parsed<()> {
        loop {
            let source = &mut *self.source;
            let rest = &source.text()[source.next..];
            match rest.iter().position(|&byte| !is_symbol_byte(byte)) {
                Some(count) => {
                    source.next += count;
                    return Ok(());
                }
                None => {
                    source.next += rest.len();
                    if !self.more()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn comment(&mut self) -> Parsed<()> {
        loop {
            let source = &mut *self.source;
            if let Some(count) = memchr::memchr2(b'\n', b'\r', &source.text()[source.next..]) {
                source.next += count;
                return Ok(());
            }
            source.next = source.text().len();
            source.token = source.next;
            if !self.more()? {
                return Ok(());
            }
        }
    }

    fn number(&mut self) -> Parsed<Token> {
        self.extend()?;
        let text = self.text();
        let (whole, fraction) = match memchr::memchr(b'.', text) {
            Some(dot) => (&text[..dot], Some(&text[dot + 1..])),
            None => (text, None),
        };
        let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        if !digits(whole) || !fraction.is_none_or(digits) {
            return Err(self.malformed("a numeral, or a symbol that does not start with a digit"));
        }
        if self.strict && whole.len() > 1 && whole[0] == b'0' {
            return Err(self.malformed("a numeral without leading zeros"));
        }
        Ok(if fraction.is_some() { Token::Decimal } else { Token::Numeral })
    }

    fn literal(&mut self) -> Parsed<Token> {
        self.extend()?;
        match self.text() {
            [_, b'b', digits @ ..]
                if !digits.is_empty() && digits.iter().all(|d| matches!(d, b'0' | b'1')) =>
            {
                Ok(Token::Binary)
            }
            [_, b'x', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit) => {
                Ok(Token::Hexadecimal)
            }
            [_, b'b', ..] => Err(self.malformed("'#b' and binary digits")),
            [_, b'x', ..] => Err(self.malformed("'#x' and hexadecimal digits")),
            _ => Err(self.malformed("'#b' or '#x'")),
        }
    }

    fn keyword(&mut self) -> Parsed<Token> {
        self.extend()?;
        if self.text().len() == 1 {
            return Err(self.malformed("a keyword"));
        }
        Ok(Token::Keyword)
    }

    fn quoted(&mut self) -> Parsed<Token> {
        self.find(b'|', "a '|' that ends the symbol")?;
        let text = &self.text()[1..self.text().len() - 1];
        if std::str::from_utf8(text).is_err() {
            return Err(self.malformed("text in UTF-8"));
        }
        if self.strict && text.contains(&b'\\') {
            return Err(self.malformed("a quoted symbol without backslash"));
        }
        Ok(Token::Quoted)
    }

    fn string(&mut self) -> Parsed<Token> {
        loop {
            self.find(b'"', "a '\"' that ends the string")?;
            if self.source.next == self.source.text().len() {
                self.more()?;
            }
            if self.source.text().get(self.source.next) != Some(&b'"') {
                return Ok(Token::String);
            }
            self.source.next += 1;
        }
    }

    /// Goes behind the next `mark`.
    fn find(&mut self, mark: u8, expected: &str) -> Parsed<()> {
        loop {
            let source = &mut *self.source;
            if let Some(count) = memchr::memchr(mark, &source.text()[source.next..]) {
                source.next += count + 1;
                return Ok(());
            }
            source.next = source.text().len();
            if !self.more()? {
                let place = self.place();
                return Err(self.refuse(
                    DiagnosticKind::Unterminated,
                    place..place + 1,
                    expected,
                    "end of input",
                ));
            }
        }
    }
}
