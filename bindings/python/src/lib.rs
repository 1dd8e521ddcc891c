//! # bivalve-python
//!
//! The native half of the Python package `bivalve`: contexts, terms, solvers, models and scripts as Python
//! objects. What is written in Python on top of it (z3's names, the plug-ins of pySMT and claripy) lies in
//! `python/bivalve`.
//!
//! Nothing here panics across the boundary: every use of the library goes through the gate of a store, which
//! turns a panic into an exception. Built for the stable ABI, one extension serves CPython from 3.9 on, and
//! neither Python nor its headers are needed to build it; so it is a member of the workspace like all others.

mod context;
mod errors;
mod float_operators;
mod floats;
mod html;
mod interpolants;
mod model;
mod models;
mod numbers;
mod operand;
mod operators;
mod optimise;
mod options;
mod records;
mod session;
mod solver;
mod sort;
mod store;
mod term;
mod values;
mod watch;

use pyo3::prelude::*;

/// The native part of `bivalve`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<context::PyContext>()?;
    module.add_class::<sort::PySort>()?;
    module.add_class::<term::PyTerm>()?;
    module.add_class::<solver::PySolver>()?;
    module.add_class::<solver::PyResultOf>()?;
    module.add_class::<model::PyModel>()?;
    module.add_class::<models::PyModels>()?;
    module.add_class::<values::PyArrayValue>()?;
    module.add_class::<values::PyFunctionValue>()?;
    module.add_class::<values::PyElement>()?;
    module.add_class::<floats::PyFloatValue>()?;
    module.add("BivalveError", py.get_type::<errors::BivalveError>())?;
    module.add("IllSorted", py.get_type::<errors::IllSorted>())?;
    module.add("StateError", py.get_type::<errors::StateError>())?;
    module.add("ParseError", py.get_type::<errors::ParseError>())?;
    module.add("InternalError", py.get_type::<errors::InternalError>())?;
    module.add_function(wrap_pyfunction!(options::options, module)?)?;
    module.add_function(wrap_pyfunction!(session::check_certificate, module)?)?;
    module.add_function(wrap_pyfunction!(session::check_command, module)?)?;
    module.add_function(wrap_pyfunction!(session::run_script, module)?)
}
