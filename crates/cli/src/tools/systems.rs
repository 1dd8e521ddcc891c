//! Reading transition systems, for the tools that work on them.

use crate::limits::{Limits, Watchdog};
use crate::messages::unreadable;
use crate::waiting::{self, Waiting};
use bivalve::terms::{Pool, Term};
use bivalve_formats::smtlib::ParserOptions;
use bivalve_formats::{Diagnostic, Language, read_system};
use bivalve_systems::{Property, System};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

/// Why a tool cannot go on with its inputs.
pub(crate) enum Trouble {
    /// An input has an error.
    Refused(Box<Diagnostic>),
    /// A sentence.
    Other(String),
}

impl From<Diagnostic> for Trouble {
    fn from(diagnostic: Diagnostic) -> Trouble {
        Trouble::Refused(Box::new(diagnostic))
    }
}

impl From<String> for Trouble {
    fn from(problem: String) -> Trouble {
        Trouble::Other(problem)
    }
}

/// The bytes of a file, or of standard input for `-`, which are there in this time.
///
/// # Errors
/// A sentence, when it cannot be read.
pub(crate) fn bytes(path: &Path, time: Option<Duration>) -> Result<Vec<u8>, String> {
    let is_timed = time.is_some() && !path.is_file();
    let input: io::Result<Box<dyn Read>> = match path == Path::new("-") {
        true if is_timed => Waiting::boxed(io::stdin()),
        true => Ok(Box::new(io::stdin())),
        false if is_timed => File::open(path).and_then(Waiting::boxed),
        false => File::open(path).map(|file| Box::new(file) as Box<dyn Read>),
    };
    let watchdog = Watchdog::new(Limits { total_time: time, memory: None });
    let mut input = input.map_err(|error| unreadable(path.display(), &error))?;
    waiting::whole(&mut *input, &path.display().to_string(), &watchdog)
}

/// Reads a system in BTOR2, BTOR or AIGER: the language that is given by its name, or else whichever the text
/// is; what is none of them is read as BTOR2. The roots of a text in BTOR without `next` are a formula to the
/// solver; here a state in which they all hold is bad. The text is waited for and read within the limits.
pub(crate) fn read(
    pool: &mut Pool,
    path: &Path,
    language: Option<&str>,
    limits: Limits,
) -> Result<System, Trouble> {
    let text = bytes(path, limits.total_time)?;
    let watchdog = Watchdog::new(limits);
    let name = path.display().to_string();
    let found = match language {
        None => Language::of_other(&text, true).flatten(),
        Some(language) => match Language::named(language).flatten() {
            Some(found @ (Language::Btor | Language::Btor2 | Language::Aiger)) => Some(found),
            _ => {
                return Err(Trouble::Other(format!(
                    "--lang: expected btor2, btor or aiger, found '{language}'"
                )));
            }
        },
    };
    let options = ParserOptions::default();
    let read = |pool: &mut Pool, language| {
        read_system(pool, language, &text, &name, options, &|| watchdog.exhausted())
    };
    let system = found.and_then(|language| read(pool, language));
    let mut system = system.or_else(|| read(pool, Language::Btor2)).expect("BTOR2 has systems")?;
    if found == Some(Language::Btor) && !system.constraints.is_empty() {
        let roots: Vec<Term> = system.constraints.drain(..).map(|root| root.term).collect();
        system.bads = vec![Property { term: pool.and_all(&roots), name: None }];
    }
    Ok(system)
}
