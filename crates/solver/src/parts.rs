//! Parts that come from outside: a SAT solver, a strategy for arrays or an under-approximation that the
//! tables do not have.
//!
//! The options name backends and strategies of their tables, because a name can be typed, logged and
//! compared. A part of one's own is handed over as a *maker*, a function that makes a fresh one: the solver
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

use crate::options::Settings;
use crate::under_approximation::Mode;
use bivalve_approx::encodings::encoding;
use bivalve_approx::policies::policy;
use bivalve_approx::{Encoding, Parameters, Policy};
use bivalve_arrays::strategy;
use bivalve_bitblast::SolverFactory;
use bivalve_refine::Lemma;
use bivalve_sat_adapter as sat;
use bivalve_terms::Pool;
use std::rc::Rc;
use std::sync::Arc;

/// Makes fresh SAT solvers, without variables and clauses.
pub type BackendMaker = SolverFactory;

/// Makes strategies for arrays.
pub type StrategyMaker = Box<dyn Fn() -> Box<dyn bivalve_arrays::Strategy>>;

/// Is told each lemma that a check learns.
pub type LemmaListener = Box<dyn FnMut(&Pool, &Lemma)>;

/// The parts handed over; where there is none, the settings name one.
#[derive(Clone, Default)]
pub(crate) struct Parts {
    pub(crate) backend: Option<Rc<BackendMaker>>,
    pub(crate) array_strategy: Option<Rc<StrategyMaker>>,
    pub(crate) approximation: Option<(Arc<dyn Encoding>, Arc<dyn Policy>)>,
}

impl Parts {
    /// Makes backends as the settings say, or as was handed over.
    pub(crate) fn factory(&self, settings: &Settings) -> SolverFactory {
        let (own, sat, seed) = (self.backend.clone(), settings.sat.clone(), settings.seed);
        Box::new(move || {
            let mut backend = match &own {
                Some(make) => make(),
                None => sat::create(&sat).expect("settings name a backend that exists"),
            };
            if seed > 0 {
                // One without random choices goes the same way for every seed.
                let _ = backend.set_seed(seed);
            }
            backend
        })
    }

    /// How to under-approximate.
    pub(crate) fn approximation_mode(&self, settings: &Settings) -> Mode {
        let width = settings.approx_width;
        if let Some((encoding, policy)) = self.approximation.clone() {
            return Mode::Always(Parameters { encoding, policy, width });
        }
        if settings.approx == "auto" {
            return Mode::Auto;
        }
        let Some(encoding) = encoding(settings.approx) else { return Mode::Off };
        let policy = policy(settings.approx_refine).expect("settings name a policy of the table");
        Mode::Always(Parameters { encoding: (encoding.make)(), policy: (policy.make)(), width })
    }

    /// The strategy for arrays.
    pub(crate) fn array_strategy(&self, settings: &Settings) -> Box<dyn bivalve_arrays::Strategy> {
        match &self.array_strategy {
            Some(make) => make(),
            None => {
                let row = strategy(settings.array_strategy).expect("settings name a strategy of the table");
                (row.make)()
            }
        }
    }
}
