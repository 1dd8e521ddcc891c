//! Texts in other languages than SMT-LIB 2 as a source of commands.
//!
//! The text is read as a whole when the first command is asked for. The commands that are left hold terms, so
//! the session must not compact its pool before they are carried out: [`Foreign`] goes with a configuration
//! whose `compact_from` is `usize::MAX`.

use crate::frontend::Frontend;
use bivalve::terms::Pool;
use bivalve_formats::smtlib::{Command, ParserOptions, Symbols};
use bivalve_formats::{Diagnostic, Language, Problem};
use std::collections::VecDeque;

/// A frontend of a text in one of the languages that [`Problem::read`] reads.
pub struct Foreign {
    language: Language,
    text: Vec<u8>,
    file: String,
    options: ParserOptions,
    symbols: Symbols,
    /// A look at what follows is allowed.
    looks_ahead: bool,
    /// The commands that are left, once the text was read.
    commands: Option<VecDeque<Command>>,
}

impl Foreign {
    /// A frontend of a whole text, which messages call `file`.
    pub fn new(language: Language, text: Vec<u8>, file: &str, options: ParserOptions) -> Foreign {
        let symbols = Symbols::default();
        let (file, looks_ahead) = (file.to_owned(), false);
        Foreign { language, text, file, options, symbols, looks_ahead, commands: None }
    }

    /// The same, where the commands that follow may be looked at before one is carried out.
    #[must_use]
    pub fn looking_ahead(self, looks_ahead: bool) -> Foreign {
        Foreign { looks_ahead, ..self }
    }
}

impl Frontend for Foreign {
    fn next_command(&mut self, pool: &mut Pool) -> Result<Option<Command>, Diagnostic> {
        if self.commands.is_none() {
            self.commands = Some(VecDeque::new());
            let problem = Problem::read(pool, self.language, &self.text, &self.file, self.options)?;
            self.symbols.declare_all(pool, &problem.symbols);
            self.commands = Some(problem.commands.into());
        }
        Ok(self.commands.as_mut().and_then(VecDeque::pop_front))
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
        format!("{}:1:1", self.file)
    }

    fn asks_nothing_more(&mut self) -> bool {
        let mut left = self.commands.iter().flatten();
        self.looks_ahead && left.next().is_none_or(|command| matches!(command, Command::Exit))
    }

    fn position(&self) -> u64 {
        if self.commands.is_some() { self.text.len() as u64 } else { 0 }
    }
}
