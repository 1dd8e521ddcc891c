//! Scripts through a session: every command is answered as the command line answers it.

use crate::errors::{InternalError, ParseError, unless_it_panics};
use crate::options;
use crate::watch::{Watch, clock, duration, is_main_thread};
use bivalve::{Progress, Stop, Why};
use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_session::{Config, Monitor, Session};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

/// The limits of a session's checks.
struct Limits {
    watch: Arc<Watch>,
    time: Option<Duration>,
}

impl Monitor for Limits {
    fn begins(&mut self, stop: &Stop, _: Option<&Arc<Progress>>, time_limit: Option<Duration>) {
        stop.reset();
        self.watch.set_time(time_limit.or(self.time));
        self.watch.answer(stop);
    }

    fn ended(&mut self) {
        self.watch.set_time(None);
    }

    fn exhausted(&self) -> Option<Why> {
        self.watch.reason()
    }
}

/// Checks that a certificate shows what it says of a script, by the checker, which shares no code with the
/// solver. Returns the checks that are shown to be unsatisfiable, counted from 0; a `ParseError` with the
/// first step that is wrong, or the place in the script that is not understood.
#[pyfunction]
pub(crate) fn check_certificate(py: Python<'_>, script: &str, certificate: &[u8]) -> PyResult<Vec<u64>> {
    let checked = py.detach(|| unless_it_panics(|| bivalve_checker::check::check(script, certificate)));
    match checked {
        Ok(Ok(verified)) => Ok(verified.unsatisfiable),
        Ok(Err(why)) => Err(ParseError::new_err(why)),
        Err(message) => Err(InternalError::new_err(format!("internal: {message}"))),
    }
}

/// The program `bivalve-check` with these words of its command line; its exit status.
#[pyfunction]
pub(crate) fn check_command(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
    py.detach(|| unless_it_panics(|| bivalve_checker::command::run(&words, &mut out, &mut err)))
        .map_err(|message| InternalError::new_err(format!("internal: {message}")))
}

/// Runs an SMT-LIB script in a solver of its own, and returns the answers to its commands, as texts. Errors
/// are answers, too, `(error "...")`, and the script goes on behind them. `time` limits each check, each
/// explanation or proof, and what definitions in a command stand for, in seconds, unless the script sets
/// `:timeout`; options are those of `bivalve.options()`.
#[pyfunction]
#[pyo3(signature = (text, *, time = None, **options))]
pub(crate) fn run_script(
    py: Python<'_>,
    text: &str,
    time: Option<f64>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let mut config = Config { clock, most_terms: u64::MAX, ..Config::default() };
    options::set_all(&mut config.options.settings, options)?;
    let time = duration(time)?;
    config.options.check_time = time;
    let watch = Arc::<Watch>::default();
    watch.begin(None, is_main_thread(py)?);
    let mut limits = Limits { watch: watch.clone(), time };
    let answers = py.detach(|| {
        unless_it_panics(|| {
            let mut parser = Parser::new(text.as_bytes(), "script", ParserOptions::default());
            let mut session = Session::new(config);
            let mut answers = vec![];
            while let Some(reply) = session.step(&mut parser, &mut limits) {
                answers.extend(reply.text().map(String::from));
                if limits.watch.is_interrupted() {
                    break;
                }
            }
            answers
        })
    });
    watch.end()?;
    answers.map_err(|message| InternalError::new_err(format!("internal: {message}")))
}
