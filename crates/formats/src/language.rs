//! Which language a text is in that is not SMT-LIB 2.
//!
//! A solver that is given a hardware model, a circuit or a CNF by mistake finds something wrong with each
//! line. One sentence that names the language tells more. So the beginning of an input is compared with what
//! files of other languages begin with: the header of AIGER and DIMACS, the numbered lines of BTOR and BTOR2,
//! `(benchmark` of SMT-LIB 1, a declaration or a query of CVC, bytes that are in no text. Nothing is said of
//! an input that begins with anything else, and nothing of one that begins with a parenthesis, but for
//! SMT-LIB 1, so no SMT-LIB 2 script is taken for something else.
//!
//! Cost: the first lines are looked at once.

use std::fmt;

/// A language that is recognised by its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// BTOR, the first format of Boolector.
    Btor,
    /// BTOR2 (Niemetz, Preiner, Wolf and Biere, CAV 2018).
    Btor2,
    /// AIGER, ASCII or binary.
    Aiger,
    /// DIMACS CNF.
    Dimacs,
    /// SMT-LIB 1.
    SmtLib1,
    /// The presentation language of CVC and STP.
    Cvc,
    /// No text at all.
    Binary,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Btor => "BTOR",
            Language::Btor2 => "BTOR2",
            Language::Aiger => "AIGER",
            Language::Dimacs => "DIMACS CNF",
            Language::SmtLib1 => "SMT-LIB 1",
            Language::Cvc => "the language of CVC",
            Language::Binary => "binary data",
        })
    }
}

impl Language {
    /// The language of a text that begins with `prefix`: `Some(None)` if it may be SMT-LIB 2, and `None` if
    /// more of the text has to be seen, which is never said if this is all of it. The answer does not depend
    /// on the pieces in which a text arrives, and no more is asked for than has to come before the first
    /// command of a script ends.
    pub fn of_other(prefix: &[u8], is_all: bool) -> Option<Option<Language>> {
        let prefix = match prefix.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => rest,
            None if !is_all && b"\xef\xbb\xbf".starts_with(prefix) => return None,
            None => prefix,
        };
        for line in prefix.split_inclusive(|&byte| byte == b'\n') {
            let is_whole = is_all || line.ends_with(b"\n");
            // The word behind a parenthesis ends before the command does.
            let is_named = line.trim_ascii_start().first() == Some(&b'(')
                && line
                    .trim_ascii()
                    .iter()
                    .skip(1)
                    .any(|&byte| !byte.is_ascii_alphanumeric() && byte != b'-');
            if !is_whole && !is_named && line.len() < LONGEST_LINE {
                return None;
            }
            let line = &line[..line.len().min(LONGEST_LINE)];
            let shown = of_line(line);
            if shown.is_some() {
                return shown;
            }
        }
        is_all.then_some(None)
    }
}

/// No first line of a file in another language is longer.
const LONGEST_LINE: usize = 4096;

