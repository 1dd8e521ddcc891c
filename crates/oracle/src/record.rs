//! What a campaign remembers of a case: one line of JSON.
//!
//! The log of a campaign is its state. A line is written when all solvers have answered a case, so a campaign
//! that was interrupted goes on where it stopped, and what was found so far can be read by any program at any
//! time. A last line that was cut off in the middle is no record.

use crate::judge::{Judgement, Kind};
use crate::reply::Verdict;
use serde::{Deserialize, Serialize};

/// A case and what the solvers made of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The name of the case.
    pub case: String,
    /// The row of the table it counts in.
    pub group: String,
    /// The true verdict of the last check, if there is one: `sat` or `unsat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What is wrong with the case, or that nobody knows who is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// One for each solver.
    pub results: Vec<Entry>,
}

/// What one solver made of a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub solver: String,
    /// Options it was given for this case.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// Its verdicts.
    pub verdicts: Vec<String>,
    /// Microseconds of wall-clock time; a share where it was asked about several cases at once.
    pub us: u64,
    /// What that is worth.
    #[serde(flatten)]
    pub judgement: Judgement,
}

impl Record {
    /// As a line of a log, with its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("records have string keys and finite numbers") + "\n"
    }

    /// The record of a line; `None` if it is none.
    pub fn parse(line: &str) -> Option<Record> {
        serde_json::from_str(line).ok()
    }

    /// Should somebody look at it?
    pub fn is_finding(&self) -> bool {
        self.remark.is_some() || self.results.iter().any(|entry| entry.judgement.is_finding())
    }

    /// Did every solver pass, or at least say nothing wrong?
    pub fn count(&self, kind: Kind) -> usize {
        self.results.iter().filter(|entry| entry.judgement.kind == kind).count()
    }
}

/// Verdicts as words.
pub(crate) fn words(verdicts: &[Verdict]) -> Vec<String> {
    verdicts.iter().map(|verdict| verdict.word().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_lines() {
        let judgement =
            Judgement { kind: Kind::IM, crash: false, imprecise: false, detail: "x\ny".to_owned() };
        let entry = Entry {
            solver: "z3".to_owned(),
            options: String::new(),
            verdicts: words(&[Verdict::Sat]),
            us: 7,
            judgement,
        };
        let record = Record {
            case: "a".to_owned(),
            group: "b".to_owned(),
            expected: Some("sat".to_owned()),
            remark: None,
            results: vec![entry],
        };
        let line = record.line();
        assert_eq!(line.lines().count(), 1);
        assert_eq!(Record::parse(&line), Some(record.clone()));
        assert_eq!(Record::parse(&line[..line.len() / 2]), None);
        assert!(record.is_finding());
    }
}
