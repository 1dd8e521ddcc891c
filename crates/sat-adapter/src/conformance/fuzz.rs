//! Random instances, asked incrementally, with judges.
//!
//! *Small* ones have at most eight variables and everything odd that the seam allows: empty clauses, repeated
//! and opposite literals in clauses and assumptions, variables out of the blue, phases, tiny budgets. Truth
//! tables judge every result, model and core. *Medium* ones are random 3-SAT near the
//! threshold, grown in steps, so that learning and inprocessing have something to do; models are checked on
//! the clauses, and unsat and cores are judged by the naive solver.

use std::ops::Range;

use super::Make;
use super::random::Random;
use super::truth::{TruthTable, is_true};
use crate::backends::naive::Naive;
use crate::{Answer, Budget, ClauseSink, CnfLog, Lit, OneShot, SatResult, SatSolver, Stop, Why};

/// Small instances: thousands for an incremental solver, fewer for one that starts over at every call.
pub fn small(make: Make<'_>) {
    let incremental = make().capabilities().incremental;
    small_seeds(make, if incremental { 0..4000 } else { 0..500 });
}

/// Medium instances.
pub fn medium(make: Make<'_>) {
    let incremental = make().capabilities().incremental;
    medium_seeds(make, if incremental { 0..40 } else { 0..8 });
}

/// Small instances of the given seeds.
pub fn small_seeds(make: Make<'_>, seeds: Range<u64>) {
    for seed in seeds {
        Small::new(make(), seed).run();
    }
}

/// Medium instances of the given seeds.
pub fn medium_seeds(make: Make<'_>, seeds: Range<u64>) {
    for seed in seeds {
        medium_seed(&mut *make(), seed);
    }
}

/// One small instance.
struct Small {
    solver: Box<dyn SatSolver>,
    table: TruthTable,
    random: Random,
    seed: u64,
    /// How many variables clauses and assumptions are drawn from.
    variables: u32,
}

impl Small {
    fn new(solver: Box<dyn SatSolver>, seed: u64) -> Small {
        let mut random = Random::new(seed);
        let variables = 1 + random.below(u64::from(TruthTable::VARIABLES)) as u32;
        Small { solver, table: TruthTable::new(), random, seed, variables }
    }

    fn run(&mut self) {
        // The variables need not be made: clauses may mention them first.
        for _ in 0..self.random.below(u64::from(self.variables) + 1) {
            self.solver.new_var();
        }
        for _ in 0..2 + self.random.below(6) {
            for _ in 0..self.random.below(2 + 2 * u64::from(self.variables)) {
                self.add_clause();
            }
            let number = self.random.below(5);
            let assumptions = self.random.lits(self.variables, number);
            self.ask(&assumptions);
        }
    }

    fn add_clause(&mut self) {
        let length = match self.random.below(64) {
            0 if self.random.one_in(4) => 0,
            0..8 => 1,
            8..24 => 2,
            24..56 => 3,
            more => more - 52,
        };
        let clause = self.random.lits(self.variables, length);
        self.table.add_clause(&clause);
        self.solver.add_clause(&clause);
    }

    fn ask(&mut self, assumptions: &[Lit]) {
        let expected = self.table.is_satisfiable(assumptions);
        let steps = self.random.below(3);
        let budget = match self.random.below(16) {
            0 => Budget::conflicts(steps),
            _ => Budget::UNLIMITED,
        };
        let result = self.solver.solve(assumptions, &budget);
        let seed = self.seed;
        match result {
            SatResult::Sat => {
                assert!(
                    expected,
                    "seed {seed}: sat, but no assignment satisfies the clauses and {assumptions:?}"
                );
                self.check_model(assumptions);
            }
            SatResult::Unsat => {
                assert!(
                    !expected,
                    "seed {seed}: unsat, but some assignment satisfies the clauses and {assumptions:?}"
                );
                self.check_core(assumptions);
            }
            SatResult::Unknown(Why::Budget) if budget != Budget::UNLIMITED => {}
            SatResult::Unknown(why) => panic!("seed {seed}: unknown without a limit: {why}"),
        }
    }

