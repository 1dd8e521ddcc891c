//! BatSat (Cruanes and Hara), MiniSat (Eén and Sörensson, SAT 2003) in pure Rust, through the crate `batsat`.
//!
//! The backend for places without a C++ compiler, and often the quicker one when there are very many cheap
//! calls. It has no inprocessing; on hard industrial instances it falls far behind CaDiCaL.
//!
//! The engine has assumptions and cores but no setter for limits. Its callbacks make up for that: `stop` is
//! asked once for every propagation that ends without a conflict, and `on_new_clause` is told every learned
//! clause, which is once per conflict, so conflicts are counted there, which are the steps
//! that a meter is told of. A seed shuffles the order in which
//! variables are looked at first; without one there is no chance in the engine.
//!
//! The engine reports the negation of the failed assumptions as a clause; the core is its negation.

use batsat::{Callbacks, ClauseKind, SolverInterface, SolverOpts, Var, lbool};

use super::conflicts::Conflicts;
use crate::marks::LitMarks;
use crate::{
    Budget, Capabilities, ClauseSink, Lit, NoProof, ProofSink, SatResult, SatSolver, Statistics, Stop, Why,
};

/// The backend `batsat`.
pub struct Batsat {
    engine: batsat::Solver<Watch>,
    clauses: u64,
    solves: u64,
    last: Option<SatResult>,
    assumed: LitMarks,
}

impl Batsat {
    /// A solver without variables and clauses.
    pub fn new() -> Batsat {
        Batsat {
            engine: batsat::Solver::new(SolverOpts::default(), Watch::default()),
            clauses: 0,
            solves: 0,
            last: None,
            assumed: LitMarks::default(),
        }
    }

    fn mention(&mut self, lits: &[Lit]) {
        if let Some(largest) = lits.iter().map(|lit| lit.var()).max() {
            self.engine.var_of_int(largest - 1);
        }
    }

    /// Tells the proof what the last unsat answer amounts to: not all of the core.
    fn conclude(&mut self) {
        let core: Vec<Lit> = self.engine.unsat_core().iter().copied().map(foreign).collect();
        if let Some(proof) = &mut self.engine.cb_mut().proof {
            proof.derived(&core);
        }
    }
}

impl Default for Batsat {
    fn default() -> Self {
        Batsat::new()
    }
}

fn native(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(Var::unsafe_from_idx(lit.var() - 1), !lit.is_negative())
}

fn foreign(lit: batsat::Lit) -> Lit {
    let positive = Lit::positive(lit.var().idx() + 1);
    if lit.sign() { positive } else { !positive }
}

fn truth(value: lbool) -> Option<bool> {
    if value == lbool::TRUE {
        Some(true)
    } else if value == lbool::FALSE {
        Some(false)
    } else {
        None
    }
}

impl ClauseSink for Batsat {
    fn new_var(&mut self) -> Lit {
        Lit::positive(self.engine.new_var_default().idx() + 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.last = None;
        self.clauses += 1;
        self.mention(clause);
        self.engine.add_clause_reuse(&mut clause.iter().copied().map(native).collect());
    }
}

impl SatSolver for Batsat {
    fn name(&self) -> &'static str {
        "batsat"
    }

    fn signature(&self) -> String {
        "batsat 0.6".to_owned()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.solves += 1;
        self.last = None;
        self.mention(assumptions);
        if let Some(why) = self.engine.cb().stop.reason() {
            return SatResult::Unknown(why);
        }
        self.assumed.set(assumptions);
        let clauses = self.clauses;
        self.engine.cb_mut().begin(budget, clauses);
        let natives: Vec<batsat::Lit> = assumptions.iter().copied().map(native).collect();
        let result = match truth(self.engine.solve_limited(&natives)) {
            Some(true) => SatResult::Sat,
            Some(false) => {
                self.conclude();
                SatResult::Unsat
            }
            None => SatResult::Unknown(self.engine.cb().why()),
        };
        self.last = Some(result);
        result
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        if self.last == Some(SatResult::Sat) { truth(self.engine.value_lit(native(lit))) } else { None }
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.last == Some(SatResult::Unsat)
            && self.assumed.contains(lit)
            && self.engine.unsat_core_contains_lit(native(!lit))
    }

    fn set_seed(&mut self, seed: u64) -> bool {
        let is_fresh = self.clauses == 0 && self.engine.num_vars() == 0;
        if is_fresh && seed > 0 {
            let first = SolverOpts::default();
            // Numbers below 2^31 start the generator of the engine, zero does not.
            let random_seed = first.random_seed + (seed % (1 << 30)) as f64;
            let options = SolverOpts { random_seed, rnd_init_act: true, ..first };
            let watch = std::mem::take(self.engine.cb_mut());
            self.engine = batsat::Solver::new(options, watch);
        }
        is_fresh
    }

    fn set_stop(&mut self, stop: Stop) {
        self.engine.cb_mut().stop = stop;
    }

    fn set_proof(&mut self, sink: Box<dyn ProofSink>) -> Result<(), NoProof> {
        if self.engine.num_vars() > 0 || self.clauses > 0 || self.solves > 0 {
            return Err(NoProof::TooLate);
        }
        self.engine.cb_mut().proof = Some(sink);
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: u64::from(self.engine.num_vars()),
            clauses: self.clauses,
            solves: self.solves,
            runs: self.solves,
            conflicts: Some(self.engine.num_conflicts()),
            decisions: Some(self.engine.num_decisions()),
            propagations: Some(self.engine.num_propagations()),
            restarts: Some(self.engine.num_restarts()),
        }
    }
}

/// What the engine calls while it searches: the limits, the flag, and the proof.
#[derive(Default)]
struct Watch {
    stop: Stop,
    budget: Budget,
    conflicts: u64,
    steps: Conflicts,
    proof: Option<Box<dyn ProofSink>>,
    lits: Vec<Lit>,
}

impl Watch {
    fn begin(&mut self, budget: &Budget, clauses: u64) {
        self.steps.begin(clauses);
        self.budget = *budget;
        self.conflicts = 0;
    }

    fn why(&self) -> Why {
        self.stop.reason().unwrap_or(Why::Budget)
    }

    fn read(&mut self, clause: &[batsat::Lit]) {
        self.lits.clear();
        self.lits.extend(clause.iter().copied().map(foreign));
    }
}

impl Callbacks for Watch {
    fn on_restart(&mut self) {
        self.stop.count_restart();
    }

    fn on_new_clause(&mut self, clause: &[batsat::Lit], kind: ClauseKind) {
        if kind != ClauseKind::Learnt {
            return;
        }
        self.conflicts += 1;
        self.stop.count_conflict();
        self.steps.count();
        if self.proof.is_some() {
            self.read(clause);
        }
        if let Some(proof) = &mut self.proof {
            proof.derived(&self.lits);
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        if self.proof.is_some() {
            self.read(clause);
        }
        if let Some(proof) = &mut self.proof {
            proof.deleted(&self.lits);
        }
    }

    fn stop(&self) -> bool {
        self.steps.poll(&self.stop).is_some() || self.budget.is_spent(self.conflicts)
    }
}
