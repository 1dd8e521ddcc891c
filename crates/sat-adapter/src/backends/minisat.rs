//! MiniSat (Eén and Sörensson, SAT 2003) in C++, through the crate `rustsat-minisat`.
//!
//! The engine from which most others descend, for comparison: what is gained by two decades shows beside it.
//! Its search is also that of `batsat`, in another language. It is built without preprocessing, which would
//! not go with clauses that come later. To build it, CMake, a C++ compiler and `libclang` are needed. MiniSat
//! and Glucose have their names in spaces of their own, so one program may have both.

use super::rustsat::{Engine, Family};
use crate::SatSolver;
use rustsat_minisat::Limit;
use rustsat_minisat::core::Minisat;

/// A solver without variables and clauses.
pub fn new() -> Box<dyn SatSolver> {
    Box::new(Family::<Minisat>::new())
}

impl Engine for Minisat {
    const NAME: &'static str = "minisat";

    fn limit(&mut self, conflicts: Option<i64>) {
        self.set_limit(conflicts.map_or(Limit::None, Limit::Conflicts));
    }
}
