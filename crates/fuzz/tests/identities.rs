//! Identities at widths where the solver decides nearly every one: what holds has no counterexample, what
//! nearly holds has one, and each model is checked by the reference semantics.

use bivalve::{CheckResult, Settings, Solver};
use bivalve_fuzz::identities::table;

#[test]
fn the_solver_agrees() {
    let mut undecided = vec![];
    for width in [8, 16] {
        for identity in table() {
            for (number, holds) in (0..identity.forms).flat_map(|number| [(number, true), (number, false)]) {
                let mut case = identity.case(width, 3, number, holds).expect("a legal width");
                let mut settings = Settings::default();
                settings.set("conflict-limit", "20000").expect("an option of the table");
                let mut solver = Solver::new(settings);
                for assertion in case.terms() {
                    solver.assert(&case.pool, assertion).expect("everything made here is supported");
                }
                let answer = solver.check(&mut case.pool).expect("no internal fault");
                let expected = if holds { CheckResult::Unsat } else { CheckResult::Sat };
                if matches!(answer, CheckResult::Unknown(_)) {
                    undecided.push((width, identity.name, number, holds));
                } else {
                    assert!(answer == expected, "{answer:?} at {width}: {}", case.script());
                }
            }
        }
    }
    // Products beside remainders are hard at 8 bits already.
    let narrow = undecided.iter().filter(|case| case.0 == 8).count();
    assert!(narrow <= 3, "{undecided:?}");
}
