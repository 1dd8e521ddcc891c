//! The conformance suite, put to the test: solvers with one fault each must not pass.
//!
//! A [`Faulty`] solver is a right one with something wrong between it and the caller. Each fault is one that
//! a real backend has had or could have. For every fault there is at least one check that fails, and the
//! table says which one is expected to.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use bivalve_sat_adapter::{
    Budget, Capabilities, ClauseSink, Lit, NoProof, ProofSink, SatResult, SatSolver, Statistics, Stop,
    conformance, create,
};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// The first variable is number 2.
    VariablesFromTwo,
    /// An empty clause is dropped.
    EmptyClauseLost,
    /// Clauses after the first solve are dropped.
    LateClausesLost,
    /// A clause with a repeated literal is dropped.
    RepetitionLost,
    /// Long clauses lose their last literal.
    LongClausesCut,
    /// Assumptions stay for ever.
    AssumptionsStay,
    /// The last assumption is ignored.
    LastAssumptionLost,
    /// The core is at most one literal.
    CoreOfOne,
    /// Every literal has failed.
    EverythingFailed,
    /// A variable is reported with the wrong value now and then.
    ModelBent,
    /// The model can be read after clauses were added.
    ModelStays,
    /// Fresh variables have a value.
    FreshVariablesHaveValues,
    /// The flag is ignored.
    StopIgnored,
    /// The flag is looked at more often in each run.
    LooksVary,
    /// The reason of a stop is lost.
    ReasonLost,
    /// A budget ends in unsat.
    BudgetIsUnsat,
    /// The proof misses steps.
    ProofWithHoles,
    /// The proof ends early.
    ProofWithoutEnd,
    /// Solves are not counted.
    Uncounted,
    /// A sat becomes an unknown.
    Timid,
}

struct Faulty {
    inner: Box<dyn SatSolver>,
    fault: Fault,
    solves: u64,
    model: Vec<Option<bool>>,
    kept: Vec<Lit>,
    stop: Stop,
}

/// Solves of all solvers whose looks vary.
static SOLVES: AtomicU64 = AtomicU64::new(0);

impl Faulty {
    fn new(fault: Fault) -> Faulty {
        // Proofs are only to be had from a backend that has them.
        let inner =
            create(if cfg!(feature = "batsat") { "batsat" } else { "naive" }).expect("it is compiled in");
        let mut faulty =
            Faulty { inner, fault, solves: 0, model: Vec::new(), kept: Vec::new(), stop: Stop::new() };
        if fault == Fault::VariablesFromTwo {
            faulty.inner.new_var();
        }
        faulty
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }
}

impl ClauseSink for Faulty {
    fn new_var(&mut self) -> Lit {
        self.inner.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let repeats = (1..clause.len()).any(|at| clause[..at].contains(&clause[at]));
        let lost = self.has(Fault::EmptyClauseLost) && clause.is_empty()
            || self.has(Fault::LateClausesLost) && self.solves > 0
            || self.has(Fault::RepetitionLost) && repeats;
        if lost {
            return;
        }
        let end = if self.has(Fault::LongClausesCut) && clause.len() > 1000 {
            clause.len() - 1
        } else {
            clause.len()
        };
        self.inner.add_clause(&clause[..end]);
    }
}

impl SatSolver for Faulty {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn signature(&self) -> String {
        self.inner.signature()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.solves += 1;
        let mut assumed = assumptions.to_vec();
        if self.has(Fault::AssumptionsStay) {
            self.kept.extend(assumptions);
            assumed.clone_from(&self.kept);
        }
        if self.has(Fault::LastAssumptionLost) {
            assumed.pop();
        }
        if self.has(Fault::LooksVary) {
            let looks = SOLVES.fetch_add(1, Ordering::Relaxed);
            assert!((0..looks).all(|_| self.stop.reason().is_none()), "the flag is not raised");
        }
        let result = self.inner.solve(&assumed, budget);
        self.kept.clone_from(&assumed);
        self.model = (0..self.inner.statistics().variables)
            .map(|at| self.inner.value(Lit::positive(at as u32 + 1)))
            .collect();
        match result {
            SatResult::Unknown(_) if self.has(Fault::ReasonLost) => {
                SatResult::Unknown(bivalve_sat_adapter::Why::Interrupted)
            }
            SatResult::Unknown(_) if self.has(Fault::BudgetIsUnsat) && *budget != Budget::UNLIMITED => {
                SatResult::Unsat
            }
            SatResult::Sat if self.has(Fault::Timid) && self.solves > 3 => {
                SatResult::Unknown(bivalve_sat_adapter::Why::Backend("timid"))
            }
            result => result,
        }
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        let value = self.inner.value(lit);
        match self.fault {
            Fault::ModelBent if self.solves > 2 && lit.var() == 5 => value.map(|value| !value),
            Fault::ModelStays => {
                let stored = self.model.get(lit.var() as usize - 1).copied().flatten();
                stored.map(|stored| lit.under(stored))
            }
            Fault::FreshVariablesHaveValues if self.model.first().is_some_and(Option::is_some) => {
                value.or(Some(lit.under(false)))
            }
            _ => value,
        }
    }

