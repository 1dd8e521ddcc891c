//! Any SAT solver that is a shared library with the functions of IPASIR (Balyo, Biere, Iser and Sinz, 2016),
//! loaded when it is asked for: `ipasir:libsolver.so`.
//!
//! The interface is that of the incremental track of SAT competitions, so most solvers have it. What the
//! standard asks for must be there, `ipasir_set_terminate` too, by which a search is stopped; without one of
//! these functions the file is refused. `ipasir_set_learn` came later, and some libraries have it and tell
//! nothing. So each library is asked to refute five pigeons in four holes when it is loaded, and only one
//! that tells of clauses learned from that is said to keep a budget of conflicts. The functions of IPASIR-UP
//! (propagators of the caller's own) have no use here and are not looked for.
//!
//! The library runs in this process: one that crashes ends it, and one that lies about the types of its
//! functions can do anything. A file that is named by its path is that file; a bare name of which there is no
//! file here is left to the system's loader. A library stays loaded until the process ends. Its symbols are
//! its own: it may be CaDiCaL again, in another version than the one compiled in.
//!
//! Unsafe code is in `library.rs`, and nowhere else in this crate.

mod library;

use crate::conformance::pigeonhole;
use crate::marks::LitMarks;
use crate::{Budget, Capabilities, ClauseSink, Lit, SatResult, SatSolver, Statistics, Stop, Why};
use library::{Engine, Library, Verdict};

/// The backend `ipasir`.
pub struct Ipasir {
    engine: Engine,
    /// The library tells what it learns.
    tells: bool,
    variables: u32,
    /// The number of variables at the last answer.
    answered: u32,
    /// Which variables the library has seen; it may not be asked about others.
    seen: Vec<bool>,
    clauses: u64,
    solves: u64,
    stop: Stop,
    last: Option<SatResult>,
    assumed: LitMarks,
}

impl Ipasir {
    /// A solver of the library at this path, without variables and clauses.
    ///
    /// # Errors
    ///
    /// A sentence: there is no such file, it cannot be loaded, or it lacks a function.
    pub fn open(path: &str) -> Result<Ipasir, String> {
        let library = Library::load(path)?;
        let tells = library.tells(|| {
            Ipasir::new(library, false).is_some_and(|mut trial| {
                pigeonhole(&mut trial, 5, 4);
                trial.solve(&[], &Budget::UNLIMITED);
                trial.engine.conflicts() > 0
            })
        });
        Ipasir::new(library, tells).ok_or_else(|| format!("the library '{path}' has made no solver"))
    }

    fn new(library: &'static Library, tells: bool) -> Option<Ipasir> {
        let stop = Stop::new();
        Some(Ipasir {
            engine: Engine::new(library, stop.clone())?,
            tells,
            variables: 0,
            answered: 0,
            seen: Vec::new(),
            clauses: 0,
            solves: 0,
            stop,
            last: None,
            assumed: LitMarks::default(),
        })
    }

    fn mention(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.variables = self.variables.max(lit.var());
            let var = lit.var() as usize;
            if self.seen.len() <= var {
                self.seen.resize(var + 1, false);
            }
            self.seen[var] = true;
        }
    }
}

impl ClauseSink for Ipasir {
    fn new_var(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.last = None;
        self.clauses += 1;
        self.mention(clause);
        self.engine.add(clause);
    }
}

impl SatSolver for Ipasir {
    fn name(&self) -> &'static str {
        "ipasir"
    }

    fn signature(&self) -> String {
        format!("ipasir {}", self.engine.signature())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { budget: self.tells, ..Capabilities::INCREMENTAL }
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.solves += 1;
        self.last = None;
        self.mention(assumptions);
        if let Some(why) = self.stop.reason() {
            return SatResult::Unknown(why);
        }
        self.assumed.set(assumptions);
        let result = match self.engine.solve(assumptions, budget, self.clauses) {
            Verdict::Satisfiable => SatResult::Sat,
            Verdict::Unsatisfiable => SatResult::Unsat,
            Verdict::Ended => SatResult::Unknown(match self.stop.reason() {
                Some(why) => why,
                None if *budget != Budget::UNLIMITED => Why::Budget,
                None => Why::Backend("it gave up"),
            }),
            Verdict::Other => SatResult::Unknown(Why::Backend("it answered none of 0, 10 and 20")),
        };
        self.last = Some(result);
        self.answered = self.variables;
        result
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        let known = self.last == Some(SatResult::Sat)
            && lit.var() <= self.answered
            && self.seen.get(lit.var() as usize) == Some(&true);
        if known { self.engine.value(lit) } else { None }
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.last == Some(SatResult::Unsat) && self.assumed.contains(lit) && self.engine.failed(lit)
    }

    fn set_stop(&mut self, stop: Stop) {
        self.engine.watch(stop.clone());
        self.stop = stop;
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: u64::from(self.variables),
            clauses: self.clauses,
            solves: self.solves,
            runs: self.solves,
            conflicts: self.tells.then(|| self.engine.conflicts()),
            ..Statistics::default()
        }
    }
}
