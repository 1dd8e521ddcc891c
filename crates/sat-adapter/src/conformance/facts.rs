//! Plain facts about the seam, one function each, by hand.
//!
//! Each function takes a constructor, asks a fresh solver a few questions with obvious answers, and panics
//! with a sentence when one is wrong.

use super::random::Random;
use super::{Make, pigeonhole};
use crate::{Budget, Lit, SatResult, SatSolver};

/// Solves without a budget.
fn solve(solver: &mut dyn SatSolver, assumptions: &[Lit]) -> SatResult {
    solver.solve(assumptions, &Budget::UNLIMITED)
}

fn expect_sat(solver: &mut dyn SatSolver, assumptions: &[Lit], why: &str) {
    assert_eq!(solve(solver, assumptions), SatResult::Sat, "{why}");
    for &lit in assumptions {
        assert_eq!(solver.value(lit), Some(true), "an assumption is true in the model: {lit}");
    }
}

fn expect_unsat(solver: &mut dyn SatSolver, assumptions: &[Lit], why: &str) {
    assert_eq!(solve(solver, assumptions), SatResult::Unsat, "{why}");
}

/// Variables come as 1, 2, 3, ...
pub fn variables_are_numbered(make: Make<'_>) {
    let mut solver = make();
    for var in 1..=100 {
        assert_eq!(solver.new_var(), Lit::positive(var), "new_var gives the next positive literal");
    }
}

/// No clauses, with and without variables.
pub fn no_clauses(make: Make<'_>) {
    let mut solver = make();
    expect_sat(&mut *solver, &[], "nothing is satisfiable");
    let x = solver.new_var();
    expect_sat(&mut *solver, &[], "a variable alone is satisfiable");
    expect_sat(&mut *solver, &[x], "a variable can be true");
    expect_sat(&mut *solver, &[!x], "a variable can be false");
}

/// After the empty clause there is no way back, and the core is empty.
pub fn empty_clause(make: Make<'_>) {
    let mut solver = make();
    let x = solver.new_var();
    solver.add_clause(&[x]);
    expect_sat(&mut *solver, &[], "a unit clause is satisfiable");
    solver.add_clause(&[]);
    expect_unsat(&mut *solver, &[], "the empty clause refutes");
    expect_unsat(&mut *solver, &[x], "the empty clause refutes under assumptions");
    assert!(!solver.failed(x), "what is refuted without assumptions has an empty core");
    solver.add_clause(&[x, !x]);
    let y = solver.new_var();
    expect_unsat(&mut *solver, &[y], "the empty clause stays");
    let mut fresh = make();
    fresh.add_clause(&[]);
    expect_unsat(&mut *fresh, &[], "the empty clause may come first");
}

/// A repeated literal is one literal.
pub fn repeated_literals(make: Make<'_>) {
    let mut solver = make();
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add_clause(&[x, x, x]);
    solver.add_clause(&[!y, !x, !y, !x]);
    expect_sat(&mut *solver, &[], "repetition is no contradiction");
    assert_eq!((solver.value(x), solver.value(y)), (Some(true), Some(false)), "the model is forced");
    expect_unsat(&mut *solver, &[y], "y is forced to be false");
}

/// A clause with a literal and its negation is no constraint, wherever in the clause they stand.
pub fn tautologies(make: Make<'_>) {
    let mut solver = make();
    let (x, y, z) = (solver.new_var(), solver.new_var(), solver.new_var());
    for clause in [vec![x, !x], vec![x, y, !x], vec![!z, x, y, z], vec![y, !y, y]] {
        solver.add_clause(&clause);
    }
    for assumptions in [[x, y, z], [!x, !y, !z], [x, !y, z], [!x, y, !z]] {
        expect_sat(&mut *solver, &assumptions, "tautologies forbid nothing");
    }
}

/// Variables without clauses, between others and at the end.
pub fn unused_variables(make: Make<'_>) {
    let mut solver = make();
    let vars: Vec<Lit> = (0..1000).map(|_| solver.new_var()).collect();
    solver.add_clause(&[vars[10], vars[500]]);
    solver.add_clause(&[!vars[10]]);
    expect_sat(&mut *solver, &[!vars[999]], "unused variables are free");
    assert_eq!(solver.value(vars[500]), Some(true), "used ones are not");
    expect_sat(&mut *solver, &[vars[999], vars[0]], "unused variables are free both ways");
}

/// A clause or an assumption may mention variables that were not made; counting goes on after them.
pub fn mentioned_variables(make: Make<'_>) {
    let mut solver = make();
    solver.add_clause(&[Lit::negative(3), Lit::positive(5)]);
    assert_eq!(solver.new_var(), Lit::positive(6), "a clause makes the variables it mentions");
    expect_sat(&mut *solver, &[Lit::positive(3), Lit::negative(9)], "an assumption may be new");
    assert_eq!(solver.value(Lit::positive(5)), Some(true), "the clause holds");
    assert_eq!(solver.new_var(), Lit::positive(10), "an assumption makes the variables it mentions");
}