    fn failed(&mut self, lit: Lit) -> bool {
        match self.fault {
            Fault::EverythingFailed => true,
            Fault::CoreOfOne => {
                let first = self.kept.clone().into_iter().find(|&lit| self.inner.failed(lit));
                first == Some(lit)
            }
            _ => self.inner.failed(lit),
        }
    }

    fn set_stop(&mut self, stop: Stop) {
        self.stop = stop.clone();
        if !self.has(Fault::StopIgnored) {
            self.inner.set_stop(stop);
        }
    }

    fn set_proof(&mut self, sink: Box<dyn ProofSink>) -> Result<(), NoProof> {
        match self.fault {
            Fault::ProofWithHoles => self.inner.set_proof(Box::new(Holes(sink, 0))),
            Fault::ProofWithoutEnd => self.inner.set_proof(Box::new(Endless(sink))),
            _ => self.inner.set_proof(sink),
        }
    }

    fn statistics(&self) -> Statistics {
        let inner = self.inner.statistics();
        if self.has(Fault::Uncounted) { Statistics { solves: 0, ..inner } } else { inner }
    }
}

/// Loses every third step.
struct Holes(Box<dyn ProofSink>, u64);

impl ProofSink for Holes {
    fn derived(&mut self, clause: &[Lit]) {
        self.1 += 1;
        if !self.1.is_multiple_of(3) {
            self.0.derived(clause);
        }
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.0.deleted(clause);
    }
}

/// Never comes to short clauses.
struct Endless(Box<dyn ProofSink>);

impl ProofSink for Endless {
    fn derived(&mut self, clause: &[Lit]) {
        if clause.len() > 1 {
            self.0.derived(clause);
        }
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.0.deleted(clause);
    }
}

/// The rules that a solver with this fault breaks.
fn broken_rules(fault: Fault) -> Vec<&'static str> {
    let make = || Box::new(Faulty::new(fault)) as Box<dyn SatSolver>;
    let breaks =
        |check: &&conformance::Check| catch_unwind(AssertUnwindSafe(|| (check.test)(&make))).is_err();
    // A solver that cannot be stopped would never come back from this one.
    let meanwhile = "a flag set by another thread stops the search";
    let skipped = |check: &&conformance::Check| fault == Fault::StopIgnored && check.rule == meanwhile;
    conformance::CHECKS
        .iter()
        .filter(|check| !skipped(check))
        .filter(breaks)
        .map(|check| check.rule)
        .collect()
}

#[test]
fn every_fault_is_found() {
    assert_eq!(broken_rules(Fault::Nothing), [""; 0]);
    let small = "small instances agree with truth tables";
    let medium = "medium instances agree with the naive solver";
    let stopped = "a flag that is set stops the call";
    let budget = "a spent budget is an unknown, and life goes on";
    let table: &[(Fault, &[&str])] = &[
        (Fault::VariablesFromTwo, &["variables are numbered from 1"]),
        (Fault::EmptyClauseLost, &["the empty clause refutes everything", small]),
        (Fault::LateClausesLost, &["clauses may come after a solve", small, medium]),
        (Fault::RepetitionLost, &["repeated literals count once", small]),
        (Fault::LongClausesCut, &["long clauses and long chains are no problem"]),
        (Fault::AssumptionsStay, &["assumptions last for one call", small]),
        (Fault::LastAssumptionLost, &[small, medium]),
        (Fault::CoreOfOne, &["a core leaves out what is not needed to refute", small, medium]),
        (Fault::EverythingFailed, &[small]),
        (Fault::ModelBent, &[small, medium]),
        (Fault::ModelStays, &["answers are readable until the next clause"]),
        (Fault::FreshVariablesHaveValues, &["a fresh variable leaves the model alone"]),
        (Fault::StopIgnored, &[stopped]),
        (Fault::LooksVary, &["the flag is looked at as often in each run"]),
        (Fault::ReasonLost, &[stopped, budget]),
        (Fault::BudgetIsUnsat, &[budget, small]),
        (Fault::Uncounted, &["the counters count"]),
        (Fault::Timid, &[small, medium]),
    ];
    let proof = "proofs stand up to unit propagation";
    let proofs: &[(Fault, &[&str])] =
        &[(Fault::ProofWithHoles, &[proof]), (Fault::ProofWithoutEnd, &[proof])];
    let with_proofs = if cfg!(feature = "batsat") { proofs } else { &[] };
    for &(fault, rules) in table.iter().chain(with_proofs) {
        let broken = broken_rules(fault);
        for rule in rules {
            assert!(broken.contains(rule), "{fault:?} passes '{rule}'; it breaks {broken:?}");
        }
    }
}