/// What a line shows: `None` nothing, so the next is looked at; `Some(None)` that the text may be SMT-LIB 2.
fn of_line(line: &[u8]) -> Option<Option<Language>> {
    if is_header(line, &["aag", "aig"], 5) {
        return Some(Some(Language::Aiger));
    }
    let is_no_text =
        |&byte: &u8| byte == 0 || byte == 0x7f || (byte < b' ' && !b"\t\n\x0c\r".contains(&byte));
    if line.iter().any(is_no_text) {
        return Some(Some(Language::Binary));
    }
    let text = String::from_utf8_lossy(line);
    let line = text.trim();
    if line.is_empty() || line.starts_with([';', '%']) {
        return None;
    }
    if let Some(rest) = line.strip_prefix('(') {
        let is_old = rest.trim_start().starts_with("benchmark");
        return Some(is_old.then_some(Language::SmtLib1));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    if is_header(line.as_bytes(), &["p cnf"], 2) {
        return Some(Some(Language::Dimacs));
    }
    if words[0] == "c" {
        return None;
    }
    if words[0].parse::<u32>().is_ok() {
        return Some(match words.get(1..) {
            Some(["sort", "bitvec" | "array", ..]) => Some(Language::Btor2),
            Some([op, width, ..]) if is_word(op) && width.parse::<u32>().is_ok() => Some(Language::Btor),
            _ => None,
        });
    }
    let is_command =
        ["ASSERT", "QUERY", "CHECKSAT", "COUNTEREXAMPLE", "OPTION", "PUSH", "INCLUDE"].iter().any(|word| {
            line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        });
    let is_declaration = line.split_once(':').is_some_and(|(names, sort)| {
        names.split(',').all(|name| is_word(name.trim()))
            && ["BITVECTOR", "BOOLEAN", "ARRAY", "TYPE", "INT", "REAL", "["]
                .iter()
                .any(|word| sort.trim().starts_with(word))
    });
    // Names of a declaration may go on in the next line.
    let goes_on = line.ends_with(',') && line.split(',').all(|name| is_word(name.trim()) || name.is_empty());
    match () {
        () if is_command || is_declaration => Some(Some(Language::Cvc)),
        () if goes_on => None,
        () => Some(None),
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_'$.".contains(c))
}

/// Whether a line begins with one of the words and so many numbers.
fn is_header(prefix: &[u8], words: &[&str], numbers: usize) -> bool {
    let line = prefix.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Ok(line) = std::str::from_utf8(line) else { return false };
    words.iter().any(|word| {
        line.strip_prefix(word).is_some_and(|rest| {
            rest.starts_with(' ')
                && rest.split_whitespace().filter(|word| word.parse::<u64>().is_ok()).count() >= numbers
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_command_is_not_held_back() {
        for script in ["(check-sat)", "; a comment\n (exit)", "\u{feff}(push 1)", "(benchmark)"] {
            assert!(Language::of_other(script.as_bytes(), false).is_some(), "{script:?}");
        }
    }

    #[test]
    fn languages_are_known_by_their_first_lines() {
        for (text, language) in [
            ("1 sort bitvec 8\n2 input 1 x\n", Some(Language::Btor2)),
            ("; a model\n\n1 sort array 1 2\n", Some(Language::Btor2)),
            ("1 var 8 x\n2 root 1 -1\n", Some(Language::Btor)),
            ("aag 3 2 0 1 1\n2\n4\n", Some(Language::Aiger)),
            ("aig 3 2 0 1 1\n\u{1}\u{2}", Some(Language::Aiger)),
            ("c comment\np cnf 3 2\n1 -2 0\n", Some(Language::Dimacs)),
            ("(benchmark x\n:logic QF_BV\n", Some(Language::SmtLib1)),
            ("% RUN: solver\nx, y : BITVECTOR(8);\nASSERT(x = y);\n", Some(Language::Cvc)),
            ("a,\nb : BOOLEAN;\n", Some(Language::Cvc)),
            ("QUERY(FALSE);\n", Some(Language::Cvc)),
            // Sorts that are refused show the language, too.
            ("% EXPECT: sat\n\nx : [# b:BITVECTOR(1) #];\n", Some(Language::Cvc)),
            ("m, n : INT;\n", Some(Language::Cvc)),
            ("\u{7f}ELF\u{2}\u{1}", Some(Language::Binary)),
            ("\u{feff}(set-logic QF_BV)\n", None),
            ("; 1 sort bitvec 8\n(check-sat)\n", None),
            ("  (set-logic QF_BV)", None),
            ("check-sat\n", None),
            ("ASSERTED : x\n", None),
            ("12 apples\n", None),
            ("", None),
        ] {
            let bytes = text.as_bytes();
            assert_eq!(Language::of_other(bytes, true), Some(language), "{text:?}");
            // However much of it has arrived.
            for end in 0..bytes.len() {
                let seen = Language::of_other(&bytes[..end], false);
                assert!(seen.is_none_or(|seen| seen == language), "{text:?} up to {end}: {seen:?}");
            }
        }
    }
}
