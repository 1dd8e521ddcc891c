//! The reader at work on one command: everything it needs in one place, and the small steps all parts share.
//!
//! [`Reading`] borrows the parser's tables, the caller's pool and the input for the time of one command; how
//! sorts, terms and commands are read is in the files of those names, as further methods. [`Work`] holds the
//! stacks that are reused from command to command, so that reading a term allocates nothing once they have
//! grown.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::commands::is_command;
use crate::smtlib::lexer::{Lexer, Parsed, Token};
use crate::smtlib::names::NameId;
use crate::smtlib::parser::Limited;
use crate::smtlib::records::Case;
use crate::smtlib::symbols::Symbols;
use crate::smtlib::terms::Frame;
use crate::smtlib::vocabulary::is_word;
use bivalve_limits::Why;
use bivalve_terms::print::is_reserved;
use bivalve_terms::{Pool, Term};

/// A label given by `:named`.
pub(crate) struct Label {
    pub(crate) id: NameId,
    pub(crate) term: Term,
    /// Where it stands in the text.
    pub(crate) place: u64,
}

/// The stacks of the term reader.
#[derive(Default)]
pub(crate) struct Work {
    /// What is open, innermost last.
    pub(crate) frames: Vec<Frame>,
    /// Arguments of the open applications, and where each begins in the text.
    pub(crate) args: Vec<Term>,
    pub(crate) places: Vec<u64>,
    /// The patterns of the cases of open matches.
    pub(crate) cases: Vec<Case>,
    /// Variables of the open binding lists.
    pub(crate) variables: Vec<NameId>,
    /// Labels given in this command.
    pub(crate) labels: Vec<Label>,
    /// Groups given by `:interpolation-group` in this command, with what they were given to.
    pub(crate) groups: Vec<(String, Term)>,
    /// Terms that were made of definitions in this command.
    pub(crate) expanded: u64,
    /// The terms of this command may mention elements of declared sorts.
    pub(crate) takes_elements: bool,
    /// How often a name that was probably meant has been looked for.
    pub(crate) searches: u32,
}

impl Work {
    /// Forgets what a refused command left behind.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.args.clear();
        self.places.clear();
        self.cases.clear();
        self.variables.clear();
        self.labels.clear();
        self.groups.clear();
        self.expanded = 0;
        self.takes_elements = false;
    }
}

/// One command being read.
pub(crate) struct Reading<'a> {
    pub(crate) lexer: Lexer<'a>,
    pub(crate) pool: &'a mut Pool,
    pub(crate) symbols: &'a mut Symbols,
    pub(crate) work: &'a mut Work,
    pub(crate) strict: bool,
    /// Data types may be declared.
    pub(crate) unused_data_types: bool,
    /// The logic that was set, if any.
    pub(crate) logic: &'a mut Option<String>,
    /// The command is an `assert`.
    pub(crate) asserting: &'a mut bool,
    /// What was read last belongs to no command, and was refused.
    pub(crate) is_astray: &'a mut bool,
    /// The caller is handed images, and knows no sorts of theories that are lowered.
    pub(crate) images: bool,
    /// The limit that is reached, as of so many reads of the input.
    pub(crate) over: &'a mut Option<(u64, Option<Why>)>,
}

impl Reading<'_> {
    /// The limit of the run that is reached, if one is. It is asked for once for each part of the input, so
    /// that short commands cost nothing.
    pub(crate) fn limit(&mut self) -> Option<Why> {
        let reads = self.lexer.source.reads();
        match *self.over {
            Some((then, over)) if then == reads => over,
            _ => {
                let over = (self.lexer.guard)(Limited::Run);
                *self.over = Some((reads, over));
                over
            }
        }
    }

    /// Reads a closing parenthesis.
    pub(crate) fn close(&mut self) -> Parsed<()> {
        self.expect(Token::Close, "')'")
    }

    /// Reads an opening parenthesis.
    pub(crate) fn open(&mut self) -> Parsed<()> {
        self.expect(Token::Open, "'('")
    }

    #[inline]
    fn expect(&mut self, wanted: Token, expected: &str) -> Parsed<()> {
        let token = self.lexer.next()?;
        if token == wanted { Ok(()) } else { Err(self.lexer.unexpected(token, expected)) }
    }

    /// The id of the current symbol.
    #[inline]
    pub(crate) fn intern(&mut self, token: Token) -> NameId {
        self.symbols.intern(self.lexer.name_bytes(token), token == Token::Quoted)
    }

    /// Reads a symbol that may be given a meaning, whatever meaning it has now.
    pub(crate) fn fresh_symbol(&mut self, expected: &str) -> Parsed<(NameId, Token)> {
        let token = self.lexer.next()?;
        if !matches!(token, Token::Symbol | Token::Quoted) {
            return Err(self.lexer.unexpected(token, expected));
        }
        self.check_reserved(token, expected)?;
        Ok((self.intern(token), token))
    }

    /// Refuses the current symbol if it is a word of the language.
    pub(crate) fn check_reserved(&mut self, token: Token, expected: &str) -> Parsed<()> {
        let name = self.lexer.name(token);
        let reserved = token == Token::Symbol
            && match self.strict {
                true => is_reserved(name) || is_command(name),
                false => is_word(name.as_bytes()),
            };
        if reserved {
            let found = format!("the reserved word '{name}'");
            return Err(self.refuse_token(DiagnosticKind::Taken, expected, found));
        }
        if self.strict && name.starts_with(['.', '@']) {
            let found = format!("'{name}', which is kept for solvers");
            return Err(self.refuse_token(DiagnosticKind::Strict, expected, found));
        }
        Ok(())
    }
}
