//! What is wrong with a text, and where.
//!
//! Every refusal of a reader is one value: where it is (file, line, column, byte span), what kind of fault it
//! is (an enum, so that programs and tests can tell them apart), what was expected there and what was found.
//! The line itself, cut to a screen's width around the place, is quoted beside it, so that the message can be
//! shown long after the text is gone. Libraries never print: [`Diagnostic`] displays as one line, and
//! [`Diagnostic::render`] adds the quotation with carets below the span:
//!
//! ```text
//! mask.smt2:4:16: expected a bit-vector as argument 2 of 'bvand', found sort Bool
//!   (assert (bvand x true))
//!                    ^^^^
//! ```
//!
//! Columns count bytes from 1, as SMT solvers and most compilers do.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A located refusal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind of fault this is.
    pub kind: DiagnosticKind,
    /// The name of the input as the reader was told.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: u64,
    /// The column in bytes, counted from 1.
    pub column: u64,
    /// The faulty text, in bytes from the start of the input.
    pub span: Range<u64>,
    /// What was expected there, as a noun phrase.
    pub expected: String,
    /// What was found instead, as a noun phrase.
    pub found: String,
    /// The line that holds the fault, unless it has been forgotten already.
    pub excerpt: Option<Box<Excerpt>>,
}

/// A quoted line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The line, cut around the fault; control characters are shown as blanks.
    pub text: String,
    /// How many characters stand before the fault.
    pub caret: usize,
    /// How many characters are faulty, at least 1.
    pub length: usize,
}

/// The kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiagnosticKind {
    /// A character or token that the language does not have.
    Lexical,
    /// A string, quoted symbol or parenthesis without end.
    Unterminated,
    /// A token at a place where the grammar has another.
    Syntax,
    /// A command that does not exist.
    UnknownCommand,
    /// A name that is not declared.
    Undeclared,
    /// A name that is declared already, or that a theory or the language owns.
    Taken,
    /// Arguments of wrong sort or number, or an index out of range.
    Sort,
    /// A literal that does not fit its sort, or a number beyond all bounds.
    Literal,
    /// Correct SMT-LIB that this program has no theory for.
    Unsupported,
    /// Accepted by habit but not by the standard, which was asked to be kept.
    Strict,
    /// The input could not be read.
    Io,
}

impl Diagnostic {
    /// The message with the quoted line below it and carets below the faulty text, each line ended by a line
    /// feed.
    pub fn render(&self) -> String {
        let mut text = format!("{self}\n");
        if let Some(excerpt) = &self.excerpt {
            let Excerpt { text: line, caret, length } = &**excerpt;
            text.push_str(&format!("  {line}\n  {}{}\n", " ".repeat(*caret), "^".repeat(*length)));
        }
        text
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { file, line, column, expected, found, .. } = self;
        write!(f, "{file}:{line}:{column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for Diagnostic {}

/// Bytes before and behind a fault that are quoted at most.
pub(crate) const REACH: usize = 60;

impl Excerpt {
    /// Quotes `line`, which holds the fault from byte `at` on, for `length` bytes.
    pub(crate) fn new(line: &[u8], at: usize, length: usize) -> Excerpt {
        let show = |bytes: &[u8]| -> String {
            String::from_utf8_lossy(bytes).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
        };
        let (before, rest) = line.split_at(at);
        let (fault, after) = rest.split_at(length.min(rest.len()));
        let (before, fault, after) = (show(before), show(fault), show(after));
        let text = format!("{before}{fault}{after}").trim_end().to_owned();
        Excerpt { text, caret: before.chars().count(), length: fault.trim_end().chars().count().max(1) }
    }
}