    fn check_model(&mut self, assumptions: &[Lit]) {
        let seed = self.seed;
        let mut assignment = 0;
        for var in 1..=TruthTable::VARIABLES {
            let lit = Lit::positive(var);
            let value = self.solver.value(lit);
            assert_eq!(
                self.solver.value(!lit),
                value.map(|value| !value),
                "seed {seed}: {lit} and its negation differ"
            );
            // What is open may be either.
            let value = value.unwrap_or_else(|| self.random.one_in(2));
            assignment |= usize::from(value) << (var - 1);
        }
        assert!(self.table.admits(assignment), "seed {seed}: the model {assignment:b} breaks a clause");
        let broken = assumptions.iter().find(|&&lit| !is_true(lit, assignment));
        assert_eq!(broken, None, "seed {seed}: the model breaks an assumption");
        assert!(
            !assumptions.iter().any(|&lit| self.solver.failed(lit)),
            "seed {seed}: after sat nothing has failed"
        );
    }

    fn check_core(&mut self, assumptions: &[Lit]) {
        let seed = self.seed;
        let mut core = Vec::new();
        for var in 1..=TruthTable::VARIABLES {
            for lit in [Lit::positive(var), Lit::negative(var)] {
                if self.solver.failed(lit) {
                    core.push(lit);
                }
                assert_eq!(self.solver.value(lit), None, "seed {seed}: after unsat there is no model");
            }
        }
        let stranger = core.iter().find(|lit| !assumptions.contains(lit));
        assert_eq!(stranger, None, "seed {seed}: a literal failed that was not assumed");
        assert!(
            !self.table.is_satisfiable(&core),
            "seed {seed}: the core {core:?} of {assumptions:?} is satisfiable"
        );
        if self.random.one_in(2) {
            let again = self.solver.solve(&core, &Budget::UNLIMITED);
            assert_eq!(again, SatResult::Unsat, "seed {seed}: the core {core:?} alone is unsat again");
        }
    }
}

/// Whether the naive solver refutes the clauses together with the literals.
fn refuted(cnf: &CnfLog, lits: &[Lit]) -> bool {
    match Naive::default().solve(cnf, lits, &Budget::UNLIMITED, &Stop::new()) {
        Answer::Sat(_) => false,
        Answer::Unsat => true,
        Answer::Unknown(why) => panic!("the naive solver has no limit here: {why}"),
    }
}

/// One medium instance.
fn medium_seed(solver: &mut dyn SatSolver, seed: u64) {
    let mut random = Random::new(seed);
    let variables = 30 + random.below(40) as u32;
    let mut cnf = CnfLog::new();
    cnf.mention(&[Lit::positive(variables)]);
    // From far below the threshold of about 4.26 clauses per variable to somewhat above it.
    let step = variables / 2 + 1;
    while cnf.len() < 5 * variables as usize {
        for _ in 0..step {
            let clause = random.ternary(variables);
            cnf.add_clause(&clause);
            solver.add_clause(&clause);
        }
        let number = random.below(6);
        let mut assumptions = random.lits(variables, number);
        assumptions.sort_unstable();
        assumptions.dedup_by_key(|lit| lit.var());
        match solver.solve(&assumptions, &Budget::UNLIMITED) {
            SatResult::Sat => {
                let mut is_true = |lit: &Lit| solver.value(*lit) == Some(true);
                let broken = cnf.clauses().find(|clause| !clause.iter().any(&mut is_true));
                assert_eq!(broken, None, "seed {seed}: the model breaks a clause");
                assert!(assumptions.iter().all(is_true), "seed {seed}: the model breaks an assumption");
            }
            SatResult::Unsat => {
                let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
                assert!(
                    refuted(&cnf, &core),
                    "seed {seed}: the core {core:?} of {assumptions:?} is satisfiable"
                );
            }
            SatResult::Unknown(why) => panic!("seed {seed}: unknown without a limit: {why}"),
        }
    }
}
