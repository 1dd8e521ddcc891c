//! CaDiCaL 3 (Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt, CAV 2024) through the crate
//! `cadical-sys`.
//!
//! The default: robust on hard queries because of its inprocessing, incremental with it (Fazekas, Biere and
//! Scholl, SAT 2019), and with everything the seam asks for: limits, interruption, proofs.
//!
//! What to know about the engine, and what is done about it here:
//!
//! - A variable comes into being there when a clause or an assumption mentions it, so a fresh variable does
//!   not touch the model.
//! - `luckyassumptions=0`: with it on, many small calls under assumptions take up to three times as long
//!   (arminbiere/cadical#190).
//! - `factor=0` is set although it is the default: the engine also reads options from the environment
//!   (`CADICAL_FACTOR`). With `factor=1` (bounded variable addition) the engine makes variables of its own;
//!   then ours are declared, and each is translated to the number that it was given.
//! - Before a search without assumptions, the engine tries whether all variables true, all false, and the
//!   like satisfy the clauses ("lucky phases"), up to eight walks over all of them. That decides some
//!   formulas, and costs most of the time where one call follows another with a few clauses more, as in
//!   refinement: 2.4 of 3.0 s on 340,000 clauses. So after a million clauses it is tried only at calls the
//!   number of which is a power of two; others assume a literal that is true anyway.
//! - A call in the wrong state ends the process in C++ and panics in `cadical-sys`. So the state is tracked
//!   here and questions are only passed on when they are legal.
//! - The solver is not `Send`; [`Stop`] reaches it through the terminator callback, which the engine polls.
//! - Where a meter counts steps, conflicts are these steps (`conflicts.rs`); they change no search.
//! - Limits are 32-bit there; a larger one is cut to that, which is days of search.
//!
//! The backend takes options for experiments: `cadical:stabilizeonly=1,phase=0`. Those that make the engine
//! abort on a failed self-check are refused.

use cadical_sys::{CaDiCal, Learner, ProofTracer, Status, Terminator};
use rustc_hash::FxHashSet;
use std::sync::Arc;

use super::conflicts::Conflicts;
use crate::marks::LitMarks;
use crate::{
    Budget, Capabilities, ClauseSink, Lit, NoProof, ProofSink, SatResult, SatSolver, Source, Statistics,
    Stop, Why, Workload,
};

/// The engine tells so many seeds apart.
const MOST_SEEDS: u64 = 2_000_000_001;

/// Calls without assumptions may be lucky ones until they had so many clauses together; later ones by their
/// number.
const LUCKY_CLAUSES: u64 = 1 << 20;

/// The backend `cadical`.
pub struct Cadical {
    engine: CaDiCal,
    variables: u32,
    /// The number of variables at the last answer.
    answered: u32,
    clauses: u64,
    solves: u64,
    /// Calls without assumptions, and the clauses that those had together that may have been lucky.
    free_solves: u64,
    lucky_clauses: u64,
    /// The literal of a unit clause.
    unit: Option<Lit>,
    stop: Stop,
    conflicts: Arc<Conflicts>,
    last: Option<SatResult>,
    assumed: LitMarks,
    has_proof: bool,
    /// The option `target` was set.
    has_target: bool,
    /// A clause on its way to the engine.
    numbers: Vec<i32>,
    /// With `factor=1`: the engine's number of each variable from 1 on; otherwise they have our numbers
    /// there.
    declared: Option<Vec<i32>>,
}

impl Cadical {
    /// A solver without variables and clauses.
    pub fn new() -> Cadical {
        let mut engine = CaDiCal::new();
        engine.set("luckyassumptions", 0);
        engine.set("factor", 0);
        engine.set("factorcheck", 1);
        Cadical {
            engine,
            variables: 0,
            answered: 0,
            clauses: 0,
            solves: 0,
            free_solves: 0,
            lucky_clauses: 0,
            unit: None,
            stop: Stop::new(),
            conflicts: Arc::default(),
            last: None,
            assumed: LitMarks::default(),
            has_proof: false,
            has_target: false,
            numbers: Vec::new(),
            declared: None,
        }
    }