/// Adding after sat and after unsat under assumptions.
pub fn clauses_after_solve(make: Make<'_>) {
    let mut solver = make();
    let vars: Vec<Lit> = (0..4).map(|_| solver.new_var()).collect();
    solver.add_clause(&vars);
    for &var in &vars[..3] {
        expect_sat(&mut *solver, &[], "some literal is left");
        solver.add_clause(&[!var]);
        expect_unsat(&mut *solver, &[var], "the clause just added counts");
    }
    expect_sat(&mut *solver, &[], "the last literal is left");
    assert_eq!(solver.value(vars[3]), Some(true), "the last literal is forced");
    solver.add_clause(&[!vars[3]]);
    expect_unsat(&mut *solver, &[], "no literal is left");
    expect_unsat(&mut *solver, &[], "it stays so");
}

/// Many calls without assumptions, beside a unit clause.
pub fn models_are_enumerated(make: Make<'_>) {
    let mut solver = make();
    let unit = solver.new_var();
    solver.add_clause(&[unit]);
    let free: Vec<Lit> = (0..5).map(|_| solver.new_var()).collect();
    for _ in 0..1 << free.len() {
        expect_sat(&mut *solver, &[], "models are left");
        assert_eq!(solver.value(unit), Some(true));
        let values: Vec<bool> = free.iter().map(|&lit| solver.value(lit) == Some(true)).collect();
        let others: Vec<Lit> =
            free.iter().zip(values).map(|(&lit, value)| if value { !lit } else { lit }).collect();
        solver.add_clause(&others);
    }
    expect_unsat(&mut *solver, &[], "each model was met once");
    expect_unsat(&mut *solver, &[], "and it stays so");
}

/// An assumption of one call is not one of the next.
pub fn assumptions_are_temporary(make: Make<'_>) {
    let mut solver = make();
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add_clause(&[!x, y]);
    expect_unsat(&mut *solver, &[x, !y], "x implies y");
    expect_sat(&mut *solver, &[!y], "not y alone is possible");
    expect_sat(&mut *solver, &[x], "x alone is possible");
    expect_sat(&mut *solver, &[], "and so is neither");
}

/// A literal and its negation assumed together, and the core that names them.
pub fn contradictory_assumptions(make: Make<'_>) {
    let mut solver = make();
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add_clause(&[x, y]);
    for assumptions in [[x, !x, y], [y, !x, x], [!x, y, x]] {
        expect_unsat(&mut *solver, &assumptions, "x and not x cannot both be true");
        assert!(solver.failed(x) && solver.failed(!x), "both sides of the contradiction are needed");
        assert!(!solver.failed(!y), "what was not assumed has not failed");
    }
    expect_sat(&mut *solver, &[x], "the contradiction is over");
    solver.add_clause(&[!x]);
    expect_unsat(&mut *solver, &[x, !x], "also when one of them is forced");
    assert!(solver.failed(x), "the side that is refuted is in the core");
}

/// Whatever the search starts from, it ends at the same answer; and a solver that has begun takes no seed.
pub fn seeds_change_no_answer(make: Make<'_>) {
    for seed in [0, 1, 2, 77, u64::MAX] {
        for holes in [4, 5] {
            let mut solver = make();
            let takes_seeds = solver.set_seed(seed);
            let sits = pigeonhole(&mut *solver, 5, holes);
            if holes < 5 {
                expect_unsat(&mut *solver, &[], "five pigeons do not fit into four holes");
            } else {
                expect_sat(&mut *solver, &[], "five pigeons fit into five holes");
                let at_home = |places: &Vec<Lit>| places.iter().any(|&lit| solver.value(lit) == Some(true));
                assert!(sits.iter().all(at_home), "every pigeon has a hole");
            }
            assert!(!takes_seeds || !solver.set_seed(1), "the search has begun, so it takes no seed");
        }
    }
}

/// The same assumption more than once.
pub fn repeated_assumptions(make: Make<'_>) {
    let mut solver = make();
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add_clause(&[!x, !y]);
    expect_sat(&mut *solver, &[x, x, !y, x], "repetition is no contradiction");
    expect_unsat(&mut *solver, &[x, y, x, y, y], "x and y exclude each other");
    assert!(solver.failed(x) && solver.failed(y), "both are needed");
}

