//! The verdict of the solver, with a few conflicts.

use bivalve::{CheckResult, Settings, Solver};
use bivalve_terms::{Pool, Term};

/// Whether assertions have a model; `None` where that is hard.
pub(crate) fn decide(pool: &mut Pool, assertions: &[Term]) -> Option<bool> {
    let mut settings = Settings::default();
    settings.set("conflict-limit", "20000").expect("an option of the table");
    let mut solver = Solver::new(settings);
    for &assertion in assertions {
        solver.assert(pool, assertion).expect("everything made here is supported");
    }
    match solver.check(pool).expect("no internal fault") {
        CheckResult::Sat => Some(true),
        CheckResult::Unsat => Some(false),
        CheckResult::Unknown(_) => None,
    }
}
