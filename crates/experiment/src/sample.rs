//! A fixed little measurement for tests of tables and plots: three solvers, six files, each way a run can
//! end.
//!
//! By design: `disputed` is answered sat by Bivalve and unsat by the others and by the index; `hard` is
//! solved by Bivalve alone; `heavy` exhausts Bivalve's memory; `slow` its time; `session` has two checks;
//! Yices does not read the BTOR2 file and rejects one script. Times are round numbers, so that expected
//! scores can be added by hand.

use crate::column::Column;
use crate::log::Log;
use crate::setup::Setup;
use crate::subject::Subject;
use crate::verdict::Index;
use bivalve_harness::Key;

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

/// An experiment that the runs of a log belong to.
pub fn setup(log: &Log) -> Setup {
    let column = |name: &str| {
        let (name, settings, words) = (name.to_owned(), vec![], vec![]);
        Column { name, settings, words, identity: Key::default() }
    };
    let subject = |file: &str| {
        let family = file.split('/').nth(1).unwrap_or_default().to_owned();
        Subject { file: file.to_owned(), family, stated: vec![None], ..Subject::default() }
    };
    Setup {
        request: "experiment perf".to_owned(),
        version: "bivalve 0.1.0".to_owned(),
        time_limit: 10.0,
        memory_limit: 6000,
        seeds: 1,
        columns: ["yices", "bivalve"].map(column).to_vec(),
        subjects: log.instances().into_iter().map(subject).collect(),
    }
}
