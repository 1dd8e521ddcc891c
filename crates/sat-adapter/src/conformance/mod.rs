//! What every solver behind the seam must do, as a program.
//!
//! [`run`] takes a constructor and puts fresh solvers through every check in [`CHECKS`]; it panics with a
//! sentence when one is violated. A backend's test is therefore one line, and a third party's backend has the
//! same suite. The checks use only the trait, so they hold for every solver alike; where the seam leaves
//! something open (which model, which core) they ask whether the answer is right, never which
//! one it is. Checks of an optional ability are passed over when [`Capabilities`](crate::Capabilities) says
//! it is absent.
//!
//! There are three kinds of judges. Plain facts need none ([`facts`], [`limits`]). Small random instances are
//! checked by truth tables, and medium ones by the naive solver and by checking models
//! and cores ([`fuzz`]). Proofs are replayed by unit propagation ([`proofs`]). All randomness is seeded, so a
//! failure names a seed that brings it back.

pub mod facts;
pub mod fuzz;
pub mod limits;
pub mod proofs;
mod random;
mod truth;

use crate::{ClauseSink, Lit, SatSolver};

/// Makes a fresh solver.
pub type Make<'a> = &'a dyn Fn() -> Box<dyn SatSolver>;

/// One check.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// What must hold, as a sentence.
    pub rule: &'static str,
    /// Panics when it does not.
    pub test: fn(Make<'_>),
}

/// All checks. Those that depend on time or on much work come last.
pub const CHECKS: &[Check] = &[
    Check { rule: "variables are numbered from 1", test: facts::variables_are_numbered },
    Check { rule: "without clauses everything is satisfiable", test: facts::no_clauses },
    Check { rule: "the empty clause refutes everything", test: facts::empty_clause },
    Check { rule: "repeated literals count once", test: facts::repeated_literals },
    Check { rule: "tautologies say nothing", test: facts::tautologies },
    Check { rule: "unused variables change nothing", test: facts::unused_variables },
    Check { rule: "mentioned variables exist", test: facts::mentioned_variables },
    Check { rule: "clauses may come after a solve", test: facts::clauses_after_solve },
    Check { rule: "models are met until they are excluded", test: facts::models_are_enumerated },
    Check { rule: "assumptions last for one call", test: facts::assumptions_are_temporary },
    Check { rule: "contradictory assumptions are unsatisfiable", test: facts::contradictory_assumptions },
    Check { rule: "repeated assumptions count once", test: facts::repeated_assumptions },
    Check { rule: "a core leaves out what is not needed to refute", test: facts::cores_name_assumptions },
    Check { rule: "answers are readable until the next clause", test: facts::answers_expire },
    Check { rule: "a fresh variable leaves the model alone", test: facts::fresh_variables_keep_the_model },
    Check { rule: "a seed changes no answer", test: facts::seeds_change_no_answer },
    Check { rule: "long clauses and long chains are no problem", test: facts::large_and_deep },
    Check { rule: "the counters count", test: facts::statistics },
    Check { rule: "the same questions get the same answers", test: facts::deterministic },
    Check { rule: "proofs can be asked for in time or not at all", test: proofs::asking },
    Check { rule: "proofs stand up to unit propagation", test: proofs::replay },
    Check { rule: "the flag is looked at as often in each run", test: limits::steady_looks },
    Check { rule: "a flag that is set stops the call", test: limits::stopped_before },
    Check { rule: "a flag set by another thread stops the search", test: limits::stopped_meanwhile },
    Check { rule: "a spent budget is an unknown, and life goes on", test: limits::budgets },
    Check { rule: "small instances agree with truth tables", test: fuzz::small },
    Check { rule: "medium instances agree with the naive solver", test: fuzz::medium },
];

/// Puts fresh solvers through all of [`CHECKS`].
///
/// # Panics
///
/// When a check is violated, with a sentence that says which rule and how.
pub fn run(make: Make<'_>) {
    for check in CHECKS {
        (check.test)(make);
    }
}

/// Says that each pigeon sits in a hole and no two in the same: satisfiable exactly when the pigeons fit, and
/// hard for resolution when they do not (Haken, 1985). Returns the variables, by pigeon and then by hole.
pub fn pigeonhole(sink: &mut dyn ClauseSink, pigeons: usize, holes: usize) -> Vec<Vec<Lit>> {
    let sits: Vec<Vec<Lit>> = (0..pigeons).map(|_| (0..holes).map(|_| sink.new_var()).collect()).collect();
    for (pigeon, places) in sits.iter().enumerate() {
        sink.add_clause(places);
        for other in &sits[..pigeon] {
            for (here, there) in places.iter().zip(other) {
                sink.add_clause(&[!*here, !*there]);
            }
        }
    }
    sits
}
