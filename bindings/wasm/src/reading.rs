//! Reading a script without solving: what is wrong with it, for an editor while one types.
//!
//! The commands go to a session, but for checks and queries. So declarations, levels, options and assertions
//! are judged by the code that a run is judged by, and cost what reading costs.

use crate::script::Place;
use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_session::{Config, NoMonitor, Reply, Session};
use serde::Serialize;

/// How bad a fault is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The reply is an error.
    Error,
    /// The reply is `unsupported`, and the script goes on as if nothing had been said.
    Warning,
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// The first faulty byte.
    pub start: usize,
    /// The byte behind the fault; `start` if something is missing there.
    pub end: usize,
    /// In words, without the place.
    pub message: String,
    /// How bad it is.
    pub severity: Severity,
}

impl Fault {
    /// The place and the words of a refusal; the place is in the text, which has `length` bytes.
    pub(crate) fn refused(diagnostic: &Diagnostic, length: usize) -> Fault {
        let [start, end] = [diagnostic.span.start, diagnostic.span.end].map(|at| (at as usize).min(length));
        let Diagnostic { expected, found, unclosed, .. } = diagnostic;
        let mut message = format!("expected {expected}, found {found}");
        if let Some(opening) = unclosed {
            message += &format!("; the '(' at {}:{} is not closed", opening.line, opening.column);
        }
        Fault { start, end: end.max(start), message, severity: Severity::Error }
    }

    /// What is wrong with the command at `place`, if its reply says so.
    pub(crate) fn of(reply: &Reply, place: Place, length: usize) -> Option<Fault> {
        let (severity, message) = match reply {
            Reply::Refused(diagnostic) => return Some(Fault::refused(diagnostic, length)),
            Reply::Unsupported => (Severity::Warning, "not supported".to_owned()),
            reply => (Severity::Error, without_position(&reply.error()?)),
        };
        Some(Fault { start: place.start, end: place.end, message, severity })
    }
}

/// The message without the `:LINE:COLUMN: ` of a text that has no name.
fn without_position(message: &str) -> String {
    let is_position = |place: &str| {
        place.strip_prefix(':').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b':'))
    };
    match message.split_once(": ") {
        Some((place, words)) if is_position(place) => words.to_owned(),
        _ => message.to_owned(),
    }
}

/// The faults of a script, in their order.
pub fn faults(text: &str) -> Vec<Fault> {
    let mut parser = Parser::new(text.as_bytes(), "", ParserOptions::default());
    let mut session = Session::new(Config { parse_only: true, ..Config::default() });
    let mut faults = vec![];
    let mut at = 0;
    loop {
        let read = session.read(&mut parser, &NoMonitor);
        let place = Place::between(text, at, parser.position());
        at = place.end;
        let reply = match read {
            Ok(None | Some(Command::Exit)) => return faults,
            Ok(Some(command)) => session.carry_out(command, &mut parser, &mut NoMonitor),
            Err(diagnostic) => Reply::Refused(Box::new(diagnostic)),
        };
        faults.extend(Fault::of(&reply, place, text.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, String)> {
        faults(text).into_iter().map(|fault| (&text[fault.start..fault.end], fault.message)).collect()
    }

    #[test]
    fn faults_are_where_they_are_in_a_text_that_is_not_ascii() {
        let text =
            "; größer\n(declare-const |é| Bool)\n(assert (or |é| zwei))(assert (and |é| #b1))(check-sat)";
        let found = found(text);
        assert_eq!(found.iter().map(|(part, _)| *part).collect::<Vec<_>>(), ["zwei", "#b1"]);
        assert!(found[0].1.starts_with("expected a declared"), "{}", found[0].1);
    }

    #[test]
    fn nothing_is_solved_and_levels_are_kept() {
        // A check of this would take years; the second `y` is declared on another level.
        let text = "(declare-const x (_ BitVec 256))(push 1)(declare-const y (_ BitVec 256))
            (assert (= (bvmul x y) (bvadd (bvmul y y y) (bvmul x x x))))(check-sat)(get-model)(pop 1)
            (assert (= y y))(pop 2)(set-option :frobnicate 1)(set-logic LRA)(exit)(nonsense";
        let found = found(text);
        assert_eq!(
            found.iter().map(|(part, _)| *part).collect::<Vec<_>>(),
            ["y", "(pop 2)", "(set-option :frobnicate 1)", "(set-logic LRA)"]
        );
        assert_eq!(found[1].1, "expected at most 0 levels to pop, found 2");
        assert_eq!(faults(text)[2].severity, Severity::Warning);
    }

    #[test]
    fn broken_texts_have_a_fault_and_an_end() {
        for text in ["(", ")", "(assert", "\"", "|", "a b c", "(a) (b \"", "é", "((((", "(assert (let ((x"] {
            let faults = faults(text);
            assert!(!faults.is_empty() && faults.len() < 4, "{text}: {faults:?}");
            let is_a_part = |fault: &Fault| text.get(fault.start..fault.end).is_some();
            assert!(faults.iter().all(is_a_part), "{text}: {faults:?}");
        }
        assert!(faults("").is_empty() && faults(" ; nothing\n").is_empty());
        assert!(faults("(assert (and true")[0].message.ends_with("is not closed"));
    }
}
