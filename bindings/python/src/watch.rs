//! What ends a check from outside: the clock, signals, and another thread.
//!
//! A running check asks now and then whether it is over; the question is answered here, on the thread that
//! checks, with the interpreter's lock released. Twenty times a second the answer looks at the clock and, on
//! the main thread, lets Python handle its signals: an exception from there, such as `KeyboardInterrupt`,
//! ends the check, and is raised when the check has returned. So the solver is always left in order.
//!
//! Cost: a look at the clock for each question, and the interpreter's lock twenty times a second.

#![expect(clippy::disallowed_methods, reason = "limits of time are kept here, on the side of the caller")]

use crate::store::SLICE;
use bivalve::{Stop, Why};
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Watches the checks of one solver.
#[derive(Default)]
pub(crate) struct Watch {
    /// The running check is to end.
    is_over: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_running: bool,
    deadline: Option<Instant>,
    /// When to look at signals again; `None` on threads that have none.
    next_signals: Option<Instant>,
    why: Option<Why>,
    raised: Option<PyErr>,
}

impl Watch {
    /// Work begins, with at most so much time, on the thread that handles signals or another one. The caller
    /// holds what keeps two of them apart until [`Watch::end`].
    pub(crate) fn begin(&self, time: Option<Duration>, has_signals: bool) {
        let now = Instant::now();
        let mut state = self.state.lock();
        *state = State {
            is_running: true,
            deadline: time.and_then(|time| now.checked_add(time)),
            next_signals: has_signals.then(|| now + SLICE),
            ..State::default()
        };
        self.is_over.store(false, Ordering::Relaxed);
    }

    /// A piece of a session begins, with at most so much time; with `None`, any.
    pub(crate) fn set_time(&self, time: Option<Duration>) {
        let mut state = self.state.lock();
        state.deadline = time.and_then(|time| Instant::now().checked_add(time));
        if state.raised.is_none() && state.why == Some(Why::TimeLimit) {
            state.why = None;
            self.is_over.store(false, Ordering::Relaxed);
        }
    }

    /// Whether the whole session is to end, not only its check.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.state.lock().raised.is_some()
    }

    /// The work has ended.
    ///
    /// # Errors
    ///
    /// What the handler of a signal has raised.
    pub(crate) fn end(&self) -> PyResult<()> {
        let state = std::mem::take(&mut *self.state.lock());
        state.raised.map_or(Ok(()), Err)
    }

    /// Ends the running check; nothing happens if there is none.
    pub(crate) fn interrupt(&self) {
        let mut state = self.state.lock();
        if state.is_running {
            state.why.get_or_insert(Why::Interrupted);
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Lets the computations that hold `stop` ask here.
    pub(crate) fn answer(self: &Arc<Watch>, stop: &Stop) {
        let watch = self.clone();
        stop.ask_why(move || watch.reason());
    }

    /// Why the running check, or another piece of work, is to end, if it is.
    pub(crate) fn reason(&self) -> Option<Why> {
        self.is_to_end().then(|| self.state.lock().why.unwrap_or(Why::Interrupted))
    }

    fn is_to_end(&self) -> bool {
        if self.is_over.load(Ordering::Relaxed) {
            return true;
        }
        let now = Instant::now();
        let mut state = self.state.lock();
        if state.deadline.is_some_and(|deadline| now >= deadline) {
            state.why = Some(Why::TimeLimit);
            self.is_over.store(true, Ordering::Relaxed);
            return true;
        }
        if state.next_signals.is_none_or(|next| now < next) {
            return false;
        }
        state.next_signals = Some(now + SLICE);
        // A handler may interrupt this very check.
        drop(state);
        let handled = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
        if let Err(raised) = handled {
            self.state.lock().raised = Some(raised);
            self.is_over.store(true, Ordering::Relaxed);
        }
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Seconds as a duration.
pub(crate) fn duration(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err(format!("expected a time in seconds, found {seconds}")))
    };
    // More than can be counted is no limit.
    seconds.filter(|&seconds| seconds.is_nan() || seconds < 1e9).map(read).transpose()
}

/// Python handles signals on this thread alone.
pub(crate) fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main: u64 = threading.call_method0("main_thread")?.getattr("ident")?.extract()?;
    Ok(main == threading.call_method0("get_ident")?.extract::<u64>()?)
}

/// The time since the first call, for statistics.
pub(crate) fn clock() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
