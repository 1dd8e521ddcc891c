//! Texts in the languages beside SMT-LIB 2: which reader reads what, as a formula or a transition system.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::language::Language;
use crate::problem::Problem;
use crate::smtlib::ParserOptions;
use crate::text::{Limit, Text};
use crate::{aiger, btor, btor2, cvc, smtlib1};
use bivalve_limits::Why;
use bivalve_systems::System;
use bivalve_terms::Pool;
use std::cell::Cell;

/// Looks at limits where there is none: thirty million lines, or terms that functions of BTOR stand for.
const MOST_LOOKS: u32 = 1 << 12;

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
        let looks = Cell::new(0);
        let over = || {
            looks.set(looks.get() + 1);
            (looks.get() > MOST_LOOKS).then_some(Why::Budget)
        };
        Problem::read_within(pool, language, text, file, options, &over)
    }

    /// The same until `over` says why no more is to be read. It is asked by the readers of [`read_system`].
    ///
    /// # Errors
    ///
    /// The same, and that a limit is reached.
    pub fn read_within(
        pool: &mut Pool,
        language: Language,
        text: &[u8],
        file: &str,
        options: ParserOptions,
        over: &dyn Fn() -> Option<Why>,
    ) -> Result<Problem, Diagnostic> {
        match language {
            Language::SmtLib1 => return smtlib1::read(pool, text, file),
            Language::Cvc => return cvc::read(pool, text, file),
            _ => {}
        }
        let system = match read_system(pool, language, text, file, options, over) {
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

/// Reads a text in a language of transition systems; `None` if the language has none. Where `over` says why,
/// no more is read, and the text is refused: a few bytes may stand for any number of inputs, or of terms.
pub fn read_system(
    pool: &mut Pool,
    language: Language,
    text: &[u8],
    file: &str,
    options: ParserOptions,
    over: &dyn Fn() -> Option<Why>,
) -> Option<Result<System, Diagnostic>> {
    let limit = Limit::new(over);
    let text = Text::new(text, file).within(&limit);
    let read = match language {
        Language::Btor => btor::read_text(pool, text),
        Language::Btor2 => btor2::read_text(pool, text, options),
        Language::Aiger => aiger::read_text(pool, text),
        _ => return None,
    };
    Some(read.map_err(|refusal| *refusal))
}
