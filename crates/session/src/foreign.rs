//! Texts in other languages than SMT-LIB 2 as a source of commands.
//!
//! The text is read as a whole when the first command is asked for. The commands that are left hold terms, so
//! the session must not compact its pool before they are carried out: [`Foreign`] goes with a configuration
//! whose `compact_from` is `usize::MAX`.

use crate::frontend::Frontend;
use bivalve::terms::Pool;
use bivalve_formats::smtlib::{Command, Guard, Limited, ParserOptions, Symbols};
use bivalve_formats::{Diagnostic, Language, Problem};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::iter;

/// A frontend of a text in one of the languages that [`Problem::read`] reads.
pub struct Foreign {
    language: Language,
    text: Vec<u8>,
    file: String,
    options: ParserOptions,
    symbols: Symbols,
    /// A look at what follows is allowed.
    looks_ahead: bool,
    /// The commands that are left, and where each begins, once the text was read.
    commands: Option<VecDeque<(Command, usize)>>,
    at: Position,
}

/// A place in a text, and its line.
struct Position {
    offset: usize,
    line: usize,
    /// Where the line begins.
    start: usize,
}

impl Position {
    /// Goes on to a place that is not before this one.
    fn advance(&mut self, text: &[u8], offset: usize) {
        for (i, _) in text[self.offset..offset].iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
            self.line += 1;
            self.start = self.offset + i + 1;
        }
        self.offset = offset;
    }
}

impl Foreign {
    /// A frontend of a whole text, which messages call `file`.
    pub fn new(language: Language, text: Vec<u8>, file: &str, options: ParserOptions) -> Foreign {
        let symbols = Symbols::default();
        let (file, looks_ahead) = (file.to_owned(), false);
        let at = Position { offset: 0, line: 1, start: 0 };
        Foreign { language, text, file, options, symbols, looks_ahead, commands: None, at }
    }

    /// The same, where the commands that follow may be looked at before one is carried out.
    #[must_use]
    pub fn looking_ahead(self, looks_ahead: bool) -> Foreign {
        Foreign { looks_ahead, ..self }
    }
}

impl Frontend for Foreign {
    fn next_command(&mut self, pool: &mut Pool, guard: &mut Guard) -> Result<Option<Command>, Diagnostic> {
        if self.commands.is_none() {
            self.commands = Some(VecDeque::new());
            let guard = RefCell::new(guard);
            let over = || (guard.borrow_mut())(Limited::Definitions);
            let (text, options) = (&self.text, self.options);
            let problem = Problem::read_within(pool, self.language, text, &self.file, options, &over)?;
            self.symbols.declare_all(pool, &problem.symbols);
            let places = problem.places.into_iter().chain(iter::repeat(0));
            self.commands = Some(problem.commands.into_iter().zip(places).collect());
        }
        let next = self.commands.as_mut().and_then(VecDeque::pop_front);
        Ok(next.map(|(command, place)| {
            self.at.advance(&self.text, place);
            command
        }))
    }

    /// A text that was refused may have asserted anything.
    fn was_assertion(&self) -> bool {
        true
    }

    fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    fn place(&self) -> String {
        let Position { offset, line, start } = self.at;
        format!("{}:{line}:{}", self.file, offset - start + 1)
    }

    fn asks_nothing_more(&mut self) -> bool {
        let mut left = self.commands.iter().flatten();
        self.looks_ahead && left.next().is_none_or(|command| matches!(command, (Command::Exit, _)))
    }

    fn position(&self) -> u64 {
        if self.commands.is_some() { self.text.len() as u64 } else { 0 }
    }
}
