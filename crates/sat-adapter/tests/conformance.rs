//! Every backend that is compiled in passes the conformance suite.

use bivalve_sat_adapter::{Argument, backends, conformance, create};

fn conforms(spec: &str) {
    let make = || create(spec).expect("the backend is compiled in");
    conformance::run(&make);
    // Backends that start over at every call get fewer small instances from the suite; these are quick
    // enough.
    if !make().capabilities().incremental {
        conformance::fuzz::small_seeds(&make, 500..4000);
    }
}

/// All that need no argument, each in a thread of its own, which has its name.
#[test]
fn every_backend_conforms() {
    std::thread::scope(|scope| {
        for backend in backends().iter().filter(|row| !matches!(row.argument, Argument::Required(_))) {
            let thread = std::thread::Builder::new().name(backend.name.to_owned());
            thread.spawn_scoped(scope, || conforms(backend.name)).expect("a thread");
        }
    });
}

/// The engine makes variables of its own, so its numbers are not ours.
#[cfg(feature = "cadical")]
#[test]
fn cadical_with_variables_of_its_own() {
    conforms("cadical:factor=1");
}
