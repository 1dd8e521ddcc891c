//! The little measurement of `bivalve-experiment` for the tests of this chore, with the selection that
//! belongs to it.
//!
//! By design the index contradicts Bivalve on `disputed`, and there are two families. See the log's own words
//! for the rest.

use super::select::{Problem, read_problems};
pub(crate) use bivalve_experiment::sample::log;
use std::path::Path;

/// The selection.
pub(crate) fn problems() -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/files.jsonl");
    read_problems(&path).expect("the sample is well-formed")
}
