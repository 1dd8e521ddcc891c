//! Sorts as Python objects: what a term is a value of.
//!
//! Two sorts are equal if they are the same sort of the same context; `Bool` and bit-vectors of one width are
//! equal whatever the context. Asking for a part that a sort does not have gives `None`.

use crate::errors::not_pickled;
use crate::floats::format_of;
use crate::store::Store;
use bivalve::terms::float::Format;
use bivalve::terms::{Sort, SortKind, TheorySort};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use std::sync::Arc;

/// A sort: `Bool`, bit-vectors, floating-point numbers, rounding modes, records, arrays, functions, or one
/// that was declared.
///
/// Sorts are made by a `Context`, compared with `==`, and may be keys of dictionaries.
#[pyclass(name = "Sort", module = "bivalve", frozen)]
pub(crate) struct PySort {
    pub(crate) store: Arc<Store>,
    pub(crate) sort: Sort,
}

impl PySort {
    pub(crate) fn new(store: &Arc<Store>, sort: Sort) -> PySort {
        PySort { store: store.clone(), sort }
    }

    /// A part of this sort.
    fn part<T>(&self, py: Python<'_>, look: impl FnOnce(SortKind) -> T) -> PyResult<T> {
        self.store.with(py, |pool| Ok(look(pool.sorts().kind(self.sort))))
    }

    fn is(&self, other: &PySort) -> bool {
        let is_plain = self.sort.is_bool() || self.sort.is_bitvec();
        self.sort == other.sort && (is_plain || Arc::ptr_eq(&self.store, &other.store))
    }
}

#[pymethods]
impl PySort {
    /// One of `"bool"`, `"bitvec"`, `"float"`, `"rounding_mode"`, `"int"`, `"real"`, `"record"`, `"array"`,
    /// `"function"`, `"declared"`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.part(py, |kind| match kind {
            SortKind::Bool => "bool",
            SortKind::BitVec(_) => "bitvec",
            SortKind::Theory(TheorySort::Float(_)) => "float",
            SortKind::Theory(TheorySort::RoundingMode) => "rounding_mode",
            SortKind::Theory(TheorySort::Int) => "int",
            SortKind::Theory(TheorySort::Real) => "real",
            SortKind::Theory(TheorySort::Record(_)) => "record",
            SortKind::Array { .. } => "array",
            SortKind::Function { .. } => "function",
            SortKind::Uninterpreted(_) => "declared",
        })
    }

    /// The number of bits of a bit-vector sort; `None` for others.
    #[getter]
    fn width(&self) -> Option<u32> {
        self.sort.width()
    }

    /// The number of bits of the exponent of a floating-point sort; `None` for others.
    #[getter]
    fn exponent_bits(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        Ok(format_of(&self.store, py, self.sort)?.map(Format::exponent_bits))
    }

    /// The number of bits of the significand of a floating-point sort, the hidden one included; `None` for
    /// others.
    #[getter]
    fn significand_bits(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        Ok(format_of(&self.store, py, self.sort)?.map(Format::significand_bits))
    }

    /// The sort of the indices of an array sort; `None` for others.
    #[getter]
    fn index(&self, py: Python<'_>) -> PyResult<Option<PySort>> {
        self.part(py, |kind| match kind {
            SortKind::Array { index, .. } => Some(PySort::new(&self.store, index)),
            _ => None,
        })
    }

    /// The sort of the elements of an array sort; `None` for others.
    #[getter]
    fn element(&self, py: Python<'_>) -> PyResult<Option<PySort>> {
        self.part(py, |kind| match kind {
            SortKind::Array { element, .. } => Some(PySort::new(&self.store, element)),
            _ => None,
        })
    }

    /// The sorts of the parameters of a function sort; `None` for others.
    #[getter]
    fn params(&self, py: Python<'_>) -> PyResult<Option<Vec<PySort>>> {
        self.part(py, |kind| match kind {
            SortKind::Function { params, .. } => {
                Some(params.iter().map(|&param| PySort::new(&self.store, param)).collect())
            }
            _ => None,
        })
    }

    /// The sort of the results of a function sort; `None` for others.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Option<PySort>> {
        self.part(py, |kind| match kind {
            SortKind::Function { result, .. } => Some(PySort::new(&self.store, result)),
            _ => None,
        })
    }

    /// The name of a sort that was declared, or of records; `None` for others.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.store.with(py, |pool| {
            let record = pool.sorts().as_record(self.sort).map(|record| record.name().to_owned());
            Ok(record.or_else(|| match pool.sorts().kind(self.sort) {
                SortKind::Uninterpreted(name) => Some(name.into()),
                _ => None,
            }))
        })
    }

    /// The sort in SMT-LIB syntax.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.store.with(py, |pool| Ok(pool.sorts().display(self.sort)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.__str__(py)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
        let _ = memo;
        slf
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a sort", "make it there by the methods of a Context"))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.sort.hash(&mut hasher);
        hasher.finish()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let same = other.cast::<PySort>().is_ok_and(|other| self.is(other.get()));
        match op {
            CompareOp::Eq => Ok(same.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!same).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Ok(py.NotImplemented()),
        }
    }
}
