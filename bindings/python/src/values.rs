//! Values as Python objects: `bool` and `int` for Booleans and bit-vectors (unsigned), and three small
//! classes for what Python has no object of its own for.
//!
//! Arrays and functions have a default and the finitely many entries that differ from it, in increasing
//! order; they can be read like the thing itself (`value[3]`, `value(1, 2)`), compared and hashed.

use crate::numbers::to_bits;
use crate::numbers::to_int;
use bivalve::terms::{ArrayValue, FunctionValue, Sort, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The Python object of a value.
pub(crate) fn to_object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::BitVec(bits) => to_int(py, bits)?,
        Value::Element(sort, number) => {
            Bound::new(py, PyElement { sort: *sort, number: *number })?.into_any()
        }
        Value::Array(array) => Bound::new(py, PyArrayValue { array: array.clone() })?.into_any(),
        Value::Function(function) => {
            Bound::new(py, PyFunctionValue { function: function.clone() })?.into_any()
        }
    })
}

/// A value of the kind of `like`, from Python.
fn from_object(of: &Bound<'_, PyAny>, like: &Value) -> PyResult<Value> {
    let wrong = || {
        let found = of.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
        PyTypeError::new_err(format!("expected a value like {like}, found {found}"))
    };
    match like {
        Value::Bool(_) => Ok(of.cast::<PyBool>().map_err(|_| wrong())?.is_true().into()),
        Value::BitVec(bits) => {
            of.cast::<PyInt>().map_err(|_| wrong())?;
            Ok(to_bits(of, bits.width())?.into())
        }
        Value::Element(sort, _) => {
            let element = of.cast::<PyElement>().map_err(|_| wrong())?.get();
            if element.sort == *sort { Ok(Value::Element(*sort, element.number)) } else { Err(wrong()) }
        }
        Value::Array(_) => {
            Ok(Value::Array(of.cast::<PyArrayValue>().map_err(|_| wrong())?.get().array.clone()))
        }
        Value::Function(_) => Err(wrong()),
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// An element of a declared sort, numbered from 0; different numbers are different elements.
#[pyclass(name = "Element", module = "bivalve", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyElement {
    sort: Sort,
    number: u32,
}

#[pymethods]
impl PyElement {
    /// The number of the element.
    #[getter]
    fn number(&self) -> u32 {
        self.number
    }

    fn __repr__(&self) -> String {
        format!("@{}", self.number)
    }
}

/// The value of an array: `default` everywhere but at `entries`.
#[pyclass(name = "ArrayValue", module = "bivalve", frozen, eq)]
#[derive(PartialEq, Eq)]
pub(crate) struct PyArrayValue {
    array: Arc<ArrayValue>,
}

#[pymethods]
impl PyArrayValue {
    /// The element at all indices that are not among the entries.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, self.array.default())
    }

    /// The elements that differ from the default, by index.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(py);
        for (index, element) in self.array.entries() {
            entries.set_item(to_object(py, index)?, to_object(py, element)?)?;
        }
        Ok(entries)
    }

    /// The element at an index.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        // An array without entries is the same at every index.
        let like = self.array.entries().next().map(|(index, _)| index.clone());
        match like {
            Some(like) => to_object(py, self.array.select(&from_object(index, &like)?)),
            None => to_object(py, self.array.default()),
        }
    }

    fn __iter__(&self) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err("an array has too many elements to walk through; see entries and default"))
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.array)
    }

    fn __repr__(&self) -> String {
        Value::Array(self.array.clone()).to_string()
    }
}

/// The value of a function: `default` for all arguments but those of `entries`.
#[pyclass(name = "FunctionValue", module = "bivalve", frozen, eq)]
#[derive(PartialEq, Eq)]
pub(crate) struct PyFunctionValue {
    function: Arc<FunctionValue>,
}

#[pymethods]
impl PyFunctionValue {
    /// The result for all arguments that are not among the entries.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, self.function.default())
    }

    /// The results that differ from the default, by the tuple of arguments.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(py);
        for (args, result) in self.function.entries() {
            let args = args.iter().map(|arg| to_object(py, arg)).collect::<PyResult<Vec<_>>>()?;
            entries.set_item(PyTuple::new(py, args)?, to_object(py, result)?)?;
        }
        Ok(entries)
    }

    /// The result for arguments.
    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let Some((like, _)) = self.function.entries().next() else {
            return to_object(py, self.function.default());
        };
        if args.len() != like.len() {
            let text = format!("expected {} arguments, found {}", like.len(), args.len());
            return Err(PyValueError::new_err(text));
        }
        let read = args.iter().zip(like).map(|(arg, like)| from_object(&arg, like));
        let read = read.collect::<PyResult<Vec<Value>>>()?;
        to_object(py, &self.function.apply(&read.iter().collect::<Vec<_>>()))
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.function)
    }

    fn __repr__(&self) -> String {
        Value::Function(self.function.clone()).to_string()
    }
}
