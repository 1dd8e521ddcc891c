//! Glucose 4 (Audemard and Simon, IJCAI 2009) in C++, through the crate `rustsat-glucose`.
//!
//! MiniSat with learned clauses rated by the number of levels they join, which most engines took over. The
//! sequential core, without preprocessing, which would not go with clauses that come later. It looks at its
//! limits between restarts only, some hundred conflicts apart. To build it, CMake, a C++ compiler and
//! `libclang` are needed.

use super::rustsat::{Engine, Family};
use crate::SatSolver;
use rustsat_glucose::Limit;
use rustsat_glucose::core::Glucose;

/// A solver without variables and clauses.
pub fn new() -> Box<dyn SatSolver> {
    Box::new(Family::<Glucose>::new())
}

impl Engine for Glucose {
    const NAME: &'static str = "glucose";

    fn limit(&mut self, conflicts: Option<i64>) {
        self.set_limit(conflicts.map_or(Limit::None, Limit::Conflicts));
    }
}
