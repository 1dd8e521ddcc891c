//! All values of terms in models, as an iterator, and their number.

use crate::errors::{BivalveError, StateError, not_checked};
use crate::operand::Operand;
use crate::solver::PySolver;
use crate::values::{Shape, to_object};
use bivalve::terms::Term;
use bivalve_enumerate::{EnumerateError, Models, Next, Points, count};
use parking_lot::Mutex;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// The values of terms in models of a solver's assertions, one tuple after the other.
#[pyclass(name = "Models", module = "bivalve", frozen)]
pub(crate) struct PyModels {
    solver: Py<PySolver>,
    /// What was asserted when it was made.
    asserted: Vec<Term>,
    shapes: Vec<Arc<Shape>>,
    time: Option<f64>,
    listing: Mutex<(Models, Option<Points>)>,
}

#[pymethods]
impl PyModels {
    fn __iter__(slf: Py<PyModels>) -> Py<PyModels> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        loop {
            let point = self.listing.lock().1.as_mut().and_then(Iterator::next);
            if let Some(point) = point {
                let values = point.iter().zip(&self.shapes).map(|(value, shape)| to_object(py, value, shape));
                return PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?).map(Some);
            }
            let next = self.solver.get().with_detached(py, self.time, |state, pool| {
                let solver = &mut state.solver.0;
                if solver.assertions() != self.asserted {
                    let text = "the assertions of the solver have changed since its models were asked for";
                    return Err(StateError::new_err(text));
                }
                self.listing.lock().0.next(solver, pool).map_err(|refusal| not_checked(&refusal))
            });
            match next? {
                Next::Cube(cube) => self.listing.lock().1 = Some(cube.points()),
                Next::Complete => return Ok(None),
                Next::Unknown(why) => {
                    let text = format!("whether there are other models was not decided: {}", why.word());
                    return Err(BivalveError::new_err(text));
                }
            }
        }
    }
}

#[pymethods]
impl PySolver {
    /// All values that some terms, bit-vectors and Booleans, have together in models of the assertions: an
    /// iterator of tuples, in no particular order, each once. It ends with an error where the assertions have
    /// changed, or where a check was not decided; `time` is in seconds, for each check.
    #[pyo3(signature = (*terms, time = None))]
    fn models(
        slf: Py<PySolver>,
        py: Python<'_>,
        terms: &Bound<'_, PyTuple>,
        time: Option<f64>,
    ) -> PyResult<PyModels> {
        let solver = slf.get();
        let terms = operands(solver, terms)?;
        let (listing, asserted, shapes) = solver.with(py, |state, pool| {
            let terms: Vec<Term> = terms.into_iter().map(|term| term.term(pool)).collect();
            let models = Models::new(pool, &terms, &[]).map_err(|refusal| refused(&refusal.into()))?;
            let shapes = terms.iter().map(|&term| Shape::of(pool, pool.sort(term))).collect();
            Ok((Mutex::new((models, None)), state.solver.0.assertions().to_vec(), shapes))
        })?;
        Ok(PyModels { solver: slf, asserted, shapes, time, listing })
    }

    /// How many values some terms, bit-vectors and Booleans, have together in models of the assertions. Where
    /// that is not found out, in `time` seconds for example, it is a `BivalveError` that says how many there
    /// are at least.
    #[pyo3(signature = (*terms, time = None))]
    fn count_models<'py>(
        &self,
        py: Python<'py>,
        terms: &Bound<'py, PyTuple>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let terms = operands(self, terms)?;
        let found = self.with_detached(py, time, |state, pool| {
            let terms: Vec<Term> = terms.into_iter().map(|term| term.term(pool)).collect();
            count(&mut state.solver.0, pool, &terms, &[]).map_err(|refusal| refused(&refusal))
        })?;
        match found.unknown {
            None => crate::numbers::from_int(py, &found.at_least.into()),
            Some(why) => {
                let text = format!("there are {} models at least: {}", found.at_least, why.word());
                Err(BivalveError::new_err(text))
            }
        }
    }
}

fn operands(solver: &PySolver, terms: &Bound<'_, PyTuple>) -> PyResult<Vec<Operand>> {
    terms.iter().map(|term| Operand::read(&solver.store, &term, None)).collect()
}

fn refused(refusal: &EnumerateError) -> PyErr {
    match refusal {
        EnumerateError::NotFinite(refusal) => crate::errors::IllSorted::new_err(refusal.to_string()),
        EnumerateError::Check(refusal) => not_checked(refusal),
    }
}
