//! Values as Python objects: `bool` and `int` for Booleans and bit-vectors (unsigned), the name of a rounding
//! mode, and small classes for what Python has no object of its own for; that of floating-point numbers is in
//! `floats`.
//!
//! Arrays and functions have a default and the finitely many entries that differ from it, in increasing
//! order; they can be read like the thing itself (`value[3]`, `value(1, 2)`), compared and hashed. What they
//! are read at has to be of their sort, which is kept beside the value: a value without entries does not show
//! it.

use crate::floats::{PyFloatValue, mode_named, of_number, to_fraction};
use crate::numbers::{from_int, to_bits, to_int};
use crate::term::arguments_expected;
use bivalve::terms::float::RoundingMode;
use bivalve::terms::{
    ArrayValue, FunctionValue, Pool, RecordSort, Sort, SortKind, TheorySort, TheoryValue, Value,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A sort, its text and the sorts that it is made of, for use without a pool.
pub(crate) struct Shape {
    sort: Sort,
    text: String,
    /// What it is, of a theory that is lowered.
    theory: Option<TheorySort>,
    /// Index and element of an array; parameters and result of a function; all fields of a record.
    parts: Vec<Arc<Shape>>,
}

impl Shape {
    pub(crate) fn of(pool: &Pool, sort: Sort) -> Arc<Shape> {
        let mut theory = None;
        let parts: Vec<Sort> = match pool.sorts().kind(sort) {
            SortKind::Theory(of) => {
                theory = Some(of);
                let record = pool.sorts().as_record(sort).cloned();
                let fields = |record: Arc<RecordSort>| {
                    (0..record.field_count()).filter_map(|field| Some(record.field(field)?.1)).collect()
                };
                record.map_or(vec![], fields)
            }
            SortKind::Array { index, element } => vec![index, element],
            SortKind::Function { params, result } => params.iter().copied().chain([result]).collect(),
            _ => vec![],
        };
        let parts = parts.into_iter().map(|part| Shape::of(pool, part)).collect();
        Arc::new(Shape { sort, text: pool.sorts().display(sort), theory, parts })
    }
}

impl Shape {
    /// The sort in SMT-LIB syntax.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// The Python object of a value of this shape.
pub(crate) fn to_object<'py>(
    py: Python<'py>,
    value: &Value,
    shape: &Arc<Shape>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = shape.clone();
    Ok(match value {
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::BitVec(bits) => to_int(py, bits)?,
        Value::Theory(value) => match &**value {
            TheoryValue::Int(number) => from_int(py, number)?,
            TheoryValue::Real(number) => to_fraction(py, number)?,
            TheoryValue::RoundingMode(mode) => mode.name().into_pyobject(py)?.into_any(),
            TheoryValue::Float(value) => Bound::new(py, PyFloatValue(value.clone()))?.into_any(),
            TheoryValue::Record(record) => {
                let name = &record.definition().constructors()[record.constructor() as usize].name;
                let mut parts = vec![name.into_pyobject(py)?.into_any()];
                let fields = record.definition().fields_of(record.constructor());
                for (field, value) in fields.zip(record.fields()) {
                    parts.push(to_object(py, value, &shape.parts[field as usize])?);
                }
                PyTuple::new(py, parts)?.into_any()
            }
        },
        Value::Element(sort, number) => {
            Bound::new(py, PyElement { sort: *sort, number: *number })?.into_any()
        }
        Value::Array(array) => Bound::new(py, PyArrayValue { array: array.clone(), shape })?.into_any(),
        Value::Function(function) => {
            Bound::new(py, PyFunctionValue { function: function.clone(), shape })?.into_any()
        }
    })
}

/// A value of this shape, from Python.
fn from_object(of: &Bound<'_, PyAny>, shape: &Shape) -> PyResult<Value> {
    let wrong = || {
        let found = of.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
        PyTypeError::new_err(format!("expected a value of sort {}, found {found}", shape.text))
    };
    if let Some(width) = shape.sort.width() {
        of.cast::<PyInt>().map_err(|_| wrong())?;
        return Ok(to_bits(of, width)?.into());
    }
    if shape.sort.is_bool() {
        return Ok(of.cast::<PyBool>().map_err(|_| wrong())?.is_true().into());
    }
    match shape.theory {
        Some(TheorySort::Float(format)) => {
            let number = of_number(of, format, RoundingMode::NearestEven)?;
            return Ok(number.ok_or_else(wrong)?.into());
        }
        Some(TheorySort::RoundingMode) => {
            let name: String = of.extract().map_err(|_| wrong())?;
            return Ok(mode_named(&name)?.into());
        }
        _ => {}
    }
    if let Ok(element) = of.cast::<PyElement>() {
        let PyElement { sort, number } = *element.get();
        return if sort == shape.sort { Ok(Value::Element(sort, number)) } else { Err(wrong()) };
    }
    let array = of.cast::<PyArrayValue>().map_err(|_| wrong())?.get();
    if array.shape.sort == shape.sort { Ok(Value::Array(array.array.clone())) } else { Err(wrong()) }
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
pub(crate) struct PyArrayValue {
    array: Arc<ArrayValue>,
    shape: Arc<Shape>,
}

impl PartialEq for PyArrayValue {
    fn eq(&self, other: &PyArrayValue) -> bool {
        self.array == other.array
    }
}

impl PyArrayValue {
    fn index(&self) -> &Arc<Shape> {
        &self.shape.parts[0]
    }

    fn element(&self) -> &Arc<Shape> {
        &self.shape.parts[1]
    }
}

#[pymethods]
impl PyArrayValue {
    /// The element at all indices that are not among the entries.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, self.array.default(), self.element())
    }

    /// The elements that differ from the default, by index.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(py);
        for (index, element) in self.array.entries() {
            let index = to_object(py, index, self.index())?;
            entries.set_item(index, to_object(py, element, self.element())?)?;
        }
        Ok(entries)
    }

    /// The element at an index.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let at = from_object(index, self.index())?;
        to_object(index.py(), self.array.select(&at), self.element())
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
pub(crate) struct PyFunctionValue {
    function: Arc<FunctionValue>,
    shape: Arc<Shape>,
}

impl PartialEq for PyFunctionValue {
    fn eq(&self, other: &PyFunctionValue) -> bool {
        self.function == other.function
    }
}

impl PyFunctionValue {
    /// The parameters and the result.
    fn signature(&self) -> (&[Arc<Shape>], &Arc<Shape>) {
        let (result, params) = self.shape.parts.split_last().expect("a function has a result");
        (params, result)
    }
}

#[pymethods]
impl PyFunctionValue {
    /// The result for all arguments that are not among the entries.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, self.function.default(), self.signature().1)
    }

    /// The results that differ from the default, by the tuple of arguments.
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (entries, (params, of)) = (PyDict::new(py), self.signature());
        for (args, result) in self.function.entries() {
            let args = args.iter().zip(params).map(|(arg, param)| to_object(py, arg, param));
            let args = args.collect::<PyResult<Vec<_>>>()?;
            entries.set_item(PyTuple::new(py, args)?, to_object(py, result, of)?)?;
        }
        Ok(entries)
    }

    /// The result for arguments.
    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let (params, result) = self.signature();
        if args.len() != params.len() {
            let text = arguments_expected("the function", params.len(), args.len());
            return Err(PyValueError::new_err(text));
        }
        let read = args.iter().zip(params).map(|(arg, param)| from_object(&arg, param));
        let read = read.collect::<PyResult<Vec<Value>>>()?;
        to_object(args.py(), &self.function.apply(&read.iter().collect::<Vec<_>>()), result)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.function)
    }

    fn __repr__(&self) -> String {
        Value::Function(self.function.clone()).to_string()
    }
}
