//! Parts that come from outside: a SAT solver, a strategy for arrays or an under-approximation that the
//! tables of this house do not have.
//!
//! The options name backends and strategies of their tables, because a name can be typed, logged and
//! compared. Who has one of their own hands over a *maker*, a function that makes a fresh one: the solver
//! throws gates and clauses away when most of them are dead, and starts another backend then. A part that is
//! handed over takes the place of the named one until it is taken back; the setting stays what it is.
//!
//! Parts are trusted as those of the tables are: a wrong model is found by validation, and a strategy can
//! only say what holds; an approximation can only restrict a search that is widened until it does not; but a
//! backend's `unsat` is believed. The conformance suite of the SAT seam
//! ([`conformance`](crate::sat::conformance)) is the way to know a backend.
//!
//! ```
//! use bivalve::{CheckResult, Settings, Solver, sat, terms::{Op, Pool, Sort}};
//!
//! // Any maker does: here the reference solver, the way a solver of one's own would be handed over.
//! use sat::{Incremental, SatSolver, backends::naive::Naive};
//! let maker = || -> Box<dyn SatSolver> { Box::new(Incremental::new(Naive::default())) };
//! let mut solver = Solver::with_backend(Settings::default(), maker);
//! let mut pool = Pool::new();
//! let (p, q) = (pool.symbol("p", Sort::BOOL), pool.symbol("q", Sort::BOOL));
//! let differ = pool.app(Op::Xor, &[p, q])?;
//! solver.assert(&pool, differ)?;
//! assert_eq!(solver.check(&mut pool)?, CheckResult::Sat);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::settings::Settings;
use bivalve_approx::{Encoding, Policy};
use bivalve_arrays::{Strategy, strategy};
use bivalve_sat_adapter::{self as sat, SatSolver, Stop};
use bivalve_terms::{Pool, Term};
use std::sync::Arc;

/// Makes fresh SAT solvers, without variables and clauses.
pub type BackendMaker = Box<dyn Fn() -> Box<dyn SatSolver>>;

/// Makes strategies for arrays.
pub type StrategyMaker = Box<dyn Fn() -> Box<dyn Strategy>>;

/// Is told each lemma: a clause over terms, each with the value that makes its literal true.
pub type LemmaListener = Box<dyn FnMut(&Pool, &[(Term, bool)])>;

/// The parts handed over; where there is none, the settings name one.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) backend: Option<BackendMaker>,
    pub(crate) array_strategy: Option<StrategyMaker>,
    pub(crate) approximation: Option<(Arc<dyn Encoding>, Arc<dyn Policy>)>,
    pub(crate) lemmas: Option<LemmaListener>,
}

impl Parts {
    /// A fresh backend, ready to be stopped.
    pub(crate) fn start_backend(&self, settings: &Settings, stop: &Stop) -> Box<dyn SatSolver> {
        let mut backend = match &self.backend {
            Some(make) => make(),
            None => sat::create(&settings.sat).expect("settings name a backend that exists"),
        };
        if settings.seed > 0 {
            // One without random choices goes the same way for every seed.
            let _ = backend.set_seed(settings.seed);
        }
        backend.set_stop(stop.clone());
        backend
    }

    /// The strategy for arrays.
    pub(crate) fn array_strategy(&self, settings: &Settings) -> Box<dyn Strategy> {
        match &self.array_strategy {
            Some(make) => make(),
            None => {
                let row = strategy(settings.array_strategy).expect("settings name a strategy of the table");
                (row.make)()
            }
        }
    }
}
