//! The solver as a Python object.
//!
//! A solver shares the lock of its context, so whoever uses either waits for a running check; interrupting is
//! the exception. A check runs with the interpreter's lock released, on the thread that asked for it.
//!
//! Solvers may be used from any thread, one at a time. The library does not say so of its solver, which may
//! be given parts of the caller's making; here all parts are its own, see [`Movable`].

use crate::context::PyContext;
use crate::errors::{BivalveError, StateError, no_level, not_asserted, not_checked, not_pickled};
use crate::html;
use crate::model::PyModel;
use crate::numbers::Natural;
use crate::operand::Operand;
use crate::options;
use crate::store::Store;
use crate::term::PyTerm;
use crate::watch::{Watch, clock, duration, is_main_thread};
use bivalve::terms::{Pool, Sort, Term};
use bivalve::{CheckLimits, CheckResult, Settings, Solver, Why};
use bivalve_explain::{Budget, Course, Explanation, explain};
use bivalve_formats::smtlib::print::{Script, script};
use bivalve_session::{Certificate, Form};
use parking_lot::Mutex;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use std::sync::Arc;

/// The answer to a check.
#[pyclass(name = "Result", module = "bivalve", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PyResultOf {
    /// There is a model.
    #[pyo3(name = "SAT")]
    Sat,
    /// There is none.
    #[pyo3(name = "UNSAT")]
    Unsat,
    /// Not decided.
    #[pyo3(name = "UNKNOWN")]
    Unknown,
}

#[pymethods]
impl PyResultOf {
    fn __repr__(&self) -> &'static str {
        match self {
            PyResultOf::Sat => "sat",
            PyResultOf::Unsat => "unsat",
            PyResultOf::Unknown => "unknown",
        }
    }

    fn __str__(&self) -> &'static str {
        self.__repr__()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }

    /// For pickle: the attribute of the class with this answer's name.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let name = self.__repr__().to_uppercase();
        Ok((py.import("builtins")?.getattr("getattr")?, (py.get_type::<PyResultOf>(), name)))
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("an answer is sat, unsat or unknown: compare it with one of them"))
    }
}

/// What pickle makes an object again by: a function, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>, String));

/// A solver that may go from thread to thread, one at a time.
pub(crate) struct Movable(pub(crate) Solver);

// SAFETY: a solver owns all that it refers to. It is not `Send` by itself because its parts may be made by
// the caller; those of this file are made by the tables of the library: SAT solvers without state outside of
// themselves, and strategies; a listener is there during a check only, and writes into a list behind a lock.
// Nothing of them is shared with another solver or left on a thread, and the lock around it keeps two threads
// apart.
#[expect(unsafe_code, reason = "see above; the library has no type for a solver without parts of the caller")]
unsafe impl Send for Movable {}

pub(crate) struct State {
    pub(crate) solver: Movable,
    /// What happened in the last check, if that was to be recorded.
    course: Course,
}

/// A solver over the terms of one context.
///
/// `Solver(context, **options)`; options are those of `bivalve.options()`, with underscores.
#[pyclass(name = "Solver", module = "bivalve", frozen)]
pub(crate) struct PySolver {
    pub(crate) store: Arc<Store>,
    watch: Arc<Watch>,
    /// Taken when the pool is locked, so nobody ever waits for it.
    state: Mutex<State>,
}

impl PySolver {
    /// Works on the solver and the pool, shortly.
    pub(crate) fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State, &mut Pool) -> PyResult<T>,
    ) -> PyResult<T> {
        self.store.with(py, |pool| work(&mut self.state.lock(), pool))
    }

    fn settings(&self, py: Python<'_>) -> PyResult<Settings> {
        self.with(py, |state, _| Ok(state.solver.0.settings().clone()))
    }

    /// Works on the solver and the pool for long, with the interpreter's lock released; at most so many
    /// seconds. The limit is that of this work, however long it waits for another one to end.
    pub(crate) fn with_detached<T: Send>(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        work: impl FnOnce(&mut State, &mut Pool) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let (time, has_signals) = (duration(time)?, is_main_thread(py)?);
        self.store.with_detached(py, |pool| {
            let state = &mut *self.state.lock();
            self.watch.begin(time, has_signals);
            let done = work(state, pool);
            self.watch.end()?;
            done
        })
    }

    /// Reads formulas.
    pub(crate) fn formulas<'py>(
        &self,
        of: impl Iterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Operand>> {
        of.map(|formula| Operand::read(&self.store, &formula, Some(Sort::BOOL))).collect()
    }

    /// Asserts all of some formulas, or none.
    fn assert(&self, of: &Bound<'_, PyTuple>, is_tracked: bool) -> PyResult<()> {
        let formulas = self.formulas(of.iter())?;
        self.with(of.py(), |state, pool| {
            let terms: Vec<Term> = formulas.into_iter().map(|formula| formula.term(pool)).collect();
            let sort = terms.iter().map(|&term| pool.sort(term)).find(|sort| !sort.is_bool());
            if let Some(sort) = sort {
                let text = format!("expected a term of sort Bool, found sort {}", pool.sorts().display(sort));
                return Err(crate::errors::IllSorted::new_err(text));
            }
            let solver = &mut state.solver.0;
            let asserted = match is_tracked {
                true => solver.assert_all_tracked(pool, &terms).map(|_| ()),
                false => solver.assert_all(pool, &terms),
            };
            asserted.map_err(|refusal| not_asserted(&refusal))
        })
    }
}

