//! The preferred backend of this crate as a shared library with the functions of IPASIR, for programs in C
//! and for `--sat ipasir:LIBRARY`:
//!
//! ```sh
//! cargo build --release -p bivalve-sat-adapter --example ipasir_library   # target/release/examples cargo
//! build --release -p bivalve-sat-adapter --example ipasir_library --no-default-features --features splr
//! ```
//!
//! A library hides all but its own functions. So an engine goes into one that cannot be linked into a program
//! that has another engine of kin.

#![allow(unsafe_code, non_snake_case, reason = "the functions of IPASIR, which C programs call")]

use bivalve_sat_adapter::{Budget, Lit, ProofSink, SatResult, SatSolver, Stop, create, default_backend};
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::rc::Rc;
use std::sync::OnceLock;

/// A solver, and what was said of the clause and the call to come.
pub struct Solver {
    engine: Box<dyn SatSolver>,
    clause: Vec<Lit>,
    assumptions: Vec<Lit>,
    learner: Rc<Cell<Option<Learner>>>,
}

/// Who is told what is learned, up to so many literals.
#[derive(Clone, Copy)]
struct Learner {
    state: *mut c_void,
    longest: usize,
    learn: extern "C" fn(*mut c_void, *const i32),
}

/// Derived clauses are those that were learned.
struct Learned(Rc<Cell<Option<Learner>>>);

impl ProofSink for Learned {
    fn derived(&mut self, clause: &[Lit]) {
        let Some(learner) = self.0.get().filter(|learner| clause.len() <= learner.longest) else { return };
        let numbers: Vec<i32> = clause.iter().map(|lit| lit.to_dimacs()).chain([0]).collect();
        (learner.learn)(learner.state, numbers.as_ptr());
    }

    fn deleted(&mut self, _: &[Lit]) {}
}

/// Name and version.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_signature() -> *const c_char {
    static TEXT: OnceLock<CString> = OnceLock::new();
    let text = || create(default_backend()).map(|engine| engine.signature()).unwrap_or_default();
    TEXT.get_or_init(|| CString::new(text()).unwrap_or_default()).as_ptr()
}

/// A new solver.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_init() -> *mut Solver {
    let Ok(mut engine) = create(default_backend()) else { return std::ptr::null_mut() };
    let learner = Rc::default();
    // A backend without proofs tells nothing, which is allowed.
    let _ = engine.set_proof(Box::new(Learned(Rc::clone(&learner))));
    Box::into_raw(Box::new(Solver { engine, clause: vec![], assumptions: vec![], learner }))
}

/// The end of a solver.
///
/// # Safety
/// It was made by `ipasir_init`, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ipasir_release(solver: *mut Solver) {
    drop(unsafe { Box::from_raw(solver) });
}

/// The next literal of a clause, or 0 at its end.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_add(solver: &mut Solver, number: i32) {
    match Lit::from_dimacs(number) {
        Some(lit) => solver.clause.push(lit),
        None => {
            solver.engine.add_clause(&solver.clause);
            solver.clause.clear();
        }
    }
}

/// One more assumption of the next call.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_assume(solver: &mut Solver, number: i32) {
    solver.assumptions.extend(Lit::from_dimacs(number));
}

/// 10 for sat, 20 for unsat, 0 for neither.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_solve(solver: &mut Solver) -> c_int {
    let assumptions = std::mem::take(&mut solver.assumptions);
    match solver.engine.solve(&assumptions, &Budget::UNLIMITED) {
        SatResult::Sat => 10,
        SatResult::Unsat => 20,
        SatResult::Unknown(_) => 0,
    }
}

/// The literal if it is true, its negation if it is false, 0 if either would do.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_val(solver: &mut Solver, number: i32) -> i32 {
    let value = Lit::from_dimacs(number).and_then(|lit| solver.engine.value(lit));
    value.map_or(0, |value| if value { number } else { -number })
}

/// 1 if the assumption is part of the core.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_failed(solver: &mut Solver, number: i32) -> c_int {
    c_int::from(Lit::from_dimacs(number).is_some_and(|lit| solver.engine.failed(lit)))
}

/// The function is asked during calls whether to give up.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_set_terminate(
    solver: &mut Solver,
    state: *mut c_void,
    terminate: Option<extern "C" fn(*mut c_void) -> c_int>,
) {
    // The address as a number: which thread asks is the affair of the caller.
    let (stop, state) = (Stop::new(), state as usize);
    if let Some(terminate) = terminate {
        stop.ask(move || terminate(state as *mut c_void) != 0);
    }
    solver.engine.set_stop(stop);
}

/// The function is told what is learned, if it has no more literals than `longest`.
#[unsafe(no_mangle)]
pub extern "C" fn ipasir_set_learn(
    solver: &mut Solver,
    state: *mut c_void,
    longest: c_int,
    learn: Option<extern "C" fn(*mut c_void, *const i32)>,
) {
    let longest = usize::try_from(longest).unwrap_or(0);
    solver.learner.set(learn.map(|learn| Learner { state, longest, learn }));
}
