//! Records in Python: sorts with constructors that have fields, and the operators on their values.
//!
//! Constructors and fields are named or numbered: constructors from 0, and the fields of a sort in a row,
//! those of all constructors. A record of constants is a constant, but it is looked at like every other
//! application of a constructor.

use crate::context::PyContext;
use crate::errors::{IllSorted, ill_sorted};
use crate::operand::Operand;
use crate::sort::PySort;
use crate::store::Store;
use crate::term::{PyTerm, arguments_expected};
use bivalve::terms::{Constructor, Op, Pool, RecordSort, Sort, SortKind, Term, TheorySort, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A constructor: its name, and the names and sorts of its fields.
type Parts<S> = (String, Vec<(String, S)>);

/// The names of operators on records in Python: the text has others in each sort.
const NAMES: [(Op, &str); 4] = [
    (Op::RecordNew, "constructor"),
    (Op::RecordIs, "tester"),
    (Op::RecordGet, "selector"),
    (Op::RecordSet, "update"),
];

/// The operator on records of this name.
pub(crate) fn op_named(name: &str) -> Option<Op> {
    NAMES.iter().find(|(_, known)| *known == name).map(|&(op, _)| op)
}

/// The name of an operator on records.
pub(crate) fn name_of(op: Op) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == op).map(|&(_, name)| name)
}

/// A record that is a constant as its constructor applied to constants: indices and arguments.
pub(crate) fn opened(pool: &mut Pool, term: Term) -> Option<(Vec<u32>, Vec<Term>)> {
    let value = pool.as_value(term)?;
    let record = value.as_record()?;
    let SortKind::Theory(TheorySort::Record(number)) = pool.sorts().kind(pool.sort(term)) else {
        return None;
    };
    let indices = vec![number, record.constructor()];
    // A field without constants (an array) is what keeps a record from being a constant.
    let args = record.fields().iter().map(|field| pool.constant(field)).collect::<Option<Vec<Term>>>()?;
    Some((indices, args))
}

/// The value of a constant, or of a record of them.
pub(crate) fn value_of(pool: &Pool, term: Term) -> Option<Value> {
    if pool.op(term) != Op::RecordNew {
        return pool.as_value(term);
    }
    // Records are nested but a bounded number of times.
    let fields =
        pool.args(term).iter().map(|&field| value_of(pool, field)).collect::<Option<Vec<Value>>>()?;
    let record = pool.sorts().as_record(pool.sort(term))?;
    Some(record.value(pool.index(term), fields).into())
}

/// The number of a part: as given, or that of a name.
fn number(part: &Bound<'_, PyAny>, what: &str, names: &[&str], sort: &str) -> PyResult<u32> {
    let found = if part.is_instance_of::<PyInt>() {
        part.extract::<usize>().ok().filter(|&number| number < names.len())
    } else if part.is_instance_of::<PyString>() {
        let name: String = part.extract()?;
        names.iter().position(|known| *known == name)
    } else {
        let found = part.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected {what} of {sort} by name or number, found {found}"
        )));
    };
    let known = || format!("expected {what} of {sort} ({}), found {part}", names.join(", "));
    found.map(|number| number as u32).ok_or_else(|| PyValueError::new_err(known()))
}

/// The definition of a record sort, and the sort as it is printed.
fn definition(store: &Store, py: Python<'_>, sort: Sort) -> PyResult<(Arc<RecordSort>, String)> {
    store.with(py, |pool| match pool.sorts().as_record(sort) {
        Some(record) => Ok((record.clone(), pool.sorts().display(sort))),
        None => {
            let found = pool.sorts().display(sort);
            Err(PyTypeError::new_err(format!("expected a record, found sort {found}")))
        }
    })
}

fn constructors(record: &RecordSort) -> Vec<&str> {
    record.constructors().iter().map(|constructor| &*constructor.name).collect()
}

fn fields(record: &RecordSort) -> Vec<&str> {
    (0..record.field_count()).filter_map(|field| Some(record.field(field)?.0)).collect()
}

