//! A solver with what a C program sees of it: settings, limits, callbacks and the last answer.
//!
//! The three headers share it. A check may be ended by limits of steps, by a limit of time, by a callback,
//! and from other threads. The limit of time and the callback are the question that the [`Stop`] handle of
//! the solver asks; each piece of work puts its own. The limit of time is the only place where the library
//! looks at a clock.

use crate::fault::{Fault, Outcome};
use crate::questions::Listing;
use bivalve::terms::{Op, Pool, Sort, SortKind, Term, Value};
use bivalve::{CheckLimits, CheckResult, Settings, Solver, Stop, Why};
use bivalve_explain::{Budget, Course, Report, explain};
use bivalve_optimise::Objectives;
use bivalve_session::{Certificate, Form};
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A callback of a C program: anything but zero ends the check.
pub(crate) type Terminate = extern "C" fn(*mut c_void) -> c_int;

/// What a check may cost; 0 is no limit, of gates the one of the settings.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    pub(crate) conflicts: u64,
    pub(crate) gates: u64,
    pub(crate) milliseconds: u64,
}

/// The callback of a C program, and the address that it is given.
#[derive(Clone, Copy)]
struct Hook {
    ask: Terminate,
    data: usize,
}

impl Hook {
    fn is_over(self) -> bool {
        (self.ask)(std::ptr::with_exposed_provenance_mut(self.data)) != 0
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "C programs have limits of time; this is the one place for them"
)]
fn now() -> Instant {
    Instant::now()
}

/// The time since the first call, for limits of scripts and the courses of checks.
pub(crate) fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let now = now();
    now.duration_since(*START.get_or_init(|| now))
}

/// A solver over a pool that is handed to every call.
pub(crate) struct Checker {
    pub(crate) solver: Solver,
    pub(crate) limits: Limits,
    hook: Option<Hook>,
    course: Course,
    is_recorded: bool,
    pub(crate) objectives: Objectives,
    /// The models that are listed, as long as nothing changes.
    pub(crate) listing: Option<Listing>,
}

impl Checker {
    pub(crate) fn new() -> Checker {
        Checker {
            solver: Solver::new(Settings::default()),
            limits: Limits::default(),
            hook: None,
            course: Course::new(clock),
            is_recorded: false,
            objectives: Objectives::default(),
            listing: None,
        }
    }

    pub(crate) fn stop(&self) -> Stop {
        self.solver.stop_handle()
    }

    pub(crate) fn on_terminate(&mut self, callback: Option<Terminate>, data: *mut c_void) {
        self.hook = callback.map(|ask| Hook { ask, data: data.expose_provenance() });
    }

    /// Whether the callback asks for an end now.
    pub(crate) fn is_over(&self) -> bool {
        self.hook.is_some_and(Hook::is_over)
    }

    pub(crate) fn set(&mut self, option: &str, value: &str) -> Outcome<()> {
        let mut settings = self.solver.settings().clone();
        settings.set(option, value)?;
        self.objectives.changed();
        self.solver.set_settings(settings);
        Ok(())
    }

    pub(crate) fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The assertions are others now: what was found of optima and models is void.
    fn changed(&mut self) {
        self.objectives.changed();
        self.listing = None;
    }

    pub(crate) fn assert(&mut self, pool: &Pool, formula: Term, is_tracked: bool) -> Outcome<()> {
        self.changed();
        if is_tracked {
            self.solver.assert_tracked(pool, formula)?;
        } else {
            self.solver.assert(pool, formula)?;
        }
        Ok(())
    }

    /// Asserts formulas, all or none: a conjunction is refused if one of its parts is.
    pub(crate) fn assert_all(&mut self, pool: &Pool, formulas: &[Term]) -> Outcome<()> {
        self.changed();
        Ok(self.solver.assert_all(pool, formulas)?)
    }

    pub(crate) fn push(&mut self, levels: u64) -> Outcome<()> {
        self.changed();
        Ok(self.solver.push(levels)?)
    }

    pub(crate) fn pop(&mut self, levels: u64) -> Outcome<()> {
        self.solver.pop(levels)?;
        self.changed();
        self.objectives.pop_to(self.solver.levels());
        Ok(())
    }

    pub(crate) fn reset_assertions(&mut self) {
        self.solver.reset_assertions();
        self.changed();
        self.objectives = Objectives::default();
    }

