//! Options by name, from the one table of settings.
//!
//! In Python, names have underscores; values are texts, numbers or Booleans. What is unknown or out of range
//! is a `ValueError` that says what is expected, with the name that was probably meant.

use bivalve::{OPTIONS, OptionError, Settings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// Names less alike are not suggested.
const ALIKE: f64 = 0.7;

/// Sets options by keyword.
pub(crate) fn set_all(settings: &mut Settings, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let mut changed = settings.clone();
    for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
        set(&mut changed, &name.extract::<String>()?, &value)?;
    }
    *settings = changed;
    Ok(())
}

/// Sets one option.
pub(crate) fn set(settings: &mut Settings, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let text = match value.cast::<PyBool>() {
        Ok(switch) => if switch.is_true() { "on" } else { "off" }.to_owned(),
        Err(_) => value.str()?.to_string(),
    };
    settings.set(&name.replace('_', "-"), &text).map_err(|refusal| refused(name, &refusal))
}

/// The value of an option as text.
pub(crate) fn get(settings: &Settings, name: &str) -> PyResult<String> {
    settings.get(&name.replace('_', "-")).map_err(|refusal| refused(name, &refusal))
}

fn refused(name: &str, refusal: &OptionError) -> PyErr {
    let OptionError::Unknown(_) = refusal else { return PyValueError::new_err(refusal.to_string()) };
    let likeness = |row: &str| strsim::jaro_winkler(name, &row.replace('-', "_"));
    let nearest = OPTIONS.iter().map(|row| row.name).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    PyValueError::new_err(match nearest.filter(|row| likeness(row) > ALIKE) {
        Some(nearest) => {
            format!("unknown option '{name}' (did you mean '{}'?)", nearest.replace('-', "_"))
        }
        None => format!("unknown option '{name}'"),
    })
}

/// Every option of the solver: a dictionary each, with `name`, `values`, `default`, `help`, and `research`
/// for those that only experiments need.
#[pyfunction]
pub(crate) fn options(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let defaults = Settings::default();
    let row = |row: &bivalve::OptionRow| {
        let dict = PyDict::new(py);
        dict.set_item("name", row.name.replace('-', "_"))?;
        dict.set_item("values", row.placeholder)?;
        dict.set_item("default", get(&defaults, row.name)?)?;
        dict.set_item("help", row.help)?;
        dict.set_item("research", row.is_research)?;
        Ok(dict)
    };
    OPTIONS.iter().map(row).collect()
}
