//! Telling a solver how to work: settings, parts of the caller's making, the clock, and handles for other
//! threads.
//!
//! All of it can change between two checks. What was built stays where it is still right: other settings of
//! refinement go on with the same gates and clauses; another backend and other circuits start from none, and
//! what is live is built again by the next check.

use super::Solver;
use super::approximate::Leaves;
use crate::options::Settings;
use crate::parts::{BackendMaker, StrategyMaker};
use crate::progress::Progress;
use crate::statistics::Clock;
use bivalve_approx::{Encoding, Policy};
use bivalve_sat_adapter::{SatSolver, Stop};
use std::rc::Rc;
use std::sync::Arc;

impl Solver {
    /// A solver without assertions that searches with SAT solvers of the caller's making; the setting `sat`
    /// says nothing then.
    pub fn with_backend(settings: Settings, make: impl Fn() -> Box<dyn SatSolver> + 'static) -> Solver {
        let mut solver = Solver::new(settings);
        solver.use_backend(Some(Box::new(make)));
        solver
    }

    /// Changes the settings; they are in force from the next check on.
    pub fn set_settings(&mut self, settings: Settings) {
        let made_of = |settings: &Settings| (settings.sat.clone(), settings.seed);
        let is_built_anew = made_of(&settings) != made_of(&self.settings);
        self.settings = settings;
        self.theory.set(&self.settings, &self.parts);
        self.preprocessor.set(self.settings.preprocessing(self.clock));
        self.encoder.set_gate_limit(self.settings.gate_limit);
        self.encoder.set_rebuild_from(self.settings.rebuild_from);
        if is_built_anew {
            self.change_backend();
        }
    }

    /// Searches with SAT solvers made by `maker` from the next check on; with `None`, by the one that the
    /// settings name.
    pub fn use_backend(&mut self, maker: Option<BackendMaker>) {
        self.parts.backend = maker.map(Rc::new);
        self.change_backend();
    }

    fn change_backend(&mut self) {
        self.forget_answer();
        self.encoder.set_factory(self.parts.factory(&self.settings));
        self.leaves = Leaves::default();
    }

    /// Refines arrays and functions by a strategy made by `maker` from the next check on; with `None`, by the
    /// one that the settings name. Axioms that another one has added stay.
    pub fn use_array_strategy(&mut self, maker: Option<StrategyMaker>) {
        self.parts.array_strategy = maker;
        self.theory.set(&self.settings, &self.parts);
    }

    /// Approximates by this encoding and this policy from the next check on; with `None`, as the settings
    /// say. The effective width to begin with is that of the settings in any case.
    pub fn use_approximation(&mut self, approximation: Option<(Box<dyn Encoding>, Box<dyn Policy>)>) {
        self.parts.approximation = approximation.map(|(encoding, policy)| (encoding.into(), policy.into()));
    }

    /// Measures phases with `clock`.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
        self.preprocessor.set(self.settings.preprocessing(clock));
        self.encoder.set_clock(clock);
    }

    /// A handle that ends the running check, from any thread.
    pub fn stop_handle(&self) -> Stop {
        self.stop.clone()
    }

    /// Where a running check is, to be read from another thread.
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }
}