    /// Checks under the limits.
    pub(crate) fn check(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Outcome<CheckResult> {
        let given = |limit| Some(limit).filter(|&limit| limit != 0);
        let Limits { conflicts, gates, .. } = self.limits;
        let mut limits = CheckLimits::new();
        (limits.conflicts, limits.gates) = (given(conflicts), given(gates));
        self.begin();
        let check = |solver: &mut Solver| solver.check_within(pool, limits, assumptions);
        Ok(self.course.of_check(&mut self.solver, self.is_recorded, check)?)
    }

    /// The assertions and assumptions of the last check, which was answered unsat.
    pub(crate) fn refuted(&self) -> Outcome<Vec<Term>> {
        self.solver.unsat_assumptions().ok_or_else(no_core)?;
        Ok([self.solver.assertions(), self.solver.assumptions()].concat())
    }

    /// A certificate of the last check, which was answered unsat, as text.
    pub(crate) fn certificate(&mut self, pool: &Pool) -> Outcome<String> {
        let terms = self.refuted()?;
        self.begin();
        let certificate = Certificate::of(pool, &terms, Form::Text, &self.solver.stop_handle());
        let certificate =
            certificate.map_err(|why| Fault::unsupported(format!("there is no certificate: {why}")))?;
        Ok(String::from_utf8_lossy(&certificate.steps).into_owned())
    }

    /// Whether the courses of checks are recorded from now on.
    pub(crate) fn record(&mut self, is_recorded: bool) {
        self.is_recorded = is_recorded;
    }

    /// Why the last answer is what it is, under the limit of time.
    pub(crate) fn explain(&mut self, pool: &Pool) -> Outcome<Report> {
        self.begin();
        let found = explain(pool, &self.solver, &Budget::default(), &self.solver.stop_handle())?;
        if found.is_none() && (self.course.is_empty() || self.solver.why_unknown().is_none()) {
            return Err(Fault::state(
                "there is nothing to explain: the last check was not answered sat or unsat, or something was \
                 changed since",
            ));
        }
        Ok(self.course.report(pool, &self.solver, found.as_ref()))
    }

    /// A piece of work begins that the limit of time and the callback may end.
    pub(crate) fn begin(&self) {
        let Limits { milliseconds, .. } = self.limits;
        let limit = Some(Duration::from_millis(milliseconds)).filter(|_| milliseconds != 0);
        let deadline = limit.and_then(|limit| now().checked_add(limit));
        let hook = self.hook;
        self.solver.stop_handle().ask_why(move || {
            let is_late = deadline.is_some_and(|deadline| now() >= deadline);
            let is_over = || hook.is_some_and(Hook::is_over).then_some(Why::Interrupted);
            is_late.then_some(Why::TimeLimit).or_else(is_over)
        });
    }

    /// The value of a term in the model of the last check.
    pub(crate) fn value(&self, pool: &Pool, term: Term) -> Outcome<Value> {
        let none = "there is no model: the last check was not answered sat, or something was changed since";
        let model = self.solver.model().ok_or_else(|| Fault::state(none))?;
        if !model.knows(pool, term) {
            return Err(Fault::unsupported("the value of a quantified formula is not known"));
        }
        Ok(model.value(pool, term))
    }

    /// The assumptions of the last check that are part of the contradiction.
    pub(crate) fn failed(&self) -> Outcome<Vec<Term>> {
        let failed = self.solver.unsat_assumptions().ok_or_else(no_core)?;
        let assumed = self.solver.assumptions();
        Ok(failed.iter().map(|&position| assumed[position]).collect())
    }

    /// The tracked assertions that are part of the contradiction.
    pub(crate) fn core(&self) -> Outcome<Vec<Term>> {
        let core = self.solver.unsat_core().ok_or_else(no_core)?;
        let tracked: Vec<Term> = self.solver.tracked().collect();
        Ok(core.iter().map(|&number| tracked[number]).collect())
    }
}

fn no_core() -> Fault {
    let none =
        "there is no unsat core: the last check was not answered unsat, or something was changed since";
    Fault::state(none)
}

/// The constant of a value. Recursive: arrays are nested at most `MAX_NESTING` deep.
pub(crate) fn constant(pool: &mut Pool, sort: Sort, value: &Value) -> Outcome<Term> {
    match (pool.sorts().kind(sort), value) {
        (SortKind::Bool, Value::Bool(value)) => Ok(pool.bool(*value)),
        (SortKind::BitVec(_), Value::BitVec(value)) => Ok(pool.bitvec(value)),
        (SortKind::Theory(_), Value::Theory(_)) => {
            pool.constant(value).ok_or_else(|| Fault::unsupported("the value has no constant"))
        }
        (SortKind::Array { index, element }, Value::Array(array)) => {
            let default = constant(pool, element, array.default())?;
            let mut term = pool.const_array(sort, default)?;
            for (at, what) in array.entries() {
                let (at, what) = (constant(pool, index, at)?, constant(pool, element, what)?);
                term = pool.store(term, at, what)?;
            }
            Ok(term)
        }
        _ => {
            let sort = pool.sorts().display(sort);
            Err(Fault::unsupported(format!("values of sort {sort} have no constants; they can be printed")))
        }
    }
}

/// The value of a constant of the pool.
pub(crate) fn value_of_constant(pool: &Pool, term: Term) -> Outcome<Value> {
    if pool.op(term) != Op::Const {
        return Err(Fault::argument("a constant is expected"));
    }
    pool.as_value(term).ok_or_else(|| Fault::argument("no constant"))
}
