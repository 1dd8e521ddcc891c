//! The parser: commands one by one, from a stream.
//!
//! Each call reads exactly one command and no byte beyond what is needed to see that it is complete. After a
//! refusal the rest of the faulty command is skipped (with regard to strings, quoted symbols and comments),
//! names it introduced are forgotten, and the next call goes on behind it. What stands between commands is
//! refused once, however long it is, and as soon as its first token is there, since a client may wait for the
//! answer. At the end of the input there is nothing more.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::smtlib::command::Command;
use crate::smtlib::lexer::{Lexer, Parsed, Token};
use crate::smtlib::reading::{Reading, Work};
use crate::smtlib::symbols::Symbols;
use crate::source::Source;
use bivalve_limits::Why;
use bivalve_terms::Pool;
use std::io::Read;
use std::sync::Arc;

/// How a parser reads.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ParserOptions {
    /// Refuse what SMT-LIB 2.7 does not allow, although other solvers accept it.
    pub strict: bool,
    /// Take declarations of data types, and refuse what uses their names: some clients of other solvers
    /// declare types whether or not they use them, and stop at an error.
    pub unused_data_types: bool,
}

/// What a [`Guard`] is asked to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limited {
    /// Everything that is read: only a limit of the whole run counts.
    Run,
    /// One command, which takes long.
    Command,
    /// Definitions of one command, which stand for some thousand terms more.
    Definitions,
}

/// Terms that are made of definitions between two looks at limits; about a millisecond.
pub(crate) const GUARDED: u64 = 1 << 13;

/// The most terms that definitions stand for in a text, where the reader has no other limit.
pub const MOST_TERMS: u64 = 1 << 23;

/// A guard without a clock: definitions stand for at most so many terms. `terms` counts them by thousands.
pub fn few_terms(most: u64, terms: &mut u64) -> impl FnMut(Limited) -> Option<Why> {
    move |limited| {
        let is_asked = limited == Limited::Definitions;
        *terms = terms.saturating_add(if is_asked { GUARDED } else { 0 });
        (is_asked && *terms > most).then_some(Why::Budget)
    }
}

/// Which limit is reached, so that nothing more is to be built or read; asked every few thousand terms while
/// definitions are expanded, once for each part of the input, and while a client is silent in the middle of
/// a command.
pub type Guard<'a> = dyn FnMut(Limited) -> Option<Why> + 'a;

/// A streaming reader of SMT-LIB 2.7 scripts from files and pipes.
///
/// ```
/// use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
/// use bivalve_terms::Pool;
///
/// let text = "(set-logic QF_BV) (declare-const x (_ BitVec 8)) (assert (= (bvmul x x) #x09))";
/// let mut parser = Parser::new(text.as_bytes(), "squares.smt2", ParserOptions::default());
/// let mut pool = Pool::new();
/// let mut assertions = vec![];
/// while let Some(command) = parser.next_command(&mut pool)? {
///     if let Command::Assert { term, .. } = command {
///         assertions.push(term);
///     }
/// }
/// assert_eq!(assertions.len(), 1);
/// # Ok::<(), bivalve_formats::Diagnostic>(())
/// ```
pub struct Parser<R> {
    pub(crate) input: R,
    /// A look at what follows is allowed.
    pub(crate) looks_ahead: bool,
    file: Arc<str>,
    options: ParserOptions,
    pub(crate) source: Source,
    symbols: Symbols,
    work: Work,
    logic: Option<String>,
    asserting: bool,
    is_astray: bool,
    /// The caller is handed images, and knows no sorts of theories that are lowered.
    images: bool,
    /// The limit that is reached, as of so many reads of the input.
    over: Option<(u64, Option<Why>)>,
    /// The terms that definitions stood for, where there is no other limit.
    expanded: u64,
}

impl<R: Read> Parser<R> {
    /// A parser of `input`, which messages call `file_name`. The input should not be buffered: the parser
    /// reads large blocks itself.
    pub fn new(input: R, file_name: &str, options: ParserOptions) -> Parser<R> {
        Parser {
            input,
            looks_ahead: false,
            file: file_name.into(),
            options,
            source: Source::new(),
            symbols: Symbols::new(),
            work: Work::default(),
            logic: None,
            asserting: false,
            is_astray: false,
            images: false,
            over: None,
            expanded: 0,
        }
    }

    /// The same on a file or a text, where the next block is there at once: the parser may look at it before
    /// the command at hand is carried out.
    #[must_use]
    pub fn looking_ahead(self) -> Parser<R> {
        Parser { looks_ahead: true, ..self }
    }

    /// The next command, with its terms in `pool`; `None` at the end of the input. In the place of terms of
    /// theories that are lowered stand their images ([`bivalve_lowering`]), so that terms are made of
    /// bit-vectors, arrays and functions; where a term is of such a sort itself, its image is of another. A
    /// declaration that mentions such a sort is refused: images do not mention the symbol. Definitions stand
    /// for [`MOST_TERMS`] terms at most in all calls.
    ///
    /// All calls must be given the same pool, but for those after [`Symbols::reset`], which may be given
    /// another.
    ///
    /// # Errors
    ///
    /// When the command is refused, with the place and the reason; the next call goes on behind it.
    pub fn next_command(&mut self, pool: &mut Pool) -> Result<Option<Command>, Diagnostic> {
        self.images = true;
        let mut expanded = self.expanded;
        let command = self.next_written_command(pool, &mut few_terms(MOST_TERMS, &mut expanded));
        (self.images, self.expanded) = (false, expanded);
        Ok(command?.map(|command| command.lowered(pool, &mut self.symbols.lowering)))
    }