/// Records.
#[pymethods]
impl PyContext {
    /// A new sort of records, whatever its name: each constructor has a name and a list of fields, which are
    /// pairs of a name and a sort. An enumeration has constructors without fields, a tuple has one
    /// constructor.
    fn record_sort(
        &self,
        py: Python<'_>,
        name: &str,
        constructors: Vec<Parts<PyRef<'_, PySort>>>,
    ) -> PyResult<PySort> {
        let mut made = vec![];
        let mut taken = BTreeSet::new();
        for (name, fields) in constructors {
            let names = std::iter::once(&name).chain(fields.iter().map(|(field, _)| field));
            for name in names {
                if !taken.insert(name.clone()) {
                    let text =
                        format!("expected different names of constructors and fields, found '{name}' twice");
                    return Err(PyValueError::new_err(text));
                }
            }
            let field =
                |(name, sort): (String, PyRef<'_, PySort>)| Ok((name.into_boxed_str(), self.sort_of(&sort)?));
            let fields = fields.into_iter().map(field).collect::<PyResult<Vec<_>>>()?;
            made.push(Constructor { name: name.into(), fields, is_ambiguous: false });
        }
        let name = bivalve_formats::smtlib::print::symbol(name).into_owned();
        let sort = self.store.with(py, |pool| Ok(pool.sorts_mut().record(&name, made)))?;
        self.made(sort)
    }

    /// The record of a sort, a constructor of it (by name or number), and its fields.
    #[pyo3(signature = (sort, constructor, *fields))]
    fn record(
        &self,
        sort: &PySort,
        constructor: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyTuple>,
    ) -> PyResult<PyTerm> {
        let (py, sort) = (constructor.py(), self.sort_of(sort)?);
        let (record, shown) = definition(&self.store, py, sort)?;
        let number = number(constructor, "a constructor", &constructors(&record), &shown)?;
        let expected = &record.constructors()[number as usize].fields;
        if fields.len() != expected.len() {
            let name = &record.constructors()[number as usize].name;
            let text = arguments_expected(&format!("'{name}'"), expected.len(), fields.len());
            return Err(IllSorted::new_err(text));
        }
        let sort_at = |at: usize| expected.get(at).map(|&(_, sort)| sort);
        let read = |(at, field): (usize, Bound<'_, PyAny>)| Operand::read(&self.store, &field, sort_at(at));
        let read = fields.iter().enumerate().map(read).collect::<PyResult<Vec<Operand>>>()?;
        PyTerm::build(&self.store, py, |pool| {
            let fields: Vec<Term> = read.into_iter().map(|field| field.term(pool)).collect();
            pool.record_new(sort, number, &fields).map_err(|refusal| ill_sorted(&refusal))
        })
    }
}

/// Records.
#[pymethods]
impl PySort {
    /// The constructors of a record sort, each with the names and the sorts of its fields; `None` for others.
    #[getter]
    fn constructors(&self, py: Python<'_>) -> PyResult<Option<Vec<Parts<PySort>>>> {
        let record = self.store.with(py, |pool| Ok(pool.sorts().as_record(self.sort).cloned()))?;
        let constructor = |constructor: &Constructor| {
            let field = |(name, sort): &(Box<str>, Sort)| (name.to_string(), PySort::new(&self.store, *sort));
            (constructor.name.to_string(), constructor.fields.iter().map(field).collect())
        };
        Ok(record.map(|record| record.constructors().iter().map(constructor).collect()))
    }
}

/// Records.
#[pymethods]
impl PyTerm {
    /// Whether a record has this constructor, by name or number.
    fn has_constructor(&self, constructor: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        let py = constructor.py();
        let (record, shown) = definition(&self.store, py, self.sort)?;
        let number = number(constructor, "a constructor", &constructors(&record), &shown)?;
        self.build_of(py, Op::RecordIs, &[number], vec![Operand::Term(self.term)])
    }

    /// A field of a record, by name or number; of a record without it, any value, but always the same.
    fn field(&self, field: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        let py = field.py();
        let (record, shown) = definition(&self.store, py, self.sort)?;
        let number = number(field, "a field", &fields(&record), &shown)?;
        self.build_of(py, Op::RecordGet, &[number], vec![Operand::Term(self.term)])
    }

    /// The record with another value of a field, by name or number, if it has that field.
    fn with_field(&self, field: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<PyTerm> {
        let py = field.py();
        let (record, shown) = definition(&self.store, py, self.sort)?;
        let number = number(field, "a field", &fields(&record), &shown)?;
        let sort = record.field(number).map(|(_, sort)| sort);
        let value = Operand::read(&self.store, value, sort)?;
        self.build_of(py, Op::RecordSet, &[number], vec![Operand::Term(self.term), value])
    }
}
