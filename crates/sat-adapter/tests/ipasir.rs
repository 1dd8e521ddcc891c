//! A backend as a library of IPASIR, loaded again: it must pass what the backend itself passes.

use bivalve_sat_adapter::{Budget, SatSolver, conformance, create};
use std::path::PathBuf;

/// The library that the example `ipasir_library` is; `cargo test` has built it, `cargo test --test all` has
/// not.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    let folder = program.ancestors().nth(2).expect("tests are in a folder of the build").join("examples");
    let name = format!("{}ipasir_library{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let file = folder.join(name);
    let how = "cargo build -p bivalve-sat-adapter --example ipasir_library";
    assert!(file.exists(), "{} is missing: {how}", file.display());
    file
}

fn make() -> Box<dyn SatSolver> {
    create(&format!("ipasir:{}", library().display())).expect("a library of IPASIR")
}

#[test]
fn a_library_conforms() {
    conformance::run(&make);
}

#[test]
fn a_library_says_what_it_is_and_what_it_can_do() {
    let mut solver = make();
    assert!(solver.signature().starts_with("ipasir "), "{}", solver.signature());
    assert!(solver.capabilities().budget, "learned clauses are told, so conflicts are counted");
    conformance::pigeonhole(&mut *solver, 6, 5);
    assert!(solver.solve(&[], &Budget::UNLIMITED).is_unsat());
    let conflicts = solver.statistics().conflicts;
    assert!(conflicts > Some(5), "{conflicts:?}");
}

/// Solvers of one library share nothing, on threads either.
#[test]
fn many_solvers_of_one_library() {
    std::thread::scope(|scope| {
        for holes in 3..7 {
            scope.spawn(move || {
                let mut solvers = [make(), make()];
                let pigeons = [holes, holes + 1];
                for (solver, pigeons) in solvers.iter_mut().zip(pigeons) {
                    conformance::pigeonhole(&mut **solver, pigeons, holes);
                    solver.new_var();
                }
                let answers = solvers.map(|mut solver| solver.solve(&[], &Budget::UNLIMITED).is_sat());
                assert_eq!(answers, [true, false]);
            });
        }
    });
}
