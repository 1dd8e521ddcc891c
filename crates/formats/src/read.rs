//! Texts in the languages beside SMT-LIB 2: which reader reads what, as a formula or a transition system.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::language::Language;
use crate::problem::Problem;
use crate::smtlib::ParserOptions;
use crate::text::Text;
use crate::{aiger, btor, btor2, cvc, smtlib1};
use bivalve_systems::System;
use bivalve_terms::Pool;

impl Problem {
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
