//! An external solver: a command that reads a script from a file or from its standard input.
//!
//! A command is written as in a shell (the library `shlex` cuts it into words). A word `{}`, or `{}`
//! within a word, is replaced by the name of a file that holds the script (`scratch.rs`), which is removed
//! afterwards; without it the script goes to standard input.
//!
//! *Many scripts at once.* Starting a solver often costs more than a small script. A command that understands
//! `(reset)` can be asked about many scripts by one process: they are joined with a reset and an `echo` of a
//! mark between them. Only flawless stretches count: a script that was answered by exactly its checks and no
//! error. All others are asked again alone, so that the state a solver drags along, a crash or a hang costs
//! work and never a verdict. Where the process ended early, another one goes on behind the script that it
//! ended at. Where a solver is known to repeat its refusals, errors and `unknown` may count as well
//! ([`Command::with_flaws`]); a script that a process ended at without an error is always asked again.

use crate::crash;
use crate::key::Key;
use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::output;
use crate::process;
use crate::questions::{Question, questions};
use crate::reply::{Ending, Reply};
use crate::scratch;
use bivalve_limits::Cancel;
use std::path::PathBuf;
use std::process::Command as Program;

/// A solver that is a program.
#[derive(Clone, Debug)]
pub struct Command {
    name: String,
    words: Vec<String>,
    limits: Limits,
    batch: usize,
    flaws_count: bool,
}

/// What stands for the file.
const FILE: &str = "{}";

/// The mark between scripts of one process, before their number.
const MARK: &str = "bivalve-mark-";

impl Command {
    /// The command of this text, called by `name` in tables.
    ///
    /// # Errors
    /// A sentence, when the text has no word or a quote that is not closed.
    pub fn new(name: &str, text: &str, limits: Limits) -> Result<Command, String> {
        Command::of_words(name, words(text)?, limits)
    }

    /// The same of words that are cut already.
    ///
    /// # Errors
    /// A sentence, when there is no word.
    pub fn of_words(name: &str, words: Vec<String>, limits: Limits) -> Result<Command, String> {
        if words.is_empty() {
            return Err("expected a command, found nothing".to_owned());
        }
        Ok(Command { name: name.to_owned(), words, limits, batch: 1, flaws_count: false })
    }

    /// The same with further words behind the program, before the file: options.
    #[must_use]
    pub fn with_options<S: AsRef<str>>(mut self, options: impl IntoIterator<Item = S>) -> Command {
        let at = self.words.iter().position(|word| word.contains(FILE)).unwrap_or(self.words.len());
        let options: Vec<String> = options.into_iter().map(|option| option.as_ref().to_owned()).collect();
        self.words.splice(at..at, options);
        self
    }

