//! Stopping and budgets: an answer may be missing, but the solver must live on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::{Make, pigeonhole};
use crate::{Budget, Lit, SatResult, SatSolver, Stop, Why};
use bivalve_limits::Meter;

/// Far more pigeons than any search by resolution gets rid of.
const HOPELESS: usize = 14;

/// Few enough pigeons for any search.
const SMALL: usize = 5;

/// The solver still answers a small question about new variables, on top of whatever it was asked before.
fn lives_on(solver: &mut dyn SatSolver, before: &[Lit]) {
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add_clause(&[x, y]);
    solver.add_clause(&[!x, y]);
    let mut refuted = before.to_vec();
    refuted.push(!y);
    assert_eq!(
        solver.solve(&refuted, &Budget::UNLIMITED),
        SatResult::Unsat,
        "the solver lives on after an unknown"
    );
    let core: Vec<Lit> = refuted.into_iter().filter(|&lit| solver.failed(lit)).collect();
    assert_eq!(core, [!y], "and its cores are right");
}

/// Pigeons that fit unless `closed` is assumed, which closes one hole. Returns `closed`.
fn pigeons_with_a_door(solver: &mut dyn SatSolver, holes: usize) -> Lit {
    let sits = pigeonhole(solver, holes, holes);
    let closed = solver.new_var();
    for places in &sits {
        solver.add_clause(&[!closed, !places[0]]);
    }
    closed
}

/// A flag that is set beforehand: unknown at once, with its reason, until it is reset.
pub fn stopped_before(make: Make<'_>) {
    let mut solver = make();
    let stop = Stop::new();
    solver.set_stop(stop.clone());
    let x = solver.new_var();
    solver.add_clause(&[x]);
    for why in [Why::Interrupted, Why::TimeLimit, Why::MemoryLimit] {
        stop.stop(why);
        assert_eq!(solver.solve(&[], &Budget::UNLIMITED), SatResult::Unknown(why), "the flag stops the call");
        assert!(solver.value(x).is_none() && !solver.failed(x), "an unknown has neither model nor core");
        stop.reset();
        assert_eq!(
            solver.solve(&[x], &Budget::UNLIMITED),
            SatResult::Sat,
            "a flag that is reset stops nothing"
        );
    }
    stop.stop(Why::Interrupted);
    solver.set_stop(Stop::new());
    lives_on(&mut *solver, &[x]);
}

/// A flag that another thread sets while the search is hopeless.
pub fn stopped_meanwhile(make: Make<'_>) {
    let mut solver = make();
    if !solver.capabilities().interrupt {
        return;
    }
    let stop = Stop::new();
    solver.set_stop(stop.clone());
    let closed = pigeons_with_a_door(&mut *solver, HOPELESS);
    let from_outside = stop.clone();
    let other = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        from_outside.stop(Why::TimeLimit);
    });
    let result = solver.solve(&[closed], &Budget::UNLIMITED);
    other.join().expect("the thread only sleeps and sets a flag");
    assert_eq!(result, SatResult::Unknown(Why::TimeLimit), "the flag stops the search, with its reason");
    stop.reset();
    lives_on(&mut *solver, &[!closed]);
}

/// Looks at the flag are as many in each run.
pub fn steady_looks(make: Make<'_>) {
    if !make().capabilities().steady {
        return;
    }
    let looks = [(); 2].map(|()| {
        let (mut solver, stop, count) = (make(), Stop::new(), Arc::new(Looks::default()));
        stop.set_meter(Some(count.clone()));
        solver.set_stop(stop);
        let closed = pigeons_with_a_door(&mut *solver, SMALL);
        let answers =
            [solver.solve(&[closed], &Budget::UNLIMITED), solver.solve(&[!closed], &Budget::UNLIMITED)];
        assert_eq!(answers, [SatResult::Unsat, SatResult::Sat], "few pigeons");
        count.0.load(Ordering::Relaxed)
    });
    assert!(looks[0] > 0, "the flag is looked at");
    assert_eq!(looks[0], looks[1], "the flag is looked at as often in each run");
}

/// Counts looks.
#[derive(Default)]
struct Looks(AtomicU64);

impl Meter for Looks {
    fn spend(&self, _stop: &Stop, steps: u64) -> Option<Why> {
        self.0.fetch_add(steps, Ordering::Relaxed);
        None
    }

    fn is_over(&self) -> bool {
        false
    }
}

/// Budgets that are too small for the question, and one that is not.
pub fn budgets(make: Make<'_>) {
    let mut solver = make();
    if !solver.capabilities().budget {
        return;
    }
    let closed = pigeons_with_a_door(&mut *solver, HOPELESS);
    for budget in [1, 200].map(Budget::conflicts) {
        let result = solver.solve(&[closed], &budget);
        assert_eq!(result, SatResult::Unknown(Why::Budget), "the budget ends the search: {budget:?}");
        assert!(
            solver.value(closed).is_none() && !solver.failed(closed),
            "an unknown has neither model nor core"
        );
    }
    lives_on(&mut *solver, &[!closed]);
    let enough = Budget::conflicts(1_000_000);
    assert_eq!(solver.solve(&[!closed], &enough), SatResult::Sat, "a budget that suffices changes nothing");
    let mut fresh = make();
    pigeonhole(&mut *fresh, 5, 4);
    assert_eq!(fresh.solve(&[], &enough), SatResult::Unsat, "a budget that suffices changes nothing");
}
