//! Small formulas are searched as they were written, and rewritten once the search takes long.
//!
//! Loading the rules takes longer than searching most formulas of a few hundred gates, so preprocessing
//! leaves such formulas as they are (`--rewrite-from`). But a small formula may be hard: that transfers
//! between four accounts of four bits keep their sum takes 100,000 conflicts, and a pass sees it at once. So
//! after [`CONFLICTS`] the search is dropped, everything is rewritten, and the check begins again; later
//! checks rewrite, too. Cost: those conflicts, once.

use crate::Solver;
use crate::afresh::Ending;
use crate::search::Outcome;
use bivalve_sat_adapter::{Lit, Why};
use bivalve_terms::Pool;

/// So many conflicts of so few gates take about as long as loading the rules.
const CONFLICTS: u64 = 200;

impl Solver {
    /// Searches for a while, if preprocessing has left everything as it was written; `None` if the search is
    /// to be another one.
    pub(crate) fn search_unrewritten(&mut self, pool: &mut Pool, literals: &[Lit]) -> Option<Ending> {
        if !self.preprocessor.is_unrewritten() {
            return None;
        }
        let until = self.search.conflicts() + CONFLICTS;
        let outcome = self.solve_until(pool, literals, until);
        if !matches!(outcome, Outcome::Unknown(Why::Budget)) || self.conflicts_left == Some(0) {
            return Some(Ending::Search(outcome));
        }
        // Another limit than that of conflicts, or they are not counted.
        if self.search.conflicts() < until {
            return None;
        }
        self.search.end_approximation(false);
        self.search.forget();
        self.preprocessor.rewrite_from_now_on();
        Some(Ending::Anew)
    }
}
