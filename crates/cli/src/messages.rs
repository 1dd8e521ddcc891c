//! What goes to standard error: errors, findings, and when they are coloured.
//!
//! Errors of a command line or of the system begin with `error:`. Errors of an input are shown with their
//! lines ([`Diagnostics`]), the first twenty of each input; the others are counted, because the first one is
//! usually the cause. Replies on standard output are not limited: clients expect one for each command.

use bivalve_formats::{Diagnostic, Excerpt};
use clap::ValueEnum;
use std::borrow::Cow;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Whether standard error is coloured.
    pub(crate) fn is_on(self) -> bool {
        let is_set = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        let is_plain = || is_set("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Color::Auto => io::stderr().is_terminal() && !is_plain(),
            Color::Always => true,
            Color::Never => false,
        }
    }

    /// A finding as it is shown: red where colours are used.
    pub(crate) fn alarm(self, text: &str) -> String {
        if self.is_on() { format!("\u{1b}[31m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Writes to standard error. If that fails there is no place left to report it.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Why an input cannot be read, as all tools say it.
pub(crate) fn unreadable(name: impl Display, error: &io::Error) -> String {
    format!("{name}: cannot be read: {error}")
}

/// Opens a file, which no folder is.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

/// A tool could not do what was asked; that is no result about a solver.
pub(crate) const TROUBLE_EXIT: u8 = 2;

/// Shows what is wrong.
pub(crate) fn error(problem: &str) {
    complain(&format!("{} {problem}\n", Color::Auto.alarm("error:")));
}

/// Shows why a tool cannot go on, and returns its exit code.
pub(crate) fn trouble(problem: &str) -> ExitCode {
    error(problem);
    ExitCode::from(TROUBLE_EXIT)
}

/// What comes of printing to standard output. A pipe that was closed is no error.
///
/// # Errors
///
/// A sentence: it is lost, for example because the disk is full.
pub(crate) fn printed(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Ends with what a command line is refused with: what is wrong, or the help and the version that it asks
/// for, which may be lost like any answer.
pub(crate) fn refused(refusal: &clap::Error) -> ExitCode {
    let written = refusal.print().and_then(|()| io::stdout().flush());
    match printed(written) {
        Err(problem) if !refusal.use_stderr() => trouble(&problem),
        _ => ExitCode::from(u8::try_from(refusal.exit_code()).unwrap_or(TROUBLE_EXIT)),
    }
}

/// Columns of a screen that is not known.
const COLUMNS: usize = 100;

/// The columns of the terminal that shows standard error.
fn columns() -> usize {
    console::Term::stderr().size_checked().map_or(COLUMNS, |(_, columns)| columns.into())
}

/// Columns beside the fault of a quoted line: its number, ellipses, and some of what is around it.
const BESIDE: usize = 20;

/// A diagnostic whose fault fits onto a line: one that is too long is cut, which an ellipsis shows.
fn fitting(diagnostic: &Diagnostic, columns: usize) -> Cow<'_, Diagnostic> {
    let Some(excerpt) = &diagnostic.excerpt else { return Cow::Borrowed(diagnostic) };
    let room = columns.saturating_sub(BESIDE).max(1);
    if excerpt.span.len() <= room {
        return Cow::Borrowed(diagnostic);
    }
    let (start, text) = (excerpt.span.start, &excerpt.text);
    let end = text.floor_char_boundary(start + room);
    let cut = Excerpt { text: format!("{}…", &text[..end]), span: start..end };
    Cow::Owned(Diagnostic { excerpt: Some(Box::new(cut)), ..diagnostic.clone() })
}

/// Diagnostics of one input that are shown.
const MOST: usize = 20;

/// Shows the diagnostics of one input.
pub(crate) struct Diagnostics {
    color: Color,
    /// At most so many are shown; all of them to a person who types the input.
    most: usize,
    count: usize,
}

impl Diagnostics {
    /// None so far, of an input that comes from a terminal or not.
    pub(crate) fn new(color: Color, is_typed: bool) -> Diagnostics {
        Diagnostics { color, most: if is_typed { usize::MAX } else { MOST }, count: 0 }
    }

    /// Shows or counts a diagnostic.
    pub(crate) fn show(&mut self, diagnostic: &Diagnostic) {
        self.count += 1;
        if self.count <= self.most {
            let columns = columns();
            complain(&fitting(diagnostic, columns).render_on(self.color.is_on(), columns));
        }
    }

    /// At the end of the input: how many were not shown.
    pub(crate) fn end(&self) {
        match self.count.saturating_sub(self.most) {
            0 => {}
            1 => complain("... and 1 more error\n"),
            rest => complain(&format!("... and {} more errors\n", grouped(rest))),
        }
    }
}

/// A number with commas between its thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let parts = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    parts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([1, 999, 1000, 2981, 1234567].map(grouped), ["1", "999", "1,000", "2,981", "1,234,567"]);
    }
}