fn new_solver(settings: &Settings, watch: &Arc<Watch>) -> Movable {
    let mut solver = Solver::new(settings.clone());
    solver.set_clock(clock);
    watch.answer(&solver.stop_handle());
    Movable(solver)
}

/// Assertions.
#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (context, **options))]
    fn new(context: &PyContext, options: Option<&Bound<'_, PyDict>>) -> PyResult<PySolver> {
        let mut settings = Settings::default();
        options::set_all(&mut settings, options)?;
        let watch = Arc::<Watch>::default();
        let solver = new_solver(&settings, &watch);
        let state = Mutex::new(State { solver, course: Course::new(clock) });
        Ok(PySolver { store: context.store.clone(), watch, state })
    }

    /// The context.
    #[getter]
    fn context(&self) -> PyContext {
        PyContext { store: self.store.clone() }
    }

    /// Asserts formulas, terms of sort Bool, on the topmost level.
    #[pyo3(signature = (*formulas))]
    fn add(&self, formulas: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.assert(formulas, false)
    }

    /// Asserts formulas that may be part of unsat cores.
    #[pyo3(signature = (*formulas))]
    fn add_tracked(&self, formulas: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.assert(formulas, true)
    }

    /// The formulas asserted, tracked or not, the lowest level first.
    #[getter]
    fn assertions(&self, py: Python<'_>) -> PyResult<Vec<PyTerm>> {
        self.with(py, |state, pool| Ok(PyTerm::list(&self.store, pool, state.solver.0.assertions())))
    }

    /// Opens levels on the assertion stack.
    #[pyo3(signature = (levels = Natural(1)), text_signature = "($self, levels=1)")]
    fn push(&self, py: Python<'_>, levels: Natural) -> PyResult<()> {
        let Natural(levels) = levels;
        self.with(py, |state, _| {
            let too_many = |_| StateError::new_err("there are at most 2^64 - 1 levels");
            state.solver.0.push(levels).map_err(too_many)
        })
    }

    /// Drops the topmost levels with all that was asserted on them; a `StateError` if there are fewer, and
    /// nothing changes then.
    #[pyo3(signature = (levels = Natural(1)), text_signature = "($self, levels=1)")]
    fn pop(&self, py: Python<'_>, levels: Natural) -> PyResult<()> {
        let Natural(levels) = levels;
        self.with(py, |state, _| state.solver.0.pop(levels).map_err(|refusal| no_level(refusal, levels)))
    }

    /// The number of levels above the lowest.
    #[getter]
    fn levels(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |state, _| Ok(state.solver.0.levels()))
    }

    /// Drops all assertions and levels; options stay.
    fn reset_assertions(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |state, _| {
            state.solver.0.reset_assertions();
            Ok(())
        })
    }

    /// Begins again as a new solver with the same options.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |state, _| {
            state.solver = new_solver(state.solver.0.settings(), &self.watch);
            Ok(())
        })
    }

    /// Sets options by keyword; they are in force from the next check on.
    #[pyo3(signature = (**options))]
    fn set(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut settings = self.settings(py)?;
        options::set_all(&mut settings, options)?;
        self.with(py, |state, _| {
            state.solver.0.set_settings(settings);
            Ok(())
        })
    }

    /// The value of an option as text.
    fn get(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        options::get(&self.settings(py)?, name)
    }

    /// The assertions as an SMT-LIB script that ends with `(check-sat)`.
    fn to_smt2(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state, pool| {
            Ok(script(pool, &Script { assertions: state.solver.0.assertions(), ..Script::default() }))
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        let advice = "send the assertions as text, by to_smt2, and read them there by Context.parse";
        Err(not_pickled("a solver", advice))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state, _| {
            let (count, levels) = (state.solver.0.assertions().len(), state.solver.0.levels());
            Ok(format!("Solver of {count} assertions on {levels} levels"))
        })
    }
}

