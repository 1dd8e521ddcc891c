//! What a solver answers, and how much work it may spend on the answer.
//!
//! There are three answers. *Sat* and *unsat* are facts about the clauses and the assumptions; *unknown* is
//! not a failure but a statement about the work done, so it always carries its reason. A caller decides by
//! the reason what to do next: raise the budget, stop, or take another backend.
//!
//! Work is counted in steps of the search, never in seconds, so that a run takes the same course on every
//! machine and under every load. Limits in seconds or bytes are kept by the caller, who owns a clock, and
//! reach the solver through [`crate::Stop`].

use bivalve_limits::Why;
use std::fmt;

/// The answer to a `solve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SatResult {
    /// Some assignment satisfies all clauses and all assumptions; `value` reads it.
    Sat,
    /// No assignment satisfies all clauses and all assumptions; `failed` names assumptions that suffice for
    /// that.
    Unsat,
    /// Not decided.
    Unknown(Why),
}

impl SatResult {
    /// Whether the answer is [`SatResult::Sat`].
    pub fn is_sat(self) -> bool {
        self == SatResult::Sat
    }

    /// Whether the answer is [`SatResult::Unsat`].
    pub fn is_unsat(self) -> bool {
        self == SatResult::Unsat
    }
}

impl fmt::Display for SatResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SatResult::Sat => f.write_str("sat"),
            SatResult::Unsat => f.write_str("unsat"),
            SatResult::Unknown(why) => write!(f, "unknown ({why})"),
        }
    }
}

/// How many steps one `solve` may take. The default is as many as it needs.
///
/// A limit is kept to within a few steps, not exactly. A backend whose
/// [`Capabilities::budget`](crate::Capabilities::budget) is false cannot count and ignores it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget {
    /// The number of conflicts the search may run into.
    pub conflicts: Option<u64>,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget { conflicts: None };

    /// At most so many conflicts.
    pub fn conflicts(limit: u64) -> Budget {
        Budget { conflicts: Some(limit) }
    }

    /// Whether so many conflicts are all that was granted.
    pub fn is_spent(&self, conflicts: u64) -> bool {
        self.conflicts.is_some_and(|limit| conflicts >= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_read_as_sentences() {
        assert_eq!(SatResult::Sat.to_string(), "sat");
        assert_eq!(SatResult::Unknown(Why::TimeLimit).to_string(), "unknown (the time limit has passed)");
    }

    #[test]
    fn a_budget_is_spent_at_its_limit() {
        assert!(!Budget::UNLIMITED.is_spent(u64::MAX));
        assert!(Budget::conflicts(3).is_spent(3) && !Budget::conflicts(3).is_spent(2));
    }
}
