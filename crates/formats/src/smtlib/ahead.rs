//! A look at what follows: whether a script asks for anything more.
//!
//! Where it does not, models, cores and the state of the solver cannot be observed, and a check may be
//! carried out in ways that leave other ones from run to run. Only `(exit)`, `(pop)` and the end of the
//! input are known to ask nothing. The look goes no further than [`FAR`] bytes, and is for files and texts,
//! since on a pipe it would wait.

use crate::smtlib::parser::Parser;
use std::io::Read;

/// Bytes that are looked at, at most.
const FAR: usize = 1 << 12;

impl<R: Read> Parser<R> {
    /// Whether nothing follows that could tell what the last check has found, or what it has changed.
    /// `false` unless the parser is [`looking_ahead`](Parser::looking_ahead).
    pub fn asks_nothing_more(&mut self) -> bool {
        let source = &mut self.source;
        while self.looks_ahead && source.text().len() < source.next + FAR {
            match source.fill(&mut self.input) {
                Ok(true) => {}
                Ok(false) => return asks_nothing(&source.text()[source.next..]),
                Err(_) => return false,
            }
        }
        false
    }
}

/// Whether a text consists of levels closed and an end.
fn asks_nothing(mut rest: &[u8]) -> bool {
    loop {
        rest = rest.trim_ascii_start();
        match rest.first() {
            None => return true,
            Some(b';') => match rest.iter().position(|byte| b"\r\n".contains(byte)) {
                Some(end) => rest = &rest[end..],
                None => return true,
            },
            Some(b'(') => {
                let Some(end) = rest.iter().position(|&byte| byte == b')') else { return false };
                let mut words = rest[1..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                match (words.next(), words.next(), words.next()) {
                    (Some(b"exit"), None, None) => return true,
                    (Some(b"pop"), levels, None)
                        if levels.is_none_or(|levels| levels.iter().all(u8::is_ascii_digit)) => {}
                    _ => return false,
                }
                rest = &rest[end + 1..];
            }
            Some(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::ParserOptions;
    use bivalve_terms::Pool;

    #[test]
    fn only_an_end_asks_nothing() {
        for rest in ["(exit)", " ; a remark\n(pop 1)\r\n( exit ) (check-sat)", "(pop)\n", "", "; to the end"]
        {
            assert!(asks_nothing(rest.as_bytes()), "{rest}");
        }
        for rest in ["(get-model)", "(pop x)", "(exit", "(push 1)(exit)", "exit", "(echo \"(exit)\")", ")"] {
            assert!(!asks_nothing(rest.as_bytes()), "{rest}");
        }
    }

    #[test]
    fn a_parser_looks_ahead_if_it_is_told_to() {
        let asks_nothing = |text: &str, looks_ahead: bool| {
            let parser = Parser::new(text.as_bytes(), "script", ParserOptions::default());
            let mut parser = if looks_ahead { parser.looking_ahead() } else { parser };
            let command = parser.next_command(&mut Pool::new());
            assert!(command.is_ok_and(|command| command.is_some()));
            let answer = parser.asks_nothing_more();
            assert_eq!(parser.location(), (1, 1));
            answer
        };
        assert!(asks_nothing("(check-sat)\n", true));
        assert!(!asks_nothing("(check-sat)\n", false), "a pipe may bring more");
        assert!(!asks_nothing(&format!("(check-sat){}(exit)", " ".repeat(FAR)), true));
        assert!(!asks_nothing("(check-sat)\n(get-value (x))(exit)", true));
    }
}
