//! Configuring a solver: settings, parts of the caller's making, the clock, and handles for other threads.
//!
//! All of it can change between two checks, and is in force from the next check on. What was encoded stays
//! where it is still right: another backend and other refiners start from nothing, and what is live is
//! encoded again by the next check.

use crate::Solver;
use crate::options::Settings;
use crate::parts::{BackendMaker, LemmaListener, StrategyMaker};
use crate::progress::Progress;
use crate::refiners::refiners;
use crate::statistics::Clock;
use bivalve_approx::{Encoding, Policy};
use bivalve_sat_adapter::{SatSolver, Stop};
use std::rc::Rc;
use std::sync::Arc;

impl Solver {
    /// A solver without assertions that searches with SAT solvers of the caller's making; the setting `sat`
    /// is not used then.
    pub fn with_backend(settings: Settings, make: impl Fn() -> Box<dyn SatSolver> + 'static) -> Solver {
        let mut solver = Solver::new(settings);
        solver.use_backend(Some(Box::new(make)));
        solver
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings.
    pub fn set_settings(&mut self, settings: Settings) {
        let former = std::mem::replace(&mut self.settings, settings);
        let now = &self.settings;
        let has_other_backend = (&former.sat, former.seed) != (&now.sat, now.seed);
        let refinement = |settings: &Settings| {
            let Settings { abstract_from, orders_from, distinct_from, small_models, .. } = *settings;
            let arithmetic = (abstract_from, orders_from, distinct_from, small_models);
            (arithmetic, settings.array_lemmas, settings.array_strategy)
        };
        let has_other_refiners = refinement(&former) != refinement(now);
        if has_other_backend {
            self.forget_answer();
            self.search.set_factory(self.parts.factory(&self.settings));
        }
        if has_other_refiners {
            self.search.set_refiners(refiners(&self.settings, &self.parts));
        }
        self.apply_search_settings();
        self.preprocessor.set(self.settings.preprocessing(self.clock));
    }

    /// Hands settings to the search that are cheap to change.
    pub(crate) fn apply_search_settings(&mut self) {
        let Settings { gate_limit, rebuild_from, words_after, approx_limit, .. } = self.settings;
        self.search.set_sizes(gate_limit, rebuild_from);
        self.search.set_words_after(words_after);
        self.search.approximation.set(self.parts.approximation_mode(&self.settings), approx_limit);
    }

    /// Searches with SAT solvers made by `maker`; with `None`, by the one that the settings name.
    pub fn use_backend(&mut self, maker: Option<BackendMaker>) {
        self.parts.backend = maker.map(Rc::new);
        self.forget_answer();
        self.search.set_factory(self.parts.factory(&self.settings));
    }

    /// Refines arrays and functions by a strategy made by `maker`; with `None`, by the one that the settings
    /// name.
    pub fn use_array_strategy(&mut self, maker: Option<StrategyMaker>) {
        self.parts.array_strategy = maker.map(Rc::new);
        self.search.set_refiners(refiners(&self.settings, &self.parts));
    }

    /// Approximates by this encoding and this policy; with `None`, as the settings say. The effective width
    /// to begin with is that of the settings in any case.
    pub fn use_approximation(&mut self, approximation: Option<(Box<dyn Encoding>, Box<dyn Policy>)>) {
        self.parts.approximation = approximation.map(|(encoding, policy)| (encoding.into(), policy.into()));
        self.apply_search_settings();
    }

    /// Measures phases with `clock`.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
        self.preprocessor.set(self.settings.preprocessing(clock));
        self.search.set_clock(clock);
    }

    /// Calls `listener` with each lemma about arithmetic, arrays or functions that a check learns; with
    /// `None`, no more.
    pub fn listen_to_lemmas(&mut self, listener: Option<LemmaListener>) {
        self.search.set_lemma_listener(listener);
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
