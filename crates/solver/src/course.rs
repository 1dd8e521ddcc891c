//! Where a solver stands among its checks, which says how much is worth trying.
//!
//! A check of a solver that has none behind it may be the only one: it can look at the whole question at
//! once, try lemmas and local search before there are circuits, and assert what is assumed. Later checks
//! have circuits, clauses and phases of earlier ones, which are kept, and what earlier checks have left may
//! also be what makes them slow ([`crate::afresh`]). Statistics count the checks as well, and decide
//! nothing.
//!
//! Cost: a number.

use crate::Solver;

/// The checks of a solver so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Course {
    /// There was none.
    #[default]
    Fresh,
    /// The first one is under way, or was the last.
    First,
    /// There were more.
    Session,
}

impl Course {
    /// A check begins, or one was answered elsewhere.
    pub(crate) fn advance(&mut self) {
        *self = if *self == Course::Fresh { Course::First } else { Course::Session };
    }
}

impl Solver {
    /// A check begins, or was answered elsewhere.
    pub(crate) fn count_check(&mut self) {
        self.course.advance();
        self.statistics.checks += 1;
    }

    /// Whether there was no check so far, or none that counts.
    pub fn is_fresh(&self) -> bool {
        self.course == Course::Fresh
    }

    /// Takes the last check back if it was the first, so that the next one begins as if it were the first:
    /// for a caller that asks with a small limit before it tries something else. A search that goes on after
    /// a limit is another one, with other luck.
    pub fn take_back_first_check(&mut self) {
        if self.course == Course::First {
            self.course = Course::Fresh;
            self.statistics.checks -= 1;
            self.forget_answer();
            self.search.forget();
        }
    }
}