    /// The same under other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Command {
        Command { limits, ..self }
    }

    /// The same, but up to `count` scripts go to one process, if the solver understands `(reset)` and `(echo
    /// "...")`.
    #[must_use]
    pub fn with_batches(mut self, count: usize) -> Command {
        self.batch = count.max(1);
        self
    }

    /// The same, but errors and `unknown` among many scripts count and are not asked for again alone.
    #[must_use]
    pub fn with_flaws(mut self) -> Command {
        self.flaws_count = true;
        self
    }

    /// Where its program is.
    ///
    /// # Errors
    /// A sentence, when there is no such program, or it may not be executed.
    pub fn program(&self) -> Result<PathBuf, String> {
        let word = &self.words[0];
        which::which(word).map_err(|error| format!("{}: cannot be started: '{word}': {error}", self.name))
    }

    /// What it may use for one script.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    fn run(&self, script: &str, limits: Limits, cancel: &Cancel) -> Reply {
        let mut file = None;
        if self.words.iter().any(|word| word.contains(FILE)) {
            match scratch::write(script) {
                Ok(written) => file = Some(written),
                Err(error) => return Reply::ended(Ending::NotStarted(format!("a temporary file: {error}"))),
            }
        }
        let path = file.as_ref().map(|path| path.to_string_lossy().into_owned());
        let word =
            |word: &String| path.as_ref().map_or_else(|| word.clone(), |path| word.replace(FILE, path));
        let mut program = Program::new(word(&self.words[0]));
        program.args(self.words[1..].iter().map(word));
        let input = if file.is_some() { "" } else { script };
        let outcome = process::run(&mut program, input.as_bytes(), limits, cancel);
        let ending = outcome.cause();
        Reply { output: outcome.output, stderr: outcome.stderr, time: outcome.time, ..Reply::ended(ending) }
    }

    /// Several scripts by one process: replies as far as it came, `None` for those that have to be asked
    /// again alone.
    fn ask_together(&self, scripts: &[&str], cancel: &Cancel) -> Vec<Option<Reply>> {
        let mut text = String::new();
        for (number, script) in scripts.iter().enumerate() {
            text += script.trim_end().trim_end_matches("(exit)");
            text += &format!("\n(echo \"{MARK}{number}\")\n(reset)\n");
        }
        // Most scripts are easy; one that is not may use up its time, and then the rest is asked again.
        let slack = (self.limits.time / 20).saturating_mul(scripts.len() as u32);
        let limits = Limits { time: self.limits.time.saturating_add(slack), ..self.limits };
        let whole = self.run(&text, limits, cancel);
        let share = whole.time / scripts.len().max(1) as u32;
        let mut rest = &whole.output[..];
        let mut replies = vec![];
        for (number, script) in scripts.iter().enumerate() {
            let mark = format!("{MARK}{number}");
            let Some(at) = rest.find(&mark) else {
                // Here the process ended.
                let refused = Reply { time: share, ..Reply::read(script, rest) };
                let is_refused = self.flaws_count
                    && matches!(whole.ending, Ending::Exited(_))
                    && !refused.errors.is_empty();
                replies.push(is_refused.then_some(refused));
                return replies;
            };
            let part = rest[..at].trim_end_matches('"');
            rest = rest[at + mark.len()..].trim_start_matches('"');
            let reply = Reply { time: share, ..Reply::read(script, part) };
            let counts = self.flaws_count && (reply.verdict().is_some() || !reply.errors.is_empty());
            replies.push((counts || is_flawless(script, &reply)).then_some(reply));
        }
        replies
    }
}

/// Whether each check of a script among others was answered, without an error.
fn is_flawless(script: &str, reply: &Reply) -> bool {
    let checks = questions(script).into_iter().filter(|&question| question == Question::Check).count();
    let is_clean = crash::ending(Ending::Exited(0), &reply.output, "") == Ending::Exited(0);
    let is_decided = reply.checks.iter().all(|check| check.verdict.is_definite());
    is_clean && is_decided && reply.errors.is_empty() && reply.checks.len() == checks
}

impl Oracle for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Key {
        let Command { words, limits, batch, flaws_count, .. } = self;
        let build = self.program().ok().and_then(|path| Key::of_file(&path).ok()).unwrap_or_default();
        let rest = format!("{limits:?} {batch} {flaws_count}");
        Key::of([build.as_str(), &rest].into_iter().chain(words.iter().map(String::as_str)))
    }

    fn ask(&self, script: &str, cancel: &Cancel) -> Reply {
        let mut reply = self.run(script, self.limits, cancel);
        output::read(script, &mut reply);
        reply
    }

    fn mixes(&self) -> bool {
        self.batch > 1
    }

    fn ask_all(&self, scripts: &[&str], cancel: &Cancel) -> Vec<Reply> {
        let mut replies: Vec<Reply> = vec![];
        while replies.len() < scripts.len() {
            let rest = &scripts[replies.len()..];
            let some = &rest[..rest.len().min(self.batch)];
            let together = match some {
                [_] => vec![None],
                _ => self.ask_together(some, cancel),
            };
            let alone =
                |(reply, script): (Option<Reply>, &&str)| reply.unwrap_or_else(|| self.ask(script, cancel));
            replies.extend(together.into_iter().zip(some).map(alone));
        }
        replies
    }
}

/// The words of a command, as a shell would cut them: blanks separate, quotes and backslashes keep together.
///
/// # Errors
/// A sentence, when a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    shlex::split(text).ok_or_else(|| format!("a quote is not closed, or a backslash ends the text: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_in_a_shell() {
        assert_eq!(words("z3  -T:10 {}").unwrap(), ["z3", "-T:10", "{}"]);
        assert_eq!(words("a 'b c' \"d \\\" e\"f '' g\\ h").unwrap(), ["a", "b c", "d \" ef", "", "g h"]);
        assert!(words("a 'b").is_err());
        assert_eq!(words(" ").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn options_stand_before_the_file() {
        let command = Command::new("z3", "z3 -smt2 {}", Limits::default()).unwrap().with_options(["-T:1"]);
        assert_eq!(command.words, ["z3", "-smt2", "-T:1", "{}"]);
    }
}
