//! The status that a script states of its next check, by `(set-info :status ...)`, compared with the answer.
//!
//! Benchmarks state what their checks answer. Another answer is a fault of the solver or of the script, and
//! told in either case: as a warning, or as an error where the standard is kept.

use crate::frontend::Frontend;
use crate::reply::Reply;
use crate::session::Session;
use bivalve::CheckResult;
use bivalve_formats::smtlib::AttributeValue;

impl Session {
    /// How the last check was answered, where the script states another status of it: a warning with the
    /// place of the check.
    pub fn mismatch(&self) -> Option<&str> {
        self.mismatch.as_deref()
    }

    /// Notes the status that is stated, which is about the next check.
    pub(crate) fn state(&mut self, keyword: &str, value: Option<&AttributeValue>, input: &dyn Frontend) {
        if keyword == ":status" {
            let stated = match value.map(AttributeValue::text) {
                Some("sat") => Some(CheckResult::Sat),
                Some("unsat") => Some(CheckResult::Unsat),
                _ => None,
            };
            self.stated = stated.map(|stated| (stated, input.place()));
        }
    }

    /// The reply to a check, compared with what is stated of it.
    pub(crate) fn compared(&mut self, reply: Reply, input: &dyn Frontend) -> Result<Reply, Reply> {
        self.mismatch = None;
        let (Reply::Checked(answer), Some((stated, place))) = (&reply, self.stated.take()) else {
            return Ok(reply);
        };
        if *answer == stated || matches!(answer, CheckResult::Unknown(_)) {
            return Ok(reply);
        }
        let word = |answer| if answer == CheckResult::Sat { "sat" } else { "unsat" };
        let text = format!("expected '{}', as stated at {place}, found '{}'", word(stated), word(*answer));
        if self.config.strict {
            return Err(Reply::Error(text));
        }
        self.mismatch = Some(format!("{}: warning: {text}", input.place()));
        Ok(reply)
    }
}
