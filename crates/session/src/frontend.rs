//! Where commands come from.
//!
//! A frontend reads one language and makes commands of it, one by one, with terms of the session's pool. It
//! owns the symbol table, because reading needs it; the session opens and closes levels in it. SMT-LIB is
//! read by [`Parser`]; a reader of another language implements the same trait.

use bivalve::terms::Pool;
use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::{Command, Guard, Parser, Symbols};
use std::io::Read;

/// A reader of commands.
pub trait Frontend {
    /// The next command, with its terms in `pool`; `None` at the end of the input. A command is refused when
    /// `guard` gives a reason.
    ///
    /// # Errors
    ///
    /// When the command is refused, with the place and the reason; the next call goes on behind it.
    fn next_command(&mut self, pool: &mut Pool, guard: &mut Guard) -> Result<Option<Command>, Diagnostic>;

    /// Whether the last command was an assertion, refused or not. A refused one is missing from then on.
    fn was_assertion(&self) -> bool;

    /// The declared and defined names.
    fn symbols(&self) -> &Symbols;

    /// The same, to open and close levels.
    fn symbols_mut(&mut self) -> &mut Symbols;

    /// The place of the last command, as messages name it: `file:line:column`.
    fn place(&self) -> String;

    /// Whether nothing follows that could tell what the last check has found, or what it has changed; `false`
    /// where that is not known.
    fn asks_nothing_more(&mut self) -> bool {
        false
    }

    /// The number of bytes read so far.
    fn position(&self) -> u64;
}

impl<R: Read> Frontend for Parser<R> {
    fn next_command(&mut self, pool: &mut Pool, guard: &mut Guard) -> Result<Option<Command>, Diagnostic> {
        self.next_written_command(pool, guard)
    }

    fn was_assertion(&self) -> bool {
        Parser::was_assertion(self)
    }

    fn symbols(&self) -> &Symbols {
        Parser::symbols(self)
    }

    fn symbols_mut(&mut self) -> &mut Symbols {
        Parser::symbols_mut(self)
    }

    fn place(&self) -> String {
        let (line, column) = self.location();
        format!("{}:{line}:{column}", self.file_name())
    }

    fn asks_nothing_more(&mut self) -> bool {
        Parser::asks_nothing_more(self)
    }

    fn position(&self) -> u64 {
        Parser::position(self)
    }
}