/// Checks, and what they leave.
#[pymethods]
impl PySolver {
    /// Is the conjunction of the assertions and of these formulas satisfiable? They are assumed for this
    /// check only. `time` is in seconds, `conflicts` and `gates` are counted alike on every machine; where a
    /// limit is reached the answer is `unknown`, and the solver can be used on. With `timeline` the phases of
    /// the check and the lemmas that it learns are recorded for `explain`. Where an assumption is refused,
    /// nothing is checked, and the answer of the last check stays.
    #[pyo3(signature = (*assumptions, time = None, conflicts = None, gates = None, timeline = false))]
    fn check(
        &self,
        py: Python<'_>,
        assumptions: &Bound<'_, PyTuple>,
        time: Option<f64>,
        conflicts: Option<Natural>,
        gates: Option<Natural>,
        timeline: bool,
    ) -> PyResult<PyResultOf> {
        let assumed = self.formulas(assumptions.iter())?;
        let limits = limits(conflicts.map(|most| most.0), gates.map(|most| most.0))?;
        let answer = self.with_detached(py, time, |state, pool| {
            let terms: Vec<Term> = assumed.into_iter().map(|formula| formula.term(pool)).collect();
            let State { solver: Movable(solver), course } = state;
            let answer =
                course.of_check(solver, timeline, |solver| solver.check_within(pool, limits, &terms));
            answer.map_err(|refusal| not_checked(&refusal))
        });
        Ok(match answer? {
            CheckResult::Sat => PyResultOf::Sat,
            CheckResult::Unsat => PyResultOf::Unsat,
            CheckResult::Unknown(_) => PyResultOf::Unknown,
        })
    }

    /// Ends the running check with `unknown`, from another thread or the handler of a signal; nothing happens
    /// if none is running.
    fn interrupt(&self) {
        self.watch.interrupt();
    }

    /// Why the last answer was `unknown`: `"timeout"`, `"memout"`, `"resourceout"`, `"interrupted"` or
    /// `"incomplete"`; `None` after another answer, or if something was asserted, pushed or popped since.
    #[getter]
    fn reason_unknown(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.with(py, |state, _| Ok(state.solver.0.why_unknown().map(Why::word)))
    }

    /// The model of the last check; a `StateError` unless that was answered `sat`, and nothing was asserted,
    /// pushed or popped since.
    fn model(&self, py: Python<'_>) -> PyResult<PyModel> {
        self.with(py, |state, pool| {
            let solver = &state.solver.0;
            let model = solver.model().ok_or_else(|| {
                let text = "there is no model: the last check was not answered sat, or something was \
                            changed since";
                StateError::new_err(text)
            })?;
            let formulas = [solver.assertions(), solver.assumptions()].concat();
            Ok(PyModel::new(&self.store, pool, &formulas, model.assignment()))
        })
    }

    /// Tracked assertions that contradict the others together with `unsat_assumptions()`; a `StateError`
    /// unless the last check was answered `unsat`, and nothing was asserted, pushed or popped since.
    fn unsat_core(&self, py: Python<'_>) -> PyResult<Vec<PyTerm>> {
        self.with(py, |state, pool| {
            let solver = &state.solver.0;
            let core = solver.unsat_core().ok_or_else(no_core)?;
            let tracked: Vec<Term> = solver.tracked().collect();
            let core: Vec<Term> = core.iter().map(|&number| tracked[number]).collect();
            Ok(PyTerm::list(&self.store, pool, &core))
        })
    }

    /// The same by position among the tracked assertions at hand, the lowest level first, from 0.
    fn unsat_core_positions(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.with(py, |state, _| Ok(state.solver.0.unsat_core().ok_or_else(no_core)?.to_vec()))
    }

    /// The assumptions of the last check that are part of the contradiction, as `unsat_core()`.
    fn unsat_assumptions(&self, py: Python<'_>) -> PyResult<Vec<PyTerm>> {
        self.with(py, |state, pool| {
            let solver = &state.solver.0;
            let (failed, assumed) = (solver.unsat_assumptions().ok_or_else(no_core)?, solver.assumptions());
            let failed: Vec<Term> = failed.iter().map(|&position| assumed[position]).collect();
            Ok(PyTerm::list(&self.store, pool, &failed))
        })
    }