/// Assumptions that have nothing to do with the conflict stay out of the core, and the core alone suffices.
pub fn cores_name_assumptions(make: Make<'_>) {
    let mut solver = make();
    let chain: Vec<Lit> = (0..20).map(|_| solver.new_var()).collect();
    let others: Vec<Lit> = (0..20).map(|_| solver.new_var()).collect();
    for pair in chain.windows(2) {
        solver.add_clause(&[!pair[0], pair[1]]);
    }
    let mut assumptions = others.clone();
    assumptions.insert(3, chain[0]);
    assumptions.push(!chain[19]);
    expect_unsat(&mut *solver, &assumptions, "the chain implies its end");
    let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
    assert_eq!(core, [chain[0], !chain[19]], "exactly the two ends are needed");
    for lit in [!chain[0], chain[19], chain[5], !others[0], Lit::positive(1_000_000)] {
        assert!(!solver.failed(lit), "what was not assumed has not failed: {lit}");
    }
    expect_unsat(&mut *solver, &core, "the core alone is unsatisfiable");
    expect_sat(&mut *solver, &others, "the rest alone is satisfiable");
    assert!(others.iter().all(|&lit| !solver.failed(lit)), "after sat nothing has failed");
}

/// `value` and `failed` are silent before a solve, after the wrong answer, and after a clause.
pub fn answers_expire(make: Make<'_>) {
    let mut solver = make();
    let (x, y) = (solver.new_var(), solver.new_var());
    assert!(solver.value(x).is_none() && !solver.failed(x), "before the first solve there is no answer");
    solver.add_clause(&[x]);
    expect_sat(&mut *solver, &[y], "x and y are possible");
    assert_eq!(
        (solver.value(x), solver.value(!x)),
        (Some(true), Some(false)),
        "a literal and its negation differ"
    );
    assert!(!solver.failed(y), "after sat nothing has failed");
    solver.add_clause(&[x, y]);
    assert!(solver.value(x).is_none(), "a clause ends the model");
    expect_unsat(&mut *solver, &[!x], "x is forced");
    assert!(solver.failed(!x) && solver.value(x).is_none(), "after unsat there is a core and no model");
    solver.add_clause(&[x, !y]);
    assert!(!solver.failed(!x), "a clause ends the core");
}

/// `new_var` may be called while a model is read.
pub fn fresh_variables_keep_the_model(make: Make<'_>) {
    let mut solver = make();
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add_clause(&[x]);
    solver.add_clause(&[!y]);
    expect_sat(&mut *solver, &[], "x and not y");
    let z = solver.new_var();
    assert_eq!((solver.value(x), solver.value(y)), (Some(true), Some(false)), "the model is still there");
    assert_eq!(solver.value(z), None, "a variable made after the answer has no value in it");
    expect_unsat(&mut *solver, &[!x], "x is forced");
    let w = solver.new_var();
    assert!(solver.failed(!x) && !solver.failed(w), "the core is still there");
}

/// Thousands of literals in a clause, and implications thousands deep.
pub fn large_and_deep(make: Make<'_>) {
    let mut solver = make();
    let size = if solver.capabilities().incremental { 20_000 } else { 1500 };
    let vars: Vec<Lit> = (0..size).map(|_| solver.new_var()).collect();
    for pair in vars.windows(2) {
        solver.add_clause(&[!pair[0], pair[1]]);
    }
    let (first, last) = (vars[0], vars[size - 1]);
    expect_unsat(&mut *solver, &[first, !last], "the chain implies its end");
    assert!(solver.failed(first) && solver.failed(!last), "both ends are needed");
    solver.add_clause(&vars);
    expect_sat(&mut *solver, &[!vars[size - 2]], "one literal of the long clause is left");
    assert_eq!(solver.value(last), Some(true), "and it is true");
    expect_unsat(&mut *solver, &[!last], "none is left");
}

/// The counters of the seam itself, and that the engine's are not made up.
pub fn statistics(make: Make<'_>) {
    let mut solver = make();
    let before = solver.statistics();
    assert_eq!(
        (before.variables, before.clauses, before.solves),
        (0, 0, 0),
        "a fresh solver has done nothing"
    );
    pigeonhole(&mut *solver, 5, 4);
    expect_unsat(&mut *solver, &[], "five pigeons do not fit into four holes");
    let after = solver.statistics();
    assert_eq!(
        (after.variables, after.clauses, after.solves),
        (20, 45, 1),
        "variables, clauses and solves are counted"
    );
    assert!(after.runs >= 1, "the engine ran");
    assert_ne!(after.conflicts, Some(0), "pigeons need conflicts");
}

/// Two solvers that are asked the same say the same, model by model.
pub fn deterministic(make: Make<'_>) {
    let transcript = || {
        let mut solver = make();
        let mut random = Random::new(7);
        let mut said = Vec::new();
        for _ in 0..30 {
            solver.new_var();
        }
        for _ in 0..6 {
            for _ in 0..18 {
                solver.add_clause(&random.ternary(30));
            }
            let assumptions = random.lits(30, 3);
            let result = solve(&mut *solver, &assumptions);
            let model: Vec<Option<bool>> = (1..=30).map(|var| solver.value(Lit::positive(var))).collect();
            let core: Vec<bool> = assumptions.iter().map(|&lit| solver.failed(lit)).collect();
            said.push((result, model, core));
        }
        said
    };
    assert_eq!(transcript(), transcript(), "the same questions get the same answers");
}
