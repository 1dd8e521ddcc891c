//! A fixed little measurement for tests of tables and plots: three solvers, six files, each way a run can
//! end.
//!
//! By design: `disputed` is answered sat by Bivalve and unsat by the others and by the index; `hard` is
//! solved by Bivalve alone; `heavy` exhausts Bivalve's memory; `slow` its time; `session` has two checks;
//! Yices does not read the BTOR2 file and rejects one script. Times are round numbers, so that expected
//! scores can be added by hand.

use crate::log::Log;
use crate::verdict::Index;

/// The log, as the runner writes it.
pub fn log() -> Log {
    let mut log = Log::default();
    for line in include_str!("../testdata/run.jsonl").lines() {
        log.insert(serde_json::from_str(line).expect("the sample is well-formed"));
    }
    log
}

/// What is known of its files from elsewhere.
pub fn index() -> Index {
    Index::from([("perf/b/disputed.smt2".to_owned(), vec!["unsat".to_owned()])])
}
