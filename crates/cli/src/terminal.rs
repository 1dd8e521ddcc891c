//! Typing a script: a prompt with editing, history and completion, by the line editor `rustyline`.
//!
//! To the parser it is an input like any other. Lines are taken until parentheses, strings and quoted symbols
//! are closed, so that a command is edited as a whole. Ctrl-C clears it, Ctrl-D in an empty one ends the
//! input. What was typed is kept for later sessions in `bivalve/history` of the folder for the state of
//! programs (`$XDG_STATE_HOME`, or `~/.local/state`); without one, for this session. On a terminal that
//! cannot move its cursor (`TERM=dumb`) there is a prompt, and the terminal's own editing.

use bivalve_formats::sexpr::tokens;
use bivalve_formats::smtlib::command_names;
use bivalve_session::{INFO_KEYWORDS, LOGICS, Options};
use rustyline::completion::Completer;
use rustyline::config::{ColorMode, CompletionType};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter, MatchingBracketHighlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Read};
use std::path::PathBuf;
use std::rc::Rc;

const PROMPT: &str = "bivalve> ";

/// Commands that are remembered.
const MOST_REMEMBERED: usize = 1000;

/// The names that terms and sorts are made of, as they are known at the moment.
pub(crate) type Names = Rc<RefCell<Vec<String>>>;

/// What is typed at a terminal.
pub(crate) struct Typed {
    editor: Editor<Assistant, FileHistory>,
    history: Option<PathBuf>,
    /// What the parser has not read yet.
    line: io::Cursor<Vec<u8>>,
}

impl Typed {
    /// A terminal with colours or without; words are completed to `names`.
    ///
    /// # Errors
    ///
    /// When the terminal cannot be used.
    pub(crate) fn new(is_coloured: bool, names: Names) -> io::Result<Typed> {
        let config = Config::builder()
            .max_history_size(MOST_REMEMBERED)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(trouble)?
            .completion_type(CompletionType::List)
            .color_mode(if is_coloured { ColorMode::Enabled } else { ColorMode::Disabled })
            .build();
        let mut editor = Editor::with_config(config).map_err(trouble)?;
        editor.set_helper(Some(Assistant { names, brackets: MatchingBracketHighlighter::new() }));
        let history = history();
        if let Some(path) = &history {
            // There may be none yet.
            let _ = editor.load_history(path);
        }
        Ok(Typed { editor, history, line: io::Cursor::default() })
    }

    /// Waits for the next command, or for several, or for a blank line; empty at the end.
    fn wait(&mut self) -> io::Result<String> {
        loop {
            match self.editor.readline(PROMPT) {
                Ok(line) => {
                    if !line.trim().is_empty() {
                        self.remember(&line);
                    }
                    return Ok(line + "\n");
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(String::new()),
                Err(error) => return Err(trouble(error)),
            }
        }
    }

    /// Keeps a line. It is no trouble if it cannot be kept in the file.
    fn remember(&mut self, line: &str) {
        let _ = self.editor.add_history_entry(line);
        if let Some(path) = &self.history {
            let _ = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            let _ = self.editor.append_history(path);
        }
    }
}

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.line.read(buffer)? {
            0 => {
                self.line = io::Cursor::new(self.wait()?.into_bytes());
                self.line.read(buffer)
            }
            read => Ok(read),
        }
    }
}

/// Where lines are kept.
fn history() -> Option<PathBuf> {
    let folder = |variable| std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("bivalve").join("history"))
}

fn trouble(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

/// What the editor asks about a line.
struct Assistant {
    names: Names,
    brackets: MatchingBracketHighlighter,
}

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match is_complete(context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

/// Shows which parenthesis belongs to that at the cursor.
impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        self.brackets.highlight(line, pos)
    }

    fn highlight_char(&self, line: &str, pos: usize, kind: CmdKind) -> bool {
        self.brackets.highlight_char(line, pos, kind)
    }
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let (start, question) = question(&line[..pos]);
        let word = &line[start..pos];
        let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let mut words: Vec<String> = match question {
            Question::Outside => command_names().map(|name| format!("({name}")).collect(),
            Question::Command => command_names().map(str::to_owned).collect(),
            Question::Logic => own(LOGICS),
            Question::Option => Options::keywords().collect(),
            Question::Info => own(INFO_KEYWORDS),
            Question::Term => self.names.borrow().clone(),
        };
        words.retain(|candidate| match question {
            Question::Outside => !word.is_empty() && candidate[1..].starts_with(word),
            _ => candidate.starts_with(word),
        });
        words.sort_unstable();
        words.dedup();
        Ok((start, words))
    }
}

/// What a word may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    /// No parenthesis is open.
    Outside,
    Command,
    Logic,
    Option,
    Info,
    Term,
}

/// Whether everything that is opened is closed.
fn is_complete(text: &str) -> bool {
    let mut depth = 0_usize;
    for token in tokens(text.as_bytes()) {
        match token.text {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            _ if !token.is_closed => return false,
            _ => {}
        }
    }
    depth == 0
}

/// Where the word at the end of a text begins, and what it may be.
fn question(text: &str) -> (usize, Question) {
    let last = tokens(text.as_bytes()).last().filter(|token| token.range().end == text.len());
    let start = match last {
        Some(token) if token.text != b"(" && token.text != b")" => token.start,
        _ => text.len(),
    };
    // The first words of the lists that are open, and how many words those have.
    let mut open: Vec<(&[u8], usize)> = vec![];
    for token in tokens(&text.as_bytes()[..start]) {
        match token.text {
            b"(" => open.push((b"", 0)),
            b")" => drop(open.pop()),
            _ => {}
        }
        if let Some((head, count)) = open.last_mut().filter(|_| token.text != b"(") {
            if *count == 0 {
                *head = token.text;
            }
            *count += 1;
        }
    }
    let what = match open[..] {
        [] => Question::Outside,
        [(_, 0)] => Question::Command,
        [(b"set-logic", 1)] => Question::Logic,
        [(b"set-option" | b"get-option", 1)] => Question::Option,
        [(b"get-info", 1)] => Question::Info,
        _ => Question::Term,
    };
    (start, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_complete_when_all_is_closed() {
        for text in ["", "(exit)", "; (", "(echo \")\") (check-sat)", ")", "|(|", "(a |)\n(| b)"] {
            assert!(is_complete(text), "{text}");
        }
        for text in ["(", "(assert (= x y)", "(echo \"", "(assert |x", "(a ; )"] {
            assert!(!is_complete(text), "{text}");
        }
    }

    #[test]
    fn a_word_is_completed_to_what_may_stand_there() {
        for (text, start, expected) in [
            ("", 0, Question::Outside),
            ("(check-sat) ch", 12, Question::Outside),
            ("(", 1, Question::Command),
            ("(ass", 1, Question::Command),
            ("(assert (bv", 9, Question::Term),
            ("(assert (= x |a b", 13, Question::Term),
            ("(set-logic QF_", 11, Question::Logic),
            ("(set-option :se", 12, Question::Option),
            ("(set-option :seed ", 18, Question::Term),
            ("(get-info ", 10, Question::Info),
        ] {
            assert_eq!(question(text), (start, expected), "{text}");
        }
    }
}
