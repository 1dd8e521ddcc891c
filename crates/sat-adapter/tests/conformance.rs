//! Every backend that is compiled in passes the conformance suite: one line each.

use bivalve_sat_adapter::{conformance, create};

fn conforms(spec: &str) {
    let make = || create(spec).expect("the backend is compiled in");
    conformance::run(&make);
    // Backends that start over at every call get fewer small instances from the suite; these are quick
    // enough.
    if !make().capabilities().incremental {
        conformance::fuzz::small_seeds(&make, 500..4000);
    }
}

#[test]
fn naive() {
    conforms("naive");
}

#[cfg(feature = "batsat")]
#[test]
fn batsat() {
    conforms("batsat");
}

#[cfg(feature = "cadical")]
#[test]
fn cadical() {
    conforms("cadical");
}

/// The engine makes variables of its own, so its numbers are not ours.
#[cfg(feature = "cadical")]
#[test]
fn cadical_with_variables_of_its_own() {
    conforms("cadical:factor=1");
}

#[cfg(feature = "splr")]
#[test]
fn splr() {
    conforms("splr");
}
