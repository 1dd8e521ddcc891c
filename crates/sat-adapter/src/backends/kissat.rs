//! Kissat 4 (Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, 2024) in C, through the crate
//! `rustsat-kissat`.
//!
//! The strongest engine for one hard query: it takes its clauses once, simplifies as much as it likes, and
//! answers once. So it is a [`OneShot`], and [`Incremental<Kissat>`](crate::Incremental) is the backend
//! `kissat`. It looks at the [`Stop`] flag itself, by a callback. To build it, a C compiler and `libclang`
//! are needed; it does not build on Windows.
//!
//! It has functions of the same names as CaDiCaL, with other meanings: `kitten_solve` and its kin, of the
//! small solver that both have inside. C has one space of names, so a program has one of the two, and this
//! crate refuses to be built with both. The example `ipasir_library` puts Kissat into a shared library, where
//! its functions are hidden; `--sat ipasir:LIBRARY` then has it beside CaDiCaL.

use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Lit as Foreign, TernaryVal};
use rustsat_kissat::Limit;

use crate::{Answer, Budget, Capabilities, CnfLog, Lit, OneShot, Stop, Why};

#[cfg(feature = "cadical")]
compile_error!(
    "the features `kissat` and `cadical` do not go together, since both engines have functions of the same \
     names; see backends/kissat.rs for how to have both"
);

/// The engine behind the backend `kissat`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kissat;

impl OneShot for Kissat {
    fn name(&self) -> &'static str {
        "kissat"
    }

    fn signature(&self) -> String {
        rustsat_kissat::Kissat::default().signature().to_owned()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { budget: true, ..Capabilities::ONE_SHOT }
    }

    fn solve(&mut self, cnf: &CnfLog, units: &[Lit], budget: &Budget, stop: &Stop) -> Answer {
        let mut engine = rustsat_kissat::Kissat::default();
        for clause in cnf.clauses().chain(units.chunks(1)) {
            let clause = clause.iter().map(|lit| Foreign::new(lit.var() - 1, lit.is_negative()));
            if engine.add_clause(clause.collect()).is_err() {
                return Answer::Unknown(Why::Backend("it takes no clause"));
            }
        }
        if let Some(limit) = budget.conflicts {
            engine.set_limit(Limit::Conflicts(u32::try_from(limit).unwrap_or(u32::MAX)));
        }
        engine.attach_terminator(|| match stop.reason() {
            Some(_) => ControlSignal::Terminate,
            None => ControlSignal::Continue,
        });
        match engine.solve() {
            Ok(SolverResult::Sat) => {
                let is_true = |var| matches!(engine.lit_val(Foreign::positive(var)), Ok(TernaryVal::True));
                Answer::Sat((0..cnf.variables()).map(is_true).collect())
            }
            Ok(SolverResult::Unsat) => Answer::Unsat,
            Ok(SolverResult::Interrupted) => Answer::Unknown(match stop.reason() {
                Some(why) => why,
                None if *budget != Budget::UNLIMITED => Why::Budget,
                None => Why::Backend("it gave up"),
            }),
            Err(_) => Answer::Unknown(Why::Backend("it answered none of 0, 10 and 20")),
        }
    }
}