    /// A solver with options of the engine, written `name=value,name=value`. A value out of range becomes the
    /// nearest one in range.
    ///
    /// # Errors
    ///
    /// A sentence that names the option that is malformed, unknown, or not allowed.
    pub fn with_options(options: &str) -> Result<Cadical, String> {
        let mut solver = Cadical::new();
        for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let (name, value) =
                option.split_once('=').ok_or(format!("'{option}' is not of the form name=value"))?;
            let value = value.parse().map_err(|_| format!("the value of '{option}' is not a number"))?;
            if name == "factorcheck" || name.starts_with("check") {
                return Err(format!("the option '{name}' does not go with the way the solver is used here"));
            }
            if !CaDiCal::is_valid_option(name) || !solver.engine.set(name, value) {
                return Err(format!("CaDiCaL has no option '{name}'"));
            }
            solver.has_target |= name == "target";
            if name == "factor" {
                solver.declared = (value > 0).then(Vec::new);
            }
        }
        Ok(solver)
    }

    fn mention(&mut self, lits: &[Lit]) {
        let largest = lits.iter().map(|lit| lit.var()).max().unwrap_or(0);
        self.variables = self.variables.max(largest);
        self.declare(largest);
    }

    /// Tells the engine of all variables up to this one, if it has not been told.
    fn declare(&mut self, largest: u32) {
        let Some(declared) = &mut self.declared else { return };
        let missing = i32::try_from((largest as usize).saturating_sub(declared.len()))
            .expect("variables are 31-bit numbers");
        if missing > 0 {
            let last = self.engine.declare_more_variables(missing);
            declared.extend(last - missing + 1..=last);
        }
    }

    /// What the engine calls a literal of a variable that it was told of.
    fn number(&self, lit: Lit) -> i32 {
        match &self.declared {
            None => lit.to_dimacs(),
            Some(declared) => declared[lit.var() as usize - 1] * lit.to_dimacs().signum(),
        }
    }

    /// Options of the engine can still be set.
    fn is_fresh(&self) -> bool {
        self.variables == 0 && self.clauses == 0
    }

    fn limit(&mut self, name: &str, steps: Option<u64>) {
        if let Some(steps) = steps {
            self.engine.limit(name, i32::try_from(steps).unwrap_or(i32::MAX));
        }
    }

    /// Searches.
    fn search(&mut self, assumptions: &[Lit], budget: &Budget) -> Status {
        for lit in assumptions {
            self.engine.assume(self.number(*lit));
        }
        if assumptions.is_empty() {
            self.forgo_luck();
        }
        self.limit("conflicts", budget.conflicts);
        self.conflicts.begin(self.clauses);
        self.engine.solve()
    }

    /// Counts a call without assumptions, and assumes what is true anyway unless it may be a lucky one.
    fn forgo_luck(&mut self) {
        self.free_solves += 1;
        if self.free_solves.is_power_of_two() || self.lucky_clauses < LUCKY_CLAUSES {
            self.lucky_clauses += self.clauses;
        } else if let Some(unit) = self.unit {
            self.engine.assume(self.number(unit));
        }
    }

    fn counter(&self, name: &str) -> Option<u64> {
        u64::try_from(self.engine.get_statistic_value(name)).ok()
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Cadical::new()
    }
}

impl ClauseSink for Cadical {
    fn new_var(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.last = None;
        self.clauses += 1;
        if let &[lit] = clause {
            self.unit.get_or_insert(lit);
        }
        self.mention(clause);
        self.numbers.clear();
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.extend(clause.iter().map(|&lit| self.number(lit)));
        self.engine.clause6(&numbers);
        self.numbers = numbers;
    }
}

impl SatSolver for Cadical {
    fn name(&self) -> &'static str {
        "cadical"
    }

    fn signature(&self) -> String {
        CaDiCal::signature()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.solves += 1;
        self.last = None;
        self.mention(assumptions);
        if let Some(why) = self.stop.reason() {
            return SatResult::Unknown(why);
        }
        self.declare(self.variables);
        self.assumed.set(assumptions);
        let result = match self.search(assumptions, budget) {
            Status::SATISFIABLE => SatResult::Sat,
            Status::UNSATISFIABLE => {
                if self.has_proof {
                    self.engine.conclude();
                }
                SatResult::Unsat
            }
            Status::UNKNOWN => SatResult::Unknown(match self.stop.reason() {
                Some(why) => why,
                None if *budget != Budget::UNLIMITED => Why::Budget,
                None => Why::Backend("it gave up"),
            }),
        };
        self.last = Some(result);
        self.answered = self.variables;
        result
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        let known = self.last == Some(SatResult::Sat) && lit.var() <= self.answered;
        known.then(|| {
            let number = self.number(lit);
            self.engine.val(number) == number
        })
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.last == Some(SatResult::Unsat)
            && self.assumed.contains(lit)
            && self.engine.failed(self.number(lit))
    }

    fn expect(&mut self, workload: Workload) -> bool {
        let is_heeded = self.is_fresh() && !self.has_target;
        if is_heeded && workload == Workload::Satisfiable {
            // The best assignment so far is searched around in focused mode, too: 0.28 of the time on paths
            // of programs, 1.3 times as much on bounded model checking.
            self.engine.set("target", 2);
        }
        is_heeded
    }

    fn set_seed(&mut self, seed: u64) -> bool {
        self.is_fresh() && self.engine.set("seed", i32::try_from(seed % MOST_SEEDS).unwrap_or(0))
    }

    fn set_stop(&mut self, stop: Stop) {
        self.engine.connect_terminator(Poll(stop.clone(), self.conflicts.clone()));
        self.engine.connect_learner(Count(stop.clone(), self.conflicts.clone()));
        self.stop = stop;
    }

    fn set_proof(&mut self, sink: Box<dyn ProofSink>) -> Result<(), NoProof> {
        if self.variables > 0 || self.clauses > 0 || self.solves > 0 {
            return Err(NoProof::TooLate);
        }
        // Definitions of the engine's own variables are no steps that follow.
        self.engine.set("factor", 0);
        let antecedents = sink.wants_antecedents();
        let tracer =
            Tracer { sink, set_aside: FxHashSet::default(), lits: vec![], added: 0, numbers: vec![] };
        self.engine.connect_proof_tracer1(tracer, antecedents, false);
        self.has_proof = true;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: u64::from(self.variables),
            clauses: self.clauses,
            solves: self.solves,
            runs: self.solves,
            conflicts: self.counter("conflicts"),
            decisions: self.counter("decisions"),
            propagations: self.counter("propagations"),
            restarts: None,
        }
    }
}

