//! The words of a line.
//!
//! A line is a list of words between blanks; a word that begins with `;` is a comment up to the end of the
//! line. A `;` inside of a word ends it, too, so that comments may be glued to words; but where a symbol
//! stands, the whole word is the symbol, as in Boolector. The reader asks for one word after the other and
//! names what it expects there.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::text::{Read, Text};
use std::ops::Range;

/// A place within a line.
#[derive(Clone)]
pub(crate) struct Cursor<'t> {
    pub(crate) text: Text<'t>,
    next: usize,
    /// The end of the line, before the line feed and a carriage return.
    end: usize,
}

/// The lines of a text, without those that hold nothing but blanks and comments.
pub(crate) fn lines(text: Text<'_>) -> impl Iterator<Item = Cursor<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        while start < text.bytes.len() {
            let feed = memchr::memchr(b'\n', &text.bytes[start..]).map_or(text.bytes.len(), |at| start + at);
            let trimmed = text.bytes[start..feed].trim_ascii_end();
            let mut cursor = Cursor { text, next: start, end: start + trimmed.len() };
            start = feed + 1;
            if cursor.more() {
                return Some(cursor);
            }
        }
        None
    })
}

impl<'t> Cursor<'t> {
    /// Whether there is another word that is no comment; blanks before it are skipped.
    pub(crate) fn more(&mut self) -> bool {
        let rest = &self.text.bytes[self.next..self.end];
        self.next += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.next < self.end && self.text.bytes[self.next] != b';'
    }

    /// The next word.
    pub(crate) fn word(&mut self, expected: &str) -> Read<Range<usize>> {
        let start = self.start(expected)?;
        let rest = &self.text.bytes[start..self.end];
        let length = rest.iter().take_while(|&&byte| !byte.is_ascii_whitespace() && byte != b';').count();
        self.next = start + length;
        Ok(start..self.next)
    }

    /// The symbol at the end of the line, if there is one.
    pub(crate) fn symbol(&mut self) -> Option<Range<usize>> {
        if !self.more() {
            return None;
        }
        let start = self.next;
        let rest = &self.text.bytes[start..self.end];
        self.next = start + rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        Some(start..self.next)
    }

    fn start(&mut self, expected: &str) -> Read<usize> {
        match self.more() {
            true => Ok(self.next),
            false => {
                let place = self.next..self.next;
                Err(self.text.refuse(DiagnosticKind::Syntax, place, expected, "end of line"))
            }
        }
    }

    /// Nothing but a comment may follow.
    pub(crate) fn end(&mut self) -> Read<()> {
        match self.more() {
            false => Ok(()),
            true => {
                let word = self.word("a word")?;
                Err(self.unexpected(word, "end of line"))
            }
        }
    }

    /// The next word as a number without sign that is at least `least` and at most `most`.
    pub(crate) fn number(&mut self, expected: &str, least: u64, most: u64) -> Read<(u64, Range<usize>)> {
        let word = self.word(expected)?;
        let digits = self.text.of(&word);
        let is_plain = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || digits[0] != b'0');
        let value = std::str::from_utf8(digits).ok().filter(|_| is_plain).and_then(|text| text.parse().ok());
        match value.filter(|value| (least..=most).contains(value)) {
            Some(value) => Ok((value, word)),
            None => Err(self.unexpected(word, expected)),
        }
    }

    /// A refusal of a word by grammar.
    #[cold]
    pub(crate) fn unexpected(&self, word: Range<usize>, expected: &str) -> Box<Diagnostic> {
        let found = self.text.shown(&word);
        self.text.refuse(DiagnosticKind::Syntax, word, expected, found)
    }

    /// The text of a word, with what is no UTF-8 replaced.
    pub(crate) fn string(&self, word: &Range<usize>) -> String {
        String::from_utf8_lossy(self.text.of(word)).into_owned()
    }

    /// The whole line.
    pub(crate) fn line(&self) -> Range<usize> {
        let before = &self.text.bytes[..self.end];
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        start..self.end
    }
}
