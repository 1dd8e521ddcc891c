//! Words that give a crash away.
//!
//! A process that dies by a signal has crashed, whatever it printed. Others catch their own failures, print a
//! sentence and exit: assertion failures, panics, exceptions without a handler. These are crashes, too, and
//! must not be taken for a polite refusal. The list below is what solvers and their runtimes print.
//!
//! It is looked for in standard error. Standard output consists of answers, in which a symbol may be called
//! `Aborted` or `|out of memory|`, so only two parts of it are searched: the messages of `(error ...)`
//! without what is quoted in them, for phrases that are no symbol; and, where the process did not end with 0,
//! lines that are no answer.
//!
//! Running out of memory is no crash: it is a limit.

use crate::output::{answers, error_message};
use crate::reply::Ending;

/// What broken programs say.
const CRASHES: &[&str] = &[
    "Assertion `",
    "Assertion failed",
    "assertion failed:",
    "ASSERTION VIOLATION",
    "UNEXPECTED CODE WAS REACHED",
    "Fatal failure within",
    "Fatal error:",
    "Check failure",
    "Unhandled case encountered",
    "unreachable code",
    "Unreachable code reached",
    "internal error",
    "Internal error",
    "internal: ",
    "terminate called",
    "panicked at",
    "Segmentation fault",
    "Aborted",
    "core dumped",
    "AddressSanitizer",
    "runtime error:",
    "pure virtual method called",
    "stack smashing detected",
    "double free or corruption",
    "free(): invalid",
    "Traceback (most recent call last)",
];

/// What programs say whose memory is used up.
const EXHAUSTIONS: &[&str] =
    &["std::bad_alloc", "out of memory", "Out of memory", "memory allocation of", "MemoryError"];

/// How a run ended whose process ended as given: what was printed may show a crash, or memory used up.
pub(crate) fn ending(ending: Ending, output: &str, stderr: &str) -> Ending {
    if !matches!(ending, Ending::Exited(_) | Ending::Signal(_)) {
        return ending;
    }
    let suspicious = suspicious(output, ending != Ending::Exited(0));
    let text = || stderr.lines().chain(suspicious.iter().map(String::as_str));
    let line_with = |words: &[&str]| text().find(|line| words.iter().any(|words| line.contains(words)));
    if line_with(EXHAUSTIONS).is_some() {
        return Ending::OutOfMemory;
    }
    match (line_with(CRASHES), ending) {
        (Some(line), Ending::Exited(_)) => Ending::Crashed(line.trim().chars().take(200).collect()),
        (_, ending) => ending,
    }
}

/// The parts of standard output that are no answers to questions.
fn suspicious(output: &str, failed: bool) -> Vec<String> {
    let part = |answer: &str| match error_message(answer) {
        Some(message) => Some(unquoted(&message)).filter(|message| !names_one_word(message)),
        None => Some(answer.to_owned()).filter(|answer| failed && !answer.starts_with(['(', '"'])),
    };
    answers(output).filter_map(part).collect()
}

/// Whether the only sign of a crash in a message is a word that a symbol may be.
fn names_one_word(message: &str) -> bool {
    let phrases = CRASHES.iter().chain(EXHAUSTIONS).filter(|words| message.contains(**words));
    let is_symbol = |words: &str| words.bytes().all(|byte| byte.is_ascii_alphanumeric());
    phrases.clone().count() > 0 && phrases.clone().all(|words| is_symbol(words))
}

/// A message without the symbols that are quoted in it by bars or by apostrophes.
fn unquoted(message: &str) -> String {
    ['|', '\''].into_iter().fold(message.to_owned(), |text, quote| {
        let parts: Vec<&str> = text.split(quote).collect();
        // An apostrophe without its like quotes nothing.
        if parts.len().is_multiple_of(2) { text } else { parts.into_iter().step_by(2).collect() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_programs_give_themselves_away() {
        let crash = ending(Ending::Exited(1), "sat\n", "x\nFatal failure within f() at g.cpp:1\n");
        assert_eq!(crash, Ending::Crashed("Fatal failure within f() at g.cpp:1".to_owned()));
        assert_eq!(ending(Ending::Exited(1), "(error \"unknown symbol\")", ""), Ending::Exited(1));
        assert_eq!(ending(Ending::Signal(6), "", "Aborted"), Ending::Signal(6));
        assert_eq!(ending(Ending::Signal(6), "", "what():  std::bad_alloc"), Ending::OutOfMemory);
        assert_eq!(ending(Ending::TimedOut, "", "panicked at"), Ending::TimedOut);
        let crash = ending(Ending::Exited(114), "ASSERTION VIOLATION\nFile: x.cpp\n", "");
        assert_eq!(crash, Ending::Crashed("ASSERTION VIOLATION".to_owned()));
        let crash = ending(Ending::Exited(1), "(error \"internal: circuit and meaning differ\")", "");
        assert!(matches!(crash, Ending::Crashed(_)), "{crash:?}");
        assert_eq!(ending(Ending::Exited(1), "(error \"out of memory\")", ""), Ending::OutOfMemory);
    }

    #[test]
    fn symbols_may_be_called_what_broken_programs_print() {
        for output in [
            "sat\n((Aborted #b1)\n (|out of memory| #b0))\n",
            "sat\n(\n(define-fun |Segmentation fault| () Bool true)\n)\n",
            "unsat\n(Aborted MemoryError)\n",
            "out of memory\nsat\n",
        ] {
            assert_eq!(ending(Ending::Exited(0), output, ""), Ending::Exited(0), "{output}");
        }
        for message in
            ["unknown constant Aborted", "|out of memory| is not declared", "found 'internal error'"]
        {
            let output = format!("(error \"{message}\")\n");
            assert_eq!(ending(Ending::Exited(1), &output, ""), Ending::Exited(1), "{message}");
        }
    }
}