/// Lets the engine look at the flag.
struct Poll(Stop, Arc<Conflicts>);

impl Terminator for Poll {
    fn terminated(&mut self) -> bool {
        self.1.poll(&self.0).is_some()
    }
}

/// Counts what the engine learns; it takes no clause.
struct Count(Stop, Arc<Conflicts>);

impl Learner for Count {
    fn learning(&mut self, _size: i32) -> bool {
        self.0.count_conflict();
        self.1.count();
        false
    }

    fn learn(&mut self, _lit: i32) {}
}

/// Passes the engine's proof steps on. A clause that is set aside (weakened) when a variable is eliminated
/// may come back under the same number, so its deletion is kept from the sink.
struct Tracer {
    sink: Box<dyn ProofSink>,
    set_aside: FxHashSet<i64>,
    lits: Vec<Lit>,
    /// The clauses that were added.
    added: u64,
    /// Antecedents on their way to the sink.
    numbers: Vec<u64>,
}

impl Tracer {
    fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.numbers.clear();
        self.numbers.extend(antecedents.iter().map(|id| id.unsigned_abs()));
        self.sink.antecedents(id.unsigned_abs(), Source::Derived(&self.numbers));
        self.read(clause);
        self.sink.derived(&self.lits);
    }

    fn read(&mut self, clause: &[i32]) {
        self.lits.clear();
        self.lits.extend(clause.iter().filter_map(|&number| Lit::from_dimacs(number)));
    }
}

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32], restored: bool) {
        if !restored {
            self.sink.antecedents(id.unsigned_abs(), Source::Added(self.added));
            self.added += 1;
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        _witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        self.derived(id, clause, antecedents);
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, clause: &[i32]) {
        if !self.set_aside.contains(&id) {
            self.read(clause);
            self.sink.deleted(&self.lits);
        }
    }

    fn weaken_minus(&mut self, id: i64, _clause: &[i32]) {
        self.set_aside.insert(id);
    }

    fn strengthen(&mut self, _id: i64) {}

    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}

    fn add_assumption(&mut self, _lit: i32) {}

    fn add_constraint(&mut self, _clause: &[i32]) {}

    fn reset_assumptions(&mut self) {}

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.derived(id, clause, antecedents);
    }

    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}

    fn conclude_unsat(&mut self, _conclusion_type: i32, _clause_ids: &[i64]) {}

    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As after a million clauses: most calls without assumptions assume a unit clause.
    #[test]
    fn a_solver_that_forgoes_luck_conforms() {
        crate::conformance::run(&|| Box::new(Cadical { lucky_clauses: LUCKY_CLAUSES, ..Cadical::new() }));
    }

    /// The refutation is the empty clause, not one about what was assumed.
    #[test]
    fn a_refutation_without_luck_is_of_the_clauses() {
        let log = std::rc::Rc::new(std::cell::RefCell::new(Derived::default()));
        let mut solver = Cadical { lucky_clauses: LUCKY_CLAUSES, ..Cadical::new() };
        solver.set_proof(Box::new(log.clone())).expect("a fresh solver can tell its reasons");
        let unit = solver.new_var();
        solver.add_clause(&[unit]);
        let free: Vec<Lit> = (0..3).map(|_| solver.new_var()).collect();
        for model in 0..8 {
            assert_eq!(solver.solve(&[], &Budget::UNLIMITED), SatResult::Sat);
            assert!(log.borrow().0.iter().all(|clause| !clause.is_empty()));
            let excluded = |place: usize| if model >> place & 1 == 1 { !free[place] } else { free[place] };
            solver.add_clause(&[!unit, excluded(0), excluded(1), excluded(2)]);
        }
        assert_eq!(solver.free_solves, 8);
        assert_eq!(solver.solve(&[], &Budget::UNLIMITED), SatResult::Unsat);
        assert_eq!(log.borrow().0.last(), Some(&vec![]));
    }

    /// The clauses that were derived.
    #[derive(Default)]
    struct Derived(Vec<Vec<Lit>>);

    impl ProofSink for Derived {
        fn derived(&mut self, clause: &[Lit]) {
            self.0.push(clause.to_vec());
        }

        fn deleted(&mut self, _clause: &[Lit]) {}
    }
}