    /// The next command, with all terms as they are written, within limits. A term that is not built before
    /// `guard` gives a reason is refused: a definition that uses another one twice doubles it, so thirty
    /// short lines may stand for a billion terms. So is a command that is not there as a whole, and nothing
    /// is read behind that one. Other commands go on to be read, because their client waits for the answers;
    /// but assertions are passed over then ([`Command::PassedOver`]), and beyond a limit of memory nothing is
    /// declared or defined. An input may say [`TimedOut`](std::io::ErrorKind::TimedOut) where nothing came
    /// for a while, so that the guard is asked.
    ///
    /// # Errors
    ///
    /// When the command is refused, with the place and the reason; the next call goes on behind it.
    pub fn next_written_command(
        &mut self,
        pool: &mut Pool,
        guard: &mut Guard,
    ) -> Result<Option<Command>, Diagnostic> {
        let mark = self.symbols.mark();
        self.asserting = false;
        let mut reading = self.reading(pool, guard);
        match reading.next_command() {
            Ok(command) => {
                reading.work.clear();
                match &command {
                    Some(Command::SetLogic(logic)) => *reading.logic = Some(logic.clone()),
                    Some(Command::Reset) => {
                        *reading.logic = None;
                        *reading.over = None;
                    }
                    Some(Command::ResetAssertions) => *reading.over = None,
                    _ => {}
                }
                reading.symbols.commit(mark);
                Ok(command)
            }
            Err(mut refusal) => {
                reading.lexer.source.unpin();
                let command = reading.lexer.source.command();
                let open = reading.work.frames.last().map_or(command, |frame| frame.place);
                let unclosed = reading.lexer.skip_command(open);
                // A string that takes up the rest of the input, or an input that fails, hides parentheses.
                let hides = match refusal.kind {
                    DiagnosticKind::Unterminated => !refusal.span.is_empty(),
                    kind => kind == DiagnosticKind::Io,
                };
                if !hides {
                    refusal.unclosed = unclosed.map(|place| reading.lexer.opening(place));
                }
                reading.work.clear();
                reading.symbols.leave(0);
                reading.symbols.roll_back(mark);
                Err(*refusal)
            }
        }
    }

    /// The symbol table, to look up what is declared.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The symbol table, to open and close levels.
    pub fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The name of the input in messages.
    pub fn file_name(&self) -> &str {
        &self.file
    }

    /// Line and column, from 1, at which the last command begins.
    pub fn location(&self) -> (u64, u64) {
        self.source.locate(self.source.command())
    }

    /// Was the last command an `assert`, refused or not? Where one was refused, a formula is missing from
    /// then on.
    pub fn was_assertion(&self) -> bool {
        self.asserting
    }

    /// The number of bytes read so far.
    pub fn position(&self) -> u64 {
        self.source.offset(self.source.next)
    }

    fn reading<'a>(&'a mut self, pool: &'a mut Pool, guard: &'a mut Guard<'a>) -> Reading<'a> {
        let ParserOptions { strict, unused_data_types } = self.options;
        Reading {
            lexer: Lexer {
                source: &mut self.source,
                input: &mut self.input,
                file: &self.file,
                strict,
                guard,
                depth: 0,
            },
            pool,
            symbols: &mut self.symbols,
            work: &mut self.work,
            strict,
            unused_data_types,
            logic: &mut self.logic,
            asserting: &mut self.asserting,
            is_astray: &mut self.is_astray,
            images: self.images,
            over: &mut self.over,
        }
    }
}

impl Reading<'_> {
    fn next_command(&mut self) -> Parsed<Option<Command>> {
        self.skip_byte_order_mark()?;
        loop {
            let token = self.lexer.next();
            self.lexer.source.begin_command();
            match token {
                Ok(Token::End) => return Ok(None),
                Ok(Token::Open) => {
                    *self.is_astray = false;
                    return self.command().map(Some);
                }
                Ok(_) if *self.is_astray => {}
                Err(refusal) if *self.is_astray && refusal.kind == DiagnosticKind::Lexical => {}
                Ok(token) => {
                    *self.is_astray = true;
                    let found = self.lexer.describe(token);
                    return Err(self.refuse_token(DiagnosticKind::Syntax, "'(' and a command", found));
                }
                Err(refusal) => {
                    *self.is_astray = refusal.kind == DiagnosticKind::Lexical;
                    return Err(refusal);
                }
            }
        }
    }

    /// At the very start of the input there may be a byte order mark.
    fn skip_byte_order_mark(&mut self) -> Parsed<()> {
        const MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
        while self.lexer.end() == 0 {
            let text = self.lexer.source.text();
            if text.starts_with(&MARK) {
                self.lexer.source.next = MARK.len();
                self.lexer.source.begin_text();
            } else if !MARK.starts_with(text) || !self.lexer.more()? {
                break;
            }
        }
        Ok(())
    }
}
