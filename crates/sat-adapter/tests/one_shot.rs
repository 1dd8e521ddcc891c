//! The adapter that makes an incremental solver of a one-shot engine: what it asks the engine, what it does
//! not ask again, and what it does not believe.

use bivalve_sat_adapter::backends::naive::Naive;
use bivalve_sat_adapter::{
    Answer, Budget, Capabilities, ClauseSink, CnfLog, Incremental, Lit, OneShot, SatResult, SatSolver, Stop,
    Why,
};

/// The naive engine behind a function that may change its answers.
struct Bent(fn(Answer) -> Answer);

impl OneShot for Bent {
    fn name(&self) -> &'static str {
        "bent"
    }

    fn signature(&self) -> String {
        "bent 1".to_owned()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], budget: &Budget, stop: &Stop) -> Answer {
        assert!(units.is_sorted() && !cnf.has_empty_clause(), "as promised to the engine");
        assert!(
            units.windows(2).all(|pair| pair[0].var() < pair[1].var()),
            "no repetition, no contradiction"
        );
        (self.0)(Naive::default().solve(cnf, units, budget, stop))
    }
}

fn solve(solver: &mut dyn SatSolver, assumptions: &[Lit]) -> SatResult {
    solver.solve(assumptions, &Budget::UNLIMITED)
}

/// A solver over `variables` variables, and those.
fn solver(variables: usize) -> (Incremental<Naive>, Vec<Lit>) {
    let mut solver = Incremental::new(Naive::default());
    let vars = (0..variables).map(|_| solver.new_var()).collect();
    (solver, vars)
}

#[test]
fn a_model_that_still_holds_is_not_searched_again() {
    let (mut solver, vars) = solver(3);
    solver.add_clause(&[vars[0], vars[1]]);
    solver.add_clause(&[!vars[0]]);
    assert_eq!(solve(&mut solver, &[]), SatResult::Sat);
    solver.add_clause(&[!vars[0], vars[2]]);
    let fresh = solver.new_var();
    solver.add_clause(&[vars[1], fresh]);
    assert_eq!(solve(&mut solver, &[vars[1], !vars[0]]), SatResult::Sat);
    assert_eq!(
        (solver.statistics().solves, solver.statistics().runs),
        (2, 1),
        "the second model is the first"
    );
    assert_eq!((solver.value(vars[1]), solver.value(fresh)), (Some(true), Some(false)), "and it is complete");
    solver.add_clause(&[fresh]);
    assert_eq!(solve(&mut solver, &[]), SatResult::Sat);
    assert_eq!(solver.statistics().runs, 2, "a clause that breaks it needs a search");
}

#[test]
fn assumptions_that_contain_a_core_are_not_searched_again() {
    let (mut solver, vars) = solver(6);
    solver.add_clause(&[!vars[2], !vars[4]]);
    assert_eq!(solve(&mut solver, &vars), SatResult::Unsat);
    assert_eq!(solver.statistics().runs, 1, "the core is not looked for before someone asks");
    let core: Vec<Lit> = vars.iter().copied().filter(|&lit| solver.failed(lit)).collect();
    assert_eq!(core, [vars[2], vars[4]], "the core is minimal");
    let runs = solver.statistics().runs;
    assert!(runs > 1, "looking for it took runs");
    solver.add_clause(&[vars[0]]);
    assert_eq!(solve(&mut solver, &[vars[4], !vars[1], vars[2]]), SatResult::Unsat);
    assert!(solver.failed(vars[2]) && solver.failed(vars[4]) && !solver.failed(!vars[1]));
    assert_eq!(solver.statistics().runs, runs, "the same core again takes none");
    assert_eq!(solve(&mut solver, &[vars[2], !vars[2]]), SatResult::Unsat);
    assert_eq!(solver.statistics().runs, runs, "nor does a plain contradiction");
}

#[test]
fn a_large_core_takes_a_bounded_number_of_runs() {
    let (mut solver, vars) = solver(1000);
    let all: Vec<Lit> = vars.iter().map(|&var| !var).collect();
    solver.add_clause(&all);
    assert_eq!(solve(&mut solver, &vars), SatResult::Unsat);
    assert!(vars.iter().all(|&lit| solver.failed(lit)), "every assumption is needed");
    assert!(solver.statistics().runs < 100, "{} runs", solver.statistics().runs);
}

#[test]
fn a_stop_leaves_a_larger_core_but_a_right_one() {
    let (mut solver, vars) = solver(40);
    solver.add_clause(&[!vars[7]]);
    let stop = Stop::new();
    solver.set_stop(stop.clone());
    assert_eq!(solve(&mut solver, &vars), SatResult::Unsat);
    stop.stop(Why::Interrupted);
    assert!(vars.iter().all(|&lit| solver.failed(lit)), "nothing was left out");
    assert_eq!(solver.statistics().runs, 1, "and nothing was tried");
}

#[test]
fn a_wrong_model_is_not_believed() {
    let flip: fn(Answer) -> Answer = |answer| match answer {
        Answer::Sat(model) => Answer::Sat(model.iter().map(|value| !value).collect()),
        other => other,
    };
    let everything: fn(Answer) -> Answer = |_| Answer::Sat(Vec::new());
    for bend in [flip, everything] {
        let mut solver = Incremental::new(Bent(bend));
        let (x, y) = (solver.new_var(), solver.new_var());
        solver.add_clause(&[x, y]);
        solver.add_clause(&[!x, y]);
        for _ in 0..2 {
            let complaint = Why::Backend("its model does not satisfy the clauses");
            assert_eq!(solve(&mut solver, &[]), SatResult::Unknown(complaint));
            assert_eq!(solver.value(y), None, "there is no model");
        }
    }
}

#[test]
fn a_model_may_be_short_or_long() {
    for bend in [|_| Answer::Sat(vec![true]), |_| Answer::Sat(vec![true; 9])] {
        let mut solver = Incremental::new(Bent(bend));
        let (x, y) = (solver.new_var(), solver.new_var());
        solver.add_clause(&[x]);
        assert_eq!(solve(&mut solver, &[]), SatResult::Sat);
        assert_eq!(solver.value(x), Some(true));
        assert!(solver.value(y).is_some() && solver.value(Lit::positive(5)).is_none());
    }
}

#[test]
fn an_unknown_keeps_literals_in_the_core() {
    // This engine refutes what it must, but decides nothing else.
    let mut solver = Incremental::new(Bent(|answer| match answer {
        Answer::Unsat => Answer::Unsat,
        _ => Answer::Unknown(Why::Budget),
    }));
    let vars: Vec<Lit> = (0..5).map(|_| solver.new_var()).collect();
    solver.add_clause(&[!vars[1], !vars[3]]);
    assert_eq!(solve(&mut solver, &vars), SatResult::Unsat);
    let core: Vec<Lit> = vars.iter().copied().filter(|&lit| solver.failed(lit)).collect();
    assert_eq!(core, [vars[1], vars[3]]);
    assert_eq!(solve(&mut solver, &[]), SatResult::Unknown(Why::Budget));
}
