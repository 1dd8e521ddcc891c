//! What an SMT-LIB 2 file states, found without parsing it: logic, number of checks, scopes,
//! statuses.
//!
//! A selection such as "single-check QF_BV" looks into thousands of files before anything runs, so a script
//! is only cut into its commands ([`bivalve_formats::sexpr`]): one pass, no recursion. Files of other formats
//! ask one question, and have no such commands: they scan as one check.

use bivalve_formats::sexpr::{head, items, list};

/// What one script states.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The logic it sets, if it does.
    pub logic: Option<String>,
    /// Number of `check-sat`, `check-sat-assuming` and `check-sat-using`.
    pub checks: usize,
    /// Whether it has `push`, `pop` or `check-sat-assuming`.
    pub scoped: bool,
    /// For each check the `:status` stated since the check before.
    pub stated: Vec<Option<String>>,
}

impl Script {
    /// Reads the text of a script.
    pub fn scan(text: &[u8]) -> Self {
        let (mut script, mut status) = (Self::default(), None);
        for command in items(&String::from_utf8_lossy(text)) {
            let argument = |n: usize| list(command).and_then(|mut parts| parts.nth(n));
            match head(command) {
                "exit" => break,
                "set-logic" => script.logic = argument(1).map(str::to_owned),
                "set-info" if argument(1) == Some(":status") => status = argument(2).map(str::to_owned),
                "push" | "pop" => script.scoped = true,
                name @ ("check-sat" | "check-sat-assuming" | "check-sat-using") => {
                    script.checks += 1;
                    script.scoped |= name == "check-sat-assuming";
                    script.stated.push(status.take());
                }
                _ => {}
            }
        }
        script
    }

    /// Whether it asks once, and nothing is pushed or assumed.
    pub fn is_single_check(&self) -> bool {
        self.checks == 1 && !self.scoped
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
        assert_eq!(script.stated, [Some("unsat".to_owned())]);
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
    }

    #[test]
    fn nothing_is_asked_after_the_exit() {
        let script =
            scan("(set-info :status sat)(check-sat)(exit)(set-info :status unsat)(push 1)(check-sat)");
        assert!(script.is_single_check() && script.stated == [Some("sat".to_owned())], "{script:?}");
    }

    #[test]
    fn broken_text_ends_the_scan_quietly() {
        for text in ["(", ")", ")))(check-sat)", "\"", "|", ";", "(check-sat", "(set-info :status"] {
            let _ = scan(text);
        }
        assert_eq!(scan(")))(check-sat)").checks, 1);
    }
}
