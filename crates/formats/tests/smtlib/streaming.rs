//! Input that comes in pieces.

use crate::smtlib::transcript::{LENIENT, corpus, read};
use bivalve_formats::smtlib::{Command, Limited, Parser, ParserOptions};
use bivalve_formats::{Diagnostic, DiagnosticKind};
use bivalve_limits::Why;
use bivalve_terms::Pool;
use std::io::{self, Read};

/// Gives out `chunk` bytes a call.
pub(crate) struct Dripping<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) chunk: usize,
}

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.chunk.min(self.text.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.text[..count]);
        self.text = &self.text[count..];
        Ok(count)
    }
}

/// A client that sends a command and then waits: reading more is a deadlock.
struct Waiting<'a> {
    messages: Vec<&'a str>,
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        assert!(!self.messages.is_empty(), "the reader waits for more than the command");
        let message = self.messages.remove(0);
        buffer[..message.len()].copy_from_slice(message.as_bytes());
        Ok(message.len())
    }
}

/// An input that fails after some text.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::other("the disk is gone"));
        }
        self.0.read(buffer)
    }
}

#[test]
fn a_command_is_complete_at_its_closing_parenthesis() {
    let messages = [
        "(set-logic QF_BV)",
        "(declare-const x (_ BitVec 8))",
        "(assert (= x",
        " #x00))",
        "(echo \"a\"\"b\")",
        "(exit)",
    ];
    let mut parser = Parser::new(Waiting { messages: messages.to_vec() }, "pipe", LENIENT);
    let mut pool = Pool::new();
    for _ in 0..messages.len() - 1 {
        parser.next_command(&mut pool).expect("a good command").expect("a command");
    }
}

#[test]
fn a_refused_command_is_answered_at_its_closing_parenthesis_too() {
    let messages = ["(assert (= x #x00))", "(frob 1 (2 \")\" |)| ) ; )\n)", "(check-sat)"];
    let mut parser = Parser::new(Waiting { messages: messages.to_vec() }, "pipe", LENIENT);
    let mut pool = Pool::new();
    assert!(parser.next_command(&mut pool).is_err());
    assert!(parser.next_command(&mut pool).is_err());
    assert_eq!(parser.next_command(&mut pool), Ok(Some(Command::CheckSat)));
}

#[test]
fn a_byte_order_mark_and_carriage_returns_are_no_text() {
    let text = "\u{feff}(declare-const x Bool)\r\n; comment\r\n(assert x)\r\n(assert y)\r\n";
    for chunk in [1, 2, 100] {
        let transcript = read(Dripping { text: text.as_bytes(), chunk }, LENIENT);
        assert_eq!(transcript.commands.len(), 2);
        let refusal = &transcript.refusals[0];
        assert_eq!((refusal.line, refusal.column), (4, 9));
    }
    let transcript = read("\u{feff}(asert true)".as_bytes(), LENIENT);
    assert_eq!((transcript.refusals[0].line, transcript.refusals[0].column), (1, 2));
}

#[test]
fn a_failing_input_is_refused_once_and_then_over() {
    let mut parser = Parser::new(Failing(b"(check-sat)(assert "), "gone", LENIENT);
    let mut pool = Pool::new();
    assert_eq!(parser.next_command(&mut pool), Ok(Some(Command::CheckSat)));
    let refusal = parser.next_command(&mut pool).expect_err("the input fails");
    assert_eq!(refusal.to_string(), "gone:1:20: expected readable input, found an error: the disk is gone");
    assert_eq!(parser.next_command(&mut pool), Ok(None));
}

/// The same commands, terms and refusals, however the text arrives. Only the quotation may be shorter, when
/// the rest of the line has not arrived yet.
#[test]
fn pieces_give_the_same_as_the_whole() {
    let plain = |mut refusal: Diagnostic| {
        refusal.excerpt = None;
        refusal.unclosed.iter_mut().for_each(|opening| opening.excerpt = None);
        refusal
    };
    let mut texts: Vec<Vec<u8>> = corpus(&["parser", "regress"])
        .iter()
        .step_by(23)
        .map(|path| std::fs::read(path).expect("a readable file"))
        .filter(|text| text.len() < 100_000)
        .collect();
    texts.push("(echo \"é\") é (echo \"ab\"\"c\") (get-value ((f |x y| #b01 12.5) ; comment\n))".into());
    for text in texts {
        let whole = read(&text[..], LENIENT);
        for chunk in [1, 7, 4096] {
            let pieces = read(Dripping { text: &text, chunk }, LENIENT);
            assert_eq!(whole.commands, pieces.commands);
            let [left, right] =
                [&whole, &pieces].map(|t| t.refusals.iter().cloned().map(plain).collect::<Vec<_>>());
            assert_eq!(left, right);
            assert_eq!(whole.pool.len(), pieces.pool.len());
        }
    }
}

