//! The interface to SAT solvers.
//!
//! The interface is that of IPASIR (Balyo, Biere, Iser and Sinz, 2016), the common denominator of incremental
//! SAT solvers, with assumptions handed over as a slice and the reason of an unknown answer made explicit. It
//! is object-safe, so the backend is chosen by name at run time, and small, so that a third party writes one
//! in an afternoon; [`crate::conformance`] then says whether it is right.
//!
//! What a backend cannot do is said in [`Capabilities`] and shows as a default answer: `None`, `false`, or an
//! `Err`. Nothing here panics because something is missing.
//!
//! When may an answer be read? [`SatSolver::value`] speaks of the last `solve` if that said sat, and
//! [`SatSolver::failed`] if it said unsat, until the next `solve` or the next clause, whichever comes first.
//! After that they answer `None` and `false`. A fresh variable disturbs nothing. A caller that adds
//! clauses while it looks at a model copies the values it needs first.
//!
//! The trait does not require `Send`: the default backend has none. A solver lives on the thread that made
//! it, and [`Stop`] is what crosses threads.

use serde::Serialize;
use std::ops::AddAssign;

use crate::{Budget, ClauseSink, Lit, NoProof, ProofSink, SatResult, Stop};

/// What a solver is to be good at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Workload {
    /// Anything.
    #[default]
    General,
    /// Calls that are satisfiable, each close to the one before, as those along the paths of a program.
    Satisfiable,
}

/// An incremental SAT solver.
///
/// Variables and clauses come in through the supertrait [`ClauseSink`].
pub trait SatSolver: ClauseSink {
    /// The name under which [`crate::create`] knows the backend.
    fn name(&self) -> &'static str;

    /// Name and version of the engine, for logs.
    fn signature(&self) -> String;

    /// What this backend can do.
    fn capabilities(&self) -> Capabilities;

    /// Decides whether all clauses and all assumptions can be true together.
    ///
    /// The assumptions hold for this call only. They may repeat and may contradict each other (then the
    /// answer is unsat). Variables they mention exist from then on.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult;

    /// After sat: the value of a literal in the model; `None` when either value would do or the variable did
    /// not exist then. After anything else: `None`.
    fn value(&mut self, lit: Lit) -> Option<bool>;

    /// After unsat: whether the literal is an assumption of the last call that belongs to the core. The
    /// clauses and the core alone are unsatisfiable; the core need not be minimal. After anything else, and
    /// for a literal that was not assumed: false.
    fn failed(&mut self, lit: Lit) -> bool;

    /// Starts the random choices of the search from this number, before variables and clauses exist; 0 is
    /// where they start anyway. Says whether the solver has such choices and will start them there. A seed
    /// changes the course, never an answer.
    fn set_seed(&mut self, seed: u64) -> bool {
        let _ = seed;
        false
    }

    /// Says before the first variable what most calls will be answered. Returns whether the solver makes use
    /// of such expectations. They change the course, never an answer.
    fn expect(&mut self, workload: Workload) -> bool {
        let _ = workload;
        false
    }

    /// Hands over the flag that stops the solver, in place of the one before. When it is already set, `solve`
    /// answers unknown at once.
    fn set_stop(&mut self, stop: Stop);

    /// Asks for a proof of everything the solver will derive.
    ///
    /// # Errors
    ///
    /// When the backend has none to give, or variables or clauses exist already; the sink is dropped.
    fn set_proof(&mut self, sink: Box<dyn ProofSink>) -> Result<(), NoProof> {
        drop(sink);
        Err(NoProof::Unsupported)
    }

    /// Counters since the solver was made.
    fn statistics(&self) -> Statistics;
}

/// What a backend can do. Whatever is false is either made up for (slower, never wrong) or an ignorable hint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Capabilities {
    /// What one `solve` learned serves the next. Otherwise every call starts over with all clauses.
    pub incremental: bool,
    /// Assumptions are known to the engine. Otherwise they are unit clauses of a one-shot call.
    pub assumptions: bool,
    /// The core falls out of the last conflict. Otherwise it is found by leaving assumptions out and solving
    /// again.
    pub native_core: bool,
    /// A running `solve` notices its [`Stop`]. Otherwise the flag is looked at between calls only.
    pub interrupt: bool,
    /// Conflicts are counted and a [`Budget`] is kept. Otherwise it is ignored.
    pub budget: bool,
    /// [`SatSolver::set_proof`] succeeds on a fresh solver.
    pub proof: bool,
    /// A running `solve` looks at its [`Stop`], or spends steps there, at the same places in every run of the
    /// same calls, so that steps can be counted. Otherwise it looks by the clock.
    pub steady: bool,
}

impl Capabilities {
    /// Everything.
    pub const ALL: Capabilities = Capabilities {
        incremental: true,
        assumptions: true,
        native_core: true,
        interrupt: true,
        budget: true,
        proof: true,
        steady: true,
    };

    /// Those of most incremental solvers: all but proofs and a steady pace.
    pub const INCREMENTAL: Capabilities = Capabilities { proof: false, steady: false, ..Capabilities::ALL };

    /// Those of most solvers that answer once: they can be stopped.
    pub const ONE_SHOT: Capabilities = Capabilities {
        incremental: false,
        assumptions: false,
        native_core: false,
        interrupt: true,
        budget: false,
        proof: false,
        steady: false,
    };
}

/// Counters of a solver. What a backend does not count is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Variables made.
    pub variables: u64,
    /// Clauses added, as given.
    pub clauses: u64,
    /// Calls of `solve`.
    pub solves: u64,
    /// Runs of the engine. Of a one-shot engine there may be more than calls (cores) or fewer (remembered
    /// answers).
    pub runs: u64,
    /// Conflicts the search ran into.
    pub conflicts: Option<u64>,
    /// Decisions the search took.
    pub decisions: Option<u64>,
    /// Literals the search propagated.
    pub propagations: Option<u64>,
    /// Restarts of the search.
    pub restarts: Option<u64>,
}

/// Counts of two solvers together. What one of them does not count is left out.
impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        let sum = |one: &mut Option<u64>, other: Option<u64>| {
            *one = other.map_or(*one, |other| Some(one.unwrap_or(0) + other));
        };
        self.variables += other.variables;
        self.clauses += other.clauses;
        self.solves += other.solves;
        self.runs += other.runs;
        sum(&mut self.conflicts, other.conflicts);
        sum(&mut self.decisions, other.decisions);
        sum(&mut self.propagations, other.propagations);
        sum(&mut self.restarts, other.restarts);
    }
}
