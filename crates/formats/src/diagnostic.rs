//! What is wrong with a text, and where.
//!
//! Every refusal of a reader is one value: where it is (file, line, column, byte span), what kind of fault
//! it is (an enum, so that programs and tests can tell them apart), what was expected there and what was
//! found. The line itself, cut to a screen's width around the place, is quoted beside it, so that the
//! message can be shown long after the text is gone. Libraries never print: [`Diagnostic`] displays as one
//! line, and [`Diagnostic::render`] adds the quotation, laid out by the library `annotate-snippets`, which
//! aligns carets below wide characters and colours as the Rust compiler does:
//!
//! ```text
//! error: mask.smt2:4:18: expected a bit-vector as argument 2 of 'bvand', found sort Bool
//!   |
//! 4 | (assert (bvand x true))
//!   |                  ^^^^
//! ```
//!
//! Columns count bytes from 1, as SMT solvers and most compilers do.

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
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
    /// A parenthesis that is not closed where the input ends; where there are several, an inner one.
    pub unclosed: Option<Box<Opening>>,
}

/// The place of an opening parenthesis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in bytes, counted from 1.
    pub column: u64,
    /// The line that holds it, unless it has been forgotten already.
    pub excerpt: Option<Excerpt>,
}

/// A quoted line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The line, cut around the fault; control characters are shown as blanks.
    pub text: String,
    /// The bytes of `text` that are faulty; none at the end of the line.
    pub span: Range<usize>,
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
    /// A limit was reached before the term was built.
    Limit,
    /// The input could not be read.
    Io,
}

/// What is between what was found and the name that was probably meant.
const MEANT: &str = " (did you mean '";

/// What was found, with the name that was probably meant. [`Diagnostic::suggestion`] reads it back: a field
/// would make every refusal larger.
pub(crate) fn with_suggestion(found: &str, meant: &str) -> String {
    format!("{found}{MEANT}{meant}'?)")
}

impl Diagnostic {
    /// The name that was probably meant, in the place of the faulty one, without bars.
    pub fn suggestion(&self) -> Option<&str> {
        self.found.strip_suffix("'?)")?.rsplit_once(MEANT).map(|(_, meant)| meant)
    }

    /// The message with the quoted line below it and carets below the faulty text, each line ended by a line
    /// feed.
    pub fn render(&self) -> String {
        self.report(&Renderer::plain())
    }

    /// The same for a screen: with the colours of a terminal or without, quoted lines cut to its columns.
    pub fn render_on(&self, is_coloured: bool, columns: usize) -> String {
        let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
        self.report(&renderer.term_width(columns))
    }

    /// The places are part of the titles, because a line that was cut does not show its columns.
    fn report(&self, renderer: &Renderer) -> String {
        let error = Level::ERROR.primary_title(self.message());
        let mut report = vec![error.elements(quoted(self.excerpt.as_deref(), self.line))];
        if let Some(Opening { line, column, excerpt }) = self.unclosed.as_deref() {
            let title = format!("{}:{line}:{column}: this '(' is not closed", self.file);
            let note = Level::NOTE.secondary_title(title);
            report.push(note.elements(quoted(excerpt.as_ref(), *line)));
        }
        renderer.render(&report) + "\n"
    }

    /// The place, what was expected, what was found.
    fn message(&self) -> String {
        let Diagnostic { file, line, column, expected, found, .. } = self;
        format!("{file}:{line}:{column}: expected {expected}, found {found}")
    }
}

fn quoted(excerpt: Option<&Excerpt>, line: u64) -> Option<Snippet<'_, Annotation<'_>>> {
    excerpt.map(|excerpt| {
        let fault = AnnotationKind::Primary.span(excerpt.span.clone());
        Snippet::source(&excerpt.text).line_start(line as usize).annotation(fault)
    })
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        match &self.unclosed {
            Some(opening) => write!(f, "; the '(' at {}:{} is not closed", opening.line, opening.column),
            None => Ok(()),
        }
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
        let end = before.len() + fault.trim_end().len();
        Excerpt { span: before.len().min(text.len())..end.min(text.len()), text }
    }
}
