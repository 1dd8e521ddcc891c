//! The questions of a script: the commands that are answered by a text of their own, in order.

use bivalve_formats::sexpr::{head, items};

/// A command that is answered by a text of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// `check-sat`, `check-sat-assuming`.
    Check,
    /// `get-model`.
    Model,
    /// `get-value`.
    Values,
    /// `get-unsat-core`.
    Core,
    /// `get-unsat-assumptions`.
    Failed,
    /// `echo`, `get-info` and so on.
    Other,
}

/// The questions of a script, in order.
pub fn questions(script: &str) -> Vec<Question> {
    items(script).filter_map(|command| question(head(command))).collect()
}

fn question(command: &str) -> Option<Question> {
    match command {
        "check-sat" | "check-sat-assuming" => Some(Question::Check),
        "get-model" => Some(Question::Model),
        "get-value" => Some(Question::Values),
        "get-unsat-core" => Some(Question::Core),
        "get-unsat-assumptions" => Some(Question::Failed),
        "echo" | "get-info" | "get-option" | "get-assertions" | "get-assignment" | "get-proof" => {
            Some(Question::Other)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_found() {
        let script =
            "(check-sat)(get-model) ; (check-sat)\n(get-value (a b))(echo \"(check-sat)\")(get-unsat-core)";
        assert_eq!(
            questions(script),
            [Question::Check, Question::Model, Question::Values, Question::Other, Question::Core]
        );
    }
}