/// Tokens, comments and pinned text across the border of the window, wherever it falls.
#[test]
fn the_window_moves_over_long_texts() {
    let long = "x".repeat(300_000);
    let text = format!(
        "; {long}\n(declare-const {long} Bool)\n(declare-const |{long} y| Bool)\n\
         (get-value ((and {long} |{long} y|)))(echo \"{long}\"\"{long}\")(assert (or {long} {long}z))"
    );
    for chunk in [1000, usize::MAX] {
        let transcript = read(Dripping { text: text.as_bytes(), chunk }, LENIENT);
        let Some(Command::GetValue(pairs)) = transcript.commands.get(2) else { panic!("get-value") };
        assert_eq!(pairs[0].0, format!("(and {long} |{long} y|)"));
        assert_eq!(transcript.commands[3], Command::Echo(format!("{long}\"{long}")));
        let refusal = &transcript.refusals[0];
        assert_eq!((refusal.line, transcript.refusals.len()), (4, 1));
        assert_eq!(refusal.span.start as usize, text.len() - 300_003);
    }
}

/// What the parser holds is bounded by the longest command's needs, not by the length of the script; places
/// stay right.
#[test]
fn lines_are_counted_across_many_windows() {
    let line = "(assert (or true false)) ; and a comment\n";
    let mut text = line.repeat(40_000);
    text.push_str("(assert fals)\n");
    let transcript = read(text.as_bytes(), LENIENT);
    assert_eq!(transcript.commands.len(), 40_000);
    assert_eq!(
        transcript.refusals[0].render(),
        "error: test.smt2:40001:9: expected a declared constant, found 'fals' (did you mean 'false'?)\n      |\n\
         40001 | (assert fals)\n      |         ^^^^\n"
    );
    // One command of many lines: the place of an early argument is found when the window is far behind it.
    let command = format!("(assert (and\n  #b1\n{}))", "  true\n".repeat(100_000));
    let transcript = read(command.as_bytes(), LENIENT);
    let refusal = &transcript.refusals[0];
    assert_eq!((refusal.line, refusal.column), (2, 3));
    assert!(
        refusal.to_string().ends_with("expected sort Bool as argument 1 of 'and', found sort (_ BitVec 1)")
    );
}

/// Negations without end.
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.iter_mut().zip(b"(not ".iter().cycle().skip(self.0 % 5)).for_each(|(to, byte)| *to = *byte);
        self.0 += buffer.len();
        Ok(buffer.len())
    }
}

#[test]
fn a_command_without_end_ends_at_the_limits() {
    let start = &b"(set-logic QF_BV) (assert (and true "[..];
    let mut parser = Parser::new(start.chain(Endless(0)), "endless", ParserOptions::default());
    let mut pool = Pool::new();
    let mut asked = 0;
    let mut guard = |_| {
        asked += 1;
        (asked > 3).then_some(Why::TimeLimit)
    };
    assert!(matches!(parser.next_written_command(&mut pool, &mut guard), Ok(Some(Command::SetLogic(_)))));
    let refusal = parser.next_written_command(&mut pool, &mut guard).expect_err("it has no end");
    assert_eq!(refusal.kind, DiagnosticKind::Limit, "{refusal}");
    assert!(parser.was_assertion());
    assert_eq!(parser.next_written_command(&mut pool, &mut guard), Ok(None), "nothing is read behind it");
}

/// A client that sends its parts, and says nothing for a while behind each.
struct Slow(Vec<&'static str>, bool);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.0.first() {
            _ if self.1 => Err(io::ErrorKind::TimedOut.into()),
            None => Ok(0),
            Some(&part) => {
                self.0.remove(0);
                part.as_bytes().read(buffer)
            }
        }
    }
}

