//! Interpolants between assertions.

use crate::errors::{BivalveError, StateError, not_checked};
use crate::operand::Operand;
use crate::solver::PySolver;
use crate::term::PyTerm;
use bivalve::terms::Term;
use bivalve_interpolate::{Interpolator, NoDivision, Outcome, Tree};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

#[pymethods]
impl PySolver {
    /// An interpolant between these assertions and all others: a formula that follows from these, contradicts
    /// the others, and has only symbols that both have; each is checked. A `StateError` if they have a model
    /// together, a `BivalveError` where none is found, in `time` seconds for example.
    #[pyo3(signature = (*formulas, time = None))]
    fn interpolant(
        &self,
        py: Python<'_>,
        formulas: &Bound<'_, PyTuple>,
        time: Option<f64>,
    ) -> PyResult<PyTerm> {
        let sets = vec![self.formulas(formulas.iter())?];
        let mut found = self.found(py, sets, time, Tree::of_prefixes)?;
        found.pop().ok_or_else(|| crate::errors::InternalError::new_err("an interpolant is missing"))
    }

    /// Interpolants of sets of assertions, all of them together, in their order without the last one: that of
    /// a set follows from the set and the interpolants of its children, and the last set contradicts those of
    /// its own. The sets are a sequence, each the child of the next one; or a tree, children before parents,
    /// if `starts` has for each the number of the first set in its subtree. Errors are those of
    /// `interpolant`, and a `ValueError` if there is no such tree.
    #[pyo3(signature = (sets, starts = None, *, time = None))]
    fn interpolants(
        &self,
        py: Python<'_>,
        sets: &Bound<'_, PyAny>,
        starts: Option<Vec<usize>>,
        time: Option<f64>,
    ) -> PyResult<Vec<PyTerm>> {
        let mut read = vec![];
        for set in sets.try_iter()? {
            let set: Vec<Bound<'_, PyAny>> = set?.try_iter()?.collect::<PyResult<_>>()?;
            read.push(self.formulas(set.into_iter())?);
        }
        self.found(py, read, time, |asserted, sets| Tree::of_all(asserted, sets, starts))
    }
}

impl PySolver {
    /// The interpolants of a tree of assertions.
    fn found(
        &self,
        py: Python<'_>,
        sets: Vec<Vec<Operand>>,
        time: Option<f64>,
        tree: impl FnOnce(&[Term], Vec<Vec<Term>>) -> Result<Tree, NoDivision> + Send,
    ) -> PyResult<Vec<PyTerm>> {
        self.with_detached(py, time, |state, pool| {
            let mut terms = |set: Vec<Operand>| set.into_iter().map(|of| of.term(pool)).collect();
            let sets: Vec<Vec<Term>> = sets.into_iter().map(&mut terms).collect();
            let solver = &state.solver.0;
            let tree = tree(solver.assertions(), sets).map_err(|refusal| match refusal {
                NoDivision::NoTree => PyValueError::new_err(refusal.to_string()),
                refusal => StateError::new_err(refusal.to_string()),
            })?;
            let stop = solver.stop_handle();
            stop.reset();
            let found = Interpolator::new(solver.settings().clone(), stop).over(pool, &tree);
            match found.map_err(|refusal| not_checked(&refusal))? {
                Ok(found) => Ok(PyTerm::list(&self.store, pool, &found)),
                Err(Outcome::Consistent) => Err(StateError::new_err(Outcome::Consistent.why_none())),
                Err(outcome) => Err(BivalveError::new_err(outcome.why_none())),
            }
        })
    }
}
