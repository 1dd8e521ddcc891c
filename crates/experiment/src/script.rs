//! What an SMT-LIB 2 file says about itself, found without parsing it: logic, number of checks, scopes,
//! statuses.
//!
//! A selection such as "single-check QF_BV" has to look into thousands of files before anything runs, so this
//! reads only the first three tokens of each top-level command. It knows exactly as much of the lexical rules
//! as that takes: comments (`;` to the end of the line), strings (`"` doubled inside), quoted symbols
//! (`|...|`) and parentheses. One pass, no recursion, memory for three tokens. Files of other formats ask one
//! question, and have no such commands: they scan as one check.

/// What one script says about itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The logic it sets, if it does.
    pub logic: Option<String>,
    /// Number of `check-sat` and `check-sat-assuming`.
    pub checks: usize,
    /// Whether it has `push`, `pop` or `check-sat-assuming`.
    pub scoped: bool,
    /// For each check the `:status` stated since the check before.
    pub stated: Vec<Option<String>>,
}

impl Script {
    /// Reads the text of a script.
    pub fn scan(text: &[u8]) -> Self {
        let mut script = Self::default();
        let (mut status, mut is_over) = (None, false);
        for_each_command(text, |words| match *words {
            _ if is_over => {}
            [b"exit", ..] => is_over = true,
            [b"set-logic", logic, ..] => script.logic = Some(lossy(logic)),
            [b"set-info", b":status", value] => status = Some(lossy(value)),
            [b"push" | b"pop", ..] => script.scoped = true,
            [name @ (b"check-sat" | b"check-sat-assuming"), ..] => {
                script.checks += 1;
                script.scoped |= name == b"check-sat-assuming";
                script.stated.push(status.take());
            }
            _ => {}
        });
        script
    }

    /// Whether it asks once, and nothing is pushed or assumed.
    pub fn is_single_check(&self) -> bool {
        self.checks == 1 && !self.scoped
    }

    /// The stated statuses as the index writes them (`sat`, or `sat,unsat`), if each check has one.
    pub fn status(&self) -> Option<String> {
        let all: Option<Vec<&str>> = self.stated.iter().map(Option::as_deref).collect();
        all.filter(|all| !all.is_empty() && !all.contains(&"unknown")).map(|all| all.join(","))
    }
}

fn lossy(token: &[u8]) -> String {
    String::from_utf8_lossy(token).into_owned()
}

/// Calls `each` with the first tokens (at most three) of every top-level command.
fn for_each_command<'t>(text: &'t [u8], mut each: impl FnMut(&[&'t [u8]])) {
    let mut words: Vec<&[u8]> = Vec::with_capacity(3);
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at = token_end(text, at);
        match text[start] {
            b'(' => depth += 1,
            b')' => {
                if depth == 1 {
                    each(&words);
                    words.clear();
                }
                depth = depth.saturating_sub(1);
            }
            b';' => {}
            c if c.is_ascii_whitespace() => {}
            _ if depth == 1 && words.len() < 3 => words.push(&text[start..at]),
            _ => {}
        }
    }
}

/// The end of the token that starts at `at`; whitespace and parentheses are tokens of one byte.
fn token_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at + 1..];
    let until = |stop: fn(u8) -> bool| rest.iter().position(|&c| stop(c));
    let past = |found: Option<usize>| found.map_or(text.len(), |n| at + n + 2);
    match text[at] {
        b'(' | b')' => at + 1,
        c if c.is_ascii_whitespace() => at + 1,
        b';' => past(until(|c| c == b'\n')),
        // A doubled quote inside a string scans as two adjacent strings, which is all that matters here.
        b'"' => past(until(|c| c == b'"')),
        b'|' => past(until(|c| c == b'|')),
        _ => until(|c| c.is_ascii_whitespace() || b"();\"|".contains(&c)).map_or(text.len(), |n| at + n + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Script {
        Script::scan(text.as_bytes())
    }

    #[test]
    fn a_plain_script_asks_once() {
        let script = scan("(set-logic QF_BV)\n(set-info :status unsat)\n(assert false)\n(check-sat)\n(exit)");
        assert_eq!(script.logic.as_deref(), Some("QF_BV"));
        assert_eq!(script.status().as_deref(), Some("unsat"));
        assert!(script.is_single_check());
    }

    #[test]
    fn comments_strings_and_quoted_symbols_hide_commands() {
        let script = scan(
            "; (push 1)\n(set-info :source |(push 1) ; (check-sat)|)\n(echo \"(check-sat) \"\" (pop 1)\")(check-sat); (push 1)",
        );
        assert!(script.is_single_check(), "{script:?}");
    }

    #[test]
    fn commands_inside_terms_are_not_commands() {
        assert_eq!(scan("(assert (check-sat)) (define-fun push () Bool true)").checks, 0);
    }

    #[test]
    fn scopes_assumptions_and_two_checks_are_several_questions() {
        for text in [
            "(push 1)(check-sat)",
            "(check-sat)(pop)",
            "(check-sat-assuming (a))",
            "(check-sat)(check-sat)",
            "(assert true)",
        ] {
            assert!(!scan(text).is_single_check(), "{text}");
        }
    }

    #[test]
    fn statuses_are_kept_check_by_check() {
        let script =
            scan("(set-info :status sat)(check-sat)(set-info :status unsat)( check-sat )(check-sat)");
        assert_eq!(script.stated, [Some("sat".to_owned()), Some("unsat".to_owned()), None]);
        assert_eq!(script.status(), None, "not every check has one");
        assert_eq!(scan("(set-info :status unknown)(check-sat)").status(), None);
        assert_eq!(scan("(set-logic QF_BV)").status(), None);
    }

    #[test]
    fn nothing_is_asked_after_the_exit() {
        let script =
            scan("(set-info :status sat)(check-sat)(exit)(set-info :status unsat)(push 1)(check-sat)");
        assert!(script.is_single_check() && script.status().as_deref() == Some("sat"), "{script:?}");
    }

    #[test]
    fn broken_text_ends_the_scan_quietly() {
        for text in ["(", ")", ")))(check-sat)", "\"", "|", ";", "(check-sat", "(set-info :status"] {
            let _ = scan(text);
        }
        assert_eq!(scan(")))(check-sat)").checks, 1);
    }
}
