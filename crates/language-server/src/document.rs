//! A text that is open in an editor, with its places as the protocol counts them: lines, and UTF-16 code
//! units within a line.

use crate::analysis::Analysis;
use crate::protocol::{Change, Places, Position};
use line_index::{LineIndex, TextSize, WideEncoding, WideLineCol};
use std::ops::Range;

/// An open document.
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) version: i32,
    pub(crate) analysis: Analysis,
    lines: LineIndex,
    is_btor2: bool,
}

impl Document {
    /// A document; the language by its identifier in the editor, or by the suffix of its name.
    pub(crate) fn new(uri: &str, language: &str, version: i32, text: String) -> Document {
        let is_btor2 = language.starts_with("btor") || uri.ends_with(".btor2") || uri.ends_with(".btor");
        let (analysis, lines) = (Analysis::new(&text, is_btor2), LineIndex::new(&text));
        Document { text, version, analysis, lines, is_btor2 }
    }

    /// Whether it is a system in BTOR2; else it is a script in SMT-LIB.
    pub(crate) fn is_btor2(&self) -> bool {
        self.is_btor2
    }

    /// Takes changes in, one after the other.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<Change>) {
        for change in changes {
            let place = change.range.map_or(0..self.text.len(), |places| self.range(places));
            self.text.replace_range(place, &change.text);
            self.lines = LineIndex::new(&self.text);
        }
        self.version = version;
        self.analysis = Analysis::new(&self.text, self.is_btor2);
    }

    /// The place of a byte; that of the end for what is beyond.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let place = self.lines.line_col(TextSize::new(offset as u32));
        let wide = self.lines.to_wide(WideEncoding::Utf16, place);
        wide.map_or(Position::default(), |wide| Position { line: wide.line, character: wide.col })
    }

    /// The byte at a place; the end of the line or of the text for what is beyond.
    pub(crate) fn offset(&self, Position { line, character }: Position) -> usize {
        let Some(within) = self.lines.line(line) else { return self.text.len() };
        let line_text = &self.text[usize::from(within.start())..usize::from(within.end())];
        let width: usize = line_text.trim_end_matches(['\r', '\n']).chars().map(char::len_utf16).sum();
        let col = character.min(width as u32);
        let narrow = self.lines.to_utf8(WideEncoding::Utf16, WideLineCol { line, col });
        narrow.and_then(|place| self.lines.offset(place)).map_or(self.text.len(), usize::from)
    }

    pub(crate) fn places(&self, range: Range<usize>) -> Places {
        Places { start: self.position(range.start), end: self.position(range.end) }
    }

    pub(crate) fn range(&self, places: Places) -> Range<usize> {
        let [start, end] = [places.start, places.end].map(|place| self.offset(place));
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_utf_16() {
        let text = "; 𝄞é\n(exit)\r\n";
        let document = Document::new("a.smt2", "smtlib", 1, text.to_owned());
        let at = |line, character| Position { line, character };
        for (offset, _) in text.char_indices().filter(|&(_, char)| char != '\r' && char != '\n') {
            assert_eq!(document.offset(document.position(offset)), offset);
        }
        assert_eq!(document.position(2 + "𝄞".len()), at(0, 4));
        assert_eq!(document.offset(at(0, 99)), text.find('\n').unwrap());
        assert_eq!(document.offset(at(1, 99)), text.find('\r').unwrap());
        assert_eq!(document.offset(at(9, 0)), text.len());
    }

    #[test]
    fn changes_follow_each_other() {
        let mut document = Document::new("a.smt2", "smtlib", 1, "(exit)\n".to_owned());
        let change = |start: u32, end: u32, text: &str| {
            let [start, end] = [start, end].map(|character| Position { line: 0, character });
            Change { range: Some(Places { start, end }), text: text.to_owned() }
        };
        let changes = vec![change(1, 5, "echo \"é\""), change(9, 10, "!")];
        document.change(2, changes);
        assert_eq!((document.text.as_str(), document.version), ("(echo \"é\"!\n", 2));
    }
}
