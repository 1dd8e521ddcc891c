//! Which language a text is in that is not SMT-LIB 2.
//!
//! A solver that is given a hardware model, a circuit or a CNF by mistake finds something wrong with each
//! line. One sentence that names the language tells more. So the beginning of an input is compared with what
//! files of other languages begin with: the header of AIGER and DIMACS, the numbered lines of BTOR and BTOR2,
//! `(benchmark` of SMT-LIB 1, a declaration or a query of CVC, bytes that are in no text. Nothing is said of
//! an input that begins with anything else, and nothing of one that begins with a parenthesis, but for
//! SMT-LIB 1, so no SMT-LIB 2 script is taken for something else.
//!
//! Cost: the first lines are looked at once, in whatever pieces they arrive.

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

/// Names of languages on command lines, those of other solvers among them; `None` is SMT-LIB 2.
const NAMES: [(&str, Option<Language>); 20] = [
    ("smt2", None),
    ("smtlib2", None),
    ("smt", None),
    ("smtlib", None),
    ("smt2.6", None),
    ("smtlib2.6", None),
    ("smtlib2.7", None),
    ("smt1", Some(Language::SmtLib1)),
    ("smtlib1", Some(Language::SmtLib1)),
    ("smtlib1.2", Some(Language::SmtLib1)),
    ("btor2", Some(Language::Btor2)),
    ("btor", Some(Language::Btor)),
    ("cvc", Some(Language::Cvc)),
    ("cvc4", Some(Language::Cvc)),
    ("presentation", Some(Language::Cvc)),
    ("aiger", Some(Language::Aiger)),
    ("aag", Some(Language::Aiger)),
    ("aig", Some(Language::Aiger)),
    ("dimacs", Some(Language::Dimacs)),
    ("cnf", Some(Language::Dimacs)),
];

impl Language {
    /// The language of this name: `Some(None)` is SMT-LIB 2, and `None` that there is no such name.
    pub fn named(name: &str) -> Option<Option<Language>> {
        NAMES.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// The names that [`Language::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|row| row.0)
    }

    /// The language of a text that begins with `prefix`: `Some(None)` if it may be SMT-LIB 2, and `None` if
    /// more of the text has to be seen, which is never said if this is all of it. The answer does not depend
    /// on the pieces in which a text arrives, and no more is asked for than has to come before the first
    /// command of a script ends.
    pub fn of_other(prefix: &[u8], is_all: bool) -> Option<Option<Language>> {
        Recognition::default().look(prefix, is_all)
    }
}

/// Looks for the language of a text that arrives in pieces.
#[derive(Clone, Default, Debug)]
pub struct Recognition {
    /// Where the first line begins that was not looked at.
    next: usize,
    /// What is before `next` is the beginning of a line, of which the rest shows nothing, either.
    is_within: bool,
}

impl Recognition {
    /// As [`Language::of_other`] for a prefix that begins as the one before did: its lines are not looked at
    /// again.
    pub fn look(&mut self, prefix: &[u8], is_all: bool) -> Option<Option<Language>> {
        if self.next == 0 {
            const MARK: &[u8] = b"\xef\xbb\xbf";
            match prefix.starts_with(MARK) {
                true => self.next = MARK.len(),
                false if !is_all && MARK.starts_with(prefix) => return None,
                false => {}
            }
        }
        for line in prefix[self.next..].split_inclusive(|&byte| byte == b'\n') {
            let is_ended = line.ends_with(b"\n");
            let is_whole = is_all || is_ended;
            if self.is_within {
                self.is_within = !is_ended;
                self.next += line.len();
                continue;
            }
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
            let shown = of_line(&line[..line.len().min(LONGEST_LINE)]);
            if shown.is_some() {
                return shown;
            }
            self.next += line.len();
            self.is_within = !is_ended;
        }
        is_all.then_some(None)
    }
}

/// No first line of a file in another language is longer.
const LONGEST_LINE: usize = 4096;

/// What a line shows: `None` nothing, so the next is looked at; `Some(None)` that the text may be SMT-LIB 2.
fn of_line(line: &[u8]) -> Option<Option<Language>> {
    let first = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    if [&b"aag"[..], b"aig"].contains(&first) {
        return Some(Some(Language::Aiger));
    }
    let is_no_text =
        |&byte: &u8| byte == 0 || byte == 0x7f || (byte < b' ' && !b"\t\n\x0c\r".contains(&byte));
    let is_binary = line.iter().any(is_no_text);
    let text = String::from_utf8_lossy(line);
    let line = text.trim();
    // In a script the reader finds the place of what is no text.
    if line.is_empty() || line.starts_with([';', '%']) {
        return None;
    }
    if let Some(rest) = line.strip_prefix('(') {
        let is_old = rest.trim_start().starts_with("benchmark");
        return Some(is_old.then_some(Language::SmtLib1));
    }
    if is_binary {
        return Some(Some(Language::Binary));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    if words[0] == "p" && words.get(1) == Some(&"cnf") {
        return Some(Some(Language::Dimacs));
    }
    if words[0] == "c" {
        return None;
    }
    if words[0].bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(match words[1..] {
            [op, ..] if OF_BTOR2.contains(&op) => Some(Language::Btor2),
            [op, ..] if OF_BTOR.contains(&op) => Some(Language::Btor),
            [op, width, ..] if is_word(op) && width.parse::<u32>().is_ok() => Some(Language::Btor),
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

/// Words behind the number of a line that BTOR2 alone has.
const OF_BTOR2: &[&str] = &["sort", "input", "state", "init", "bad", "constraint", "fair", "justice"];

/// Words behind the number of the first line of BTOR.
const OF_BTOR: &[&str] = &["var", "array", "param", "const", "constd", "consth", "zero", "one", "ones"];

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_'$.-".contains(c))
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

    /// Each piece was looked at together with all before it: 4 MB of comments took 21 s.
    #[test]
    fn comments_are_looked_at_once() {
        for line in ["; a comment\n".to_owned(), format!(";{}", "x".repeat(100))] {
            let text = line.repeat((4 << 20) / line.len());
            let mut recognition = Recognition::default();
            for end in (4096..text.len()).step_by(4096) {
                assert_eq!(recognition.look(&text.as_bytes()[..end], false), None);
                assert!(end - recognition.next <= LONGEST_LINE);
            }
            let text = text + "\n(check-sat)";
            assert_eq!(recognition.look(text.as_bytes(), false), Some(None));
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
            ("a-0  : ARRAY BITVECTOR(32) OF BITVECTOR(8);\n", Some(Language::Cvc)),
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
            // The reader finds the place of a byte that is in no text.
            ("(check-sat)\0\n", None),
            ("; a comment\0\n(check-sat)\n", None),
            // A first line that is damaged is one of its language all the same.
            ("aag 1 1 0 1\n", Some(Language::Aiger)),
            ("aig\n", Some(Language::Aiger)),
            ("1 var 99999999999 x\n", Some(Language::Btor)),
            ("99999999999 sort bitvec 8\n", Some(Language::Btor2)),
            ("1 sort bitvek 8\n", Some(Language::Btor2)),
            ("p cnf 3\n", Some(Language::Dimacs)),
            ("aagx 1 1 0 1 0\n", None),
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
