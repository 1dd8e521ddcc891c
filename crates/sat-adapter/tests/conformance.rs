//! Every backend that is compiled in passes the conformance suite: one line each.

use bivalve_sat_adapter::{conformance, create};

fn conforms(spec: &str) {
    conformance::run(&|| create(spec).expect("the backend is compiled in"));
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

#[cfg(feature = "splr")]
#[test]
fn splr() {
    conforms("splr");
}
