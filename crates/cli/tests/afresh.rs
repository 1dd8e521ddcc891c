//! A session whose second check is out of reach for a search that carries on, and easy for one without a
//! past. It is not among the regressions, which are answered under every option: this one needs its passes.

use crate::support::{bivalve, text};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sessions/levels_of_a_cipher.smt2");

/// What is printed under some options.
fn answers(options: &[&str]) -> String {
    text(&bivalve().args(options).arg(SCRIPT).output().expect("the binary runs").stdout)
}

#[test]
fn a_second_level_is_solved_by_a_solver_that_sees_both_at_once() {
    assert_eq!(answers(&[]), "sat\nsat\n");
    assert_eq!(answers(&["--afresh-after", "40"]), "sat\nsat\n");
    // The limit of conflicts that the script sets is not enough for the search alone.
    assert_eq!(answers(&["--afresh-after", "0"]), "sat\nunknown\n");
}
