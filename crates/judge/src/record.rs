//! What the log of a campaign holds of a case: the replies of all solvers, judged.
//!
//! A record is written when all solvers have answered a case, so a campaign that was interrupted goes on
//! where it stopped, and its log can be read by any program at any time.

use crate::case::Case;
use crate::judge::{Judgement, Kind};
use bivalve_harness::Verdict;
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
    /// What is wrong with the case, or that it is unresolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// One for each solver.
    pub results: Vec<Result>,
}

/// What one solver made of a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Result {
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
    /// The record of a case that could not be made.
    pub(crate) fn of_no_case(name: &str, why: &str) -> Record {
        Record {
            case: name.to_owned(),
            group: String::new(),
            expected: None,
            remark: Some(format!("not a case: {why}")),
            results: vec![],
        }
    }

    /// The same record for a case of the same text.
    pub(crate) fn renamed(&self, case: &Case) -> Record {
        Record { case: case.name.clone(), group: case.group.clone(), ..self.clone() }
    }

    /// Whether something is wrong with a reply or with the case.
    pub fn is_finding(&self) -> bool {
        self.remark.is_some() || self.results.iter().any(|result| result.judgement.is_finding())
    }

    /// The number of replies of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.results.iter().filter(|result| result.judgement.kind == kind).count()
    }
}

/// Verdicts as words.
pub(crate) fn words(verdicts: &[Verdict]) -> Vec<String> {
    verdicts.iter().map(|verdict| verdict.word().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_harness::Key;
    use bivalve_harness::log::Entry;

    #[test]
    fn records_are_lines() {
        let judgement =
            Judgement { kind: Kind::WrongModel, crash: false, imprecise: false, detail: "x\ny".to_owned() };
        let result = Result {
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
            results: vec![result],
        };
        let entry = Entry { key: Key::of(["k"]), result: record.clone() };
        let line = entry.line().unwrap();
        assert_eq!(line.lines().count(), 1);
        assert_eq!(serde_json::from_str::<Entry<Record>>(&line).unwrap(), entry);
        assert!(record.is_finding());
    }
}