    /// A script and a certificate that its check is unsatisfiable, for `bivalve-check` and
    /// `check_certificate()`: the assertions and assumptions of the last check as SMT-LIB text, and bytes;
    /// with `text`, bytes that people can read. It is searched for anew; `time` is in seconds, and where it
    /// is over, or nothing was found, that is a `BivalveError`. A `StateError` unless the last check was
    /// answered `unsat`, and nothing was asserted, pushed or popped since.
    #[pyo3(signature = (*, text = false, time = None))]
    fn certificate<'py>(
        &self,
        py: Python<'py>,
        text: bool,
        time: Option<f64>,
    ) -> PyResult<(String, Bound<'py, PyBytes>)> {
        let form = if text { Form::Text } else { Form::Binary };
        let made = self.with_detached(py, time, |state, pool| {
            let solver = &state.solver.0;
            solver.unsat_assumptions().ok_or_else(|| not_unsat("certificate"))?;
            let terms = [solver.assertions(), solver.assumptions()].concat();
            let stop = solver.stop_handle();
            stop.reset();
            Certificate::of(pool, &terms, form, &stop)
                .map_err(|why| BivalveError::new_err(format!("there is no certificate: {why}")))
        });
        let Certificate { script, steps } = made?;
        Ok((script, PyBytes::new(py, &steps)))
    }

    /// What the checks cost so far: a dictionary of counts, and of seconds by phase.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let statistics = self.with(py, |state, pool| Ok(state.solver.0.statistics(pool)))?;
        let text = serde_json::to_string(&statistics)
            .map_err(|error| crate::errors::InternalError::new_err(error.to_string()))?;
        let dict = py.import("json")?.call_method1("loads", (text,))?;
        py.import("bivalve._statistics")?.getattr("Statistics")?.call1((dict,))
    }

    /// Why the last answer is what it is, as a dictionary that notebooks and `print` show as text. After
    /// `sat`, `inputs`: the part of the model that matters; whatever the rest is replaced by, the assertions
    /// hold. After `unsat`, `contradiction`: conjuncts that are contradictory together, as terms and as text,
    /// and the bits that they are contradictory by. `timeline` has the phases of the check and its lemmas,
    /// with what they were learned from, if `check` was called with `timeline=True`; after `unknown` that is
    /// all. `time` is in seconds; `conflicts` of each question to a
    /// solver and `questions` are counted alike on every machine. Where a limit is reached, what was found is
    /// right but may not be minimal, and says so. A `StateError` unless the last check was answered `sat` or
    /// `unsat`, and nothing was asserted, pushed or popped since.
    #[pyo3(signature = (*, time = None, conflicts = None, questions = None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        time: Option<f64>,
        conflicts: Option<Natural>,
        questions: Option<Natural>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let default = Budget::default();
        let budget = Budget {
            conflicts: conflicts.map_or(default.conflicts, |most| most.0),
            questions: questions.map_or(default.questions, |most| most.0),
        };
        let explained = self.with_detached(py, time, |state, pool| {
            let State { solver: Movable(solver), course } = state;
            let stop = solver.stop_handle();
            stop.reset();
            let found = explain(pool, solver, &budget, &stop)
                .map_err(|fault| crate::errors::InternalError::new_err(fault.to_string()))?;
            if found.is_none() && (course.is_empty() || solver.why_unknown().is_none()) {
                let text = "there is nothing to explain: the last check was not answered sat or unsat, or \
                            something was changed since";
                return Err(StateError::new_err(text));
            }
            let report = course.report(pool, solver, found.as_ref());
            let conjuncts = match &found {
                Some(Explanation::Contradiction(found)) => {
                    found.conjuncts.iter().map(|conjunct| conjunct.term).collect()
                }
                _ => vec![],
            };
            Ok((report.json(), report.to_string(), PyTerm::list(&self.store, pool, &conjuncts)))
        });
        let (json, text, terms) = explained?;
        let dict = py.import("json")?.call_method1("loads", (json,))?;
        py.import("bivalve._explanation")?.getattr("Explanation")?.call1((dict, text, terms))
    }

    /// For notebooks: a table of the assertions.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state, pool| {
            let formulas = state.solver.0.assertions().iter().zip(1..);
            let rows = formulas.map(|(&formula, number): (&Term, u64)| {
                [number.to_string(), bivalve::terms::print::term(pool, formula)]
            });
            Ok(html::table(["", "assertion"], rows))
        })
    }
}

fn no_core() -> PyErr {
    not_unsat("unsat core")
}

/// What only a check that was answered unsat leaves.
fn not_unsat(what: &str) -> PyErr {
    StateError::new_err(format!(
        "there is no {what}: the last check was not answered unsat, or something was changed since"
    ))
}

/// The limits of a check; 0 conflicts are no limit.
fn limits(conflicts: Option<u64>, gates: Option<u64>) -> PyResult<CheckLimits> {
    if gates == Some(0) {
        return Err(PyValueError::new_err("expected at least 1 gate, found 0"));
    }
    let mut limits = CheckLimits::new();
    (limits.conflicts, limits.gates) = (conflicts.map(|most| if most == 0 { u64::MAX } else { most }), gates);
    Ok(limits)
}
