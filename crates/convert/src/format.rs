//! The formats, by name, suffix and text.

use bivalve_formats::Language;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// SMT-LIB 2.
    SmtLib2,
    /// SMT-LIB 1.2.
    SmtLib1,
    /// BTOR2.
    Btor2,
    /// BTOR.
    Btor,
    /// The language of CVC and STP.
    Cvc,
    /// AIGER in ASCII.
    AigerAscii,
    /// AIGER in binary.
    Aiger,
    /// Graphs of terms for Graphviz, written only.
    Dot,
}

/// All formats with their names and suffixes.
const FORMATS: [(Format, &str, &str); 8] = [
    (Format::SmtLib2, "smt2", "smt2"),
    (Format::SmtLib1, "smt1", "smt"),
    (Format::Btor2, "btor2", "btor2"),
    (Format::Btor, "btor", "btor"),
    (Format::Cvc, "cvc", "cvc"),
    (Format::AigerAscii, "aag", "aag"),
    (Format::Aiger, "aig", "aig"),
    (Format::Dot, "dot", "dot"),
];

impl Format {
    /// The names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|&(_, name, _)| name)
    }

    /// The format that files with this suffix are in.
    pub fn of_path(path: &Path) -> Option<Format> {
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        let found = FORMATS.iter().find(|&&(_, name, own)| own == suffix || name == suffix);
        found.map(|&(format, ..)| format)
    }

    /// The format of a text that shows it at its beginning: files of BTOR2 may be called `.btor`. `None` for
    /// what is no formula.
    pub fn of_text(text: &[u8]) -> Option<Format> {
        Format::of_language(Language::of_other(text, true).flatten(), text)
    }

    /// The format of a text in this language, `None` for SMT-LIB 2; `None` for what is no formula.
    pub fn of_language(language: Option<Language>, text: &[u8]) -> Option<Format> {
        match language {
            None => Some(Format::SmtLib2),
            Some(Language::Btor) => Some(Format::Btor),
            Some(Language::Btor2) => Some(Format::Btor2),
            Some(Language::Aiger) if text.starts_with(b"aig") => Some(Format::Aiger),
            Some(Language::Aiger) => Some(Format::AigerAscii),
            Some(Language::SmtLib1) => Some(Format::SmtLib1),
            Some(Language::Cvc) => Some(Format::Cvc),
            Some(Language::Dimacs | Language::Binary) => None,
        }
    }

    /// The language of a format that is read and is not SMT-LIB 2.
    pub(crate) fn language(self) -> Option<Language> {
        match self {
            Format::SmtLib1 => Some(Language::SmtLib1),
            Format::Btor2 => Some(Language::Btor2),
            Format::Btor => Some(Language::Btor),
            Format::Cvc => Some(Language::Cvc),
            Format::AigerAscii | Format::Aiger => Some(Language::Aiger),
            Format::SmtLib2 | Format::Dot => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = FORMATS.iter().find(|row| row.0 == *self).expect("the table has all formats");
        f.write_str(row.1)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        let found = FORMATS.iter().find(|row| row.1 == name);
        found.map(|row| row.0).ok_or_else(|| {
            let names: Vec<&str> = Format::names().collect();
            format!("expected a format ({}), found '{name}'", names.join(", "))
        })
    }
}
