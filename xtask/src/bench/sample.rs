//! A fixed little measurement for the tests of this chore: three solvers, six files, each way a run can end.
//!
//! By design: `disputed` is answered sat by Bivalve and unsat by the others and by the index; `hard` is solved by
//! Bivalve alone; `heavy` exhausts Bivalve's memory; `slow` its time; `session` has two checks; Yices does not read
//! the BTOR2 file and rejects one script. Times are round numbers, so that expected scores can be added by hand.

use super::log::Log;
use super::select::{Problem, read_problems};
use std::path::Path;

/// The log, as the runner writes it.
pub(crate) fn log() -> Log {
    Log::parse(include_str!("../../testdata/run.jsonl")).expect("the sample is well-formed")
}

/// The selection that belongs to it.
pub(crate) fn problems() -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/files.jsonl");
    read_problems(&path).expect("the sample is well-formed")
}
