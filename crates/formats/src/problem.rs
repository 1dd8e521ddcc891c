//! Formulas in the languages beside SMT-LIB 2, as the commands of a session.
//!
//! A text is read as a whole and becomes declarations, assertions and checks. A transition system of BTOR,
//! BTOR2 or AIGER is a formula if no frame influences another: its constraints hold, and one of its bad
//! states, if it has any. A query of CVC is a check of its negation on a level of its own.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::language::Language;
use crate::smtlib::{Command, ParserOptions};
use crate::text::Text;
use crate::{aiger, btor, btor2, cvc, smtlib1};
use bivalve_systems::System;
use bivalve_terms::{Op, Pool, Term};

/// The commands of a text, with their terms in one pool.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The declared symbols, of different names.
    pub symbols: Vec<Term>,
    /// Assertions, levels, checks and questions, without declarations.
    pub commands: Vec<Command>,
}

impl Problem {
    /// The assertions and one check.
    pub fn of_assertions(symbols: Vec<Term>, assertions: Vec<Term>) -> Problem {
        let asserted = assertions.into_iter().map(|term| Command::Assert { term, named: vec![] });
        Problem { symbols, commands: asserted.chain([Command::CheckSat]).collect() }
    }

    /// The asserted terms, whatever their levels.
    pub fn assertions(&self) -> Vec<Term> {
        let asserted = self.commands.iter().filter_map(|command| match command {
            Command::Assert { term, .. } => Some(*term),
            _ => None,
        });
        asserted.collect()
    }

    /// The formula of a system without influence between frames: constraints and a bad state.
    pub fn of_system(pool: &mut Pool, system: &System) -> Problem {
        let mut assertions: Vec<Term> = system.constraints.iter().map(|constraint| constraint.term).collect();
        let bads: Vec<Term> = system.bads.iter().map(|bad| bad.term).collect();
        match bads[..] {
            [] => {}
            [bad] => assertions.push(bad),
            _ => assertions.push(pool.mk(Op::Or, &bads)),
        }
        Problem::of_assertions(system.symbols().collect(), assertions)
    }

    /// Reads a text in a language other than SMT-LIB 2. Messages call the text `file`.
    ///
    /// # Errors
    ///
    /// The first fault of the text; a transition system that is no formula; a language without a reader.
    pub fn read(
        pool: &mut Pool,
        language: Language,
        text: &[u8],
        file: &str,
        options: ParserOptions,
    ) -> Result<Problem, Diagnostic> {
        match language {
            Language::SmtLib1 => return smtlib1::read(pool, text, file),
            Language::Cvc => return cvc::read(pool, text, file),
            _ => {}
        }
        let system = match read_system(pool, language, text, file, options) {
            Some(system) => system?,
            None => {
                let found = format!("{language}, which is not read here");
                let whole = Text::new(text, file);
                return Err(*whole.refuse(DiagnosticKind::Unsupported, 0..0, "a formula", found));
            }
        };
        if system.is_combinational() {
            return Ok(Problem::of_system(pool, &system));
        }
        let expected = format!("a formula (bivalve check-model {file} checks properties)");
        let found = "a transition system";
        Err(*Text::new(text, file).refuse(DiagnosticKind::Unsupported, 0..0, expected, found))
    }
}

/// Reads a text in a language of transition systems; `None` if the language has none.
pub fn read_system(
    pool: &mut Pool,
    language: Language,
    text: &[u8],
    file: &str,
    options: ParserOptions,
) -> Option<Result<System, Diagnostic>> {
    match language {
        Language::Btor => Some(btor::read(pool, text, file)),
        Language::Btor2 => Some(btor2::read(pool, text, file, options)),
        Language::Aiger => Some(aiger::read(pool, text, file)),
        _ => None,
    }
}