#[test]
fn silence_in_the_middle_of_a_command_ends_at_the_limits_of_the_run() {
    for middle in ["(assert (", "(ass", "(echo \"", "(assert |", "|stray", "stray", "(check-sat ; why\n"] {
        let mut parser =
            Parser::new(Slow(vec!["(push 1)", "(pop 1)\n", middle], false), "slow", ParserOptions::default());
        let (mut pool, mut asked) = (Pool::new(), vec![]);
        let mut guard = |limited| {
            asked.push(limited);
            (asked.len() > 3).then_some(Why::TimeLimit)
        };
        for command in [Command::Push(1), Command::Pop(1)] {
            assert_eq!(parser.next_written_command(&mut pool, &mut guard), Ok(Some(command)));
        }
        let refusal = parser.next_written_command(&mut pool, &mut guard).expect_err(middle);
        // Behind the last part there is silence once; then the input ends.
        assert_ne!(refusal.kind, DiagnosticKind::Limit, "{middle}: {refusal}");
        // Once for the part, where something is to be built, and once for the silence; never before.
        assert!(asked.len() <= 2 && asked.iter().all(|&asked| asked == Limited::Run), "{middle}: {asked:?}");

        let mut parser = Parser::new(Slow(vec![middle], false), "slow", ParserOptions::default());
        let mut guard = |_| Some(Why::TimeLimit);
        let refusal = parser.next_written_command(&mut pool, &mut guard).expect_err(middle);
        let found = "the end of the command within the limits, found that the time limit has passed";
        assert!(refusal.to_string().contains(found), "{middle}: {refusal}");
        assert_eq!(parser.next_written_command(&mut pool, &mut guard), Ok(None), "{middle}");
    }
}

#[test]
fn a_command_that_drips_ends_at_the_limits() {
    let text = format!("(assert {}", "(not ".repeat(1000));
    let input = Dripping { text: text.as_bytes(), chunk: 1 }.chain(Endless(0));
    let mut parser = Parser::new(input, "dripping", ParserOptions::default());
    let mut asked = 0;
    let mut guard = |_| {
        asked += 1;
        (asked > 1).then_some(Why::TimeLimit)
    };
    let refusal = parser.next_written_command(&mut Pool::new(), &mut guard);
    assert!(refusal.is_err_and(|refusal| refusal.kind == DiagnosticKind::Limit));
    assert!(parser.position() < 100, "{}", parser.position());
}

#[test]
fn beyond_a_limit_nothing_is_built() {
    let script = "(declare-const p Bool)(assert p)(define-fun q () Bool (not p))(check-sat)(reset-assertions)
        (assert (= p |q)|))(check-sat-assuming (p))(assert p";
    for why in [Why::TimeLimit, Why::MemoryLimit] {
        let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
        let (mut pool, mut commands) = (Pool::new(), vec![]);
        for _ in 0..8 {
            commands.push(parser.next_written_command(&mut pool, &mut |_| Some(why)));
        }
        assert_eq!(commands[1], Ok(Some(Command::PassedOver(why))));
        assert_eq!(commands[3], Ok(Some(Command::CheckSat)));
        assert_eq!(commands[5], Ok(Some(Command::PassedOver(why))));
        assert!(parser.was_assertion());
        let unclosed = commands[7].as_ref().expect_err("it has no end");
        assert_eq!(unclosed.kind, DiagnosticKind::Unterminated);
        match why {
            Why::TimeLimit => {
                // What is declared and defined is known, so that a client is told what it asks.
                assert!(matches!(commands[0], Ok(Some(Command::DeclareConst { .. }))));
                assert!(matches!(commands[2], Ok(Some(Command::DefineFun { .. }))));
                assert!(matches!(commands[6], Ok(Some(Command::CheckSatAssuming(_)))));
            }
            _ => {
                let refusal = commands[2].as_ref().expect_err("it needs memory").to_string();
                let text = "expected a command that needs no memory, found 'define-fun' when the memory limit is reached";
                assert!(refusal.ends_with(text), "{refusal}");
            }
        }
    }
}
