//! A whole text in memory, for formats that are not read as a stream.
//!
//! Readers of such formats name places by byte offsets. Lines are counted only for a refusal, so that a good
//! text costs nothing beside its bytes.

use crate::diagnostic::{Diagnostic, DiagnosticKind, Excerpt, REACH};
use bivalve_limits::Why;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// What a step of a reader returns. A refusal is boxed, so that results stay small.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

/// A limit on what a text stands for: a few bytes may stand for millions of inputs, or of terms.
pub(crate) struct Limit<'a> {
    over: &'a dyn Fn() -> Option<Why>,
    /// Steps since the beginning.
    steps: Cell<u64>,
}

/// Steps between two looks at a limit.
const STEPS: u64 = 1 << 13;

impl<'a> Limit<'a> {
    /// A limit that is reached when `over` says why.
    pub(crate) fn new(over: &'a dyn Fn() -> Option<Why>) -> Limit<'a> {
        Limit { over, steps: Cell::new(0) }
    }
}

/// A text and the name of the file that messages mention.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) file: &'t str,
    limit: Option<&'t Limit<'t>>,
}

impl<'t> Text<'t> {
    /// The text without a byte order mark.
    pub(crate) fn new(bytes: &'t [u8], file: &'t str) -> Text<'t> {
        Text { bytes: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), file, limit: None }
    }

    /// The same text, read within a limit.
    pub(crate) fn within(self, limit: &'t Limit<'t>) -> Text<'t> {
        Text { limit: Some(limit), ..self }
    }

    /// A step of reading; the limit that is reached, which is asked for every few thousand steps.
    pub(crate) fn step(&self) -> Option<Why> {
        let limit = self.limit?;
        limit.steps.set(limit.steps.get() + 1);
        if limit.steps.get().is_multiple_of(STEPS) { (limit.over)() } else { None }
    }

    /// A step of reading at a place, which is refused where the limit is reached.
    pub(crate) fn go_on(&self, place: Range<usize>) -> Read<()> {
        self.step().map_or(Ok(()), |why| Err(self.beyond(place, why)))
    }

    /// The refusal of what is at a place, since a limit is reached.
    #[cold]
    pub(crate) fn beyond(&self, place: Range<usize>, why: Why) -> Box<Diagnostic> {
        self.refuse(DiagnosticKind::Limit, place, "a text within the limits", format!("that {why}"))
    }

    /// The bytes of a span.
    pub(crate) fn of(&self, span: &Range<usize>) -> &'t [u8] {
        &self.bytes[span.clone()]
    }

    /// The bytes of a span as a message shows them, in quotes, cut short after 40 characters.
    pub(crate) fn shown(&self, span: &Range<usize>) -> String {
        let text = String::from_utf8_lossy(self.of(span));
        match text.char_indices().nth(40) {
            Some((cut, _)) => format!("'{}...'", &text[..cut]),
            None => format!("'{text}'"),
        }
    }

    /// Line and column of an offset, both from 1; columns count bytes.
    pub(crate) fn locate(&self, offset: usize) -> (u64, u64) {
        let before = &self.bytes[..offset];
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        (memchr::memchr_iter(b'\n', before).count() as u64 + 1, (offset - start) as u64 + 1)
    }

    /// A refusal of the text in `span`.
    #[cold]
    pub(crate) fn refuse(
        &self,
        kind: DiagnosticKind,
        span: Range<usize>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Box<Diagnostic> {
        let (line, column) = self.locate(span.start);
        let near = &self.bytes[span.start.saturating_sub(REACH)..span.start];
        let before = memchr::memrchr(b'\n', near).map_or(near.len(), |at| near.len() - at - 1);
        let far = &self.bytes[span.start..self.bytes.len().min(span.start + REACH)];
        let after = memchr::memchr(b'\n', far).unwrap_or(far.len());
        let quoted = &self.bytes[span.start - before..span.start + after];
        let excerpt = (!quoted.trim_ascii().is_empty())
            .then(|| Box::new(Excerpt::new(quoted, before, span.len().min(after))));
        Box::new(Diagnostic {
            unclosed: None,
            kind,
            file: Arc::from(self.file),
            line,
            column,
            span: span.start as u64..span.end as u64,
            expected: expected.into(),
            found: found.into(),
            excerpt,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_columns_and_the_line_is_quoted() {
        let text = Text::new(b"\xef\xbb\xbfone\n  two three\n", "f");
        let refusal = text.refuse(DiagnosticKind::Syntax, 10..15, "four", text.shown(&(10..15)));
        let shown = "error: f:2:7: expected four, found 'three'\n  |\n2 |   two three\n  |       ^^^^^\n";
        assert_eq!(refusal.render(), shown);
        let end = text.refuse(DiagnosticKind::Syntax, 16..16, "more", "end of input");
        assert_eq!((end.line, end.column, end.excerpt), (3, 1, None));
    }
}
