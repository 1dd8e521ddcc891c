//! Words that give a crash away.
//!
//! A process that dies by a signal has crashed, whatever it printed. Others catch their own failures, print a
//! sentence and exit: assertion failures, panics, exceptions without a handler. These are crashes, too, and
//! must not be taken for a polite refusal. The list below is what solvers and their runtimes print; it is
//! looked for in standard error, and in standard output where a solver prints it there as an error.
//!
//! Running out of memory is no crash: it is a limit.

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
    "(error \"internal: ",
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

/// How a run really ended whose process ended as given.
pub(crate) fn ending(ending: Ending, output: &str, complaints: &str) -> Ending {
    if !matches!(ending, Ending::Exited(_) | Ending::Signal(_)) {
        return ending;
    }
    let says = |words: &&&str| complaints.contains(**words) || output.contains(**words);
    if EXHAUSTIONS.iter().any(|words| says(&words)) {
        return Ending::OutOfMemory;
    }
    match (CRASHES.iter().find(says), ending) {
        (Some(words), Ending::Exited(_)) => Ending::Crashed(line_with(words, complaints, output)),
        (_, ending) => ending,
    }
}

/// The line that has the words, shortened.
fn line_with(words: &str, complaints: &str, output: &str) -> String {
    let line = complaints.lines().chain(output.lines()).find(|line| line.contains(words)).unwrap_or(words);
    line.trim().chars().take(200).collect()
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
    }
}
